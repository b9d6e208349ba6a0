"""Making, sharing and putting away sets."""

from __future__ import annotations

import pytest
from django.db.models import ProtectedError

from classroom.access import Anonymous, TeacherActor
from classroom.errors import NotAllowed, NotThere
from quizzes.access import sets_of
from quizzes.models import Draft, ImportedFile, Question, QuestionSet, QuestionVersion, SetShare
from quizzes.selectors.questions import in_set, newest
from quizzes.services import pacing, sets
from quizzes.services.arranging import archive_questions
from tests.factories import bank, people
from tests.quizzes.formats.samples import SAMPLES

pytestmark = pytest.mark.django_db


def owner_of(question_set):
    return TeacherActor(question_set.owner)


def test_new_set_belongs_to_who_made_it():
    teacher = people.teacher()

    made = sets.create_set(
        actor=TeacherActor(teacher), title="  Votes,  year 8 ", language="fr", note="Unit 3"
    )

    assert list(sets_of(teacher)) == [made]
    assert (made.title, made.language, made.note) == ("Votes, year 8", "fr", "Unit 3")


@pytest.mark.parametrize("title", ["", "   ", "\u200b"])
def test_set_needs_a_title(title):
    with pytest.raises(sets.NoTitle):
        sets.create_set(actor=TeacherActor(people.teacher()), title=title)


@pytest.mark.case("HD-05")
def test_only_teachers_make_sets():
    with pytest.raises(NotThere):
        sets.create_set(actor=Anonymous(), title="Votes")


def test_colleague_is_found_by_address_and_the_right_can_be_changed():
    question_set, colleague = bank.question_set(), people.teacher(email="ana@school.example")

    sets.share_set(
        actor=owner_of(question_set), set_id=question_set.pk, email=" Ana@school.example "
    )
    sets.share_set(
        actor=owner_of(question_set),
        set_id=question_set.pk,
        email="ana@school.example",
        right=SetShare.Right.EDIT,
    )

    share = SetShare.objects.get()
    assert (share.teacher, share.right) == (colleague, "edit")


@pytest.mark.parametrize("email", ["", "nobody@school.example", "shut@school.example"])
def test_set_is_shared_with_nobody_who_is_not_there(email):
    question_set = bank.question_set()
    people.teacher(email="shut@school.example", is_active=False)
    people.teacher(email=None)

    with pytest.raises(sets.NoColleague):
        sets.share_set(actor=owner_of(question_set), set_id=question_set.pk, email=email)


def test_own_set_is_not_shared_with_oneself():
    question_set = bank.question_set()

    with pytest.raises(NotAllowed):
        sets.share_set(
            actor=owner_of(question_set), set_id=question_set.pk, email=question_set.owner.email
        )


def test_colleague_may_leave_and_the_owner_may_end_it():
    question_set = bank.question_set()
    one, two = bank.shared(question_set, right="edit"), bank.shared(question_set)

    with pytest.raises(NotAllowed):
        sets.unshare(actor=TeacherActor(one), set_id=question_set.pk, teacher_id=two.pk)
    sets.unshare(actor=TeacherActor(one), set_id=question_set.pk, teacher_id=one.pk)
    sets.unshare(actor=owner_of(question_set), set_id=question_set.pk, teacher_id=two.pk)

    assert not question_set.shares.exists()
    with pytest.raises(NotThere):
        sets.unshare(actor=owner_of(question_set), set_id=question_set.pk, teacher_id=two.pk)


def test_set_is_handed_over_to_a_colleague_and_stays_open_to_the_old_owner():
    question_set = bank.question_set()
    before, colleague = question_set.owner, bank.shared(question_set)

    sets.hand_over_set(
        actor=owner_of(question_set), set_id=question_set.pk, teacher_id=colleague.pk
    )

    question_set.refresh_from_db()
    assert question_set.owner == colleague
    assert [(s.teacher, s.right) for s in question_set.shares.all()] == [(before, "edit")]
    for teacher in (before, people.teacher()):
        with pytest.raises((NotAllowed, NotThere)):
            sets.hand_over_set(
                actor=TeacherActor(teacher), set_id=question_set.pk, teacher_id=before.pk
            )


def test_set_for_the_whole_site_says_who_made_it():
    question_set = bank.question_set()
    actor = owner_of(question_set)

    with pytest.raises(sets.NoCredit):
        sets.publish_set(actor=actor, set_id=question_set.pk, site_wide=True, credit=" ")
    sets.publish_set(actor=actor, set_id=question_set.pk, site_wide=True, credit="Ms Okafor")

    question_set.refresh_from_db()
    assert (question_set.site_wide, question_set.credit) == (True, "Ms Okafor")


@pytest.mark.parametrize("act", ["share", "publish", "archive", "restore", "delete"])
def test_colleague_who_edits_does_not_decide_about_the_set(act):
    question_set = bank.question_set()
    editor = TeacherActor(bank.shared(question_set, right="edit"))
    acts = {
        "share": lambda: sets.share_set(actor=editor, set_id=question_set.pk, email="a@b.example"),
        "publish": lambda: sets.publish_set(
            actor=editor, set_id=question_set.pk, site_wide=True, credit="Me"
        ),
        "archive": lambda: sets.archive_set(actor=editor, set_id=question_set.pk),
        "restore": lambda: sets.restore_set(actor=editor, set_id=question_set.pk),
        "delete": lambda: sets.delete_set(
            actor=editor, set_id=question_set.pk, typed_title=question_set.title
        ),
    }

    with pytest.raises(NotAllowed):
        acts[act]()


def test_copy_holds_the_same_questions_without_those_in_the_archive():
    source = bank.question_set(site_wide=True, credit="Ms Okafor")
    rows = bank.questions(source, *SAMPLES)
    archive_questions(actor=owner_of(source), question_ids=[rows[0].pk])
    teacher = people.teacher()

    copy = sets.copy_set(actor=TeacherActor(teacher), set_id=source.pk)

    assert newest(in_set(copy)) == list(SAMPLES[1:])
    assert (copy.owner, copy.title, copy.credit, copy.site_wide) == (
        teacher, "Votes", "Ms Okafor", False,
    )  # fmt: skip


def test_built_in_set_is_copied_and_never_changed():
    built_in = bank.built_in_set()
    actor = TeacherActor(people.teacher())

    copy = sets.copy_set(actor=actor, set_id=built_in.pk, title="Mine")

    assert (copy.title, copy.owner) == ("Mine", actor.teacher)
    for change in (sets.archive_set, sets.restore_set):
        with pytest.raises(NotAllowed):
            change(actor=actor, set_id=built_in.pk)
    with pytest.raises(NotAllowed):
        sets.rename_set(actor=actor, set_id=built_in.pk, title="Mine")


def test_set_is_deleted_with_its_versions_once_its_title_is_typed():
    question_set = bank.question_set()
    bank.questions(question_set)
    actor = owner_of(question_set)

    with pytest.raises(sets.TitleDiffers):
        sets.delete_set(actor=actor, set_id=question_set.pk, typed_title="Vote")
    sets.delete_set(actor=actor, set_id=question_set.pk, typed_title=" Votes ")

    counts = [model.objects.count() for model in (QuestionSet, Question, QuestionVersion)]
    assert counts == [0, 0, 0]


def test_account_that_owns_sets_cannot_be_deleted():
    question_set = bank.question_set()

    with pytest.raises(ProtectedError):
        question_set.owner.delete()


def test_set_with_all_that_hangs_on_it_is_deleted_in_pieces(monkeypatch):
    monkeypatch.setattr(pacing, "PIECE", 2)
    question_set = bank.question_set()
    rows = bank.questions(question_set, *(bank.single(f"{n}?", topics=("a",)) for n in range(5)))
    colleague = bank.shared(question_set)
    came = ImportedFile.objects.create(set=question_set, sha256="0" * 64)
    came.questions.set(rows)
    Draft.objects.create(teacher=colleague, set=question_set, kind="single")

    sets.delete_set(
        actor=TeacherActor(question_set.owner), set_id=question_set.pk, typed_title="Votes"
    )

    for model in (QuestionSet, Question, SetShare, ImportedFile, Draft):
        assert not model.objects.exists()


def test_set_that_is_being_deleted_is_gone_for_everybody_at_once(monkeypatch):
    question_set = bank.question_set(site_wide=True)
    bank.questions(question_set)
    owner, colleague = question_set.owner, bank.shared(question_set)

    def die(_set):
        raise RuntimeError("in the middle")

    monkeypatch.setattr(sets, "clear_away", die)
    with pytest.raises(RuntimeError):
        sets.delete_set(actor=TeacherActor(owner), set_id=question_set.pk, typed_title="Votes")

    for teacher in (owner, colleague, people.teacher()):
        assert not sets_of(teacher).exists()
