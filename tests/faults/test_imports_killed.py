"""An import that is killed half-way saves nothing by halves, and goes on or is begun again.

``kill -9`` of the worker, of the web server or of the whole program while many questions
are read or written, at a moment that the database tells. The bank is looked at through
the pages that a teacher has, and behind their back.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPException
from threading import Thread
from typing import Literal
from uuid import uuid4

import pytest

from tests.faults.imports import Teacher, many_questions, stored
from tests.site import Running, answers, site, spawn

MANY = 5_000
FEW = 500  # saved while the page waits
_QUESTIONS = (
    "SELECT count(*) FROM quizzes_question q JOIN quizzes_questionset s ON s.id = q.set_id WHERE "
)
SEEN, UNSEEN = _QUESTIONS + "s.owner_id IS NOT NULL", _QUESTIONS + "s.key LIKE 'unseen %'"
RUNNING = "SELECT count(*) FROM classroom_job WHERE state = 'running' AND kind = '{kind}'"

Victim = Literal["worker", "web", "all"]


@pytest.fixture(
    params=["sqlite", pytest.param("postgres", marks=pytest.mark.services)], scope="module"
)
def run(request: pytest.FixtureRequest) -> Iterator[Running]:
    """The real program."""
    with site(database=request.param) as running:
        yield running


@pytest.fixture(scope="module")
def teacher(run: Running) -> Teacher:
    """Somebody with questions."""
    return Teacher.made(run)


def kill(run: Running, victim: Victim) -> None:
    """End at once what ``victim`` says, and see to it that it runs again."""
    if victim == "all":
        children = run.children().values()
        process = run.processes.pop()
        for pid in (process.pid, *children):
            os.kill(pid, signal.SIGKILL)
        process.wait()
        assert isinstance(process.args, list)
        run.processes.append(spawn(process.args, run.env, run.logs[0]))
        run.until(lambda: answers(run.url))
        return
    name = {"worker": "celery", "web": "uvicorn"}[victim]
    before = run.children()[name]
    os.kill(before, signal.SIGKILL)
    run.until(lambda: run.children().get(name, before) != before)
    run.until(lambda: answers(run.url))


@pytest.mark.case("CF-01")
@pytest.mark.xdist_group("faults")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("victim", ["worker", "web", "all"])
def test_file_that_is_being_read_is_read_to_its_end(
    run: Running, teacher: Teacher, victim: Victim
) -> None:
    before = stored(run, SEEN)
    preview = teacher.bring_in(many_questions(MANY))
    run.until(lambda: stored(run, RUNNING.format(kind="read_import")))

    kill(run, victim)

    teacher.log_in()
    teacher.wait_for(preview, f"{MANY} good questions")
    assert stored(run, SEEN) == before
    teacher.send(f"{preview}give-up/")


@pytest.mark.case("CF-01")
@pytest.mark.xdist_group("faults")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("victim", ["worker", "web", "all"])
def test_questions_that_are_being_saved_are_all_there_once_or_not_at_all(
    run: Running, teacher: Teacher, victim: Victim
) -> None:
    before, title = stored(run, SEEN), f"Many {uuid4()}"
    preview = teacher.bring_in(many_questions(MANY))
    teacher.wait_for(preview, f"{MANY} good questions")
    left = stored(run, UNSEEN)
    teacher.send(f"{preview}save/", title=title)
    run.until(lambda: stored(run, UNSEEN) > left + MANY // 10)

    kill(run, victim)
    half = stored(run, SEEN)

    assert half in (before, before + MANY)
    teacher.log_in()
    assert title not in teacher.sets() or stored(run, SEEN) == before + MANY
    teacher.wait_for(preview, f"{MANY} questions are saved in")
    assert stored(run, SEEN) == before + MANY
    assert teacher.sets().count(title) == 1


def _send_and_never_hear(teacher: Teacher, path: str, title: str) -> None:
    with suppress(OSError, HTTPException):
        teacher.send(path, title=title)


@pytest.mark.case("CF-01")
@pytest.mark.xdist_group("faults")
@pytest.mark.timeout(600)
def test_save_of_a_page_that_dies_is_done_again(run: Running, teacher: Teacher) -> None:
    before, title = stored(run, SEEN), f"Few {uuid4()}"
    preview = teacher.bring_in(many_questions(FEW))
    teacher.wait_for(preview, f"{FEW} good questions")
    left = stored(run, UNSEEN)
    saving = Thread(target=_send_and_never_hear, args=(teacher, f"{preview}save/", title))
    saving.start()
    run.until(lambda: stored(run, UNSEEN) > left)

    kill(run, "web")
    saving.join()

    assert stored(run, SEEN) == before
    teacher.log_in()
    assert title not in teacher.sets()
    teacher.wait_for(preview, f"{FEW} good questions")
    teacher.send(f"{preview}save/", title=title)
    assert f"{FEW} questions are saved in" in teacher.page
    assert stored(run, SEEN) == before + FEW


@pytest.mark.case("CF-01")
@pytest.mark.xdist_group("faults")
@pytest.mark.timeout(600)
def test_import_that_kills_three_workers_is_given_up_in_words(
    run: Running, teacher: Teacher
) -> None:
    before = stored(run, SEEN)
    preview = teacher.bring_in(many_questions(MANY))
    teacher.wait_for(preview, f"{MANY} good questions")
    for _time in range(3):
        left = stored(run, UNSEEN)
        if _time == 0:
            teacher.send(f"{preview}save/", title="Thrice")
        run.until(lambda left=left: stored(run, UNSEEN) > left)  # type: ignore[misc]
        kill(run, "worker")

    teacher.wait_for(preview, "This was tried three times and did not work.")

    assert stored(run, SEEN) == before
    teacher.wait_for(preview, f"{MANY} good questions")
    teacher.send(f"{preview}save/", title="At last")
    teacher.wait_for(preview, f"{MANY} questions are saved in")
    assert stored(run, SEEN) == before + MANY
