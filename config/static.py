"""Static files under hashed names: a browser keeps them for ever and never has an old one."""

from __future__ import annotations

import hashlib
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.exceptions import MiddlewareNotUsed
from django.core.management import call_command
from servestatic.middleware import ServeStaticMiddleware
from servestatic.storage import CompressedManifestStaticFilesStorage

# How our modules name each other: ``from "./seats.js"`` and ``import("./told.js")``.
_IMPORT = (
    r'(?P<matched>(?P<before>\bfrom |\bimport\()"(?P<url>\.[^"]+)")',
    '%(before)s"%(url)s"',
)


class Storage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # comes without types
    """Hashed names, also in the ``import`` lines of our own modules.

    Only of ours: libraries contain comments that look like imports.
    """

    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("js/*.js", (_IMPORT,)))


class Files(ServeStaticMiddleware):  # type: ignore[misc]  # comes without types
    """Serves the files in the event loop; among what makes pages in a thread there is no need."""

    sync_capable = True

    def __init__(self, get_response: Any) -> None:
        if not iscoroutinefunction(get_response):
            raise MiddlewareNotUsed
        super().__init__(get_response)


def collect_changed() -> bool:
    """Collect the static files when any of them changed since the last time."""
    stamp = Path(settings.STATIC_ROOT).with_name("static.sha256")
    now = _fingerprint()
    if stamp.exists() and stamp.read_text(encoding="ascii") == now:
        return False
    earlier = _named_files()
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    for path, content in earlier.items():
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    stamp.write_text(now, encoding="ascii")
    return True


def _named_files() -> dict[Path, bytes]:
    """What pages of now ask for by its hashed name, packed or not.

    A page that is open while the program is updated loads some modules only when they
    are needed (case CC-13); it finds them until the update after that.
    """
    names = Storage().hashed_files.values()
    found = (Path(settings.STATIC_ROOT) / f"{name}{end}" for name in names for end in ("", ".gz"))
    return {path: path.read_bytes() for path in found if path.exists()}


def _fingerprint() -> str:
    """Of names, sizes and times of all source files: reading them all would cost a second."""
    seen = hashlib.sha256()
    for finder in get_finders():
        for name, storage in sorted(finder.list([]), key=lambda found: found[0]):
            status = Path(storage.path(name)).stat()
            seen.update(f"{name}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    return seen.hexdigest()
