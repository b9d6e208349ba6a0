"""Watches simulated games of Corruption!: checks every position, collects the figures.

The figures are those of docs/rules/corruption-balance.md. A roll counts as a turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean, median
from typing import Any

from games.bots.simulation import Meter, spread
from games.engine.game import Decision, Step
from games.rules.corruption import events as e
from games.rules.corruption.content import Content
from games.rules.corruption.moves import Collect
from games.rules.corruption.options import Options
from games.rules.corruption.state import State

SEATS = (0, 1)
ROWS = ("0", "12", "34", "56", "78", "9")


class InvariantBroken(AssertionError):
    """Raised when a position loses or invents fish, or holds two teams in prison."""


class _Team:
    """Counts of one team in one game."""

    def __init__(self) -> None:
        self.visits: list[int] = []  # tokens at each Inspector
        self.corruption_cards = 0
        self.lost = 0
        self.forced_sales = 0
        self.loans = 0
        self.prison_terms = 0
        self.finished = False


class CorruptionMeter(Meter):
    """Counts what section "Balance" of the rule page reports.

    Raises InvariantBroken on the first position that violates COR-INV-1 or COR-INV-2.
    """

    def __init__(self, content: Content, options: Options) -> None:
        self._total = content.board.fish_total
        self._finite = options.river_supply == "finite"
        self._teams = (_Team(), _Team())
        self._rolls = self._skipped = self._river = 0
        self._lowest = 0
        self._short = False
        self._first: int | None = None
        # sums over all games
        self._all: list[_Team] = []
        self._all_skipped: list[int] = []
        self._all_lowest: list[int] = []
        self._short_games = 0
        self._began_and_won = self._loser_had_finished = self._won = 0

    def begin(self, step: Step[Any, Any]) -> None:
        self._teams = (_Team(), _Team())
        self._rolls = self._skipped = 0
        self._lowest = self._river = step.state.river
        self._short, self._first = False, None
        self._read(step)

    def saw(self, decision: Decision, move: Any, step: Step[Any, Any]) -> None:
        state: State = step.state
        if isinstance(move, Collect) and self._finite and self._river < state.die:
            self._short = True
        self._read(step)

    @property
    def turns(self) -> int:
        return self._rolls

    def end(self, winners: tuple[int, ...] | None) -> None:
        self._all.extend(self._teams)
        self._all_skipped.append(self._skipped)
        self._all_lowest.append(self._lowest)
        self._short_games += self._short
        if winners:
            self._won += 1
            self._began_and_won += winners[0] == self._first
            self._loser_had_finished += self._teams[1 - winners[0]].finished

    def figures(self) -> Mapping[str, Any]:
        teams = self._all
        visits = [tokens for team in teams for tokens in team.visits]
        rows = Counter(row_of(tokens) for tokens in visits)
        with_tokens = [sum(tokens > 0 for tokens in team.visits) for team in teams]
        pairs = list(zip(with_tokens[::2], with_tokens[1::2], strict=True))
        return {
            "skipped_turns_median": median(self._all_skipped),
            "inspector_visits_median": median(len(team.visits) for team in teams),
            "inspector_visits_with_tokens_median": median(with_tokens),
            "teams_that_met_inspector_with_tokens_pct": share_pct(
                sum(met > 0 for met in with_tokens), len(teams)
            ),
            "games_where_both_met_inspector_with_tokens_pct": share_pct(
                sum(red > 0 < blue for red, blue in pairs), len(pairs)
            ),
            "rows_pct": {row: share_pct(rows[row], len(visits)) for row in ROWS},
            "largest_tokens_at_inspector_median": median(
                [max(team.visits) for team in teams if team.visits] or [0]
            ),
            "corruption_cards_median": median(team.corruption_cards for team in teams),
            "properties_lost_mean": mean([team.lost for team in teams]),
            "forced_sales_mean": mean([team.forced_sales for team in teams]),
            "loans_mean": mean([team.loans for team in teams]),
            "prison_terms_mean": mean([team.prison_terms for team in teams]),
            "loser_had_finished_pct": share_pct(self._loser_had_finished, self._won),
            "beginner_won_pct": share_pct(self._began_and_won, self._won),
            "river_lowest_median": spread(self._all_lowest).median,
            "games_with_short_roll_pct": share_pct(self._short_games, len(self._all_skipped)),
        }

    def _read(self, step: Step[Any, Any]) -> None:
        for event in step.events:
            self._count(event)
        state: State = step.state
        self._river = state.river
        self._lowest = min(self._lowest, state.river)
        check_position(state, self._total, finite=self._finite)

    def _count(self, event: e.AnyEvent) -> None:
        team = self._teams[event.seat] if event.seat in SEATS else None
        match event, team:
            case e.Rolled(), _:
                self._rolls += 1
            case e.TurnStarted(seat=seat), _ if self._first is None:
                self._first = seat
            case e.TurnSkipped(), _:
                self._skipped += 1
            case e.Inspected(tokens=tokens), _Team():
                team.visits.append(tokens)
            case e.CardDrawn(deck="corruption"), _Team():
                team.corruption_cards += 1
            case e.PropertyLost(), _Team():
                team.lost += 1
            case e.Sold(forced=True), _Team():
                team.forced_sales += 1
            case e.Borrowed(), _Team():
                team.loans += 1
            case e.Jailed(), _Team():
                team.prison_terms += 1
            case e.VillageCompleted(), _Team():
                team.finished = True
            case _:
                return


def check_position(state: State, fish_total: int, *, finite: bool) -> None:
    """Refuse a position that breaks COR-INV-1 or COR-INV-2.

    Raises:
        InvariantBroken: with the amounts of the position.
    """
    red, blue = state.teams
    owned = (state.bank, red.possession, blue.possession, red.insurance, blue.insurance)
    amounts = (*owned, red.debt, blue.debt, red.tokens, blue.tokens, red.missed, blue.missed)
    if min(amounts) < 0 or (finite and state.river < 0):
        raise InvariantBroken(f"Below zero: river {state.river}, {amounts}")
    if finite and state.river + sum(owned) != fish_total:
        raise InvariantBroken(f"Fish: river {state.river}, {owned}, not {fish_total}")
    if red.sentence is not None and blue.sentence is not None:
        raise InvariantBroken("Both teams are in prison")


def row_of(tokens: int) -> str:
    """The row of the Inspector table (COR-INSP-0 to 9)."""
    if tokens == 0:
        return "0"
    return ROWS[(tokens + 1) // 2] if tokens < 9 else "9"


def share_pct(part: int, whole: int) -> float:
    """``part`` of ``whole`` in per cent, one decimal; 0 of nothing."""
    return round(100 * part / whole, 1) if whole else 0.0


def mean(numbers: Sequence[int]) -> float:
    """The mean, two decimals."""
    return round(fmean(numbers), 2) if numbers else 0.0
