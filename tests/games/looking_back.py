"""A match of Corruption! that bots decide and students vote for, to be looked back on."""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec
import pytest
from django.test import Client

from games.bots.bot import bot_move
from games.engine.chance import Chance, seeded
from games.models import Match
from games.position import Position
from games.selectors import positions
from games.services import chances, matches
from games.services.decks import load_starters, starter_versions
from games.services.play import Submission
from tests.games.world import World

Until = Callable[[Position], bool]


def begin(world: World, monkeypatch: pytest.MonkeyPatch, *, seed: int = 3) -> Match:
    """A match of two teams of two on the small board; its chance has a seed."""
    source = seeded(seed)
    monkeypatch.setattr(chances, "live", lambda: Chance(source.below))
    load_starters()
    versions = {kind: v.pk for kind, v in starter_versions("corruption", "one-lesson").items()}
    return world.started(game="corruption", versions=versions)


def play(world: World, match: Match, until: Until, *, most: int = 200) -> Position:
    """Every member votes for what a bot would do, until something is so."""
    choice = seeded(11)
    for _move in range(most):
        position = positions.load(match.pk)
        if position.status == "ended" or until(position):
            return position
        opened = position.timing.opened[0]
        seat = opened.decision.seat
        bot = next(iter(position.bots.values()))
        move = bot_move(position.rules, position.state, opened.decision, bot, choice)
        matches.submit_now(
            match_id=match.pk,
            actor=world.teacher,
            submission=Submission(
                decision=opened.version,
                at=time.time(),
                move=msgspec.to_builtins(move),
                student=position.teams[seat].members[0].student,
            ),
        )
    raise AssertionError("It did not come to that.")


def asking(position: Position) -> bool:
    """A question is open: it was read out and is not answered."""
    question = position.state.question
    return question is not None and question.asked and not question.answered


def moves(number: int) -> Until:
    """The match has come to this version."""
    return lambda position: position.version >= number


def seen_by(session_key: str) -> Client:
    """The browser of a session."""
    client = Client()
    client.cookies["sessionid"] = session_key
    return client
