"""What migrations do to questions that are there."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps

from quizzes.folding import fold
from quizzes.models import ImportDraft, QuestionTopic, QuestionVersion
from quizzes.selectors.questions import newest
from tests.factories import bank, people

pytestmark = pytest.mark.django_db

part_topics = import_module("quizzes.migrations.0005_part_topics").part


def test_topics_with_an_arabic_comma_become_several():
    (row,) = bank.questions(bank.question_set(), bank.single(topics=("b", "c")))
    version = QuestionVersion.objects.get()
    version.content["topics"] = ["أ، b", "b", "c"]
    version.save()
    waiting = ImportDraft(owner=people.teacher(), sha256="0" * 64)
    waiting.rows = [{"question": {"topics": ["أ؛ب"]}}, {"problem": {}}]
    waiting.save()

    part_topics(apps, None)

    assert newest([row])[0].topics == ("أ", "b", "c")
    assert set(QuestionTopic.objects.values_list("name", "key")) == {
        (name, fold(name)) for name in ("أ", "b", "c")
    }
    assert not ImportDraft.objects.exists()
