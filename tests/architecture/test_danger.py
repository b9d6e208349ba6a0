"""Calls that have hurt others stand nowhere but in the list below (case SC-10, SC-07)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from tests.architecture.sources import (
    APPS,
    ROOT,
    name,
    place,
    python_files,
    static_files,
    templates,
    tree,
)

CALLS = {  # by the last part of the called name
    *("eval", "exec", "mark_safe", "SafeString", "csrf_exempt"),
    *("extractall", "unpack_archive", "RawSQL", "raw", "extra", "cursor", "executescript"),
    *("unsafe_load", "full_load", "load_all", "system", "popen"),
}
MODULES = {"pickle", "marshal", "shelve", "xml"}
YAML = {"yaml.load", "yaml.unsafe_load", "yaml.full_load"}

ALLOWED: dict[tuple[str, str], str] = {
    ("classroom/views/codes.py", "mark_safe"): "an SVG that segno draws of an address",
    ("config/backups.py", "cursor"): "VACUUM INTO a file named by the program",
    ("config/checks.py", "cursor"): "reads the live pragmas; no value of a request",
    ("config/management/commands/doctor.py", "cursor"): "reads live pragmas and the version",
    ("config/management/commands/prepare.py", "cursor"): "lets SQLite look through its pages",
    ("config/moving.py", "cursor"): "empties and numbers tables that the models name",
    ("config/views.py", "cursor"): "asks for the number 1",
    ("config/templatetags/interface.py", "mark_safe"): "JSON without a sign that ends an element",
    ("games/services/log.py", "cursor"): "the statements of the move path, with params",
    ("quizzes/services/inserts.py", "cursor"): "statements that Django makes, with params",
    ("quizzes/formats/xml_nodes.py", "xml.etree.ElementTree"): "a type; defusedxml parses",
    ("quizzes/formats/xml_nodes.py", "xml.sax.saxutils"): "writes escaped text; parses nothing",
}  # (file, call): why it is safe there

SCRIPT = re.compile(
    r"\.(inner|outer)HTML\b|insertAdjacentHTML|document\.write|\beval\(|new Function\("
    r"|unsafe(HTML|SVG|Static)|\.setAttribute\(\s*[\"'](on|style)|\.srcdoc\b|setTimeout\(\s*[\"']"
)
TEMPLATE = re.compile(r"\|\s*safe(seq)?\b|\{%\s*autoescape\s+off")


def dotted(node: ast.expr) -> str:
    match node:
        case ast.Name(id=id):
            return id
        case ast.Attribute(value=value, attr=attr):
            return f"{dotted(value)}.{attr}"
        case _:
            return "?"


def dangers(module: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and name of every dangerous call, decorator and import."""
    for node in ast.walk(module):
        match node:
            case ast.Call(func=func, keywords=keywords):
                called = dotted(func)
                if called in YAML or called.rpartition(".")[2] in CALLS:
                    yield node.lineno, called.rpartition(".")[2]
                for keyword in keywords:
                    if keyword.arg == "shell" and not is_false(keyword.value):
                        yield node.lineno, "shell=True"
            case ast.Import(names=names):
                for alias in names:
                    if alias.name.partition(".")[0] in MODULES:
                        yield node.lineno, alias.name
            case ast.ImportFrom(module=str(source), names=names):
                if source.partition(".")[0] in MODULES:
                    yield node.lineno, source
            case (
                ast.FunctionDef(decorator_list=decorators) | ast.ClassDef(decorator_list=decorators)
            ):
                for decorator in decorators:
                    if dotted(decorator).rpartition(".")[2] in CALLS:
                        yield decorator.lineno, dotted(decorator).rpartition(".")[2]


def is_false(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is False


@cache
def found_in_code():
    files = [*python_files(*APPS), ROOT / "civic.py", ROOT / "manage.py"]
    return [
        (name(path), line, danger)
        for path in files
        if path.exists()
        for line, danger in dangers(tree(path))
    ]


@pytest.mark.case("SC-10", "SC-07")
def test_dangerous_calls_stand_only_where_they_are_allowed():
    found = [
        f"{path}:{line} {danger}"
        for path, line, danger in found_in_code()
        if (path, danger) not in ALLOWED
    ]

    assert found == []


def test_the_list_of_allowed_calls_holds_nothing_old():
    found = {(path, danger) for path, _, danger in found_in_code()}

    assert sorted(ALLOWED.keys() - found) == []


@pytest.mark.parametrize(
    "source",
    [
        "eval('1')",
        "mark_safe(x)",
        "html.mark_safe(x)",
        "yaml.load(f)",
        "import pickle",
        "from pickle import loads",
        "run(x, shell=True)",
        "Match.objects.raw(q)",
        "connection.cursor()",
        "@csrf_exempt\ndef view(): pass",
        "z.extractall()",
    ],
)
def test_dangers_in_code_are_found(source):
    assert len(list(dangers(ast.parse(source)))) == 1


def test_harmless_calls_are_no_dangers():
    source = "yaml.safe_load(f)\nrun(x, shell=False)\nformat_html(x)\nmsgspec.json.decode(x)\n"

    assert list(dangers(ast.parse(source))) == []


@pytest.mark.case("SC-10")
def test_no_script_writes_markup():
    found = [
        f"{place(path, text, match.start())} {match.group()}"
        for path in static_files("js")
        for text in [path.read_text(encoding="utf-8")]
        for match in SCRIPT.finditer(text)
    ]

    assert found == []


@pytest.mark.case("SC-10")
def test_no_template_turns_escaping_off():
    found = [
        f"{place(path, text, match.start())} {match.group()}"
        for path in templates()
        for text in [path.read_text(encoding="utf-8")]
        for match in TEMPLATE.finditer(text)
    ]

    assert found == []


@pytest.mark.parametrize(
    "script",
    ["a.innerHTML = b", "x.insertAdjacentHTML('a', b)", "eval(x)", "unsafeHTML(x)"],
)
def test_dangers_in_scripts_are_found(script):
    assert SCRIPT.search(script)


@pytest.mark.parametrize("markup", ["{{ x|safe }}", "{{ x | safe }}", "{% autoescape off %}"])
def test_dangers_in_templates_are_found(markup):
    assert TEMPLATE.search(markup)
