"""What a format can hold, as data: the table of the docs, the tests and the writers.

``carried`` is the question that comes back after writing and reading; what is
missing from it is told beforehand by ``losses``.
"""

from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from quizzes.formats.problems import Place, Problem, problem
from quizzes.formats.question import (
    KINDS,
    Common,
    InvalidQuestion,
    Matching,
    Ordering,
    Pair,
    Question,
    SeveralRight,
    SingleChoice,
)

KIND_TAGS: dict[type[Common], str] = {kind: str(kind.__struct_config__.tag) for kind in KINDS}
ALL_KINDS = frozenset(KIND_TAGS.values())
FIELDS = ("explanation", "topics", "difficulty", "language", "source", "picture")
ALL_FIELDS = frozenset(FIELDS)


class Carries(Struct, frozen=True, kw_only=True):
    """What one format holds."""

    kinds: frozenset[str]  # tags of question types
    fields: frozenset[str]  # of FIELDS; a picture means its bytes as well
    line_breaks: bool = True  # False: a line break or tab becomes a blank
    lone_several: bool = True  # False: several with one right answer come back as single
    distractors: bool = True  # False: matching questions lose their extra right sides


def kind(question: Question) -> str:
    """Return the tag of the question's type."""
    return KIND_TAGS[type(question)]


def carried(
    question: Question, carries: Carries, fits: Callable[[Question], bool]
) -> Question | None:
    """Return what of the question survives in the format; None if it is left out."""
    if kind(question) not in carries.kinds:
        return None
    kept: Question = replace(
        question,
        **{name: _default(name) for name in FIELDS if name not in carries.fields},
    )
    if not carries.line_breaks:
        joined = _one_line_or_none(kept)
        if joined is None:
            return None
        kept = joined
    if isinstance(kept, SeveralRight) and len(kept.right) == 1 and not carries.lone_several:
        kept = SingleChoice(
            stem=kept.stem,
            explanation=kept.explanation,
            topics=kept.topics,
            difficulty=kept.difficulty,
            language=kept.language,
            source=kept.source,
            picture=kept.picture,
            choices=kept.choices,
            right=kept.right[0],
        )
    if isinstance(kept, Matching) and not carries.distractors:
        kept = replace(kept, distractors=())
    return kept if fits(kept) else None


def losses(
    questions: Iterable[Question],
    title: str,
    carries: Carries,
    fits: Callable[[Question], bool],
) -> tuple[Problem, ...]:
    """Return what writing the questions in this format will leave out."""
    found: list[Problem] = []
    for number, question in enumerate(questions, start=1):
        place = Place(number=number)
        if kind(question) not in carries.kinds:
            found.append(problem("write.type", place, question.stem, format=title))
            continue
        kept = carried(question, carries, fits)
        if kept is None:
            found.append(problem("write.shape", place, question.stem, format=title))
            continue
        lost = [name for name in FIELDS if getattr(kept, name) != getattr(question, name)]
        if isinstance(question, Matching) and question.distractors and not carries.distractors:
            lost.append("distractors")
        if not carries.line_breaks and _one_line_or_none(question) != question:
            lost.append("line breaks")
        if isinstance(question, SeveralRight) and isinstance(kept, SingleChoice):
            lost.append("several answers may be ticked")
        found += [
            problem("write.field", place, question.stem, format=title, what=name) for name in lost
        ]
    return tuple(found)


def _default(name: str) -> object:
    return {"topics": (), "difficulty": 2, "picture": None}.get(name, "")


def _joined(text: str) -> str:
    return text.replace("\t", " ").replace("\n", " ")


def _one_line(question: Question) -> Question:
    kept: Question = replace(
        question, stem=_joined(question.stem), explanation=_joined(question.explanation)
    )
    match kept:
        case SingleChoice() | SeveralRight():
            return replace(kept, choices=tuple(map(_joined, kept.choices)))
        case Matching():
            pairs = tuple(Pair(left=_joined(p.left), right=_joined(p.right)) for p in kept.pairs)
            return replace(kept, pairs=pairs, distractors=tuple(map(_joined, kept.distractors)))
        case Ordering():
            return replace(kept, items=tuple(map(_joined, kept.items)))
        case _:
            return kept


def _one_line_or_none(question: Question) -> Question | None:
    """Return the question with its texts in one line; None if two choices become the same."""
    try:
        return _one_line(question)
    except InvalidQuestion:
        return None
