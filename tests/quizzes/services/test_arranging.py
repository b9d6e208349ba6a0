"""Where questions are: sets, places, the archive."""

from __future__ import annotations

import pytest
from django.utils import timezone

from classroom.access import TeacherActor
from classroom.errors import NotAllowed
from quizzes.access import SetArchived
from quizzes.models import Draft, Question
from quizzes.selectors.questions import in_set
from quizzes.services import sets
from quizzes.services.arranging import (
    archive_questions,
    delete_questions,
    move_questions,
    place_question,
    restore_questions,
)
from quizzes.services.editing import save_question
from quizzes.services.tagging import tag_questions
from tests.factories import bank

pytestmark = pytest.mark.django_db


def owner_of(question_set):
    return TeacherActor(question_set.owner)


def stems(question_set):
    return [question.stem for question in in_set(question_set)]


def test_moved_questions_go_to_the_end_of_the_other_set_with_their_drafts():
    here = bank.question_set()
    there = bank.question_set(owner=here.owner)
    bank.questions(there, bank.single("There?"))
    one, two = bank.questions(here, bank.single("One?"), bank.single("Two?"))
    draft = Draft.objects.create(teacher=here.owner, set=here, question=two, kind="single", base=1)

    moved = move_questions(actor=owner_of(here), question_ids=[two.pk, one.pk], to=there.pk)

    assert moved == 2
    assert (stems(here), stems(there)) == ([], ["There?", "One?", "Two?"])
    draft.refresh_from_db()
    assert draft.set == there


def test_questions_cannot_be_moved_out_of_a_set_that_is_only_seen():
    theirs, mine = bank.question_set(), bank.question_set()
    (row,) = bank.questions(theirs)
    bank.shared(theirs, teacher=mine.owner)

    with pytest.raises(NotAllowed):
        move_questions(actor=owner_of(mine), question_ids=[row.pk], to=mine.pk)
    assert stems(theirs) == ["Who votes?"]


def test_archived_questions_can_be_brought_back_or_deleted():
    question_set = bank.question_set()
    rows = bank.questions(question_set, bank.single("One?"), bank.single("Two?"))
    actor, ids = owner_of(question_set), [row.pk for row in rows]

    assert archive_questions(actor=actor, question_ids=ids) == 2
    assert stems(question_set) == []
    assert restore_questions(actor=actor, question_ids=ids[:1]) == 1
    assert delete_questions(actor=actor, question_ids=ids) == 1
    assert [q.stem for q in Question.objects.all()] == ["One?"]


def test_question_changes_places_with_its_neighbour_and_stops_at_the_ends():
    question_set = bank.question_set()
    one, _two, three = bank.questions(question_set, *(bank.single(s) for s in ("1?", "2?", "3?")))
    actor = owner_of(question_set)

    place_question(actor=actor, question_id=one.pk, step=1)
    place_question(actor=actor, question_id=three.pk, step=1)

    assert stems(question_set) == ["2?", "1?", "3?"]


def test_question_of_two_that_came_at_the_same_moment_changes_places_too():
    question_set = bank.question_set()
    rows = bank.questions(question_set, *(bank.single(s) for s in ("1?", "2?", "3?")))
    Question.objects.filter(set=question_set).update(position=1, created_at=timezone.now())
    before = stems(question_set)
    last = next(row for row in rows if row.stem == before[2])

    place_question(actor=owner_of(question_set), question_id=last.pk, step=-1)

    assert stems(question_set) == [before[0], before[2], before[1]]


def test_nothing_changes_in_a_set_that_was_put_away():
    question_set = bank.question_set()
    (row,) = bank.questions(question_set)
    actor = owner_of(question_set)
    sets.archive_set(actor=actor, set_id=question_set.pk)

    for change in (
        lambda: bank.questions(question_set, bank.single("Two?")),
        lambda: save_question(
            actor=actor, question_id=row.pk, question=bank.single("Other?"), base=1
        ),
        lambda: tag_questions(actor=actor, question_ids=[row.pk], add=["rights"]),
        lambda: archive_questions(actor=actor, question_ids=[row.pk]),
    ):
        with pytest.raises(SetArchived):
            change()
