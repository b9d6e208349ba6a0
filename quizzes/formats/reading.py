"""What reading a file gives, and the ledger readers keep while they read.

Good questions are kept, each bad one becomes a problem, and a reading is never
silently empty: without questions it has at least one problem that is no note.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from msgspec import Struct
from msgspec.structs import replace

from quizzes.formats import encodings
from quizzes.formats.problems import Place, Problem, Refused, problem
from quizzes.formats.question import InvalidQuestion, Question

QUESTIONS_MAX = 5_000
PROBLEMS_MAX = 500
HIDDEN_MAX = 5_000  # problems counted beyond those shown
BLOCKS_MAX = QUESTIONS_MAX + PROBLEMS_MAX + HIDDEN_MAX  # looked at in one file
TEXT_FILE_MAX = 4 * 2**20
MIB = 2**20
_BREAKS = re.compile("\r\n|[\r\x0b\x0c]")  # word processors break lines and pages so


def unified(text: str) -> str:
    """Return the text of a file with one kind of line break."""
    return _BREAKS.sub("\n", text)


class Reading(Struct, frozen=True, kw_only=True):
    """The questions of a file, where each stood, and what was wrong."""

    questions: tuple[Question, ...] = ()
    places: tuple[Place, ...] = ()  # one a question
    problems: tuple[Problem, ...] = ()
    pictures: Mapping[str, bytes] = {}  # by reference; not yet looked into
    encoding: str = ""  # a key of encodings.CODECS; "" where the format settles it

    @property
    def refused(self) -> tuple[Problem, ...]:
        """The problems for which something was left out whole."""
        return tuple(found for found in self.problems if not found.is_note)


class Ledger:
    """Collects questions and problems in the order of the file."""

    def __init__(self) -> None:
        self.encoding = ""
        self.pictures: dict[str, bytes] = {}
        self._questions: list[Question] = []
        self._places: list[Place] = []
        self._problems: list[Problem] = []
        self._hidden = 0
        self._notes: list[Problem] | None = None
        self._place = Place()
        self._full = False

    @property
    def is_full(self) -> bool:
        """Whether reading on is pointless: enough questions, or far too many problems."""
        return self._full or self._hidden > HIDDEN_MAX

    def decode(self, data: bytes, encoding: str | None) -> str:
        """Return the text of the file; say so when the encoding was guessed."""
        if len(data) > TEXT_FILE_MAX:
            raise Refused("file.too-large", limit=f"{TEXT_FILE_MAX // MIB} MiB")
        decoded = encodings.decode(data, encoding)
        self.encoding = decoded.encoding
        if not decoded.certain:
            self.note("file.encoding-guessed", encoding=decoded.encoding)
        if not decoded.whole:
            self.note("file.letters-lost", encoding=decoded.encoding)
        return unified(decoded.text)

    def note(
        self, code: str, place: Place | None = None, text: str = "", **values: str | int
    ) -> None:
        """Record a problem beside the question being read, or of the file."""
        found = problem(code, place or self._place, text, **values)
        if self._notes is None:
            self._record(found)
        elif found not in self._notes:
            self._notes.append(found)

    def problem(self, code: str, place: Place, text: str = "", **values: str | int) -> None:
        """Record that something at the place was left out whole."""
        self._record(problem(code, place, text, **values))

    def keep(self, question: Question) -> None:
        """Take a question; the notes made since ``item`` opened belong to it."""
        if len(self._questions) >= QUESTIONS_MAX:
            if not self._full:
                self._full = True
                self._problems.append(problem("file.too-many", self._place, limit=QUESTIONS_MAX))
            self._notes = []
            return
        index = len(self._questions)
        self._questions.append(question)
        self._places.append(self._place)
        for found in self._notes or ():
            self._record(replace(found, question=index))
        self._notes = []

    @contextmanager
    def item(self, place: Place, block: str = "", mend_as: str = "") -> Iterator[None]:
        """Read one question: what is refused inside becomes a problem at its place."""
        self._place, self._notes = place, []
        try:
            yield
        except Refused as refused:
            found = refused.problem
            at = Place(
                line=found.place.line or place.line,
                row=found.place.row or place.row,
                cell=found.place.cell,
                part=found.place.part or place.part,
                number=place.number,
            )
            self._record(replace(found, place=at, block=block, mend_as=mend_as))
        except InvalidQuestion as invalid:
            found = problem(invalid.code, place, invalid.text or block, **invalid.values)
            self._record(replace(found, block=block, mend_as=mend_as))
        finally:
            self._place, self._notes = Place(), None

    @contextmanager
    def file(self) -> Iterator[None]:
        """Read a whole file: what is refused inside becomes a problem of the file."""
        try:
            yield
        except Refused as refused:
            self._record(refused.problem)

    def finish(self) -> Reading:
        """Return the reading; nothing found is itself a problem."""
        if not self._questions and all(found.is_note for found in self._problems):
            self._problems.append(problem("file.nothing-found"))
        if self._hidden:
            self._problems.append(problem("file.more-problems", count=self._hidden))
        return Reading(
            questions=tuple(self._questions),
            places=tuple(self._places),
            problems=tuple(self._problems),
            pictures=self.pictures,
            encoding=self.encoding,
        )

    def _record(self, found: Problem) -> None:
        if len(self._problems) < PROBLEMS_MAX:
            self._problems.append(found)
        else:
            self._hidden += 1
