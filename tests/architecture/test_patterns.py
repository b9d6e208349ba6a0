"""Patterns and format strings are ours: nothing that somebody typed becomes one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.sources import APPS, name, python_files, tree

PATTERNS = {
    "compile",
    "search",
    "match",
    "fullmatch",
    "sub",
    "subn",
    "split",
    "findall",
    "finditer",
}
TRANSLATED = {"_", "gettext", "gettext_lazy", "ngettext"}

ALLOWED: dict[tuple[str, str], str] = {
    ("config/logs.py", ".format"): "the formatter of logging",
    ("quizzes/formats/ctdeck.py", ".format"): "indents JSON",
    ("games/management/commands/simulate.py", ".format"): "indents JSON",
    (
        "quizzes/formats/html_text.py",
        "re.compile",
    ): "the name of an element from a short list",
    ("quizzes/views/editor.py", ".format"): "one of two translated sentences",
    ("quizzes/views/imports.py", ".format"): "a translated sentence",
}  # (file, call): why it is safe there


def is_ours(node: ast.expr) -> bool:
    """A literal, a constant, text that was escaped, a translation, or put together from these."""
    match node:
        case ast.Constant() | ast.Call(func=ast.Attribute(attr="escape")):
            return True
        case ast.Name(id=named) | ast.Attribute(attr=named) if named != "pattern":
            return named.strip("_").isupper()
        case ast.Attribute(value=value) | ast.FormattedValue(value=value):
            return is_ours(value)
        case ast.BinOp(left=left, right=right):
            return is_ours(left) and is_ours(right)
        case ast.JoinedStr(values=values):
            return all(map(is_ours, values))
        case ast.Call(func=ast.Name(id=called), args=args) if called in TRANSLATED:
            return all(map(is_ours, args[:2] if called == "ngettext" else args))
        case _:
            return False


def strange(module: ast.AST) -> Iterator[tuple[int, str]]:
    """Lines with a pattern or a format string that is made of something else."""
    for node in ast.walk(module):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re"), attr=called), args=[pattern, *_]
            ) if called in PATTERNS and not is_ours(pattern):
                yield node.lineno, f"re.{called}"
            case ast.Call(func=ast.Attribute(value=text, attr="format")) if not is_ours(text):
                yield node.lineno, ".format"


def found_in_code() -> list[tuple[str, int, str]]:
    files = python_files(*APPS)
    return [(name(path), line, what) for path in files for line, what in strange(tree(path))]


def test_nothing_typed_becomes_a_pattern_or_a_format():
    found = [f"{path}:{line} {what}" for path, line, what in found_in_code()
             if (path, what) not in ALLOWED]  # fmt: skip

    assert found == []


def test_the_list_of_allowed_ones_holds_nothing_old():
    assert sorted(ALLOWED.keys() - {(path, what) for path, _, what in found_in_code()}) == []


@pytest.mark.parametrize(
    "source",
    [
        *("re.search(typed, text)", "re.compile(f'a{typed}b')", "re.sub(A + typed, '', text)"),
        *("typed.format(a=1)", "_(typed).format()", "(A + typed).format(b=2)"),
    ],
)
def test_what_was_typed_is_found(source):
    assert list(strange(ast.parse(source)))


@pytest.mark.parametrize(
    "source",
    [
        *(
            "re.search(r'a+', typed)",
            "re.compile(f'a{re.escape(typed)}b')",
            "re.sub(_A, '', typed)",
        ),
        *("'{a}'.format(a=typed)", "_('{a}').format(a=typed)", "ngettext('a', 'b', n).format()"),
    ],
)
def test_what_is_ours_is_left_alone(source):
    assert list(strange(ast.parse(source))) == []
