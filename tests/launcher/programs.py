"""Running the launcher to its end."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence

from tests.site import ROOT


def civic(
    *words: str, env: dict[str, str] | None = None, by: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    """Run ``civic.py`` to its end, with nothing of this run's own settings.

    ``by``: the words of a program that starts it.
    """
    clean = {key: value for key, value in os.environ.items() if not key.startswith("CIVIC_")}
    clean.pop("DJANGO_SETTINGS_MODULE", None)
    return subprocess.run(
        [*by, "python3", "civic.py", *words],
        cwd=ROOT,
        env={**clean, **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
