"""Who imports whom, and how modules are named (docs/architecture.md)."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

import pytest
from importlinter.cli import lint_imports

from tests.architecture.sources import APPS, ROOT, imported, name, python_files, tree

VAGUE = {"utils", "util", "helpers", "helper", "common", "misc", "shared", "tools"}

PURE = (
    "games/engine",
    "games/rules",
    "games/bots",
    "quizzes/grading",
    "quizzes/formats",
)
PURE_MODULES = ("games/catalog.py", "games/deciding.py", "games/lineups.py", "games/position.py")
MAY_IMPORT = {"msgspec", "games", "quizzes"}
FORMATS_MAY_IMPORT = {"defusedxml", "openpyxl"}
WORLD = {  # the world outside: clocks, chance, files, network, processes
    *("time", "random", "secrets", "uuid"),
    *("os", "pathlib", "shutil", "tempfile", "glob", "socket", "urllib", "http", "ssl"),
    *("asyncio", "threading", "subprocess", "multiprocessing", "signal", "sqlite3", "logging"),
}
WORLD_ALLOWED = {
    "games/engine/chance.py": {"random", "secrets"},  # the one source of chance
}


def test_import_contracts_hold(capsys):
    result = lint_imports(config_filename=str(ROOT / "pyproject.toml"), cache_dir=None)

    assert result == 0, capsys.readouterr().out


def pure_files():
    modules = [path for module in PURE_MODULES if (path := ROOT / module).exists()]
    return [*python_files(*PURE), *modules]


def test_pure_code_imports_the_standard_library_and_msgspec_alone():
    foreign = []
    for path in pure_files():
        may = sys.stdlib_module_names | MAY_IMPORT
        if name(path).startswith("quizzes/formats/"):
            may = may | FORMATS_MAY_IMPORT
        foreign += [
            f"{name(path)}:{node.lineno} imports {module}"
            for node in ast.walk(tree(path))
            for module in imported(node)
            if module.partition(".")[0] not in may
        ]

    assert foreign == []


def test_pure_code_reads_no_clock_no_file_and_makes_no_chance():
    found = []
    for path in pure_files():
        allowed = WORLD_ALLOWED.get(name(path), set())
        for node in ast.walk(tree(path)):
            found += [
                f"{name(path)}:{node.lineno} imports {module}"
                for module in imported(node)
                if module.partition(".")[0] in WORLD - allowed
            ]
            match node:
                case ast.Call(func=ast.Name(id="open" | "print" | "input" as called)):
                    found.append(f"{name(path)}:{node.lineno} calls {called}")
                case ast.Call(func=ast.Attribute(attr="now" | "utcnow" | "today" as called)):
                    found.append(f"{name(path)}:{node.lineno} calls {called}")

    assert found == []


SERVES = "config/pages.py"  # in Django's place, so it has to say when a request starts


def test_nothing_happens_by_a_signal():
    found = [
        f"{name(path)}:{node.lineno} imports {module}"
        for path in python_files(*APPS)
        for node in ast.walk(tree(path))
        for module in imported(node)
        if module.startswith(("django.dispatch", "django.db.models.signals", "django.core.signals"))
        and name(path) != SERVES
    ]

    assert found == []


def inner_imports(node: ast.AST, path: str) -> Iterator[ast.stmt]:
    """Imports inside functions; ``ready`` of an app may register what it brings."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            if not (path.endswith("/apps.py") and child.name == "ready"):
                yield from (
                    inner
                    for inner in ast.walk(child)
                    if isinstance(inner, ast.Import | ast.ImportFrom)
                )
        else:
            yield from inner_imports(child, path)


def test_no_module_imports_inside_a_function():
    found = [
        f"{name(path)}:{node.lineno}"
        for path in python_files(*APPS)
        for node in inner_imports(tree(path), name(path))
    ]

    assert found == []


def test_inner_imports_are_found():
    source = """
def f():
    if x:
        import os


class C:
    def ready(self):
        import re
"""

    elsewhere = list(inner_imports(ast.parse(source), "games/models.py"))
    in_apps = list(inner_imports(ast.parse(source), "games/apps.py"))

    assert [node.lineno for node in elsewhere] == [4, 9]
    assert [node.lineno for node in in_apps] == [4]


@pytest.mark.parametrize("ending", ["py", "js", "css", "html"])
def test_modules_are_nouns_of_the_domain(ending):
    folders = (*APPS, "tests", "bench", "templates", "static")
    found = [
        name(path)
        for folder in folders
        for path in (ROOT / folder).rglob(f"*.{ending}")
        if "vendor" not in path.parts
        and VAGUE & {part.partition(".")[0].strip("_") for part in path.relative_to(ROOT).parts}
    ]

    assert found == []


def test_modules_say_why_they_exist():
    silent = [
        name(path)
        for path in python_files(*APPS)
        if path.name not in {"apps.py", "urls.py"}  # their names say it
        and tree(path).body
        and ast.get_docstring(tree(path)) is None
    ]

    assert silent == []
