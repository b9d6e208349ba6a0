"""The commands that read all logs again."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from classroom.models import Fact
from games.models import Match
from games.services import matches
from games.services.checking import Found, check
from tests.games.world import World


def _check(*options: str) -> tuple[int, str]:
    out = StringIO()
    try:
        call_command("check_matches", *options, stdout=out)
    except SystemExit as stopped:
        return int(str(stopped.code)), out.getvalue()
    return 0, out.getvalue()


@pytest.fixture
def match(world: World) -> Match:
    """A match with three records."""
    match = world.started()
    for seat in (0, 1):
        matches.decide_for(match_id=match.pk, actor=world.teacher, seat=seat, decision=1)
    return match


def test_sound_matches_are_counted(match: Match) -> None:
    assert _check() == (0, "1 matches checked, 0 of them wrong.\n")


def test_state_that_the_log_does_not_give_is_found_and_repaired(match: Match) -> None:
    match.refresh_from_db()
    wrong = match.state.replace('"lamp":0', '"lamp":99')
    assert wrong != match.state
    Match.objects.filter(pk=match.pk).update(state=wrong)

    assert _check() == (
        1,
        f"{match.pk} {Found.STATE.value}\n1 matches checked, 1 of them wrong.\n",
    )
    assert _check("--repair")[0] == 0
    match.refresh_from_db()
    assert match.state != wrong
    assert _check() == (0, "1 matches checked, 0 of them wrong.\n")


@pytest.mark.parametrize(
    ("version", "change", "found"),
    [
        (2, {"version": 9}, Found.GAP),
        (3, {"kind": "join", "version": 12}, Found.GAP),
        (3, {"kind": "setup"}, Found.GAP),
        (2, {"data": '{"type":"lay","card":"z9"}'}, Found.LOG),
        (2, {"data": '{"type":"fly"}'}, Found.LOG),
        (1, {"draws": "[]"}, Found.LOG),
    ],
)
def test_log_that_was_tampered_with_is_found(
    match: Match, version: int, change: dict[str, Any], found: Found
) -> None:
    match.records.filter(version=version).update(**change)

    assert check(match.pk) is found


def test_facts_are_read_again_without_doubling_them(world: World, match: Match) -> None:
    matches.end_match(match_id=match.pk, actor=world.teacher)
    before = list(Fact.objects.values_list("student", "what", "version"))
    Fact.objects.all().delete()

    for _time in range(2):
        call_command("rebuild_facts", stdout=StringIO())

    assert list(Fact.objects.values_list("student", "what", "version")) == before
