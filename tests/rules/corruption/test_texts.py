"""Everything that the game says: complete, true in its numbers, and in one voice."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, get_args

import pytest
from msgspec import Struct
from msgspec.structs import replace

from games.bots.bot import Bot, RandomBot, bot_move
from games.bots.roster import bots_for
from games.decks.starters import starter_content
from games.engine.chance import seeded
from games.engine.game import Decision, Step
from games.engine.moves import Amount
from games.engine.options import option_fields
from games.engine.refusals import IllegalMove
from games.engine.text import Text, english
from games.rules.corruption import events as e, moves as m, refusals, texts
from games.rules.corruption.game import Corruption
from games.rules.corruption.options import Options
from games.rules.corruption.ruleset import CorruptionRuleset
from games.rules.corruption.state import (
    BLUE,
    RED,
    Answer,
    Charge,
    Claim,
    ForcedSale,
    Insure,
    Judgement,
    Purchase,
    Question,
    QuestionReward,
    State,
    Throw,
)
from tests.rules.corruption.sitting import CONTENT, Sitting, full, half, ruleset, state, team

PLAIN = starter_content("corruption")


class Seen(Struct, frozen=True):
    """One decision of a simulated game: before it, the move, and after it."""

    rules: CorruptionRuleset
    before: State
    decision: Decision
    move: Any
    step: Step[Any, Any]


@cache
def played() -> tuple[Seen, ...]:
    """Games with random options, between a wild bot and one with a purpose."""
    chance = seeded(7)
    seen = []
    for _ in range(30):
        options = Options(
            **{
                field.name: chance.choice(field.values)
                for field in option_fields(Options)
                if field.name != "river_supply"
            }
        )
        rules = Corruption().ruleset(options, PLAIN)
        wild: Bot = RandomBot()
        bots = (*bots_for(Corruption(), PLAIN).values(), wild)
        pair = (chance.choice(bots), chance.choice(bots))
        seen.extend(game(rules, pair, seed=chance.below(1_000_000)))
    return tuple(seen)


def game(rules: CorruptionRuleset, bots: tuple[Bot, Bot], *, seed: int) -> list[Seen]:
    chance = seeded(seed)
    step = rules.setup(2, chance)
    seen = []
    while (open_now := rules.decisions(step.state)) and len(seen) < 400:
        (decision,) = open_now
        before = step.state
        moves = rules.legal_moves(before, decision.seat)
        move = bot_move(rules, before, decision, bots[decision.seat], chance)
        if not chance.below(4):
            move = moves.any(chance)
        step = rules.apply(before, decision.seat, move, chance)
        seen.append(Seen(rules, before, decision, move, step))
    return seen


def told(text: Text) -> str:
    """The sentence, which must be whole."""
    sentence = english(text)
    assert sentence.strip()
    assert "%(" not in sentence
    return sentence


EVENTS: tuple[e.AnyEvent, ...] = (
    e.RolledForStart(seat=None, dice=(3, 3)),
    e.RolledForStart(seat=BLUE, dice=(3, 5)),
    e.TurnStarted(seat=RED),
    e.TurnSkipped(seat=RED, left=0),
    e.TurnSkipped(seat=RED, left=1),
    e.TurnInPrison(seat=RED, rounds=2),
    e.Rolled(seat=RED, die=4),
    e.Walked(seat=RED, path=(27, 28)),
    *(e.Moved(seat=RED, square=0, reason=reason) for reason in get_args(e.DirectMove)),
    *(
        e.FishMoved(seat=RED, source="red", target="river", amount=2, reason=reason)
        for reason in e.FISH_RULES
    ),
    e.FishLeft(seat=RED, amount=3),
    e.Bought(seat=RED, property="hospital", paid=4),
    e.Bought(seat=RED, property="hospital", paid=2, donation="D01"),
    e.Sold(seat=RED, property="hospital", fish=3, forced=True),
    e.Borrowed(seat=RED, debt=2, fish=2),
    e.Borrowed(seat=RED, debt=2, fish=1),
    e.PropertyLost(seat=RED, property="hospital", needed=2),
    e.PropertySaved(seat=RED, property="hospital", fish=2),
    e.CategoryCompleted(seat=RED, category="public", reward=True),
    e.CategoryCompleted(seat=RED, category="public", reward=False),
    e.VillageCompleted(seat=RED, tokens=0),
    e.VillageCompleted(seat=RED, tokens=2),
    e.CardDrawn(seat=RED, deck="corruption", card="C01"),
    e.CardDrawn(seat=RED, deck="national", card="N01"),
    e.CardDrawn(seat=RED, deck="local", card="L01"),
    e.CardDrawn(seat=RED, deck="donation", card="D01"),
    e.TokenTaken(seat=RED, card="C01", tokens=1),
    e.TurnsLost(seat=RED, turns=1, total=2, reason="corruption"),
    e.Inspected(seat=RED, tokens=1, row="12"),
    e.Sentenced(seat=RED, row="56", choice="fine", fish=2, rounds=0, donation=True),
    e.Sentenced(seat=RED, row="78", choice="wipe", fish=1, rounds=2, donation=False),
    e.Sentenced(seat=RED, row="12", choice="wipe", fish=2, rounds=0, donation=False),
    e.DonationGiven(seat=RED, card="D01"),
    e.RecordWiped(seat=RED, tokens=3),
    e.Jailed(seat=RED, rounds=1, wipe=True),
    e.Jailed(seat=RED, rounds=1, wipe=False),
    e.RoundServed(seat=RED, left=1),
    e.QuestionDrawn(seat=RED, card="Q01"),
    e.QuestionAsked(seat=RED),
    e.QuestionAnswered(seat=RED, card="Q01", letter="c", correct="c", right=True),
    e.QuestionAnswered(seat=RED, card="Q01", letter="a", correct="c", right=False),
    e.QuestionAnswered(seat=RED, card="Q01", letter=None, correct="c", right=False),
    e.QuestionSkipped(seat=RED, card="Q01"),
    e.RewardChosen(seat=RED, reward="fish"),
    e.RewardChosen(seat=RED, reward="roll"),
    *(e.NothingHappened(seat=RED, why=why) for why in get_args(e.Quiet)),
    e.Won(seat=RED),
)


def test_every_event_has_a_line_and_a_rule():
    assert {type(event) for event in EVENTS} == set(get_args(e.AnyEvent))
    assert all(told(texts.line(CONTENT, event)) and event.rule for event in EVENTS)


def test_lines_of_different_events_differ():
    lines = [told(texts.line(CONTENT, event)) for event in EVENTS]

    assert len(set(lines)) == len(lines)


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (e.Rolled(seat=RED, die=4), "Red rolls 4."),
        (
            e.FishMoved(seat=RED, source="river", target="red", amount=4, reason="collect"),
            "Red claims 4 fish from the river for its roll.",
        ),
        (
            e.Bought(seat=BLUE, property="hospital", paid=2, donation="D01"),
            "Blue buys the Hospital with a donation, for only 2 fish.",
        ),
        (
            e.TurnsLost(seat=BLUE, turns=1, total=1, reason="corruption"),
            "Blue has to miss 1 turn. In all: 1.",
        ),
        (
            e.TurnSkipped(seat=BLUE, left=2),
            "Blue misses this turn. Still to miss: 2 turns.",
        ),
        (
            e.Sentenced(seat=RED, row="56", choice="wipe", fish=4, rounds=1, donation=False),
            "Red clears its record: 4 fish and 1 round in prison.",
        ),
        (
            e.Borrowed(seat=RED, debt=2, fish=1),
            "The river has too few fish: it lends Red 1 fish, "
            "and Red owes it 2 fish more than before.",
        ),
    ],
)
def test_lines_in_full(event, line):
    assert told(texts.line(CONTENT, event)) == line


@pytest.mark.rule("COR-GOAL-7")
def test_a_corruption_card_shows_its_act_and_why_it_matters():
    card = CONTENT.corruption["C01"]

    act = told(texts.line(CONTENT, e.CardDrawn(seat=RED, deck="corruption", card="C01")))
    why = told(texts.line(CONTENT, e.TokenTaken(seat=RED, card="C01", tokens=1)))

    assert act == f"Red draws a Corruption card: {card.text}"
    assert why == f"Red takes a token and now has 1 token. Why it matters: {card.why}"


@pytest.mark.rule("COR-QA-9")
def test_both_teams_read_the_right_answer_and_the_explanation_afterwards():
    card = CONTENT.qa["Q01"]
    answered = e.QuestionAnswered(seat=RED, card="Q01", letter="a", correct="d", right=False)

    line = told(texts.line(CONTENT, answered))

    assert line == f"Red answers a. Right is d: at birth. {card.explanation}"


def test_every_kind_of_decision_has_its_questions():
    kinds = {seen.decision.kind for seen in played()}

    assert kinds == set(texts.DECISION_KINDS)
    for seen in played():
        assert told(seen.rules.ask(seen.before, seen.decision)).endswith((".", "?"))
        assert told(seen.rules.waiting(seen.before, seen.decision)).startswith(("Red ", "Blue "))


def test_every_listed_move_has_words_and_a_price():
    kinds = set()
    for seen in played():
        moves = seen.rules.legal_moves(seen.before, seen.decision.seat)
        listed = [moves.of(moves.minimum)] if isinstance(moves, Amount) else list(moves.moves)
        for move in {*listed, seen.move}:
            kinds.add(type(move))
            assert told(seen.rules.label(seen.before, seen.decision.seat, move))
            assert told(seen.rules.cost(seen.before, seen.decision.seat, move)).endswith(".")
    assert kinds == set(get_args(m.AnyMove)) - {m.SkipQuestion}


def test_the_teachers_skip_has_words_and_a_price():
    (seen, *_others) = [seen for seen in played() if seen.decision.kind == "qa_answer"]
    skip, seat = seen.rules.skip_question(seen.before), seen.decision.seat

    assert told(seen.rules.label(seen.before, seat, skip)) == "Skip this question"
    assert told(seen.rules.cost(seen.before, seat, skip)) == "Nothing is won or lost."


def test_options_of_one_decision_can_be_told_apart():
    for seen in played():
        moves, seat = seen.rules.legal_moves(seen.before, seen.decision.seat), seen.decision.seat
        if not isinstance(moves, Amount):
            words = {
                told(seen.rules.label(seen.before, seat, move))
                + told(seen.rules.cost(seen.before, seat, move))
                for move in moves.moves
            }
            assert len(words) == len(moves)


LEFT = re.compile(r"you (?:then )?(?:keep|have) (\d+) fish")


def test_what_a_price_says_is_left_is_left():
    """The fish that a move itself moves, read from its events, against its words."""
    direct = {
        m.Collect: {"collect", "repayment"},
        m.Buy: {"purchase"},
        m.Deposit: {"deposit"},
        m.ChooseReward: {"question", "repayment"},
        m.Leave: set(),
        m.Pass: set(),
    }
    checked = set()
    for seen in played():
        seat = seen.decision.seat
        said = LEFT.search(told(seen.rules.cost(seen.before, seat, seen.move)))
        if said is None or type(seen.move) not in direct:
            continue
        own = e.POSSESSION[seat]
        have = seen.before.teams[seat].possession
        for event in seen.step.events:
            if isinstance(event, e.FishMoved) and event.reason in direct[type(seen.move)]:
                have += event.amount * ((event.target == own) - (event.source == own))
            elif isinstance(event, e.TurnStarted):
                break
        assert int(said[1]) == have, seen.move
        checked.add(type(seen.move))
    assert checked == set(direct)


@pytest.mark.parametrize(
    ("position", "options", "move", "label", "cost"),
    [
        (
            state(red=team(possession=6), agenda=(Purchase(RED, "public", reward=True),)),
            {},
            full("hospital"),
            "Buy the Hospital",
            "4 fish to the river; you keep 2 fish.",
        ),
        (
            state(
                red=team(possession=3, donations=("D01",), owns={"harbor": 6, "house": 2}),
                agenda=(Purchase(RED, "public", reward=True),),
            ),
            {},
            half("hospital"),
            "Buy the Hospital with a donation",
            "2 fish to the river and the card is used up; you keep 1 fish. Public is complete.",
        ),
        (
            state(
                red=team(possession=3, donations=("D01",)),
                agenda=(Purchase(RED, "public", reward=True),),
            ),
            {},
            m.Buy("hospital"),
            "Buy the Hospital",
            "2 fish to the river and the card is used up; you keep 1 fish.",
        ),
        (
            state(red=team(possession=6), die=4, agenda=(Claim(RED, "public", chance=False),)),
            {},
            full("hospital"),
            "Buy the Hospital",
            "4 fish to the river; you keep 2 fish. The fish of this roll are lost.",
        ),
        (
            state(
                red=team(possession=1, debt=3), die=4, agenda=(Claim(RED, "public", chance=False),)
            ),
            {},
            m.Collect(),
            "Take the fish",
            "4 fish from the river, 3 back for your debt; then you have 2 fish.",
        ),
        (
            state(
                red=team(possession=0, debt=5), die=4, agenda=(Claim(RED, "public", chance=False),)
            ),
            {"debt_repayment": "full_only"},
            m.Collect(),
            "Take the fish",
            "4 fish from the river; then you have 4 fish.",
        ),
        (
            state(
                red=team(possession=1), river=2, die=5, agenda=(Claim(RED, "public", chance=False),)
            ),
            {},
            m.Collect(),
            "Take the fish",
            "2 fish from the river; then you have 3 fish.",
        ),
        (
            state(
                red=team(possession=1),
                river=-2,
                die=5,
                agenda=(Claim(RED, "public", chance=False),),
            ),
            {"river_supply": "unlimited"},
            m.Collect(),
            "Take the fish",
            "5 fish from the river; then you have 6 fish.",
        ),
        (
            state(red=team(possession=6, insurance=2), agenda=(Insure(RED),)),
            {},
            m.Deposit(1),
            "Insure 1 fish",
            "Insured then: 3 fish, for disasters only; you keep 5 fish.",
        ),
        (
            state(
                red=team(possession=1, owns={"harbor": 6}),
                agenda=(ForcedSale(RED, Charge(RED, 3, "bank", "category_tax")),),
            ),
            {},
            m.Sell("harbor"),
            "Sell the Harbor",
            "Brings 5 fish and covers what you owe; you keep 3 fish.",
        ),
        (
            state(
                red=team(possession=0, owns={"house": 2}),
                agenda=(ForcedSale(RED, Charge(RED, 3, "river", "corruption")),),
            ),
            {},
            m.Sell("house"),
            "Sell the House",
            "Brings 1 fish; you still need 2 fish more.",
        ),
        (
            state(red=team(possession=1, owns={"house": 1}), agenda=(Throw(RED, start=True),)),
            {"voluntary_sale": True},
            m.Sell("house"),
            "Sell the House",
            "Brings 0 fish; you have 1 fish.",
        ),
        (
            state(red=team(possession=5, tokens=4), agenda=(Judgement(RED),)),
            {},
            m.Fine(),
            "Pay the fine",
            "2 fish; your 4 tokens stay. You keep 3 fish.",
        ),
        (
            state(red=team(possession=1, tokens=5, donations=("D03",)), agenda=(Judgement(RED),)),
            {},
            m.Fine(),
            "Pay the fine",
            "2 fish and one donation; your 5 tokens stay. "
            "You have only 1 fish: you sell or borrow.",
        ),
        (
            state(red=team(possession=5, tokens=1), agenda=(Judgement(RED),)),
            {},
            m.Wipe(),
            "Clear the record",
            "2 fish; your record is clean at once. You keep 3 fish.",
        ),
        (
            state(red=team(possession=5, tokens=8), agenda=(Judgement(RED),)),
            {},
            m.Wipe(),
            "Clear the record",
            "1 fish and 2 rounds in prison; your record is clean when you have served it. "
            "You keep 4 fish.",
        ),
    ],
)
def test_buttons_in_full(position, options, move, label, cost):
    rules = ruleset(**options)

    assert told(rules.label(position, RED, move)) == label
    assert told(rules.cost(position, RED, move)) == cost


def test_finishing_purchase_says_so():
    everything = {item.id: item.price for item in CONTENT.board.properties.values()}
    position = state(
        red=team(possession=4, owns={k: v for k, v in everything.items() if k != "park"}),
        agenda=(Purchase(RED, "environment", reward=True),),
    )

    cost = told(ruleset().cost(position, RED, full("park")))

    assert cost == "2 fish to the river; you keep 2 fish. Your village is complete."


@pytest.mark.parametrize(
    ("effect", "question"),
    [
        (Throw(RED, start=True), "Your turn. Roll the die."),
        (Throw(RED, start=False), "You won a new roll. Roll the die."),
        (
            Purchase(RED, "public", reward=True),
            "Your village may buy one Public property. You have 6 fish.",
        ),
        (
            ForcedSale(RED, Charge(RED, 7, "river", "corruption")),
            "You owe 7 fish for the fine on the card and have 6. What do you sell?",
        ),
        (
            Judgement(RED),
            "The Inspector counts 1 token. Do you pay the fine or clear your record?",
        ),
        (QuestionReward(RED), "That is right. Do you take 1 fish or roll again?"),
    ],
)
def test_questions_in_full(effect, question):
    sitting = Sitting(state(red=team(tokens=1, owns={"house": 2}), agenda=(effect,)))
    (decision,) = sitting.ruleset.decisions(sitting.state)

    assert told(sitting.ruleset.ask(sitting.state, decision)) == question


def test_answers_are_shown_in_the_order_of_this_match():
    position = state(agenda=(Answer(RED),))
    asked = Question(card="Q01", seat=RED, order=("c", "a", "d", "b"), asked=True)

    labels = [
        told(ruleset().label(replace(position, question=asked), RED, m.AnswerQuestion(letter)))
        for letter in ("a", "b", "c", "d")
    ]

    assert labels == ["a: at birth", "b: at 12", "c: at 30", "d: at 18"]


def test_standing_counts_the_village_and_shows_debt_only_if_there_is_one():
    position = state(
        red=team(possession=8, insurance=3, tokens=2, donations=("D01",), owns={"house": 2}),
        blue=team(possession=5, debt=4),
    )

    red, blue = ruleset().standing(position)

    assert [(figure.symbol, figure.value, figure.out_of) for figure in red] == [
        ("fish", 8, None),
        ("insurance", 3, None),
        ("token", 2, None),
        ("donation", 1, None),
        ("house", 1, 14),
    ]
    assert [(figure.symbol, figure.value) for figure in blue][-1] == ("debt", 4)


def all_refusals() -> list[type[IllegalMove]]:
    return [
        each
        for each in vars(refusals).values()
        if isinstance(each, type) and issubclass(each, IllegalMove) and each is not IllegalMove
    ]


@pytest.mark.parametrize("refusal", all_refusals(), ids=lambda refusal: refusal.__name__)
def test_refusal_has_code_rule_and_a_sentence_that_helps(refusal):
    assert re.fullmatch(r"corruption\.[a-z-]+", refusal.code)
    assert re.fullmatch(r"COR-[A-Z]+-[A-Z]?\d+", refusal.rule)
    assert told(refusal().text).endswith(".")


def test_refusals_have_codes_of_their_own():
    codes = [refusal.code for refusal in all_refusals()]

    assert len(set(codes)) == len(codes)


def test_nothing_is_shouted_or_blamed():
    sentences = [told(texts.line(CONTENT, event)) for event in EVENTS]
    for seen in played()[:800]:
        moves = seen.rules.legal_moves(seen.before, seen.decision.seat)
        sentences.append(told(seen.rules.ask(seen.before, seen.decision)))
        if not isinstance(moves, Amount):
            sentences += [
                told(seen.rules.cost(seen.before, seen.decision.seat, move)) for move in moves.moves
            ]

    blaming = re.compile(r"!|fail|cheat|punish|guilty|loser", re.IGNORECASE)
    assert [each for each in sentences if blaming.search(each)] == []
