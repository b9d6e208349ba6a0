"""Whole matches, line by line as they were recorded and read beside the rule page."""

from __future__ import annotations

import pytest

from tests.rules.corruption.recording import FOLDER, WANTED, retold

FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_recorded_match_is_told_the_same_line_by_line(file):
    text = file.read_text(encoding="utf-8")

    assert retold(text) == text.splitlines()


def test_every_recorded_match_goes_on_to_its_victory():
    assert {file.stem for file in FILES} == set(WANTED)
    for file in FILES:
        assert file.read_text(encoding="utf-8").rstrip().endswith("wins")
