"""IMS content packages: the zip with ``imsmanifest.xml`` that QTI travels in.

Files are found by name inside the archive only. QTI 2 and 3 keep every question
in a file of its own, so a package may hold more entries than other archives.
"""

import posixpath
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from quizzes.formats import marked_text, xml_nodes
from quizzes.formats.archives import Archive, open_archive, write_archive
from quizzes.formats.reading import QUESTIONS_MAX
from quizzes.formats.text import tidy_line
from quizzes.formats.xml_nodes import Node, element, escape_xml, text_of

MANIFEST = "imsmanifest.xml"
ENTRIES_MAX = 2 * QUESTIONS_MAX + 500  # a file a question, a picture each, what goes with them
PICTURES = "pictures/"
_LOM = "http://ltsc.ieee.org/xsd/LOM"


class Resource(Struct, frozen=True):
    """One file of a package that may hold questions."""

    name: str  # in the archive
    kind: str  # as the manifest has it
    keywords: tuple[str, ...]


class Package(Struct, frozen=True):
    """An archive and what its manifest says."""

    archive: Archive
    resources: tuple[Resource, ...]

    def resolver(self, item: str) -> Callable[[str], bytes | None]:
        """Return what finds a file by its address in the file ``item``."""

        def resolve(src: str) -> bytes | None:
            # Some systems write their own root before the path; the file is in the package.
            plain = marked_text.unquoted(src.partition("?")[0])
            plain = plain.replace("$IMS-CC-FILEBASE$/", "").replace("%24IMS-CC-FILEBASE%24/", "")
            folder = posixpath.dirname(item)
            for name in (posixpath.normpath(posixpath.join(folder, plain)), plain):
                if name in self.archive:
                    return self.archive.read(name)
            return None

        return resolve


def open_package(data: bytes) -> Package:
    """Return the package; without a usable manifest, all XML files in order of name.

    Raises:
        Refused: the archive is past the limits or the manifest cannot be read.
    """
    archive = open_archive(data, ENTRIES_MAX)
    manifest = next((n for n in archive.names if posixpath.basename(n) == MANIFEST), "")
    if manifest:
        root = xml_nodes.parse(archive.read(manifest), part=manifest)
        base = posixpath.dirname(manifest)
        found = tuple(_resources(root, base, archive))
        if found:
            return Package(archive, found)
    names = sorted(name for name in archive.names if name.lower().endswith(".xml"))
    return Package(archive, tuple(Resource(n, "", ()) for n in names if n != manifest))


def parse_part(package: Package, name: str) -> Node:
    """Return the root of an XML file of the package."""
    return xml_nodes.parse(package.archive.read(name), part=name)


def write_package(manifest: str, files: Mapping[str, str], pictures: Mapping[str, bytes]) -> bytes:
    """Return a package of XML files and pictures."""
    parts = {MANIFEST: manifest.encode()}
    parts |= {name: content.encode() for name, content in files.items()}
    parts |= {PICTURES + ref: data for ref, data in pictures.items()}
    return write_archive(parts)


def resource(
    identifier: str, kind: str, href: str, keywords: tuple[str, ...], pictures: tuple[str, ...]
) -> str:
    """Return one ``resource`` element of a manifest."""
    words = "".join(element("keyword", element("string", escape_xml(word))) for word in keywords)
    lom = element("lom", element("general", words), {"xmlns": _LOM}) if words else ""
    inside = element("metadata", lom) if lom else ""
    inside += "".join(element("file", "", {"href": name}) for name in (href, *pictures))
    return element("resource", inside, {"identifier": identifier, "type": kind, "href": href})


def _resources(root: Node, base: str, archive: Archive) -> Iterator[Resource]:
    seen: set[str] = set()
    for node in root.descend("resource"):
        files = [node.get("href"), *(file.get("href") for file in node.nodes("file"))]
        names = (
            posixpath.normpath(posixpath.join(base, marked_text.unquoted(name)))
            for name in files
            if name
        )
        keywords = tuple(
            tidy_line(text_of(word)) for found in node.nodes("metadata")
            for word in found.descend("keyword")
        )  # fmt: skip
        for name in names:
            if name in archive and name.lower().endswith((".xml", ".dat")) and name not in seen:
                seen.add(name)
                yield Resource(name, node.get("type"), keywords)
