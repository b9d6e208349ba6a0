"""One QTI question of version 2 or 3, read and written.

The two versions say the same with other names: ``choiceInteraction`` and
``qti-choice-interaction``. Everything here uses the names of version 2;
``Dialect`` translates. Read are choice, inline choice, text entry, match and
order interactions; other interactions are told.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, assert_never

from msgspec import Struct

from quizzes.formats import fields, marked_text
from quizzes.formats.html_text import HtmlText
from quizzes.formats.numerals import number_text, readings
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
from quizzes.formats.reading import Ledger
from quizzes.formats.text import tidy_line, to_html
from quizzes.formats.xml_nodes import Node, element, escape_xml, rich, text_of

GAP = "_____"
TITLE_MAX = 50
_FEEDBACK = frozenset(("feedbackInline", "feedbackBlock", "rubricBlock", "templateBlock"))
_EXPLAINING = ("explanation", "general", "solution", "general_fb", "generalfeedback")
_PRAISING = ("correct", "correct_fb", "feedback_correct", "correct_feedback")
_HTML = frozenset(("div", "p", "span", "strong", "em", "code", "br", "img"))
_SMALL = re.compile(r"[A-Z]")
_DASH = re.compile(r"-([a-z0-9])")


class Dialect(Struct, frozen=True):
    """How one version names things."""

    namespace: str
    kebab: bool  # version 3
    templates: str  # address of the response processing templates

    def element(
        self, name: str, content: str = "", attributes: dict[str, str] | None = None
    ) -> str:
        """Return an element in the names of this version."""
        if self.kebab and name not in _HTML:
            attributes = {_kebab(key): value for key, value in (attributes or {}).items()}
            name = f"qti-{_kebab(name)}"
        return element(name, content, attributes)


def plain_names(node: Node) -> Node:
    """Return the node with the names of version 2, all the way down."""
    if node.name.startswith("qti-"):
        node.name = _camel(node.name.removeprefix("qti-"))
        node.attributes = {_camel(key): value for key, value in node.attributes.items()}
    for child in node.nodes():
        plain_names(child)
    return node


def read_item(
    root: Node, ledger: Ledger, resolve: marked_text.Resolve, tags: Iterable[str], part: str
) -> Question:
    """Return the question of an ``assessmentItem``.

    Raises:
        Refused, InvalidQuestion: what it holds is no question we have.
    """
    return _Item(root, ledger, part).question(resolve, tags)


class _Item:
    def __init__(self, root: Node, ledger: Ledger, part: str) -> None:
        self.root, self.ledger, self.part = root, ledger, part
        self.title = tidy_line(root.get("title"))
        body = root.first("itemBody")
        if body is None:
            raise Refused("question.no-text", self._place(root), self.title)
        self.body = body
        found = [node for node in body.descend() if node.name.lower().endswith("interaction")]
        if not found:
            raise Refused("question.unsupported", self._place(body), self.title, type="text only")
        if len(found) > 1:
            names = " + ".join(dict.fromkeys(node.name for node in found))
            raise Refused("question.unsupported", self._place(found[1]), self.title, type=names)
        self.interaction = found[0]
        self.response = self._response(self.interaction.get("responseIdentifier"))

    def question(self, resolve: marked_text.Resolve, tags: Iterable[str]) -> Question:
        makers = {
            "choiceInteraction": self._choice,
            "inlineChoiceInteraction": self._choice,
            "textEntryInteraction": self._typed,
            "matchInteraction": self._matching,
            "orderInteraction": self._ordering,
        }
        kind = self.interaction.name
        if kind not in makers:
            raise Refused(
                "question.unsupported", self._place(self.interaction), self.title, type=kind
            )
        prompt = self.interaction.first("prompt")
        around = self._without_interaction(self.body)
        content: list[Node | str] = list(around.children)
        if prompt and text_of(prompt).strip() != text_of(around).strip():
            content.append(Node("div", "", {}, prompt.children, prompt.line))
        stem = marked_text.stem(rich(content), self.ledger, resolve)
        common = {
            "stem": stem.text or self.title,
            "picture": stem.picture,
            "explanation": self._explanation(),
            **fields.from_tags(tags, self.ledger),
        }
        if not common["language"] and self.root.get("lang"):
            common["language"] = fields.language(self.root.get("lang"), self.ledger)
        return makers[kind](common)

    def _place(self, node: Node) -> Place:
        return Place(line=node.line, part=self.part)

    def _response(self, identifier: str) -> Node:
        for node in self.root.nodes("responseDeclaration"):
            if node.get("identifier") == identifier:
                return node
        raise Refused("question.no-right", self._place(self.interaction), self.title)

    def _without_interaction(self, node: Node) -> Node:
        """Return the body without interaction, a gap where it stood within a sentence."""
        children: list[Node | str] = []
        for child in node.children:
            if isinstance(child, str):
                children.append(child)
            elif child is self.interaction:
                inline = child.name in ("textEntryInteraction", "inlineChoiceInteraction")
                if inline and _says_anything(node, besides=child):
                    children.append(GAP)
            elif child.name in _FEEDBACK:
                if child.name.startswith("feedback") and text_of(child).strip():
                    self.ledger.note("note.feedback", text=self.title)
            else:
                children.append(self._without_interaction(child))
        return Node(node.name, node.space, node.attributes, children, node.line)

    def _words(self, node: Node) -> str:
        children: list[Node | str] = []
        for child in node.children:
            if isinstance(child, Node) and child.name in _FEEDBACK:
                if text_of(child).strip():
                    self.ledger.note("note.feedback", text=self.title)
            else:
                children.append(child)
        return marked_text.words(rich(children), self.ledger)

    def _explanation(self) -> str:
        found: dict[str, HtmlText] = {}
        for node in self.root.nodes("modalFeedback"):
            text = rich(node.children)
            if text.text:
                found.setdefault(node.get("identifier").lower(), text)
        names = (*_EXPLAINING, *_PRAISING)
        kept = next((name for name in names if name in found), None)
        if len(found) > (kept is not None):
            self.ledger.note("note.feedback", text=self.title)
        return marked_text.words(found[kept], self.ledger) if kept else ""

    def _correct(self) -> list[str]:
        """Return the values that are right: declared so, or mapped to points."""
        node = self.response.first("correctResponse")
        values = [text_of(value) for value in node.nodes("value")] if node else []
        return values or self._mapped()

    def _mapped(self) -> list[str]:
        mapping = self.response.first("mapping")
        entries = mapping.nodes("mapEntry") if mapping else ()
        return [entry.get("mapKey") for entry in entries if _points(entry) > 0]

    def _choice(self, common: dict[str, Any]) -> Question:
        nodes = list(self.interaction.nodes("simpleChoice", "inlineChoice"))
        ids = [node.get("identifier") for node in nodes]
        right = [value.strip() for value in self._correct()]
        if not right:
            raise Refused("question.no-right", self._place(self.interaction), common["stem"])
        if unknown := [value for value in right if value not in ids]:
            raise Refused("question.unknown-right", self._place(self.response), unknown[0])
        several = self.response.get("cardinality") == "multiple"
        if not several and {value.lower() for value in ids} == {"true", "false"} and len(ids) == 2:
            return TrueFalse(**common, right=right[0].lower() == "true")
        choices = tuple(self._words(node) for node in nodes)
        positions = tuple(sorted({ids.index(value) for value in right}))
        if several and self.interaction.get("maxChoices") != "1":
            return SeveralRight(**common, choices=choices, right=positions)
        if len(positions) > 1:
            raise Refused("question.two-right", self._place(self.response), common["stem"])
        return SingleChoice(**common, choices=choices, right=positions[0])

    def _typed(self, common: dict[str, Any]) -> Question:
        if self.response.get("baseType") in ("float", "integer"):
            return self._numeric(common)
        node = self.response.first("correctResponse")
        values = [text_of(value) for value in node.nodes("value")] if node else []
        accepted = dict.fromkeys(tidy_line(text) for text in [*values, *self._mapped()])
        if len({_points(entry) for entry in self.response.descend("mapEntry")}) > 1:
            self.ledger.note("note.weights", text=common["stem"])
        return ShortAnswer(**common, accepted=tuple(text for text in accepted if text))

    def _numeric(self, common: dict[str, Any]) -> Question:
        values = self._correct()
        low, high = self._bounds()
        if not values and low is not None and high is not None and low <= high:
            return Numeric(**common, right=(low + high) / 2, tolerance=(high - low) / 2)
        if not values:
            raise Refused("question.no-right", self._place(self.response), common["stem"])
        if len(values) > 1:
            self.ledger.note("note.values", text=common["stem"])
        try:
            right = fields.number(values[0])
        except Refused:
            raise Refused("question.bad-number", self._place(self.response), values[0]) from None
        tolerance = fields.number("0")
        for equal in self.root.descend("equal"):
            numbers = readings(equal.get("tolerance").split(" ")[0])
            if numbers and equal.get("toleranceMode") == "absolute":
                tolerance = numbers[0]
            elif numbers and equal.get("toleranceMode") == "relative":
                tolerance = abs(right) * numbers[0] / 100
        if low is not None and high is not None and low <= right <= high:
            tolerance = max(right - low, high - right)
        return Numeric(**common, right=right, tolerance=tolerance)

    def _bounds(self) -> tuple[Any, Any]:
        """Return the numbers that ``gte`` and ``lte`` of the processing compare with."""
        bounds: list[Any] = []
        for name in ("gte", "lte"):
            values = [
                number
                for node in self.root.descend(name)
                for base in node.descend("baseValue")
                for number in readings(text_of(base))
            ]
            bounds.append(values[0] if values else None)
        return bounds[0], bounds[1]

    def _matching(self, common: dict[str, Any]) -> Question:
        sets = list(self.interaction.nodes("simpleMatchSet"))
        if len(sets) != 2:
            raise Refused("question.unreadable", self._place(self.interaction), common["stem"])
        lefts, rights = (
            {
                node.get("identifier"): self._words(node)
                for node in found.nodes("simpleAssociableChoice")
            }
            for found in sets
        )
        pairs: list[Pair] = []
        used: set[str] = set()
        by_left: dict[str, str] = {}
        for value in self._correct():
            first, _, second = value.strip().partition(" ")
            left, right = (first, second) if first in lefts else (second, first)
            if left not in lefts or right not in rights or left in by_left:
                raise Refused("question.unknown-right", self._place(self.response), value)
            by_left[left] = right
        for left, text in lefts.items():
            if left not in by_left:
                raise Refused("question.no-right", self._place(self.response), text)
            pairs.append(Pair(left=text, right=rights[by_left[left]]))
            used.add(by_left[left])
        others = tuple(text for name, text in rights.items() if name not in used)
        return Matching(**common, pairs=tuple(pairs), distractors=others)

    def _ordering(self, common: dict[str, Any]) -> Question:
        items = {
            node.get("identifier"): self._words(node)
            for node in self.interaction.nodes("simpleChoice")
        }
        order = [value.strip() for value in self._correct()]
        if sorted(order) != sorted(items):
            raise Refused("question.unknown-right", self._place(self.response), common["stem"])
        return Ordering(**common, items=tuple(items[name] for name in order))


def write_item(question: Question, identifier: str, dialect: Dialect, picture_src: str) -> str:
    """Return the item as an XML document; ``picture_src`` is "" without its picture."""
    make = dialect.element
    declaration, interaction, processing = _parts(question, dialect)
    picture = question.picture if picture_src else None
    outcomes = make(
        "outcomeDeclaration",
        attributes={"identifier": "SCORE", "cardinality": "single", "baseType": "float"},
    )
    feedback = ""
    if question.explanation:
        shown = make("defaultValue", make("value", "explanation"))
        outcomes += make(
            "outcomeDeclaration",
            shown,
            {"identifier": "FEEDBACK", "cardinality": "single", "baseType": "identifier"},
        )
        text = element("p", to_html(question.explanation))
        feedback = make(
            "modalFeedback",
            make("contentBody", text) if dialect.kebab else text,
            {"outcomeIdentifier": "FEEDBACK", "identifier": "explanation", "showHide": "show"},
        )
    stem = marked_text.stem_html(question.stem, picture, picture_src)
    body = make("itemBody", element("div", stem) + interaction)
    attributes = {
        "xmlns": dialect.namespace,
        "identifier": identifier,
        "title": tidy_line(question.stem)[:TITLE_MAX].strip(),
        "adaptive": "false",
        "timeDependent": "false",
    }
    if question.language:
        attributes["xml:lang"] = question.language
    item = make("assessmentItem", declaration + outcomes + body + processing + feedback, attributes)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{item}\n'


def _parts(question: Question, dialect: Dialect) -> tuple[str, str, str]:
    """Return declaration, interaction and processing of a question."""
    make = dialect.element
    correct_only = _template(dialect, "match_correct")
    match question:
        case SingleChoice() | SeveralRight():
            several = isinstance(question, SeveralRight)
            right = (question.right,) if isinstance(question, SingleChoice) else question.right
            declaration = _declaration(
                dialect,
                "multiple" if several else "single",
                "identifier",
                [f"c{at + 1}" for at in right],
            )
            choices = [(f"c{at + 1}", text) for at, text in enumerate(question.choices)]
            attributes = {"shuffle": "true", "maxChoices": "0" if several else "1"}
            interaction = _listed(dialect, "choiceInteraction", choices, attributes)
            return declaration, interaction, correct_only
        case TrueFalse():
            truths = [("true", "True"), ("false", "False")]
            declaration = _declaration(
                dialect, "single", "identifier", ["true" if question.right else "false"]
            )
            attributes = {"shuffle": "false", "maxChoices": "1"}
            return (
                declaration,
                _listed(dialect, "choiceInteraction", truths, attributes),
                correct_only,
            )
        case ShortAnswer():
            entries = "".join(
                make(
                    "mapEntry",
                    attributes={"mapKey": text, "mappedValue": "1", "caseSensitive": "false"},
                )
                for text in question.accepted
            )
            mapping = make("mapping", entries, {"defaultValue": "0"})
            declaration = _declaration(dialect, "single", "string", [question.accepted[0]], mapping)
            return declaration, _entry(dialect), _template(dialect, "map_response")
        case Numeric():
            declaration = _declaration(dialect, "single", "float", [number_text(question.right)])
            return declaration, _entry(dialect), _tolerating(question, dialect)
        case Matching():
            return _matched(question, dialect)
        case Ordering():
            items = [(f"i{at + 1}", text) for at, text in enumerate(question.items)]
            declaration = _declaration(
                dialect, "ordered", "identifier", [name for name, _ in items]
            )
            interaction = _listed(dialect, "orderInteraction", items, {"shuffle": "true"})
            return declaration, interaction, correct_only
        case _:
            assert_never(question)


def _declaration(
    dialect: Dialect, cardinality: str, base: str, values: Sequence[str], more: str = ""
) -> str:
    make = dialect.element
    correct = "".join(make("value", escape_xml(value)) for value in values)
    return make(
        "responseDeclaration",
        make("correctResponse", correct) + more,
        {"identifier": "RESPONSE", "cardinality": cardinality, "baseType": base},
    )


def _template(dialect: Dialect, name: str) -> str:
    return dialect.element(
        "responseProcessing", attributes={"template": f"{dialect.templates}{name}"}
    )


def _listed(
    dialect: Dialect, name: str, choices: Sequence[tuple[str, str]], attributes: dict[str, str]
) -> str:
    inside = "".join(
        dialect.element("simpleChoice", to_html(text), {"identifier": identifier})
        for identifier, text in choices
    )
    return dialect.element(name, inside, {"responseIdentifier": "RESPONSE", **attributes})


def _entry(dialect: Dialect) -> str:
    entry = dialect.element("textEntryInteraction", attributes={"responseIdentifier": "RESPONSE"})
    return element("p", entry)


def _matched(question: Matching, dialect: Dialect) -> tuple[str, str, str]:
    make = dialect.element
    options = question.options
    values = [
        f"l{at + 1} r{options.index(pair.right) + 1}" for at, pair in enumerate(question.pairs)
    ]
    many = str(len(question.pairs))
    sets = (
        [(f"l{at + 1}", pair.left, "1") for at, pair in enumerate(question.pairs)],
        [(f"r{at + 1}", text, many) for at, text in enumerate(options)],
    )
    inside = "".join(
        make(
            "simpleMatchSet",
            "".join(
                make(
                    "simpleAssociableChoice",
                    to_html(text),
                    {"identifier": identifier, "matchMax": most},
                )
                for identifier, text, most in found
            ),
        )
        for found in sets
    )
    attributes = {"responseIdentifier": "RESPONSE", "shuffle": "true", "maxAssociations": many}
    return (
        _declaration(dialect, "multiple", "directedPair", values),
        make("matchInteraction", inside, attributes),
        _template(dialect, "match_correct"),
    )


def _tolerating(question: Numeric, dialect: Dialect) -> str:
    make = dialect.element
    tolerance = number_text(question.tolerance)
    equal = make(
        "equal",
        make("variable", attributes={"identifier": "RESPONSE"})
        + make("correct", attributes={"identifier": "RESPONSE"}),
        {"toleranceMode": "absolute", "tolerance": f"{tolerance} {tolerance}"},
    )
    score = make("baseValue", "1", {"baseType": "float"})
    outcome = make("setOutcomeValue", score, {"identifier": "SCORE"})
    return make(
        "responseProcessing", make("responseCondition", make("responseIf", equal + outcome))
    )


def _points(entry: Node) -> float:
    try:
        return float(entry.get("mappedValue", "0"))
    except ValueError:
        return 0.0


def _says_anything(node: Node, besides: Node) -> bool:
    return any(
        (child if isinstance(child, str) else text_of(child)).strip()
        for child in node.children
        if child is not besides
    )


def _kebab(name: str) -> str:
    return name if ":" in name else _SMALL.sub(lambda found: f"-{found.group().lower()}", name)


def _camel(name: str) -> str:
    return _DASH.sub(lambda found: found.group(1).upper(), name)
