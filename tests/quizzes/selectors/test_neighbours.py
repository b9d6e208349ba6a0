"""The list of a set around a question."""

from __future__ import annotations

from uuid import uuid4

import pytest

from classroom.access import TeacherActor
from quizzes.selectors import neighbours as selectors
from quizzes.selectors.neighbours import neighbours
from quizzes.services.arranging import archive_questions
from tests.factories import bank

pytestmark = pytest.mark.django_db


@pytest.fixture
def rows():
    question_set = bank.question_set()
    return bank.questions(question_set, *(bank.single(f"Question {n}?") for n in range(5)))


def test_a_question_knows_the_one_before_and_after(rows, django_assert_num_queries):
    with django_assert_num_queries(1):
        found = neighbours(rows[0].set, rows[1].pk)

    assert (found.number, found.count) == (2, 5)
    assert (found.before, found.after) == (rows[0].pk, rows[2].pk)
    assert [(line.number, line.stem, line.open) for line in found.lines][:2] == [
        (1, "Question 0?", False),
        (2, "Question 1?", True),
    ]


def test_at_the_ends_there_is_one_neighbour(rows):
    first, last = neighbours(rows[0].set, rows[0].pk), neighbours(rows[0].set, rows[4].pk)

    assert (first.before, first.after) == (None, rows[1].pk)
    assert (last.before, last.after) == (rows[3].pk, None)


def test_a_new_question_stands_at_the_end(rows):
    for new in (None, uuid4()):
        found = neighbours(rows[0].set, new)

        assert (found.number, found.count, found.before, found.after) == (6, 5, rows[4].pk, None)


def test_an_empty_set_has_no_neighbours():
    found = neighbours(bank.question_set(), None)

    assert (found.lines, found.number, found.before, found.after) == ((), 1, None, None)


def test_questions_in_the_archive_are_passed_over(rows):
    archive_questions(actor=TeacherActor(rows[0].set.owner), question_ids=[rows[1].pk])

    assert neighbours(rows[0].set, rows[0].pk).after == rows[2].pk


def test_of_a_long_set_those_around_are_listed(rows, monkeypatch):
    monkeypatch.setattr(selectors, "AROUND", 1)

    found = neighbours(rows[0].set, rows[2].pk)

    assert [line.number for line in found.lines] == [2, 3, 4]
    assert found.count == 5
