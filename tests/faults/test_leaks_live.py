"""The same canaries through sockets, pages, polls, exports, logs and hints."""

from __future__ import annotations

import asyncio
import json
import logging
import random
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.conf import settings
from django.test import AsyncClient

from classroom.models import Fact
from classroom.services import personal_data
from games.live import consumers, hints, now
from games.live.hub import Hub
from games.models import Match
from games.selectors import positions
from games.selectors.screens import screen_token
from games.services import facts, frames, log
from games.views import play as playing
from tests.faults.canaries import Oracle, words_in
from tests.games.live.sockets import Browser, browser
from tests.games.world import World

sync = sync_to_async
PAGES_EVERY = 25  # versions


class Record:
    """Every byte that one kind of viewer got."""

    def __init__(self) -> None:
        self.sent: dict[str, str] = {"0": "", "1": "", "teacher": "", "public": ""}
        self.pages = 0

    def add(self, viewer: str, text: str) -> None:
        """Words that were read stay read: only they are kept."""
        self.sent[viewer] += " ".join(words_in(text))


def _answer(decision: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    if "amount" in decision:
        amount = decision["amount"]
        chosen = chance.randint(amount["minimum"], amount["maximum"])
        return {
            "decision": decision["decision"],
            "move": {**amount["move"], amount["field"]: chosen},
        }
    offered = chance.choice(decision["moves"])
    kind = "move" if offered["act"] else "vote"
    return {"kind": kind, "decision": decision["decision"], "move": offered["move"]}


async def _drain(viewers: dict[str, list[Browser]], version: int, record: Record) -> None:
    """Read what all have been sent up to this version."""
    for viewer, browsers in viewers.items():
        for held in browsers:
            while held.board is None or held.board["version"] < version:
                await held.next()
            record.add(viewer, json.dumps(held.got))
            held.got.clear()


async def _drain_side(viewers: dict[str, list[Browser]], record: Record) -> None:
    """Desk and projector get rows whenever they change; take what is there."""
    for viewer, browsers in viewers.items():
        for held in browsers:
            while not held.wire.output_queue.empty():
                await held.next()
            record.add(viewer, json.dumps(held.got))
            held.got.clear()


class Pages:
    """The same match over plain requests, as each viewer."""

    def __init__(self, match: Match, sessions: dict[str, str], token: str) -> None:
        self._clients = {}
        for viewer, session in sessions.items():
            self._clients[viewer] = client = AsyncClient()
            if session:
                client.cookies[settings.SESSION_COOKIE_NAME] = session
        m, lesson = f"/matches/{match.pk}", f"/lessons/{match.lesson_id}"
        seat = (f"{m}/play/", f"{m}/now/?after=0", f"{m}/board/", f"{m}/story/", f"{m}/results/")
        self._asked = {
            "0": seat,
            "1": seat,
            "teacher": (
                *(f"{m}/board/", f"{m}/desk/", f"{lesson}/desk/", f"{lesson}/debrief/"),
                *(f"{m}/story/", f"{m}/story/steps/", f"{m}/now/?after=0&board=1"),
            ),
            "public": (
                *(f"{m}/board/?screen={token}", f"{lesson}/screen/?screen={token}"),
                *(f"{m}/now/?after=0&board=1&screen={token}", f"{m}/story/?screen={token}"),
                *(f"{m}/board/", f"{m}/story/", f"{m}/play/"),
            ),
        }

    async def read(self, record: Record) -> None:
        """Open everything that a viewer can ask for, refused or not; headers too."""
        for viewer, addresses in self._asked.items():
            for address in addresses:
                answer = await self._clients[viewer].get(address)
                body = b"".join([part async for part in _parts(answer)]).decode()
                record.add(viewer, f"{body}{answer.headers}")
                record.pages += answer.status_code == 200


async def _parts(answer: Any) -> Any:
    if answer.streaming:
        async for part in answer:
            yield part
    else:
        yield answer.content


@dataclass
class Heard:
    """What came of some matches, and what they left beside what viewers are sent."""

    leaks: list[str] = field(default_factory=list)
    drawn: int = 0  # questions
    pages: int = 0
    hints: list[str] = field(default_factory=list)


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Heard:
    """With all that is logged and said to other processes, as if there were some."""
    caplog.set_level(logging.DEBUG)
    noted = Heard()
    layer = get_channel_layer()
    send = layer.group_send

    async def listening(group: str, hint: dict[str, Any]) -> None:
        noted.hints.append(repr(hint))
        await send(group, hint)

    monkeypatch.setattr(layer, "group_send", listening)
    return noted


async def _play(world: World, hub: Hub, heard: Heard, *, matches: int, versions: int) -> None:
    for seed in range(matches):
        found, oracle, read = await _play_one(world, hub, seed, versions=versions)
        heard.leaks += found
        heard.drawn += oracle.drawn
        heard.pages += read


@pytest.mark.case("HI-01", "HI-02", "HI-03", "HI-04", "HI-12", "HD-01", "HD-02", "HD-10")
@pytest.mark.timeout(900)
async def test_nothing_that_leaves_the_site_holds_a_word_too_many(
    canary_world: World,
    hub: Hub,
    heard: Heard,
    numbers: Callable[[int, int], int],
    caplog: pytest.LogCaptureFixture,
) -> None:
    await _play(canary_world, hub, heard, matches=numbers(2, 10), versions=numbers(250, 600))

    assert heard.leaks == []
    assert heard.drawn >= 2
    assert heard.pages >= 50
    assert len(caplog.records) > 50
    assert words_in(caplog.text) == set()


@pytest.mark.case("HI-12")
async def test_hints_to_other_processes_hold_no_word(
    canary_world: World, hub: Hub, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "REDIS_URL", "redis://as-if")  # the layer is in memory

    await _play(canary_world, hub, heard, matches=1, versions=20)

    assert len(heard.hints) >= 10
    assert words_in("".join(heard.hints)) == set()


SECRET = "".join(f" zzx{number:03}zz" for number in range(20))  # they are not all asked so soon


def _in_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    push = consumers.Socket.push
    secret = f',"next":"{SECRET}"}}'.encode()
    monkeypatch.setattr(consumers.Socket, "push", lambda self, text: push(self, text[:-1] + secret))


def _in_a_poll(monkeypatch: pytest.MonkeyPatch) -> None:
    push = now.Poll.push
    secret = f',"next":"{SECRET}"}}'.encode()
    monkeypatch.setattr(now.Poll, "push", lambda self, text: push(self, text[:-1] + secret))


def _in_the_row_of_a_desk(monkeypatch: pytest.MonkeyPatch) -> None:
    row = frames.row
    secret = f',"next":"{SECRET}"}}'.encode()
    monkeypatch.setattr(frames, "row", lambda *args: row(*args)[:-1] + secret)


def _in_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    page = playing.match_page
    monkeypatch.setattr(
        playing, "match_page", lambda position, you: page(position, you) | {"next": SECRET}
    )


def _in_a_header(monkeypatch: pytest.MonkeyPatch) -> None:
    render = playing.render

    def leaky(*args: Any, **how: Any) -> Any:
        answer = render(*args, **how)
        answer.headers["X-Next"] = SECRET
        return answer

    monkeypatch.setattr(playing, "render", leaky)


def _in_an_export(monkeypatch: pytest.MonkeyPatch) -> None:
    export = personal_data.export_student
    monkeypatch.setattr(
        personal_data, "export_student", lambda **how: export(**how) | {"next": SECRET}
    )


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("plant", "viewers"),
    [
        (_in_a_frame, {"0", "1", "teacher", "public"}),
        (_in_a_poll, {"0", "1", "teacher", "public"}),
        (_in_the_row_of_a_desk, {"teacher"}),
        (_in_a_page, {"0", "1", "teacher", "public"}),
        (_in_a_header, {"0", "1", "teacher", "public"}),
        (_in_an_export, {"teacher"}),
    ],
)
async def test_word_that_is_planted_is_caught(
    canary_world: World,
    hub: Hub,
    heard: Heard,
    monkeypatch: pytest.MonkeyPatch,
    plant: Callable[[pytest.MonkeyPatch], None],
    viewers: set[str],
) -> None:
    """Negative control: in each place alone, with all who are sent it at the first look."""
    plant(monkeypatch)

    await _play(canary_world, hub, heard, matches=1, versions=PAGES_EVERY + 1)

    assert {leak.partition(":")[0] for leak in heard.leaks} >= viewers


async def test_word_that_is_planted_in_log_or_hint_is_caught(
    canary_world: World,
    hub: Hub,
    heard: Heard,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Negative control: where nobody looks, but who runs the site."""
    monkeypatch.setattr(settings, "REDIS_URL", "redis://as-if")  # the layer is in memory
    write, give = log.write, hints.give

    def telling(changes: Any) -> None:
        logging.getLogger("games.live").debug("Written.%s", SECRET)
        write(changes)

    async def giving(hint: dict[str, Any]) -> None:
        await give(hint | {"next": SECRET})

    monkeypatch.setattr(log, "write", telling)
    monkeypatch.setattr(hints, "give", giving)

    await _play(canary_world, hub, heard, matches=1, versions=10)

    assert heard.leaks == []
    assert words_in(caplog.text)
    assert words_in("".join(heard.hints))


async def _play_one(
    world: World, hub: Hub, seed: int, versions: int
) -> tuple[list[str], Oracle, int]:
    chance, oracle, record = random.Random(seed), Oracle(), Record()
    match = await sync(world.started)(*([s] for s in world.students), game="corruption")
    sessions = {
        str(seat): await sync(world.student_session)(student)
        for seat, student in enumerate(world.students)
    }
    sessions["teacher"], sessions["public"] = await sync(world.teacher_session)(), ""
    token = screen_token(world.lesson)
    position = await sync(positions.load)(match.pk)
    pages = Pages(match, sessions, token)
    found: list[str] = []
    async with AsyncExitStack() as stack:

        async def opened(path: str, viewer: str) -> Browser:
            return await stack.enter_async_context(browser(path, sessions[viewer]))

        play, lesson = f"/ws/match/{match.pk}/", f"/ws/lesson/{match.lesson_id}/"
        seats = [await opened(play, "0"), await opened(play, "1")]
        watching = {
            "0": [seats[0]],
            "1": [seats[1]],
            "teacher": [await opened(f"{play}?board=1", "teacher")],
            "public": [await opened(f"{play}?board=1&screen={token}", "public")],
        }
        beside = {
            "teacher": [await opened(lesson, "teacher")],
            "public": [await opened(f"{lesson}?screen={token}", "public")],
        }
        version, followed = 1, 0
        while version < versions:
            await _drain(watching, version, record)
            await _drain_side(beside, record)
            if version % PAGES_EVERY == 0 or _question_is_open(seats):
                await pages.read(record)
                record.add("teacher", str(await sync(_export)(world)))
            # A rule's window may run out beside the players: all that is stored has happened.
            for stored in await sync(positions.happened_since)(position, followed):
                oracle.happened(stored.events)
                followed = stored.version
            found += oracle.leaks(record.sent)
            mover = next((seat for seat in seats if seat.board and seat.board["decision"]), None)
            if mover is None or found:
                break
            assert mover.board is not None
            answer = await mover.ask(**_answer(mover.board["decision"], chance))
            if answer.get("code") == "stale":  # such a window ran out a moment before
                version += 1
                continue
            assert answer["type"] == "accepted", answer
            if chance.random() < 0.05:  # HI-02: a reload in mid-play shows no more
                place = seats.index(mover)
                seats[place] = watching[str(place)][0] = await opened(play, str(place))
            version = answer["version"]
    # Projector and export would tell of this match beside the next, whose oracle does not know it.
    while await sync(facts.untold)():
        await asyncio.sleep(0.01)
    hub.gone(str(match.pk))
    await sync(match.delete)()
    await Fact.objects.all().adelete()
    return found, oracle, record.pages


def _question_is_open(seats: list[Browser]) -> bool:
    return any(
        seat.board
        and (seat.board["observation"].get("question") or {}).get("letter") is None
        and "question" in seat.board["observation"]
        for seat in seats
    )


def _export(world: World) -> Any:
    student = world.students[0]
    return personal_data.export_student(actor=world.teacher, student_id=student.pk)
