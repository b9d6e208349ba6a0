"""Keeps, beside SQLite's files, what of them is on the disk for certain.

A program that ended leaves all it wrote to the system; a cut of power takes along what
was not forced to the disk. So each time SQLite has forced one of its files
(``fdatasync``), the file as it is then is copied into the folder that
``CIVIC_ON_DISK`` names: the copies are the worst that a cut of power can leave.

SQLite lets its calls to the system be exchanged. This puts a function of ours between
it and ``xSync`` of the files that it opens as database or as log.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import shutil
from pathlib import Path
from typing import Any

SQLITE_OPEN_MAIN_DB = 0x00000100
SQLITE_OPEN_WAL = 0x00080000

SYNC = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)
# The name of the file is an address, not a ``c_char_p``: SQLite goes on reading it where it is.
OPEN = ctypes.CFUNCTYPE(
    *(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int),
    ctypes.POINTER(ctypes.c_int),
)


class Methods(ctypes.Structure):
    """``sqlite3_io_methods``, version 3."""

    _fields_ = [
        ("version", ctypes.c_int),
        *((name, ctypes.c_void_p) for name in ("close", "read", "write", "truncate")),
        ("sync", SYNC),
        *((f"other_{number}", ctypes.c_void_p) for number in range(13)),
    ]


class System(ctypes.Structure):
    """The beginning of ``sqlite3_vfs``."""

    _fields_ = [
        *((name, ctypes.c_int) for name in ("version", "file_bytes", "longest_path")),
        *((name, ctypes.c_void_p) for name in ("next", "name", "data")),
        ("open", OPEN),
    ]


class File(ctypes.Structure):
    """The beginning of ``sqlite3_file``."""

    _fields_ = [("methods", ctypes.POINTER(Methods))]


class Copies:
    """What is on the disk, in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._paths: dict[int, Path] = {}  # by the address of SQLite's file
        self._kept: list[object] = []  # functions that SQLite holds, and nobody else
        self._tables: dict[int, Methods] = {}  # by the address of the table they stand for
        system = ctypes.CDLL("libsqlite3.so.0").sqlite3_vfs_find
        system.restype = ctypes.POINTER(System)
        self._system = system(None)[0]
        self._open = OPEN(ctypes.cast(self._system.open, ctypes.c_void_p).value)
        self._system.open = opened = OPEN(self._opened)
        self._kept.append(opened)

    def _opened(self, vfs: int, name: int | None, file: int, flags: int, told: Any) -> int:
        code = int(self._open(vfs, name, file, flags, told))
        if code == 0 and name and flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL):
            methods = ctypes.cast(file, ctypes.POINTER(File))[0]
            self._paths[file] = path = Path(os.fsdecode(ctypes.string_at(name)))
            if not (self._folder / path.name).exists():  # what was there before counts
                self._copy(path)
            methods.methods = ctypes.pointer(self._with_copies(methods.methods))
        return code

    def _with_copies(self, table: Any) -> Methods:
        at = ctypes.addressof(table[0])
        if at not in self._tables:
            ours = Methods.from_buffer_copy(table[0])
            force = SYNC(ctypes.cast(table[0].sync, ctypes.c_void_p).value)

            def forced(file: int, how: int) -> int:
                code = int(force(file, how))
                if code == 0:
                    self._copy(self._paths[file])
                return code

            ours.sync = SYNC(forced)
            self._kept.append(ours.sync)
            self._tables[at] = ours
        return self._tables[at]

    def _copy(self, path: Path) -> None:
        """Whole or not at all, and by one process at a time."""
        with (self._folder / "lock").open("a") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)
            half = self._folder / "half"
            shutil.copyfile(path, half)
            half.replace(self._folder / path.name)


def keep(folder: Path) -> Copies:
    """From now on, for all that this process opens."""
    return Copies(folder)
