"""Every address × method × role, declared; an address nobody declared fails."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256

import pytest
from django.apps import apps
from django.core.cache import cache
from django.core.serializers import serialize
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests.permissions.lines import GO, JOIN, LOGIN, Answer, Line
from tests.permissions.tables import classroom, editor, games, imports, questions, site
from tests.permissions.world import ROLES, World, absent

LINES = (
    *site.LINES,
    *classroom.LINES,
    *games.LINES,
    *imports.LINES,
    *questions.LINES,
    *editor.LINES,
)
DECLARED = {line.name for line in LINES} | site.OF_ALLAUTH | games.NOT_YET
IDS = [f"{line.method} {line.name}" for line in LINES]


def patterns(
    found: list[URLPattern | URLResolver], namespace: str = ""
) -> Iterator[tuple[str, URLPattern]]:
    """All named addresses of the site."""
    for pattern in found:
        if isinstance(pattern, URLResolver):
            inner = f"{pattern.namespace}:" if pattern.namespace else namespace
            yield from patterns(pattern.url_patterns, inner)
        else:
            yield f"{namespace}{pattern.name}", pattern


ADDRESSES = dict(patterns(get_resolver().url_patterns))
SOMEBODYS = {
    *("classroom_id", "lesson_id", "student_id", "job_id", "teacher_id"),
    *("set_id", "question_id", "picture_id", "draft_id", "batch"),
}


def wanted(line: Line) -> set[str]:
    return set(ADDRESSES[line.name].pattern.converters)


@pytest.mark.case("AZ-06")
def test_every_address_is_declared():
    assert sorted(set(ADDRESSES) - DECLARED) == []


def test_nothing_is_declared_that_is_not_there():
    assert sorted(DECLARED - games.NOT_YET - set(ADDRESSES)) == []


@pytest.mark.case("AZ-01", "AZ-02", "AZ-03", "HI-06")
@pytest.mark.parametrize("line", LINES, ids=IDS)
def test_each_role_gets_what_the_table_says(world, line):
    assert {role: ask(world, line, role) for role in ROLES} == dict(line.expect)


@pytest.mark.case("AZ-01")
@pytest.mark.parametrize("line", [line for line in LINES if wanted(line) & SOMEBODYS], ids=str)
def test_foreign_and_absent_look_the_same(world, line):
    foreign = send(world.clients["other_teacher"], line, world, args(line, world))
    nothing = send(world.clients["other_teacher"], line, world, absent(args(line, world)))

    assert (foreign.status_code, plain(foreign)) == (nothing.status_code, plain(nothing))


@pytest.mark.case("AZ-07")
@pytest.mark.parametrize("line", [line for line in LINES if line.method == "GET"], ids=str)
def test_reading_changes_nothing(world, line):
    address = reverse(line.name, kwargs=args(line, world))
    before = database()

    for role in ("owner", "student", "guest"):
        for method in ("GET", "HEAD"):
            world.clients[role].generic(method, address)

    assert database() == before


@pytest.mark.case("SC-07")
@pytest.mark.parametrize("line", [line for line in LINES if line.method == "POST"], ids=str)
def test_posting_needs_the_token(world, line):
    client = Client(enforce_csrf_checks=True)
    client.cookies = world.clients["owner"].cookies

    answer = send(client, line, world, args(line, world))

    assert answer.status_code == 403


@pytest.mark.parametrize("name", sorted({line.name for line in classroom.LINES}))
def test_other_methods_are_refused(world, name):
    lines = [line for line in LINES if line.name == name]
    others = {"GET", "POST", "PUT", "PATCH", "DELETE"} - {line.method for line in lines}
    address = reverse(name, kwargs=args(lines[0], world))

    answers = {m: world.clients["owner"].generic(m, address).status_code for m in others}

    assert answers == dict.fromkeys(others, 405)


# -- asking ----------------------------------------------------------------------------------------


def ask(world: World, line: Line, role: str) -> Answer:
    """What ``role`` is answered; nothing of it stays."""
    cache.clear()
    with transaction.atomic():
        answer = send(world.clients[role], line, world, args(line, world))
        transaction.set_rollback(True)
    if answer.status_code != 302:
        return answer.status_code
    address = answer.headers["Location"]
    if address.startswith("/accounts/login/"):
        return LOGIN
    return JOIN if address == "/join/" else GO


def send(client: Client, line: Line, world: World, kwargs: dict[str, object]) -> HttpResponse:
    return client.generic(
        line.method,
        reverse(line.name, kwargs=kwargs),
        "&".join(f"{name}={value}" for name, value in line.form(world).items()),
        content_type="application/x-www-form-urlencoded",
    )


def args(line: Line, world: World) -> dict[str, object]:
    """What the address needs, of the first school."""
    known = line.args(world) if line.args else world.args
    return {name: known[name] for name in wanted(line)}


def plain(answer: HttpResponse) -> str:
    """A body without what differs between any two answers."""
    text = answer.content.decode()
    text = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|/devices/\d+", "ID", text)
    return re.sub(
        r'(csrf-token" content=|csrfmiddlewaretoken" value=|x-csrftoken": )"[^"]+"', "", text
    )


def database() -> str:
    """A print of every row but sessions."""
    rows = sha256()
    for model in apps.get_models():
        if model._meta.label_lower != "sessions.session" and model._meta.managed:
            rows.update(serialize("json", model.objects.order_by("pk")).encode())
    return rows.hexdigest()
