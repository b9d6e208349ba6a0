"""Students in the browser: code, name, waiting page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from classroom.access import TeacherActor
from classroom.models import Attendance, Device, Lesson, Student
from classroom.services import attendance, classrooms, joining, lessons, personal_codes, rosters
from tests.factories import people
from tests.permissions.world import logged_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("one_minute")]


@pytest.fixture
def lesson():
    return people.lesson(of=people.classroom(names=("Amina", "Bilal")))


@pytest.fixture
def amina(lesson):
    return lesson.classroom.students.get(name="Amina")


def session_id(client: Client) -> str | None:
    cookie = client.cookies.get(settings.SESSION_COOKIE_NAME)
    return cookie.value if cookie else None


def show_code(client: Client, lesson: Lesson) -> str:
    return client.post("/join/", {"code": lesson.classroom.code}).headers.get("Location", "")


def tap(client: Client, lesson: Lesson, student: Student, **data):
    return client.post(f"/lessons/{lesson.pk}/join/students/{student.pk}/", data)


def joined(lesson: Lesson, student: Student) -> Client:
    client = Client()
    show_code(client, lesson)
    tap(client, lesson, student)
    return client


def sees(client: Client, lesson: Lesson) -> str:
    answer = client.get(f"/lessons/{lesson.pk}/play/")
    return answer.context["state"] if answer.status_code == 200 else answer.headers["Location"]


@pytest.mark.case("AZ-16")
def test_session_id_is_new_after_the_code_and_after_the_name(client, lesson, amina):
    show_code(client, lesson)
    first = session_id(client)
    tap(client, lesson, amina)
    second = session_id(client)

    assert len({first, second, None}) == 3


@pytest.mark.case("AZ-16")
def test_session_set_by_somebody_else_does_not_become_the_student(lesson, amina):
    attacker, victim = Client(), Client()
    show_code(attacker, lesson)
    victim.cookies[settings.SESSION_COOKIE_NAME] = session_id(attacker)

    show_code(victim, lesson)
    tap(victim, lesson, amina)

    assert sees(victim, lesson) == "in"
    assert sees(attacker, lesson) == "/join/"


def test_name_is_not_taken_without_the_class_code(client, lesson, amina):
    answer = tap(client, lesson, amina)

    assert answer.headers["Location"] == "/join/"
    assert not Attendance.objects.exists()


def test_names_are_not_shown_without_the_class_code(client, lesson):
    assert client.get(f"/lessons/{lesson.pk}/join/").headers["Location"] == "/join/"


@pytest.mark.case("AZ-11")
def test_new_code_shuts_out_who_came_with_the_old_one(client, lesson, amina):
    names = show_code(client, lesson)
    inside = joined(lesson, amina)
    classrooms.rotate_code(
        actor=TeacherActor(lesson.classroom.owner), classroom_id=lesson.classroom_id
    )

    assert client.get(names).headers["Location"] == "/join/"
    assert tap(client, lesson, amina).headers["Location"] == "/join/"
    assert sees(inside, lesson) == "in"


def test_names_are_not_shown_once_the_lesson_is_closed(client, lesson):
    show_code(client, lesson)
    Lesson.objects.update(state="closed")

    assert "Amina" not in client.get(f"/lessons/{lesson.pk}/join/").content.decode()


def test_who_is_not_on_the_list_reads_what_to_do(client, lesson):
    show_code(client, lesson)

    assert "Your name is not here?" in client.get(f"/lessons/{lesson.pk}/join/").content.decode()


@pytest.mark.case("AZ-07")
def test_opening_a_join_link_takes_no_seat(client, lesson, amina):
    show_code(client, lesson)

    answer = client.get(f"/lessons/{lesson.pk}/join/students/{amina.pk}/")

    assert answer.status_code == 405
    assert answer.headers["Allow"] == "POST"
    assert "belongs to a button" in answer.content.decode()
    assert 'href="/join/"' in answer.content.decode()
    assert not Attendance.objects.exists()


def test_wrong_code_is_told_at_the_field(client, lesson):
    answer = client.post("/join/", {"code": "XXXXXX"})

    assert answer.status_code == 422
    assert "This code does not open a lesson now." in answer.content.decode()


def test_class_speaks_its_language_unless_the_student_chose_another(lesson):
    lesson.classroom.language = "fr"
    lesson.classroom.save()
    french, chooser = Client(), Client()
    chooser.post("/i18n/setlang/", {"language": "ar"})

    show_code(french, lesson)
    show_code(chooser, lesson)

    assert french.get("/join/").headers["Content-Language"] == "fr"
    assert chooser.get("/join/").headers["Content-Language"] == "ar"


@pytest.mark.case("AZ-08")
def test_too_many_wrong_codes_are_told(client, lesson):
    codes = [client.post("/join/", {"code": "XXXXXX"}).status_code for _ in range(12)]

    assert codes == [422] * 10 + [429] * 2
    assert show_code(client, lesson)


@pytest.mark.case("AZ-23")
def test_forged_address_does_not_get_round_the_limit(client, lesson):
    codes = [
        client.post(
            "/join/", {"code": "XXXXXX"}, headers={"x-forwarded-for": f"10.0.0.{number}"}
        ).status_code
        for number in range(11)
    ]

    assert codes[-1] == 429


@pytest.mark.case("AZ-12")
def test_class_code_is_in_no_address(client, lesson, amina):
    teacher = logged_in(lesson.classroom.owner)
    code = lesson.classroom.code
    page = teacher.get(f"/lessons/{lesson.pk}/").content.decode()

    assert f"/{code}" not in page
    assert f"={code}" not in page
    assert code not in show_code(client, lesson)
    assert code not in tap(client, lesson, amina).headers["Location"]


def test_second_browser_waits_until_the_teacher_nods(lesson, amina):
    joined(lesson, amina)
    second = joined(lesson, amina)
    assert sees(second, lesson) == "asking"
    teacher = logged_in(lesson.classroom.owner)
    waiting = Device.objects.get(state=Device.State.WAITING)

    roll = teacher.post(
        f"/lessons/{lesson.pk}/devices/{waiting.pk}/",
        {"act": "let-in"},
        headers={"HX-Request": "true"},
    )

    assert sees(second, lesson) == "in"
    assert b"ask for your nod" not in roll.content


@pytest.mark.case("AZ-14")
def test_tapping_a_held_name_again_is_no_nod(lesson, amina):
    joined(lesson, amina)
    thief = joined(lesson, amina)

    tap(thief, lesson, amina)

    assert sees(thief, lesson) == "asking"
    assert "Go in as" not in thief.get(f"/lessons/{lesson.pk}/join/").content.decode()


@pytest.mark.case("AZ-14")
def test_browser_that_was_turned_away_does_not_come_in_by_asking_again(lesson, amina):
    joined(lesson, amina)
    thief = joined(lesson, amina)
    attendance.turn_away(
        actor=TeacherActor(lesson.classroom.owner),
        lesson_id=lesson.pk,
        device_id=Device.objects.get(state=Device.State.WAITING).pk,
    )

    tap(thief, lesson, amina)

    assert sees(thief, lesson) == "asking"


@pytest.mark.case("AZ-14")
def test_name_that_was_only_asked_for_is_not_known_next_week(lesson, amina):
    owner = joined(lesson, amina)
    thief = joined(lesson, amina)
    teacher = TeacherActor(lesson.classroom.owner)
    lessons.close_lesson(actor=teacher, lesson_id=lesson.pk)
    lessons.open_lesson(actor=teacher, lesson_id=lesson.pk)
    tap(owner, lesson, amina)

    show_code(thief, lesson)
    tap(thief, lesson, amina)

    assert sees(owner, lesson) == "in"
    assert sees(thief, lesson) == "asking"


def test_browser_that_was_nodded_in_is_known_next_week(lesson, amina):
    joined(lesson, amina)
    second = joined(lesson, amina)
    teacher = TeacherActor(lesson.classroom.owner)
    waiting = Device.objects.get(state=Device.State.WAITING)
    attendance.let_in(actor=teacher, lesson_id=lesson.pk, device_id=waiting.pk)
    second.post(f"/lessons/{lesson.pk}/here/")
    lessons.close_lesson(actor=teacher, lesson_id=lesson.pk)
    lessons.open_lesson(actor=teacher, lesson_id=lesson.pk)

    page = second.get(show_code(second, lesson)).content.decode()

    assert "Go in as Amina" in page


@pytest.mark.case("AZ-14")
def test_who_tapped_the_wrong_name_cannot_return_beside_its_owner(lesson, amina):
    wrong = joined(lesson, amina)
    attendance.free_name_of(
        actor=TeacherActor(lesson.classroom.owner), lesson_id=lesson.pk, student_id=amina.pk
    )
    owner = joined(lesson, amina)

    tap(wrong, lesson, amina)

    assert sees(owner, lesson) == "in"
    assert sees(wrong, lesson) == "asking"


def test_refresh_finds_the_same_seat(lesson, amina):
    client = joined(lesson, amina)

    assert [sees(client, lesson) for _ in range(2)] == ["in", "in"]
    assert Device.objects.count() == 1


def test_next_tuesday_the_browser_still_knows_the_name(lesson, amina):
    client = joined(lesson, amina)
    teacher = TeacherActor(lesson.classroom.owner)
    lessons.close_lesson(actor=teacher, lesson_id=lesson.pk)
    assert sees(client, lesson) == "closed"
    lessons.open_lesson(actor=teacher, lesson_id=lesson.pk)
    names = f"/lessons/{lesson.pk}/join/"
    assert sees(client, lesson) == names
    assert client.post(f"/lessons/{lesson.pk}/here/").headers["HX-Redirect"] == names

    page = client.get(names).content.decode()
    assert "Go in as Amina" in page
    tap(client, lesson, amina)

    assert sees(client, lesson) == "in"


@pytest.mark.case("AZ-18")
def test_who_was_sent_out_is_shown_no_way_back_when_the_lesson_opens_again(lesson, amina):
    client = joined(lesson, amina)
    teacher = TeacherActor(lesson.classroom.owner)
    attendance.kick_student(actor=teacher, lesson_id=lesson.pk, student_id=amina.pk)
    lessons.close_lesson(actor=teacher, lesson_id=lesson.pk)
    lessons.open_lesson(actor=teacher, lesson_id=lesson.pk)

    assert sees(client, lesson) == "out"


@pytest.mark.case("AZ-18")
def test_kicked_student_is_out_everywhere_and_stays_out(lesson, amina):
    client = joined(lesson, amina)
    attendance.kick_student(
        actor=TeacherActor(lesson.classroom.owner), lesson_id=lesson.pk, student_id=amina.pk
    )

    assert sees(client, lesson) == "sent-out"
    assert client.post(f"/lessons/{lesson.pk}/here/").context["state"] == "sent-out"
    refused = tap(client, lesson, amina)
    assert refused.status_code == 409
    assert "Your teacher sent this device out" in refused.content.decode()
    assert tap(joined(lesson, amina), lesson, amina).status_code == 404


def test_removed_student_is_asked_for_the_class_code(lesson, amina):
    client = joined(lesson, amina)
    rosters.remove_student(actor=TeacherActor(lesson.classroom.owner), student_id=amina.pk)

    assert sees(client, lesson) == "/join/"


def test_student_who_leaves_is_nobody_again(lesson, amina):
    client = joined(lesson, amina)
    before = session_id(client)

    answer = client.post(f"/lessons/{lesson.pk}/leave/")

    assert answer.headers["Clear-Site-Data"] == '"cache"'
    assert sees(client, lesson) == "/join/"
    assert session_id(client) != before
    assert sees(joined(lesson, amina), lesson) == "in"


def test_page_of_a_student_is_kept_by_no_browser(lesson, amina):
    client = joined(lesson, amina)

    assert "no-store" in client.get(f"/lessons/{lesson.pk}/play/").headers["Cache-Control"]


def test_personal_code_is_asked_for_and_told_when_wrong(client, lesson, amina):
    lesson.classroom.personal_codes = True
    lesson.classroom.save()
    _amina, code = personal_codes.make_code(
        actor=TeacherActor(lesson.classroom.owner), student_id=amina.pk
    )
    show_code(client, lesson)

    assert "four letters and numbers" in tap(client, lesson, amina).content.decode()
    wrong = tap(client, lesson, amina, personal_code="XXXX")
    assert (wrong.status_code, "not the code of this name" in wrong.content.decode()) == (422, True)
    assert tap(client, lesson, amina, personal_code=code).status_code == 302
    assert sees(client, lesson) == "in"


@pytest.mark.case("AZ-14")
def test_browser_that_tapped_the_name_before_there_were_codes_is_asked_for_one(lesson, amina):
    intruder = joined(lesson, amina)
    owner = TeacherActor(lesson.classroom.owner)
    lesson.classroom.personal_codes = True
    lesson.classroom.save()
    _amina, code = personal_codes.make_code(actor=owner, student_id=amina.pk)
    assert sees(intruder, lesson) == "in"  # nobody is put out in the middle of a lesson
    again = next_lesson(lesson)

    show_code(intruder, again)
    assert "four letters and numbers" in tap(intruder, again, amina).content.decode()

    assert tap(intruder, again, amina, personal_code=code).status_code == 302


@pytest.mark.case("AZ-14")
def test_code_is_asked_for_again_only_when_it_is_another(client, lesson, amina):
    owner = TeacherActor(lesson.classroom.owner)
    lesson.classroom.personal_codes = True
    lesson.classroom.save()
    _amina, code = personal_codes.make_code(actor=owner, student_id=amina.pk)
    show_code(client, lesson)
    tap(client, lesson, amina, personal_code=code)

    second = next_lesson(lesson)
    assert tap(client, second, amina).status_code == 302
    third = next_lesson(second)
    personal_codes.make_code(actor=owner, student_id=amina.pk)
    show_code(client, third)

    assert "four letters and numbers" in tap(client, third, amina).content.decode()


def next_lesson(lesson):
    """Another open lesson of the class; the one before is closed by it."""
    owner = TeacherActor(lesson.classroom.owner)
    made = lessons.create_lesson(
        actor=owner, classroom_id=lesson.classroom_id, activity_key=lesson.activity
    )
    return lessons.open_lesson(actor=owner, lesson_id=made.pk)


@pytest.mark.case("PV-05")
def test_students_are_asked_for_a_name_and_nothing_else(client, lesson):
    lesson.classroom.guests_allowed = True
    lesson.classroom.save()
    names = client.get(show_code(client, lesson))
    code = client.get("/join/")

    fields = {f.name for page in (names, code) for form in forms(page) for f in form}
    assert fields == {"guest_name", "code"}


def forms(page):
    return [page.context[name] for name in ("form", "guest_form") if name in page.context]


def test_guest_joins_and_is_marked_for_the_teacher(client, lesson):
    lesson.classroom.guests_allowed = True
    lesson.classroom.save()
    show_code(client, lesson)

    client.post(f"/lessons/{lesson.pk}/join/guest/", {"guest_name": "Visitor"})

    assert sees(client, lesson) == "in"
    roll = logged_in(lesson.classroom.owner).get(f"/lessons/{lesson.pk}/roll/").content.decode()
    assert "Guest" in roll


@pytest.mark.case("WS-20")
def test_names_are_text_never_markup(client, lesson):
    rosters.add_student(
        actor=TeacherActor(lesson.classroom.owner),
        classroom_id=lesson.classroom_id,
        name="<b onclick=x>Zoë</b>",
    )

    page = client.get(show_code(client, lesson)).content.decode()

    assert "<b onclick" not in page
    assert "&lt;b onclick=x&gt;Zoë&lt;/b&gt;" in page


def test_teacher_tries_alone_as_test_student(lesson):
    owner = lesson.classroom.owner
    student = joining.make_test_student(
        actor=TeacherActor(owner), lesson_id=lesson.pk, name="Test 1"
    )
    teacher = logged_in(owner)
    address = f"/lessons/{lesson.pk}/play/?as={student.pk}"

    assert teacher.get(address).context["state"] == "in"
    assert logged_in(people.teacher()).get(address).status_code == 404
    Lesson.objects.update(settings={"started": True})
    assert teacher.get(address).headers["Location"] == f"/healthz?as={student.pk}"


def test_window_of_a_test_student_goes_on_when_the_lesson_is_opened_again(lesson):
    owner = TeacherActor(lesson.classroom.owner)
    student = joining.make_test_student(actor=owner, lesson_id=lesson.pk, name="Test 1")
    teacher = logged_in(owner.teacher)
    asked = f"/lessons/{lesson.pk}/here/?as={student.pk}"

    lessons.close_lesson(actor=owner, lesson_id=lesson.pk)
    closed = teacher.post(asked).context["state"]
    lessons.open_lesson(actor=owner, lesson_id=lesson.pk)

    assert (closed, teacher.post(asked).context["state"]) == ("closed", "in")
    roll = teacher.get(f"/lessons/{lesson.pk}/roll/").content.decode()
    assert "Send out of the lesson" in roll
    assert "Free the name" not in roll


# -- when the bell rings ---------------------------------------------------------------------------


def statements(ask: Callable[[], object]) -> int:
    """How often the database was asked; points to fall back to cost next to nothing."""
    with CaptureQueriesContext(connection) as asked:
        ask()
    return sum("SAVEPOINT" not in query["sql"] for query in asked.captured_queries)


@pytest.mark.parametrize("names", [("Amina",), ("Amina", "Bilal", "Chen")])
def test_joining_asks_the_database_little_whatever_the_size_of_the_class(names, client):
    lesson = people.lesson(of=people.classroom(names=names))
    amina = lesson.classroom.students.get(name="Amina")
    page = f"/lessons/{lesson.pk}"

    found = [
        statements(lambda: show_code(client, lesson)),
        statements(lambda: client.get(f"{page}/join/")),
        statements(lambda: tap(client, lesson, amina)),
        statements(lambda: client.get(f"{page}/play/")),
        statements(lambda: client.post(f"{page}/here/", headers={"HX-Request": "true"})),
    ]

    assert found == [2, 3, 10, 4, 4]


def test_names_lead_to_where_a_name_is_taken(client, lesson, amina):
    show_code(client, lesson)

    page = client.get(f"/lessons/{lesson.pk}/join/").content.decode()

    assert f'formaction="{reverse("classroom:take_name", args=[lesson.pk, amina.pk])}"' in page


def asks_at_once(client: Client, lesson: Lesson) -> bool:
    page = client.get(f"/lessons/{lesson.pk}/play/").content.decode()
    return 'hx-trigger="load, moved"' in page


def test_who_has_just_come_in_has_nothing_to_ask(lesson, amina, lanterns):
    lanterns.begun = False

    assert not asks_at_once(joined(lesson, amina), lesson)


def test_waiting_page_asks_at_once_when_it_was_away(lesson, amina, lanterns):
    lanterns.begun = False
    browser = joined(lesson, amina)
    Attendance.objects.update(last_seen_at=timezone.now() - joining.SEEN_EVERY * 2)

    assert asks_at_once(browser, lesson)


def test_waiting_page_asks_at_once_while_the_teacher_has_not_nodded(lesson, amina, lanterns):
    lanterns.begun = False
    joined(lesson, amina)

    assert asks_at_once(joined(lesson, amina), lesson)


def test_waiting_page_asks_at_once_for_a_place_in_what_is_under_way(lesson, amina, lanterns):
    browser = joined(lesson, amina)

    lanterns.begun = True

    assert asks_at_once(browser, lesson)
