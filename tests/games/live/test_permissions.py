"""Every live address and every message × role, declared; an undeclared one fails."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.test import AsyncClient

from classroom.models import CoTeacher, Student, Teacher
from games.live.hub import Hub
from games.live.messages import CLIENT_TYPES
from games.live.routing import sockets
from games.models import Match
from games.selectors.screens import screen_token
from tests.games.live.sockets import Browser, wire
from tests.games.world import World, arrive, make_world

sync = sync_to_async

IN, NO_SESSION, NOT_THERE = "in", 4401, 4404
ROLES = (
    *("member", "other team", "no team", "kicked", "other class", "anonymous"),
    *("owner", "co-teacher", "other teacher", "administrator", "screen", "screen of another"),
)

Answers = Mapping[str, object]


def _all(answer: object, **others: object) -> Answers:
    names = {name.replace(" ", "_").replace("-", "_"): name for name in ROLES}
    return {**dict.fromkeys(ROLES, answer), **{names[key]: said for key, said in others.items()}}


PLAYERS = {"member": IN, "other_team": IN}
TEACHERS = {"owner": IN, "co_teacher": IN, "screen": IN}
HANDSHAKES: dict[str, Answers] = {
    "ws/match/<uuid:match_id>/": _all(NOT_THERE, anonymous=NO_SESSION, **PLAYERS, **TEACHERS),
    "ws/lesson/<uuid:lesson_id>/": _all(
        NOT_THERE, anonymous=NO_SESSION, no_team=IN, **PLAYERS, **TEACHERS
    ),
}

WATCHER = {"move": "not_allowed", "vote": "not_allowed", "explain": "not_allowed"}
PLAYER = {"move": "accepted", "vote": "accepted", "explain": "not_allowed"}
ALWAYS = {"resume": "pong", "ping": "pong"}
MESSAGES: dict[str, Answers] = {  # on the socket of a match, of those who were let in
    "member": {**PLAYER, **ALWAYS},
    "other team": {**PLAYER, **ALWAYS},
    "owner": {**WATCHER, **ALWAYS},
    "co-teacher": {**WATCHER, **ALWAYS},
    "screen": {**WATCHER, **ALWAYS},
}
NOW = _all(404, member=200, other_team=200, owner=200, co_teacher=200, screen=200)
LESSON_NOW = {**NOW, "no team": 200}


@dataclass
class Cast:
    """A match with everybody who might want something of it."""

    match: Match
    world: World
    sessions: dict[str, str]
    screens: dict[str, str]

    def path(self, template: str, role: str) -> str:
        """The address as the role's page would open it."""
        path = "/" + template.replace("<uuid:match_id>", str(self.match.pk)).replace(
            "<uuid:lesson_id>", str(self.world.lesson.pk)
        )
        return f"{path}?screen={self.screens[role]}" if role in self.screens else path


def _cast(world: World) -> Cast:
    other = make_world(1)
    match = world.started(world.students[:1], world.students[1:2])
    kicked = Student.objects.create(classroom=world.lesson.classroom, name="Kim")
    arrive(world, kicked)
    sessions = {
        "member": world.student_session(world.students[0]),
        "other team": world.student_session(world.students[1]),
        "no team": world.student_session(world.students[2]),
        "kicked": world.student_session(kicked),
        "other class": other.student_session(other.students[0]),
        "anonymous": "",
        "screen": "",
        "screen of another": "",
        "owner": world.teacher_session(),
        "other teacher": other.teacher_session(),
    }
    kicked.attendance.update(kicked_at="2026-01-01T00:00Z")
    colleague = Teacher.objects.create_user("co@school.example", "secret", name="Mr White")
    CoTeacher.objects.create(classroom=world.lesson.classroom, teacher=colleague)
    sessions["co-teacher"] = world.teacher_session(colleague)
    administrator = Teacher.objects.create_superuser("it@school.example", "secret", name="IT")
    sessions["administrator"] = world.teacher_session(administrator)
    screens = {
        "screen": screen_token(world.lesson),
        "screen of another": screen_token(other.lesson),
    }
    return Cast(match, world, sessions, screens)


@asynccontextmanager
async def _let_in(cast: Cast, role: str) -> AsyncIterator[Browser]:
    line = wire(cast.path("ws/match/<uuid:match_id>/", role), cast.sessions[role])
    assert (await line.connect())[0]
    yield Browser(line)
    await line.disconnect()


def test_every_socket_is_declared() -> None:
    assert {str(route.pattern) for route in sockets.routes} == set(HANDSHAKES)


def test_every_message_is_declared_for_everybody_who_is_let_in() -> None:
    let_in = {r for r, said in HANDSHAKES["ws/match/<uuid:match_id>/"].items() if said == IN}

    assert set(MESSAGES) == let_in
    assert [role for role, said in MESSAGES.items() if set(said) != set(CLIENT_TYPES)] == []


@pytest.mark.case("WS-02", "WS-18", "AZ-01")
@pytest.mark.parametrize("path", HANDSHAKES)
async def test_each_role_is_let_in_or_not(live_world: World, hub: Hub, path: str) -> None:
    cast = await sync(_cast)(live_world)
    answers: dict[str, object] = {}
    for role in ROLES:
        line = wire(cast.path(path, role), cast.sessions[role])
        connected, code = await line.connect()
        answers[role] = IN if connected else code
        if connected:
            await line.disconnect()

    assert answers == HANDSHAKES[path]


@pytest.mark.case("WS-17", "AZ-01")
@pytest.mark.parametrize("role", MESSAGES)
@pytest.mark.parametrize("kind", sorted(CLIENT_TYPES))
async def test_each_message_is_answered_as_declared(
    live_world: World, hub: Hub, role: str, kind: str
) -> None:
    cast = await sync(_cast)(live_world)
    seat = 1 if role == "other team" else 0
    hand = json.loads((await Match.objects.aget(pk=cast.match.pk)).state)["hands"][seat]
    fields: dict[str, Any] = {
        "request_id": "permission-test",
        "decision": 1,
        "move": {"type": "lay", "card": hand[0]},
        "version": 1,
    }
    said = {name: fields[name] for name in CLIENT_TYPES[kind].__struct_fields__}
    async with _let_in(cast, role) as page:
        await page.hear("observation")
        await page.say(type=kind, **said)
        answer = await page.next()
        while answer["type"] not in {"accepted", "refused", "pong"}:
            answer = await page.next()

    assert answer.get("code", answer["type"]) == MESSAGES[role][kind]
    moved = await cast.match.records.filter(kind="move").acount()
    assert moved == (1 if MESSAGES[role][kind] == "accepted" else 0)


@pytest.mark.case("AZ-01")
async def test_each_role_gets_the_same_over_plain_requests(live_world: World, hub: Hub) -> None:
    cast = await sync(_cast)(live_world)
    answers: dict[str, dict[str, object]] = {"GET": {}, "POST": {}}
    for role in ROLES:
        client = AsyncClient()
        if cast.sessions[role]:
            client.cookies[settings.SESSION_COOKIE_NAME] = cast.sessions[role]
        path = cast.path("matches/<uuid:match_id>/now/", role)
        answers["GET"][role] = (await client.get(path)).status_code
        said = {"type": "ping"}
        posted = await client.post(path, said, content_type="application/json")
        answers["POST"][role] = posted.status_code

    assert answers == {"GET": NOW, "POST": NOW}


@pytest.mark.case("AZ-01")
async def test_each_role_gets_the_same_of_a_lesson_over_plain_requests(
    live_world: World, hub: Hub
) -> None:
    cast = await sync(_cast)(live_world)
    answers: dict[str, object] = {}
    for role in ROLES:
        client = AsyncClient()
        if cast.sessions[role]:
            client.cookies[settings.SESSION_COOKIE_NAME] = cast.sessions[role]
        path = cast.path("lessons/<uuid:lesson_id>/now/", role)
        answers[role] = (await client.get(path)).status_code
        posted = await client.post(path, {"type": "ping"}, content_type="application/json")
        assert posted.status_code == 405

    assert answers == LESSON_NOW
