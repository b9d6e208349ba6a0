"""Names of a class: added, changed, merged, given codes, erased, exported."""

from __future__ import annotations

import json

import pytest
from django.apps import apps
from django.contrib.sessions.models import Session
from django.core.serializers import serialize
from django.test import Client
from django.utils import timezone

from classroom.access import TeacherActor
from classroom.errors import NotAllowed, NotThere
from classroom.models import Attendance, Fact, Student
from classroom.selectors.classrooms import students
from classroom.services import rosters
from classroom.services.classrooms import NameDiffers
from tests.factories import people

pytestmark = pytest.mark.django_db


@pytest.fixture
def classroom():
    return people.classroom(names=("Amina", "Bilal"))


@pytest.fixture
def owner(classroom):
    return TeacherActor(classroom.owner)


def names(classroom) -> list[str]:
    return [student.name for student in students(classroom)]


def test_preview_saves_nothing_and_says_what_saving_does(classroom, owner):
    text = "1. Chiara\nAmina\nDario\nDario\n???"

    before = rosters.preview(actor=owner, classroom_id=classroom.pk, text=text)
    assert names(classroom) == ["Amina", "Bilal"]
    after = rosters.add_students(actor=owner, classroom_id=classroom.pk, text=text)

    assert before == after
    assert names(classroom) == ["Amina", "Bilal", "Chiara", "Dario (1)", "Dario (2)"]


def test_one_name_more_may_be_a_namesake(classroom, owner):
    rosters.add_student(actor=owner, classroom_id=classroom.pk, name="  amina ")

    assert names(classroom) == ["Amina", "amina (2)", "Bilal"]


@pytest.mark.parametrize("name", ["", "--", "x" * 61])
def test_name_that_is_none_is_refused(classroom, owner, name):
    with pytest.raises(rosters.BadName):
        rosters.add_student(actor=owner, classroom_id=classroom.pk, name=name)


def test_renamed_student_keeps_the_own_name_and_yields_to_others(classroom, owner):
    amina = classroom.students.get(name="Amina")

    rosters.rename_student(actor=owner, student_id=amina.pk, name="amina")
    assert names(classroom) == ["amina", "Bilal"]
    rosters.rename_student(actor=owner, student_id=amina.pk, name="Bilal")
    assert names(classroom) == ["Bilal", "Bilal (2)"]


def test_note_is_kept_for_teachers(classroom, owner):
    amina = classroom.students.get(name="Amina")

    rosters.write_note(actor=owner, student_id=amina.pk, note=" sits  in front ")

    amina.refresh_from_db()
    assert amina.note == "sits in front"


def test_removed_student_can_be_brought_back(classroom, owner):
    amina = classroom.students.get(name="Amina")
    proof = amina.proof

    rosters.remove_student(actor=owner, student_id=amina.pk)
    assert names(classroom) == ["Bilal"]
    rosters.add_student(actor=owner, classroom_id=classroom.pk, name="Amina")
    back = rosters.restore_student(actor=owner, classroom_id=classroom.pk, student_id=amina.pk)

    assert names(classroom) == ["Amina", "Amina (2)", "Bilal"]
    assert back.proof != proof


def test_guest_is_kept_as_a_new_name(classroom, owner):
    guest = people.student(classroom, "Amina", guest_of=people.lesson(of=classroom))

    rosters.keep_guest(actor=owner, student_id=guest.pk)

    assert names(classroom) == ["Amina", "Amina (2)", "Bilal"]


def test_removed_and_erased_students_leave_what_goes_on(classroom, owner, lanterns):
    amina, bilal = students(classroom)

    rosters.remove_student(actor=owner, student_id=amina.pk)
    rosters.erase_student(actor=owner, student_id=bilal.pk)

    assert lanterns.heard == [("gone", "Amina"), ("gone", "Bilal")]


def test_guest_is_not_merged_while_the_lesson_is_open(classroom, owner):
    guest = people.student(classroom, "Ami", guest_of=people.lesson(of=classroom))
    amina = classroom.students.get(name="Amina")

    with pytest.raises(rosters.StillPlaying):
        rosters.merge_guest(actor=owner, guest_id=guest.pk, student_id=amina.pk)


def test_merged_guest_gives_everything_to_the_student(classroom, owner, lanterns):
    lesson = people.lesson(of=classroom, state="closed")
    guest = people.student(classroom, "Ami", guest_of=lesson)
    people.joined(lesson, guest)
    fact = Fact.objects.create(
        lesson=lesson, student=guest, source="x", activity="lanterns", kind="knowledge",
        what="answer", value="right", version=1,
    )  # fmt: skip
    amina = classroom.students.get(name="Amina")

    rosters.merge_guest(actor=owner, guest_id=guest.pk, student_id=amina.pk)

    fact.refresh_from_db()
    assert fact.student == amina
    assert Attendance.objects.get().student == amina
    assert lanterns.merged == [("Ami", "Amina")]
    assert not Student.objects.filter(pk=guest.pk).exists()


def test_guest_and_student_of_one_lesson_are_two_people(classroom, owner):
    lesson = people.lesson(of=classroom)
    guest = people.student(classroom, "Ami", guest_of=lesson)
    amina = classroom.students.get(name="Amina")
    people.joined(lesson, guest)
    people.joined(lesson, amina)

    with pytest.raises(rosters.SameStudent):
        rosters.merge_guest(actor=owner, guest_id=guest.pk, student_id=amina.pk)


def test_students_are_not_merged_over_the_border_of_a_class(classroom, owner):
    other = people.classroom(owner=classroom.owner)
    guest = people.student(other, "Ami", guest_of=people.lesson(of=other))
    amina = classroom.students.get(name="Amina")

    with pytest.raises(NotThere):
        rosters.merge_guest(actor=owner, guest_id=guest.pk, student_id=amina.pk)


# -- personal codes --------------------------------------------------------------------------------


def test_codes_are_told_once_and_stored_as_hashes(classroom, owner):
    made = rosters.make_codes(actor=owner, classroom_id=classroom.pk)

    assert [student.name for student, _code in made] == ["Amina", "Bilal"]
    for student, code in made:
        stored = Student.objects.get(pk=student.pk)
        assert rosters.is_code_of(stored, code.lower())
        assert code not in stored.code_hash
    assert made[0][0].code_hash != made[1][0].code_hash


def test_code_of_one_student_is_not_the_code_of_another(classroom, owner):
    (amina, code), (bilal, _other) = rosters.make_codes(actor=owner, classroom_id=classroom.pk)
    bilal.code_hash = amina.code_hash

    assert not rosters.is_code_of(bilal, code)


def test_student_without_a_code_has_none(classroom):
    assert not rosters.is_code_of(classroom.students.first(), "")


# -- erasing and exporting -------------------------------------------------------------------------


def test_erased_student_leaves_results_without_a_name(classroom, owner, lanterns):
    amina = classroom.students.get(name="Amina")
    amina.note = "likes rivers"
    amina.save()
    lesson = people.lesson(of=classroom)
    people.joined(lesson, amina)

    rosters.erase_student(actor=owner, student_id=amina.pk)

    amina.refresh_from_db()
    assert (amina.name, amina.note, amina.code_hash) == ("", "", "")
    assert amina.removed_at is not None
    assert amina.shown == f"Student {amina.pk.hex[:4]}"
    assert Attendance.objects.filter(student=amina).exists()
    assert lanterns.erased == ["Amina"]


@pytest.mark.case("PV-01")
def test_erased_student_is_found_in_no_table(classroom, owner):
    canary = people.student(classroom, "Quetzalcoatlina", note="plays the xylophone")
    _canary, code = rosters.make_code(actor=owner, student_id=canary.pk)
    lesson = people.lesson(of=classroom)
    browser = Client()
    browser.post("/join/", {"code": classroom.code})
    browser.post(f"/lessons/{lesson.pk}/join/students/{canary.pk}/")
    assert "Quetzalcoatlina" in everything()

    rosters.erase_student(actor=owner, student_id=canary.pk)

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

    rosters.erase_removed_student(actor=owner, classroom_id=classroom.pk, student_id=amina.pk)

    amina.refresh_from_db()
    assert amina.name == ""


def test_whole_class_is_made_anonymous(classroom, owner):
    people.student(classroom, "Visitor", guest_of=people.lesson(of=classroom))

    erased = rosters.anonymise_classroom(
        actor=owner, classroom_id=classroom.pk, typed_name=f" {classroom.name} "
    )

    assert erased == 3
    assert set(classroom.students.values_list("name", flat=True)) == {""}


def test_class_is_made_anonymous_only_by_its_name(classroom, owner):
    before = sorted(classroom.students.values_list("name", flat=True))

    with pytest.raises(NameDiffers):
        rosters.anonymise_classroom(
            actor=owner, classroom_id=classroom.pk, typed_name="another class"
        )

    assert sorted(classroom.students.values_list("name", flat=True)) == before


def test_only_the_owner_erases(classroom):
    colleague = TeacherActor(people.co_teacher(classroom))
    amina = classroom.students.get(name="Amina")

    with pytest.raises(NotAllowed):
        rosters.erase_student(actor=colleague, student_id=amina.pk)


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

    data = rosters.export_student(actor=owner, student_id=amina.pk)

    assert (data["name"], data["lessons"][0]["title"]) == ("Amina", "First half")
    assert data["facts"][0]["topic"] == "bribery"
    assert data["activities"] == {"lanterns": {"seats": "1"}}
    text = json.dumps(data, default=str)
    assert "Bilal" not in text
    assert amina.proof.hex not in text.replace("-", "")


def test_every_field_about_a_student_is_in_the_export_or_left_out_on_purpose(classroom, owner):
    exported = rosters.export_student(actor=owner, student_id=classroom.students.first().pk)

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
