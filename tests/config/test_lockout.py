"""Guessing passwords is slow; nobody can shut a teacher out of the teacher's own browser."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from axes.models import AccessAttempt
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from classroom.models import Teacher
from classroom.services.housekeeping import housekeep
from classroom.services.invitations import password_link_by_email
from config.lockout import LOGINS

pytestmark = pytest.mark.django_db

EMAIL = "ana@school.example"
PASSWORD = "nine owls at noon"


@pytest.fixture
def teacher() -> Teacher:
    return Teacher.objects.create_user(EMAIL, PASSWORD, name="Ana")


def log_in(client: Client, password: str, *, email: str = EMAIL, address: str = "192.0.2.1"):
    form = {"login": email, "password": password}
    return client.post(reverse("account_login"), form, REMOTE_ADDR=address)


@pytest.mark.case("AZ-21")
def test_ten_wrong_passwords_shut_that_name_at_that_address(teacher, client):
    answers = [log_in(client, f"guess {number}").status_code for number in range(10)]

    refused = log_in(client, PASSWORD)

    assert answers == [200] * 9 + [429]
    assert refused.status_code == 429
    assert "Wait 15 minutes" in refused.content.decode()
    assert log_in(Client(), PASSWORD, address="192.0.2.2").status_code == 302


@pytest.mark.case("AZ-21")
def test_spelling_of_the_address_makes_no_new_tries(teacher, client):
    for number in range(10):
        log_in(client, f"guess {number}", email=[EMAIL, EMAIL.upper(), f" {EMAIL}"][number % 3])

    assert log_in(client, PASSWORD).status_code == 429


@pytest.mark.case("AZ-21")
def test_unknown_name_gets_the_same_answers(teacher):
    known = [log_in(Client(), "wrong") for _ in range(11)]
    unknown = [log_in(Client(), "wrong", email="nobody@school.example") for _ in range(11)]

    assert [answer.status_code for answer in known] == [a.status_code for a in unknown]


@pytest.mark.case("AZ-21")
@pytest.mark.parametrize("email", [EMAIL, "nobody@school.example"])
def test_unknown_name_costs_as_much_time(teacher, email, monkeypatch):
    """Hashing takes nearly all of it: one is made, whether or not there is an account."""
    made = []
    encode = MD5PasswordHasher.encode

    def counted(self, password, salt, *more):
        made.append(password)
        return encode(self, password, salt, *more)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)

    log_in(Client(), "wrong", email=email)

    assert made == ["wrong"]


@pytest.mark.case("AZ-21")
def test_guessing_students_do_not_shut_the_teacher_out(teacher):
    own, classroom = Client(), Client()
    assert log_in(own, PASSWORD).status_code == 302
    own.post(reverse("account_logout"))

    for number in range(10):
        log_in(classroom, f"guess {number}")

    assert log_in(classroom, PASSWORD).status_code == 429
    assert log_in(own, PASSWORD).status_code == 302


@pytest.mark.case("AZ-21")
def test_known_browser_is_limited_too_and_only_for_its_own_name(teacher):
    Teacher.objects.create_user("ben@school.example", PASSWORD, name="Ben")
    own = Client()
    log_in(own, PASSWORD)
    own.post(reverse("account_logout"))

    for number in range(10):
        log_in(own, f"guess {number}")
        log_in(own, f"guess {number}", email="ben@school.example")

    assert log_in(own, PASSWORD).status_code == 429
    assert log_in(Client(), PASSWORD, email="ben@school.example").status_code == 429


@pytest.mark.case("AZ-23")
def test_forged_forwarding_header_makes_no_new_tries(teacher, client):
    for number in range(10):
        form = {"login": EMAIL, "password": f"guess {number}"}
        client.post(reverse("account_login"), form, headers={"X-Forwarded-For": f"10.0.0.{number}"})

    assert log_in(client, PASSWORD, address="127.0.0.1").status_code == 429


@pytest.mark.case("AZ-21")
def test_flood_of_log_ins_is_refused_unhashed_and_keeps_no_teacher_out(teacher, monkeypatch):
    monkeypatch.setattr(time, "time", lambda: 1_800_000_000)
    own = Client()
    log_in(own, PASSWORD)
    own.post(reverse("account_logout"))

    for number in range(LOGINS.limit):
        log_in(Client(), "guess", email=f"nobody{number}@school.example")

    flooded = log_in(Client(), PASSWORD)
    assert flooded.status_code == 200
    assert "Too many failed login attempts" in flooded.content.decode()
    assert log_in(own, PASSWORD).status_code == 302
    assert log_in(Client(), PASSWORD, address="192.0.2.2").status_code == 302


@pytest.mark.case("AZ-21")
def test_codes_of_the_second_step_cannot_be_guessed(teacher, client, monkeypatch):
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)  # a code is right for half a minute
    step = totp.TOTP.activate(teacher, totp.generate_totp_secret())
    right = totp.format_hotp_value(
        totp.hotp_value(step.instance.data["secret"], next(totp.yield_hotp_counters_from_time()))
    )
    wrong = f"{(int(right) + 500_000) % 10**6:06}"
    log_in(client, PASSWORD)

    for _ in range(5):
        client.post(reverse("mfa_authenticate"), {"code": wrong})
    answer = client.post(reverse("mfa_authenticate"), {"code": right})

    assert answer.status_code == 200
    assert "Too many failed login attempts" in answer.content.decode()
    assert client.get("/classes/").status_code == 302
    cache.clear()
    assert client.post(reverse("mfa_authenticate"), {"code": right}).headers["Location"] == (
        "/classes/"
    )
    again = Client()
    log_in(again, PASSWORD)
    assert again.post(reverse("mfa_authenticate"), {"code": right}).status_code == 200  # once


@pytest.mark.case("AZ-21")
def test_link_for_a_new_password_does_not_skip_the_second_step(teacher, client):
    totp.TOTP.activate(teacher, totp.generate_totp_secret())
    secret = password_link_by_email(EMAIL)

    client.post(reverse("classroom:invitation", args=[secret]), {"password": "calm river stones"})
    answer = log_in(client, "calm river stones")

    assert answer.headers["Location"] == reverse("mfa_authenticate")
    assert client.get("/classes/").status_code == 302


@pytest.mark.case("AZ-21")
def test_a_spare_code_works_once(teacher):
    totp.TOTP.activate(teacher, totp.generate_totp_secret())
    spare = RecoveryCodes.activate(teacher).get_unused_codes()[0]

    def try_it() -> str | None:
        client = Client()
        log_in(client, PASSWORD)
        return client.post(reverse("mfa_authenticate"), {"code": spare}).headers.get("Location")

    assert [try_it(), try_it()] == ["/classes/", None]


@pytest.mark.case("PV-04", "PV-07")
def test_wrong_passwords_are_forgotten_after_a_day(client, teacher):
    log_in(client, "a wrong one")
    log_in(client, "another wrong one")
    tries = AccessAttempt.objects.all()
    (known,) = tries
    assert housekeep().others == {}

    tries.update(attempt_time=known.attempt_time - timedelta(hours=25))

    assert housekeep(dry=True).others == {"failed log-ins": 1}
    assert tries.exists()
    assert housekeep().others == {"failed log-ins": 1}
    assert not tries.exists()
