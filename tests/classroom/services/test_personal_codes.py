"""Codes by which a student alone takes the own name."""

from __future__ import annotations

import pytest

from classroom.models import Student
from classroom.services import personal_codes

pytestmark = pytest.mark.django_db


def test_codes_are_told_once_and_stored_as_hashes(classroom, owner):
    made = personal_codes.make_codes(actor=owner, classroom_id=classroom.pk)

    assert [student.name for student, _code in made] == ["Amina", "Bilal"]
    for student, code in made:
        stored = Student.objects.get(pk=student.pk)
        assert personal_codes.is_code_of(stored, code.lower())
        assert code not in stored.code_hash
    assert made[0][0].code_hash != made[1][0].code_hash


def test_code_of_one_student_is_not_the_code_of_another(classroom, owner):
    (amina, code), (bilal, _other) = personal_codes.make_codes(
        actor=owner, classroom_id=classroom.pk
    )
    bilal.code_hash = amina.code_hash

    assert not personal_codes.is_code_of(bilal, code)


def test_student_without_a_code_has_none(classroom):
    assert not personal_codes.is_code_of(classroom.students.first(), "")
