"""Sentences of problems: each is used, each can be filled in."""

import re
from pathlib import Path

import quizzes.formats
from quizzes.formats.problems import NOTES, SENTENCES, TEXT_MAX, Place, problem

FOLDER = Path(quizzes.formats.__file__).parent
READERS = ("entries.py", "import_rows.py", "services/imports/reading.py")  # beside the formats
SOURCES = [
    path.read_text()
    for path in (*FOLDER.glob("*.py"), *(FOLDER.parent / name for name in READERS))
    if path.name != "problems.py"
]
CODE = re.compile(r'"((?:file|archive|picture|xml|json|deck|question|note|table|workbook|text'
                  r'|gift|aiken|write)\.[a-z-]+)"')  # fmt: skip


def test_codes_in_the_code_are_those_with_a_sentence():
    used = {code for source in SOURCES for code in CODE.findall(source)}

    assert used - {"deck.json"} == set(SENTENCES)


def test_sentences_are_whole_and_say_what_to_do():
    for code, sentence in SENTENCES.items():
        assert re.fullmatch(r"[A-Z“%].*[.}]", sentence, re.DOTALL), code


def test_offending_text_is_shortened_and_kept_apart_from_the_sentence():
    found = problem("question.no-right", Place(line=3), "%(x)s" * 100)

    assert len(found.text) == TEXT_MAX
    assert found.sentence == SENTENCES["question.no-right"]


def test_notes_are_told_from_what_was_left_out():
    assert problem("note.links").is_note
    assert not problem("question.no-text").is_note
    assert set(SENTENCES) > NOTES
