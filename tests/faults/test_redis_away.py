"""Redis that dies, or is not there at the start: everybody goes on (case CF-08)."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from http.cookiejar import CookieJar
from typing import Any

import pytest
from redis import Redis

from tests.browser.class_in_play import PASSWORD
from tests.games.live.test_processes import _play, _player, _stage
from tests.site import Running, answers, site, spawn

pytestmark = [
    pytest.mark.services,
    pytest.mark.case("CF-08"),
    pytest.mark.xdist_group("redis-away"),
]

PATIENCE_S = 6.0  # no page takes longer, on a machine with much else to do
EMAIL = "redis@school.example"
TOO_FAST = 429
# What libraries write into the log when the line to Redis breaks; nothing else may.
OF_REDIS = ("ConnectionError", "ConnectionRefusedError", "redis.exceptions")

_MAKE = f"""
import json
from classroom.access import TeacherActor
from classroom.models import Lesson, Student, Teacher
from classroom.services.classrooms import create_classroom
teacher = Teacher.objects.create_user(email={EMAIL!r}, name="Ms Okafor", password={PASSWORD!r})
room = create_classroom(actor=TeacherActor(teacher), name="7c")
lesson = Lesson.objects.create(classroom=room, state="open", activity="corruption")
student = Student.objects.create(classroom=room, name="Amina")
print(json.dumps({{"code": room.code, "lesson": str(lesson.pk), "student": str(student.pk)}}))
"""

_START_JOB = f"""
import json
from classroom.access import TeacherActor
from classroom.models import Teacher
from classroom.services import jobs
from quizzes.services import exports
from tests.factories import bank
teacher = Teacher.objects.get(email={EMAIL!r})
made = bank.question_set(owner=teacher)
args = {{"set": str(made.pk), "format": "gift"}}
job = jobs.start_job(actor=TeacherActor(teacher), kind=exports.JOB, args=args)
print(json.dumps({{"job": str(job.pk)}}))
"""

_STATE = """
import json
from classroom.models import Job
print(json.dumps({{"state": Job.objects.get(pk={job!r}).state}}))
"""


@dataclass(frozen=True)
class Answer:
    status: int
    url: str
    text: str


class Visitor:
    """One browser: keeps cookies, follows redirects, sends the token of the last page."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._token = ""
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def ask(self, path: str, form: dict[str, str] | None = None) -> Answer:
        """Open a page, or send a form; it is answered in time, and never with an error of ours."""
        body = None
        if form is not None:
            body = urllib.parse.urlencode({"csrfmiddlewaretoken": self._token} | form).encode()
        begun = time.monotonic()
        try:
            with self._opener.open(self._url + path, body, timeout=30) as reply:
                answer = Answer(reply.status, reply.url, reply.read().decode())
        except urllib.error.HTTPError as error:
            answer = Answer(error.code, error.url or "", error.read().decode())
        assert time.monotonic() - begun < PATIENCE_S, path
        assert answer.status != 500, path
        if found := re.search(r'csrfmiddlewaretoken" value="(\w+)"', answer.text):
            self._token = found[1]
        return answer


@pytest.fixture(scope="module")
def run() -> Iterator[Running]:
    """Two web servers and a worker."""
    with site(processes=2) as running:
        for line in OF_REDIS:
            running.forgive(line)
        yield running


@pytest.fixture(scope="module")
def room(run: Running) -> dict[str, str]:
    """A teacher whose class has an open lesson."""
    return _said(run, _MAKE)


@pytest.fixture
def still(run: Running) -> Iterator[None]:
    """Redis hears everything and answers nothing, as over a line that is half dead."""
    assert run.redis is not None
    assert run.redis.process is not None
    os.kill(run.redis.process.pid, signal.SIGSTOP)
    yield
    os.kill(run.redis.process.pid, signal.SIGCONT)


@pytest.fixture
def away(run: Running) -> Iterator[Redis]:
    """Redis is dead until the test starts it; at the end it is there again."""
    assert run.redis is not None
    run.redis.stop()
    with Redis.from_url(run.redis.address) as line:
        yield line
    if run.redis.process is None:
        run.redis.start()
    run.until(lambda: _listeners(line) == len(run.urls))


def _said(run: Running, script: str) -> dict[str, Any]:
    printed = run.manage("shell", "-c", script)
    lines = [line for line in printed.splitlines() if line.startswith("{")]
    return dict(json.loads(lines[-1]))


def _listeners(line: Redis) -> int:
    """How many web servers hear hints."""
    return int(dict(line.pubsub_numsub("asgi__group__live"))[b"asgi__group__live"])


@pytest.mark.parametrize("how", ["away", "still"])
def test_pages_work_without_redis(run: Running, how: str, request: pytest.FixtureRequest) -> None:
    """Joining, guessing codes, logging in wrong and right, the lesson: all that counts or asks."""
    room = _said(run, _MAKE.replace(EMAIL, f"{how}-{EMAIL}"))
    email = f"{how}-{EMAIL}"
    request.getfixturevalue(how)
    student, guesser, teacher = (Visitor(run.urls[number % 2]) for number in range(3))

    student.ask("/join/")
    assert "Amina" in student.ask("/join/", {"code": room["code"]}).text
    tapped = student.ask(f"/lessons/{room['lesson']}/join/students/{room['student']}/", {})
    assert (tapped.status, tapped.url.endswith("/play/")) == (200, True)
    guesser.ask("/join/")
    guesses = [guesser.ask("/join/", {"code": f"WRONG{number}"}).status for number in range(24)]
    assert TOO_FAST in guesses  # ten a minute are answered
    teacher.ask("/accounts/login/")
    wrong = teacher.ask("/accounts/login/", {"login": email, "password": "wrong words here"})
    assert (wrong.status, "/login/" in wrong.url) == (200, True)
    inside = teacher.ask("/accounts/login/", {"login": email, "password": PASSWORD})
    assert inside.url.endswith("/classes/")
    for path in ("", "desk/", "setup/"):
        assert teacher.ask(f"/lessons/{room['lesson']}/{path}").status == 200
    assert answers(run.url)


async def test_match_is_played_on_two_servers_while_redis_is_away(
    run: Running, away: Redis
) -> None:
    (stage,) = _stage(run, "begin(1)")["classes"]
    async with AsyncExitStack() as stack:
        players = [
            await stack.enter_async_context(_player(run, stage, place, process=place))
            for place in (0, 1)
        ]

        async with asyncio.timeout(120):
            await _play(players, 12)

    assert all(player.board["version"] >= 12 for player in players)
    assert "0 of them wrong" in run.manage("check_matches")


def test_long_work_is_taken_in_time_by_a_queue_that_stands_still(
    run: Running, room: dict[str, str], still: None
) -> None:
    begun = time.monotonic()
    job = _said(run, _START_JOB)["job"]

    assert time.monotonic() - begun < 3 * PATIENCE_S  # most of it is the start of a process
    assert _said(run, _STATE.format(job=job))["state"] == "waiting"


def test_long_work_waits_for_redis_and_is_done_then(
    run: Running, room: dict[str, str], away: Redis
) -> None:
    job = _said(run, _START_JOB)["job"]
    assert _said(run, _STATE.format(job=job))["state"] == "waiting"

    assert run.redis is not None
    run.redis.start()

    run.until(lambda: _said(run, _STATE.format(job=job))["state"] == "done")


def test_server_that_starts_without_redis_serves_and_hears_hints_later(
    run: Running, away: Redis
) -> None:
    second = run.processes[1]
    second.terminate()
    second.wait(40)
    run.processes[1] = spawn(list(second.args), run.env, run.logs[1])  # type: ignore[arg-type]

    run.until(lambda: answers(run.urls[1]))
    visitor = Visitor(run.urls[1])
    visitor.ask("/join/")
    assert visitor.ask("/join/", {"code": "WRONG1"}).status in {200, 422}
    assert run.redis is not None
    run.redis.start()

    run.until(lambda: _listeners(away) == 2)
