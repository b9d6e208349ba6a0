"""Topics of many questions at once."""

from __future__ import annotations

import pytest

from classroom.access import TeacherActor
from quizzes.models import Question, QuestionVersion
from quizzes.selectors.questions import newest
from quizzes.services import pacing, tagging
from quizzes.services.editing import save_question
from quizzes.services.tagging import BadTopic, TooManyTopics, tag_questions
from tests.factories import bank

pytestmark = pytest.mark.django_db


def owner_of(question_set):
    return TeacherActor(question_set.owner)


def test_topics_are_added_and_taken_away_in_new_versions():
    question_set = bank.question_set()
    rows = bank.questions(
        question_set,
        bank.single("One?", topics=("Élections",)),
        bank.single("Two?", topics=("tax",)),
    )

    changed = tag_questions(
        actor=owner_of(question_set),
        question_ids=[row.pk for row in rows],
        add=["elections", "rights"],
        remove=["Tax"],
    )

    assert changed == 2
    assert [one.topics for one in newest(rows_now(rows))] == [
        ("Élections", "rights"),
        ("elections", "rights"),
    ]
    assert [row.number for row in rows_now(rows)] == [2, 2]


def test_question_that_is_saved_while_many_are_tagged_keeps_both_changes(monkeypatch):
    question_set = bank.question_set()
    rows = bank.questions(question_set, bank.single("One?"), bank.single("Two?"))
    actor = owner_of(question_set)
    read = tagging.newest_versions
    meanwhile = iter([bank.single("Changed?")])

    def read_then_be_overtaken(questions):
        versions = read(questions)
        if question := next(meanwhile, None):
            save_question(actor=actor, question_id=rows[1].pk, question=question, base=1)
        return versions

    monkeypatch.setattr(tagging, "newest_versions", read_then_be_overtaken)

    changed = tag_questions(actor=actor, question_ids=[row.pk for row in rows], add=["rights"])

    assert changed == 2
    assert [(one.stem, one.topics) for one in newest(rows_now(rows))] == [
        ("One?", ("rights",)),
        ("Changed?", ("rights",)),
    ]
    assert [row.number for row in rows_now(rows)] == [2, 3]


def test_many_questions_are_tagged_in_few_statements(django_assert_max_num_queries):
    question_set = bank.question_set()
    one_piece = (bank.single(f"{n}?", topics=("t",)) for n in range(pacing.PIECE))
    rows = bank.questions(question_set, *one_piece)

    with django_assert_max_num_queries(16):
        tag_questions(
            actor=owner_of(question_set), question_ids=[row.pk for row in rows], add=["rights"]
        )

    assert {row.number for row in rows_now(rows)} == {2}


def test_tagging_twice_changes_nothing_the_second_time():
    question_set = bank.question_set()
    (row,) = bank.questions(question_set)

    changed = [
        tag_questions(actor=owner_of(question_set), question_ids=[row.pk], add=["rights"])
        for _time in range(2)
    ]

    assert changed == [1, 0]


@pytest.mark.parametrize(
    ("topics", "refusal"),
    [(["a,b"], BadTopic), ([" "], BadTopic), ([str(n) for n in range(21)], TooManyTopics)],
)
def test_topic_that_does_not_fit_changes_nothing(topics, refusal):
    question_set = bank.question_set()
    rows = bank.questions(question_set, bank.single("One?"), bank.single("Two?"))

    with pytest.raises(refusal):
        tag_questions(
            actor=owner_of(question_set), question_ids=[row.pk for row in rows], add=topics
        )
    assert QuestionVersion.objects.filter(number=2).count() == 0


def rows_now(rows):
    found = Question.objects.in_bulk([row.pk for row in rows])
    return [found[row.pk] for row in rows]
