"""What a browser may not be sent (any more): after a change of team, on a projector, again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import AsyncClient

from games.live.hub import Hub
from games.models import Match
from games.selectors import positions
from games.services import matches
from tests.games.live.sockets import Browser, browser, wire
from tests.games.world import World

sync = sync_to_async


def _path(match: Match) -> str:
    return f"/ws/match/{match.pk}/"


@pytest.mark.case("AZ-19", "HD-02", "HI-03")
async def test_after_a_change_of_team_no_tab_gets_anything_of_the_old_one(
    live_world: World, hub: Hub
) -> None:
    """Two tabs and one that is opened later, of a student who goes over to the others."""
    world, ana = live_world, live_world.students[0]
    match = await sync(world.started)(silent_first="never")
    session = await sync(world.student_session)(ana)
    old, new = (await sync(positions.load)(match.pk)).state.hands
    others = await sync(world.student_session)(world.students[2])
    assert set(old).isdisjoint(new)
    async with (
        browser(_path(match), session) as first,
        browser(_path(match), session) as second,
        browser(_path(match), others) as stays,
    ):
        for tab in (first, second):
            board = await tab.hear("observation")
            assert board["observation"]["hand"] == list(old)

        await sync(matches.join_match)(
            match_id=match.pk, actor=world.teacher, student_id=ana.pk, seat=1
        )
        for tab in (first, second):
            await tab.hear("hello")
            tab.got.clear()  # what came before the new greeting was still the old team's
        await stays.hear("observation", version=2)
        laid = await stays.ask("vote", decision=1, move={"type": "lay", "card": old[1]})
        async with browser(_path(match), session) as third:
            for tab in (first, second, third):
                board = await tab.hear("observation", version=laid["version"])
                assert board["observation"]["hand"] == list(new)
                seen = json.dumps(tab.got)
                assert not [card for card in old if f'"{card}"' in seen]


@pytest.mark.case("HD-08", "HI-03")
async def test_board_that_a_teacher_puts_on_the_projector_is_sent_what_all_may_know(
    live_world: World, hub: Hub
) -> None:
    """Not only drawn: a logged-in teacher's own board must not be told more than the class."""
    match = await sync(live_world.started)()
    session = await sync(live_world.teacher_session)()
    client = AsyncClient()
    client.cookies[settings.SESSION_COOKIE_NAME] = session

    page = (await client.get(f"/matches/{match.pk}/board/")).content.decode()
    told = json.loads(page.partition('type="application/json">')[2].partition("</script>")[0])
    async with browser(told["socket"], session) as projector:
        hello = await projector.hear("hello")

    assert hello["you"]["role"] == "screen"
    assert [frame["you"]["role"] for frame in told["frames"] if "you" in frame] == ["screen"]


@pytest.mark.case("WS-19")
async def test_frames_of_a_recorded_session_do_nothing_again(live_world: World, hub: Hub) -> None:
    """Everything that a browser once said, said again on new sockets, by itself and by others."""
    world = live_world
    match = await sync(world.started)(world.students[:1], world.students[1:2])
    sessions = [await sync(world.student_session)(student) for student in world.students[:2]]
    said: list[dict[str, Any]] = []
    async with browser(_path(match), sessions[0]) as ana:
        decision = (await ana.hear("observation"))["decision"]
        move = {"decision": decision["decision"], "move": decision["moves"][0]["move"]}
        first = await ana.ask("vote", request_id="recorded-once", **move)
        said += [{"kind": "vote", "request_id": "recorded-once", **move}]
        said += [{"kind": "vote", "request_id": "recorded-anew", **move}]
        said += [{"kind": "move", "request_id": "recorded-anew", **move}]

    answers = []
    for session in sessions:
        async with browser(_path(match), session) as replaying:
            await replaying.hear("observation")
            answers += [await replaying.ask(**frame) for frame in said]
    stored = await Match.objects.aget(pk=match.pk)

    assert first["type"] == "accepted"
    told = [answer.get("code") or answer["version"] for answer in answers]
    assert told[0] == first["version"]  # its own first answer
    assert set(told[1:]) <= {"stale", "conflict", "lanterns.card-not-held"}
    assert stored.version == first["version"]


@pytest.mark.case("WS-19", "AZ-17")
async def test_session_that_ended_opens_no_socket_again(live_world: World, hub: Hub) -> None:
    match = await sync(live_world.started)()
    session = await sync(live_world.student_session)(live_world.students[0])
    async with browser(_path(match), session) as ana:
        await ana.hear("observation")
    await sync(Session.objects.filter(session_key=session).delete)()

    connected, code = await wire(_path(match), session).connect()

    assert (connected, code) == (False, 4401)


@pytest.mark.case("WS-22")
@pytest.mark.parametrize("missed", [1, 3, 45], ids=["10 s", "a minute", "overnight"])
async def test_browser_that_was_away_gets_the_whole_board_and_no_wrong_one(
    live_world: World, hub: Hub, missed: int
) -> None:
    """It says which version it has drawn; 45 versions are more than the process remembers."""
    world = live_world
    match = await sync(world.started)(world.students[:1], world.students[1:2])
    session = await sync(world.student_session)(world.students[0])
    other = await sync(world.student_session)(world.students[1])
    async with browser(_path(match), session) as ana:
        board = await ana.hear("observation")
    async with browser(_path(match), other) as _stays:
        for act in ([matches.pause_match, matches.resume_match] * missed)[:missed]:
            await sync(act)(match_id=match.pk, actor=world.teacher)

        async with browser(_path(match), session) as back:
            returned: Browser = back
            await returned.hear("observation", version=1 + missed)
            await returned.say(type="resume", version=board["version"])
            resumed = await returned.hear("observation")

    position = await sync(positions.load)(match.pk)
    assert resumed["version"] == position.version == 1 + missed
    assert resumed["observation"]["hand"] == list(position.state.hands[0])
    assert resumed["status"] == position.status
