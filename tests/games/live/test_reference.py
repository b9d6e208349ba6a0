"""The reference page of live messages says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from games.live import acting, consumers, heartbeat, lessons, looks, messages, rooms, showing
from games.live.messages import CLIENT_TYPES
from games.services import frames
from games.services.codes import PROTOCOL, CloseCode, Refusal

PAGE = Path("docs/reference/live-messages.md").read_text(encoding="utf-8")


def _rows(title: str) -> list[list[str]]:
    """The cells of the table below a headline."""
    section = PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]


def _code(cell: str) -> str:
    return cell.strip("`")


def test_refusals_and_their_http_status() -> None:
    written = {_code(row[0]): int(row[1]) for row in _rows("Refusals")}

    assert written == {refusal.value: refusal.status for refusal in Refusal}


def test_close_codes() -> None:
    assert {int(row[0]) for row in _rows("Close codes")} == {int(code) for code in CloseCode}


def test_scripts_speak_the_protocol_of_the_server() -> None:
    script = Path("static/js/live/protocol.js").read_text(encoding="utf-8")

    assert f"\nconst PROTOCOL = {PROTOCOL};" in script


def test_messages_of_the_browser_and_their_fields() -> None:
    written = {
        _code(row[0]): set(re.findall(r"`(\w+)`", row[1])) for row in _rows("From the browser")
    }

    assert written == {
        kind: {field.name for field in msgspec.structs.fields(struct)}
        for kind, struct in CLIENT_TYPES.items()
    }


def test_messages_of_the_server() -> None:
    written = {
        _code(row[0])
        for title in ("From the server, on a match", "From the server, on a lesson")
        for row in _rows(title)
    }
    modules = (acting, frames, heartbeat, lessons, looks, showing)
    sources = [Path(str(module.__file__)).read_text() for module in modules]
    sent = {kind for source in sources for kind in re.findall(r'\bmessage\(\s*"(\w+)"', source)}

    assert written == sent


def test_limits_and_protocol() -> None:
    assert f"`protocol` {PROTOCOL}" in PAGE
    assert f"at most {messages.LARGEST_BYTES // 1024} KiB" in PAGE
    assert f"silent for {heartbeat.SILENT_S} s" in PAGE
    assert f"the last {rooms.RECENT_RECORDS} records" in PAGE
    assert (
        f"nothing was taken for {heartbeat.LAG_S} s or {consumers.OUTGOING_BYTES // 1024} KiB"
        in PAGE
    )
