"""The benches of the rules measure what they say."""

from __future__ import annotations

import ast

import pytest
from msgspec.structs import replace

from bench import mutants
from bench.rules import Bench, rate


@pytest.fixture(scope="module")
def bench() -> Bench:
    return Bench("corruption", "one-lesson", games=1, bot="balanced")


def test_the_same_matches_are_played_and_replayed(bench):
    (match,) = bench.matches

    bench.play_again()
    bench.replay()
    bench.bot_games()

    assert bench.decisions == len(match.positions) == len(match.records) - 1 > 20


def test_every_part_runs(bench):
    parts = bench.parts()

    for work in parts.values():
        work()

    assert "legal moves" in parts


def test_a_position_that_breaks_an_invariant_stops_the_bench(bench):
    state, *_ = bench.matches[0].positions[0]

    with pytest.raises(AssertionError):
        bench.check(replace(state, bank=state.bank + 1))


def test_rates_are_median_and_bounds():
    assert rate(10, [1.0, 2.0, 5.0]) == {"median": 5.0, "low": 2.0, "high": 10.0}


def changed_in(source: str) -> set[tuple[str, str, str]]:
    """Kind, before and after of every mutant of a function body."""
    module = ast.parse(source)
    return {
        (kind, ast.unparse(node), ast.unparse(changed))
        for node in mutants.changeable(module)
        for kind, changed in mutants.changes(node)
    }


def test_each_kind_of_mutant_is_made():
    source = """
def pay(team, price):
    \"\"\"Pay 1.\"\"\"
    assert price > 0
    if team.fish >= price and not team.jailed:
        table.tell(1)
    return team.fish - price
"""

    assert changed_in(source) == {
        (
            "condition",
            "if team.fish >= price and (not team.jailed):\n    table.tell(1)",
            "if not (team.fish >= price and (not team.jailed)):\n    table.tell(1)",
        ),
        (
            "logic",
            "team.fish >= price and (not team.jailed)",
            "team.fish >= price or not team.jailed",
        ),
        ("comparison", "team.fish >= price", "team.fish > price"),
        ("logic", "not team.jailed", "team.jailed"),
        ("call left out", "table.tell(1)", "pass"),
        ("constant", "1", "2"),
        ("return", "return team.fish - price", "return None"),
        ("arithmetic", "team.fish - price", "team.fish + price"),
    }


def test_a_mutant_differs_from_its_module_in_one_place():
    file = mutants.ROOT / "games" / "rules" / "corruption" / "insurance.py"
    original = ast.unparse(ast.parse(file.read_text(encoding="utf-8"))).splitlines()

    found = list(mutants.mutants_of(file))

    assert len(found) > 5
    assert len({mutant.source for mutant in found}) == len(found)
    for mutant in found:
        lines = zip(original, mutant.source.splitlines(), strict=True)
        assert sum(before != after for before, after in lines) == 1
