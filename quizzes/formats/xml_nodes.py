"""XML into plain nodes, under limits; nodes into XML.

Any DTD is refused, and with it every entity trick; nesting and the number of
elements are limited. Names lose their namespace; every node knows its line.
Nothing is ever fetched: schema locations and XInclude are just text here.
"""

from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import ParseError
from xml.sax.saxutils import escape as escape_xml, quoteattr

from defusedxml import DefusedXmlException, DTDForbidden
from defusedxml.ElementTree import DefusedXMLParser
from msgspec import Struct

from quizzes.formats.html_text import End, Event, HtmlText, Start, from_events
from quizzes.formats.problems import Place, Refused

DEPTH_MAX = 80
NODES_MAX = 150_000
XML_MAX = 60 * 2**20

__all__ = ["Node", "attribute", "element", "escape_xml", "parse", "rich", "text_of"]


class Node(Struct):
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
        for child in self.children:
            if isinstance(child, Node):
                if not names or child.name in names:
                    yield child
                yield from child.descend(*names)

    def get(self, name: str, default: str = "") -> str:
        """The value of an attribute."""
        return self.attributes.get(name, default)


class _Target:
    def __init__(self) -> None:
        self.parser: DefusedXMLParser | None = None
        self.stack: list[Node] = []
        self.root: Node | None = None
        self.count = 0

    def _line(self) -> int:
        assert self.parser is not None
        return int(self.parser.parser.CurrentLineNumber)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if len(self.stack) >= DEPTH_MAX:
            raise Refused("xml.too-deep", Place(line=self._line()))
        if self.count > NODES_MAX:
            raise Refused("xml.too-large", Place(line=self._line()))
        space, _, name = tag.rpartition("}")
        plain = {key.rpartition("}")[2]: value for key, value in attributes.items()}
        node = Node(name, space.lstrip("{"), plain, [], self._line())
        if self.stack:
            self.stack[-1].children.append(node)
        else:
            self.root = node
        self.stack.append(node)

    def end(self, tag: str) -> None:
        self.stack.pop()

    def data(self, data: str) -> None:
        children = self.stack[-1].children
        if children and isinstance(children[-1], str):
            children[-1] += data
        else:
            children.append(data)

    def close(self) -> Node:
        assert self.root is not None
        return self.root


def parse(data: bytes, *, part: str = "", encoding: str | None = None) -> Node:
    """Return the root of an XML document.

    Raises:
        Refused: not well-formed, a DTD, too deep, too many elements, too large.
    """
    if len(data) > XML_MAX:
        raise Refused("file.too-large", Place(part=part), limit=f"{XML_MAX // 2**20} MiB")
    target = _Target()
    parser = DefusedXMLParser(target=target, encoding=encoding, forbid_dtd=True)
    target.parser = parser
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
