"""Why an import is not taken in, or not saved."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from classroom.errors import DomainError
from quizzes.models import ImportDraft


class NothingSent(DomainError):
    """Neither a file nor a text."""

    code = "nothing_sent"
    message = _("Choose a file, or paste your questions.")


class TooManyFiles(DomainError):
    """More than one import takes."""

    code = "too_many_files"
    message = _("Choose at most 20 files at once.")


class FileTooLarge(DomainError):
    """More bytes than any reader would take."""

    code = "file_too_large"
    message = _("These files are larger than 100 MB. Split them, or bring them in one by one.")
    status = 413


class NothingToSave(DomainError):
    """No row is good."""

    code = "nothing_to_save"
    message = _("There is no question to save yet. Correct a row, or choose another file.")


class ImportChanged(DomainError):
    """Saved, given up or mended in another window since the page was loaded."""

    code = "import_changed"
    message = _("This import was changed in another window. Load the page again.")
    status = 409


class NotSaved(DomainError):
    """The worker has saved nothing, and says why."""

    code = "not_saved"
    message = _("Nothing was saved. Try again.")
    status = 409


class SameFile(DomainError):
    """Files went into this set before: what becomes of their questions must be said."""

    code = "same_file"
    message = _("You have brought in this file before. Say what is to happen.")
    status = 409

    def __init__(self, drafts: Sequence[ImportDraft]) -> None:
        super().__init__()
        self.drafts = drafts
