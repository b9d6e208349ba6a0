"""What a match tells about students, whatever happens at its end."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError

from classroom.models import Fact
from games.live import evidence
from games.live.reader import Reader
from games.models import Match
from games.selectors import positions
from games.services import facts, matches
from games.services.play import Submission
from tests.games.world import World

sync = sync_to_async


@pytest.fixture
def reader():
    made = Reader("test")
    yield made
    made.stop()


def _ended(world: World) -> Match:
    match = world.started()
    position = positions.load(match.pk)
    opened = position.timing.opened[0]
    matches.submit_now(
        match_id=match.pk,
        actor=world.teacher,
        submission=Submission(
            decision=opened.version,
            at=1_800_000_000.0,
            move={"type": "lay", "card": position.state.hands[opened.decision.seat][0]},
            student=position.teams[opened.decision.seat].members[0].student,
        ),
    )
    matches.end_match(match_id=match.pk, actor=world.teacher)
    match.refresh_from_db()
    return match


def _forget_what_it_tells(match: Match) -> int:
    """As if the process had been killed right after the end was written; how much is missing."""
    Match.objects.filter(pk=match.pk).update(told_version=match.version - 1)
    return Fact.objects.all().delete()[0]


@pytest.mark.case("CF-01")
async def test_what_a_killed_process_left_untold_is_told_by_the_next(
    live_world: World, reader: Reader
) -> None:
    match = await sync(_ended)(live_world)
    missing = await sync(_forget_what_it_tells)(match)
    assert missing > 0

    await evidence.tell_late(reader)

    assert await Fact.objects.acount() == missing
    assert await sync(facts.untold)() == []


async def test_a_match_that_cannot_be_read_keeps_no_other_from_being_told(
    live_world: World,
    reader: Reader,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    match = await sync(_ended)(live_world)
    missing = await sync(_forget_what_it_tells)(match)
    project = facts.project
    found = await sync(facts.untold)()
    monkeypatch.setattr(facts, "untold", lambda: ["one that is broken", *found])
    monkeypatch.setattr(
        facts,
        "project",
        lambda one: project(one) if one in found else 1 / 0,  # a fault of ours
    )

    await evidence.tell_late(reader)

    assert await Fact.objects.acount() == missing
    assert "one that is broken" in caplog.text


async def test_a_match_that_was_told_or_plays_is_not_told_again(
    live_world: World, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sync(_ended)(live_world)
    await sync(live_world.started)()
    monkeypatch.setattr(facts, "project", pytest.fail)

    await evidence.tell_late(reader)


def _raising(error: OperationalError, then: Callable[[str], int]) -> Callable[[str], int]:
    errors = [error]

    def project(match: str) -> int:
        if errors:
            raise errors.pop()
        return then(match)

    return project


def _error(words: str) -> OperationalError:
    error = OperationalError(words)
    error.__cause__ = sqlite3.OperationalError(words)
    return error


async def test_a_database_without_time_is_asked_again(
    live_world: World, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await sync(_ended)(live_world)
    missing = await sync(_forget_what_it_tells)(match)
    monkeypatch.setattr(evidence, "AGAIN_S", 0)
    project: Any = _raising(_error("database is locked"), facts.project)
    monkeypatch.setattr(facts, "project", project)

    await asyncio.wait_for(evidence.tell(reader, str(match.pk)), 30)

    assert await Fact.objects.acount() == missing


async def test_a_fault_of_ours_is_not_repeated_for_ever(
    live_world: World, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = _raising(_error("no such column: teh"), facts.project)
    monkeypatch.setattr(facts, "project", project)

    with pytest.raises(OperationalError):
        await evidence.tell(reader, "any")
