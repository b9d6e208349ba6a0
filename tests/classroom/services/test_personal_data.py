"""What is known of a student: forgotten, or handed out."""

from __future__ import annotations

import json

import pytest
from django.apps import apps
from django.contrib.sessions.models import Session
from django.core.serializers import serialize
from django.test import Client
from django.utils import timezone

from classroom.access import TeacherActor
from classroom.errors import NotAllowed
from classroom.models import Attendance, Fact, Student
from classroom.services import personal_codes, personal_data, rosters
from classroom.services.classrooms import NameDiffers
from tests.factories import people

pytestmark = pytest.mark.django_db


def test_erased_student_leaves_results_without_a_name(classroom, owner, lanterns):
    amina = classroom.students.get(name="Amina")
    amina.note = "likes rivers"
    amina.save()
    lesson = people.lesson(of=classroom)
    people.joined(lesson, amina)

    personal_data.erase_student(actor=owner, student_id=amina.pk)

    amina.refresh_from_db()
    assert (amina.name, amina.note, amina.code_hash) == ("", "", "")
    assert amina.removed_at is not None
    assert amina.shown == f"Student {amina.pk.hex[:4]}"
    assert Attendance.objects.filter(student=amina).exists()
    assert lanterns.erased == ["Amina"]


@pytest.mark.case("PV-01")
def test_erased_student_is_found_in_no_table(classroom, owner):
    canary = people.student(classroom, "Quetzalcoatlina", note="plays the xylophone")
    _canary, code = personal_codes.make_code(actor=owner, student_id=canary.pk)
    lesson = people.lesson(of=classroom)
    browser = Client()
    browser.post("/join/", {"code": classroom.code})
    browser.post(f"/lessons/{lesson.pk}/join/students/{canary.pk}/")
    assert "Quetzalcoatlina" in everything()

    personal_data.erase_student(actor=owner, student_id=canary.pk)

    for word in ("Quetzalcoatlina", "xylophone", code):
        assert word not in everything()


def everything() -> str:
    """All rows of all tables, sessions decoded."""
    rows = [serialize("json", model.objects.all()) for model in apps.get_models()]
    sessions = [str(session.get_decoded()) for session in Session.objects.all()]
    return "".join(rows + sessions)


def test_removed_student_can_still_be_erased(classroom, owner):
    amina = classroom.students.get(name="Amina")
    rosters.remove_student(actor=owner, student_id=amina.pk)

    personal_data.erase_removed_student(actor=owner, classroom_id=classroom.pk, student_id=amina.pk)

    amina.refresh_from_db()
    assert amina.name == ""


def test_whole_class_is_made_anonymous(classroom, owner):
    people.student(classroom, "Visitor", guest_of=people.lesson(of=classroom))

    erased = personal_data.anonymise_classroom(
        actor=owner, classroom_id=classroom.pk, typed_name=f" {classroom.name} "
    )

    assert erased == 3
    assert set(classroom.students.values_list("name", flat=True)) == {""}


def test_class_is_made_anonymous_only_by_its_name(classroom, owner):
    before = sorted(classroom.students.values_list("name", flat=True))

    with pytest.raises(NameDiffers):
        personal_data.anonymise_classroom(
            actor=owner, classroom_id=classroom.pk, typed_name="another class"
        )

    assert sorted(classroom.students.values_list("name", flat=True)) == before


def test_only_the_owner_erases(classroom):
    colleague = TeacherActor(people.co_teacher(classroom))
    amina = classroom.students.get(name="Amina")

    with pytest.raises(NotAllowed):
        personal_data.erase_student(actor=colleague, student_id=amina.pk)


@pytest.mark.case("PV-03")
def test_export_holds_all_of_one_student_and_nobody_else(classroom, owner):
    amina = classroom.students.get(name="Amina")
    lesson = people.lesson(of=classroom, title="First half")
    people.joined(lesson, amina)
    people.joined(lesson, classroom.students.get(name="Bilal"))
    Fact.objects.create(
        lesson=lesson, student=amina, source="x", activity="lanterns", kind="knowledge",
        what="answer", topic="bribery", value="right", version=1,
    )  # fmt: skip

    data = personal_data.export_student(actor=owner, student_id=amina.pk)

    assert (data["name"], data["lessons"][0]["title"]) == ("Amina", "First half")
    assert data["facts"][0]["topic"] == "bribery"
    assert data["activities"] == {"lanterns": {"seats": "1"}}
    text = json.dumps(data, default=str)
    assert "Bilal" not in text
    assert amina.proof.hex not in text.replace("-", "")


def test_every_field_about_a_student_is_in_the_export_or_left_out_on_purpose(classroom, owner):
    exported = personal_data.export_student(actor=owner, student_id=classroom.students.first().pk)

    inventory = {
        "id": None,  # a random number, of this site alone
        "classroom": "class",
        "name": "name",
        "note": "note",
        "code_hash": "has_personal_code",
        "code_misses": None,  # a lock, no fact about the student
        "proof": None,  # a secret of the sessions
        "guest_of": "guest",
        "test": None,  # test students are nobody
        "created_at": "added_at",
        "removed_at": None,  # only students who are there are exported
    }
    assert {field.name for field in Student._meta.concrete_fields} == set(inventory)
    assert set(filter(None, inventory.values())) <= set(exported)
    assert timezone.now().isoformat() > str(exported["added_at"])
