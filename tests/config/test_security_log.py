"""Log-ins, changes of rights and refusals each leave one line, with ids and without names."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from django.test import Client

from classroom.access import TeacherActor
from classroom.models import Teacher
from classroom.security_log import Event
from classroom.services import accounts, classrooms, invitations
from tests.factories import people
from tests.factories.people import PASSWORD
from tests.permissions.world import logged_in
from tests.site import ROOT

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = ROOT / "docs" / "reference" / "logs.md"
Said = Callable[[], list[str]]


@pytest.fixture
def said(caplog) -> Said:
    """The lines of the security log since it was asked last."""
    caplog.set_level(logging.INFO, logger="civictable.security")

    def lines() -> list[str]:
        found = [r.getMessage() for r in caplog.records if r.name == "civictable.security"]
        caplog.clear()
        return found

    return lines


def log_in(client: Client, teacher: Teacher, password: str = PASSWORD):
    return client.post("/accounts/login/", {"login": teacher.email, "password": password})


def test_log_in_and_out(client, said):
    teacher = people.teacher()

    log_in(client, teacher, "a wrong one")
    client.post("/accounts/login/", {"login": "my secret", "password": "x"})
    client.post("/accounts/login/", {"login": "nobody@school.example", "password": "x"})
    log_in(client, teacher)
    client.post("/accounts/logout/")

    assert said() == [
        f"login-failed by=nobody-known about=account:{teacher.pk}",
        "login-failed by=nobody-known about=no-account",
        f"logged-in by=account:{teacher.pk}",
        f"logged-out by=account:{teacher.pk}",
    ]


def test_account_that_is_locked(client, said):
    teacher = people.teacher()

    for _ in range(10):
        log_in(client, teacher, "a wrong one")

    assert said()[-1] == f"login-locked by=nobody-known about=account:{teacher.pk}"


def test_new_password_and_new_address(client, said):
    teacher = people.teacher()
    log_in(client, teacher)
    said()

    client.post(
        "/accounts/password/change/",
        {"oldpassword": PASSWORD, "password1": "calm river stones",
         "password2": "calm river stones"},
    )  # fmt: skip
    client.post("/accounts/reauthenticate/", {"password": "calm river stones"})
    client.post("/accounts/email/", {"email": "new@school.example", "action_add": ""})
    secret = invitations.password_link_by_email(teacher.email)
    client.post(f"/accounts/invitation/{secret}/", {"password": "nine owls at noon"})

    assert [line for line in said() if not line.startswith("logged-")] == [
        f"password-changed by=account:{teacher.pk}",
        f"email-changed by=account:{teacher.pk}",
        f"link-made by=terminal about=password:{teacher.pk}",
        f"password-changed by=link about=account:{teacher.pk}",
    ]


def test_second_step(client, said, monkeypatch):
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)  # a code is right for half a minute
    teacher = people.teacher()
    log_in(client, teacher)
    said()
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    client.get("/accounts/2fa/totp/activate/")
    secret = client.session[totp.SECRET_SESSION_KEY]
    counter = next(totp.yield_hotp_counters_from_time())
    code = totp.format_hotp_value(totp.hotp_value(secret, counter))

    client.post("/accounts/2fa/totp/activate/", {"code": code})
    client.post("/accounts/logout/")
    log_in(client, teacher)
    client.post("/accounts/2fa/authenticate/", {"code": "000000"})
    spare = RecoveryCodes(teacher.authenticator_set.get(type="recovery_codes")).get_unused_codes()
    client.post("/accounts/2fa/authenticate/", {"code": spare[0]})
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    client.post("/accounts/2fa/totp/deactivate/")

    me = f"by=account:{teacher.pk}"
    assert said() == [
        f"second-step-on {me}",
        f"recovery-codes-made {me}",
        f"logged-out {me}",
        "second-step-failed " + me,
        f"recovery-code-used {me}",
        f"logged-in {me}",
        f"second-step-off {me}",
    ]


def test_what_administrators_do_to_accounts(said):
    head, teacher = people.teacher(is_staff=True), people.teacher()
    actor = TeacherActor(head)

    accounts.set_active(actor=actor, teacher_id=teacher.pk, active=False)
    accounts.set_active(actor=actor, teacher_id=teacher.pk, active=True)
    accounts.set_administrator(actor=actor, teacher_id=teacher.pk, administrator=True)
    invitations.invite_teacher(actor=actor, email="new@school.example")

    assert said() == [
        f"account-shut by=account:{head.pk} about=account:{teacher.pk}",
        f"account-opened by=account:{head.pk} about=account:{teacher.pk}",
        f"administrator-made by=account:{head.pk} about=account:{teacher.pk}",
        f"link-made by=account:{head.pk} about=teacher",
    ]


def test_what_happens_to_a_class_and_its_children(said):
    classroom = people.classroom(names=("Amina",))
    owner, colleague = classroom.owner, people.co_teacher(classroom)
    student = classroom.students.get()

    logged_in(owner).get(f"/students/{student.pk}/export/")
    logged_in(owner).post(f"/students/{student.pk}/erase/")
    classrooms.remove_co_teacher(
        actor=TeacherActor(owner), classroom_id=classroom.pk, teacher_id=colleague.pk
    )
    classrooms.delete_classroom(
        actor=TeacherActor(owner), classroom_id=classroom.pk, typed_name=classroom.name
    )

    by = f"by=account:{owner.pk} about=class:{classroom.pk}"
    assert said() == [
        f"student-exported {by}",
        f"student-erased {by}",
        f"co-teacher-gone {by}:account:{colleague.pk}",
        f"class-deleted {by}",
    ]


def test_refusals_say_who_was_refused_what(client, said):
    classroom, stranger = people.classroom(), people.teacher()
    path = f"/classes/{classroom.pk}/"
    colleague = logged_in(people.co_teacher(classroom))

    logged_in(stranger).get(path)
    colleague.post(f"{path}rotate/")
    client.get("/accounts/invitation/a-secret-of-a-link/")
    Client(enforce_csrf_checks=True).post("/join/", {"code": "KFR7WM"})

    lines = said()
    assert lines[0] == f"refused by=account:{stranger.pk} about=GET:{path}"
    assert re.fullmatch(rf"refused by=account:\S+ about=POST:{path}rotate/", lines[1])
    assert lines[2:] == ["forged-form by=nobody-known about=POST:/join/"]


def test_what_was_undone_is_not_written_down(said):
    classroom = people.classroom()

    with pytest.raises(classrooms.NameDiffers):
        classrooms.delete_classroom(
            actor=TeacherActor(classroom.owner), classroom_id=classroom.pk, typed_name="another"
        )

    assert said() == []


def test_page_about_logs_names_every_event_and_no_other():
    table = PAGE.read_text(encoding="utf-8").partition("| event | when |")[2]
    cells = [line.split("|")[1] for line in table.splitlines()[2:]]
    named = {word for cell in cells for word in re.findall(r"`([a-z-]+)`", cell)}

    assert named == {event.value for event in Event}
