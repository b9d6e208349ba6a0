"""Bringing questions into sets."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.utils import timezone

from classroom.access import TeacherActor
from classroom.errors import NotAllowed, NotThere
from quizzes.formats.question import Picture
from quizzes.models import Question, QuestionSet, QuestionTopic, QuestionVersion
from quizzes.selectors.questions import in_set, newest
from quizzes.services import adding, pacing, question_rows, sets
from quizzes.services.adding import add_questions, copy_questions, replace_questions
from quizzes.services.editing import save_question
from quizzes.services.question_rows import NoPicture, SetFull
from tests.factories import bank, people
from tests.quizzes.formats.samples import SAMPLES

pytestmark = pytest.mark.django_db


def owner_of(question_set):
    return TeacherActor(question_set.owner)


def stems(question_set):
    return [question.stem for question in in_set(question_set)]


def test_every_kind_of_question_comes_back_as_it_was():
    question_set = bank.question_set()

    rows = bank.questions(question_set, *SAMPLES)

    assert newest(Question.objects.filter(set=question_set)) == list(SAMPLES)
    assert [row.kind for row in rows] == [
        "single", "several", "true-false", "short", "numeric", "matching", "ordering",
    ]  # fmt: skip
    assert [row.position for row in rows] == [1, 2, 3, 4, 5, 6, 7]
    assert QuestionVersion.objects.get(question=rows[0]).saved_by == question_set.owner


def test_more_questions_go_to_the_end():
    question_set = bank.question_set()
    bank.questions(question_set, bank.single("One?"), bank.single("Two?"))

    bank.questions(question_set, bank.single("Three?"))

    assert stems(question_set) == ["One?", "Two?", "Three?"]


def test_many_questions_arrive_together_in_their_order(monkeypatch):
    monkeypatch.setattr(pacing, "PIECE", 2)
    question_set = bank.question_set()
    bank.questions(question_set, bank.single("First?"))
    many = [bank.single(f"Question {n}?", topics=("t",)) for n in range(5)]

    rows = bank.questions(question_set, *many)

    assert stems(question_set) == ["First?", *(one.stem for one in many)]
    assert [row.position for row in rows] == [2, 3, 4, 5, 6]
    assert QuestionTopic.objects.filter(question__set=question_set).count() == 5
    assert QuestionSet.objects.get() == question_set


def test_import_that_dies_between_two_pieces_leaves_nothing_in_the_set(monkeypatch):
    monkeypatch.setattr(pacing, "PIECE", 2)
    question_set = bank.question_set()
    monkeypatch.setattr(adding, "land", _die)

    with pytest.raises(RuntimeError):
        bank.questions(question_set, *(bank.single(f"{n}?") for n in range(5)))

    assert stems(question_set) == []
    assert list(QuestionSet.objects.exclude(pk=question_set.pk).values_list("owner")) == [(None,)]


def test_what_a_dead_import_left_is_cleared_by_housekeeping(monkeypatch):
    monkeypatch.setattr(pacing, "PIECE", 2)
    monkeypatch.setattr(adding, "land", _die)
    question_set = bank.question_set()
    with pytest.raises(RuntimeError):
        bank.questions(question_set, *(bank.single(f"{n}?", topics=("a",)) for n in range(5)))

    assert adding.forget_left_over() == 0  # it may be on its way still
    long_ago = timezone.now() - timedelta(hours=2)
    QuestionSet.objects.filter(owner=None).update(archived_at=long_ago)
    assert adding.forget_left_over(dry=True) == 1
    assert adding.forget_left_over() == 1

    assert QuestionSet.objects.get() == question_set
    assert not Question.objects.exists()


def test_what_a_rule_refuses_in_the_end_leaves_nothing(monkeypatch):
    question_set = bank.question_set()

    class Refusing:
        def aside(self, waiting, rows):
            assert waiting.questions.count() == len(rows) == 1

        def together(self, waiting, target):
            raise SetFull

    with pytest.raises(SetFull):
        adding.replace_questions(
            actor=owner_of(question_set),
            set_id=question_set.pk,
            question_ids=[],
            questions=[bank.single()],
            also=Refusing(),
        )

    assert QuestionSet.objects.get() == question_set
    assert not Question.objects.exists()


def test_set_takes_no_more_than_it_holds(monkeypatch):
    monkeypatch.setattr(question_rows, "QUESTIONS_MAX", 2)
    question_set = bank.question_set()
    bank.questions(question_set)

    with pytest.raises(SetFull):
        bank.questions(question_set, bank.single("Two?"), bank.single("Three?"))
    assert stems(question_set) == ["Who votes?"]


@pytest.mark.parametrize("right", ["view", "edit"])
def test_colleague_adds_only_with_the_right_to_change(right):
    question_set = bank.question_set()
    colleague = TeacherActor(bank.shared(question_set, right=right))

    def add():
        add_questions(actor=colleague, set_id=question_set.pk, questions=[bank.single()])

    if right == "edit":
        add()
    else:
        with pytest.raises(NotAllowed):
            add()
    assert question_set.questions.count() == (right == "edit")


@pytest.mark.case("AZ-01")
def test_question_cannot_name_the_picture_of_somebody_else():
    question_set, theirs = bank.question_set(), bank.picture(people.teacher())

    for ref in (theirs.ref, f"{uuid4()}.png", "ballot.png"):
        with pytest.raises(NoPicture):
            bank.questions(question_set, bank.single(picture=Picture(ref=ref)))
    assert stems(question_set) == []


def test_copied_question_is_a_question_of_its_own_and_keeps_its_picture():
    theirs, mine = bank.question_set(site_wide=True), bank.question_set()
    ref = bank.picture(theirs.owner).ref
    (row,) = bank.questions(theirs, bank.single(picture=Picture(ref=ref, alt="A ballot")))

    (copy,) = copy_questions(actor=owner_of(mine), question_ids=[row.pk], to=mine.pk)

    assert (copy.pk != row.pk, newest([copy])) == (True, newest([row]))
    sets.delete_set(actor=owner_of(theirs), set_id=theirs.pk, typed_title=theirs.title)
    assert newest([copy])[0].picture == Picture(ref=ref, alt="A ballot")


def test_replacing_keeps_what_asks_the_same_and_puts_away_what_is_gone():
    question_set = bank.question_set()
    same, changed, gone = bank.questions(
        question_set, bank.single("Same?"), bank.single("Changed?"), bank.single("Gone?")
    )
    better = bank.single("Changed?", explanation="Article 3")

    rows = replace_questions(
        actor=owner_of(question_set),
        set_id=question_set.pk,
        question_ids=[same.pk, changed.pk, gone.pk],
        questions=[bank.single("New?"), better, bank.single("Same?")],
    )

    assert [row.stem for row in rows] == ["New?", "Changed?", "Same?"]
    assert newest(rows_now([same, changed])) == [bank.single("Same?"), better]
    assert [row.number for row in rows_now([same, changed])] == [1, 2]
    assert stems(question_set) == ["Same?", "Changed?", "New?"]
    assert QuestionSet.objects.count() == 1


def test_replacing_reaches_no_question_of_another_set():
    here = bank.question_set()
    (elsewhere,) = bank.questions(bank.question_set(owner=here.owner))

    with pytest.raises(NotThere):
        replace_questions(
            actor=owner_of(here), set_id=here.pk, question_ids=[elsewhere.pk], questions=[]
        )


def test_a_full_set_can_be_replaced_by_as_many(monkeypatch):
    monkeypatch.setattr(question_rows, "QUESTIONS_MAX", 2)
    question_set = bank.question_set()
    rows = bank.questions(question_set, bank.single("One?"), bank.single("Two?"))
    replace = partial(
        replace_questions,
        actor=owner_of(question_set),
        set_id=question_set.pk,
        question_ids=[row.pk for row in rows],
    )

    replace(questions=[bank.single("Two?"), bank.single("Three?")])
    with pytest.raises(SetFull):
        replace(questions=[bank.single(f"{n}?") for n in range(4)])

    assert stems(question_set) == ["Two?", "Three?"]


def test_many_changed_ones_are_replaced_by_new_ones(monkeypatch):
    monkeypatch.setattr(adding, "VERSIONS_MAX", 1)
    question_set = bank.question_set()
    same, *changed = bank.questions(question_set, *(bank.single(f"{n}?") for n in range(3)))
    better = [bank.single(f"{n}?", explanation="Now with a reason.") for n in (1, 2)]

    rows = replace_questions(
        actor=owner_of(question_set),
        set_id=question_set.pk,
        question_ids=[same.pk, *(row.pk for row in changed)],
        questions=[bank.single("0?"), *better],
    )

    assert rows[0] == same
    assert newest(in_set(question_set)) == [bank.single("0?"), *better]
    assert all(row.archived_at for row in rows_now(changed))


def test_question_that_is_saved_while_it_is_replaced_is_looked_at_again(monkeypatch):
    question_set = bank.question_set()
    (row,) = bank.questions(question_set)
    actor = owner_of(question_set)
    theirs, mine = bank.single(explanation="Theirs."), bank.single(explanation="Mine.")
    meanwhile = iter([theirs])
    really = adding.wait_aside

    def overtaken(arriving, *, by):
        for question in meanwhile:
            save_question(actor=actor, question_id=row.pk, question=question, base=1)
        return really(arriving, by=by)

    monkeypatch.setattr(adding, "wait_aside", overtaken)
    replace_questions(actor=actor, set_id=question_set.pk, question_ids=[row.pk], questions=[mine])

    assert [version.value for version in row.versions.order_by("number")] == [
        bank.single(), theirs, mine,
    ]  # fmt: skip
    assert QuestionSet.objects.get() == question_set


def rows_now(rows):
    found = Question.objects.in_bulk([row.pk for row in rows])
    return [found[row.pk] for row in rows]


def _die(*_args):
    raise RuntimeError
