"""The one rule for texts."""

import re
import time

import pytest
from hypothesis import given, settings

from quizzes.formats.html_text import from_html
from quizzes.formats.text import (
    Code,
    Emphasis,
    Plain,
    Quoted,
    Strong,
    escape_marks,
    is_sound,
    maths,
    parse,
    shown,
    source,
    tidy,
    to_html,
)
from tests.quizzes.formats.strategies import texts


@given(texts())
def test_parts_put_together_are_the_text(text):
    assert source(parse(text)) == text


@settings(max_examples=500)
@given(texts())
def test_html_and_back_is_byte_for_byte(text):
    assert from_html(to_html(text)).text == text


@given(texts())
def test_escaped_text_shows_its_characters(text):
    assert shown(parse(escape_marks(text))) == (Plain(text),)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a **b** c", (Plain("a "), Strong((Plain("b"),)), Plain(" c"))),
        ("*a* `b*`", (Emphasis((Plain("a"),)), Plain(" "), Code("b*"))),
        ("***a***", (Strong((Emphasis((Plain("a"),)),)),)),
        (r"\*a*", (Quoted("*"), Plain("a*"))),
        ("2*3*4", (Plain("2*3*4"),)),
        ("2 * 3 * 4", (Plain("2 * 3 * 4"),)),
        ("**a\nb**", (Plain("**a\nb**"),)),
        (r"\(a*b*c\) \n [x] <b>", (Plain(r"\(a*b*c\) \n [x] <b>"),)),
        (r"$$ *a* $$", (Plain(r"$$ *a* $$"),)),
        ("``", (Plain("``"),)),
    ],
)
def test_marks(text, parts):
    assert parse(text) == parts


def test_html_of_a_text_is_safe():
    assert to_html("<script> & \"'\n**b**  x") == (
        "&lt;script&gt; &amp; &quot;'<br /><strong>b</strong> <span> </span>x"
    )


ELEMENTS = {"<br />"} | {
    f"<{slash}{name}>" for name in ("strong", "em", "code", "span") for slash in ("", "/")
}


@given(texts())
def test_html_of_any_text_holds_only_our_elements(text):
    markup = to_html(text)

    assert set(re.findall(r"<[^>]*>?", markup)) <= ELEMENTS
    assert set(re.findall(r"&[^;]*;?", markup)) <= {"&lt;", "&gt;", "&amp;", "&quot;"}


def test_tidy_makes_foreign_text_sound():
    assert tidy("\ufeff a\r\nb\rc\x00\x07 ") == "a\nb\nc"
    assert is_sound("a\n b\t\\") is True
    assert is_sound("a\r\nb") is False
    assert is_sound(" a") is False


@pytest.mark.case("WS-20", "UP-10")
@pytest.mark.parametrize("override", ["\u202d", "\u202e"])
def test_overrides_of_direction_are_dropped_and_marks_of_direction_kept(override):
    text = f"{override}four\u200f أربعة \u2067five\u2069"

    assert tidy(text) == text.removeprefix(override)
    assert not is_sound(text)
    assert is_sound(tidy(text))


@pytest.mark.case("UP-14")
@pytest.mark.parametrize("part", ["*a ", "**a ", "`a ", "\\(a", "\\[a", "$$a", "*", "$"])
def test_marks_that_are_never_closed_cost_no_time(part):
    text = part * (20_000 // len(part))
    began = time.process_time()

    to_html(text)
    list(maths(text))

    assert time.process_time() - began < 1  # with the square of its length: 50 seconds


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (r"\(a\) and \(b", [r"\(a\)"]),
        (r"\[a\(b\]c\)", [r"\[a\(b\]"]),
        (r"\(\)\)", [r"\(\)\)"]),
        ("$$a$$b$$c$$", ["$$a$$", "$$c$$"]),
        ("\\(a\nb\\)", ["\\(a\nb\\)"]),
    ],
)
def test_pieces_of_latex_are_found(text, found):
    assert [text[start:end] for start, end in maths(text)] == found
