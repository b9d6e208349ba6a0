"""What is good is saved at once, all of it or nothing."""

from __future__ import annotations

import pytest

from quizzes.access import sets_of
from quizzes.import_rows import from_json
from quizzes.models import ImportDraft, Question
from quizzes.selectors.questions import in_set
from quizzes.services import question_rows
from quizzes.services.imports import ImportChanged, mend_row, origins, saving
from quizzes.services.question_rows import SetFull
from quizzes.services.sets import NoTitle
from tests.factories import bank
from tests.quizzes.services.imports.files import ONE, TWO, drafts_of, save, start

pytestmark = pytest.mark.django_db


def test_all_good_rows_of_all_files_are_saved_at_once(actor):
    done = save(actor, start(actor, TWO, ONE + b"\n"))

    assert (done.questions, done.left) == (2, True)
    assert [row.stem for row in in_set(done.question_set)] == ["Who votes?", "Who votes?"]


@pytest.mark.case("UP-11")
def test_when_saving_fails_nothing_is_saved_and_the_preview_stays(actor, monkeypatch):
    batch = start(actor, ONE)

    def broken(*_args, **_named):
        raise RuntimeError("in the middle")

    monkeypatch.setattr(origins, "unchanged", broken)
    with pytest.raises(RuntimeError):
        save(actor, batch)

    assert not sets_of(actor.teacher).exists()
    assert len(drafts_of(batch)) == 1


def test_a_full_set_takes_nothing(actor, monkeypatch):
    target = bank.question_set(owner=actor.teacher)
    monkeypatch.setattr(question_rows, "QUESTIONS_MAX", 0)

    with pytest.raises(SetFull):
        save(actor, start(actor, ONE), set_id=target.pk)

    assert not Question.objects.exists()


def test_a_new_set_needs_a_title(actor):
    with pytest.raises(NoTitle):
        save(actor, start(actor, ONE), title="  ")


def test_what_was_mended_in_another_window_is_not_lost(actor, monkeypatch):
    batch = start(actor, TWO)
    (draft,) = drafts_of(batch)
    fill = saving.fill_new_set

    def meanwhile(**named):
        mend_row(actor=actor, draft_id=draft.pk, number=2, block="1. Who pays?\n*a) All\nb) None")
        return fill(**named)

    monkeypatch.setattr(saving, "fill_new_set", meanwhile)
    with pytest.raises(ImportChanged):
        save(actor, batch)

    assert not sets_of(actor.teacher).exists()
    assert [row.mended for row in from_json(drafts_of(batch)[0].rows)] == [False, True]


def test_a_file_that_is_still_read_is_not_saved(actor):
    batch = start(actor, ONE)
    ImportDraft.objects.update(state=ImportDraft.State.WAITING)

    with pytest.raises(ImportChanged):
        save(actor, batch)
