"""Bots: they play legally, see only what they may, and each by its temper."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from games.bots.bot import RandomBot, View, bot_move, view_of
from games.bots.roster import NoBot, bot, bots_for
from games.decks.starters import starter_content
from games.engine.chance import seeded
from games.engine.game import Decision
from games.engine.moves import Amount, Listed
from games.rules.corruption.bots import CorruptionBot
from games.rules.corruption.game import Corruption
from games.rules.corruption.moves import (
    AnswerQuestion,
    Buy,
    ChooseReward,
    Collect,
    Deposit,
    Fine,
    GiveDonation,
    GoToInspector,
    Pass,
    Roll,
    Sell,
    Wipe,
)
from games.rules.corruption.observation import QuestionView
from games.rules.corruption.state import (
    RED,
    Answer,
    Ask,
    Charge,
    Claim,
    ForcedSale,
    GiveUpDonation,
    Insure,
    Judgement,
    Purchase,
    Question,
    QuestionReward,
    Throw,
)
from games.rules.corruption.validator import LETTERS
from tests.rules.corruption.sitting import CONTENT, full, half, ruleset, state, team, village
from tests.rules.lanterns.game import LANTERNS

CORRUPTION = Corruption()
PLAIN = starter_content("corruption")
BOTS = bots_for(CORRUPTION, PLAIN)


def choice(name, position, *, seed=1, **options):
    """What the bot answers to the decision that is open."""
    rules = ruleset(**options)
    (decision,) = rules.decisions(position)
    return bot_move(rules, position, decision, BOTS[name], seeded(seed))


def test_every_game_has_a_random_bot():
    assert list(BOTS) == ["balanced", "cautious", "greedy", "random"]
    assert list(bots_for(LANTERNS, {})) == ["random"]
    assert isinstance(bot(LANTERNS, "random", {}), RandomBot)


def test_unknown_bot_is_named():
    with pytest.raises(NoBot, match="corruption has no bot deep"):
        bot(CORRUPTION, "deep", PLAIN)


def test_random_bot_plays_each_listed_move_and_each_amount():
    decision = Decision(seat=0, kind="any")
    listed = Listed(moves=(Collect(), Pass()))
    amount = Amount(move=Deposit(0), field="fish", minimum=0, maximum=2)

    def drawn(moves):
        chance = seeded(3)
        view = View(public=None, observation=None, decision=decision, moves=moves)
        return {RandomBot().choose(view, chance) for _ in range(50)}

    assert drawn(listed) == {Collect(), Pass()}
    assert drawn(amount) == {Deposit(0), Deposit(1), Deposit(2)}


@pytest.mark.rule("COR-QA-3")
def test_bot_of_the_answering_team_is_not_shown_the_answer():
    asked = Question(card="Q01", seat=RED, order=("c", "a", "d", "b"), asked=True)
    position = replace(state(agenda=(Answer(RED),)), question=asked)
    (decision,) = ruleset().decisions(position)

    view = view_of(ruleset(), position, decision)

    assert (view.observation.question.correct, view.observation.question.explanation) == (
        None,
        None,
    )


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("seed", range(3))
def test_bots_play_legal_moves_to_the_end(name, seed):
    rules = ruleset()
    chance = seeded(seed)
    step = rules.setup(2, chance)

    decided = 0
    while open_now := rules.decisions(step.state):
        move = bot_move(rules, step.state, open_now[0], BOTS[name], chance)
        assert move in rules.legal_moves(step.state, open_now[0].seat)
        step = rules.apply(step.state, open_now[0].seat, move, chance)
        decided += 1
        assert decided < 3000

    assert rules.outcome(step.state) is not None


@pytest.mark.parametrize("name", ["balanced", "cautious", "greedy"])
def test_the_dearest_property_that_leaves_the_reserve_is_bought(name):
    reserve = {"balanced": 1, "cautious": 2, "greedy": 0}[name]
    offer = (Purchase(RED, "public", reward=True),)

    at_harbor = choice(name, state(red=team(possession=6 + reserve), agenda=offer))
    one_short = choice(name, state(red=team(possession=5 + reserve), agenda=offer))
    nothing = choice(name, state(red=team(possession=1 + reserve), agenda=offer))

    assert (at_harbor, one_short, nothing) == (full("harbor"), full("hospital"), Pass())


def test_a_fitting_donation_is_used():
    position = state(
        red=team(possession=9, donations=("D01",)), agenda=(Purchase(RED, "public", reward=True),)
    )

    assert choice("balanced", position) == half("harbor")


@pytest.mark.parametrize(
    ("name", "possession", "insured", "deposit"),
    [
        ("balanced", 6, 0, 3),
        ("balanced", 6, 2, 1),
        ("balanced", 6, 5, 0),
        ("balanced", 3, 0, 2),
        ("cautious", 9, 0, 4),
        ("cautious", 3, 0, 1),
        ("greedy", 9, 0, 0),
    ],
)
def test_insurance_is_filled_up_within_the_reserve(name, possession, insured, deposit):
    position = state(red=team(possession=possession, insurance=insured), agenda=(Insure(RED),))

    assert choice(name, position) == Deposit(deposit)


@pytest.mark.parametrize(
    ("name", "tokens", "finished", "answer"),
    [
        ("balanced", 4, False, Wipe()),
        ("balanced", 5, False, Fine()),
        ("balanced", 7, False, Fine()),
        ("balanced", 5, True, Wipe()),
        ("cautious", 5, False, Wipe()),
        ("cautious", 8, False, Wipe()),
        ("greedy", 1, False, Fine()),
        ("greedy", 8, True, Wipe()),
    ],
)
def test_inspector_is_met_by_temper(name, tokens, finished, answer):
    owns = village() if finished else {}
    position = state(red=team(possession=6, tokens=tokens, owns=owns), agenda=(Judgement(RED),))

    assert choice(name, position) == answer


def test_a_wipe_that_is_not_open_is_not_chosen():
    position = state(red=team(possession=1, tokens=2, owns=village()), agenda=(Judgement(RED),))

    assert choice("cautious", position) == Fine()


@pytest.mark.parametrize(
    ("amount", "sold"), [(1, "house"), (3, "hospital"), (5, "harbor"), (9, "harbor")]
)
def test_the_cheapest_sale_that_covers_is_made(amount, sold):
    position = state(
        red=team(possession=0, owns={"harbor": 6, "house": 2, "hospital": 4}),
        agenda=(ForcedSale(RED, Charge(RED, amount, "river", "corruption")),),
    )

    assert choice("balanced", position) == Sell(sold)


def test_other_decisions_of_the_bots():
    claim = state(die=4, agenda=(Claim(RED, "public", chance=False),))
    reward = state(agenda=(QuestionReward(RED),))
    give = state(red=team(donations=("D05", "D01")), agenda=(GiveUpDonation(RED),))

    assert choice("greedy", claim) == Collect()
    assert choice("greedy", reward) == ChooseReward("fish")
    assert choice("balanced", reward) == ChooseReward("roll")
    assert choice("balanced", replace(reward, won_rolls=1), qa_chain_limit=1) == ChooseReward(
        "fish"
    )
    assert choice("balanced", give) == GiveDonation("D05")


def test_a_finished_team_goes_to_the_inspector_when_it_may():
    finished = state(
        red=team(possession=6, tokens=1, owns=village()), agenda=(Throw(RED, start=True),)
    )

    assert choice("balanced", finished) == Roll()
    offered = choice("balanced", finished, finished_inspector_move="each_turn_if_affordable")
    assert offered == GoToInspector()


def test_bots_know_their_share_of_the_questions():
    order = ("d", "c", "b", "a")
    asked = Question(card="Q01", seat=RED, order=order, asked=True)
    position = replace(state(agenda=(Answer(RED),)), question=asked)
    right = AnswerQuestion(LETTERS[order.index(CONTENT.qa["Q01"].correct)])

    def share_pct(name):
        answers = [choice(name, position, seed=seed) for seed in range(400)]
        return 100 * answers.count(right) / len(answers)

    assert 58 < share_pct("balanced") < 72
    assert 18 < share_pct("random") < 32


def test_a_question_that_was_not_learnt_is_guessed():
    unknown = QuestionView(
        seat=RED,
        asked=True,
        answered=False,
        text="A question of the teacher?",
        options=("one", "two", "three", "four"),
        letter=None,
        correct=None,
        explanation=None,
        topic=None,
    )
    position = state()
    rules = ruleset()
    seen = replace(rules.observe(position, RED), question=unknown)
    player = BOTS["balanced"]
    assert isinstance(player, CorruptionBot)
    view = View(
        public=rules.public_content(),
        observation=seen,
        decision=Decision(seat=RED, kind="qa_answer"),
        moves=Listed(moves=tuple(AnswerQuestion(letter) for letter in LETTERS)),
    )

    assert {player.choose(view, seeded(seed)) for seed in range(60)} == set(view.moves.moves)


def test_random_bot_of_the_game_leaves_nothing_it_can_take():
    claim = state(die=4, agenda=(Claim(RED, "public", chance=False),))
    ask = state(agenda=(Ask(RED),))
    buys = {
        choice(
            "random",
            state(red=team(possession=7), agenda=(Purchase(RED, None, reward=True),)),
            seed=n,
        )
        for n in range(60)
    }

    assert choice("random", claim) == Collect()
    assert choice("random", replace(ask, question=Question(card="Q01", seat=1, order=LETTERS)))
    assert len(buys) > 2
    assert all(isinstance(move, Buy | Pass) for move in buys)
