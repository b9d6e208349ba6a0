"""Pages of classes and lessons: what they show and what they ask of the database."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from classroom.access import TeacherActor
from classroom.models import Classroom, Job, Lesson
from classroom.services import attendance, invitations, lessons, personal_codes
from tests.factories import people
from tests.permissions.world import logged_in

pytestmark = pytest.mark.django_db


def fill(classroom: Classroom, rows: int) -> None:
    """``rows`` of everything that a page of the class lists."""
    lesson = people.lesson(of=classroom)
    for number in range(rows):
        student = people.student(classroom, f"Student {classroom.pk} {number}")
        people.joined(lesson, student)
        people.joined(lesson, student, device=f"asks {number}")
        people.student(classroom, f"Missing {number}")
        people.student(classroom, f"Gone {number}", removed_at=timezone.now())
        people.student(classroom, f"Visitor {number}", guest_of=lesson)
        people.co_teacher(classroom)
        people.lesson(of=classroom, state="closed", title=f"Lesson {number}")
        invitations.invite_co_teacher(
            actor=TeacherActor(classroom.owner), classroom_id=classroom.pk
        )
        people.classroom(owner=classroom.owner, name=f"Other {number}")
        people.teacher()


PAGES = [
    "/classes/",
    "/classes/{class}/",
    "/classes/{class}/students/",
    "/classes/{class}/settings/",
    "/classes/{class}/codes/",
    "/lessons/{lesson}/",
    "/lessons/{lesson}/roll/",
    "/teachers/",
]


@pytest.mark.case("LD-08")
@pytest.mark.parametrize("page", PAGES)
def test_page_asks_as_much_for_three_rows_as_for_one(page):
    asked = []
    for rows in (1, 3):
        classroom = people.classroom(owner=people.teacher(is_staff=True))
        fill(classroom, rows)
        client = logged_in(classroom.owner)
        lesson = classroom.lessons.get(state="open")
        address = page.format(**{"class": classroom.pk, "lesson": lesson.pk})
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200
        asked.append(len(queries))

    assert asked[0] == asked[1]
    assert asked[0] <= 14


@pytest.mark.case("LD-08")
def test_join_page_asks_as_much_for_three_names_as_for_one(client):
    asked = []
    for names in (("Ana",), ("Ana", "Bilal", "Chiara")):
        lesson = people.lesson(of=people.classroom(names=names))
        address = client.post("/join/", {"code": lesson.classroom.code}).headers["Location"]
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200
        asked.append(len(queries))

    assert asked[0] == asked[1]


def test_list_shows_ones_own_and_shared_classes_and_no_others():
    teacher = people.teacher()
    people.classroom(owner=teacher, name="7a own")
    shared = people.classroom(name="7b shared")
    shared.co_teacher_rows.create(teacher=teacher)
    people.classroom(name="7c foreign")
    people.classroom(owner=teacher, name="6a old", archived_at=timezone.now())
    client = logged_in(teacher)

    page = client.get("/classes/")
    archive = client.get("/classes/?show=archive")

    assert [c.name for c in page.context["classrooms"]] == ["7a own", "7b shared"]
    assert [c.name for c in archive.context["classrooms"]] == ["6a old"]


def test_wrong_name_deletes_nothing_and_says_so():
    classroom = people.classroom()

    answer = logged_in(classroom.owner).post(f"/classes/{classroom.pk}/delete/", {"name": "7d"})

    assert answer.status_code == 422
    assert "Nothing was deleted." in answer.content.decode()
    assert Classroom.objects.exists()


def test_settings_are_saved():
    classroom = people.classroom()

    logged_in(classroom.owner).post(
        f"/classes/{classroom.pk}/settings/",
        {"guests_allowed": "on", "keep_days": "90", "language": "fr"},
    )

    classroom.refresh_from_db()
    saved = (classroom.guests_allowed, classroom.personal_codes, classroom.keep_days)
    assert (*saved, classroom.language) == (True, False, 90, "fr")


@pytest.mark.case("AZ-04")
def test_fields_that_are_not_in_the_form_are_not_stored():
    classroom, thief = people.classroom(), people.teacher()

    logged_in(classroom.owner).post(
        f"/classes/{classroom.pk}/settings/",
        {"keep_days": "90", "owner": str(thief.pk), "code": "AAAAAA", "archived_at": "2020-01-01"},
    )

    after = Classroom.objects.get()
    assert (after.owner, after.code, after.archived_at) == (classroom.owner, classroom.code, None)


@pytest.mark.parametrize("days", ["10", "9999", "many"])
def test_settings_that_cannot_be_are_told_at_the_field(days):
    classroom = people.classroom()

    answer = logged_in(classroom.owner).post(
        f"/classes/{classroom.pk}/settings/", {"keep_days": days}
    )

    assert answer.status_code == 422
    assert answer.context["form"].errors["keep_days"]


def test_sheet_shows_each_code_once_and_nowhere_else():
    classroom = people.classroom(names=("Amina", "Bilal"), personal_codes=True)
    client = logged_in(classroom.owner)

    sheet = client.post(f"/classes/{classroom.pk}/codes/")

    made = dict(sheet.context["made"])
    for student, code in made.items():
        assert personal_codes.is_code_of(student, code)
        for page in ("", "students/", "codes/"):
            assert f">{code}<" not in client.get(f"/classes/{classroom.pk}/{page}").content.decode()


def test_preview_keeps_the_pasted_text_for_saving():
    classroom = people.classroom()
    client = logged_in(classroom.owner)
    text = "Ana & Co <x>\n\tBilal"

    page = client.post(f"/classes/{classroom.pk}/students/paste/", {"text": text, "act": "preview"})
    again = client.post(f"/classes/{classroom.pk}/students/paste/", {"text": text, "act": "edit"})

    assert "Ana &amp; Co &lt;x&gt;\n\tBilal</textarea>" in page.content.decode()
    assert "Ana &amp; Co &lt;x&gt;\n\tBilal</textarea>" in again.content.decode()
    assert not classroom.students.exists()


def test_lesson_page_shows_who_is_here_asks_and_is_missing():
    lesson = people.lesson(of=people.classroom(names=("Chiara",)))
    amina = people.student(lesson.classroom, "Amina")
    people.joined(lesson, amina)
    bilal = people.student(lesson.classroom, "Bilal")
    owner = TeacherActor(lesson.classroom.owner)
    attendance.tick_present(actor=owner, lesson_id=lesson.pk, student_id=bilal.pk)

    roll = logged_in(lesson.classroom.owner).get(f"/lessons/{lesson.pk}/").context["roll"]

    assert [(p.student.name, p.has_device) for p in roll.here] == [
        ("Amina", True),
        ("Bilal", False),
    ]
    assert [student.name for student in roll.missing] == ["Chiara"]


def test_student_who_was_not_seen_for_a_while_is_shown_as_away():
    lesson = people.lesson()
    student = people.student(lesson.classroom)
    people.joined(lesson, student)
    lesson.attendance.update(last_seen_at=timezone.now() - timedelta(minutes=5))

    roll = logged_in(lesson.classroom.owner).get(f"/lessons/{lesson.pk}/").context["roll"]

    assert roll.here[0].away


def test_job_page_asks_again_until_the_job_has_ended():
    teacher = people.teacher()
    client = logged_in(teacher)
    job = Job.objects.create(owner=teacher, kind="none")
    address = f"/jobs/{job.pk}/"

    waiting = client.get(address, headers={"HX-Request": "true"}).content.decode()
    Job.objects.update(state="failed", message="The deck is empty.")
    failed = client.get(address).content.decode()

    assert 'hx-trigger="every 1s"' in waiting
    assert "<html" not in waiting
    assert "The deck is empty." in failed
    assert "hx-get" not in failed


def test_export_of_a_student_is_a_file():
    classroom = people.classroom(names=("Amina",))
    student = classroom.students.get()

    answer = logged_in(classroom.owner).get(f"/students/{student.pk}/export/")

    assert answer.json()["name"] == "Amina"
    assert answer.headers["Content-Disposition"].startswith("attachment")


@pytest.mark.parametrize("act", ["", "fly"])
def test_act_that_does_not_exist_is_not_there(act):
    lesson = people.lesson()

    answer = logged_in(lesson.classroom.owner).post(f"/lessons/{lesson.pk}/change/", {"act": act})

    assert answer.status_code == 404
    assert Lesson.objects.get().state == "open"


@pytest.mark.parametrize("page", ["play", "story"])
def test_who_is_in_no_lesson_any_more_finds_the_way_back_in(client, page):
    answer = client.get(f"/matches/{uuid4()}/{page}/")

    assert answer.status_code == 404
    assert '<a class="btn" href="/join/">Join again</a>' in answer.content.decode()


def test_teachers_are_not_told_to_join(client):
    client.force_login(people.teacher())

    answer = client.get(f"/matches/{uuid4()}/story/")

    assert answer.status_code == 404
    assert 'href="/join/"' not in answer.content.decode().partition("<main")[2]


def test_a_closed_lesson_says_who_was_there_and_leads_to_its_report():
    lesson = people.lesson()
    people.joined(lesson, people.student(lesson.classroom, "Amina"))
    teacher = TeacherActor(lesson.classroom.owner)
    lessons.close_lesson(actor=teacher, lesson_id=lesson.pk)

    page = logged_in(lesson.classroom.owner).get(f"/lessons/{lesson.pk}/").content.decode()

    assert "1 student was there." in page
    assert "Nobody has joined this lesson." not in page
    assert f'<a class="btn primary" href="/lessons/{lesson.pk}/report/">' in page


@pytest.mark.parametrize(
    ("host", "warned"), [("localhost", True), ("127.0.0.1", True), ("testserver", False)]
)
def test_a_code_that_no_phone_can_use_is_shown_with_a_warning(host, warned):
    lesson = people.lesson()
    client = logged_in(lesson.classroom.owner)

    for address in (f"/lessons/{lesson.pk}/", f"/classes/{lesson.classroom_id}/code/"):
        page = client.get(address, headers={"host": host}).content.decode()
        assert ("Only this computer can open this address." in page) is warned


def test_the_report_leads_back_to_its_lesson():
    lesson = people.lesson()

    page = logged_in(lesson.classroom.owner).get(f"/lessons/{lesson.pk}/report/").content.decode()

    crumbs = page[page.index('class="crumb"') :].split("</nav>")[0]
    assert f'href="/lessons/{lesson.pk}/"' in crumbs
