"""What a browser may send, and how strictly it is read.

``docs/reference/live-messages.md`` is the reference; a test compares the two.
Types of the client and types inside the server are separate tables: no name
that a browser sends ever reaches a method by that name (case WS-10).
"""

from __future__ import annotations

import json
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from games.services.codes import Refusal

LARGEST_BYTES = 16 * 1024

RequestId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{8,40}$")]
Version = Annotated[int, Meta(ge=0, lt=2**31)]


class Move(Struct, frozen=True, tag="move", forbid_unknown_fields=True):
    """An act, or the answer of who speaks for the team."""

    request_id: RequestId
    decision: Version  # version at which the answered decision opened
    move: dict[str, Any]


class Vote(Struct, frozen=True, tag="vote", forbid_unknown_fields=True):
    """One member's opinion about an open decision."""

    request_id: RequestId
    decision: Version
    move: dict[str, Any]


class Explain(Struct, frozen=True, tag="explain", forbid_unknown_fields=True):
    """The team does not understand the open question: stop the clock, call the teacher."""

    request_id: RequestId
    decision: Version


class Resume(Struct, frozen=True, tag="resume", forbid_unknown_fields=True):
    """The last version that the browser has drawn."""

    version: Version


class Ping(Struct, frozen=True, tag="ping", forbid_unknown_fields=True):
    """Somebody is still there."""


ClientMessage = Move | Vote | Explain | Resume | Ping
CLIENT_TYPES = {
    str(kind.__struct_config__.tag): kind for kind in (Move, Vote, Explain, Resume, Ping)
}


_read = msgspec.json.Decoder(ClientMessage).decode
_write = msgspec.json.Encoder().encode


class BadMessage(ValueError):
    """Raised for a frame that is no message of the protocol."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.value)
        self.refusal = refusal


def parse(text: str | None) -> ClientMessage:
    """The message of a text frame; None stands for a binary frame.

    Raises:
        BadMessage: anything but one JSON object of a known type with exactly its
            fields: also NaN, keys that come twice, endless numbers or nesting,
            halves of surrogate pairs.
    """
    if text is None or len(text) > LARGEST_BYTES:
        raise BadMessage(Refusal.BAD_MESSAGE)
    return _as_browsers_write(text) or _strictly(text)


def _as_browsers_write(text: str) -> ClientMessage | None:
    """The message, if writing it gives the very same text: then nothing hides in it."""
    try:
        message: ClientMessage = _read(text)
        return message if _write(message) == text.encode() else None
    except (msgspec.MsgspecError, ValueError, OverflowError, RecursionError):
        return None


def _strictly(text: str) -> ClientMessage:
    try:
        plain = json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
        if "\\u" in text:
            json.dumps(plain, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise BadMessage(Refusal.BAD_MESSAGE) from error
    if not isinstance(plain, dict) or not isinstance(plain.get("type"), str):
        raise BadMessage(Refusal.BAD_MESSAGE)
    if plain["type"] not in CLIENT_TYPES:
        raise BadMessage(Refusal.UNKNOWN_TYPE)
    try:
        message: ClientMessage = msgspec.convert(plain, ClientMessage)
    except (msgspec.ValidationError, RecursionError) as error:
        raise BadMessage(Refusal.BAD_MESSAGE) from error
    return message


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    plain = dict(pairs)
    if len(plain) != len(pairs):
        raise ValueError("A key comes twice.")
    return plain


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON.")
