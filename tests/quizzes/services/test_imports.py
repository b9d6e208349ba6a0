"""Imports: read under limits, mended, and then in the bank all at once or not at all."""

from __future__ import annotations

import io
from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.utils import timezone
from msgspec.structs import replace
from PIL import Image

from classroom.access import Anonymous, TeacherActor
from classroom.errors import NotAllowed, NotThere, TooFast
from classroom.models import Job
from classroom.throttle import Misses
from quizzes.access import sets_of
from quizzes.formats import ctdeck, pictures as kept_pictures
from quizzes.formats.question import Picture as Shown
from quizzes.import_rows import from_json
from quizzes.limited.child import turn
from quizzes.models import ImportDraft, ImportedFile, Picture, Question, QuestionSet
from quizzes.selectors.questions import in_set, newest
from quizzes.services import imports, question_rows
from quizzes.services.imports import (
    FileTooLarge,
    ImportChanged,
    NothingSent,
    SameFile,
    Sent,
    TooManyFiles,
    forget_imports,
    give_up,
    leave_row,
    mend_row,
    path_of,
    read_again,
    save_import,
    start_import,
)
from quizzes.services.question_rows import SetFull
from quizzes.services.sets import NoTitle
from tests.factories import bank, people

pytestmark = pytest.mark.django_db

ONE = b"1. Who votes?\na) Nobody\n*b) Citizens\n"
TWO = ONE + b"\n2. Who pays?\na) All\nb) Some\n"


@pytest.fixture
def actor():
    return TeacherActor(people.teacher())


@pytest.fixture(autouse=True)
def _own_folder(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def start(actor, *files, set_id=None):
    sent = [Sent(f"{number}.txt", data) for number, data in enumerate(files)]
    return start_import(actor=actor, files=sent, set_id=set_id)


def drafts_of(batch):
    return list(ImportDraft.objects.filter(batch=batch).order_by("position"))


def save(actor, batch, **more):
    return save_import(actor=actor, batch=batch, **{"set_id": None, "title": "Votes", **more})


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
        start(actor, *(ONE + bytes([65 + n]) for n in range(imports.FILES_MAX + 1)))
    monkeypatch.setattr(imports, "TOTAL_MAX", 3)
    with pytest.raises(FileTooLarge):
        start(actor, ONE)
    assert not ImportDraft.objects.exists()


def test_nobody_sends_without_end(actor, monkeypatch, one_minute):
    monkeypatch.setattr(imports, "SENDING", Misses("imports-of-a-test", limit=1))
    start(actor, ONE)

    with pytest.raises(TooFast):
        start(actor, TWO)


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


def test_who_may_only_look_imports_nothing_into_a_set(actor):
    question_set = bank.question_set()
    bank.shared(question_set, teacher=actor.teacher)

    with pytest.raises(NotAllowed):
        start(actor, ONE, set_id=question_set.pk)


def test_all_good_rows_of_all_files_are_saved_at_once(actor):
    done = save(actor, start(actor, TWO, ONE + b"\n"))

    assert (done.questions, done.left) == (2, True)
    assert [row.stem for row in in_set(done.question_set)] == ["Who votes?", "Who votes?"]


@pytest.mark.case("UP-11")
def test_when_saving_fails_nothing_is_saved_and_the_preview_stays(actor, monkeypatch):
    batch = start(actor, ONE)

    def broken(*_args, **_named):
        raise RuntimeError("in the middle")

    monkeypatch.setattr(imports, "_unchanged", broken)
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
    fill = imports.fill_new_set

    def meanwhile(**named):
        mend_row(actor=actor, draft_id=draft.pk, number=2, block="1. Who pays?\n*a) All\nb) None")
        return fill(**named)

    monkeypatch.setattr(imports, "fill_new_set", meanwhile)
    with pytest.raises(ImportChanged):
        save(actor, batch)

    assert not sets_of(actor.teacher).exists()
    assert [row.mended for row in from_json(drafts_of(batch)[0].rows)] == [False, True]


def test_a_file_that_is_still_read_is_not_saved(actor):
    batch = start(actor, ONE)
    ImportDraft.objects.update(state=ImportDraft.State.WAITING)

    with pytest.raises(ImportChanged):
        save(actor, batch)


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
    monkeypatch.setattr(imports, "WAIT_S", 0.0)
    with turn(settings.DATA / "imports.lock", wait_s=5):
        batch = start(actor, ONE)

    job = Job.objects.get()
    assert (job.kind, job.args) == (imports.JOB, {"batch": str(batch)})
    imports.read_all(job, lambda _part: None)
    assert drafts_of(batch)[0].state == "read"


def test_giving_up_forgets_rows_and_bytes(actor):
    batch = start(actor, ONE)
    (draft,) = drafts_of(batch)

    give_up(actor=actor, batch=batch)

    assert not path_of(draft.pk).exists()
    with pytest.raises(NotThere):
        give_up(actor=actor, batch=batch)


def test_old_previews_and_stray_files_are_forgotten(actor):
    old, new = drafts_of(start(actor, ONE, TWO))
    ImportDraft.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=8))
    path_of(uuid4()).write_bytes(b"just written by another process")

    assert forget_imports(dry=True) == 1
    assert ImportDraft.objects.count() == 2
    assert forget_imports() == 1
    assert [draft.pk for draft in ImportDraft.objects.all()] == [new.pk]


def test_bytes_that_are_gone_take_no_row_along(actor):
    batch = start(actor, ONE)
    (draft,) = drafts_of(batch)
    path_of(draft.pk).unlink()

    with pytest.raises(NotThere):
        read_again(actor=actor, draft_id=draft.pk, format="gift")

    assert save(actor, batch).questions == 1


def test_bytes_that_are_gone_before_they_were_read_are_told(actor, monkeypatch):
    monkeypatch.setattr(imports, "SMALL_BYTES", 0)
    (draft,) = drafts_of(start(actor, ONE))
    path_of(draft.pk).unlink()

    imports.read_all(Job.objects.get(), lambda _part: None)

    draft.refresh_from_db()
    assert (draft.state, [note["code"] for note in draft.notes]) == ("read", ["file.empty"])


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


def test_rows_mended_in_two_windows_at_once_are_both_kept(actor, monkeypatch):
    batch = start(actor, TWO + b"\n\n3. Who counts?\n")
    (draft,) = drafts_of(batch)
    bad = [row.number for row in from_json(draft.rows) if row.question is None]
    mend = partial(mend_row, actor=actor, draft_id=draft.pk)
    meanwhile = iter([bad[0]])
    really = imports.to_json

    def mended_elsewhere(rows):
        for number in meanwhile:
            mend(number=number, block="1. Who pays?\n*a) All\nb) None")
        return really(rows)

    monkeypatch.setattr(imports, "to_json", mended_elsewhere)
    mend(number=bad[1], block="1. Who counts?\n*a) All\nb) None")

    assert all(row.question for row in from_json(drafts_of(batch)[0].rows))
