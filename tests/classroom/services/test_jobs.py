"""Long work: the row is the truth."""

from __future__ import annotations

import sqlite3
from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from classroom.access import Anonymous, TeacherActor
from classroom.errors import DomainError, NotThere
from classroom.models import Job
from classroom.services import jobs
from tests.factories import people

pytestmark = pytest.mark.django_db

LOCKED = OperationalError("database is locked")
LOCKED.__cause__ = sqlite3.OperationalError("database is locked")


def raised(error: Exception) -> None:
    raise error


@pytest.fixture
def runs(monkeypatch, settings, tmp_path):
    """What the job ``copy`` was asked to do; ``bad`` and ``refused`` fail."""
    settings.MEDIA_ROOT = tmp_path
    asked: list[str] = []

    def copy(job, tell):
        asked.append(job.args["word"])
        tell(50)
        name = f"{job.pk}.txt"
        (jobs.folder() / name).write_text(job.args["word"])
        return name

    def bad(job, tell):
        raise ZeroDivisionError

    def refused(job, tell):
        raise DomainError("The deck is empty.", code="empty")

    monkeypatch.setattr(jobs, "_works", {"copy": copy, "bad": bad, "refused": refused})
    return asked


def start(kind: str = "copy", teacher=None, **args) -> Job:
    actor = TeacherActor(teacher or people.teacher())
    return jobs.start_job(actor=actor, kind=kind, args=args)


def test_job_is_done_by_the_worker_and_leaves_a_file(runs, django_capture_on_commit_callbacks):
    teacher = people.teacher()
    with django_capture_on_commit_callbacks(execute=True):
        job = start(teacher=teacher, word="hello")

    job.refresh_from_db()
    assert (job.state, job.progress_pct, job.attempts) == (Job.State.DONE, 100, 1)
    path = jobs.result_file(actor=TeacherActor(teacher), job_id=job.pk)
    assert path.read_text() == "hello"


@pytest.mark.case("CF-06")
def test_job_done_once_is_not_done_again(runs):
    job = start(word="hello")

    jobs.run(job.pk)
    jobs.run(job.pk)

    assert runs == ["hello"]


@pytest.mark.parametrize(
    ("kind", "message"),
    [("refused", "The deck is empty."), ("bad", "Something went wrong on our side. Try again.")],
)
def test_failed_job_says_so_and_can_be_tried_again(runs, caplog, kind, message):
    teacher = people.teacher()
    job = start(kind, teacher)

    jobs.run(job.pk)

    job.refresh_from_db()
    assert (job.state, job.message) == (Job.State.FAILED, message)
    again = jobs.try_again(actor=TeacherActor(teacher), job_id=job.pk)
    assert (again.state, again.message) == (Job.State.WAITING, "")


@pytest.mark.case("CF-06")
def test_job_under_way_is_not_started_twice(runs):
    teacher = people.teacher()
    job = start(teacher=teacher, word="hello")

    with pytest.raises(jobs.NotStuck):
        jobs.try_again(actor=TeacherActor(teacher), job_id=job.pk)


def test_silent_job_is_stuck_and_can_be_tried_again(runs):
    teacher = people.teacher()
    job = start(teacher=teacher, word="hello")
    long_ago = timezone.now() - timedelta(minutes=6)
    Job.objects.update(state=Job.State.RUNNING, started_at=long_ago)
    job.refresh_from_db()

    assert jobs.is_stuck(job)
    assert jobs.try_again(actor=TeacherActor(teacher), job_id=job.pk).state == Job.State.WAITING


def test_job_for_which_the_database_had_no_time_waits_and_is_done_again(runs, monkeypatch):
    def hindered(job, tell):
        runs.append(job.args["word"])
        if len(runs) <= hindrances:
            raise LOCKED
        return ""

    monkeypatch.setitem(jobs._works, "hindered", hindered)

    hindrances = 2
    job = start("hindered", word="a")
    jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempts, job.message) == (Job.State.WAITING, 1, "")
    jobs.run(job.pk)
    jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempts, runs) == (Job.State.DONE, 3, ["a"] * 3)


def test_job_that_is_hindered_three_times_has_failed(runs, monkeypatch, caplog):
    monkeypatch.setitem(jobs._works, "hindered", lambda _job, _tell: raised(LOCKED))
    job = start("hindered")

    for _attempt in range(4):
        jobs.run(job.pk)

    job.refresh_from_db()
    assert (job.state, job.attempts) == (Job.State.FAILED, 3)


@pytest.mark.django_db(transaction=True)
def test_progress_that_cannot_be_told_stops_no_work(runs):
    def untold(execute, sql, *more):
        return raised(LOCKED) if "told_at" in sql and "UPDATE" in sql else execute(sql, *more)

    with connection.execute_wrapper(untold):
        job = start(word="a")

    job.refresh_from_db()
    assert (job.state, job.told_at, runs) == (Job.State.DONE, None, ["a"])


@pytest.mark.case("CF-05")
def test_worker_that_starts_takes_up_what_was_left(runs, django_capture_on_commit_callbacks):
    waiting, running = start(word="a"), start(word="b")
    Job.objects.filter(pk=running.pk).update(state=Job.State.RUNNING, attempts=1)

    with django_capture_on_commit_callbacks(execute=True):
        assert jobs.requeue() == 2

    assert sorted(runs) == ["a", "b"]
    assert set(Job.objects.values_list("state", flat=True)) == {Job.State.DONE}
    assert waiting.pk != running.pk


@pytest.mark.case("CF-05")
def test_job_that_took_three_workers_with_it_is_given_up(runs):
    job = start(word="a")
    Job.objects.update(state=Job.State.RUNNING, attempts=3)

    assert jobs.requeue() == 0
    job.refresh_from_db()
    assert job.state == Job.State.FAILED


@pytest.mark.case("AZ-24")
def test_file_is_its_owners_alone_and_stays_in_its_folder(runs, tmp_path):
    teacher = people.teacher()
    job = start(teacher=teacher, word="hello")
    jobs.run(job.pk)

    with pytest.raises(NotThere):
        jobs.result_file(actor=TeacherActor(people.teacher()), job_id=job.pk)
    (tmp_path / "secret").write_text("x")
    Job.objects.update(result="../secret")
    with pytest.raises(NotThere):
        jobs.result_file(actor=TeacherActor(teacher), job_id=job.pk)


@pytest.mark.parametrize(("kind", "actor"), [("copy", "nobody"), ("unknown", "teacher")])
def test_job_needs_a_teacher_and_a_known_kind(runs, kind, actor):
    who = Anonymous() if actor == "nobody" else TeacherActor(people.teacher())

    with pytest.raises(NotThere):
        jobs.start_job(actor=who, kind=kind, args={})
