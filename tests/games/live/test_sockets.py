"""The sockets of a match: who gets in, what is said, what is refused, how they end."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.contrib.sessions.models import Session

from classroom.models import Teacher
from classroom.services import attendance, classrooms, personal_data
from games.live import consumers, heartbeat, limits
from games.live.hub import Hub
from games.live.lines import QueuedLine
from games.models import Match
from games.selectors import positions
from games.selectors.screens import screen_token
from games.services import matches, publishing
from games.services.codes import CloseCode
from tests.factories import people
from tests.games.live.sockets import HOST, Browser, browser, wire
from tests.games.world import World, make_world

sync = sync_to_async


async def _started(world: World, *teams: Any, **how: Any) -> Match:
    match: Match = await sync(world.started)(*teams, **how)
    return match


async def _duel(world: World) -> Match:
    return await _started(world, world.students[:1], world.students[1:2])


async def _session(world: World, place: int) -> str:
    return str(await sync(world.student_session)(world.students[place]))


def _path(match: Match) -> str:
    return f"/ws/match/{match.pk}/"


async def _lay(player: Browser, kind: str = "vote", **more: Any) -> dict[str, Any]:
    board = player.board or await player.hear("observation")
    decision = board["decision"]
    return await player.ask(
        kind, decision=decision["decision"], move=decision["moves"][0]["move"], **more
    )


async def _records(match: Match) -> list[str]:
    def kinds() -> list[str]:
        return list(match.records.values_list("kind", flat=True))

    return await sync(kinds)()


# -- the handshake -------------------------------------------------------------------------------


@pytest.mark.case("WS-01")
@pytest.mark.parametrize("hosts", [["localhost"], ["*"]], ids=str)
@pytest.mark.parametrize(
    "origin",
    [
        None,
        "null",
        "http://evil.example",
        "http://localhost:8001",
        f"https://{HOST}",
        "https://[::1",
    ],
)
async def test_page_of_another_origin_gets_no_socket(
    live_world: World,
    hub: Hub,
    settings: Any,
    caplog: pytest.LogCaptureFixture,
    origin: str | None,
    hosts: list[str],
) -> None:
    settings.ALLOWED_HOSTS = hosts
    match = await _duel(live_world)

    connected, _code = await wire(
        _path(match), await _session(live_world, 0), origin=origin
    ).connect()

    assert not connected
    assert hub.rooms == {}
    complaints = {r.name for r in caplog.records if r.levelno >= logging.WARNING}
    assert complaints <= {"civictable.security"}  # no exception, at most the line about it


@pytest.mark.case("WS-02")
@pytest.mark.parametrize("cookie", ["", "made-up", "expired", "\x00;=", "x" * 4000])
async def test_browser_without_a_session_gets_no_socket(
    live_world: World, hub: Hub, cookie: str
) -> None:
    match = await _duel(live_world)
    if cookie == "expired":
        cookie = await _session(live_world, 0)
        await Session.objects.filter(session_key=cookie).aupdate(expire_date="2020-01-01T00:00Z")

    connected, code = await wire(_path(match), cookie).connect()

    assert (connected, code) == (False, 4401)
    assert hub.rooms == {}
    assert hub.sessions == {}


@pytest.mark.case("WS-18")
async def test_match_of_others_looks_like_one_that_is_not_there(
    live_world: World, hub: Hub
) -> None:
    match = await _duel(live_world)
    other_world = await sync(make_world)()
    other_match = await _duel(other_world)
    mine = await _session(live_world, 0)
    bystander = await _session(live_world, 3)  # of the class, in no team
    teacher = await sync(live_world.teacher_session)()

    answers = [
        await wire(path, session).connect()
        for path, session in (
            (_path(other_match), mine),
            (f"/ws/match/{uuid4()}/", mine),
            (_path(match), bystander),
            (_path(other_match), teacher),
            (f"/ws/lesson/{other_world.lesson.pk}/", mine),
            (f"/ws/lesson/{other_world.lesson.pk}/", teacher),
            (f"/ws/lesson/{uuid4()}/", teacher),
            (f"{_path(match)}?screen=made-up", ""),
            (f"{_path(other_match)}?screen={screen_token(live_world.lesson)}", ""),
            (f"{_path(match)}?as={live_world.students[0].pk}", teacher),
            (f"{_path(match)}?as=nobody", teacher),
        )
    ]

    assert set(answers) == {(False, 4404)}


@pytest.mark.case("WS-06")
async def test_oldest_of_six_pages_of_one_browser_is_closed(live_world: World, hub: Hub) -> None:
    match = await _duel(live_world)
    session = await _session(live_world, 0)
    lines = [wire(_path(match), session) for _page in range(6)]
    for line in lines:
        assert (await line.connect())[0]
    pages = [Browser(line) for line in lines]

    assert await pages[0].hear_close() == 4409
    for page in pages[1:]:
        await page.say(type="ping")
        await page.hear("pong")
    for line in lines[1:]:
        await line.disconnect()


# -- what is sent --------------------------------------------------------------------------------


async def test_newcomer_hears_who_they_are_and_then_the_whole_board(
    live_world: World, hub: Hub
) -> None:
    match = await _duel(live_world)
    ana = live_world.students[0]

    async with browser(_path(match), await _session(live_world, 0)) as player:
        hello, board = await player.next(), await player.next()

    assert hello["type"] == "hello"
    assert hello["you"] == {"role": "member", "seat": 0, "student": str(ana.pk), "name": "Ana"}
    assert hello["match"]["teams"][1]["members"][0]["name"] == "Ben"
    assert (board["type"], board["version"], board["status"]) == ("observation", 1, "playing")
    assert [m["label"][:4] for m in board["decision"]["moves"]] == ["Lay "] * 3
    assert board["events"][0]["line"].startswith("Seat 0 drew ")


@pytest.mark.case("HI-01")
async def test_nothing_that_is_sent_to_others_holds_a_hidden_card(
    live_world: World, hub: Hub
) -> None:
    match = await _duel(live_world)
    teacher = await sync(live_world.teacher_session)()
    screen = f"{_path(match)}?screen={screen_token(live_world.lesson)}"
    async with (
        browser(_path(match), await _session(live_world, 0)) as ana,
        browser(_path(match), await _session(live_world, 1)) as ben,
        browser(f"{_path(match)}?board=1", teacher) as desk,
        browser(screen, "") as projector,
    ):
        await _lay(ana)
        watchers = (ben, desk, projector)
        for watcher in watchers:
            await watcher.hear("observation", version=2)
        state = json.loads((await Match.objects.aget(pk=match.pk)).state)
        hidden = {*state["hands"][0], state["phase"]["sealed"][0], state["face_down"]}

        for watcher in watchers:
            sent = json.dumps(watcher.got)
            assert [card for card in hidden if f'"{card}"' in sent or f" {card}" in sent] == []
        assert state["phase"]["sealed"][0] in json.dumps(ana.got)


async def test_each_reads_in_their_own_language(live_world: World, hub: Hub) -> None:
    match = await _duel(live_world)
    session = await _session(live_world, 0)
    async with (
        browser(_path(match), session, language="fr") as french,
        browser(_path(match), session, language="ar,en;q=0.5") as arabic,
    ):
        await french.hear("observation")
        await arabic.hear("observation")

        spoken = {socket.language for socket in hub.connections()}

    assert spoken == {"fr", "ar"}


async def test_every_version_is_shown_to_everybody_once_and_in_order(
    live_world: World, hub: Hub
) -> None:
    match = await _duel(live_world)
    async with (
        browser(_path(match), await _session(live_world, 0)) as ana,
        browser(_path(match), await _session(live_world, 1)) as ben,
    ):
        await _lay(ana)
        await _lay(ben)
        for player in (ana, ben):
            await player.hear("observation", version=3) if player.board["version"] < 3 else None

        for player in (ana, ben):
            boards = [m["version"] for m in player.got if m["type"] == "observation"]
            assert boards == [1, 2, 3]


async def test_browser_that_comes_back_gets_the_board_and_what_it_missed(
    live_world: World, hub: Hub
) -> None:
    match = await _duel(live_world)
    async with browser(_path(match), await _session(live_world, 0)) as ana:
        async with browser(_path(match), await _session(live_world, 1)) as ben:
            await ben.hear("observation")
        await _lay(ana)

        async with browser(_path(match), await _session(live_world, 1)) as ben:
            await ben.hear("observation")
            await ben.say(type="resume", version=1)
            board = await ben.hear("observation")

    assert board["version"] == 2
    assert [event["version"] for event in board["events"]] == [2]


# -- moves ---------------------------------------------------------------------------------------


@pytest.mark.case("WS-11", "CC-02")
async def test_same_move_a_hundred_times_from_two_pages_is_done_once(
    live_world: World, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.live.limits.BURST", 1000)
    match = await _duel(live_world)
    session = await _session(live_world, 0)
    async with (
        browser(_path(match), session) as one,
        browser(_path(match), session) as two,
    ):
        decision = (await two.hear("observation"))["decision"]
        said = {
            "request_id": "the-very-same",
            "decision": decision["decision"],
            "move": decision["moves"][0]["move"],
        }
        answers = [await page.ask("vote", **said) for page in (one, two) * 50]

    assert {(a["type"], a["version"]) for a in answers} == {("accepted", 2)}
    assert await _records(match) == ["setup", "move"]


@pytest.mark.case("CC-01")
async def test_two_teammates_act_at_once(live_world: World, hub: Hub) -> None:
    match = await _started(live_world, decision_rule="spokesperson")
    async with (
        browser(_path(match), await _session(live_world, 0)) as ana,
        browser(_path(match), await _session(live_world, 2)) as caro,
    ):
        await ana.hear("observation")
        await caro.hear("observation")
        await ana.hear("votes")
        answers = await asyncio.gather(_lay(ana, "move"), _lay(caro, "move"))
        for player in (ana, caro):
            if player.board["version"] < 2:
                await player.hear("observation", version=2)

    kinds = sorted((a["type"], a.get("code")) for a in answers)
    assert kinds in (
        [("accepted", None), ("accepted", None)],  # a vote, then the spokesperson's word
        [("accepted", None), ("refused", "stale")],
    )
    assert await _records(match) == ["setup", "move"]
    assert ana.board["observation"] == caro.board["observation"]


@pytest.mark.case("WS-13")
async def test_late_answer_is_stale_and_changes_nothing(live_world: World, hub: Hub) -> None:
    match = await _duel(live_world)
    async with browser(_path(match), await _session(live_world, 0)) as ana:
        board = await ana.hear("observation")
        await _lay(ana)
        move = board["decision"]["moves"][1]["move"]

        answer = await ana.ask("vote", decision=board["decision"]["decision"], move=move)

    assert answer["code"] == "stale"
    assert await _records(match) == ["setup", "move"]


@pytest.mark.case("WS-14")
@pytest.mark.parametrize("decision", [9, 2**31 - 1, -1, 2**70, "1", None, 1.5])
async def test_decision_that_never_was_is_a_bad_message(
    live_world: World, hub: Hub, decision: Any
) -> None:
    match = await _duel(live_world)
    async with browser(_path(match), await _session(live_world, 0)) as ana:
        board = await ana.hear("observation")
        answer = await ana.ask(
            "vote", decision=decision, move=board["decision"]["moves"][0]["move"]
        )

    assert answer["code"] == "bad_message"
    assert await _records(match) == ["setup"]


@pytest.mark.case("WS-17")
@pytest.mark.parametrize("who", ["teacher", "projector"])
async def test_who_only_watches_may_not_move(live_world: World, hub: Hub, who: str) -> None:
    match = await _duel(live_world)
    teacher = await sync(live_world.teacher_session)()
    screen = screen_token(live_world.lesson)
    path = _path(match) if who == "teacher" else f"{_path(match)}?screen={screen}"
    async with browser(path, teacher if who == "teacher" else "") as watcher:
        board = await watcher.hear("observation")
        answers = [
            await watcher.ask(kind, decision=1, move={"type": "lay", "card": "a1"})
            for kind in ("move", "vote")
        ]

    assert board["decision"] is None
    assert [a["code"] for a in answers] == ["not_allowed", "not_allowed"]
    assert await _records(match) == ["setup"]


@pytest.mark.case("WS-09")
async def test_bad_messages_are_answered_and_ten_of_them_end_the_socket(
    live_world: World, hub: Hub, caplog: pytest.LogCaptureFixture
) -> None:
    match = await _duel(live_world)
    bad = ["[]", "null", "{", '{"type":"move"}', '{"type":"ping","x":NaN}', '{"type":"fly"}']
    async with browser(_path(match), await _session(live_world, 0)) as ana:
        for text in bad:
            await ana.wire.send_text(text)
        await ana.wire.send_input({"type": "websocket.receive", "bytes": b"\xff\xfe"})
        await ana.wire.send_input({"type": "websocket.receive", "text": None, "bytes": b"{}"})
        codes = [(await ana.hear("refused"))["code"] for _text in range(8)]
        await ana.say(type="ping")
        await ana.hear("pong")
        for _time in range(2):
            await ana.wire.send_text("[]")

        assert await ana.hear_close() == 1008
    assert codes == ["bad_message"] * 5 + ["unknown_type"] + ["bad_message"] * 2
    assert [r for r in caplog.records if r.levelno >= logging.WARNING] == []


@pytest.mark.case("WS-05")
async def test_flood_is_warned_about_then_closed(live_world: World, hub: Hub) -> None:
    match = await _duel(live_world)
    async with browser(_path(match), await _session(live_world, 0)) as ana:
        for _time in range(200):
            await ana.wire.send_text('{"type":"ping"}')

        assert await ana.hear_close() == 1008
    kinds = [m.get("code", m["type"]) for m in ana.got]
    assert kinds.count("pong") < 40
    assert kinds.count("too_fast") == limits.TOO_FAST + 1


@pytest.mark.case("WS-21")
async def test_handler_that_fails_is_answered_counted_and_cleaned_up(
    live_world: World,
    hub: Hub,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken(*_args: Any) -> None:
        raise ZeroDivisionError

    match = await _duel(live_world)
    async with browser(_path(match), await _session(live_world, 0)) as ana:
        await ana.hear("observation")
        with monkeypatch.context() as patch:
            patch.setattr(hub, "heard", broken)
            answer = await _lay(ana)
        again = await _lay(ana)

    assert answer["code"] == "server_error"
    assert again["type"] == "accepted"
    assert hub.rooms == {}
    assert hub.sessions == {}
    caplog.clear()
    heartbeat.tell_failures(hub)
    heartbeat.tell_failures(hub)  # nothing new
    (told,) = caplog.messages
    assert "failed 1 times" in told


@pytest.mark.case("CF-16")
async def test_error_in_the_rules_freezes_this_match_alone(
    live_world: World, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = live_world
    match = await _duel(world)
    other = await _started(world, world.students[2:3], world.students[3:4])
    broken_for = (await sync(positions.load)(match.pk)).rules
    apply = type(broken_for).apply

    def broken(self: Any, state: Any, *args: Any) -> Any:
        if args[1].card in first_hand:
            raise ZeroDivisionError
        return apply(self, state, *args)

    first_hand = (await sync(positions.load)(match.pk)).state.hands[0]
    teacher = await sync(world.teacher_session)()
    async with (
        browser(_path(match), await _session(world, 0)) as ana,
        browser(_path(other), await _session(world, 3)) as dia,
        browser(f"/ws/lesson/{world.lesson.pk}/", teacher) as desk,
    ):
        await ana.hear("observation")
        await dia.hear("observation")
        monkeypatch.setattr(type(broken_for), "apply", broken)
        refused = await _lay(ana)
        monkeypatch.setattr(type(broken_for), "apply", apply)
        notice = await desk.hear("notice")
        going_on = await _lay(dia)

    assert refused["code"] == "frozen"
    assert (notice["code"], notice["match"]) == ("frozen", str(match.pk))
    assert going_on["type"] == "accepted"
    assert await _records(match) == ["setup", "freeze"]


# -- rights that change --------------------------------------------------------------------------


@pytest.mark.case("AZ-18", "CC-07")
async def test_kicked_student_is_out_and_stays_out(live_world: World, hub: Hub) -> None:
    world = live_world
    match = await _started(world)
    session = await _session(world, 0)
    async with (
        browser(_path(match), session) as ana,
        browser(_path(match), session) as second_tab,
    ):
        await ana.hear("observation")
        await second_tab.hear("observation")
        kick = sync(attendance.kick_student)(
            lesson_id=world.lesson.pk, actor=world.teacher, student_id=world.students[0].pk
        )

        async def try_to_move() -> dict[str, Any]:
            try:
                return await _lay(ana)
            except ConnectionResetError:
                return {"type": "closed"}

        answer, _none = await asyncio.gather(try_to_move(), kick)
        codes = {await page.hear_close() for page in (ana, second_tab)}

    assert codes <= {4401, 4404}
    assert (await wire(_path(match), session).connect())[0] is False
    kinds = await _records(match)
    assert "move" not in kinds[kinds.index("leave") :]
    assert (answer["type"] == "accepted") == ("move" in kinds) or answer["version"] == 1


@pytest.mark.case("AZ-17")
@pytest.mark.parametrize("who", ["student", "teacher"])
async def test_session_that_ends_takes_its_sockets_along(
    live_world: World, hub: Hub, who: str
) -> None:
    match = await _duel(live_world)
    if who == "student":
        session = await _session(live_world, 0)
    else:
        session = await sync(live_world.teacher_session)()
    async with browser(_path(match), session) as page:
        await page.hear("observation")
        await Session.objects.filter(session_key=session).adelete()

        assert await page.hear_close() == 4401


@pytest.mark.case("AZ-17")
async def test_teacher_who_may_no_longer_log_in_loses_the_desk(live_world: World, hub: Hub) -> None:
    session = await sync(live_world.teacher_session)()
    async with browser(f"/ws/lesson/{live_world.lesson.pk}/", session) as desk:
        await desk.hear("hello")
        await Teacher.objects.filter(pk=live_world.teacher.teacher.pk).aupdate(is_active=False)

        assert await desk.hear_close() == 4401


@pytest.mark.case("AZ-20")
async def test_desk_of_a_teacher_whose_password_was_changed_closes_and_the_match_goes_on(
    live_world: World, hub: Hub
) -> None:
    world = live_world
    match = await _duel(world)
    colleague = await sync(people.co_teacher)(world.lesson.classroom)
    sessions = [
        await sync(world.teacher_session)(who) for who in (world.teacher.teacher, colleague)
    ]
    lesson = f"/ws/lesson/{world.lesson.pk}/"
    async with (
        browser(lesson, sessions[0]) as desk,
        browser(lesson, sessions[1]) as other_desk,
        browser(_path(match), await _session(world, 0)) as ana,
    ):
        await desk.hear("hello")
        await other_desk.hear("hello")
        teacher = await Teacher.objects.aget(pk=world.teacher.teacher.pk)
        teacher.set_password("nine calm owls at noon")
        await teacher.asave()

        assert await desk.hear_close() == 4401
        assert (await _lay(ana))["type"] == "accepted"
        await other_desk.hear("row", version=2)
    assert (await wire(lesson, sessions[0]).connect())[0] is False


@pytest.mark.case("CC-06")
async def test_class_that_is_deleted_in_the_middle_of_a_match_ends_every_socket(
    live_world: World, hub: Hub, caplog: pytest.LogCaptureFixture
) -> None:
    world = live_world
    match = await _duel(world)
    ana_session = await _session(world, 0)
    teacher = await sync(world.teacher_session)()
    async with (
        browser(_path(match), ana_session) as ana,
        browser(f"/ws/lesson/{world.lesson.pk}/", teacher) as desk,
    ):
        await ana.hear("observation")
        await desk.hear("hello")
        delete = sync(classrooms.delete_classroom)(
            actor=world.teacher, classroom_id=world.lesson.classroom_id, typed_name="7b"
        )

        async def try_to_move() -> str:
            try:
                return str((await _lay(ana))["type"])
            except ConnectionResetError:
                return "closed"

        answer, _none = await asyncio.gather(try_to_move(), delete)
        codes = {await page.hear_close() for page in (ana, desk)}

    assert answer in {"accepted", "refused", "closed"}
    assert codes <= {4401, 4404, 4410}
    assert (await wire(_path(match), ana_session).connect())[0] is False
    assert not await Match.objects.aexists()
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.ERROR] == []


@pytest.mark.case("CC-06")
async def test_student_who_is_erased_in_the_middle_of_a_match_is_out_and_the_others_play_on(
    live_world: World, hub: Hub, caplog: pytest.LogCaptureFixture
) -> None:
    world = live_world
    match = await _started(world, world.students[:2], world.students[2:4])
    session = await _session(world, 0)
    async with (
        browser(_path(match), session) as ana,
        browser(_path(match), await _session(world, 2)) as caro,
    ):
        await ana.hear("observation")
        await caro.hear("observation")

        await sync(personal_data.erase_student)(
            actor=world.teacher, student_id=world.students[0].pk
        )

        assert await ana.hear_close() in {4401, 4404}
        board = await caro.hear("observation", version=2)
        teams = (await sync(positions.load)(match.pk)).teams
    assert (await wire(_path(match), session).connect())[0] is False
    assert [member.name for member in teams[0].members] == ["Ben"]
    assert board["status"] == "playing"
    assert await _records(match) == ["setup", "leave"]
    assert "Ana" not in json.dumps(caro.got[caro.got.index(board) :])
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.ERROR] == []


@pytest.mark.case("CC-06")
async def test_match_that_is_deleted_closes_its_sockets(live_world: World, hub: Hub) -> None:
    match = await _duel(live_world)
    async with browser(_path(match), await _session(live_world, 0)) as ana:
        await ana.hear("observation")
        await Match.objects.filter(pk=match.pk).adelete()

        assert await ana.hear_close() == 4410


async def test_student_who_changes_teams_plays_on_in_the_other(live_world: World, hub: Hub) -> None:
    world = live_world
    match = await _started(world)
    async with browser(_path(match), await _session(world, 0)) as ana:
        await ana.hear("observation")
        await sync(matches.join_match)(
            match_id=match.pk, actor=world.teacher, student_id=world.students[0].pk, seat=1
        )
        hello = await ana.hear("hello")
        board = await ana.hear("observation", version=2)

    assert hello["you"]["seat"] == 1
    assert board["decision"]["seat"] == 1


# -- silence, slowness ---------------------------------------------------------------------------


@pytest.mark.case("WS-07")
async def test_socket_that_is_silent_for_a_minute_is_closed(
    live_world: World, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "SILENT_S", 1)
    match = await _duel(live_world)
    async with browser(_path(match), await _session(live_world, 0)) as ana:
        assert await ana.hear_close() == 4408


@pytest.mark.case("CF-17", "CF-04")
async def test_nobody_is_silent_because_the_server_stood_still(
    live_world: World, hub: Hub, pass_time: Callable[[float], None]
) -> None:
    """Not even after five minutes; who says nothing from then on is closed all the same."""
    match = await _duel(live_world)
    async with browser(_path(match), await _session(live_world, 0)) as ana:
        await ana.hear("observation")
        (socket,) = hub.connections()
        before = socket.heard_at

        pass_time(300)
        async with asyncio.timeout(60):
            while socket.heard_at == before:
                await asyncio.sleep(0.05)
        heartbeat.end_silent(hub)
        kept = socket in hub.connections()
        pass_time(300 + heartbeat.SILENT_S)
        heartbeat.end_silent(hub)

        assert kept
        assert await ana.hear_close() == 4408


@pytest.mark.case("WS-08")
async def test_browser_that_takes_nothing_is_dropped_before_it_costs_memory(
    live_world: World, hub: Hub
) -> None:
    match = await _duel(live_world)
    async with browser(_path(match), await _session(live_world, 0)) as ana:
        await ana.hear("observation")
        (socket,) = hub.connections()
        assert isinstance(socket, consumers.Socket)
        stuck = asyncio.Event()

        async def take_nothing(_message: Any) -> None:
            await stuck.wait()

        socket.line = QueuedLine(stuck.wait, take_nothing)
        pushed = 0
        while socket in hub.connections():
            socket.push(b"x" * 4096)
            pushed += 4096
            assert pushed <= 2 * consumers.OUTGOING_BYTES
        held = socket.line.waiting_bytes()

        stuck.set()
    assert held <= consumers.OUTGOING_BYTES + 4096


@pytest.mark.case("WS-08")
async def test_browser_that_takes_nothing_for_long_is_dropped(
    live_world: World, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "LAG_S", 1)
    match = await _duel(live_world)
    async with browser(_path(match), await _session(live_world, 0)) as ana:
        await ana.hear("observation")
        (socket,) = hub.connections()
        assert isinstance(socket, consumers.Socket)
        stuck = asyncio.Event()

        async def take_nothing(_message: Any) -> None:
            await stuck.wait()

        socket.line = QueuedLine(stuck.wait, take_nothing)
        socket.push(b"{}")
        async with asyncio.timeout(20):
            while hub.connections():
                await asyncio.sleep(0.05)
        stuck.set()


async def test_nothing_is_heard_of_a_socket_that_was_ended(live_world: World, hub: Hub) -> None:
    match = await _duel(live_world)
    async with browser(_path(match), await _session(live_world, 0)) as ana:
        board = await ana.hear("observation")
        (socket,) = hub.connections()
        assert isinstance(socket, consumers.Socket)
        socket.end(CloseCode.NO_SESSION)
        move = {"request_id": "too-late-by-far", "decision": 1}
        socket.hear(
            json.dumps({"type": "vote", **move, "move": board["decision"]["moves"][0]["move"]})
        )
        await ana.hear_close()

    assert await _records(match) == ["setup"]


# -- what other processes do ---------------------------------------------------------------------


async def test_change_behind_the_back_of_this_process_is_shown_by_the_poll(
    live_world: World, hub: Hub
) -> None:
    match = await _duel(live_world)
    async with browser(_path(match), await _session(live_world, 0)) as ana:
        await ana.hear("observation")
        publishing.stop_listening(hub.changed)
        try:
            await sync(matches.pause_match)(match_id=match.pk, actor=live_world.teacher)
            await ana.hear("paused", version=2, why="teacher", seat=None)
        finally:
            publishing.listen(hub.changed)


async def test_move_judged_by_an_old_position_is_judged_again(
    live_world: World, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = live_world
    match = await _duel(world)

    async def never(_hub: Hub) -> None:
        return None

    monkeypatch.setattr("games.live.watch.look", never)
    async with browser(_path(match), await _session(world, 0)) as ana:
        await ana.hear("observation")
        publishing.stop_listening(hub.changed)
        try:
            await sync(matches.step_in)(
                match_id=match.pk, actor=world.teacher, seat=1, played_by="teacher"
            )
            answer = await _lay(ana)
        finally:
            publishing.listen(hub.changed)

    assert (answer["type"], answer["version"]) == ("accepted", 3)
    assert await _records(match) == ["setup", "seat", "move"]
