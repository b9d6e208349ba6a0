"""Static files under hashed names: a browser keeps them for ever and never has an old one."""

from __future__ import annotations

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from servestatic.storage import CompressedManifestStaticFilesStorage

_IMPORTS = CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]


class Storage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # comes without types
    """Hashed names, also in the ``import`` lines of our own modules.

    Only of ours: libraries contain comments that look like imports.
    """

    support_js_module_import_aggregation = True
    _js_module_import_aggregation_patterns = ("js/*.js", _IMPORTS)


def collect_changed() -> bool:
    """Collect the static files when any of them changed since the last time."""
    stamp = Path(settings.STATIC_ROOT).with_name("static.sha256")
    now = _fingerprint()
    if stamp.exists() and stamp.read_text(encoding="ascii") == now:
        return False
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(now, encoding="ascii")
    return True


def _fingerprint() -> str:
    """Of names, sizes and times of all source files: reading them all would cost a second."""
    seen = hashlib.sha256()
    for finder in get_finders():
        for name, storage in sorted(finder.list([]), key=lambda found: found[0]):
            status = Path(storage.path(name)).stat()
            seen.update(f"{name}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    return seen.hexdigest()
