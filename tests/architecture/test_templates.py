"""What every template, stylesheet and script keeps (STYLE: templates and CSS).

Read as text: cheap, and true for pages that no test opens.
"""

from __future__ import annotations

import html
import re

import pytest

from tests.architecture.sources import place, static_files, templates

COMMENT = re.compile(r"\{%\s*comment.*?endcomment\s*%\}|\{#.*?#\}|<!--.*?-->", re.S)
TRANSLATED = re.compile(r"\{%\s*blocktrans(late)?\b.*?endblocktrans(late)?\s*%\}", re.S)
CLASSES = re.compile(r"\{%\s*block\s+(\w*class|surface|root)\s*%\}.*?\{%\s*endblock\b.*?%\}", re.S)
TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.S)
CODE = re.compile(r"<(script|style|code|kbd)\b[^>]*>.*?</\1>", re.S)
ELEMENT = re.compile(r"<[^>]*>", re.S)
SPOKEN = re.compile(r"\b(aria-label|aria-description|alt|title|placeholder)=\"([^\"]*)\"")
LETTERS = re.compile(r"(?<![/\w])[^\W\d_]{2,}")  # not of an address: /join
NAMES = ("Civic Table", "KFR 7WM")  # the same in every language; a class code as an example

INLINE = re.compile(
    r"\sstyle\s*=|<style\b|\son[a-z]+\s*=\s*[\"'{]|<script\b(?![^>]*\bsrc=)|javascript:"
)
INCLUDE = re.compile(r"\{%\s*include\s+(?P<what>\S+)(?P<rest>[^%]*)%\}")
IMAGE = re.compile(r"<img\b[^>]*>", re.S)
SVG = re.compile(r"<svg\b[^>]*>|</svg>", re.S)
SAID = re.compile(r"\brole=\"(img|presentation)\"|\baria-(hidden|label|labelledby)=")

PHYSICAL = re.compile(
    r"(?<![-\w])((margin|padding|border|scroll-margin|scroll-padding)-(left|right)(-\w+)?|left|right)"
    r"\s*:|text-align\s*:\s*(left|right)|float\s*:\s*(left|right)"
)
CSS_COMMENT = re.compile(r"/\*.*?\*/", re.S)
HEX = re.compile(r"(?<![\w&-])#[0-9a-fA-F]{3,8}\b(?=[^{}]*[;}])")
FOREIGN = re.compile(r"(?:src|href|action)=\"(?:https?:)?//|url\(\s*[\"']?(?:https?:)?//|@import")


@pytest.fixture(scope="module")
def pages():
    return [(path, path.read_text(encoding="utf-8")) for path in templates()]


@pytest.fixture(scope="module")
def sheets():
    return [(path, path.read_text(encoding="utf-8")) for path in static_files("css")]


def hits(pattern, files, *, without=None):
    """``file:line text`` of every match; ``without`` is blanked first, keeping lines."""
    return [
        f"{place(path, text, match.start())} {match.group().strip()}"
        for path, text in files
        for match in pattern.finditer(blank(without, text) if without else text)
    ]


def blank(pattern, text):
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def untranslated(text):
    """Words in the markup that no language but the source's would change."""
    for pattern in (COMMENT, TRANSLATED, CLASSES, TAG, CODE):
        text = blank(pattern, text)
    spoken = [match.group(2) for match in SPOKEN.finditer(text)]
    words = " ".join([html.unescape(blank(ELEMENT, text)), *spoken])
    for same in NAMES:
        words = words.replace(same, "")
    return LETTERS.findall(words)


def outer_svgs(text):
    """Opening tags of the SVGs that stand in no other."""
    depth = 0
    for match in SVG.finditer(text):
        if match.group() == "</svg>":
            depth -= 1
            continue
        if depth == 0:
            yield match.group()
        if not match.group().endswith("/>"):
            depth += 1


def test_no_style_or_script_stands_in_the_markup(pages):
    assert hits(INLINE, pages, without=COMMENT) == []


def test_nothing_is_fetched_from_elsewhere(pages, sheets):
    assert hits(FOREIGN, pages, without=COMMENT) == []
    assert hits(FOREIGN, sheets, without=CSS_COMMENT) == []


def test_all_words_are_translated(pages):
    found = {str(path): words for path, text in pages if (words := untranslated(text))}

    assert found == {}


def test_partials_say_what_they_need(pages):
    silent = [
        str(path)
        for path, text in pages
        if path.name.startswith("_") and not re.search(r"\{%\s*comment|\{#", text[:400])
    ]

    assert silent == []


def test_partials_are_included_with_only(pages):
    found = [
        f"{place(path, text, match.start())} {match.group('what')}"
        for path, text in pages
        for match in INCLUDE.finditer(text)
        if match.group("rest").split()[-1:] != ["only"]
    ]

    assert found == []


def test_pictures_have_words(pages):
    assert [hit for hit in hits(IMAGE, pages) if " alt=" not in hit] == []
    assert [
        f"{path} {svg}" for path, text in pages for svg in outer_svgs(text) if not SAID.search(svg)
    ] == []


def test_stylesheets_know_no_left_and_right(sheets):
    assert hits(PHYSICAL, sheets, without=CSS_COMMENT) == []


def test_nothing_is_important(sheets):
    assert hits(re.compile(r"!\s*important"), sheets, without=CSS_COMMENT) == []


def test_colours_come_from_the_tokens(sheets):
    others = [(path, text) for path, text in sheets if path.name != "tokens.css"]

    assert hits(HEX, others, without=CSS_COMMENT) == []


@pytest.mark.parametrize(
    "markup",
    [
        '<p style="color: red">',
        '<a onclick="x()">',
        "<script>x()</script>",
        '<script type="importmap">',
        '<a href="javascript:x()">',
    ],
)
def test_inline_style_and_script_are_found(markup):
    assert INLINE.search(markup)


@pytest.mark.parametrize(
    "markup",
    ['<script type="module" src="x.js"></script>', '<p data-on="x" class="style">', "one = two"],
)
def test_other_markup_is_not_inline(markup):
    assert not INLINE.search(markup)


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        ("<p>Roll</p>", ["Roll"]),
        ('<button aria-label="Close">{% symbol "x" %}</button>', ["Close"]),
        ('<p>{% translate "Roll" %} {{ name }} · 3 %</p>', []),
        ("{% blocktranslate %}Roll {{ n }}{% endblocktranslate %}", []),
        ("<p>{{ address }}/join <code>python3 civic.py</code></p>", []),
        ("{% block main_class %}wrap{% endblock %}{% block main %}Roll{% endblock %}", ["Roll"]),
        ("{# Roll #}<!-- Roll --><title>{{ t }} – Civic Table</title>", []),
    ],
)
def test_untranslated_words_are_found(markup, words):
    assert untranslated(markup) == words


def test_an_svg_inside_another_is_part_of_it():
    assert list(outer_svgs("<svg a><svg b/><svg c></svg></svg><svg d/><svg e></svg>")) == [
        "<svg a>",
        "<svg d/>",
        "<svg e>",
    ]


@pytest.mark.parametrize("rule", ["margin-left: 1px", "text-align: right", "left: 0", "float:left"])
def test_physical_sides_are_found(rule):
    assert PHYSICAL.search(f"a {{ {rule} }}")


@pytest.mark.parametrize("rule", ["margin-inline-start: 1px", "text-align: start", "--left: 0"])
def test_logical_sides_are_no_physical_ones(rule):
    assert not PHYSICAL.search(f"a {{ {rule} }}")
