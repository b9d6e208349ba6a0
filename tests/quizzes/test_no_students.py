"""The bank knows no students: erasing or merging them, or a whole class, touches no question."""

from __future__ import annotations

import pytest
from django.apps import apps

from classroom.access import TeacherActor
from classroom.models import Student, Teacher
from classroom.services.classrooms import delete_classroom
from classroom.services.personal_data import erase_student
from quizzes.selectors.questions import in_set
from tests.factories import bank, people


def test_no_table_of_the_bank_points_at_anybody_but_teachers():
    pointed_at = {
        field.related_model
        for model in apps.get_app_config("quizzes").get_models()
        for field in model._meta.get_fields()
        if field.is_relation and field.concrete and field.related_model._meta.app_label != "quizzes"
    }

    assert pointed_at == {Teacher}


@pytest.mark.django_db
def test_questions_stay_when_a_student_and_a_class_are_gone():
    classroom = people.classroom(names=("Amina",))
    question_set = bank.question_set(owner=classroom.owner)
    bank.questions(question_set)
    actor = TeacherActor(classroom.owner)

    erase_student(actor=actor, student_id=Student.objects.get().pk)
    delete_classroom(actor=actor, classroom_id=classroom.pk, typed_name=classroom.name)

    assert in_set(question_set).count() == 1
