"""A file that was brought in before is known again, and its questions replaced or added to."""

from __future__ import annotations

import pytest

from quizzes.models import ImportedFile, QuestionSet
from quizzes.selectors.questions import in_set
from quizzes.services.imports import SameFile, mend_row
from tests.quizzes.services.imports.files import ONE, TWO, drafts_of, save, start

pytestmark = pytest.mark.django_db


def test_the_rest_of_an_import_is_not_the_same_file_again(actor):
    batch = start(actor, TWO)
    done = save(actor, batch)
    (draft,) = drafts_of(batch)

    mend_row(actor=actor, draft_id=draft.pk, number=2, block="1. Who pays?\n*a) All\nb) Some")
    save(actor, batch, set_id=done.question_set.pk)

    assert [row.stem for row in in_set(done.question_set)] == ["Who votes?", "Who pays?"]
    assert ImportedFile.objects.get().questions.count() == 2


def test_the_same_file_again_asks_first(actor):
    done = save(actor, start(actor, ONE))

    with pytest.raises(SameFile):
        save(actor, start(actor, ONE), set_id=done.question_set.pk)

    assert in_set(done.question_set).count() == 1


def test_the_same_file_replaced_or_added_is_noted_once(actor):
    target = save(actor, start(actor, ONE)).question_set
    again = start(actor, ONE)
    (draft,) = drafts_of(again)

    save(actor, again, set_id=target.pk, again={draft.pk: "replace"})

    assert in_set(target).count() == 1
    assert ImportedFile.objects.get().questions.count() == 1

    again = start(actor, ONE)
    (draft,) = drafts_of(again)
    save(actor, again, set_id=target.pk, again={draft.pk: "add"})

    assert in_set(target).count() == 2
    assert ImportedFile.objects.get().questions.count() == 2
    assert list(QuestionSet.objects.all()) == [target]
