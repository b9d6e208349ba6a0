"""Adding and changing questions, in versions."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from classroom.access import TeacherActor
from classroom.errors import NotAllowed, NotThere
from quizzes.access import SetArchived
from quizzes.formats.question import Picture
from quizzes.models import Draft, Question, QuestionSet, QuestionTopic, QuestionVersion
from quizzes.selectors.questions import in_set, newest
from quizzes.services import questions as bank_questions, sets
from quizzes.services.questions import (
    BadTopic,
    EditConflict,
    NoPicture,
    SetFull,
    TooManyTopics,
    add_questions,
    archive_questions,
    copy_questions,
    delete_questions,
    move_questions,
    place_question,
    replace_questions,
    restore_questions,
    restore_version,
    save_question,
    tag_questions,
)
from tests.factories import bank, people
from tests.quizzes.formats.samples import SAMPLES

pytestmark = pytest.mark.django_db


def owner_of(question_set):
    return TeacherActor(question_set.owner)


def stems(question_set):
    return [question.stem for question in in_set(question_set)]


# -- adding ----------------------------------------------------------------------------------------


def test_every_kind_of_question_comes_back_as_it_was():
    question_set = bank.question_set()

    rows = bank.questions(question_set, *SAMPLES)

    assert newest(Question.objects.filter(set=question_set)) == list(SAMPLES)
    assert [row.kind for row in rows] == [
        "single", "several", "true-false", "short", "numeric", "matching", "ordering",
    ]  # fmt: skip
    assert [row.position for row in rows] == [1, 2, 3, 4, 5, 6, 7]
    assert QuestionVersion.objects.get(question=rows[0]).saved_by == question_set.owner


def test_more_questions_go_to_the_end():
    question_set = bank.question_set()
    bank.questions(question_set, bank.single("One?"), bank.single("Two?"))

    bank.questions(question_set, bank.single("Three?"))

    assert stems(question_set) == ["One?", "Two?", "Three?"]


def test_many_questions_arrive_together_in_their_order(monkeypatch):
    monkeypatch.setattr(bank_questions, "PIECE", 2)
    question_set = bank.question_set()
    bank.questions(question_set, bank.single("First?"))
    many = [bank.single(f"Question {n}?", topics=("t",)) for n in range(5)]

    rows = bank.questions(question_set, *many)

    assert stems(question_set) == ["First?", *(one.stem for one in many)]
    assert [row.position for row in rows] == [2, 3, 4, 5, 6]
    assert QuestionTopic.objects.filter(question__set=question_set).count() == 5
    assert QuestionSet.objects.get() == question_set


def test_import_that_dies_between_two_pieces_leaves_nothing_in_the_set(monkeypatch):
    monkeypatch.setattr(bank_questions, "PIECE", 2)
    question_set = bank.question_set()
    monkeypatch.setattr(bank_questions, "_land", _die)

    with pytest.raises(RuntimeError):
        bank.questions(question_set, *(bank.single(f"{n}?") for n in range(5)))

    assert stems(question_set) == []
    assert list(QuestionSet.objects.exclude(pk=question_set.pk).values_list("owner")) == [(None,)]


def test_what_a_dead_import_left_is_cleared_by_a_later_one(monkeypatch):
    monkeypatch.setattr(bank_questions, "PIECE", 2)
    old = timezone.now() - timedelta(hours=2)
    QuestionSet.objects.create(key="arriving x", archived_at=old, created_at=old)
    question_set = bank.question_set()

    bank.questions(question_set, *(bank.single(f"{n}?") for n in range(3)))

    assert QuestionSet.objects.get() == question_set


def test_set_takes_no_more_than_it_holds(monkeypatch):
    monkeypatch.setattr(bank_questions, "QUESTIONS_MAX", 2)
    question_set = bank.question_set()
    bank.questions(question_set)

    with pytest.raises(SetFull):
        bank.questions(question_set, bank.single("Two?"), bank.single("Three?"))
    assert stems(question_set) == ["Who votes?"]


@pytest.mark.parametrize("right", ["view", "edit"])
def test_colleague_adds_only_with_the_right_to_change(right):
    question_set = bank.question_set()
    colleague = TeacherActor(bank.shared(question_set, right=right))

    def add():
        add_questions(actor=colleague, set_id=question_set.pk, questions=[bank.single()])

    if right == "edit":
        add()
    else:
        with pytest.raises(NotAllowed):
            add()
    assert question_set.questions.count() == (right == "edit")


@pytest.mark.case("AZ-01")
def test_question_cannot_name_the_picture_of_somebody_else():
    question_set, theirs = bank.question_set(), bank.picture(people.teacher())

    for ref in (theirs.ref, f"{uuid4()}.png", "ballot.png"):
        with pytest.raises(NoPicture):
            bank.questions(question_set, bank.single(picture=Picture(ref=ref)))
    assert stems(question_set) == []


# -- changing one ----------------------------------------------------------------------------------


def test_saving_makes_a_version_and_the_list_follows():
    question_set = bank.question_set()
    (row,) = bank.questions(question_set, bank.single("Old?", topics=("old",)))
    changed = bank.single("New?", topics=("new",), difficulty=3, language="fr")

    version = save_question(
        actor=owner_of(question_set), question_id=row.pk, question=changed, base=1
    )

    row.refresh_from_db()
    assert (version.number, version.value) == (2, changed)
    assert (row.number, row.stem, row.difficulty, row.language) == (2, "New?", 3, "fr")
    assert [topic.name for topic in row.topics.all()] == ["new"]
    assert [v.value.stem for v in row.versions.order_by("number")] == ["Old?", "New?"]


def test_saving_the_same_makes_no_version():
    question_set = bank.question_set()
    (row,) = bank.questions(question_set, SAMPLES[4])

    version = save_question(
        actor=owner_of(question_set), question_id=row.pk, question=SAMPLES[4], base=1
    )

    assert (version.number, row.versions.count()) == (1, 1)


@pytest.mark.case("CC-08")
def test_second_saver_is_shown_the_version_of_the_first():
    question_set = bank.question_set()
    (row,) = bank.questions(question_set)
    colleague = TeacherActor(bank.shared(question_set, right="edit"))
    save_question(actor=colleague, question_id=row.pk, question=bank.single("Theirs?"), base=1)

    with pytest.raises(EditConflict) as conflict:
        save_question(
            actor=owner_of(question_set), question_id=row.pk, question=bank.single("Mine?"), base=1
        )

    assert conflict.value.theirs.value.stem == "Theirs?"
    assert conflict.value.theirs.saved_by == colleague.teacher
    assert stems(question_set) == ["Theirs?"]
    assert row.versions.count() == 2


def test_old_version_comes_back_as_a_further_one():
    question_set = bank.question_set()
    (row,) = bank.questions(question_set, bank.single("First?"))
    actor = owner_of(question_set)
    save_question(actor=actor, question_id=row.pk, question=bank.single("Second?"), base=1)

    version = restore_version(actor=actor, question_id=row.pk, number=1, base=2)

    assert (version.number, version.value.stem) == (3, "First?")
    with pytest.raises(NotThere):
        restore_version(actor=actor, question_id=row.pk, number=9, base=3)


# -- changing many ---------------------------------------------------------------------------------


def test_moved_questions_go_to_the_end_of_the_other_set_with_their_drafts():
    here = bank.question_set()
    there = bank.question_set(owner=here.owner)
    bank.questions(there, bank.single("There?"))
    one, two = bank.questions(here, bank.single("One?"), bank.single("Two?"))
    draft = Draft.objects.create(teacher=here.owner, set=here, question=two, kind="single", base=1)

    moved = move_questions(actor=owner_of(here), question_ids=[two.pk, one.pk], to=there.pk)

    assert moved == 2
    assert (stems(here), stems(there)) == ([], ["There?", "One?", "Two?"])
    draft.refresh_from_db()
    assert draft.set == there


def test_questions_cannot_be_moved_out_of_a_set_that_is_only_seen():
    theirs, mine = bank.question_set(), bank.question_set()
    (row,) = bank.questions(theirs)
    bank.shared(theirs, teacher=mine.owner)

    with pytest.raises(NotAllowed):
        move_questions(actor=owner_of(mine), question_ids=[row.pk], to=mine.pk)
    assert stems(theirs) == ["Who votes?"]


def test_copied_question_is_a_question_of_its_own_and_keeps_its_picture():
    theirs, mine = bank.question_set(site_wide=True), bank.question_set()
    ref = bank.picture(theirs.owner).ref
    (row,) = bank.questions(theirs, bank.single(picture=Picture(ref=ref, alt="A ballot")))

    (copy,) = copy_questions(actor=owner_of(mine), question_ids=[row.pk], to=mine.pk)

    assert (copy.pk != row.pk, newest([copy])) == (True, newest([row]))
    sets.delete_set(actor=owner_of(theirs), set_id=theirs.pk, typed_title=theirs.title)
    assert newest([copy])[0].picture == Picture(ref=ref, alt="A ballot")


def test_archived_questions_can_be_brought_back_or_deleted():
    question_set = bank.question_set()
    rows = bank.questions(question_set, bank.single("One?"), bank.single("Two?"))
    actor, ids = owner_of(question_set), [row.pk for row in rows]

    assert archive_questions(actor=actor, question_ids=ids) == 2
    assert stems(question_set) == []
    assert restore_questions(actor=actor, question_ids=ids[:1]) == 1
    assert delete_questions(actor=actor, question_ids=ids) == 1
    assert [q.stem for q in Question.objects.all()] == ["One?"]


def test_topics_are_added_and_taken_away_in_new_versions():
    question_set = bank.question_set()
    rows = bank.questions(
        question_set,
        bank.single("One?", topics=("Élections",)),
        bank.single("Two?", topics=("tax",)),
    )

    changed = tag_questions(
        actor=owner_of(question_set),
        question_ids=[row.pk for row in rows],
        add=["elections", "rights"],
        remove=["Tax"],
    )

    assert changed == 2
    assert [one.topics for one in newest(rows_now(rows))] == [
        ("Élections", "rights"),
        ("elections", "rights"),
    ]
    assert [row.number for row in rows_now(rows)] == [2, 2]


def test_question_that_is_saved_while_many_are_tagged_keeps_both_changes(monkeypatch):
    question_set = bank.question_set()
    rows = bank.questions(question_set, bank.single("One?"), bank.single("Two?"))
    actor = owner_of(question_set)
    read = bank_questions.newest_versions
    meanwhile = iter([bank.single("Changed?")])

    def read_then_be_overtaken(questions):
        versions = read(questions)
        if question := next(meanwhile, None):
            save_question(actor=actor, question_id=rows[1].pk, question=question, base=1)
        return versions

    monkeypatch.setattr(bank_questions, "newest_versions", read_then_be_overtaken)

    changed = tag_questions(actor=actor, question_ids=[row.pk for row in rows], add=["rights"])

    assert changed == 2
    assert [(one.stem, one.topics) for one in newest(rows_now(rows))] == [
        ("One?", ("rights",)),
        ("Changed?", ("rights",)),
    ]
    assert [row.number for row in rows_now(rows)] == [2, 3]


def test_many_questions_are_tagged_in_few_statements(django_assert_max_num_queries):
    question_set = bank.question_set()
    rows = bank.questions(question_set, *(bank.single(f"{n}?", topics=("t",)) for n in range(90)))

    with django_assert_max_num_queries(16):
        tag_questions(
            actor=owner_of(question_set), question_ids=[row.pk for row in rows], add=["rights"]
        )

    assert {row.number for row in rows_now(rows)} == {2}


def test_tagging_twice_changes_nothing_the_second_time():
    question_set = bank.question_set()
    (row,) = bank.questions(question_set)

    changed = [
        tag_questions(actor=owner_of(question_set), question_ids=[row.pk], add=["rights"])
        for _time in range(2)
    ]

    assert changed == [1, 0]


@pytest.mark.parametrize(
    ("topics", "refusal"),
    [(["a,b"], BadTopic), ([" "], BadTopic), ([str(n) for n in range(21)], TooManyTopics)],
)
def test_topic_that_does_not_fit_changes_nothing(topics, refusal):
    question_set = bank.question_set()
    rows = bank.questions(question_set, bank.single("One?"), bank.single("Two?"))

    with pytest.raises(refusal):
        tag_questions(
            actor=owner_of(question_set), question_ids=[row.pk for row in rows], add=topics
        )
    assert QuestionVersion.objects.filter(number=2).count() == 0


def test_question_changes_places_with_its_neighbour_and_stops_at_the_ends():
    question_set = bank.question_set()
    one, _two, three = bank.questions(question_set, *(bank.single(s) for s in ("1?", "2?", "3?")))
    actor = owner_of(question_set)

    place_question(actor=actor, question_id=one.pk, step=1)
    place_question(actor=actor, question_id=three.pk, step=1)

    assert stems(question_set) == ["2?", "1?", "3?"]


def test_question_of_two_that_came_at_the_same_moment_changes_places_too():
    question_set = bank.question_set()
    rows = bank.questions(question_set, *(bank.single(s) for s in ("1?", "2?", "3?")))
    Question.objects.filter(set=question_set).update(position=1, created_at=timezone.now())
    before = stems(question_set)
    last = next(row for row in rows if row.stem == before[2])

    place_question(actor=owner_of(question_set), question_id=last.pk, step=-1)

    assert stems(question_set) == [before[0], before[2], before[1]]


def test_replacing_keeps_what_asks_the_same_and_puts_away_what_is_gone():
    question_set = bank.question_set()
    same, changed, gone = bank.questions(
        question_set, bank.single("Same?"), bank.single("Changed?"), bank.single("Gone?")
    )
    better = bank.single("Changed?", explanation="Article 3")

    rows = replace_questions(
        actor=owner_of(question_set),
        set_id=question_set.pk,
        question_ids=[same.pk, changed.pk, gone.pk],
        questions=[bank.single("New?"), better, bank.single("Same?")],
    )

    assert [row.stem for row in rows] == ["New?", "Changed?", "Same?"]
    assert newest(rows_now([same, changed])) == [bank.single("Same?"), better]
    assert [row.number for row in rows_now([same, changed])] == [1, 2]
    assert stems(question_set) == ["Same?", "Changed?", "New?"]
    assert QuestionSet.objects.count() == 1


def test_replacing_reaches_no_question_of_another_set():
    here = bank.question_set()
    (elsewhere,) = bank.questions(bank.question_set(owner=here.owner))

    with pytest.raises(NotThere):
        replace_questions(
            actor=owner_of(here), set_id=here.pk, question_ids=[elsewhere.pk], questions=[]
        )


def test_nothing_changes_in_a_set_that_was_put_away():
    question_set = bank.question_set()
    (row,) = bank.questions(question_set)
    actor = owner_of(question_set)
    sets.archive_set(actor=actor, set_id=question_set.pk)

    for change in (
        lambda: bank.questions(question_set, bank.single("Two?")),
        lambda: save_question(
            actor=actor, question_id=row.pk, question=bank.single("Other?"), base=1
        ),
        lambda: tag_questions(actor=actor, question_ids=[row.pk], add=["rights"]),
        lambda: archive_questions(actor=actor, question_ids=[row.pk]),
    ):
        with pytest.raises(SetArchived):
            change()


def rows_now(rows):
    found = Question.objects.in_bulk([row.pk for row in rows])
    return [found[row.pk] for row in rows]


def _die(*_args):
    raise RuntimeError
