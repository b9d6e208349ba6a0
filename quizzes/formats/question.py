"""Questions as frozen values.

Every reader makes these, every writer takes them, grading judges against them,
and the bank stores them as JSON. A value that exists is sound: the checks run
when it is made.

Texts are limited Markdown, kept as typed (see ``text`` and
docs/decisions/0010-question-text.md). Accepted answers, topics, source and the
description of a picture are plain text.
"""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Literal

from msgspec import Struct

from quizzes.formats import numerals
from quizzes.formats.text import is_sound, is_sound_line

STEM_MAX = 4_000
CHOICE_MAX = 1_000
ACCEPTED_MAX = 200
SOURCE_MAX = 300
ALT_MAX = 500
TOPIC_MAX = 60
TOPICS_MAX = 20
CHOICES_MAX = 26
ACCEPTED_COUNT_MAX = 50

LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}", re.ASCII)
PICTURE_REF = re.compile(r"[a-z0-9][a-z0-9_-]{0,79}\.(png|jpg|webp)", re.ASCII)
TOPIC_MARKS = frozenset(",;|\n\t،؛")  # part topics from each other
TAG_PREFIX = "ct:"  # formats that have tags keep our own fields in tags that begin so


class InvalidQuestion(ValueError):
    """Raised when a question would not be sound. ``code`` names the sentence."""

    def __init__(self, code: str, text: str = "", limit: int | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.text = text
        self.values: dict[str, str | int] = {} if limit is None else {"limit": limit}


class Picture(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A picture by its reference, a plain file name, and the text that replaces it."""

    ref: str
    alt: str = ""

    def __post_init__(self) -> None:
        if not PICTURE_REF.fullmatch(self.ref):
            raise InvalidQuestion("question.bad-picture", self.ref)
        _check(self.alt, ALT_MAX, may_be_empty=True)
        if not is_sound_line(self.alt):
            raise InvalidQuestion("question.bad-text", self.alt)


class Common(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """What every question has."""

    stem: str
    explanation: str = ""
    topics: tuple[str, ...] = ()
    difficulty: Literal[1, 2, 3] = 2
    language: str = ""  # BCP 47, "" unknown
    source: str = ""
    picture: Picture | None = None

    def __post_init__(self) -> None:
        if not self.stem:
            raise InvalidQuestion("question.no-text")
        _check(self.stem, STEM_MAX)
        _check(self.explanation, STEM_MAX, may_be_empty=True)
        _check(self.source, SOURCE_MAX, may_be_empty=True)
        if not is_sound_line(self.source):
            raise InvalidQuestion("question.bad-text", self.source)
        if self.difficulty not in (1, 2, 3):
            raise InvalidQuestion("question.bad-difficulty", str(self.difficulty))
        if self.language and not LANGUAGE.fullmatch(self.language):
            raise InvalidQuestion("question.bad-language", self.language)
        if len(self.topics) > TOPICS_MAX or len(set(self.topics)) < len(self.topics):
            raise InvalidQuestion("question.bad-topic", ", ".join(self.topics))
        for topic in self.topics:
            if (
                not topic
                or len(topic) > TOPIC_MAX
                or not is_sound_line(topic)
                or TOPIC_MARKS & set(topic)
                or topic.startswith(TAG_PREFIX)
            ):
                raise InvalidQuestion("question.bad-topic", topic)


class SingleChoice(Common, frozen=True, kw_only=True, tag="single"):
    """One of the choices is right."""

    choices: tuple[str, ...]
    right: int  # position in choices, from 0

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_choices(self.choices)
        if not 0 <= self.right < len(self.choices):
            raise InvalidQuestion("question.unknown-right", str(self.right + 1))


class SeveralRight(Common, frozen=True, kw_only=True, tag="several"):
    """Any number of the choices, at least one, are right."""

    choices: tuple[str, ...]
    right: tuple[int, ...]  # positions in choices, from 0, rising

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_choices(self.choices)
        if not self.right:
            raise InvalidQuestion("question.no-right")
        if list(self.right) != sorted(set(self.right)) or not all(
            0 <= index < len(self.choices) for index in self.right
        ):
            raise InvalidQuestion(
                "question.unknown-right", ", ".join(str(index + 1) for index in self.right)
            )


class TrueFalse(Common, frozen=True, kw_only=True, tag="true-false"):
    """A statement that holds or does not."""

    right: bool


class ShortAnswer(Common, frozen=True, kw_only=True, tag="short"):
    """A word or a few, typed. Any of the variants is right."""

    accepted: tuple[str, ...]  # plain text; the first is shown as the answer

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.accepted:
            raise InvalidQuestion("question.no-accepted")
        if len(self.accepted) > ACCEPTED_COUNT_MAX:
            raise InvalidQuestion("question.many-choices", limit=ACCEPTED_COUNT_MAX)
        if len(set(self.accepted)) < len(self.accepted):
            raise InvalidQuestion("question.same-choice")
        for text in self.accepted:
            if not text or len(text) > ACCEPTED_MAX or not is_sound_line(text):
                raise InvalidQuestion("question.bad-accepted", text)


class Numeric(Common, frozen=True, kw_only=True, tag="numeric"):
    """A number, right within ``tolerance`` to either side."""

    right: Decimal
    tolerance: Decimal = Decimal(0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not numerals.is_sound(self.right):
            raise InvalidQuestion("question.bad-number", str(self.right))
        if not numerals.is_sound(self.tolerance) or self.tolerance < 0:
            raise InvalidQuestion("question.bad-tolerance", str(self.tolerance))


class Pair(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One left side and the right side that belongs to it."""

    left: str
    right: str


class Matching(Common, frozen=True, kw_only=True, tag="matching"):
    """Pairs to be found. Several left sides may share one right side."""

    pairs: tuple[Pair, ...]
    distractors: tuple[str, ...] = ()  # right sides that belong to no left side

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.pairs) < 2:
            raise InvalidQuestion("question.few-pairs")
        if len(self.pairs) > CHOICES_MAX or len(self.distractors) > CHOICES_MAX:
            raise InvalidQuestion("question.many-choices", limit=CHOICES_MAX)
        for text in (*(t for p in self.pairs for t in (p.left, p.right)), *self.distractors):
            if not text:
                raise InvalidQuestion("question.empty-choice")
            _check(text, CHOICE_MAX)
        rights = {pair.right for pair in self.pairs}
        if (
            len({pair.left for pair in self.pairs}) < len(self.pairs)
            or len(set(self.distractors)) < len(self.distractors)
            or rights & set(self.distractors)
        ):
            raise InvalidQuestion("question.same-choice")

    @property
    def options(self) -> tuple[str, ...]:
        """The right sides to choose from: each once, those of the pairs first."""
        return tuple(dict.fromkeys((*(pair.right for pair in self.pairs), *self.distractors)))


class Ordering(Common, frozen=True, kw_only=True, tag="ordering"):
    """Items to be put in order."""

    items: tuple[str, ...]  # in the right order

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.items) < 2:
            raise InvalidQuestion("question.few-items")
        _check_texts(self.items)


Question = SingleChoice | SeveralRight | TrueFalse | ShortAnswer | Numeric | Matching | Ordering
KINDS: tuple[type[Common], ...] = (
    SingleChoice,
    SeveralRight,
    TrueFalse,
    ShortAnswer,
    Numeric,
    Matching,
    Ordering,
)


def _check(text: str, limit: int, *, may_be_empty: bool = False) -> None:
    if len(text) > limit:
        raise InvalidQuestion("question.too-long", text, limit=limit)
    if not is_sound(text) or not (text or may_be_empty):
        raise InvalidQuestion("question.bad-text", text)


def _check_texts(texts: Iterable[str]) -> None:
    texts = tuple(texts)
    if len(texts) > CHOICES_MAX:
        raise InvalidQuestion("question.many-choices", limit=CHOICES_MAX)
    for text in texts:
        if not text:
            raise InvalidQuestion("question.empty-choice")
        _check(text, CHOICE_MAX)
    if len(set(texts)) < len(texts):
        raise InvalidQuestion("question.same-choice")


def _check_choices(choices: tuple[str, ...]) -> None:
    if len(choices) < 2:
        raise InvalidQuestion("question.few-choices")
    _check_texts(choices)
