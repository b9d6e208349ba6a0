"""Telling this process's sockets that a match has moved on.

Only a hint: sockets of other processes, and those whose hint got lost, notice
within a second that the stored version is a newer one (``live.watch``).
"""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

Listener = Callable[[str], None]

_listeners: list[Listener] = []


def listen(listener: Listener) -> None:
    """Call ``listener(match id)`` after each commit that changed a match; from any thread."""
    _listeners.append(listener)


def stop_listening(listener: Listener) -> None:
    """Undo ``listen``."""
    _listeners.remove(listener)


def publish(match_id: UUID | str) -> None:
    """Say that a match has changed. To be called after the commit."""
    for listener in tuple(_listeners):
        listener(str(match_id))
