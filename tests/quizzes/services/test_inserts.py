"""Statements made beforehand are those that Django would make."""

from __future__ import annotations

import pytest
from django.db import connection
from django.utils import timezone

from quizzes.models import Question, QuestionTopic, QuestionVersion
from quizzes.services.inserts import Inserts
from tests.factories import bank


def some_rows():
    """Rows of each table that questions are written to, not saved yet."""
    target, now = bank.question_set(), timezone.now()
    questions = [
        Question(
            set=target,
            position=place,
            kind="single",
            stem=f"{place}?",
            difficulty=2,
            choices=2,
            created_at=now,
            changed_at=now,
        )
        for place in (1, 2)
    ]
    versions = [
        QuestionVersion(question=one, number=1, content={"stem": one.stem}, saved_at=now)
        for one in questions
    ]
    topics = [QuestionTopic(question=one, name="Law", key="law") for one in questions]
    return questions, versions, topics


def insert_all(tables):
    for rows in tables:
        type(rows[0])._default_manager.bulk_create(rows)


def told_to_the_database(act):
    told = []

    def noted(execute, sql, parameters, *more):
        told.append((sql.partition(" RETURNING ")[0], tuple(parameters or ())))
        return execute(sql, parameters, *more)

    with connection.execute_wrapper(noted):
        act()
    return [one for one in told if one[0].startswith("INSERT")]


@pytest.mark.django_db
def test_the_statements_are_those_of_bulk_create():
    tables = some_rows()
    ours = Inserts.of(*tables).statements

    theirs = told_to_the_database(lambda: insert_all(tables))

    assert [(sql, tuple(parameters)) for sql, parameters in ours] == theirs


@pytest.mark.django_db
def test_no_rows_are_no_statement():
    assert told_to_the_database(lambda: Inserts.of([], []).run()) == []
