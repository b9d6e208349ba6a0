"""The files of the project that the checks of this folder read."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
APPS = ("config", "classroom", "quizzes", "games")


def python_files(*folders: str) -> list[Path]:
    """Modules written by hand below these folders."""
    return [
        path
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*.py"))
        if "migrations" not in path.parts
    ]


def templates() -> list[Path]:
    return sorted((ROOT / "templates").rglob("*.html"))


def static_files(ending: str) -> list[Path]:
    """Files of our own below static/, without what others wrote."""
    return [
        path
        for path in sorted((ROOT / "static").rglob(f"*.{ending}"))
        if "vendor" not in path.parts
    ]


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def name(path: Path) -> str:
    """The path as it is written in a message."""
    return path.relative_to(ROOT).as_posix()


def imported(node: ast.AST) -> Iterator[str]:
    """Full names of the modules that an import statement names; nothing for other nodes."""
    match node:
        case ast.Import(names=names):
            yield from (alias.name for alias in names)
        case ast.ImportFrom(module=str(module), level=0):
            yield module


def place(path: Path, text: str, position: int) -> str:
    """``path:line`` of a position in the text of a file."""
    return f"{name(path)}:{text.count(chr(10), 0, position) + 1}"
