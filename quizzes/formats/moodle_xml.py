"""Moodle XML: everything we have, as Moodle exports and imports it.

Texts are HTML; accepted answers and the right sides of pairs are plain text.
Pictures travel as base64 files of the question. Small fields travel as tags.
Categories are passed over; types we do not have are told.
"""

import base64
import html
from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from quizzes.formats import fields, marked_text, xml_nodes
from quizzes.formats.carries import ALL_FIELDS, ALL_KINDS, Carries
from quizzes.formats.encodings import CODECS
from quizzes.formats.numerals import number_text
from quizzes.formats.problems import Place, Refused
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
from quizzes.formats.reading import Ledger, Reading
from quizzes.formats.text import tidy, tidy_line, to_html
from quizzes.formats.xml_nodes import Node, element, escape_xml, text_of

CARRIES = Carries(kinds=ALL_KINDS, fields=ALL_FIELDS)
NAME_MAX = 50
FILE_MARK = "@@PLUGINFILE@@/"
_KINDS = {
    "html": "html",
    "moodle_auto_format": "moodle",
    "plain_text": "plain",
    "markdown": "markdown",
}


def fits(question: Question) -> bool:
    """Every question fits."""
    return True


def read(data: bytes, encoding: str | None = None) -> Reading:
    """Return the questions of a Moodle XML file."""
    ledger = Ledger()
    with ledger.file():
        root = xml_nodes.parse(data, encoding=CODECS[encoding] if encoding else None)
        nodes = [root] if root.name == "question" else list(root.nodes("question"))
        number = 0
        topics: list[str] = []  # of the category that was named last
        for node in nodes:
            if node.get("type") == "category":
                category = node.first("category")
                topics = fields.category_topics(text_of(_text(category))) if category else []
                continue
            number += 1
            with ledger.item(Place(line=node.line, number=number)):
                ledger.keep(_Reader(node, ledger, topics).question())
            if ledger.is_full:
                break
    return ledger.finish()


def write(questions: Sequence[Question], pictures: Mapping[str, bytes] | None = None) -> bytes:
    """Return the questions as Moodle XML with the pictures they name."""
    body = "\n".join(_written(one, pictures or {}) for one in questions)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n{body}\n</quiz>\n'.encode()


class _Reader:
    """One ``question`` element."""

    def __init__(self, node: Node, ledger: Ledger, topics: Sequence[str]) -> None:
        self.node, self.ledger, self.topics = node, ledger, topics
        body = node.first("questiontext")
        self.kind = _KINDS.get(body.get("format") if body else "", "html")

    def question(self) -> Question:
        kind = self.node.get("type")
        makers = {
            "multichoice": self._choice,
            "truefalse": self._truth,
            "shortanswer": self._short,
            "numerical": self._numeric,
            "matching": self._matching,
            "ordering": self._ordering,
        }
        name = tidy_line(text_of(_text(self.node.first("name"))))
        if kind not in makers:
            raise Refused("question.unsupported", text=name, type=kind or "?")
        body = self.node.first("questiontext")
        stem = marked_text.stem(
            marked_text.interpret(text_of(_text(body)), self.kind), self.ledger, self._file
        )
        tags = self.node.first("tags")
        common = {
            "stem": stem.text or name,
            "picture": stem.picture,
            "explanation": self._words(self.node.first("generalfeedback")),
            **fields.from_tags(
                [
                    *(text_of(_text(tag)) for tag in (tags.nodes("tag") if tags else ())),
                    *self.topics,
                ],
                self.ledger,
            ),
        }
        return makers[kind](common)

    def _file(self, src: str) -> bytes | None:
        """Return the bytes of a file of the question text."""
        if not src.startswith(FILE_MARK):
            return None
        name = marked_text.unquoted(src.removeprefix(FILE_MARK)).rpartition("/")[2]
        body = self.node.first("questiontext")
        for file in body.nodes("file") if body else ():
            if file.get("name") == name and file.get("encoding", "base64") == "base64":
                return marked_text.decoded(text_of(file))
        return None

    def _words(self, node: Node | None) -> str:
        if node is None:
            return ""
        kind = _KINDS.get(node.get("format"), self.kind)
        return marked_text.words(marked_text.interpret(text_of(_text(node)), kind), self.ledger)

    def _answers(self) -> list[Node]:
        return list(self.node.nodes("answer"))

    def _fractions(self) -> list[float]:
        return [_fraction(answer) for answer in self._answers()]

    def _explain(self, common: dict[str, Any], right: Node | None) -> None:
        """Keep the remark on the right answer as explanation if there is no other."""
        kept = None
        if right is not None and not common["explanation"]:
            common["explanation"] = self._words(right.first("feedback"))
            kept = right
        for answer in self._answers():
            if answer is not kept and tidy(text_of(_text(answer.first("feedback")))):
                self.ledger.note("note.feedback", text=common["stem"])

    def _choice(self, common: dict[str, Any]) -> Question:
        answers, fractions = self._answers(), self._fractions()
        choices = tuple(self._words(answer) for answer in answers)
        right = tuple(at for at, fraction in enumerate(fractions) if fraction > 0)
        single = tidy(text_of(self.node.first("single"))).lower() not in ("false", "0")
        self._explain(common, answers[right[0]] if len(right) == 1 else None)
        if single:
            whole = tuple(at for at, fraction in enumerate(fractions) if fraction >= 100)
            if not whole:
                raise Refused("question.no-right", text=common["stem"])
            if len(whole) > 1:
                raise Refused("question.two-right", text=common["stem"])
            if len(right) > 1:
                self.ledger.note("note.weights", text=common["stem"])
            return SingleChoice(**common, choices=choices, right=whole[0])
        if len({round(fractions[at], 2) for at in right}) > 1:
            self.ledger.note("note.weights", text=common["stem"])
        return SeveralRight(**common, choices=choices, right=right)

    def _truth(self, common: dict[str, Any]) -> Question:
        right = [answer for answer in self._answers() if _fraction(answer) > 0]
        if len(right) != 1:
            raise Refused("question.no-right", text=common["stem"])
        word = text_of(_text(right[0]))
        truth = fields.truth(word)
        if truth is None:
            raise Refused("question.bad-truth", text=word)
        self._explain(common, right[0])
        return TrueFalse(**common, right=truth)

    def _short(self, common: dict[str, Any]) -> Question:
        whole = [answer for answer in self._answers() if _fraction(answer) >= 100]
        if len(whole) < len(self._answers()):
            self.ledger.note("note.weights", text=common["stem"])
        if tidy(text_of(self.node.first("usecase"))) == "1":
            self.ledger.note("note.case", text=common["stem"])
        accepted = dict.fromkeys(tidy_line(text_of(_text(answer))) for answer in whole)
        self._explain(common, whole[0] if whole else None)
        return ShortAnswer(**common, accepted=tuple(text for text in accepted if text))

    def _numeric(self, common: dict[str, Any]) -> Question:
        whole = [answer for answer in self._answers() if _fraction(answer) >= 100]
        if not whole:
            raise Refused("question.no-right", text=common["stem"])
        if len(self._answers()) > 1:
            self.ledger.note("note.values", text=common["stem"])
        value = text_of(_text(whole[0]))
        tolerance = text_of(whole[0].first("tolerance")).strip() or "0"
        self._explain(common, whole[0])
        return Numeric(
            **common,
            right=fields.number(value),
            tolerance=fields.number(tolerance, "question.bad-tolerance"),
        )

    def _matching(self, common: dict[str, Any]) -> Question:
        pairs: list[Pair] = []
        others: dict[str, None] = {}
        for sub in self.node.nodes("subquestion"):
            left = self._words(sub)
            right = tidy(text_of(_text(sub.first("answer"))))
            if left:
                pairs.append(Pair(left=left, right=right))
            else:
                others[right] = None
        return Matching(**common, pairs=tuple(pairs), distractors=tuple(others))

    def _ordering(self, common: dict[str, Any]) -> Question:
        return Ordering(**common, items=tuple(self._words(answer) for answer in self._answers()))


def _text(node: Node | None) -> Node | None:
    """Return the ``text`` child, or the node itself where there is none."""
    if node is None:
        return None
    return node.first("text") or node


def _fraction(answer: Node) -> float:
    try:
        return float(answer.get("fraction", "0"))
    except ValueError:
        return 0.0


def _texted(name: str, text: str, attributes: Mapping[str, str] | None = None) -> str:
    return element(name, f"<text>{escape_xml(text)}</text>", attributes)


def _rich(name: str, text: str, attributes: Mapping[str, str] | None = None) -> str:
    body = f"<p>{to_html(text)}</p>" if text else ""
    return _texted(name, body, {**(attributes or {}), "format": "html"})


def _written(question: Question, pictures: Mapping[str, bytes]) -> str:
    kind, parts = _kind(question)
    picture = question.picture
    data = pictures.get(picture.ref) if picture else None
    src = FILE_MARK + picture.ref if picture else ""
    body = marked_text.stem_html(question.stem, picture if data else None, src)
    file = ""
    if picture and data:
        inside = base64.b64encode(data).decode()
        file = element("file", inside, {"name": picture.ref, "path": "/", "encoding": "base64"})
    lines = [
        _texted("name", tidy_line(question.stem)[:NAME_MAX].strip()),
        f'<questiontext format="html"><text>{escape_xml(body)}</text>{file}</questiontext>',
        _rich("generalfeedback", question.explanation),
        "<defaultgrade>1</defaultgrade>",
        "<hidden>0</hidden>",
        *parts,
    ]
    if tags := fields.tags(question):
        lines.append(element("tags", "".join(_texted("tag", tag) for tag in tags)))
    inside = "\n".join(f"  {line}" for line in lines)
    return f'<question type="{html.escape(kind)}">\n{inside}\n</question>'


def _kind(question: Question) -> tuple[str, list[str]]:
    """Return Moodle's name of the type and the elements that belong to it alone."""
    match question:
        case SingleChoice() | SeveralRight():
            several = isinstance(question, SeveralRight)
            right = (question.right,) if isinstance(question, SingleChoice) else question.right
            share = f"{100 / len(right):.5f}".rstrip("0").rstrip(".")
            parts = [
                f"<single>{'false' if several else 'true'}</single>",
                "<shuffleanswers>true</shuffleanswers>",
                "<answernumbering>abc</answernumbering>",
            ]
            wrong = "-100" if several else "0"
            parts += [
                _rich("answer", choice, {"fraction": share if at in right else wrong})
                for at, choice in enumerate(question.choices)
            ]
            return "multichoice", parts
        case TrueFalse():
            return "truefalse", [
                _texted("answer", word, {"fraction": "100" if value == question.right else "0"})
                for word, value in (("true", True), ("false", False))
            ]
        case ShortAnswer():
            answers = [_texted("answer", text, {"fraction": "100"}) for text in question.accepted]
            return "shortanswer", ["<usecase>0</usecase>", *answers]
        case Numeric():
            inside = f"<text>{number_text(question.right)}</text>" + element(
                "tolerance", number_text(question.tolerance)
            )
            return "numerical", [element("answer", inside, {"fraction": "100"})]
        case Matching():
            subs = [(f"<p>{to_html(p.left)}</p>", p.right) for p in question.pairs]
            subs += [("", text) for text in question.distractors]
            return "matching", [
                "<shuffleanswers>true</shuffleanswers>",
                *(
                    element(
                        "subquestion",
                        f"<text>{escape_xml(left)}</text>{_texted('answer', right)}",
                        {"format": "html"},
                    )
                    for left, right in subs
                ),
            ]
        case Ordering():
            return "ordering", [
                "<layouttype>VERTICAL</layouttype>",
                "<selecttype>ALL</selecttype>",
                "<gradingtype>ABSOLUTE_POSITION</gradingtype>",
                *(
                    _rich("answer", item, {"fraction": str(at)})
                    for at, item in enumerate(question.items, start=1)
                ),
            ]
        case _:
            assert_never(question)
