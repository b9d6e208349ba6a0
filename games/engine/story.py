"""What a game says about a match that is told again: its landmarks and its questions.

Whoever looks at a story may know all of this: marks and questions are read from
what everybody was told. A question that is still open is for the teacher alone.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from games.engine.text import Text


class Mark(Struct, frozen=True, kw_only=True):
    """A landmark of a match, read from one event: it stands in the plot and in its table."""

    kind: str  # "turn" begins a turn; "card", "question", ... as the game likes
    symbol: str  # id in static/symbols.svg
    label: Text
    seat: int | None = None
    topic: str = ""  # what a talk about it would be about
    words: str = ""  # of the card, as it stands in the content


class Choice(Struct, frozen=True, kw_only=True):
    """One answer that a question offered, as it was shown."""

    key: str  # "a"
    words: str
    move: Any  # the move that chooses it


class Asked(Struct, frozen=True, kw_only=True):
    """A question: after its final answer, or (``given`` None) while it is open."""

    seat: int  # that answered
    words: str
    topic: str
    choices: tuple[Choice, ...]
    given: str | None  # key; None: no answer in time
    right: str  # key
    explanation: str
