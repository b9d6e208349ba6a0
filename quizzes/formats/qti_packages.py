"""Packages of QTI 2 and 3: a manifest, one file a question, pictures."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from quizzes.formats import content_packages, fields, qti_items, xml_nodes
from quizzes.formats.archives import is_archive
from quizzes.formats.content_packages import PICTURES, Package, Resource
from quizzes.formats.encodings import CODECS
from quizzes.formats.problems import Place, Refused
from quizzes.formats.qti_items import Dialect
from quizzes.formats.question import Question
from quizzes.formats.reading import Ledger, Reading
from quizzes.formats.xml_nodes import Node, element

ITEMS = "items/"


class Version(Struct, frozen=True):
    """What differs between the versions."""

    item: str  # name of the root of an item
    resource: str  # type of an item in the manifest
    manifest: str  # namespace of the manifest
    schema: str
    schema_version: str
    dialect: Dialect


def read(data: bytes, encoding: str | None, version: Version) -> Reading:
    """Return the questions of a package, or of one item as XML."""
    ledger = Ledger()
    with ledger.file():
        if is_archive(data):
            _read_package(content_packages.open_package(data), ledger, version)
        else:
            root = xml_nodes.parse(data, encoding=CODECS[encoding] if encoding else None)
            nodes = [root, *root.descend(version.item)]
            items = [node for node in nodes if node.name == version.item]
            for number, node in enumerate(items, start=1):
                with ledger.item(Place(line=node.line, number=number)):
                    item = qti_items.plain_names(node)
                    ledger.keep(qti_items.read_item(item, ledger, lambda _: None, (), ""))
    return ledger.finish()


def write(questions: Sequence[Question], pictures: Mapping[str, bytes], version: Version) -> bytes:
    """Return a package of the questions with the pictures they name."""
    files: dict[str, str] = {}
    resources: list[str] = []
    kept: dict[str, bytes] = {}
    for number, question in enumerate(questions, start=1):
        identifier = f"q{number:04}"
        name = f"{ITEMS}{identifier}.xml"
        ref = question.picture.ref if question.picture else ""
        if ref in pictures:
            kept[ref] = pictures[ref]
        src = f"../{PICTURES}{ref}" if ref in kept else ""
        files[name] = qti_items.write_item(question, identifier, version.dialect, src)
        resources.append(
            content_packages.resource(
                identifier,
                version.resource,
                name,
                tuple(fields.tags(question)),
                (PICTURES + ref,) if src else (),
            )
        )
    about = element("schema", version.schema) + element("schemaversion", version.schema_version)
    body = "\n".join(
        (element("metadata", about), "<organizations/>", "<resources>", *resources, "</resources>")
    )
    manifest = element("manifest", body, {"xmlns": version.manifest, "identifier": "questions"})
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return content_packages.write_package(f"{head}{manifest}\n", files, kept)


def _read_package(package: Package, ledger: Ledger, version: Version) -> None:
    number = 0
    for resource in package.resources:
        with ledger.item(Place(part=resource.name, number=number + 1)):
            root = content_packages.parse_part(package, resource.name)
            if root.name != version.item:
                _pass_over(root)
                continue
            number += 1
            _keep(package, resource, root, ledger)
        if ledger.is_full:
            break


def _keep(package: Package, resource: Resource, root: Node, ledger: Ledger) -> None:
    item = qti_items.plain_names(root)
    resolve = package.resolver(resource.name)
    ledger.keep(qti_items.read_item(item, ledger, resolve, resource.keywords, resource.name))


def _pass_over(root: Node) -> None:
    """Refuse what is neither an item nor one of the files that go with items."""
    if root.name.endswith(("assessmentItem", "assessment-item")):
        raise Refused("question.unsupported", text=root.space, type="other version of QTI")
