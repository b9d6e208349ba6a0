"""Passwords that students or thieves would try first are refused, others are taken as typed."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ImproperlyConfigured, ValidationError

from classroom.models import Teacher
from classroom.passwords import WORDS
from config import env
from tests.factories import people

pytestmark = pytest.mark.django_db


def refusals(password: str, user: Teacher | None = None) -> set[str]:
    """The codes with which a password is refused."""
    try:
        validate_password(password, user)
    except ValidationError as refused:
        return {error.code for error in refused.error_list}
    return set()


@pytest.mark.parametrize(
    "password",
    [
        *("CivicTable2026!", "corruption", "Teacher-1234", "cl@ssroom7", "Schule2026"),
        *("École2025", "professeur!!!", "مدرستي123", "schoolschool", "TABLE-games-abc"),
    ],
)
def test_password_of_school_words_is_refused(password):
    assert "password_of_school_words" in refusals(password)


@pytest.mark.parametrize(
    "password",
    [
        *("calm river stones", "nine owls at noon", "the corrupt mayor table", "vT9#kq2!Lx"),
        *(
            "ثلاث بومات عند الظهر",
            "  blanks around it  ",
            "🐟🐟 nine grey fish 🐟",
            "Ünïcödé ströng",
        ),
    ],
)
def test_other_passwords_are_taken(password):
    assert refusals(password) == set()


def test_names_of_the_site_and_of_ones_own_classes_are_no_password(settings):
    settings.SITE_URL = "https://play.riverside.example"
    teacher, colleague = people.teacher(name="Ana Lindqvist"), people.teacher()
    classroom = people.classroom(owner=teacher, name="8b Butterflies")
    classroom.co_teachers.add(colleague)

    refused = {"password_of_school_words"}
    assert refusals("riverside-2026") == refused
    assert refusals("Butterflies8b") == set()
    for password in ("riverside-2026", "Butterflies8b", "Butterflies Riverside 1"):
        assert refusals(password, teacher) == refused
    assert refusals("Butterflies8b", colleague) == {"password_of_school_words"}
    assert "password_of_school_words" in refusals("lindqvist.1984", teacher)


def test_words_stand_there_as_passwords_are_read():
    assert [word for word in WORDS if word != word.casefold() or len(word) < 3] == []


def digests(*passwords: str) -> list[str]:
    return sorted(hashlib.sha1(word.encode()).hexdigest().upper() for word in passwords)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("many", [1, 2, 3, 1000])
def test_stolen_passwords_are_refused_and_no_others(settings, tmp_path, many, end):
    stolen = [f"calm river stones {number}" for number in range(many)]
    path = tmp_path / "stolen.txt"
    counted = [f"{digest}:{place * 37}" for place, digest in enumerate(digests(*stolen))]
    path.write_text(end.join(counted) + end, newline="")
    settings.STOLEN_PASSWORDS = path

    assert {frozenset(refusals(password)) for password in stolen} == {
        frozenset({"password_stolen"})
    }
    assert [refusals(f"nine owls at noon {number}") for number in range(50)] == [set()] * 50


def test_nothing_is_refused_without_a_list(settings):
    assert settings.STOLEN_PASSWORDS is None
    assert refusals("calm river stones") == set()


def test_list_that_is_none_stops_the_start_with_a_sentence(tmp_path, monkeypatch):
    def asked(path: Path) -> Path | None:
        monkeypatch.setenv("CIVIC_STOLEN_PASSWORDS", str(path))
        return env.sorted_digests("CIVIC_STOLEN_PASSWORDS")

    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text("0000000A0E3B9F25FF41DE4B5AC238C2D545C7A8:15\n")
    bad.write_text("password\n")

    assert asked(good) == good
    with pytest.raises(ImproperlyConfigured, match="is no list of SHA-1 digests"):
        asked(bad)
    with pytest.raises(ImproperlyConfigured, match="cannot be read"):
        asked(tmp_path / "nowhere.txt")


def test_password_of_128_signs_and_more_is_taken_whole(client):
    long = "nine owls at noon, " * 10
    teacher = people.teacher()
    teacher.set_password(long)
    teacher.save()

    client.post("/accounts/login/", {"login": teacher.email, "password": long[:128]})
    assert client.get("/classes/").status_code == 302
    client.post("/accounts/login/", {"login": teacher.email, "password": long})
    assert client.get("/classes/").status_code == 200


@pytest.mark.case("WS-09")
def test_password_of_nothing_but_marks_is_judged_in_no_time():
    began = time.process_time()

    refusals("A" + "\u0323\u0301" * 8_000)

    assert time.process_time() - began < 2  # with the square of its length: 10 seconds
