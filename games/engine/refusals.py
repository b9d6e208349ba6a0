"""Why a move is not taken: typed, with a rule and a sentence that helps."""

from __future__ import annotations

from typing import ClassVar

from games.engine.text import Text, gettext_noop as _, say


class IllegalMove(Exception):
    """A move that the rules refuse; the state stays as it was.

    Each kind of refusal is a subclass. ``code`` never changes: tests and
    browsers rely on it. ``message`` is a whole sentence that a twelve-year-old
    can act on, with ``%(name)s`` places for the keyword arguments.
    """

    code: ClassVar[str]
    message: ClassVar[str]
    rule: ClassVar[str]

    def __init__(self, **params: Text | str | int) -> None:
        super().__init__(self.code)
        self.text = say(self.message, **params)


class NotOffered(IllegalMove):
    """Raised when a seat plays a move that is not among its legal moves."""

    code = "game.not-offered"
    message = _("That is not possible now. Choose one of the options shown.")
    rule = "COR-DEC-6"


class NothingToDecide(IllegalMove):
    """Raised when no decision is open for the seat."""

    code = "game.nothing-to-decide"
    message = _("Your team has nothing to decide just now. Watch the board.")
    rule = "COR-DEC-6"
