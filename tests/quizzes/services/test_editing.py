"""Changing what a question says, in versions."""

from __future__ import annotations

from functools import partial

import pytest

from classroom.access import TeacherActor
from classroom.errors import NotThere
from quizzes.access import QuestionArchived
from quizzes.selectors.questions import in_set
from quizzes.services.arranging import archive_questions
from quizzes.services.editing import EditConflict, restore_version, save_question
from tests.factories import bank
from tests.quizzes.formats.samples import SAMPLES

pytestmark = pytest.mark.django_db


def owner_of(question_set):
    return TeacherActor(question_set.owner)


def stems(question_set):
    return [question.stem for question in in_set(question_set)]


def test_saving_makes_a_version_and_the_list_follows():
    question_set = bank.question_set()
    (row,) = bank.questions(question_set, bank.single("Old?", topics=("old",)))
    changed = bank.single("New?", topics=("new",), difficulty=3, language="fr")

    version = save_question(
        actor=owner_of(question_set), question_id=row.pk, question=changed, base=1
    )

    row.refresh_from_db()
    assert (version.number, version.value) == (2, changed)
    assert (row.number, row.stem, row.difficulty, row.language) == (2, "New?", 3, "fr")
    assert [topic.name for topic in row.topics.all()] == ["new"]
    assert [v.value.stem for v in row.versions.order_by("number")] == ["Old?", "New?"]


def test_saving_the_same_makes_no_version():
    question_set = bank.question_set()
    (row,) = bank.questions(question_set, SAMPLES[4])

    version = save_question(
        actor=owner_of(question_set), question_id=row.pk, question=SAMPLES[4], base=1
    )

    assert (version.number, row.versions.count()) == (1, 1)


@pytest.mark.case("CC-08")
def test_second_saver_is_shown_the_version_of_the_first():
    question_set = bank.question_set()
    (row,) = bank.questions(question_set)
    colleague = TeacherActor(bank.shared(question_set, right="edit"))
    save_question(actor=colleague, question_id=row.pk, question=bank.single("Theirs?"), base=1)

    with pytest.raises(EditConflict) as conflict:
        save_question(
            actor=owner_of(question_set), question_id=row.pk, question=bank.single("Mine?"), base=1
        )

    assert conflict.value.theirs.value.stem == "Theirs?"
    assert conflict.value.theirs.saved_by == colleague.teacher
    assert stems(question_set) == ["Theirs?"]
    assert row.versions.count() == 2


def test_old_version_comes_back_as_a_further_one():
    question_set = bank.question_set()
    (row,) = bank.questions(question_set, bank.single("First?"))
    actor = owner_of(question_set)
    save_question(actor=actor, question_id=row.pk, question=bank.single("Second?"), base=1)

    version = restore_version(actor=actor, question_id=row.pk, number=1, base=2)

    assert (version.number, version.value.stem) == (3, "First?")
    with pytest.raises(NotThere):
        restore_version(actor=actor, question_id=row.pk, number=9, base=3)


def test_a_question_in_the_archive_stays_as_it_is():
    question_set = bank.question_set()
    (row,) = bank.questions(question_set)
    actor = owner_of(question_set)
    save = partial(save_question, actor=actor, question_id=row.pk)
    save(question=bank.single("Better?"), base=1)
    archive_questions(actor=actor, question_ids=[row.pk])

    with pytest.raises(QuestionArchived):
        save(question=bank.single("Best?"), base=2)
    with pytest.raises(QuestionArchived):
        restore_version(actor=actor, question_id=row.pk, number=1, base=2)

    assert row.versions.count() == 2
