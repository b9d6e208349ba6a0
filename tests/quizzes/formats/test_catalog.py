"""The list of formats, and reading without being told the format."""

from pathlib import Path

import pytest

from quizzes.formats import catalog
from quizzes.formats.carries import ALL_FIELDS, ALL_KINDS
from quizzes.formats.problems import NOTES, SENTENCES
from tests.quizzes.formats.samples import SAMPLES

CORPUS = Path(__file__).parent / "corpus"


@pytest.mark.parametrize("key", catalog.FORMATS)
def test_format_is_found_from_the_content_alone(key):
    written = catalog.FORMATS[key].write(SAMPLES)

    assert catalog.detect(written) == key
    assert catalog.read(written) == catalog.read(written, key=key)


@pytest.mark.parametrize("key", catalog.FORMATS)
def test_table_of_what_is_carried_uses_known_words(key):
    table = catalog.FORMATS[key].carries

    assert table.kinds
    assert table.kinds <= ALL_KINDS
    assert table.fields <= ALL_FIELDS


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"", "file.empty"), (b" \r\n\t", "file.empty"), (b"\x7fELF", "file.unknown-format")],
)
def test_files_that_are_none_of_ours_are_answered(data, code):
    reading = catalog.read(data)

    assert (reading.questions, [p.code for p in reading.problems]) == ((), [code])


def test_document_with_a_heading_is_plain_text_whatever_a_line_in_it_resembles():
    document = (CORPUS / "text" / "teachers_document.txt").read_bytes()

    assert catalog.detect(document) == "text"


def test_notes_are_known_codes():
    assert set(SENTENCES) > NOTES
