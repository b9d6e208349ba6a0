"""QTI 1.2, as Canvas and older systems keep it.

One XML file with all items, in a package with its pictures. What is right is
found in the response processing: the conditions that give points. Read are
single and several choice, true or false, text and number entry, one list for
each left side (matching) and ordered choice; other items are told.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, assert_never

from msgspec import Struct

from quizzes.formats import content_packages, fields, marked_text, xml_nodes
from quizzes.formats.archives import is_archive
from quizzes.formats.carries import ALL_FIELDS, ALL_KINDS, Carries
from quizzes.formats.content_packages import PICTURES
from quizzes.formats.encodings import CODECS
from quizzes.formats.html_text import HtmlText, Image
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
from quizzes.formats.reading import Ledger, Reading
from quizzes.formats.text import tidy_line, to_html
from quizzes.formats.xml_nodes import Node, element, escape_xml, rich, text_of

CARRIES = Carries(kinds=ALL_KINDS, fields=ALL_FIELDS)
NAMESPACE = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
RESOURCE = "imsqti_xmlv1p2"
FILE = "questions.xml"
TITLE_MAX = 50
_MANIFEST = "http://www.imsglobal.org/xsd/imscp_v1p1"
_RESPONSES = ("response_lid", "response_str", "response_num", "response_grp", "response_xy")
_EXPLAINING = ("explanation", "general_fb", "solution", "general", "correct_fb", "correct")
_UNSUPPORTED = frozenset(
    (
        "essay_question",
        "file_upload_question",
        "text_only_question",
        "fill_in_multiple_blanks_question",
        "multiple_dropdowns_question",
        "calculated_question",
    )
)


def fits(question: Question) -> bool:
    """Every question fits."""
    return True


def read(data: bytes, encoding: str | None = None) -> Reading:
    """Return the questions of a package, or of one XML file."""
    ledger = Ledger()
    with ledger.file():
        if not is_archive(data):
            root = xml_nodes.parse(data, encoding=CODECS[encoding] if encoding else None)
            _read_items(root, ledger, lambda _: None, "")
        else:
            package = content_packages.open_package(data)
            for resource in package.resources:
                with ledger.file():
                    root = content_packages.parse_part(package, resource.name)
                    if root.name == "questestinterop":
                        resolve = package.resolver(resource.name)
                        _read_items(root, ledger, resolve, resource.name)
    return ledger.finish()


def write(questions: Sequence[Question], pictures: Mapping[str, bytes] | None = None) -> bytes:
    """Return a package of the questions with the pictures they name."""
    kept = {
        one.picture.ref: pictures[one.picture.ref]
        for one in questions
        if pictures and one.picture and one.picture.ref in pictures
    }
    items = "\n".join(_written(at, one, kept) for at, one in enumerate(questions, start=1))
    section = element("section", f"\n{items}\n", {"ident": "root_section"})
    assessment = element("assessment", section, {"ident": "questions", "title": "Questions"})
    body = element("questestinterop", assessment, {"xmlns": NAMESPACE})
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    about = element("schema", "IMS Content") + element("schemaversion", "1.1.3")
    listed = content_packages.resource(
        "questions", RESOURCE, FILE, (), tuple(PICTURES + ref for ref in kept)
    )
    inside = element("metadata", about) + "<organizations/>" + element("resources", listed)
    manifest = element("manifest", inside, {"xmlns": _MANIFEST, "identifier": "package"})
    return content_packages.write_package(f"{head}{manifest}\n", {FILE: f"{head}{body}\n"}, kept)


def _read_items(root: Node, ledger: Ledger, resolve: marked_text.Resolve, part: str) -> None:
    for number, node in enumerate(root.descend("item"), start=1):
        with ledger.item(Place(line=node.line, part=part, number=number)):
            ledger.keep(_Item(node, ledger, part).question(resolve))
        if ledger.is_full:
            break


class _Rule(Struct):
    """One condition that gives points."""

    points: float
    equal: list[tuple[str, str]]  # (response, value), in order, those under "not" left out
    low: Decimal | None
    high: Decimal | None


class _Item:
    def __init__(self, node: Node, ledger: Ledger, part: str) -> None:
        self.node, self.ledger, self.part = node, ledger, part
        self.title = tidy_line(node.get("title"))
        self.about = {
            tidy_line(text_of(field.first("fieldlabel"))): text_of(field.first("fieldentry"))
            for field in node.descend("qtimetadatafield")
        }
        presentation = node.first("presentation")
        if presentation is None:
            raise Refused("question.no-text", self._place(node), self.title)
        self.presentation = presentation
        self.responses = list(presentation.descend(*_RESPONSES))
        self.rules = list(self._rules())

    def question(self, resolve: marked_text.Resolve) -> Question:
        kind = tidy_line(self.about.get("question_type", ""))
        if kind in _UNSUPPORTED or not self.responses:
            raise Refused(
                "question.unsupported", self._place(self.node), self.title,
                type=kind or "text only",
            )  # fmt: skip
        stem = marked_text.stem(self._material(self.presentation), self.ledger, resolve)
        about = self.about
        topics = about.get("topics") or about.get("qmd_topic") or ""
        level = about.get("difficulty") or about.get("qmd_levelofdifficulty") or ""
        common: dict[str, Any] = {
            "stem": stem.text or self.title,
            "picture": stem.picture,
            "explanation": self._explanation(),
            "topics": fields.topics(fields.split_topics(topics), self.ledger),
            "difficulty": fields.difficulty(level, self.ledger),
            "language": fields.language(about.get("language", ""), self.ledger),
            "source": fields.source(about.get("source", ""), self.ledger),
        }
        first = self.responses[0]
        if len(self.responses) > 1:
            return self._matching(common)
        if first.name in ("response_str", "response_num"):
            return self._typed(common, first, kind)
        if first.name == "response_lid" and first.get("rcardinality") == "Ordered":
            return self._ordering(common, first)
        if first.name == "response_lid":
            return self._choice(common, first, kind)
        raise Refused("question.unsupported", self._place(first), common["stem"], type=first.name)

    def _place(self, node: Node) -> Place:
        return Place(line=node.line, part=self.part)

    def _material(self, node: Node) -> HtmlText:
        """Return what is written in a node outside of responses."""
        found = list(_materials(node))
        return HtmlText(
            text="\n\n".join(text.text for text in found if text.text),
            images=tuple(image for text in found for image in text.images),
            dropped=tuple(name for text in found for name in text.dropped),
            links=any(text.links for text in found),
        )

    def _words(self, node: Node) -> str:
        return marked_text.words(self._material(node), self.ledger)

    def _explanation(self) -> str:
        found: dict[str, HtmlText] = {}
        for node in self.node.nodes("itemfeedback"):
            text = self._material(node)
            if text.text:
                found.setdefault(node.get("ident").lower(), text)
        kept = next((name for name in _EXPLAINING if name in found), None)
        if len(found) > (kept is not None):
            self.ledger.note("note.feedback", text=self.title)
        return marked_text.words(found[kept], self.ledger) if kept else ""

    def _rules(self) -> Iterator[_Rule]:
        for condition in self.node.descend("respcondition"):
            points = [_points(node) for node in condition.nodes("setvar")]
            variables = condition.first("conditionvar")
            if variables and points and max(points) > 0:
                yield _Rule(
                    points=max(points),
                    equal=list(_equal(variables)),
                    low=_bound(variables, "vargte", "vargt"),
                    high=_bound(variables, "varlte", "varlt"),
                )

    def _labels(self, response: Node) -> dict[str, str]:
        return {
            label.get("ident"): self._words(label) for label in response.descend("response_label")
        }

    def _choice(self, common: dict[str, Any], response: Node, kind: str) -> Question:
        labels = self._labels(response)
        names = list(labels)
        several = response.get("rcardinality") == "Multiple"
        rules = [rule for rule in self.rules if rule.equal]
        best = max((rule.points for rule in rules), default=0.0)
        if not several and any(rule.points < best for rule in rules):
            self.ledger.note("note.weights", text=common["stem"])
        whole = [rule for rule in rules if several or rule.points == best]
        if several and len(whole) > 1 and max(len(rule.equal) for rule in whole) > 1:
            whole = [rule for rule in whole if rule.points == best]
        right = list(dict.fromkeys(value for rule in whole for _, value in rule.equal))
        if not right:
            raise Refused("question.no-right", self._place(response), common["stem"])
        if unknown := [value for value in right if value not in labels]:
            raise Refused("question.unknown-right", self._place(self.node), unknown[0])
        if not several and len(right) > 1:
            raise Refused("question.two-right", self._place(self.node), common["stem"])
        idents = {name.lower() for name in names}
        if not several and idents == {"true", "false"}:
            return TrueFalse(**common, right=right[0].lower() == "true")
        if kind == "true_false_question":
            truth = fields.truth(labels[right[0]])
            if truth is None:
                raise Refused("question.bad-truth", self._place(response), labels[right[0]])
            return TrueFalse(**common, right=truth)
        choices = tuple(labels.values())
        positions = tuple(sorted(names.index(value) for value in right))
        if several:
            return SeveralRight(**common, choices=choices, right=positions)
        return SingleChoice(**common, choices=choices, right=positions[0])

    def _typed(self, common: dict[str, Any], response: Node, kind: str) -> Question:
        types = {node.get("fibtype").lower() for node in response.descend("render_fib")}
        if (
            kind == "numerical_question"
            or response.name == "response_num"
            or types & {"decimal", "integer", "scientific"}
        ):
            return self._numeric(common, response)
        accepted = dict.fromkeys(tidy_line(value) for rule in self.rules for _, value in rule.equal)
        if not accepted:
            raise Refused("question.unsupported", self._place(response), self.title, type="essay")
        if len({rule.points for rule in self.rules if rule.equal}) > 1:
            self.ledger.note("note.weights", text=common["stem"])
        return ShortAnswer(**common, accepted=tuple(text for text in accepted if text))

    def _numeric(self, common: dict[str, Any], response: Node) -> Question:
        if not self.rules:
            raise Refused("question.no-right", self._place(response), common["stem"])
        if len(self.rules) > 1 or len(self.rules[0].equal) > 1:
            self.ledger.note("note.values", text=common["stem"])
        rule = self.rules[0]
        low, high = rule.low, rule.high
        if rule.equal:
            right = fields.number(rule.equal[0][1])
            if low is None or high is None or not low <= right <= high:
                return Numeric(**common, right=right)
            return Numeric(**common, right=right, tolerance=max(right - low, high - right))
        if low is None or high is None or low > high:
            raise Refused("question.no-right", self._place(response), common["stem"])
        return Numeric(**common, right=(low + high) / 2, tolerance=(high - low) / 2)

    def _matching(self, common: dict[str, Any]) -> Question:
        right = {name: value for rule in self.rules for name, value in rule.equal}
        pairs: list[Pair] = []
        used: set[str] = set()
        offered: dict[str, str] = {}
        for response in self.responses:
            left = self._words(_without_choices(response))
            labels = self._labels(response)
            name = response.get("ident")
            if response.name != "response_lid" or not left:
                raise Refused(
                    "question.unsupported", self._place(response), common["stem"],
                    type="several gaps",
                )  # fmt: skip
            if right.get(name) not in labels:
                raise Refused("question.no-right", self._place(response), left)
            offered |= labels
            used.add(right[name])
            pairs.append(Pair(left=left, right=labels[right[name]]))
        others = dict.fromkeys(text for ident, text in offered.items() if ident not in used)
        return Matching(**common, pairs=tuple(pairs), distractors=tuple(others))

    def _ordering(self, common: dict[str, Any], response: Node) -> Question:
        labels = self._labels(response)
        order = [value for rule in self.rules[:1] for _, value in rule.equal]
        if sorted(order) != sorted(labels):
            raise Refused("question.unknown-right", self._place(response), common["stem"])
        return Ordering(**common, items=tuple(labels[name] for name in order))


def _materials(node: Node) -> Iterator[HtmlText]:
    for child in node.nodes():
        if child.name in _RESPONSES:
            continue
        if child.name in ("mattext", "mat_formattedtext"):
            yield _text(child)
        elif child.name == "matimage":
            yield HtmlText("", (Image(child.get("uri"), child.get("label")),))
        else:
            yield from _materials(child)


def _text(node: Node) -> HtmlText:
    kind = (node.get("texttype") or node.get("type")).lower()
    if any(isinstance(child, Node) for child in node.children):
        return rich(node.children)
    text = text_of(node)
    if "html" in kind:
        return marked_text.interpret(text, "html")
    return marked_text.interpret(text, "plain" if "plain" in kind else "moodle")


def _without_choices(response: Node) -> Node:
    children = [
        child
        for child in response.children
        if isinstance(child, str) or not child.name.startswith("render_")
    ]
    return Node(response.name, response.space, response.attributes, children, response.line)


def _equal(node: Node) -> Iterator[tuple[str, str]]:
    for child in node.nodes():
        if child.name == "varequal":
            yield child.get("respident"), text_of(child).strip()
        elif child.name != "not":
            yield from _equal(child)


def _bound(node: Node, *names: str) -> Decimal | None:
    found = [number for child in node.descend(*names) for number in readings(text_of(child))]
    return found[0] if found else None


def _points(node: Node) -> float:
    text = text_of(node).strip()
    if text.endswith(".max"):
        return 100.0
    try:
        return float(text)
    except ValueError:
        return 0.0


def _mattext(markup: str) -> str:
    text = element("mattext", escape_xml(markup), {"texttype": "text/html"})
    return element("material", text)


def _written(number: int, question: Question, pictures: Mapping[str, bytes]) -> str:
    picture = question.picture if question.picture and question.picture.ref in pictures else None
    src = PICTURES + picture.ref if picture else ""
    kind, responses, rules = _parts(question)
    about = {
        "question_type": kind,
        "points_possible": "1",
        "topics": "; ".join(question.topics),
        "difficulty": str(question.difficulty),
        "language": question.language,
        "source": question.source,
    }
    metadata = "".join(
        element(
            "qtimetadatafield",
            element("fieldlabel", name) + element("fieldentry", escape_xml(value)),
        )
        for name, value in about.items()
        if value
    )
    score = {"maxvalue": "100", "minvalue": "0", "varname": "SCORE", "vartype": "Decimal"}
    feedback = ""
    if question.explanation:
        show = {"feedbacktype": "Response", "linkrefid": "general_fb"}
        always = element("conditionvar", "<other/>") + element("displayfeedback", "", show)
        rules = element("respcondition", always, {"continue": "Yes"}) + rules
        text = element("flow_mat", _mattext(f"<p>{to_html(question.explanation)}</p>"))
        feedback = element("itemfeedback", text, {"ident": "general_fb"})
    stem = _mattext(marked_text.stem_html(question.stem, picture, src))
    inside = (
        element("itemmetadata", element("qtimetadata", metadata))
        + element("presentation", stem + responses)
        + element("resprocessing", element("outcomes", element("decvar", "", score)) + rules)
        + feedback
    )
    title = tidy_line(question.stem)[:TITLE_MAX].strip()
    return element("item", inside, {"ident": f"q{number:04}", "title": title})


def _parts(question: Question) -> tuple[str, str, str]:
    """Return the type as Canvas calls it, the responses and the rules."""
    match question:
        case SingleChoice():
            named = _named("c", question.choices)
            return (
                "multiple_choice_question",
                _list("response1", named),
                _rule(_varequal("response1", f"c{question.right + 1}")),
            )
        case SeveralRight():
            named = _named("c", question.choices)
            tests = "".join(
                test if at in question.right else element("not", test)
                for at, (name, _) in enumerate(named)
                for test in [_varequal("response1", name)]
            )
            return (
                "multiple_answers_question",
                _list("response1", named, "Multiple"),
                _rule(element("and", tests)),
            )
        case TrueFalse():
            named = [("true", "True"), ("false", "False")]
            right = "true" if question.right else "false"
            return (
                "true_false_question",
                _list("response1", named),
                _rule(_varequal("response1", right)),
            )
        case ShortAnswer():
            tests = "".join(_varequal("response1", text) for text in question.accepted)
            return "short_answer_question", _entry("String"), _rule(element("or", tests))
        case Numeric():
            value = number_text(question.right)
            tests = _varequal("response1", value)
            if question.tolerance:
                respident = {"respident": "response1"}
                tests += element(
                    "and",
                    element("vargte", number_text(question.right - question.tolerance), respident)
                    + element(
                        "varlte", number_text(question.right + question.tolerance), respident
                    ),
                )
            return "numerical_question", _entry("Decimal"), _rule(element("or", tests))
        case Matching():
            named = _named("c", question.options)
            share = f"{100 / len(question.pairs):.2f}"
            lists, rules = "", ""
            for at, pair in enumerate(question.pairs, start=1):
                left = _mattext(to_html(pair.left))
                lists += _list(f"response{at}", named, before=left)
                right = f"c{question.options.index(pair.right) + 1}"
                rules += _rule(_varequal(f"response{at}", right), share, "Add")
            return "matching_question", lists, rules
        case Ordering():
            named = _named("c", question.items)
            tests = "".join(
                element("varequal", name, {"respident": "response1", "index": str(at)})
                for at, (name, _) in enumerate(named, start=1)
            )
            return (
                "ordering_question",
                _list("response1", named, "Ordered"),
                _rule(element("and", tests)),
            )
        case _:
            assert_never(question)


def _named(letter: str, texts: Sequence[str]) -> list[tuple[str, str]]:
    return [(f"{letter}{at}", to_html(text)) for at, text in enumerate(texts, start=1)]


def _list(
    ident: str, named: Sequence[tuple[str, str]], cardinality: str = "Single", before: str = ""
) -> str:
    labels = "".join(
        element("response_label", _mattext(markup), {"ident": name}) for name, markup in named
    )
    attributes = {"ident": ident, "rcardinality": cardinality}
    return element("response_lid", before + element("render_choice", labels), attributes)


def _entry(kind: str) -> str:
    inside = element("render_fib", "", {"fibtype": kind})
    return element("response_str", inside, {"ident": "response1", "rcardinality": "Single"})


def _varequal(respident: str, value: str) -> str:
    return element("varequal", escape_xml(value), {"respident": respident})


def _rule(tests: str, points: str = "100", action: str = "Set") -> str:
    setvar = element("setvar", points, {"action": action, "varname": "SCORE"})
    return element("respcondition", element("conditionvar", tests) + setvar, {"continue": "No"})
