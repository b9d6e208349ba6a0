"""Bringing in questions: files are read, looked at, mended, and then saved all at once.

A file waits as an ``ImportDraft`` with its bytes below MEDIA_ROOT/imports. Nothing is
in the bank before ``save_import``, and there everything is, in one transaction: a short
one, since all rows are written beforehand where nobody sees them.
"""

from quizzes.services.imports.keeping import forget_imports, path_of
from quizzes.services.imports.origins import Again
from quizzes.services.imports.preview import give_up, leave_row, mend_row
from quizzes.services.imports.reading import JOB, Sent, read_again, read_all, start_import
from quizzes.services.imports.refusals import (
    FileTooLarge,
    ImportChanged,
    NothingSent,
    NothingToSave,
    NotSaved,
    SameFile,
    TooManyFiles,
)
from quizzes.services.imports.saving import (
    SAVING,
    Saved,
    save_all,
    save_import,
    save_or_start,
    take_saved,
)

__all__ = [
    "JOB",
    "SAVING",
    "Again",
    "FileTooLarge",
    "ImportChanged",
    "NotSaved",
    "NothingSent",
    "NothingToSave",
    "SameFile",
    "Saved",
    "Sent",
    "TooManyFiles",
    "forget_imports",
    "give_up",
    "leave_row",
    "mend_row",
    "path_of",
    "read_again",
    "read_all",
    "save_all",
    "save_import",
    "save_or_start",
    "start_import",
    "take_saved",
]
