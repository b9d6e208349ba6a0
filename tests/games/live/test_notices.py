"""Notices, the announced end and the last round on the pages of a lesson."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from asgiref.sync import sync_to_async

from classroom.models import Lesson
from games.live.hub import Hub
from games.selectors.screens import screen_token
from games.services.notices import send_notice, take_back_notice
from tests.games.live.sockets import Browser, browser
from tests.games.world import World

sync = sync_to_async


async def _told(world: World, text: str, **to: object) -> int:
    send = sync(send_notice)
    notice = await send(actor=world.teacher, lesson_id=world.lesson.pk, text=text, **to)
    return int(notice.pk)


def _texts(page: Browser) -> list[str]:
    told = [message for message in page.got if message["type"] == "lesson"]
    return [message["notice"]["text"] if message["notice"] else "" for message in told]


async def test_a_notice_reaches_the_pages_it_is_for_and_no_other(
    live_world: World, hub: Hub
) -> None:
    world = live_world
    match = await sync(world.started)(world.students[:1], world.students[1:2])
    path = f"/ws/match/{match.pk}/"
    screen = f"{path}?board=1&screen={screen_token(world.lesson)}"
    sessions = [await sync(world.student_session)(world.students[place]) for place in (0, 1)]
    async with (
        browser(path, sessions[0]) as ana,
        browser(path, sessions[1]) as ben,
        browser(screen, "") as projector,
    ):
        await _told(world, "For one team.", match_id=match.pk, seat=1)
        await ben.hear("lesson")
        await _told(world, "For the pages.")
        await ana.hear("lesson")
        await ben.hear("lesson")
        last = await _told(world, "For all to see.", on_screen=True)
        for page in (ana, ben, projector):
            await page.hear("lesson")
        await sync(take_back_notice)(actor=world.teacher, lesson_id=world.lesson.pk, notice_id=last)
        gone = await projector.hear("lesson")
        back = await ana.hear("lesson")

    assert _texts(ana) == ["For the pages.", "For all to see.", "For the pages."]
    assert _texts(ben)[:2] == ["For one team.", "For the pages."]
    assert _texts(projector) == ["For all to see.", ""]
    assert gone["notice"] is None
    assert back["notice"]["text"] == "For the pages."


async def test_the_announced_end_is_told_to_who_comes_later(live_world: World, hub: Hub) -> None:
    world = live_world
    match = await sync(world.started)()
    end = datetime(2030, 1, 1, 10, 45, tzinfo=UTC)
    await Lesson.objects.filter(pk=world.lesson.pk).aupdate(ends_at=end)

    session = await sync(world.student_session)(world.students[0])
    async with browser(f"/ws/match/{match.pk}/", session) as ana:
        told = await ana.hear("lesson")

    assert told == {
        "type": "lesson",
        "notice": None,
        "ends_at": round(end.timestamp() * 1000),
        "last_round": False,
    }


async def test_nothing_is_told_while_there_is_nothing_to_say(live_world: World, hub: Hub) -> None:
    match = await sync(live_world.started)()
    session = await sync(live_world.student_session)(live_world.students[0])
    async with browser(f"/ws/match/{match.pk}/", session) as ana:
        await ana.hear("observation")
        await asyncio.sleep(1.3)
        await ana.say(type="ping")
        await ana.hear("pong")

    assert _texts(ana) == []
