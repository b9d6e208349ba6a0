"""What was read is mended by its owner alone; two windows undo nothing of each other."""

from __future__ import annotations

from functools import partial

import pytest

from classroom.access import Anonymous, TeacherActor
from classroom.errors import NotThere
from quizzes.import_rows import from_json
from quizzes.services.imports import give_up, leave_row, mend_row, path_of, preview, read_again
from tests.factories import bank, people
from tests.quizzes.services.imports.files import ONE, TWO, drafts_of, save, start

pytestmark = pytest.mark.django_db


def test_students_and_strangers_reach_no_import(actor):
    batch = start(actor, ONE)
    (draft,) = drafts_of(batch)
    foreign = bank.question_set()

    for who in (TeacherActor(people.teacher()), Anonymous()):
        for act in (
            lambda who=who: save(who, batch),
            lambda who=who: give_up(actor=who, batch=batch),
            lambda who=who: read_again(actor=who, draft_id=draft.pk),
            lambda who=who: mend_row(actor=who, draft_id=draft.pk, number=1, block=""),
            lambda who=who: leave_row(actor=who, draft_id=draft.pk, number=1, out=True),
        ):
            with pytest.raises(NotThere):
                act()
    with pytest.raises(NotThere):
        start(Anonymous(), ONE)
    with pytest.raises(NotThere):
        save(actor, batch, set_id=foreign.pk)
    with pytest.raises(NotThere):
        mend_row(actor=actor, draft_id=draft.pk, number=9, block="")


def test_giving_up_forgets_rows_and_bytes(actor):
    batch = start(actor, ONE)
    (draft,) = drafts_of(batch)

    give_up(actor=actor, batch=batch)

    assert not path_of(draft.pk).exists()
    with pytest.raises(NotThere):
        give_up(actor=actor, batch=batch)


def test_rows_mended_in_two_windows_at_once_are_both_kept(actor, monkeypatch):
    batch = start(actor, TWO + b"\n\n3. Who counts?\n")
    (draft,) = drafts_of(batch)
    bad = [row.number for row in from_json(draft.rows) if row.question is None]
    mend = partial(mend_row, actor=actor, draft_id=draft.pk)
    meanwhile = iter([bad[0]])
    really = preview.to_json

    def mended_elsewhere(rows):
        for number in meanwhile:
            mend(number=number, block="1. Who pays?\n*a) All\nb) None")
        return really(rows)

    monkeypatch.setattr(preview, "to_json", mended_elsewhere)
    mend(number=bad[1], block="1. Who counts?\n*a) All\nb) None")

    assert all(row.question for row in from_json(drafts_of(batch)[0].rows))
