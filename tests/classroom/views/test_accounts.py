"""Teachers in the browser: links, log-in, log-out."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from django.conf import settings as site
from django.core.management import CommandError, call_command
from django.test import Client

from classroom.access import TeacherActor
from classroom.models import Teacher
from classroom.services import invitations
from tests.factories import people
from tests.factories.people import PASSWORD
from tests.permissions.world import logged_in
from tests.site import ROOT

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


SENSITIVE = [
    ("/accounts/email/", {"email": "thief@elsewhere.example", "action_add": ""}),
    ("/accounts/email/", {"email": "{email}", "action_remove": ""}),
    ("/accounts/2fa/totp/activate/", {"code": "123456"}),
    ("/accounts/2fa/recovery-codes/generate/", {}),
]


@pytest.mark.parametrize(("address", "form"), SENSITIVE)
def test_how_to_log_in_is_changed_only_after_the_password_was_typed_again(client, address, form):
    teacher = people.teacher()
    teacher.emailaddress_set.create(email=teacher.email, primary=True, verified=True)
    log_in(client, teacher)

    form = {key: value.format(email=teacher.email) for key, value in form.items()}
    answer = client.post(address, form)

    assert answer.headers["Location"].startswith("/accounts/reauthenticate/")
    assert list(teacher.emailaddress_set.values_list("email", flat=True)) == [teacher.email]
    assert not teacher.authenticator_set.exists()


def test_new_password_asks_for_the_old_one(client):
    teacher = people.teacher()
    log_in(client, teacher)
    new = {"password1": "calm river stones", "password2": "calm river stones"}

    client.post("/accounts/password/change/", {"oldpassword": "a wrong one", **new})
    assert Teacher.objects.get().check_password(PASSWORD)
    client.post("/accounts/password/change/", {"oldpassword": PASSWORD, **new})
    assert Teacher.objects.get().check_password("calm river stones")


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
    secret = invitations.invite_teacher(actor=administrator)

    answer = client.post(
        f"/accounts/invitation/{secret}/",
        {"name": "Mr Lind", "email": "lind@school.example", "password": "calm river stones"},
    )

    assert answer.headers["Location"] == "/classes/"
    assert "Mr Lind" in client.get("/classes/").content.decode()


@pytest.mark.case("AZ-04")
def test_account_cannot_make_itself_administrator(client):
    secret = invitations.invite_teacher(actor=TeacherActor(people.teacher(is_staff=True)))

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
    secret = invitations.invite_co_teacher(
        actor=TeacherActor(classroom.owner), classroom_id=classroom.pk
    )
    colleague = logged_in(people.teacher())

    assert b"Become co-teacher" in colleague.get(f"/accounts/invitation/{secret}/").content
    answer = colleague.post(f"/accounts/invitation/{secret}/")

    assert answer.headers["Location"] == f"/classes/{classroom.pk}/"
    assert colleague.get(f"/classes/{classroom.pk}/").status_code == 200


def test_new_password_by_the_administrators_link(client):
    teacher = people.teacher()
    secret = invitations.password_link(
        actor=TeacherActor(people.teacher(is_staff=True)), teacher_id=teacher.pk
    )

    weak = client.post(f"/accounts/invitation/{secret}/", {"password": "short"})
    assert weak.status_code == 422
    client.post(f"/accounts/invitation/{secret}/", {"password": "a new calm river"})

    assert log_in(client, teacher, "a new calm river").status_code == 302


def with_second_step() -> Teacher:
    teacher = people.teacher()
    totp.TOTP.activate(teacher, totp.generate_totp_secret())
    RecoveryCodes.activate(teacher)
    return teacher


def test_administrator_helps_who_lost_the_second_step(client):
    teacher, head = with_second_step(), logged_in(people.teacher(is_staff=True))
    there = logged_in(teacher)
    assert log_in(client, teacher).headers["Location"] == "/accounts/2fa/authenticate/"
    assert b"Turn off second step" in head.get("/teachers/").content

    head.post(f"/teachers/{teacher.pk}/", {"act": "second-step"})

    assert not teacher.authenticator_set.exists()
    assert there.get("/classes/").status_code == 302
    assert log_in(Client(), teacher).headers["Location"] == "/classes/"
    assert b"Turn off second step" not in head.get("/teachers/").content


def test_nobody_else_switches_a_second_step_off():
    teacher, administrator = with_second_step(), people.teacher(is_staff=True)
    totp.TOTP.activate(administrator, totp.generate_totp_secret())

    answers = [
        logged_in(who).post(f"/teachers/{whose.pk}/", {"act": "second-step"}).status_code
        for who, whose in [(people.teacher(), teacher), (administrator, administrator)]
    ]

    assert answers == [404, 422]
    assert teacher.authenticator_set.count() == 2
    assert administrator.authenticator_set.count() == 1


def test_only_administrator_gets_in_again_from_the_terminal(capsys, client):
    teacher = with_second_step()

    call_command("reset_link", teacher.email)
    assert teacher.authenticator_set.exists()
    call_command("reset_link", teacher.email, "--second-step")

    client.post(capsys.readouterr().out.split()[-1], {"password": "a new calm river"})
    assert log_in(client, teacher, "a new calm river").headers["Location"] == "/classes/"


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


@pytest.mark.parametrize(
    ("language", "subject", "line"),
    [
        ("en", "A new password for Civic Table", "If it was not you, do nothing"),
        ("fr", "Un nouveau mot de passe pour Civic Table", "Si ce n’était pas vous"),
        ("ar", "كلمة مرور جديدة في Civic Table", "إن لم تكن أنت"),
    ],
)
def test_a_reset_mail_is_written_in_the_language_of_the_page(
    client, mailoutbox, language, subject, line
):
    teacher = people.teacher()
    chosen = {"accept-language": language}

    client.post("/accounts/password/reset/", {"email": teacher.email}, headers=chosen)
    client.post("/accounts/password/reset/", {"email": "nobody@school.example"}, headers=chosen)

    known, unknown = mailoutbox
    assert known.subject == subject
    assert line in known.body
    assert "nobody@school.example" in unknown.body.splitlines()


def test_language_of_an_account_comes_along_to_every_device(client):
    teacher = people.teacher()
    log_in(client, teacher)

    saved = client.post("/accounts/you/", {"name": "Ms Okafor", "language": "ar"}, follow=True)
    other = Client(headers={"accept-language": "fr"})
    before = other.get("/accounts/login/").content.decode()
    log_in(other, teacher)

    assert '<html lang="ar" dir="rtl"' in saved.content.decode()
    assert "حُفظ." in saved.content.decode()
    assert '<html lang="fr"' in before
    assert '<html lang="ar" dir="rtl"' in other.get("/classes/").content.decode()


def test_without_a_language_of_ones_own_each_device_keeps_its_own(client):
    teacher = people.teacher()
    client = Client(headers={"accept-language": "fr"})
    log_in(client, teacher)

    saved = client.post("/accounts/you/", {"name": "Ms Okafor", "language": ""}, follow=True)
    refused = client.post("/accounts/you/", {"name": "Ms Okafor", "language": "xx"})

    assert '<html lang="fr"' in saved.content.decode()
    assert refused.status_code == 422


def test_mail_is_in_the_language_of_the_account(client, mailoutbox):
    teacher = people.teacher()
    client.post("/accounts/password/reset/", {"email": teacher.email})
    teacher.language = "fr"
    teacher.save()

    client.post("/accounts/password/reset/", {"email": teacher.email})

    first, second = mailoutbox
    assert first.subject != second.subject
    assert "mot de passe" in second.subject + second.body


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


@pytest.mark.parametrize(
    ("language", "word"),
    [("en", "E-mail address"), ("fr", "Adresse e-mail"), ("ar", "عنوان البريد الإلكتروني")],
)
@pytest.mark.parametrize("page", ["login", "signup", "password/reset"])
def test_the_address_is_called_the_same_on_all_pages(client, settings, page, language, word):
    settings.SIGNUP = "open"
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language

    form = client.get(f"/accounts/{page}/").context["form"]

    (field,) = [bound for bound in form if bound.name in {"login", "email"}]
    assert str(field.label) == word
    assert "placeholder" not in field.as_widget()


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


def test_account_of_the_school_shows_first_that_the_address_is_its_own(
    client, settings, mailoutbox
):
    settings.SIGNUP = "domain:school.example"
    settings.EMAIL_CONFIGURED = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"  # what production makes of the two

    client.post("/accounts/signup/", NEW)
    assert client.get("/classes/").status_code == 302
    log_in(Client(), Teacher.objects.get(), NEW["password1"])
    assert client.get("/classes/").status_code == 302

    (link,) = re.findall(r"http://testserver(/accounts/confirm-email/\S+)", mailoutbox[0].body)
    client.post(link)
    log_in(client, Teacher.objects.get(), NEW["password1"])
    assert client.get("/classes/").status_code == 200


def test_invited_colleague_shows_first_that_the_typed_address_is_theirs(
    client, settings, mailoutbox
):
    settings.EMAIL_CONFIGURED = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    classroom = people.classroom()
    owner = TeacherActor(classroom.owner)
    secret = invitations.invite_co_teacher(actor=owner, classroom_id=classroom.pk)
    typed = {"name": "Head", "email": "head@school.example", "password": NEW["password1"]}

    page = client.get(f"/accounts/invitation/{secret}/")
    client.post(f"/accounts/invitation/{secret}/", typed)

    made = Teacher.objects.get(email="head@school.example")
    assert "the link in the mail" in page.content.decode()
    assert client.get("/classes/").status_code == 302
    (link,) = re.findall(r"http://testserver(/accounts/confirm-email/\S+)", mailoutbox[0].body)
    client.post(link)
    log_in(client, made, NEW["password1"])
    assert client.get(f"/classes/{classroom.pk}/").status_code == 200


@pytest.mark.parametrize("email", ["", "head@school.example"])
def test_address_from_the_administrator_or_the_terminal_is_taken_as_it_is(client, settings, email):
    settings.EMAIL_CONFIGURED = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    administrator = TeacherActor(people.teacher(is_staff=True))
    secret = invitations.invite_teacher(actor=administrator, email=email) if email else ""
    if not email:
        Teacher.objects.all().delete()
        secret = invitations.first_link() or ""
    typed = {"name": "Head", "email": "head@school.example", "password": NEW["password1"]}

    client.post(f"/accounts/invitation/{secret}/", typed)

    assert client.get("/classes/").status_code == 200


@pytest.mark.parametrize(
    ("signup", "host", "verified"),
    [
        ("invite", "", "none"),
        ("invite", "mail.school.example", "mandatory"),
        ("domain:school.example", "", "none"),
        ("domain:school.example", "mail.school.example", "mandatory"),
        ("open", "mail.school.example", "mandatory"),
    ],
)
def test_address_must_be_shown_to_be_ones_own_where_mail_is_sent(tmp_path, signup, host, verified):
    env = {**os.environ, "CIVIC_DATA": str(tmp_path), "CIVIC_SIGNUP": signup,
           "CIVIC_MAIL_HOST": host}  # fmt: skip
    ask = "from config.settings import production as p; print(p.ACCOUNT_EMAIL_VERIFICATION)"

    asked = subprocess.run(
        [sys.executable, "-c", ask], cwd=ROOT, env=env, capture_output=True, text=True, check=True
    )

    assert asked.stdout.strip() == verified


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
