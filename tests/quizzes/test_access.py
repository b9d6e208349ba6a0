"""Who reaches which set."""

from __future__ import annotations

from uuid import uuid4

import pytest

from classroom.access import Anonymous, PublicScreen, StudentActor, TeacherActor
from classroom.errors import NotAllowed, NotThere
from classroom.models import Teacher
from quizzes.access import (
    SetArchived,
    access_question,
    access_questions,
    access_set,
    changeable_sets_of,
    pictures_of,
    right_to,
    sets_of,
)
from quizzes.formats.question import Picture
from quizzes.services.sets import archive_set
from tests.factories import bank, people

pytestmark = pytest.mark.django_db

RIGHTS = ("view", "edit", "own")


def reaches(teacher, question_set):
    """What a teacher is let do with a set."""
    allowed = []
    for right in RIGHTS:
        try:
            access_set(TeacherActor(teacher), question_set.pk, to=right)
        except (NotThere, NotAllowed):
            continue
        allowed.append(right)
    return tuple(allowed)


@pytest.mark.case("AZ-01")
def test_set_is_as_open_as_its_owner_made_it():
    question_set = bank.question_set()

    reached = {
        "owner": reaches(question_set.owner, question_set),
        "editor": reaches(bank.shared(question_set, right="edit"), question_set),
        "viewer": reaches(bank.shared(question_set), question_set),
        "stranger": reaches(people.teacher(), question_set),
        "administrator": reaches(people.teacher(is_staff=True), question_set),
    }

    assert reached == {
        "owner": ("view", "edit", "own"),
        "editor": ("view", "edit"),
        "viewer": ("view",),
        "stranger": (),
        "administrator": (),
    }


def test_site_wide_and_built_in_sets_may_be_seen_by_every_teacher():
    sets = [bank.question_set(site_wide=True, credit="Ms Okafor"), bank.built_in_set()]

    assert [reaches(people.teacher(), one) for one in sets] == [("view",), ("view",)]


def test_set_put_away_is_open_to_those_it_was_shared_with_and_stays_as_it_is():
    question_set = bank.question_set(site_wide=True)
    editor = bank.shared(question_set, right="edit")
    archive_set(actor=TeacherActor(question_set.owner), set_id=question_set.pk)

    with pytest.raises(SetArchived):
        access_set(TeacherActor(editor), question_set.pk, to="edit")
    assert reaches(people.teacher(), question_set) == ()
    assert not changeable_sets_of(question_set.owner).exists()


@pytest.mark.case("AZ-03")
def test_absent_and_foreign_sets_and_questions_look_the_same():
    (question,) = bank.questions(bank.question_set())
    stranger = TeacherActor(people.teacher())

    for ask, ids in (
        (access_set, (question.set_id, uuid4())),
        (access_question, (question.pk, uuid4())),
    ):
        for each in ids:
            with pytest.raises(NotThere):
                ask(stranger, each)


@pytest.mark.case("HD-05")
def test_nobody_but_teachers_reaches_the_bank():
    question_set = bank.question_set(site_wide=True)
    (question,) = bank.questions(question_set)
    lesson = people.lesson()
    student = people.joined(lesson, people.student(lesson.classroom))

    for actor in (student, StudentActor(student.student, lesson.classroom), PublicScreen(lesson),
                  Anonymous()):  # fmt: skip
        for right in RIGHTS:
            with pytest.raises(NotThere):
                access_set(actor, question_set.pk, to=right)
            with pytest.raises(NotThere):
                access_questions(actor, [question.pk], to=right)


@pytest.mark.case("AZ-08")
def test_account_that_was_shut_reaches_nothing_any_more():
    question_set = bank.question_set()
    actor = TeacherActor(question_set.owner)
    Teacher.objects.filter(pk=question_set.owner.pk).update(is_active=False)

    assert not sets_of(actor.teacher).exists()
    assert not changeable_sets_of(actor.teacher).exists()
    with pytest.raises(NotThere):
        access_set(actor, question_set.pk)


def test_one_foreign_question_among_many_refuses_all():
    mine, theirs = bank.question_set(), bank.question_set()
    wanted = [bank.questions(one)[0].pk for one in (mine, theirs)]

    with pytest.raises(NotThere):
        access_questions(TeacherActor(mine.owner), wanted)


def test_questions_come_once_with_set_and_right():
    question_set = bank.question_set()
    made = bank.questions(question_set, bank.single("One?"), bank.single("Two?"))
    reader = TeacherActor(bank.shared(question_set))

    found = access_questions(reader, [made[1].pk, made[0].pk, made[1].pk])

    assert found == made
    assert {right_to(question.set) for question in found} == {"view"}


def test_picture_may_be_seen_by_whoever_may_see_a_question_with_it():
    question_set = bank.question_set()
    picture = bank.picture(question_set.owner)
    reader, stranger = bank.shared(question_set), people.teacher()
    seen_before = pictures_of(reader).exists()

    bank.questions(question_set, bank.single(picture=Picture(ref=picture.ref, alt="A ballot")))

    assert not seen_before
    assert list(pictures_of(question_set.owner)) == [picture]
    assert list(pictures_of(reader)) == [picture]
    assert not pictures_of(stranger).exists()
