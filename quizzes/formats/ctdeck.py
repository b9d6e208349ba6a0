"""Our own package: everything a question has, pictures too, in one file.

A zip archive with ``deck.json`` (``format``, ``version``, ``questions`` as
values of ``question``) and ``pictures/<reference>``. Lossless.
"""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from quizzes.formats import content_packages, pictures as kept_pictures
from quizzes.formats.archives import Archive, open_archive, write_archive
from quizzes.formats.carries import ALL_FIELDS, ALL_KINDS, Carries
from quizzes.formats.problems import Place, Refused
from quizzes.formats.question import InvalidQuestion, Question
from quizzes.formats.reading import Ledger, Reading

CARRIES = Carries(kinds=ALL_KINDS, fields=ALL_FIELDS)
DECK = "deck.json"
PICTURES = "pictures/"
VERSION = 1
SHOWN_JSON = 2_000


class _Deck(Struct, kw_only=True):
    format: str
    version: int
    questions: list[msgspec.Raw]


class _Written(Struct, kw_only=True):
    format: str
    version: int
    questions: list[Question]


def fits(question: Question) -> bool:
    """Every question fits."""
    return True


def read(data: bytes, encoding: str | None = None) -> Reading:
    """Return the questions and pictures of a package. Its JSON is always UTF-8."""
    ledger = Ledger()
    with ledger.file():
        archive = open_archive(data, content_packages.ENTRIES_MAX)
        for number, raw in enumerate(_deck(archive).questions, start=1):
            with ledger.item(Place(part=DECK, number=number)):
                question = _question(raw)
                if question.picture:
                    question = _with_picture(question, archive, ledger)
                ledger.keep(question)
            if ledger.is_full:
                break
    return ledger.finish()


def write(questions: Sequence[Question], pictures: Mapping[str, bytes] | None = None) -> bytes:
    """Return a package of the questions and of the pictures they name."""
    deck = _Written(format="ctdeck", version=VERSION, questions=list(questions))
    text = msgspec.json.format(msgspec.json.encode(deck), indent=1)
    files = {DECK: text}
    for question in questions:
        if question.picture and pictures and question.picture.ref in pictures:
            ref = question.picture.ref
            files[PICTURES + ref] = pictures[ref]
    return write_archive(files)


def _deck(archive: Archive) -> _Deck:
    place = Place(part=DECK)
    try:
        deck = msgspec.json.decode(archive.read(DECK), type=_Deck)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refused("json.broken", place) from None
    if deck.format != "ctdeck":
        raise Refused("json.broken", place, deck.format)
    if deck.version > VERSION:
        raise Refused("deck.newer", place, str(deck.version))
    return deck


def _question(raw: msgspec.Raw) -> Question:
    try:
        return msgspec.json.decode(raw, type=Question)
    except (msgspec.DecodeError, RecursionError) as invalid:
        if isinstance(invalid.__cause__, InvalidQuestion):
            raise invalid.__cause__ from None
        text = bytes(raw)[:SHOWN_JSON].decode("utf-8", "replace")
        raise Refused("deck.bad-question", text=text, reason=str(invalid)) from None


def _with_picture(question: Question, archive: Archive, ledger: Ledger) -> Question:
    """Return the question with its picture under the reference of what was found."""
    assert question.picture
    name = PICTURES + question.picture.ref
    if name not in archive:
        ledger.note("picture.missing", text=question.picture.ref)
        return question
    data = archive.read(name)
    ref = kept_pictures.reference(data)
    if not ref:
        ledger.note("picture.kind", text=question.picture.ref)
        return replace(question, picture=None)
    ledger.pictures[ref] = data
    return replace(question, picture=replace(question.picture, ref=ref))
