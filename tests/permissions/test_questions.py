"""Students never reach the bank; the matrix proves that each line is as it is declared."""

from __future__ import annotations

import pytest

from tests.permissions.tables import editor, imports, questions

LINES = (*questions.LINES, *imports.LINES, *editor.LINES)


@pytest.mark.case("HD-05")
@pytest.mark.parametrize("line", LINES, ids=str)
def test_no_page_of_the_bank_is_declared_open_to_students(line):
    assert {role: line.expect[role] for role in questions.STUDENTS} == questions.STUDENTS
