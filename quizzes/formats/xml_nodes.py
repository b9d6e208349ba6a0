"""XML into plain nodes, under limits; nodes into XML.

Any DTD is refused, and with it every entity trick; nesting and the number of
elements are limited. Names lose their namespace; every node knows its line.
Nothing is ever fetched: schema locations and XInclude are just text here.
"""

from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree.ElementTree import ParseError
from xml.sax.saxutils import escape as escape_xml, quoteattr

from defusedxml import DefusedXmlException, DTDForbidden
from defusedxml.ElementTree import DefusedXMLParser
from msgspec import Struct

from quizzes.formats.html_text import End, Event, HtmlText, Start, from_events
from quizzes.formats.problems import Place, Refused

DEPTH_MAX = 80
NODES_FREE = 150_000  # elements of any file
NODE_BYTES = 20  # a file may have one for so many: those of real questions are longer
NODES_MAX = 500_000  # 5,000 questions of a wordy system have about 400,000; read in a second
XML_MAX = 60 * 2**20

__all__ = ["Node", "attribute", "element", "escape_xml", "parse", "rich", "text_of"]


class Node(Struct, gc=False):  # a tree has no cycles to be looked for
    """One element: its children are nodes and strings, in order."""

    name: str
    space: str  # namespace
    attributes: dict[str, str]
    children: "list[Node | str]"
    line: int

    def nodes(self, *names: str) -> "Iterator[Node]":
        """The child elements of these names, or all of them."""
        for child in self.children:
            if isinstance(child, Node) and (not names or child.name in names):
                yield child

    def first(self, *names: str) -> "Node | None":
        """The first child element of one of these names."""
        return next(self.nodes(*names), None)

    def descend(self, *names: str) -> "Iterator[Node]":
        """All elements below of these names, in document order."""
        waiting = [iter(self.children)]
        while waiting:
            for child in waiting[-1]:
                if isinstance(child, Node):
                    if not names or child.name in names:
                        yield child
                    waiting.append(iter(child.children))
                    break
            else:
                waiting.pop()

    def get(self, name: str, default: str = "") -> str:
        """The value of an attribute."""
        return self.attributes.get(name, default)


class _Tree:
    """Builds nodes from what the parser finds."""

    def __init__(self, nodes_max: int) -> None:
        self._nodes_max = nodes_max
        self._count = 0
        self._root: Node | None = None
        self._stack: list[Node] = []
        self._names: dict[str, tuple[str, str]] = {}  # name and namespace, by what expat says
        self._expat: Any = None

    def listen(self, parser: DefusedXMLParser) -> None:
        """Hear of elements from expat itself: what lies between costs more than all done here.

        What refuses a DTD hears of other things and stays.
        """
        self._expat = parser.parser
        self._expat.ordered_attributes = False
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = self._end
        self._expat.CharacterDataHandler = self._characters

    def close(self) -> Node:
        """The root; the parser asks for it at the end of a whole document."""
        assert self._root is not None
        return self._root

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        line = self._expat.CurrentLineNumber
        self._count += 1
        if len(self._stack) >= DEPTH_MAX:
            raise Refused("xml.too-deep", Place(line=line))
        if self._count > self._nodes_max:
            raise Refused("xml.too-large", Place(line=line))
        name, space = self._names.get(tag) or self._split(tag)
        if attributes:
            attributes = {key.rpartition("}")[2]: value for key, value in attributes.items()}
        node = Node(name, space, attributes, [], line)
        if self._stack:
            self._stack[-1].children.append(node)
        else:
            self._root = node
        self._stack.append(node)

    def _split(self, tag: str) -> tuple[str, str]:
        space, _, name = tag.rpartition("}")
        self._names[tag] = name, space
        return name, space

    def _end(self, _tag: str) -> None:
        self._stack.pop()

    def _characters(self, data: str) -> None:
        children = self._stack[-1].children
        if children and isinstance(children[-1], str):
            children[-1] += data
        else:
            children.append(data)


def parse(data: bytes, *, part: str = "", encoding: str | None = None) -> Node:
    """Return the root of an XML document.

    Raises:
        Refused: not well-formed, a DTD, too deep, too many elements, too large.
    """
    if len(data) > XML_MAX:
        raise Refused("file.too-large", Place(part=part), limit=f"{XML_MAX // 2**20} MiB")
    tree = _Tree(max(NODES_FREE, min(NODES_MAX, len(data) // NODE_BYTES)))
    parser = DefusedXMLParser(target=tree, encoding=encoding, forbid_dtd=True)
    tree.listen(parser)
    try:
        parser.feed(data)
        root = parser.close()
    except DTDForbidden:
        raise Refused("xml.dtd", Place(part=part)) from None
    except DefusedXmlException:
        raise Refused("xml.dtd", Place(part=part)) from None
    except ParseError as broken:
        line, _ = broken.position
        reason = str(broken).partition(":")[0]
        raise Refused("xml.broken", Place(line=line, part=part), reason=reason) from None
    except (ValueError, LookupError):
        # expat was told of an encoding that Python does not know or cannot map to single bytes
        raise Refused("xml.broken", Place(part=part), reason="unknown encoding") from None
    assert isinstance(root, Node)
    return root


def text_of(node: Node | None) -> str:
    """Return all characters inside a node, elements ignored."""
    if node is None:
        return ""
    return "".join(child if isinstance(child, str) else text_of(child) for child in node.children)


def rich(children: "list[Node | str]") -> HtmlText:
    """Return the text of XHTML content."""
    return from_events(_events(children))


def _events(children: "list[Node | str]") -> Iterator[Event]:
    for child in children:
        if isinstance(child, str):
            yield child
        else:
            yield Start(child.name.lower(), child.attributes)
            yield from _events(child.children)
            if child.name.lower() not in ("br", "img", "hr"):
                yield End(child.name.lower())


def attribute(value: str) -> str:
    """Return an attribute value with its quotes."""
    return quoteattr(value)


def element(name: str, content: str = "", attributes: Mapping[str, str] | None = None) -> str:
    """Return an element around content that is already XML."""
    inside = "".join(f" {key}={quoteattr(value)}" for key, value in (attributes or {}).items())
    return f"<{name}{inside}>{content}</{name}>" if content else f"<{name}{inside}/>"
