"""Teachers in the browser: links, log-in, log-out."""

from __future__ import annotations

import re

import pytest
from django.conf import settings as site
from django.core.management import CommandError, call_command
from django.test import Client

from classroom.access import TeacherActor
from classroom.models import Teacher
from classroom.services import teachers
from tests.factories import people
from tests.factories.people import PASSWORD
from tests.permissions.world import logged_in

pytestmark = pytest.mark.django_db


def log_in(client: Client, teacher: Teacher, password: str = PASSWORD):
    return client.post("/accounts/login/", {"login": teacher.email, "password": password})


def session_id(client: Client) -> str:
    return client.cookies[site.SESSION_COOKIE_NAME].value


def test_teacher_logs_in_and_out(client):
    teacher = people.teacher()

    assert log_in(client, teacher).headers["Location"] == "/classes/"
    assert client.get("/classes/").status_code == 200
    client.post("/accounts/logout/")
    assert client.get("/classes/").headers["Location"] == "/accounts/login/?next=/classes/"


@pytest.mark.case("AZ-16")
def test_session_id_is_new_at_login(client):
    lesson = people.lesson()
    client.post("/join/", {"code": lesson.classroom.code})
    before = session_id(client)

    log_in(client, people.teacher())

    assert session_id(client) != before


@pytest.mark.case("AZ-17")
def test_stolen_session_is_dead_after_logout(client):
    log_in(client, people.teacher())
    thief = Client()
    thief.cookies[site.SESSION_COOKIE_NAME] = session_id(client)
    assert thief.get("/classes/").status_code == 200

    client.post("/accounts/logout/")

    assert thief.get("/classes/").status_code == 302


@pytest.mark.case("AZ-17")
def test_logging_out_everywhere_ends_other_browsers(client):
    teacher = people.teacher()
    log_in(client, teacher)
    school_computer = logged_in(teacher)

    answer = client.post("/accounts/you/log-out-everywhere/")

    assert answer.headers["Clear-Site-Data"] == '"cache"'
    assert school_computer.get("/classes/").status_code == 302


@pytest.mark.case("AZ-21")
def test_wrong_password_and_unknown_address_are_answered_alike(client):
    teacher = people.teacher()

    answers = [
        client.post("/accounts/login/", {"login": login, "password": "wrong words here"})
        for login in (teacher.email, "nobody@school.example")
    ]

    told = [list(answer.context["form"].non_field_errors()) for answer in answers]
    assert told[0] == told[1]
    assert told[0]


def test_shut_account_does_not_log_in(client):
    teacher = people.teacher(is_active=False)

    log_in(client, teacher)

    assert client.get("/classes/").status_code == 302


def test_link_makes_the_account_and_logs_in(client):
    administrator = TeacherActor(people.teacher(is_staff=True))
    secret = teachers.invite_teacher(actor=administrator)

    answer = client.post(
        f"/accounts/invitation/{secret}/",
        {"name": "Mr Lind", "email": "lind@school.example", "password": "calm river stones"},
    )

    assert answer.headers["Location"] == "/classes/"
    assert "Mr Lind" in client.get("/classes/").content.decode()


@pytest.mark.case("AZ-04")
def test_account_cannot_make_itself_administrator(client):
    secret = teachers.invite_teacher(actor=TeacherActor(people.teacher(is_staff=True)))

    client.post(
        f"/accounts/invitation/{secret}/",
        {
            "name": "Mr Lind", "email": "lind@school.example", "password": "calm river stones",
            "is_staff": "1", "is_superuser": "1",
        },
    )  # fmt: skip

    made = Teacher.objects.get(email="lind@school.example")
    assert (made.is_staff, made.is_superuser) == (False, False)


@pytest.mark.case("AZ-24")
def test_used_link_is_a_page_that_says_so(client):
    answer = client.get("/accounts/invitation/unknown/")

    assert answer.status_code == 404
    assert "This link does not work any more." in answer.content.decode()


def test_invited_colleague_who_is_logged_in_joins_with_one_tap():
    classroom = people.classroom()
    secret = teachers.invite_co_teacher(
        actor=TeacherActor(classroom.owner), classroom_id=classroom.pk
    )
    colleague = logged_in(people.teacher())

    assert b"Become co-teacher" in colleague.get(f"/accounts/invitation/{secret}/").content
    answer = colleague.post(f"/accounts/invitation/{secret}/")

    assert answer.headers["Location"] == f"/classes/{classroom.pk}/"
    assert colleague.get(f"/classes/{classroom.pk}/").status_code == 200


def test_new_password_by_the_administrators_link(client):
    teacher = people.teacher()
    secret = teachers.password_link(
        actor=TeacherActor(people.teacher(is_staff=True)), teacher_id=teacher.pk
    )

    weak = client.post(f"/accounts/invitation/{secret}/", {"password": "short"})
    assert weak.status_code == 422
    client.post(f"/accounts/invitation/{secret}/", {"password": "a new calm river"})

    assert log_in(client, teacher, "a new calm river").status_code == 302


@pytest.mark.case("AZ-22")
def test_link_in_a_reset_mail_leads_to_this_site_whatever_the_headers_say(client, mailoutbox):
    teacher = people.teacher()

    client.post(
        "/accounts/password/reset/",
        {"email": teacher.email},
        headers={"x-forwarded-host": "evil.example", "forwarded": "host=evil.example"},
    )

    (mail,) = mailoutbox
    link = re.search(r"http\S+", mail.body)
    assert link
    assert link.group(0).startswith("http://testserver/accounts/password/reset/key/")
    assert "evil.example" not in mail.body
    refused = client.post(
        "/accounts/password/reset/", {"email": teacher.email}, headers={"host": "evil.example"}
    )
    assert (refused.status_code, len(mailoutbox)) == (400, 1)


@pytest.mark.case("AZ-21")
def test_reset_page_does_not_tell_who_has_an_account(client, mailoutbox):
    teacher = people.teacher()

    known, unknown = (
        client.post("/accounts/password/reset/", {"email": email})
        for email in (teacher.email, "nobody@school.example")
    )

    assert (known.status_code, known.headers["Location"]) == (
        unknown.status_code,
        unknown.headers["Location"],
    )


def test_forgotten_password_leads_to_mail_only_where_mail_is_sent(client, settings):
    settings.EMAIL_CONFIGURED = False
    assert "reset-link" in client.get("/accounts/forgot/").content.decode()
    settings.EMAIL_CONFIGURED = True
    assert client.get("/accounts/forgot/").headers["Location"] == "/accounts/password/reset/"


# -- signing up ------------------------------------------------------------------------------------


NEW = {"name": "Mr Lind", "email": "lind@school.example",
       "password1": "calm river stones", "password2": "calm river stones"}  # fmt: skip


def test_nobody_signs_up_where_accounts_are_by_invitation(client, settings):
    settings.SIGNUP = "invite"

    assert b"by invitation" in client.get("/accounts/signup/").content
    client.post("/accounts/signup/", NEW)
    assert not Teacher.objects.exists()


def test_anybody_signs_up_where_the_site_is_open(client, settings):
    settings.SIGNUP = "open"

    client.post("/accounts/signup/", NEW)

    made = Teacher.objects.get()
    assert (made.name, made.email, made.is_active, made.is_staff) == (
        "Mr Lind",
        "lind@school.example",
        True,
        False,
    )
    assert client.get("/classes/").status_code == 200


def test_account_of_the_school_waits_for_the_administrator_where_no_mail_is_sent(client, settings):
    settings.SIGNUP = "domain:school.example"

    client.post("/accounts/signup/", NEW)

    assert not Teacher.objects.get().is_active
    assert client.get("/classes/").status_code == 302


@pytest.mark.parametrize("email", ["lind@elsewhere.example", "lind@evil-school.example"])
def test_address_of_another_domain_is_refused(client, settings, email):
    settings.SIGNUP = "domain:school.example"

    answer = client.post("/accounts/signup/", {**NEW, "email": email})

    assert "Use your school address" in answer.content.decode()
    assert not Teacher.objects.exists()


# -- from the terminal -----------------------------------------------------------------------------


def test_first_link_is_printed_until_there_is_an_administrator(capsys, client):
    call_command("first_link")
    path = capsys.readouterr().out.strip()
    assert client.get(path).status_code == 200
    people.teacher(is_staff=True)

    call_command("first_link")

    assert capsys.readouterr().out == ""


def test_reset_link_is_printed_for_a_known_address(capsys, client):
    teacher = people.teacher()

    call_command("reset_link", teacher.email.upper())
    assert client.get(capsys.readouterr().out.strip()).status_code == 200
    with pytest.raises(CommandError, match="No account has this e-mail address"):
        call_command("reset_link", "nobody@school.example")
