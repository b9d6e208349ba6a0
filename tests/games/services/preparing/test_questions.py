"""A lesson that asks from a set of the bank, and goes on whatever becomes of the set."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from classroom.access import TeacherActor
from classroom.models import Attendance, CoTeacher
from games.models import Match
from games.selectors import positions, rulesets
from games.services import matches, preparing
from games.services.preparing import BadSetup, Setup
from games.services.question_decks import NothingFits
from quizzes.models import SetShare
from quizzes.selectors.questions import in_set
from quizzes.services.arranging import archive_questions
from quizzes.services.editing import save_question
from quizzes.services.sets import archive_set, delete_set
from tests.factories import bank, people
from tests.permissions.world import logged_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def starters():
    rulesets._rules.cache_clear()  # rows of other tests had the same numbers
    call_command("load_starters")
    yield
    rulesets._rules.cache_clear()


@pytest.fixture
def lesson():
    lesson = people.lesson(activity="corruption")
    for name in ("Amina", "Bilal"):
        student = people.student(lesson.classroom, name)
        Attendance.objects.create(lesson=lesson, student=student)
    return lesson


def four(stem="Who votes?", **fields):
    return bank.single(stem, **{"choices": ("All", "Men", "Kings", "Cats"), **fields})


def playable(owner):
    question_set = bank.question_set(owner=owner)
    bank.questions(question_set, four("One?"), four("Two?"))
    return question_set


def teacher_of(lesson):
    return TeacherActor(lesson.classroom.owner)


def choose(lesson, question_set, actor=None):
    preparing.save_setup(
        actor=actor or teacher_of(lesson),
        lesson_id=lesson.pk,
        setup=Setup(board="one-lesson", questions=str(question_set.pk)),
    )


def start(lesson, actor=None):
    (match,) = preparing.start_matches(actor=actor or teacher_of(lesson), lesson_id=lesson.pk)
    return match


def asked(match):
    """The questions in the deck that lies on the table."""
    cards = {
        card["id"]: card["question"]
        for card in match.contents.get(kind="qa").version.content["cards"]
    }
    return sorted(cards[card] for card in positions.load(match.pk).state.decks.qa)


def test_match_asks_from_the_chosen_set(lesson):
    choose(lesson, playable(lesson.classroom.owner))

    match = start(lesson)

    assert asked(match) == ["One?", "Two?"]
    kinds = {content.kind: content.version.deck.owner for content in match.contents.all()}
    assert kinds.pop("qa") == lesson.classroom.owner
    assert set(kinds.values()) == {None}


def test_without_a_choice_the_starter_deck_is_asked(lesson):
    assert len(asked(start(lesson))) == 30


def test_set_that_was_changed_before_the_start_is_asked_as_it_is_then(lesson):
    question_set = playable(lesson.classroom.owner)
    choose(lesson, question_set)
    preparing.make_teams(actor=teacher_of(lesson), lesson_id=lesson.pk)
    bank.questions(question_set, four("Three?"))

    assert asked(start(lesson)) == ["One?", "Three?", "Two?"]


def test_changing_the_set_during_a_match_changes_nothing_in_it(lesson):
    question_set = playable(lesson.classroom.owner)
    choose(lesson, question_set)
    match = start(lesson)
    before = positions.load(match.pk).state
    rows = in_set(question_set)
    save_question(
        actor=teacher_of(lesson), question_id=rows[0].pk, question=four("Changed?"), base=1
    )
    archive_questions(actor=teacher_of(lesson), question_ids=[rows[1].pk])

    assert asked(Match.objects.get(pk=match.pk)) == ["One?", "Two?"]
    assert positions.load(match.pk).state == before


@pytest.mark.parametrize("gone", ["archived", "unshared", "deleted"])
def test_match_goes_on_and_its_report_reads_when_the_set_is_gone(lesson, gone):
    actor = teacher_of(lesson)
    owner = people.teacher() if gone == "unshared" else lesson.classroom.owner
    question_set = playable(owner)
    if gone == "unshared":
        bank.shared(question_set, teacher=lesson.classroom.owner)
    choose(lesson, question_set)
    match = start(lesson)
    match_gone(gone, question_set)

    matches.end_match(match_id=match.pk, actor=actor)

    assert asked(match) == ["One?", "Two?"]
    client = logged_in(lesson.classroom.owner)
    for page in ("story", "results"):
        assert client.get(f"/matches/{match.pk}/{page}/").status_code == 200


def match_gone(gone, question_set):
    owner = TeacherActor(question_set.owner)
    if gone == "archived":
        archive_set(actor=owner, set_id=question_set.pk)
    elif gone == "deleted":
        delete_set(actor=owner, set_id=question_set.pk, typed_title=question_set.title)
    else:
        SetShare.objects.all().delete()


def test_lesson_can_still_be_started_when_the_set_is_gone(lesson):
    question_set = playable(lesson.classroom.owner)
    choose(lesson, question_set)
    match_gone("deleted", question_set)

    assert asked(start(lesson)) == ["One?", "Two?"]


def test_co_teacher_starts_what_the_owner_has_set_up_and_may_save_it_again(lesson):
    question_set = playable(lesson.classroom.owner)
    choose(lesson, question_set)
    colleague = people.teacher()
    CoTeacher.objects.create(classroom=lesson.classroom, teacher=colleague)
    actor = TeacherActor(colleague)

    choose(lesson, question_set, actor)

    assert asked(start(lesson, actor)) == ["One?", "Two?"]


@pytest.mark.case("AZ-01")
def test_foreign_set_cannot_be_chosen(lesson):
    with pytest.raises(BadSetup):
        choose(lesson, playable(people.teacher()))


def test_what_is_no_set_cannot_be_chosen(lesson):
    with pytest.raises(BadSetup):
        preparing.save_setup(
            actor=teacher_of(lesson), lesson_id=lesson.pk,
            setup=Setup(board="one-lesson", questions="nonsense"),
        )  # fmt: skip


def test_set_with_nothing_to_ask_cannot_be_chosen(lesson):
    question_set = bank.question_set(owner=lesson.classroom.owner)
    bank.questions(question_set, bank.single())

    with pytest.raises(NothingFits):
        choose(lesson, question_set)
    lesson.refresh_from_db()
    assert not lesson.settings
