"""Questions for property tests: texts made of everything that breaks files."""

from decimal import Decimal

from hypothesis import strategies as st

from quizzes.formats import question as q
from quizzes.formats.carries import ALL_KINDS
from quizzes.formats.text import tidy, tidy_line

FRAGMENTS = (
    *"ab<>&\"'\\*`{}=~#:%$[]()_|;,.-+@?!/1 \n\t",
    "\n\n",
    "**",
    "b)",
    "*c) ",
    "\n2. ",
    "\nA. ",
    "\nANSWER: B",
    "\nAnswer: ",
    "\nAns. b",
    "\nAnswers\n1. b",
    "\nii) ",
    "\n(1) ",
    "\n• ",
    "\n- b) ",
    "\n[x] ",
    "\n---\n",
    "\n**1. ",
    " (T)",
    " a) ",
    "->",
    "[x]",
    "[html]",
    "::",
    "//",
    "\\n",
    "\\(x^2\\)",
    "$$a*b*c$$",
    "\\[\\frac{1}{2}\\]",
    "]]>",
    "<!--",
    "<b>",
    "</p>",
    "&amp;",
    "&#60;",
    "<br>",
    "=1+1",
    "'=",
    "_x0041_",
    "sep=,",
    "é",
    "ع",
    "مرحبا",
    "ř",
    "\u00a0",
    "\u200f",
    "\u2028",
    "🙂",
    "ﬁ",
)


def texts(limit: int = 40) -> st.SearchStrategy[str]:
    """Sound texts, often awkward ones."""
    awkward = st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=10).map("".join)
    wild = st.text(max_size=limit)
    return st.one_of(awkward, awkward, wild).map(tidy).filter(bool)


def lines(limit: int = 30) -> st.SearchStrategy[str]:
    """Sound texts of one line."""
    return texts(limit).map(tidy_line).filter(bool)


def numbers(lowest: int = -(10**9)) -> st.SearchStrategy[Decimal]:
    """Numbers with up to eight places."""
    return st.decimals(
        min_value=lowest, max_value=10**9, places=3, allow_nan=False, allow_infinity=False
    ) | st.integers(lowest, 10**9).map(Decimal)


topics = lines(20).map(lambda text: "".join(c for c in text if c not in ",;|،؛").strip())
common = {
    "stem": texts(),
    "explanation": st.just("") | texts(),
    "topics": st.lists(
        topics.filter(lambda t: t and len(t) <= q.TOPIC_MAX and not t.startswith("ct:")),
        max_size=3,
        unique=True,
    ).map(tuple),
    "difficulty": st.sampled_from((1, 2, 3)),
    "language": st.sampled_from(("", "en", "fr", "ar", "pt-BR")),
    "source": st.just("") | lines(),
}
choices = st.lists(texts(), min_size=2, max_size=5, unique=True).map(tuple)

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000a49444154789c6300010000050001"
)


def _single(stem: dict) -> st.SearchStrategy[q.Question]:
    return choices.flatmap(
        lambda cs: st.builds(
            q.SingleChoice,
            choices=st.just(cs),
            right=st.integers(0, len(cs) - 1),
            **stem,
        )
    )


def _several(stem: dict) -> st.SearchStrategy[q.Question]:
    return choices.flatmap(
        lambda cs: st.builds(
            q.SeveralRight,
            choices=st.just(cs),
            right=st.sets(st.integers(0, len(cs) - 1), min_size=1).map(
                lambda right: tuple(sorted(right))
            ),
            **stem,
        )
    )


def _matching(stem: dict) -> st.SearchStrategy[q.Question]:
    def build(lefts: list[str], rights: list[str], more: list[str], **rest) -> q.Question:
        pairs = tuple(
            q.Pair(left=left, right=rights[index % len(rights)]) for index, left in enumerate(lefts)
        )
        distractors = tuple(text for text in more if text not in rights)
        return q.Matching(pairs=pairs, distractors=distractors, **rest)

    return st.builds(
        build,
        st.lists(texts(), min_size=2, max_size=4, unique=True),
        st.lists(texts(), min_size=1, max_size=4, unique=True),
        st.lists(texts(), max_size=2, unique=True),
        **stem,
    )


def questions(
    kinds: frozenset[str] = ALL_KINDS, *, pictures: dict[str, bytes] | None = None
) -> st.SearchStrategy[q.Question]:
    """Questions of the given kinds; some with one of the pictures."""
    picture: st.SearchStrategy = st.none()
    if pictures:
        picture |= st.builds(
            q.Picture, ref=st.sampled_from(sorted(pictures)), alt=st.just("") | lines()
        )
    stem = {**common, "picture": picture}
    made = {
        "single": _single(stem),
        "several": _several(stem),
        "true-false": st.builds(q.TrueFalse, right=st.booleans(), **stem),
        "short": st.builds(
            q.ShortAnswer,
            accepted=st.lists(lines(), min_size=1, max_size=4, unique=True).map(tuple),
            **stem,
        ),
        "numeric": st.builds(q.Numeric, right=numbers(), tolerance=numbers(0), **stem),
        "matching": _matching(stem),
        "ordering": st.builds(
            q.Ordering,
            items=st.lists(texts(), min_size=2, max_size=4, unique=True).map(tuple),
            **stem,
        ),
    }
    return st.one_of(*(made[kind] for kind in sorted(kinds)))
