"""Do the tests notice? Changes the rules of a game one place at a time and runs their tests.

    python -m bench.mutants --limit 40 --seed 1

Each mutant is a copy of the project with one change in ``games/rules/<game>``: a
comparison turned, an arithmetic or logical operator swapped, a constant moved by
one, a condition negated, a result dropped, a call left out. A mutant that the
rule tests do not notice survives. Prints a line for each on stderr and one JSON
object with the survivors; docs/rules/corruption-quality.md explains those.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
SILENT = ("texts.py", "options.py", "game.py", "events.py", "moves.py", "refusals.py")
FIRST_TESTS = ("test_scenarios.py",)  # most mutants end here
LAST_TESTS = ("test_content.py", "test_properties.py", "test_texts.py")  # these take longest
LEFT_OUT_TESTS = ("test_docs.py",)  # reads the tests, not the rules
CONFTEST = """import hypothesis
RELEASE = False
hypothesis.settings.register_profile("few", deadline=None, max_examples=10, derandomize=True)
hypothesis.settings.load_profile("few")
"""

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
CALCULATED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
}


class Mutant(NamedTuple):
    """One change: the line, what it was and what it becomes, and the whole file changed."""

    file: Path
    line: int
    kind: str
    before: str
    after: str
    source: str


def mutants_of(file: Path) -> Iterator[Mutant]:
    """Every mutant of a module, in the order of its code."""
    module = ast.parse(file.read_text(encoding="utf-8"))
    for number, node in enumerate(list(changeable(module))):
        for kind, changed in changes(node):
            again = copy.deepcopy(module)
            target = list(changeable(again))[number]
            _replace(again, target, changed)
            yield Mutant(
                file=file.relative_to(ROOT),
                line=node.lineno,
                kind=kind,
                before=_words(node),
                after=_words(changed),
                source=ast.unparse(ast.fix_missing_locations(again)) + "\n",
            )


def _words(node: ast.AST) -> str:
    """The changed code in one line; of a branch its condition."""
    shown = node.test if isinstance(node, ast.If) else node
    return " ".join(ast.unparse(shown).split())


def changeable(module: ast.Module) -> Iterator[Any]:
    """Expressions and statements inside functions, without annotations, docs and assertions.

    What ``assert_never`` guards cannot be reached, so leaving it out changes nothing.
    """
    for function in ast.walk(module):
        if isinstance(function, ast.FunctionDef):
            for statement in function.body:
                yield from _inside(statement)


def _inside(node: ast.AST) -> Iterator[Any]:
    match node:
        case ast.Assert() | ast.Raise() | ast.FunctionDef():
            return
        case ast.Expr(value=ast.Constant() | ast.Call(func=ast.Name(id="assert_never"))):
            return
        case ast.AnnAssign(value=value):
            if value is not None:
                yield from _inside(value)
            return
    if isinstance(node, ast.expr | ast.stmt):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _inside(child)


def changes(node: ast.AST) -> Iterator[tuple[str, Any]]:
    match node:
        case ast.Compare(ops=[op, *rest]) if type(op) in COMPARED:
            changed = copy.deepcopy(node)
            changed.ops = [COMPARED[type(op)](), *rest]
            yield "comparison", changed
        case ast.BinOp(op=op) if type(op) in CALCULATED:
            changed = copy.deepcopy(node)
            changed.op = CALCULATED[type(op)]()
            yield "arithmetic", changed
        case ast.BoolOp(op=op):
            changed = copy.deepcopy(node)
            changed.op = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield "logic", changed
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "logic", copy.deepcopy(operand)
        case ast.Constant(value=bool(value)):
            yield "constant", ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield "constant", ast.Constant(value + 1)
        case ast.If(test=test) | ast.IfExp(test=test):
            changed = copy.deepcopy(node)
            changed.test = ast.UnaryOp(ast.Not(), copy.deepcopy(test))
            yield "condition", changed
        case ast.Return(value=value) if value is not None and not isinstance(value, ast.Constant):
            yield "return", ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call()):
            yield "call left out", ast.Pass()


def _replace(module: ast.Module, target: ast.AST, changed: ast.AST) -> None:
    ast.copy_location(changed, target)
    for parent in ast.walk(module):
        for field, value in ast.iter_fields(parent):
            if value is target:
                setattr(parent, field, changed)
                return
            if isinstance(value, list) and any(each is target for each in value):
                value[[each is target for each in value].index(True)] = changed
                return
    raise LookupError(ast.unparse(target))


class Copy:
    """A copy of what the rule tests need, to be changed file by file."""

    def __init__(self, folder: Path, game: str) -> None:
        self.folder = folder
        for part in ("games", "tests", "docs/rules"):
            shutil.copytree(
                ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__")
            )
        (folder / "tests" / "conftest.py").write_text(CONFTEST, encoding="utf-8")
        (folder / "pytest.ini").write_text(
            "[pytest]\nmarkers =\n  rule(*ids): rules\n  case(*ids): cases\n", encoding="utf-8"
        )
        tests = f"tests/rules/{game}"
        names = sorted(path.name for path in (folder / tests).glob("test_*.py"))
        names.sort(key=lambda name: (name not in FIRST_TESTS, name in LAST_TESTS))
        self.tests = [f"{tests}/{name}" for name in names if name not in LEFT_OUT_TESTS]

    def noticed(self, timeout_s: float) -> bool:
        """Whether the tests fail, or do not end in time."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
        command += ["-p", "no:django", "-p", "no:xdist", *self.tests]
        process = subprocess.Popen(
            command,
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
            start_new_session=True,
        )
        try:
            return process.wait(timeout_s) != 0
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return True


def run(game: str, limit: int, seed: int, timeout_s: float, only: str | None) -> dict[str, Any]:
    """Try up to ``limit`` mutants, drawn evenly from all."""
    rules = ROOT / "games" / "rules" / game
    files = [
        path
        for path in sorted(rules.glob("*.py"))
        if path.name not in SILENT and (only is None or path.name == only)
    ]
    everything = [mutant for file in files for mutant in mutants_of(file)]
    drawn = random.Random(seed).sample(everything, min(limit, len(everything)))
    survivors, kinds = [], dict[str, list[int]]()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        place = Copy(Path(folder), game)
        if place.noticed(timeout_s):
            raise SystemExit("The tests fail before anything is changed.")
        for number, mutant in enumerate(drawn, start=1):
            target = place.folder / mutant.file
            original = target.read_text(encoding="utf-8")
            target.write_text(mutant.source, encoding="utf-8")
            noticed = place.noticed(timeout_s)
            target.write_text(original, encoding="utf-8")
            tried = kinds.setdefault(mutant.kind, [0, 0])
            tried[0] += 1
            tried[1] += not noticed
            words = f"{mutant.file}:{mutant.line} {mutant.kind}: {mutant.before} -> {mutant.after}"
            print(
                f"{number}/{len(drawn)} {'noticed ' if noticed else 'SURVIVED'} {words}",
                file=sys.stderr,
            )
            if not noticed:
                survivors.append(words)
    return {
        "game": game,
        "mutants": len(everything),
        "tried": len(drawn),
        "seed": seed,
        "noticed": len(drawn) - len(survivors),
        "survivors": survivors,
        "by_kind": {kind: {"tried": a, "survived": b} for kind, (a, b) in sorted(kinds.items())},
        "seconds": round(time.monotonic() - began),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Change the rules and see whether tests notice.")
    parser.add_argument("game", nargs="?", default="corruption")
    parser.add_argument("--limit", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=120, help="seconds for one mutant")
    parser.add_argument("--only", help="one module: paying.py")
    given = parser.parse_args()
    print(json.dumps(run(given.game, given.limit, given.seed, given.timeout, given.only), indent=1))


if __name__ == "__main__":
    main()
