"""One plain question of each type, a larger set for measuring, and what a category adds."""

from decimal import Decimal

from msgspec.structs import replace

from quizzes.formats.question import (
    Matching,
    Numeric,
    Ordering,
    Pair,
    Question,
    SeveralRight,
    ShortAnswer,
    SingleChoice,
    TrueFalse,
)

SAMPLES: tuple[Question, ...] = (
    SingleChoice(
        stem="Who may **vote** in a local election?",
        choices=("Every citizen & resident", "Only owners", "Only men"),
        right=0,
        explanation="Article 21",
        topics=("rights", "elections"),
        difficulty=1,
        language="en",
        source="Handbook, p. 4",
    ),
    SeveralRight(
        stem="Which of these are rights?", choices=("Speech", "Press", "Theft"), right=(0, 1)
    ),
    TrueFalse(stem="Taxes pay for schools.", right=True, explanation="Among other things."),
    ShortAnswer(stem="Capital of France?", accepted=("Paris", "Lutetia")),
    Numeric(stem="In which year?", right=Decimal("1789"), tolerance=Decimal("0.5")),
    Matching(
        stem="Who does what?",
        pairs=(Pair(left="court", right="judges"), Pair(left="parliament", right="makes laws")),
        distractors=("sells",),
    ),
    Ordering(stem="Put in order.", items=("bill", "vote", "law")),
)


def under(category: str, *asked: Question) -> tuple[Question, ...]:
    """The questions, with the category that they stand under as a topic."""
    return tuple(replace(one, topics=(*one.topics, category)) for one in asked)
