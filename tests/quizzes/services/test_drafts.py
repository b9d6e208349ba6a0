"""Keeping what is typed: nothing is overwritten that the form has not seen."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import msgspec
import pytest
from django.utils import timezone

from classroom.access import Anonymous, TeacherActor
from classroom.errors import NotAllowed, NotThere
from quizzes.access import SetArchived
from quizzes.entries import LONGEST, Entries
from quizzes.models import Draft
from quizzes.selectors.drafts import begun, draft_of, drafts_in, new_draft, typed
from quizzes.services import drafts as services
from quizzes.services.drafts import (
    DraftElsewhere,
    TooManyDrafts,
    TooMuchText,
    discard_draft,
    drop_draft,
    keep_draft,
    keep_new_draft,
)
from tests.factories import bank, people

pytestmark = pytest.mark.django_db


def words(stem):
    return Entries(kind="single", stem=stem)


@pytest.fixture
def question():
    question_set = bank.question_set()
    return bank.questions(question_set)[0]


@pytest.fixture
def teacher(question):
    return TeacherActor(question.set.owner)


def keep(actor, question, stem, *, seen=None, base=1):
    return keep_draft(
        actor=actor, question_id=question.pk, entries=words(stem), base=base, seen=seen
    )


def keep_new(actor, question_set, stem, *, draft=None):
    return keep_new_draft(
        actor=actor,
        set_id=question_set.pk,
        draft_id=draft.pk if draft else None,
        entries=words(stem),
        seen=draft.saved_at if draft else None,
    )


def test_a_draft_holds_all_that_is_typed(question, teacher):
    kept = keep(teacher, question, "Who?")

    there = draft_of(teacher.teacher, question)
    assert (there.pk, there.base, there.kind) == (kept.pk, 1, "single")
    assert typed(there) == words("Who?")


def test_the_next_words_of_the_same_form_take_the_place_of_the_last(question, teacher):
    first = keep(teacher, question, "Wh")
    second = keep(teacher, question, "Who?", seen=first.saved_at)

    assert second.pk == first.pk
    assert [typed(draft).stem for draft in Draft.objects.all()] == ["Who?"]


def test_another_window_is_told_and_changes_nothing(question, teacher):
    first = keep(teacher, question, "one")
    keep(teacher, question, "two", seen=first.saved_at)

    with pytest.raises(DraftElsewhere) as caught:
        keep(teacher, question, "three", seen=first.saved_at)

    assert typed(caught.value.draft).stem == "two"
    assert typed(draft_of(teacher.teacher, question)).stem == "two"


def test_a_window_opened_before_the_first_words_is_told_too(question, teacher):
    keep(teacher, question, "one")

    with pytest.raises(DraftElsewhere):
        keep(teacher, question, "two")


def test_a_draft_that_is_gone_is_not_made_anew_behind_the_users_back(question, teacher):
    first = keep(teacher, question, "one")
    discard_draft(actor=teacher, draft_id=first.pk)

    with pytest.raises(DraftElsewhere) as caught:
        keep(teacher, question, "two", seen=first.saved_at)

    assert caught.value.draft is None
    assert not Draft.objects.exists()


def test_each_teacher_has_a_draft_of_their_own(question, teacher):
    colleague = TeacherActor(bank.shared(question.set, right="edit"))
    keep(teacher, question, "mine")
    keep(colleague, question, "theirs")

    assert typed(draft_of(teacher.teacher, question)).stem == "mine"
    assert typed(draft_of(colleague.teacher, question)).stem == "theirs"


def test_new_questions_of_a_set_have_drafts_of_their_own(question, teacher):
    one = keep_new(teacher, question.set, "one")
    other = keep_new(teacher, question.set, "other")
    keep_new(teacher, question.set, "one more", draft=one)

    found = begun(drafts_in(teacher.teacher, question.set))
    assert sorted(stem for _draft, stem in found) == ["one more", "other"]
    assert new_draft(teacher.teacher, question.set, other.pk) == other


def test_drafts_of_questions_are_not_begun_ones(question, teacher):
    keep(teacher, question, "Who?")

    assert begun(drafts_in(teacher.teacher, question.set)) == []


def test_a_draft_of_a_new_question_that_is_gone_is_told(question, teacher):
    one = keep_new(teacher, question.set, "one")
    discard_draft(actor=teacher, draft_id=one.pk)

    with pytest.raises(DraftElsewhere):
        keep_new(teacher, question.set, "two", draft=one)


def test_there_is_an_end_to_drafts(question, teacher, monkeypatch):
    monkeypatch.setattr(services, "MOST_NEW", 1)
    keep_new(teacher, question.set, "one")

    with pytest.raises(TooManyDrafts):
        keep_new(teacher, question.set, "two")


def test_there_is_an_end_to_a_text(question, teacher):
    with pytest.raises(TooMuchText):
        keep(teacher, question, "x" * LONGEST)


def test_a_saved_form_leaves_no_draft(question, teacher):
    for draft in (keep(teacher, question, "one"), keep_new(teacher, question.set, "two")):
        drop_draft(actor=teacher, draft_id=draft.pk, seen=draft.saved_at)

    assert not Draft.objects.exists()


def test_words_of_another_window_stay_when_a_form_is_saved(question, teacher):
    first = keep(teacher, question, "one")
    keep(teacher, question, "other", seen=first.saved_at)

    drop_draft(actor=teacher, draft_id=first.pk, seen=first.saved_at)
    drop_draft(actor=teacher, draft_id=None, seen=None)

    assert typed(draft_of(teacher.teacher, question)).stem == "other"


def test_fields_of_another_version_of_the_site_are_no_error(question, teacher):
    draft = keep(teacher, question, "Who?")
    draft.fields = {"kind": "single", "colour": "red"}

    assert typed(draft) == Entries(kind="single")


def test_who_may_only_look_keeps_no_draft(question):
    reader = TeacherActor(bank.shared(question.set))

    with pytest.raises(NotAllowed):
        keep(reader, question, "Who?")
    with pytest.raises(NotAllowed):
        keep_new(reader, question.set, "Who?")


def test_strangers_learn_nothing(question, teacher):
    mine = keep(teacher, question, "Who?")
    stranger = TeacherActor(people.teacher())

    for act in (
        lambda: keep(stranger, question, "?"),
        lambda: keep_new(stranger, question.set, "?"),
        lambda: discard_draft(actor=stranger, draft_id=mine.pk),
        lambda: discard_draft(actor=teacher, draft_id=uuid4()),
        lambda: discard_draft(actor=Anonymous(), draft_id=mine.pk),
    ):
        with pytest.raises(NotThere):
            act()


def test_a_set_in_the_archive_takes_no_drafts(question, teacher):
    question.set.archived_at = timezone.now()
    question.set.save()

    with pytest.raises(SetArchived):
        keep(teacher, question, "Who?")


def test_what_is_kept_is_plain_json(question, teacher):
    draft = keep(teacher, question, "Who?")
    draft.refresh_from_db()

    assert msgspec.convert(draft.fields, Entries) == words("Who?")


def test_drafts_are_forgotten_half_a_year_after_the_last_word(question, teacher):
    old, new = (
        Draft.objects.create(teacher=teacher.teacher, set=question.set, kind="single", saved_at=at)
        for at in (timezone.now() - timedelta(days=181), timezone.now() - timedelta(days=179))
    )

    assert services.forget_drafts(dry=True) == 1
    assert services.forget_drafts() == 1

    assert list(Draft.objects.all()) == [new]
    assert old.pk != new.pk
