"""Files are taken in within limits, and read now or in a job."""

from __future__ import annotations

import io

import pytest
from msgspec.structs import replace
from PIL import Image

from classroom.errors import NotAllowed, NotThere, TooFast
from classroom.models import Job
from classroom.throttle import Misses
from quizzes.formats import ctdeck, pictures as kept_pictures
from quizzes.formats.question import Picture as Shown
from quizzes.import_rows import from_json
from quizzes.limited.child import turn
from quizzes.models import ImportDraft, Picture, Question
from quizzes.selectors.questions import in_set, newest
from quizzes.services.imports import (
    FileTooLarge,
    NothingSent,
    TooManyFiles,
    path_of,
    read_again,
    reading,
)
from tests.factories import bank
from tests.quizzes.services.imports.files import ONE, TWO, drafts_of, save, start

pytestmark = pytest.mark.django_db


def test_a_file_is_read_and_nothing_is_in_the_bank(actor):
    (draft,) = drafts_of(start(actor, TWO))

    rows = from_json(draft.rows)
    assert (draft.state, draft.format, draft.encoding) == ("read", "text", "utf-8")
    assert [row.question is not None for row in rows] == [True, False]
    assert not Question.objects.exists()


def test_the_same_file_twice_is_taken_once(actor):
    assert len(drafts_of(start(actor, ONE, TWO, ONE))) == 2


def test_what_cannot_be_taken_in_is_refused_whole(actor, monkeypatch):
    with pytest.raises(NothingSent):
        start(actor)
    with pytest.raises(TooManyFiles):
        start(actor, *(ONE + bytes([65 + n]) for n in range(reading.FILES_MAX + 1)))
    monkeypatch.setattr(reading, "TOTAL_MAX", 3)
    with pytest.raises(FileTooLarge):
        start(actor, ONE)
    assert not ImportDraft.objects.exists()


def test_nobody_sends_without_end(actor, monkeypatch, one_minute):
    monkeypatch.setattr(reading, "SENDING", Misses("imports-of-a-test", limit=1))
    start(actor, ONE)

    with pytest.raises(TooFast):
        start(actor, TWO)


def test_who_may_only_look_imports_nothing_into_a_set(actor):
    question_set = bank.question_set()
    bank.shared(question_set, teacher=actor.teacher)

    with pytest.raises(NotAllowed):
        start(actor, ONE, set_id=question_set.pk)


def test_a_picture_comes_along_made_anew(actor):
    out = io.BytesIO()
    Image.new("RGB", (9, 5), "teal").save(out, "PNG")
    ref = kept_pictures.reference(out.getvalue())
    question = replace(bank.single(), picture=Shown(ref=ref, alt="A flag"))
    data = ctdeck.write([question], {ref: out.getvalue()})

    done = save(actor, start(actor, data))

    (value,) = newest(in_set(done.question_set))
    picture = Picture.objects.get()
    assert value.picture == Shown(ref=picture.ref, alt="A flag")
    assert (picture.owner, picture.width, picture.height) == (actor.teacher, 9, 5)


def test_a_broken_picture_is_told_and_the_question_kept(actor):
    data = b"\x89PNG\r\n\x1a\nbroken"
    ref = kept_pictures.reference(data)
    question = replace(bank.single(), picture=Shown(ref=ref, alt="A flag"))

    (draft,) = drafts_of(start(actor, ctdeck.write([question], {ref: data})))

    (row,) = from_json(draft.rows)
    assert row.question.picture is None
    assert "picture.refused" in [note.code for note in row.notes]


def test_while_others_are_read_a_job_takes_over(actor, monkeypatch, settings):
    monkeypatch.setattr(reading, "WAIT_S", 0.0)
    with turn(settings.DATA / "imports.lock", wait_s=5):
        batch = start(actor, ONE)

    job = Job.objects.get()
    assert (job.kind, job.args) == (reading.JOB, {"batch": str(batch)})
    reading.read_all(job, lambda _part: None)
    assert drafts_of(batch)[0].state == "read"


def test_bytes_that_are_gone_take_no_row_along(actor):
    batch = start(actor, ONE)
    (draft,) = drafts_of(batch)
    path_of(draft.pk).unlink()

    with pytest.raises(NotThere):
        read_again(actor=actor, draft_id=draft.pk, format="gift")

    assert save(actor, batch).questions == 1


def test_bytes_that_are_gone_before_they_were_read_are_told(actor, monkeypatch):
    monkeypatch.setattr(reading, "SMALL_BYTES", 0)
    (draft,) = drafts_of(start(actor, ONE))
    path_of(draft.pk).unlink()

    reading.read_all(Job.objects.get(), lambda _part: None)

    draft.refresh_from_db()
    assert (draft.state, [note["code"] for note in draft.notes]) == ("read", ["file.empty"])
