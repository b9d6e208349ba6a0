"""Texts as safe HTML, and questions as students see them."""

import html
import re

import pytest
from hypothesis import given

from quizzes.entries import Choice, Couple, Entries, entries_of
from quizzes.formats.html_text import from_html
from quizzes.formats.text import Code, Emphasis, Strong, parse, shown as looks
from quizzes.rendering import as_html, mixed, shown
from tests.quizzes.formats.strategies import questions, texts

TAG = re.compile(r"<[^>]*>")
ALLOWED = {"<br>", "<strong>", "</strong>", "<em>", "</em>", "<code>", "</code>",
           '<bdi class="math" dir="ltr">', "</bdi>"}  # fmt: skip


def letters(parts):
    return "".join(
        letters(part.parts) if isinstance(part, Strong | Emphasis) else part.text for part in parts
    )


@given(texts())
def test_only_the_marks_of_the_rule_become_elements(text):
    assert set(TAG.findall(as_html(text))) <= ALLOWED


@given(texts())
def test_every_character_is_shown(text):
    bare = TAG.sub("", as_html(text).replace("<br>", "\n"))

    assert html.unescape(bare) == letters(looks(parse(text)))


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("a & \"b\" 'c'", "a &amp; &quot;b&quot; &#x27;c&#x27;"),
        ("**bold** and *slanted*", "<strong>bold</strong> and <em>slanted</em>"),
        ("`<b>`", "<code>&lt;b&gt;</code>"),
        ("one\ntwo\n\nthree", "one<br>two<br><br>three"),
        (r"2 \* 3", "2 * 3"),
        (r"\(a*b*c\)", r'<bdi class="math" dir="ltr">\(a*b*c\)</bdi>'),
        (r"so $$x < y$$.", 'so <bdi class="math" dir="ltr">$$x &lt; y$$</bdi>.'),
        ("[x](javascript:alert(1)) # no ![p](q)", "[x](javascript:alert(1)) # no ![p](q)"),
        ("", ""),
    ],
)
def test_a_text_is_shown_by_the_rule(text, markup):
    assert as_html(text) == markup


@given(texts())
def test_two_renderers_agree_on_what_is_marked(text):
    """What we show reads back as what the exports write."""
    kept = from_html(as_html(text).replace("<br>", "<br />")).text

    assert [type(p) for p in looks(parse(kept)) if isinstance(p, Strong | Emphasis | Code)] == [
        type(p) for p in looks(parse(text)) if isinstance(p, Strong | Emphasis | Code)
    ]


@given(questions())
def test_every_question_can_be_shown(question):
    seen = shown(entries_of(question))

    assert seen.stem == as_html(question.stem)
    assert seen.why == as_html(question.explanation)


@pytest.mark.parametrize("kind", ["single", "several", "matching", "ordering", "numeric", "short"])
def test_what_is_not_typed_yet_is_left_out(kind):
    seen = shown(Entries(kind=kind, choices=(Choice(" "),), pairs=(Couple(),), items=("",)))

    assert (seen.options, seen.lefts, seen.answer) == ((), (), ())


def test_choices_have_letters_and_the_right_one_is_known():
    seen = shown(
        Entries(kind="single", choices=(Choice("red"), Choice(""), Choice("green", right=True)))
    )

    assert [(option.letter, option.html, option.right) for option in seen.options] == [
        ("a", "red", False),
        ("b", "green", True),
    ]


def test_the_order_of_items_does_not_tell_the_answer():
    seen = shown(Entries(kind="ordering", items=("first", "second", "third")))

    assert [option.html for option in seen.options] == ["second", "third", "first"]
    assert seen.answer == ("first", "second", "third")


def test_sides_to_choose_from_are_mixed_and_each_there_once():
    seen = shown(
        Entries(
            kind="matching",
            pairs=(Couple("Prague", "Czechia"), Couple("Brno", "Czechia"), Couple("Oslo", "")),
            distractors=("Austria",),
        )
    )

    assert seen.lefts == ("Prague", "Brno", "Oslo")
    assert [option.html for option in seen.options] == ["Austria", "Czechia"]
    assert seen.answer == ("Prague – Czechia", "Brno – Czechia")


def test_accepted_answers_are_plain_text():
    seen = shown(Entries(kind="short", accepted=("*a* <b>", "")))

    assert seen.answer == ("*a* &lt;b&gt;",)


def test_a_number_is_told_with_its_tolerance():
    assert shown(Entries(kind="numeric", number="3.5", tolerance="0.1")).answer == ("3.5 ± 0.1",)


@pytest.mark.parametrize(
    ("texts", "order"),
    [((), []), (("a",), ["a"]), (("b", "a"), ["a", "b"]), (("a", "b"), ["b", "a"])],
)
def test_mixed_never_is_the_order_given(texts, order):
    assert mixed(texts) == order


@pytest.mark.parametrize(
    ("text", "way"),
    [("Who?", "ltr"), ("1. من؟", "rtl"), ("מי?", "rtl"), ("2 + 2 = ?", "auto"), ("", "auto")],
)
def test_a_sheet_runs_as_its_first_letter_does(text, way):
    assert shown(Entries(kind="single", stem=text)).direction == way


@pytest.mark.parametrize(("truth", "holds"), [("true", True), ("false", False), ("", None)])
def test_a_statement_holds_or_not_or_nobody_has_said(truth, holds):
    assert shown(Entries(kind="true-false", truth=truth)).holds is holds
