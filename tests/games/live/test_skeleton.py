"""A match from the lobby to the last lantern over sockets, and again from its log."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Any

from asgiref.sync import sync_to_async

from games.live.hub import Hub
from games.models import Match
from games.selectors import positions
from games.selectors.rulesets import rules_of
from tests.games.live.sockets import PATIENCE_S, Browser, browser
from tests.games.world import World


def _same_state(match_id: Any) -> bool:
    match = Match.objects.get(pk=match_id)
    return bool(positions.replayed(match)[-1] == rules_of(match).codec.state(match.state))


async def _play(player: Browser) -> None:
    """Answer each decision with the first thing on offer, to the end."""
    answered: set[int] = set()
    while player.board is None or player.board["status"] != "ended":
        decision = player.board["decision"] if player.board else None
        if decision is None or decision["decision"] in answered:
            await player.next()
            continue
        offered = decision.get("amount") or decision["moves"][0]
        kind = "move" if offered.get("act") else "vote"
        answer = await player.ask(kind, decision=decision["decision"], move=offered["move"])
        assert answer["type"] == "accepted" or answer["code"] == "stale"
        answered.add(decision["decision"])


async def test_match_is_played_over_sockets_and_replays_from_its_log(
    live_world: World, hub: Hub
) -> None:
    world = live_world
    match = await sync_to_async(world.started)(*[[student] for student in world.students[:2]])
    async with AsyncExitStack() as stack:
        players = []
        for student in world.students[:2]:
            session = await sync_to_async(world.student_session)(student)
            players.append(
                await stack.enter_async_context(browser(f"/ws/match/{match.pk}/", session))
            )

        await asyncio.wait_for(asyncio.gather(*map(_play, players)), PATIENCE_S)

    stored = await sync_to_async(Match.objects.get)(pk=match.pk)
    assert stored.status == "ended"
    assert await sync_to_async(_same_state)(match.pk)
