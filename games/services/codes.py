"""What the live part answers when it does not do something, and how sockets end.

The codes never change: browsers and tests rely on them. They are explained in
``docs/reference/live-messages.md``; a test compares the two.
"""

from __future__ import annotations

from enum import Enum, IntEnum

from games.engine.text import Text, gettext_noop as _, say

PROTOCOL = 1  # raised when an old page could no longer understand us


class Refusal(Enum):
    """Why the platform takes a message not; games add their own (``corruption.…``)."""

    BAD_MESSAGE = "bad_message"
    UNKNOWN_TYPE = "unknown_type"
    TOO_FAST = "too_fast"
    NOT_ALLOWED = "not_allowed"
    NOT_FOUND = "not_found"
    STALE = "stale"
    CONFLICT = "conflict"
    PAUSED = "paused"
    ENDED = "ended"
    FROZEN = "frozen"
    BUSY = "busy"
    SERVER_ERROR = "server_error"

    @property
    def text(self) -> Text:
        """The sentence that a student reads."""
        return say(_MESSAGES[self])

    @property
    def status(self) -> int:
        """The HTTP status of the same answer over POST."""
        return _STATUS.get(self, 422)


_MESSAGES = {
    Refusal.BAD_MESSAGE: _("This page sent something we do not understand. Reload the page."),
    Refusal.UNKNOWN_TYPE: _("This page is older than the site. Reload the page."),
    Refusal.TOO_FAST: _("That was too fast. Wait a moment, then try again."),
    Refusal.NOT_ALLOWED: _("You cannot do this here. Your own team's buttons are on your page."),
    Refusal.NOT_FOUND: _("This match is not there, or it is not open to you."),
    Refusal.STALE: _("The game has moved on. Look at the board again."),
    Refusal.CONFLICT: _("This was already answered in another way. Look at the board again."),
    Refusal.PAUSED: _("The match is paused. Wait for your teacher."),
    Refusal.ENDED: _("The match has ended."),
    Refusal.FROZEN: _("Something went wrong in this match. Your teacher has been told."),
    Refusal.BUSY: _("That took too long and was not done. Try again."),
    Refusal.SERVER_ERROR: _("Something went wrong here. Try again, or reload the page."),
}

_STATUS = {
    Refusal.TOO_FAST: 429,
    Refusal.NOT_ALLOWED: 403,
    Refusal.NOT_FOUND: 404,
    Refusal.STALE: 409,
    Refusal.CONFLICT: 409,
    Refusal.PAUSED: 409,
    Refusal.ENDED: 409,
    Refusal.FROZEN: 409,
    Refusal.BUSY: 503,
    Refusal.SERVER_ERROR: 500,
}


class CloseCode(IntEnum):
    """How a socket ends."""

    ABUSE = 1008  # too many messages, or too many bad ones
    SIZE = 1009  # a message over the limit
    RESTART = 1012  # the server stops; come back
    NO_SESSION = 4401  # not known here, or known no more
    NOT_THERE = 4404  # absent, or not yours
    SILENT = 4408  # not heard of for too long, or took nothing of what was sent
    REPLACED = 4409  # too many pages of one browser; the oldest goes
    GONE = 4410  # the match was deleted
