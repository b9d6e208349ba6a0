"""What a pupil may answer, one value for each type of question.

Positions count from 0 in the order of the stored question, whatever order the
pupil saw.
"""

from msgspec import Struct


class Answer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """Base of all answers."""


class Chosen(Answer, frozen=True, kw_only=True, tag="single"):
    """One choice of a SingleChoice."""

    choice: int


class ChosenSeveral(Answer, frozen=True, kw_only=True, tag="several"):
    """The choices ticked in a SeveralRight."""

    choices: frozenset[int]


class Held(Answer, frozen=True, kw_only=True, tag="true-false"):
    """Whether the statement of a TrueFalse was held to be true."""

    true: bool


class Typed(Answer, frozen=True, kw_only=True, tag="short"):
    """Text typed for a ShortAnswer or a Numeric."""

    text: str


class Matched(Answer, frozen=True, kw_only=True, tag="matching"):
    """For each pair of a Matching, the position in its ``options``, or None."""

    options: tuple[int | None, ...]


class Ordered(Answer, frozen=True, kw_only=True, tag="ordering"):
    """The positions of the items of an Ordering, in the order given."""

    items: tuple[int, ...]


AnyAnswer = Chosen | ChosenSeveral | Held | Typed | Matched | Ordered
