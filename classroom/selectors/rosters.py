"""What a pasted list will become, in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from classroom.names import LONGEST_NAME, MOST_LINES, Line, Reason, Status

REASONS: dict[Reason, str | Promise] = {
    Reason.BULLET: _("The number or bullet before the name is left out."),
    Reason.COLUMNS: _("The name is taken from the columns."),
    Reason.ORDER: _("“Surname, Name” is turned round."),
    Reason.TITLE: _("“Dr.”, “Ms” and the like are left out."),
    Reason.MAIL: _("The e-mail address is left out."),
    Reason.SEVERAL: _("There are several commas in it. Write each name on a line of its own."),
    Reason.SIGNS: _("Characters that cannot be seen or read are left out."),
    Reason.SPACES: _("Extra blanks are left out."),
    Reason.TWIN: _("The same name is there more than once, so it gets a number."),
    Reason.HEADLINE: _("This looks like the headline of the table."),
    Reason.THERE: _("Already in the class."),
    Reason.NO_LETTER: _("There is no letter in it."),
    Reason.TOO_LONG: _("Longer than %(count)s letters. Shorten it."),
    Reason.TOO_MANY: _("More than %(count)s names at once. Paste the rest afterwards."),
}
STATUSES: dict[Status, str | Promise] = {
    Status.KEPT: _("as pasted"),
    Status.CHANGED: _("changed"),
    Status.THERE: _("already there"),
    Status.REFUSED: _("not saved"),
    Status.SKIPPED: _("headline"),
}
_COUNTS = {Reason.TOO_LONG: LONGEST_NAME, Reason.TOO_MANY: MOST_LINES}


@dataclass(frozen=True)
class Shown:
    """A line of the preview."""

    line: Line
    status: str
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Preview:
    """All lines, and how many of each kind."""

    lines: tuple[Shown, ...]
    saved: int
    changed: int
    refused: int


def preview(lines: Iterable[Line]) -> Preview:
    """A pasted list for the page that asks before saving."""
    lines = tuple(lines)
    return Preview(
        lines=tuple(
            Shown(line, str(STATUSES[line.status]), tuple(map(_sentence, line.reasons)))
            for line in lines
        ),
        saved=sum(1 for line in lines if line.name),
        changed=sum(1 for line in lines if line.status is Status.CHANGED),
        refused=sum(1 for line in lines if line.status is Status.REFUSED),
    )


def _sentence(reason: Reason) -> str:
    sentence = str(REASONS[reason])
    return sentence % {"count": _COUNTS[reason]} if reason in _COUNTS else sentence
