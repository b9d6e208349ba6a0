"""Guessing passwords is slow; nobody can shut a teacher out of the teacher's own browser."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from classroom.models import Teacher

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
