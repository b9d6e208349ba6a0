"""Sessions in the database; a new id costs one transaction.

Django writes a session under a new id three times: as it is, without the old one, and once
more with the answer. Joining changes the id twice, and each commit waits for the disk.
"""

from __future__ import annotations

from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import VALID_KEY_CHARS, UpdateError
from django.db import OperationalError, router, transaction
from django.utils.crypto import get_random_string

KEY_LENGTH = 32


class SessionStore(db.SessionStore):
    """Django's, but the row under the new id is written, and the old one deleted, at the end."""

    _former: str | None = None  # id under which the session is still stored
    _renamed = False

    def cycle_key(self) -> None:
        """Give the session a new id; it holds from the next ``save``, until then the old one."""
        data = dict(self.items())
        if not self._renamed:
            self._former = self.session_key
        self._session_key = get_random_string(KEY_LENGTH, VALID_KEY_CHARS)
        self._session_cache = data
        self._renamed = self.modified = True

    def save(self, must_create: bool = False) -> None:
        """Store the session; under a new id as a new row in the place of the old one."""
        if not self._renamed:
            self._store(must_create)
            return
        with transaction.atomic(using=router.db_for_write(self.model)):
            super().save(must_create=True)
            if self._former is not None:
                self.model.objects.filter(session_key=self._former).delete()
        self._former, self._renamed = None, False

    def _store(self, must_create: bool) -> None:
        try:
            super().save(must_create)
        except UpdateError as gone:
            # Django takes every fault for a row that is gone, and the browser for one logged out.
            fault = gone.__context__
            if isinstance(fault, OperationalError):
                raise fault from fault.__cause__
            raise

    def flush(self) -> None:
        """Forget everything, also what is still stored under the old id."""
        if self._former is not None:
            self.delete(self._former)
            self._former = None
        self._renamed = False
        super().flush()
