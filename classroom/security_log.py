"""What happened to accounts and rights, one line each, for who looks into a break-in later.

A line holds ids, never a name, an e-mail address, a network address or a secret: it can be
shown to a helper. The launcher keeps these lines in ``logs/security.log`` as well, where a
flood of other lines cannot push them out. ``docs/reference/logs.md`` lists the events.
"""

from __future__ import annotations

import logging
import time
from enum import StrEnum
from functools import partial

from django.db import transaction

from classroom.models import Teacher

_log = logging.getLogger("civictable.security")


class Event(StrEnum):
    """What is written down; the words never change, since others search for them."""

    LOGGED_IN = "logged-in"
    LOGIN_FAILED = "login-failed"
    LOGIN_LOCKED = "login-locked"
    LOGGED_OUT = "logged-out"
    LOGGED_OUT_EVERYWHERE = "logged-out-everywhere"
    IDLE_LOGGED_OUT = "idle-logged-out"
    ACCOUNT_MADE = "account-made"
    PASSWORD_CHANGED = "password-changed"  # noqa: S105 - a word of the log
    EMAIL_CHANGED = "email-changed"
    SECOND_STEP_ON = "second-step-on"
    SECOND_STEP_OFF = "second-step-off"
    SECOND_STEP_FAILED = "second-step-failed"
    RECOVERY_CODES_MADE = "recovery-codes-made"
    RECOVERY_CODE_USED = "recovery-code-used"
    ACCOUNT_OPENED = "account-opened"
    ACCOUNT_SHUT = "account-shut"
    ADMINISTRATOR_MADE = "administrator-made"
    ADMINISTRATOR_UNMADE = "administrator-unmade"
    LINK_MADE = "link-made"
    LINK_WITHDRAWN = "link-withdrawn"
    CO_TEACHER_JOINED = "co-teacher-joined"
    CO_TEACHER_GONE = "co-teacher-gone"
    OWNER_CHANGED = "owner-changed"
    CLASS_DELETED = "class-deleted"
    STUDENT_EXPORTED = "student-exported"
    STUDENT_ERASED = "student-erased"
    NAME_LOCKED = "name-locked"
    REFUSED = "refused"
    HANDSHAKE_REFUSED = "handshake-refused"
    FORGED_FORM = "forged-form"


UNUSUAL = {
    *(Event.LOGIN_FAILED, Event.LOGIN_LOCKED, Event.SECOND_STEP_FAILED),
    *(Event.NAME_LOCKED, Event.REFUSED, Event.HANDSHAKE_REFUSED, Event.FORGED_FORM),
}


def note(event: Event, *, by: Teacher | str = "nobody-known", about: str = "") -> None:
    """Write one line: what was tried at once, what was done when it is kept.

    ``by``: who did it, an account or a word for what has none (``terminal``, ``student``).
    ``about``: the account, class or address it was done to.
    """
    who = f"account:{by.pk}" if isinstance(by, Teacher) else by
    line = f"{event} by={who}" + (f" about={about}" if about else "")
    if event in UNUSUAL:
        _log.warning("%s", line)
    else:
        transaction.on_commit(partial(_log.info, "%s", line))


class Storm:
    """Notes of one kind in this process, where strangers can cause any number of them.

    60 a minute; how many were left out is said in the next minute in which there is one.
    """

    A_MINUTE = 60

    def __init__(self, event: Event) -> None:
        self._event = event
        self._minute = 0
        self._noted = 0
        self._left_out = 0

    def note(self, *, by: Teacher | str = "nobody-known", about: str) -> None:
        """Write one line as ``note`` does, unless there were many in this minute."""
        minute = int(time.monotonic() // 60)
        if minute != self._minute:
            if self._left_out:
                note(self._event, about=f"left-out:{self._left_out}")
            self._minute, self._noted, self._left_out = minute, 0, 0
        if self._noted < self.A_MINUTE:
            self._noted += 1
            note(self._event, by=by, about=about)
        else:
            self._left_out += 1
