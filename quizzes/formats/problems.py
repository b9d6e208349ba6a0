"""What is wrong with a file, told so that a teacher can mend it.

A problem has a code that never changes, a place (line or cell, and the part of
an archive), the offending text and a sentence. The sentences are written once,
here; ``_`` marks them for translation, and the page that shows a problem
translates ``template`` before it fills in the values.
"""

from msgspec import Struct

TEXT_MAX = 200


def _(sentence: str) -> str:
    """Mark a sentence for translation."""
    return sentence


SENTENCES: dict[str, str] = {
    # The file as a whole
    "file.empty": _("The file is empty. Choose the file that holds your questions."),
    "file.too-large": _("The file is larger than %(limit)s. Split it into smaller files."),
    "file.nothing-found": _(
        "No question was found. Check that the file is of the format you chose; "
        "the page about formats shows an example of each."
    ),
    "file.unknown-format": _(
        "The format of this file was not recognised. Choose it from the list, or save the "
        "questions as CSV or XLSX with our template."
    ),
    "file.too-many": _(
        "Only the first %(limit)s questions were read. Split the file and import the rest."
    ),
    "file.more-problems": _("%(count)s further problems are not shown. Correct these first."),
    "file.encoding-guessed": _(
        "The file does not say how its letters are encoded; %(encoding)s was guessed. If letters "
        "look wrong, choose another encoding."
    ),
    "file.letters-lost": _(
        "Some letters could not be read as %(encoding)s. Choose another encoding, or save the "
        "file as UTF-8."
    ),
    "file.too-hard": _(
        "The file takes too much time or memory to be read. Split it into smaller files."
    ),
    # Archives and pictures
    "archive.broken": _("The archive is damaged. Export or download it again."),
    "archive.encrypted": _("The archive is locked with a password. Save it without one."),
    "archive.too-many-entries": _("The archive holds more than %(limit)s files. Split it."),
    "archive.too-large": _("Unpacked, the archive is larger than %(limit)s. Split it."),
    "archive.ratio": _(
        "A file in the archive is packed too tightly to be opened safely. Pack the archive again."
    ),
    "archive.unsafe-name": _(
        "A file in the archive has a name that cannot be used safely. Rename it and pack again."
    ),
    "archive.duplicate-name": _("Two files in the archive have one name. Pack the archive again."),
    "archive.overlap": _("Files in the archive overlap. Pack the archive again."),
    "archive.sizes-lie": _(
        "A file in the archive is larger than the archive says. Pack the archive again."
    ),
    "archive.special-file": _(
        "The archive holds a link or a device. Pack the files themselves instead."
    ),
    "archive.missing": _("A file that the package needs is not in it. Export the package again."),
    "picture.missing": _("The picture is not in the file. Add it to the question afterwards."),
    "picture.kind": _(
        "The picture is not PNG, JPEG or WebP and was left out. Save it as PNG and add it."
    ),
    "picture.remote": _(
        "The picture is kept at an address on the web and was not fetched. Add it yourself."
    ),
    "picture.place": _("Only one picture, in the question itself, is kept; this one was left out."),
    "picture.refused": _(
        "The picture is damaged, moves or is too large, and was left out. Add another one."
    ),
    "picture.no-room": _(
        "There is no room for more pictures, so this one was left out. Delete questions with "
        "pictures first."
    ),
    "picture.no-alt": _(
        "The picture has no description. Write one for students who cannot see it."
    ),
    # XML and JSON
    "xml.broken": _("The XML cannot be read here: %(reason)s. Export the file again."),
    "xml.dtd": _(
        "The file declares a document type (DTD), which is refused because it can be used to "
        "attack the site. Export it again or delete the DOCTYPE line."
    ),
    "xml.too-deep": _("The elements are nested too deeply. Export the file again."),
    "xml.too-large": _("The file holds too many elements. Split it into smaller files."),
    "json.broken": _("The content of the package cannot be read. Export the package again."),
    "deck.newer": _(
        "The package was made by a newer version of this site. Update this site, or export the "
        "questions in another format."
    ),
    "deck.bad-question": _(
        "This question of the package does not fit (%(reason)s). Export the package again."
    ),
    # A question
    "question.no-text": _("The question has no text. Write the question."),
    "question.no-alt": _("Describe the picture for those who cannot see it."),
    "question.too-long": _("This text is longer than %(limit)s characters. Shorten it."),
    "question.bad-text": _("This text holds characters that cannot be shown. Type it again."),
    "question.few-choices": _("A question needs at least two answers to choose from. Add one."),
    "question.many-choices": _("There are more than %(limit)s answers. Take some out."),
    "question.empty-choice": _("One of the answers has no text. Write it or take it out."),
    "question.same-choice": _("Two answers read the same. Change one of them."),
    "question.no-right": _("No answer is marked as right. Mark the right one."),
    "question.unknown-right": _(
        "The right answer named here is not among the answers. Correct it."
    ),
    "question.two-right": _(
        "More than one answer is marked as right. Leave one, or make it a question with several."
    ),
    "question.bad-truth": _("Write “true” or “false” as the right answer."),
    "question.no-accepted": _("There is no accepted answer. Write at least one."),
    "question.bad-accepted": _("An accepted answer must be one line of text. Shorten it."),
    "question.bad-number": _(
        "This is not one clear number. Write digits with a decimal point, such as 1234.5."
    ),
    "question.bad-tolerance": _("The tolerance must be a number from 0 up. Correct it."),
    "question.few-pairs": _("A matching question needs at least two pairs. Add one."),
    "question.few-items": _("An ordering question needs at least two items. Add one."),
    "question.bad-topic": _(
        "A topic is a short text without comma, semicolon or line break. Correct it."
    ),
    "question.bad-difficulty": _("Difficulty is 1, 2 or 3. Correct it."),
    "question.bad-language": _("Write the language as a code such as en, fr or pt-BR."),
    "question.bad-picture": _("The name of the picture cannot be used. Choose the picture again."),
    "question.unsupported": _(
        "Questions of the type “%(type)s” cannot be used here yet. The others were read."
    ),
    "question.unreadable": _("This question cannot be understood. Compare it with the example."),
    "question.one-only": _("This is more than one question. Keep one here."),
    # Read, but not whole
    "note.weights": _("Part marks were left out: each answer is right or wrong here."),
    "note.feedback": _("Remarks on single answers were left out. Put them into the explanation."),
    "note.markup": _("This part of the text was left out: %(what)s."),
    "note.links": _("The text of a link was kept, its address was left out."),
    "note.values": _("Only the first accepted number was kept."),
    "note.case": _("Capital and small letters count as the same here."),
    "note.field": _("This entry was left out: %(what)s."),
    # Tables
    "table.no-header": _(
        "The first row names no columns. It was read as: question, answers, right answer."
    ),
    "table.unknown-header": _(
        "The names of the columns are not known. They were read as: question, answers, right "
        "answer."
    ),
    "table.open-quote": _(
        "A quotation mark in this cell is opened and not closed. Close it or take it out."
    ),
    "table.no-question-column": _(
        "No column is named “question”. Name the columns as in our template."
    ),
    "table.unknown-column": _("The column “%(what)s” is not known and was left out."),
    "table.formula": _("The formula in this cell has no stored result. Type the value itself."),
    "table.too-wide": _("The table has too many columns. Use our template."),
    "table.error": _("This cell holds an error of the spreadsheet. Type the value itself."),
    "table.other-sheet": _("The sheet “%(what)s” has no columns we know and was not read."),
    "workbook.broken": _("The workbook cannot be read. Save it again as .xlsx."),
    # Text formats
    "text.stray": _("These lines belong to no question. Number the questions: 1. 2. 3."),
    "text.no-answer": _(
        "The question has no answers. Write them below it as a) b) c), a star before the right one."
    ),
    "text.no-with": _("Nothing is matched with this. Write “With:” and the other side below it."),
    "gift.no-answer": _(
        "There is no answer in braces. Write it after the question: {=right ~wrong}"
    ),
    "gift.no-open": _("An opening brace { is missing before the answers. Write it."),
    "gift.no-close": _(
        "The closing brace } is missing, or an empty line stands before it. Write } after the "
        "last answer and take the empty line out."
    ),
    "gift.two-answers": _(
        "There is more than one answer block in braces. Write a backslash before braces that "
        "belong to the text."
    ),
    "gift.bad-answer": _("Each answer begins with = if it is right and with ~ if not. Correct it."),
    "aiken.no-answer": _("The line “ANSWER: B” is missing below the choices. Write it."),
    # Writing
    "write.type": _("%(format)s knows no questions of this type. The question is left out."),
    "write.shape": _("%(format)s cannot hold a question worded like this. It is left out."),
    "write.field": _("%(format)s has no place for this and leaves it out: %(what)s."),
}

NOTES = frozenset(
    code
    for code in SENTENCES
    if code.startswith(("note.", "picture."))
    or code
    in {
        "file.encoding-guessed",
        "file.letters-lost",
        "table.no-header",
        "table.unknown-header",
        "table.unknown-column",
        "table.other-sheet",
        "write.field",
    }
)
"""Codes of problems that leave the question in: something beside it was dropped or guessed."""


class Place(Struct, frozen=True, kw_only=True):
    """Where in a file something stands. Unknown parts are 0 or empty."""

    line: int = 0  # from 1
    row: int = 0  # of a table, from 1, as spreadsheets count: a row may have several lines
    cell: str = ""  # "C7" in a workbook; "7:C" in text, which has rows and columns alone
    part: str = ""  # file inside an archive
    number: int = 0  # of the question in the file, from 1


class Problem(Struct, frozen=True, kw_only=True):
    """One thing that is wrong, and how to mend it."""

    code: str
    place: Place = Place()
    text: str = ""  # offending text, at most TEXT_MAX characters
    values: dict[str, str] = {}  # what the sentence names
    question: int | None = None  # position in Reading.questions it belongs to, from 0
    block: str = ""  # the whole question as it stood; can be mended and read again
    mend_as: str = ""  # key of the format that reads ``block``

    @property
    def template(self) -> str:
        """The sentence before its values are filled in, for translation."""
        return SENTENCES[self.code]

    @property
    def sentence(self) -> str:
        """The whole sentence in English."""
        return self.template % self.values

    @property
    def is_note(self) -> bool:
        """Whether the question was read all the same."""
        return self.code in NOTES


def problem(code: str, place: Place | None = None, text: str = "", **values: str | int) -> Problem:
    """Return a problem of a known code; the offending text is shortened to fit."""
    template = SENTENCES[code]
    filled = {name: str(value) for name, value in values.items()}
    assert template % filled
    shown = text if len(text) <= TEXT_MAX else text[: TEXT_MAX - 1] + "…"
    return Problem(code=code, place=place or Place(), text=shown, values=filled)


class Refused(Exception):
    """Raised inside a reader when a file, or one question of it, cannot be read."""

    def __init__(self, code: str, place: Place | None = None, text: str = "", **values: str | int):
        super().__init__(code)
        self.problem = problem(code, place, text, **values)
