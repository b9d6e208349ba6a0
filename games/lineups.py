"""Who plays in which team. Pure: names are ids, chance is injected.

A class is cut into several matches with small teams because in a team of three
to five everybody has to speak; in a team of fifteen two decide and the rest watch.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from msgspec import Struct

from games.engine.chance import Chance

SMALLEST_TEAM = 3  # below this a missing student stops the talk
LARGEST_TEAM = 5  # above this some only watch

Teams = tuple[tuple[str, ...], ...]  # of one match: student ids, seat by seat
Drafts = list[list[list[str]]]  # student ids by match and seat, as they are being put together

NO_PLACE = 10**6  # the size of a team that nobody is to join


class Lineup(Struct, frozen=True, kw_only=True):
    """Teams of all matches of a lesson.

    ``unkept``: the pairs that should be apart and still share a team, because
    there were too few teams.
    """

    matches: tuple[Teams, ...]
    unkept: tuple[tuple[str, str], ...] = ()


class _Place(NamedTuple):
    match: int
    seat: int


def recommended_matches(students: int, seats: int = 2) -> int:
    """The largest number of matches whose teams all have at least three members; at least 1."""
    return max(1, students // (SMALLEST_TEAM * seats))


def possible_matches(students: int, seats: int = 2) -> range:
    """All numbers of matches in which every team has somebody; at least 1."""
    return range(1, max(1, students // seats) + 1)


def team_sizes(students: int, matches: int, seats: int = 2) -> tuple[int, int]:
    """The smallest and the largest team if students are spread evenly."""
    teams = matches * seats
    return students // teams, -(-students // teams)


def arrange(
    students: Sequence[str],
    *,
    matches: int,
    chance: Chance,
    seats: int = 2,
    apart: Iterable[tuple[str, str]] = (),
    first: Collection[str] = (),
) -> Lineup:
    """Spread students evenly and by chance; no team is larger than another by more than one.

    Those who come ``first`` are spread before all others: where devices are short,
    who holds one, so that no team is left without.

    Two who are to be kept apart come into different matches where there are
    several, else into different teams.
    """
    enemies = _enemies(apart, students)
    places = [_Place(match, seat) for match in range(matches) for seat in range(seats)]
    teams: dict[_Place, list[str]] = {place: [] for place in places}
    # Who has most people to avoid chooses first; the sort is stable, so chance decides the rest.
    queue = sorted(
        chance.shuffled(students), key=lambda s: (s not in first, -len(enemies.get(s, ())))
    )
    for student in queue:
        teams[min(places, key=lambda p: _cost(student, p, teams, enemies))].append(student)
    return _lineup(teams, matches, seats, enemies)


def _enemies(apart: Iterable[tuple[str, str]], students: Sequence[str]) -> dict[str, set[str]]:
    here = set(students)
    enemies: dict[str, set[str]] = {}
    for one, other in apart:
        if one in here and other in here and one != other:
            enemies.setdefault(one, set()).add(other)
            enemies.setdefault(other, set()).add(one)
    return enemies


def _cost(
    student: str,
    place: _Place,
    teams: dict[_Place, list[str]],
    enemies: dict[str, set[str]],
) -> tuple[int, bool, bool, int]:
    """Even sizes first, then nobody to avoid in the team, then none in the match."""
    avoid = enemies.get(student, set())
    in_team = not avoid.isdisjoint(teams[place])
    in_match = any(
        not avoid.isdisjoint(team) for other, team in teams.items() if other.match == place.match
    )
    smallest = min(len(team) for team in teams.values())
    uneven = len(teams[place]) - smallest
    return (
        uneven,
        in_team,
        in_match,
        sum(len(t) for p, t in teams.items() if p.match == place.match),
    )


def _lineup(
    teams: dict[_Place, list[str]], matches: int, seats: int, enemies: dict[str, set[str]]
) -> Lineup:
    _part(teams, enemies)
    unkept = tuple(
        pair
        for team in teams.values()
        for pair in combinations(team, 2)
        if pair[1] in enemies.get(pair[0], ())
    )
    return Lineup(
        matches=tuple(
            tuple(tuple(teams[_Place(match, seat)]) for seat in range(seats))
            for match in range(matches)
        ),
        unkept=unkept,
    )


def _part(teams: dict[_Place, list[str]], enemies: dict[str, set[str]]) -> None:
    """Swap students between teams as long as a swap parts a pair that still shares one."""
    for place, team in teams.items():
        for at, student in enumerate(team):
            if enemies.get(student, set()).isdisjoint(team):
                continue
            swap = next(
                (
                    (other, index)
                    for other, their in teams.items()
                    if other != place
                    for index, candidate in enumerate(their)
                    if _fits(student, their, candidate, enemies)
                    and _fits(candidate, team, student, enemies)
                ),
                None,
            )
            if swap is not None:
                other, index = swap
                team[at], teams[other][index] = teams[other][index], student


def _fits(student: str, team: list[str], instead_of: str, enemies: dict[str, set[str]]) -> bool:
    """Whether the student could stand in this team in place of another."""
    return enemies.get(student, set()).isdisjoint(m for m in team if m != instead_of)


def smallest_team(matches: Sequence[Sequence[int]]) -> tuple[int, int]:
    """(match, seat) of the smallest team, for somebody who comes late; the first of equals.

    ``matches``: team sizes, match by match and seat by seat.
    """
    return min(
        ((m, s) for m, sizes in enumerate(matches) for s in range(len(sizes))),
        key=lambda at: (matches[at[0]][at[1]], sum(matches[at[0]])),
    )


def narrowed(teams: Drafts, students: Sequence[str]) -> Drafts:
    """The teams reduced to these students, without matches that nobody is left in."""
    wanted = set(students)
    kept = [[[s for s in team if s in wanted] for team in match] for match in teams]
    return [match for match in kept if any(match)]


def spoilt(planned: Drafts, teams: Drafts) -> bool:
    """Whether absence has emptied a team, or made teams uneven that were even."""

    def sizes(matches: Drafts) -> list[int]:
        return [len(team) for match in matches for team in match if team]

    before, after = sizes(planned), sizes(teams)
    was_even = max(before) - min(before) <= 1
    return len(after) < len(before) or (was_even and max(after) - min(after) > 1)


def filled(teams: Drafts, students: Sequence[str], *, practice: bool = False) -> Drafts:
    """The teams with everybody who has no place yet in the smallest ones.

    In ``practice`` a team without students stays the computer's.
    """
    placed = {s for match in teams for team in match for s in team}
    fuller = [[list(team) for team in match] for match in teams]
    for student in students:
        if student not in placed:
            match, seat = smallest_team(
                [[len(team) if team or not practice else NO_PLACE for team in m] for m in fuller]
            )
            fuller[match][seat].append(student)
    return fuller
