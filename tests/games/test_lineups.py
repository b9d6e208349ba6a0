from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from games.engine.chance import seeded
from games.lineups import (
    arrange,
    filled,
    narrowed,
    possible_matches,
    recommended_matches,
    smallest_team,
    spoilt,
    team_sizes,
)


def ids(number: int) -> list[str]:
    return [f"s{n}" for n in range(number)]


@pytest.mark.parametrize(
    ("students", "matches"),
    [(0, 1), (1, 1), (4, 1), (6, 1), (11, 1), (12, 2), (24, 4), (30, 5), (40, 6)],
)
def test_recommended_matches_have_teams_of_at_least_three(students, matches):
    assert recommended_matches(students) == matches


def test_possible_matches_leave_nobody_alone_against_an_empty_team():
    assert list(possible_matches(5)) == [1, 2]
    assert list(possible_matches(0)) == [1]


def test_team_sizes_of_an_odd_class():
    assert team_sizes(31, 5) == (3, 4)


@given(
    students=st.integers(0, 40),
    matches=st.integers(1, 10),
    seats=st.integers(2, 4),
    seed=st.integers(0, 999),
)
def test_everybody_has_one_place_and_teams_are_even(students, matches, seats, seed):
    lineup = arrange(ids(students), matches=matches, seats=seats, chance=seeded(seed))

    teams = [team for match in lineup.matches for team in match]
    assert sorted(s for team in teams for s in team) == sorted(ids(students))
    assert len(teams) == matches * seats
    assert max(map(len, teams)) - min(map(len, teams)) <= 1


@given(seed=st.integers(0, 999))
def test_two_to_be_kept_apart_are_in_different_matches_where_there_are_several(seed):
    lineup = arrange(ids(12), matches=2, chance=seeded(seed), apart=[("s0", "s1")])

    match_of = {s: n for n, match in enumerate(lineup.matches) for team in match for s in team}
    assert match_of["s0"] != match_of["s1"]
    assert lineup.unkept == ()


@given(seed=st.integers(0, 999))
def test_a_late_pair_is_parted_by_a_swap(seed):
    apart = [("s0", "s1"), ("s2", "s3"), ("s0", "s2")]

    lineup = arrange(ids(4), matches=1, chance=seeded(seed), apart=apart)

    assert lineup.unkept == ()


def test_pairs_that_cannot_be_kept_apart_are_named():
    apart = [("s0", "s1"), ("s1", "s2"), ("s0", "s2")]

    lineup = arrange(ids(3), matches=1, chance=seeded(1), apart=apart)

    assert len(lineup.unkept) == 1


def test_pairs_with_somebody_absent_do_not_matter():
    lineup = arrange(ids(4), matches=1, chance=seeded(1), apart=[("s0", "gone")])

    assert lineup.unkept == ()


def test_a_late_joiner_goes_to_the_smallest_team_of_the_smallest_match():
    assert smallest_team([[3, 3], [3, 2], [2, 2]]) == (2, 0)


def test_who_is_away_is_left_out_and_a_match_without_anybody_too():
    assert narrowed([[["a", "b"], ["c"]], [["d"], ["e"]]], ["a", "c"]) == [[["a"], ["c"]]]


@pytest.mark.parametrize(
    ("planned", "left", "is_spoilt"),
    [
        ([[["a", "b"], ["c", "d"]]], [[["a"], ["c", "d"]]], False),
        ([[["a", "b"], ["c", "d"]]], [[["a", "b"], []]], True),  # a team is empty
        ([[["a", "b", "c"], ["d", "e", "f"]]], [[["a"], ["d", "e", "f"]]], True),  # uneven now
        ([[["a"], ["d", "e", "f"]]], [[["a"], ["d", "e", "f"]]], False),  # the teacher's wish
        ([[["a", "b"], []]], [[["a"], []]], False),  # the computer's team
    ],
)
def test_teams_are_spoilt_by_an_empty_one_or_where_they_become_uneven(planned, left, is_spoilt):
    assert spoilt(planned, left) is is_spoilt


def test_who_has_no_place_goes_to_the_smallest_team_and_in_practice_to_no_computers():
    teams = [[["a", "b"], []]]

    assert filled(teams, ["a", "c"]) == [[["a", "b"], ["c"]]]
    assert filled(teams, ["a", "c"], practice=True) == [[["a", "b", "c"], []]]
    assert teams == [[["a", "b"], []]]
