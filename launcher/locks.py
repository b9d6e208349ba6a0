"""A lock that dies with its process, so that nothing starts twice.

The operating system holds it: after a crash there is no stale lock to remove.
"""

from __future__ import annotations

import os
from pathlib import Path


class Held(Exception):
    """Another process has the lock. ``note`` is what it left in the file."""

    def __init__(self, note: str) -> None:
        super().__init__(note)
        self.note = note


class FileLock:
    """An exclusive lock on a file, kept until ``release`` or the end of the process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._fd: int | None = None

    def acquire(
        self,
        note: str = "",
        *,
        wait: bool = False,
        keep_note: bool = False,
        shared: bool = False,
    ) -> None:
        """Take the lock and leave a note for others (``keep_note``: the one that is there).

        ``shared``: together with others who ask for that, against all who do not.

        Raises:
            Held: another process has it, and ``wait`` is not set.
        """
        fd = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(fd, wait=wait, shared=shared)
        except OSError:
            os.close(fd)
            note_of = self.path.with_suffix(".note")
            raise Held(note_of.read_text("utf-8").strip() if note_of.exists() else "") from None
        self._fd = fd
        if not keep_note:  # beside the lock, because Windows lets nobody read a locked file
            self.path.with_suffix(".note").write_text(note, encoding="utf-8")

    def pass_on(self) -> None:
        """Let the program that this process becomes keep the lock."""
        assert self._fd is not None
        os.set_inheritable(self._fd, True)

    def release(self) -> None:
        """Let it go; without effect when it is not held."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


if os.name == "nt":
    import msvcrt

    def _lock(fd: int, *, wait: bool, shared: bool) -> None:
        if shared:  # Windows' locks know no company; parts by themselves are for servers
            return
        mode = msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK  # type: ignore[attr-defined, unused-ignore]
        msvcrt.locking(fd, mode, 1)  # type: ignore[attr-defined, unused-ignore]

else:
    import fcntl

    def _lock(fd: int, *, wait: bool, shared: bool) -> None:
        kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        fcntl.flock(fd, kind if wait else kind | fcntl.LOCK_NB)
