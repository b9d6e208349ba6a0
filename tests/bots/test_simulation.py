"""Simulated matches: reproducible, checked at every position, added up right."""

from __future__ import annotations

import json

import pytest
from django.core.management import CommandError, call_command

from games.bots.roster import bots_for
from games.bots.simulation import MoveMeter, Spread, play, simulate, spread
from games.catalog import GAMES
from games.decks.starters import starter_content
from games.engine.chance import seeded
from games.engine.game import Decision, Step
from games.engine.options import option_fields
from games.rules.corruption import events as e
from games.rules.corruption.content import parse
from games.rules.corruption.meter import (
    CorruptionMeter,
    InvariantBroken,
    check_position,
    row_of,
)
from games.rules.corruption.moves import Collect, Roll
from games.rules.corruption.options import Options
from games.rules.corruption.state import BLUE, RED, Sentence, State
from tests.conftest import RELEASE
from tests.rules.corruption.sitting import CONTENT, ruleset, state, team

PLAIN = starter_content("corruption")
BALANCED = bots_for(GAMES["corruption"], PLAIN)["balanced"]
ROLL = Decision(seat=RED, kind="roll")


def run(*, games: int = 5, seed: int = 1, longest: int = 1000, progress=lambda done: None):
    return simulate(
        ruleset(),
        [BALANCED, BALANCED],
        games=games,
        seed=seed,
        meter=CorruptionMeter(CONTENT, Options()),
        longest=longest,
        progress=progress,
    )


def test_same_seed_same_figures_and_another_seed_others():
    assert run() == run()
    assert run().figures != run(seed=2).figures


def test_progress_and_sums():
    done: list[int] = []

    result = run(games=4, progress=done.append)

    assert done == [1, 2, 3, 4]
    assert (result.games, result.ended, sum(result.wins)) == (4, 4, 4)
    assert result.turns.p5 <= result.turns.median <= result.turns.max
    assert result.all_decisions > result.all_turns > 4 * 20


def test_a_game_that_is_too_long_is_broken_off():
    result = run(games=2, longest=10)

    assert (result.ended, result.wins, result.turns.max) == (0, (0, 0), 10)
    assert result.figures["beginner_won_pct"] == 0.0


def test_without_a_meter_of_its_own_moves_are_counted():
    meter = MoveMeter()

    decided, winners = play(
        ruleset(),
        [BALANCED, BALANCED],
        rules_chance=seeded(1),
        bots_chance=seeded(2),
        meter=meter,
    )

    assert decided == meter.turns
    assert winners in {(RED,), (BLUE,)}
    assert meter.figures() == {}


def test_spread_is_by_nearest_rank():
    assert spread(range(1, 101)) == Spread(p5=5, median=50, p95=95, p99=99, max=100)
    assert spread([7]) == Spread(p5=7, median=7, p95=7, p99=7, max=7)
    assert spread([]) == Spread(p5=0, median=0, p95=0, p99=0, max=0)


def test_rows_of_the_figures_are_those_of_the_rules():
    rows = [row_of(tokens) for tokens in range(11)]

    assert rows == ["0", "12", "12", "34", "34", "56", "56", "78", "78", "9", "9"]


def step(*events: e.AnyEvent, after: State | None = None) -> Step[State, e.AnyEvent]:
    return Step(after or state(), events)


def test_figures_of_one_game_played_by_hand():
    meter = CorruptionMeter(CONTENT, Options())
    meter.begin(step(e.TurnStarted(seat=BLUE)))
    meter.saw(
        ROLL,
        Roll(),
        step(
            e.Rolled(seat=BLUE, die=3),
            e.CardDrawn(seat=BLUE, deck="corruption", card="C01"),
            e.TurnStarted(seat=RED),
            e.TurnSkipped(seat=BLUE, left=0),
            after=state(river=2, die=3, red=team(possession=92)),
        ),
    )
    meter.saw(
        Decision(seat=RED, kind="collect"),
        Collect(),
        step(
            e.Rolled(seat=RED, die=3),
            e.Inspected(seat=BLUE, tokens=5, row="56"),
            e.Inspected(seat=RED, tokens=0, row="0"),
            e.Jailed(seat=BLUE, rounds=1, wipe=True),
            e.PropertyLost(seat=RED, property="house", needed=1),
            e.Sold(seat=RED, property="farm", fish=1, forced=True),
            e.Sold(seat=RED, property="mill", fish=1, forced=False),
            e.Borrowed(seat=RED, debt=1, fish=1),
            e.VillageCompleted(seat=RED, tokens=1),
            after=state(die=3),
        ),
    )
    meter.end((BLUE,))

    assert meter.turns == 2
    assert meter.figures() == {
        "skipped_turns_median": 1,
        "inspector_visits_median": 1.0,
        "inspector_visits_with_tokens_median": 0.5,
        "teams_that_met_inspector_with_tokens_pct": 50.0,
        "games_where_both_met_inspector_with_tokens_pct": 0.0,
        "rows_pct": {"0": 50.0, "12": 0.0, "34": 0.0, "56": 50.0, "78": 0.0, "9": 0.0},
        "largest_tokens_at_inspector_median": 2.5,
        "corruption_cards_median": 0.5,
        "properties_lost_mean": 0.5,
        "forced_sales_mean": 0.5,
        "loans_mean": 0.5,
        "prison_terms_mean": 0.5,
        "loser_had_finished_pct": 100.0,
        "beginner_won_pct": 100.0,
        "river_lowest_median": 2,
        "games_with_short_roll_pct": 100.0,
    }


JAIL = Sentence(1, wipe=False)


@pytest.mark.rule("COR-INV-1", "COR-INV-2")
@pytest.mark.parametrize(
    "position",
    [
        state(river=89),
        state(river=87),
        state(red=team(possession=-1)),
        state(red=team(insurance=-1)),
        state(red=team(debt=-1)),
        state(red=team(tokens=-1)),
        state(blue=team(missed=-1)),
        state(bank=-1),
        state(river=-1, red=team(possession=95)),
        state(red=team(sentence=JAIL), blue=team(sentence=JAIL)),
    ],
)
def test_positions_that_break_an_invariant_stop_the_simulation(position):
    with pytest.raises(InvariantBroken):
        check_position(position, 100, finite=True)


@pytest.mark.rule("COR-INV-2")
def test_an_unlimited_river_may_fall_below_zero():
    check_position(state(river=-5), 100, finite=False)


@pytest.mark.parametrize("board", ["two-villages", "one-lesson"])
def test_boards_keep_their_length_and_meet_the_inspector(board):
    """A small sample of the figures in docs/rules/corruption-balance.md, with wide bounds."""
    plain = starter_content("corruption", board)
    rules = GAMES["corruption"].ruleset(Options(), plain)
    bots = [bots_for(GAMES["corruption"], plain)["balanced"]] * 2

    result = simulate(
        rules, bots, games=120, seed=3, meter=CorruptionMeter(parse(plain), Options())
    )

    shortest, longest, late = {"two-villages": (95, 140, 240), "one-lesson": (42, 62, 110)}[board]
    assert result.ended == 120
    assert shortest <= result.turns.median <= longest
    assert result.turns.p95 <= late
    assert result.figures["teams_that_met_inspector_with_tokens_pct"] >= 80


BATCHES, BATCH = (200, 50) if RELEASE else (12, 5)  # 10,000 matches in a release


@pytest.mark.timeout(3600)
@pytest.mark.rule("COR-INV-1", "COR-INV-2")
def test_matches_with_drawn_options_and_bots_all_end_with_nothing_violated():
    chance = seeded(11)
    ended = 0
    for batch in range(BATCHES):
        options = Options(
            **{
                field.name: chance.choice(field.values)
                for field in option_fields(Options)
                if field.name != "displaced_record"  # its other value is known not to end
            }
        )
        plain = starter_content("corruption", chance.choice(("two-villages", "one-lesson")))
        bots = tuple(bots_for(GAMES["corruption"], plain).values())
        result = simulate(
            GAMES["corruption"].ruleset(options, plain),
            [chance.choice(bots), chance.choice(bots)],
            games=BATCH,
            seed=batch,
            meter=CorruptionMeter(parse(plain), options),
        )
        ended += result.ended

    assert ended == BATCHES * BATCH


def simulate_command(capsys, *arguments: str) -> tuple[dict, str]:
    call_command("simulate", *arguments)
    out, err = capsys.readouterr()
    return json.loads(out), err


def test_command_prints_one_object_and_progress_beside_it(capsys):
    report, progress = simulate_command(
        capsys, "corruption", "--games", "3", "--seed", "9", "--json",
        "--board", "one-lesson", "--bots", "greedy,random", "--option", "qa_chain_limit=2",
        "--option", "voluntary_sale=True",
    )  # fmt: skip

    assert progress.splitlines()[-1] == "3 of 3 games"
    assert {key: report[key] for key in ("game", "board", "bots", "games", "ended", "seed")} == {
        "game": "corruption",
        "board": "one-lesson",
        "bots": ["greedy", "random"],
        "games": 3,
        "ended": 3,
        "seed": 9,
    }
    assert (report["options"]["qa_chain_limit"], report["options"]["voluntary_sale"]) == (2, True)
    assert set(report["turns"]) == {"p5", "median", "p95", "p99", "max"}
    assert sum(report["wins"]) == 3
    assert report["games_per_s"] > 0


def test_command_without_choices_plays_the_usual_board_and_bots(capsys):
    report, _ = simulate_command(capsys, "corruption", "--games", "1")

    assert (report["board"], report["bots"]) == ("two-villages", ["balanced", "balanced"])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--board", "atlantis"], "corruption has no board atlantis"),
        (["--bots", "deep,deep"], "corruption has no bot deep"),
        (["--bots", "random"], "--bots needs 2 names, one for each seat."),
        (["--option", "luck=good"], "No option luck. There are: first_team,"),
        (["--option", "first_team=green"], "first_team can be: roll, red, blue."),
        (["--games", "0"], "--games must be at least 1."),
    ],
)
def test_command_names_what_is_wrong(arguments, sentence):
    with pytest.raises(CommandError) as refused:
        call_command("simulate", "corruption", *arguments)

    assert str(refused.value).startswith(sentence)


def test_only_prison_for_both_is_refused():
    check_position(state(red=team(sentence=JAIL)), 100, finite=True)
