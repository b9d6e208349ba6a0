"""States, moves and events of one game to JSON bytes and back.

The same types are wire format, log format and schema (docs/architecture.md).
"""

from __future__ import annotations

from typing import Any

import msgspec

from games.engine.game import Game


class Codec:
    """Encoders and decoders of one game, made once.

    Decoding raises ``msgspec.ValidationError`` for anything but the declared
    shape: unknown fields and tags, wrong types.
    """

    def __init__(self, game: Game) -> None:
        self._state = msgspec.json.Decoder(game.state_type)
        self._move = msgspec.json.Decoder(game.move_type)
        self._events = msgspec.json.Decoder(tuple[game.event_type, ...])  # type: ignore[name-defined]
        self.encode = msgspec.json.Encoder().encode

    def state(self, data: bytes | str) -> Any:
        """The state of these bytes."""
        return self._state.decode(data)

    def move(self, data: bytes | str) -> Any:
        """The move of these bytes."""
        return self._move.decode(data)

    def events(self, data: bytes | str) -> tuple[Any, ...]:
        """The events of these bytes, in order."""
        return self._events.decode(data)

    def move_from_plain(self, value: Any) -> Any:
        """The move of plain values (a dict already parsed from JSON)."""
        # msgspec reads bytes by tables made once; ``convert`` would make them at every call.
        try:
            return self._move.decode(self.encode(value))
        except RecursionError as error:
            raise msgspec.ValidationError("Nested too deeply.") from error
