"""What ``civic.py`` does: install, start, watch and look after one site.

Standard library only: it runs before anything is installed.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def version() -> str:
    """The version of the program, from ``pyproject.toml``."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])


class Stop(Exception):
    """Ends the program with one sentence that says what to do."""
