"""The hub that this process has started, for sockets and waiting requests."""

from __future__ import annotations

from games.live.hub import Hub

_held: list[Hub] = []


def hub() -> Hub:
    """The running hub.

    Raises:
        RuntimeError: the process was started without ``lifespan``.
    """
    if not _held:
        raise RuntimeError("The live part does not run: start the server with --lifespan on.")
    return _held[0]


def hold(started: Hub | None) -> None:
    """Make this the hub of the process; None when it has stopped."""
    _held[:] = [] if started is None else [started]
