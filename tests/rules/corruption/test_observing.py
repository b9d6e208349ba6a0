"""Who may know what (COR-QA-3, COR-QA-9, the secrecy table in section 4)."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from games.engine.chance import seeded
from games.engine.game import Watcher
from games.rules.corruption.content import CardPicture
from games.rules.corruption.events import QuestionAnswered, QuestionDrawn, QuestionSkipped
from games.rules.corruption.moves import AnswerQuestion, AskQuestion, SkipQuestion
from games.rules.corruption.observation import ChargeView, ClaimView, InspectionView, Waiting
from games.rules.corruption.options import Options
from games.rules.corruption.ruleset import CorruptionRuleset
from games.rules.corruption.state import Charge, Claim, ForcedSale, Judgement, Sentence
from tests.rules.corruption.sitting import (
    BLUE,
    CONTENT,
    IN_ORDER,
    RED,
    Sitting,
    drawn,
    full,
    state,
    team,
    village,
)

PUBLIC, TEACHER = Watcher.PUBLIC, Watcher.TEACHER
EVERYBODY = (RED, BLUE, PUBLIC, TEACHER)
CARD = CONTENT.qa["Q01"]


def seen(game, viewer):
    return game.ruleset.observe(game.state, viewer)


@pytest.mark.rule("COR-CORR-8", "COR-INS-7")
@pytest.mark.parametrize("viewer", EVERYBODY)
def test_everything_of_both_teams_is_open(viewer):
    red = team(tokens=4, debt=3, missed=2, donations=("D01",), owns={"school": 2}, insurance=1)
    blue = team(position=24, sentence=Sentence(1, wipe=True))
    game = Sitting(state(red=red, blue=blue, bank=7))

    observation = seen(game, viewer)

    assert observation.teams == (red, blue)
    assert (observation.bank, observation.river) == (7, game.state.river)
    assert observation.waiting == Waiting(seat=RED, kind="roll")
    assert observation.phase == "play"


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_the_order_of_the_decks_is_in_no_observation(viewer):
    game = Sitting(state())
    other = replace(game.state, decks=Sitting(state(corruption="C20", qa="Q09")).state.decks)

    assert game.ruleset.observe(other, viewer) == seen(game, viewer)


@pytest.mark.rule("COR-QA-3")
@pytest.mark.parametrize(("viewer", "knows"), [(RED, 0), (BLUE, 1), (PUBLIC, 0), (TEACHER, 1)])
def test_the_right_answer_of_an_open_question(viewer, knows):
    game = drawn().play(AskQuestion())

    question = seen(game, viewer).question

    assert question.text == CARD.question
    assert question.options == tuple(CARD.options.values())
    assert (question.correct, question.explanation) == (
        ("c", CARD.explanation) if knows else (None, None)
    )


@pytest.mark.rule("COR-QA-3")
def test_the_teams_change_places_when_blue_has_to_answer():
    position = state(blue=team(position=1), turn=BLUE, qa="Q01")
    game = Sitting(position).roll(3, *IN_ORDER).play(AskQuestion())

    assert seen(game, RED).question.correct == "c"
    assert seen(game, BLUE).question.correct is None


@pytest.mark.rule("COR-QA-1", "COR-QA-3")
@pytest.mark.parametrize(("viewer", "reads"), [(RED, 0), (BLUE, 1), (PUBLIC, 0), (TEACHER, 1)])
def test_before_it_is_read_out_only_the_asking_team_has_the_question(viewer, reads):
    question = seen(drawn(), viewer).question

    assert (question.text is not None) == reads
    assert (question.options is not None) == reads
    assert question.topic == (CARD.topic if reads else None)
    assert (question.correct is not None) == reads


@pytest.mark.rule("COR-QA-1", "COR-QA-3")
@pytest.mark.parametrize(("viewer", "sees"), [(RED, 0), (BLUE, 1), (PUBLIC, 0), (TEACHER, 1)])
def test_picture_and_language_are_told_to_whoever_reads_the_question(viewer, sees):
    picture = CardPicture(id="p1", alt="A ballot")
    qa = {**CONTENT.qa, "Q01": replace(CARD, picture=picture, language="ar")}
    ruleset = CorruptionRuleset(replace(CONTENT, qa=qa), Options())
    before = drawn().state
    after = drawn().play(AskQuestion()).state

    told = [ruleset.observe(position, viewer).question for position in (before, after)]
    assert [(one.picture, one.language) for one in told] == [
        (picture, "ar") if sees else (None, ""),
        (picture, "ar"),
    ]


@pytest.mark.rule("COR-QA-9")
@pytest.mark.parametrize("viewer", EVERYBODY)
@pytest.mark.parametrize("letter", ["a", "c", None])
def test_after_the_answer_everybody_knows(viewer, letter):
    game = drawn().play(AskQuestion()).play(AnswerQuestion(letter))

    question = seen(game, viewer).question

    assert (question.letter, question.correct) == (letter, "c")
    assert question.explanation == CARD.explanation


@pytest.mark.rule("COR-QA-3")
@pytest.mark.parametrize("viewer", [RED, PUBLIC])
def test_nothing_sent_before_the_answer_leads_to_the_card(viewer):
    game = drawn().play(AskQuestion())
    told = [game.ruleset.tell(event, viewer) for event in game.events]

    sent = msgspec.json.encode([seen(game, viewer), told]).decode()

    assert "Q01" not in sent
    assert CARD.explanation not in sent
    assert QuestionDrawn(seat=RED, card="") in told


@pytest.mark.rule("COR-QA-3")
def test_questions_are_no_public_content():
    game = drawn()

    public = msgspec.json.encode(game.ruleset.public_content()).decode()

    assert CARD.question not in public
    assert CONTENT.corruption["C01"].text in public


@pytest.mark.rule("COR-QA-9")
@pytest.mark.parametrize("viewer", EVERYBODY)
def test_the_result_of_an_answer_is_told_to_everybody(viewer):
    game = drawn().play(AskQuestion()).play(AnswerQuestion("a"))

    (answered,) = game.happened(QuestionAnswered)

    assert game.ruleset.tell(answered, viewer) == answered


@pytest.mark.rule("COR-QA-3", "COR-QA-11")
@pytest.mark.parametrize("viewer", [RED, BLUE, PUBLIC])
def test_a_card_that_was_put_away_stays_unknown(viewer):
    game = drawn().play(AskQuestion()).play(SkipQuestion())

    told = [game.ruleset.tell(event, viewer) for event in game.happened(QuestionSkipped)]

    assert told == [QuestionSkipped(seat=RED, card="")]
    assert seen(game, viewer).question is None


def test_the_teacher_is_told_the_card_of_a_question():
    (event,) = drawn().happened(QuestionDrawn)

    assert drawn().ruleset.tell(event, TEACHER) == event


def test_a_claim_shows_what_the_river_gives():
    claim = Claim(RED, "public", chance=False)
    game = Sitting(state(agenda=(claim,), die=5, river=3))

    assert seen(game, BLUE).claim == ClaimView(category="public", fish=3)


def test_a_charge_shows_what_is_missing_and_what_each_sale_brings():
    charge = Charge(RED, 4, "river", "corruption")
    red = team(possession=1, owns={"harbor": 6, "house": 2})
    game = Sitting(state(red=red, agenda=(ForcedSale(RED, charge),), river=4))

    prices = (4, 1, *(None,) * 12)  # the Harbor's five are more than the river has
    assert seen(game, RED).charge == ChargeView(
        amount=4, shortfall=3, reason="corruption", prices=prices
    )


def test_a_judgement_shows_both_options_of_the_row():
    red = team(possession=4, tokens=5, donations=("D01",))
    game = Sitting(state(red=red, agenda=(Judgement(RED),)))

    assert seen(game, RED).inspection == InspectionView(
        row="56",
        fine_fish=2,
        fine_rounds=0,
        fine_donation=True,
        wipe_fish=4,
        wipe_rounds=1,
        wipe_open=True,
    )


def test_a_finished_game_says_so():
    red = team(position=40, owns=village(without=("park",)))
    game = Sitting(state(red=red)).roll(1).play(full("park"))

    observation = seen(game, PUBLIC)

    assert (observation.phase, observation.winner, observation.waiting) == ("over", RED, None)
    assert observation.seat is None


def test_a_reshuffle_keeps_the_cards_and_the_open_question():
    game = drawn().play(AskQuestion())

    mixed = game.ruleset.reshuffle(game.state, seeded(3))

    for deck in ("corruption", "national", "local", "donation", "qa"):
        before, after = getattr(game.state.decks, deck), getattr(mixed.decks, deck)
        assert sorted(before) == sorted(after)
    assert mixed.decks != game.state.decks
    assert replace(mixed, decks=game.state.decks) == game.state
