"""What is forgotten in time (case PV-04)."""

from __future__ import annotations

import os
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from classroom.models import Attendance, Invitation, Job, Lesson, Student, Teacher
from classroom.services import housekeeping, invitations, jobs
from classroom.services.housekeeping import Done, housekeep
from tests.factories import people
from tests.threads import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.case("PV-04")]

NOTHING = Done(guests=0, results=0, links=0, jobs=0, sessions=0)


@pytest.fixture(autouse=True)
def _own_folder(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def ago(**time: float):
    return timezone.now() - timedelta(**time)


def guest(lesson: Lesson, *, hours: float, **fields) -> Student:
    visitor = people.student(
        lesson.classroom, "Visitor", guest_of=lesson, created_at=ago(hours=hours), **fields
    )
    Attendance.objects.create(
        lesson=lesson,
        student=visitor,
        first_seen_at=ago(hours=hours),
        last_seen_at=ago(hours=hours),
    )
    return visitor


@pytest.mark.parametrize("test", [False, True])
def test_guest_is_forgotten_a_day_after_the_lesson_was_closed(test):
    lesson = people.lesson(state="closed", closed_at=ago(hours=25))
    visitor = guest(lesson, hours=26, test=test)

    assert housekeep().guests == 1

    visitor.refresh_from_db()
    assert (visitor.name, visitor.removed_at is None) == ("", False)


def test_guest_of_today_stays():
    lesson = people.lesson(state="closed", closed_at=ago(hours=1))
    guest(lesson, hours=2)

    assert housekeep() == NOTHING


def test_guest_of_a_lesson_that_nobody_closed_is_forgotten_too():
    guest(people.lesson(state="open"), hours=30)

    assert housekeep().guests == 1


def test_students_of_the_roster_are_no_guests():
    lesson = people.lesson(state="closed", closed_at=ago(days=3))
    student = people.student(lesson.classroom, created_at=ago(days=3))

    housekeep()

    student.refresh_from_db()
    assert student.name == "Amina"


def test_lessons_are_deleted_after_the_time_the_class_keeps_them():
    classroom = people.classroom(keep_days=30)
    student = people.student(classroom)
    old = people.lesson(
        of=classroom, state="closed", created_at=ago(days=31), closed_at=ago(days=31)
    )
    Attendance.objects.create(lesson=old, student=student)
    reopened = people.lesson(
        of=classroom, state="closed", created_at=ago(days=40), closed_at=ago(days=2)
    )
    still_open = people.lesson(of=classroom, state="open", created_at=ago(days=40))

    assert housekeep().results == 1

    assert set(Lesson.objects.all()) == {reopened, still_open}
    student.refresh_from_db()
    assert student.name == "Amina"


def test_student_who_left_long_ago_is_forgotten():
    classroom = people.classroom(keep_days=30)
    gone = people.student(classroom, created_at=ago(days=60), removed_at=ago(days=31))
    people.student(classroom, "Bilal", created_at=ago(days=60), removed_at=ago(days=3))

    assert housekeep().results == 1
    gone.refresh_from_db()
    assert gone.name == ""


def test_old_links_sessions_and_jobs_go_with_their_files():
    invitations.first_link()
    Invitation.objects.update(expires_at=ago(days=31))
    Session.objects.create(session_key="x", session_data="", expire_date=ago(hours=1))
    job = Job.objects.create(
        owner=people.teacher(), kind="x", created_at=ago(days=8), result="a.txt"
    )
    for name in ("a.txt", "stray.txt"):
        (jobs.folder() / name).write_text("x")
        os.utime(jobs.folder() / name, (ago(days=8).timestamp(),) * 2)
    (jobs.folder() / "fresh.txt").write_text("x")

    assert housekeep() == Done(guests=0, results=0, links=1, jobs=1, sessions=1)

    assert [path.name for path in jobs.folder().iterdir()] == ["fresh.txt"]
    assert not Job.objects.filter(pk=job.pk).exists()


@pytest.mark.case("CF-07")
def test_second_run_finds_nothing_to_do():
    lesson = people.lesson(state="closed", closed_at=ago(hours=25))
    guest(lesson, hours=26)
    housekeep()

    assert housekeep() == NOTHING


def test_dry_run_counts_and_changes_nothing(capsys):
    lesson = people.lesson(state="closed", closed_at=ago(hours=25))
    guest(lesson, hours=26)

    call_command("housekeeping", "--dry-run")

    assert capsys.readouterr().out == "guests: 1 due\n"
    assert housekeep().guests == 1
    call_command("housekeeping", "--dry-run")
    assert capsys.readouterr().out == "Nothing is due.\n"


def test_what_other_apps_forget_is_done_and_counted(monkeypatch):
    monkeypatch.setattr(housekeeping, "_others", {})
    asked = []

    def forget(*, dry):
        asked.append(dry)
        return 3

    housekeeping.register("pictures", forget)
    housekeeping.register("imports", lambda *, dry: 0)

    assert housekeeping.housekeep(dry=True).others == {"pictures": 3}
    assert housekeeping.housekeep().others == {"pictures": 3}
    assert asked == [True, False]


@pytest.mark.case("CF-07")
@pytest.mark.django_db(transaction=True)
def test_two_runs_at_once_do_no_harm():
    lesson = people.lesson(state="closed", closed_at=ago(hours=25))
    visitors = [guest(lesson, hours=26) for _number in range(5)]
    stays = people.student(lesson.classroom, "Amina")
    Session.objects.create(session_key="old", session_data="", expire_date=ago(days=1))

    done = at_once(housekeep, housekeep)

    assert [type(one) for one in done] == [Done, Done]
    assert not Student.objects.filter(pk__in=[one.pk for one in visitors]).exclude(name="").exists()
    stays.refresh_from_db()
    assert stays.name == "Amina"
    assert not Session.objects.exists()
    assert housekeep() == NOTHING


@pytest.mark.case("CF-07")
@pytest.mark.django_db(transaction=True)
def test_many_classes_are_kept_while_others_write():
    """What was read is closed before anything is written: SQLite would call the rest "locked"."""
    teacher = people.teacher()
    for number in range(60):
        classroom = people.classroom(owner=teacher, keep_days=30)
        people.student(classroom, f"S{number}", created_at=ago(days=60), removed_at=ago(days=31))

    def elsewhere(execute, sql, *more):
        if sql.startswith("BEGIN"):
            (written,) = at_once(lambda: Teacher.objects.update(language="fr"))
            assert written == 1
        return execute(sql, *more)

    with connection.execute_wrapper(elsewhere):
        assert housekeep().results == 60
