"""Question sets as decks of matches: what is copied, pinned, and kept."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import ProtectedError
from django.utils import timezone

from classroom.access import TeacherActor
from classroom.errors import NotThere
from classroom.services.housekeeping import housekeep
from games import catalog
from games.decks.starters import starter_languages
from games.models import Deck, DeckVersion, Match, MatchContent
from games.selectors.question_sets import asked_from, set_choices
from games.services import decks, question_decks
from games.services.question_decks import NothingFits, pinned, refresh, take_over
from quizzes.access import sets_of
from quizzes.formats import question as values
from quizzes.formats.question import TrueFalse
from quizzes.models import Picture, Question, QuestionSet
from quizzes.selectors.questions import in_set, newest
from quizzes.services import pictures
from quizzes.services.arranging import archive_questions
from quizzes.services.editing import save_question
from quizzes.services.sets import archive_set, copy_set, delete_set
from tests.factories import bank, people

pytestmark = pytest.mark.django_db
GAME = catalog.GAMES["corruption"]


def four(stem="Who votes?", **fields):
    return bank.single(stem, **{"choices": ("All", "Men", "Kings", "Cats"), **fields})


def playable(**fields):
    """A set with two questions that fit and one that does not."""
    question_set = bank.question_set(**fields)
    bank.questions(question_set, four("One?"), four("Two?"), TrueFalse(stem="So?", right=True))
    return question_set


def actor_of(question_set):
    return TeacherActor(question_set.owner)


def asked(version):
    return [card["question"] for card in version.content["cards"]]


def test_version_holds_what_fits_and_is_made_once_for_the_same_content():
    question_set = playable()

    first = take_over(actor=actor_of(question_set), game=GAME, set_id=question_set.pk)
    again = take_over(actor=actor_of(question_set), game=GAME, set_id=question_set.pk)

    assert asked(first) == ["One?", "Two?"]
    assert again == first
    assert (first.deck.title, first.deck.owner, first.saved_by) == (
        "Votes", question_set.owner, question_set.owner,
    )  # fmt: skip


def test_changed_set_makes_a_further_version_and_leaves_the_first_as_it_is():
    question_set = playable()
    actor = actor_of(question_set)
    first = take_over(actor=actor, game=GAME, set_id=question_set.pk)
    row = in_set(question_set)[0]
    save_question(actor=actor, question_id=row.pk, question=four("Changed?"), base=1)

    second = take_over(actor=actor, game=GAME, set_id=question_set.pk)

    assert asked(second) == ["Changed?", "Two?"]
    assert asked(DeckVersion.objects.get(pk=first.pk)) == ["One?", "Two?"]
    assert (second.deck, second.number) == (first.deck, 2)


def test_set_without_a_question_that_fits_is_refused():
    question_set = bank.question_set()
    bank.questions(question_set, bank.single())

    with pytest.raises(NothingFits):
        take_over(actor=actor_of(question_set), game=GAME, set_id=question_set.pk)
    assert not Deck.objects.exists()


def test_picture_of_a_question_is_kept_as_long_as_a_version_shows_it():
    question_set = bank.question_set()
    picture = bank.picture(question_set.owner)
    ref = values.Picture(ref=picture.ref, alt="A ballot")
    bank.questions(question_set, four(picture=ref), four("Two?", picture=ref))
    version = take_over(actor=actor_of(question_set), game=GAME, set_id=question_set.pk)

    delete_set(actor=actor_of(question_set), set_id=question_set.pk, typed_title="Votes")

    assert version.content["cards"][0]["picture"] == {"id": str(picture.pk), "alt": "A ballot"}
    with pytest.raises(ProtectedError):
        picture.delete()


@pytest.mark.case("AZ-01")
def test_foreign_set_is_not_there():
    question_set = playable()

    with pytest.raises(NotThere):
        take_over(actor=TeacherActor(people.teacher()), game=GAME, set_id=question_set.pk)


def test_choices_are_the_sets_with_questions_that_can_be_asked():
    teacher = people.teacher()
    playable(owner=teacher, title="B mine")
    shared = playable(title="A shared")
    bank.shared(shared, teacher=teacher)
    playable(title="foreign")
    bank.questions(bank.question_set(owner=teacher, title="empty"), bank.single())
    archive_set(actor=TeacherActor(teacher), set_id=playable(owner=teacher).pk)
    away = playable(owner=teacher, title="away")
    archive_questions(
        actor=TeacherActor(teacher), question_ids=[q.pk for q in away.questions.all()]
    )
    question_decks.load_question_sets()

    found = [(choice.title, choice.many) for choice in set_choices(TeacherActor(teacher))]

    assert found == [("B mine", 2), ("A shared", 2)]


def test_lesson_without_a_set_asks_from_the_starter_deck():
    refresh(actor=TeacherActor(people.teacher()), game=GAME, questions="")

    assert pinned(GAME, "") == {}


def test_lesson_starts_with_what_the_set_says_then():
    question_set = playable()
    actor = actor_of(question_set)
    take_over(actor=actor, game=GAME, set_id=question_set.pk)
    bank.questions(question_set, four("Three?"))

    refresh(actor=actor, game=GAME, questions=str(question_set.pk))

    assert asked(pinned(GAME, str(question_set.pk))["qa"]) == ["One?", "Two?", "Three?"]


@pytest.mark.parametrize("gone", ["deleted", "foreign", "emptied"])
def test_set_that_is_gone_is_asked_as_it_was_kept(gone):
    question_set = playable()
    actor = actor_of(question_set)
    kept = take_over(actor=actor, game=GAME, set_id=question_set.pk)
    questions = str(question_set.pk)
    if gone == "deleted":
        delete_set(actor=actor, set_id=question_set.pk, typed_title="Votes")
    elif gone == "foreign":
        actor = TeacherActor(people.teacher())
    else:
        ids = [question.pk for question in in_set(question_set)]
        archive_questions(actor=actor, question_ids=ids)

    refresh(actor=actor, game=GAME, questions=questions)

    assert pinned(GAME, questions) == {"qa": kept}


def test_set_that_is_gone_and_was_never_kept_leaves_the_starter_deck():
    assert pinned(GAME, str(playable().pk)) == {}


def test_teacher_is_told_how_many_questions_are_asked_and_why_not_all():
    question_set = playable()
    bank.questions(
        question_set,
        TrueFalse(stem="Or so?", right=False),
        bank.single("Three?", choices=("A", "B", "C"), right=0),
        four("x" * 601),
        four("Four?", choices=("A", "a", "B", "C")),
    )
    actor = actor_of(question_set)

    told = asked_from(actor, GAME, str(question_set.pk))

    assert (told.title, told.fits, told.many) == ("Votes", 2, 7)
    assert told.others == (
        "2 are of another kind than “one right answer”.",
        "1 has more or fewer than four answers.",
        "1 is too long for a card.",
        "1 has two answers that look the same.",
    )


def test_teacher_is_told_that_a_set_is_asked_as_it_was_kept():
    question_set = playable()
    take_over(actor=actor_of(question_set), game=GAME, set_id=question_set.pk)

    told = asked_from(TeacherActor(people.teacher()), GAME, str(question_set.pk))

    assert (told.title, told.set_id, told.fits, told.many) == ("Votes", None, 2, 2)
    assert asked_from(actor_of(question_set), GAME, "") is None


def test_starter_decks_are_read_only_sets_of_the_bank_that_can_be_copied():
    changed = question_decks.load_question_sets()
    again = question_decks.load_question_sets()
    teacher = people.teacher()

    built_in = QuestionSet.objects.filter(owner=None).order_by("language")
    copy = copy_set(actor=TeacherActor(teacher), set_id=built_in.get(language="en").pk)

    languages = sorted(starter_languages("corruption"))
    assert (changed, again) == (len(languages), 0)
    assert [one.language for one in built_in] == languages
    assert set(built_in) < set(sets_of(teacher))
    assert newest(in_set(copy)) == newest(in_set(built_in.get(language="en")))
    assert len(asked(take_over(actor=TeacherActor(teacher), game=GAME, set_id=copy.pk))) == 30


def test_starter_deck_that_changed_keeps_the_questions_that_did_not():
    question_decks.load_question_sets()
    question_set = QuestionSet.objects.get(language="en")
    first = in_set(question_set)[0]
    Question.objects.filter(pk=in_set(question_set)[1].pk).delete()
    bank_only = newest(in_set(question_set))

    changed = question_decks.load_question_sets()

    assert changed == 1
    assert len(in_set(question_set)) == len(bank_only) + 1
    assert in_set(question_set)[0] == first


def old(*versions):
    """Versions that were saved two days ago."""
    long_ago = timezone.now() - timedelta(days=2)
    DeckVersion.objects.filter(pk__in=[v.pk for v in versions]).update(saved_at=long_ago)


def test_versions_that_nobody_plays_or_waits_for_are_forgotten_with_their_pictures():
    question_set = bank.question_set()
    picture = bank.picture(question_set.owner)
    bank.questions(question_set, four(picture=values.Picture(ref=picture.ref)))
    old(take_over(actor=actor_of(question_set), game=GAME, set_id=question_set.pk))

    due = question_decks.forget_decks(dry=True)
    forgotten = question_decks.forget_decks()

    assert (due, forgotten, Deck.objects.count()) == (1, 1, 0)
    delete_set(actor=actor_of(question_set), set_id=question_set.pk, typed_title="Votes")
    picture.delete()


def test_version_stays_while_it_is_new_or_played_or_waited_for():
    question_set = playable()
    actor = actor_of(question_set)
    played = take_over(actor=actor, game=GAME, set_id=question_set.pk)
    match = Match.objects.create(lesson=people.lesson(), number=1, game=GAME.key)
    MatchContent.objects.create(match=match, kind="qa", version=played)
    versions = []
    for stem in ("Three?", "Four?"):
        bank.questions(question_set, four(stem))
        versions.append(take_over(actor=actor, game=GAME, set_id=question_set.pk))
    people.lesson(settings={"board": "one-lesson", "questions": str(question_set.pk)})
    people.lesson(settings={"board": "one-lesson"})
    before = question_decks.forget_decks()
    old(played, *versions)

    forgotten = question_decks.forget_decks()

    assert (before, forgotten) == (0, 1)
    assert set(DeckVersion.objects.all()) == {played, versions[1]}


def test_starter_decks_are_never_forgotten():
    decks.load_starters()
    old(*DeckVersion.objects.all())

    assert question_decks.forget_decks() == 0


def test_housekeeping_keeps_a_picture_as_long_as_a_match_may_show_it():
    question_set = bank.question_set()
    picture = bank.picture(
        question_set.owner, created_at=timezone.now() - pictures.UNUSED_KEPT - timedelta(days=1)
    )
    bank.questions(question_set, four(picture=values.Picture(ref=picture.ref)))
    version = take_over(actor=actor_of(question_set), game=GAME, set_id=question_set.pk)
    match = Match.objects.create(lesson=people.lesson(), number=1, game=GAME.key)
    MatchContent.objects.create(match=match, kind="qa", version=version)
    old(version)
    delete_set(actor=actor_of(question_set), set_id=question_set.pk, typed_title="Votes")

    housekeep()
    kept = Picture.objects.filter(pk=picture.pk).exists()
    match.delete()
    for _run in range(2):  # the deck goes in one run, the picture may go in the next
        housekeep()

    assert kept
    assert not Picture.objects.filter(pk=picture.pk).exists()
