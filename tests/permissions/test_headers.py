"""Every address answers each role with the headers of a careful site (T10)."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.db import transaction

from tests.permissions.test_matrix import LINES, args, send
from tests.permissions.world import ROLES, World

KEPT = {"private, no-cache"}  # pictures: asked for each time, so that access is checked each time
PUBLIC = {"words", "games:demo_recording"}  # of the program itself, in no way personal
EVERYWHERE = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


@pytest.mark.case("SC-01", "SC-02", "SC-03")
@pytest.mark.parametrize("line", LINES, ids=str)
def test_each_answer_has_its_headers_whoever_asks(world: World, line):
    wrong = []
    for role in ROLES:
        cache.clear()
        with transaction.atomic():  # what one role does is undone before the next asks
            answer = send(world.clients[role], line, world, args(line, world))
            transaction.set_rollback(True)
        where = f"{role} {answer.status_code}"
        policy = answer.headers.get("Content-Security-Policy", "")
        wrong += [
            f"{where}: {name} is {answer.headers.get(name)}"
            for name, value in EVERYWHERE.items()
            if answer.headers.get(name) != value
        ]
        if "frame-ancestors 'none'" not in policy or "unsafe" in policy:
            wrong.append(f"{where}: policy {policy!r}")
        kept = answer.headers.get("Cache-Control", "")
        if "no-store" not in kept and kept not in KEPT and line.name not in PUBLIC:
            wrong.append(f"{where}: may be kept: {kept!r}")
        if kept in KEPT and "sandbox" not in policy:
            wrong.append(f"{where}: kept without a sandbox")
        wrong += [
            f"{where}: cookie {name}"
            for name, cookie in answer.cookies.items()
            if cookie.value and (not cookie["httponly"] or cookie["samesite"] != "Lax")
        ]

    assert wrong == []
