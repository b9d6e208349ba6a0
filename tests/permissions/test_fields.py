"""What a student's pages never contain, whichever of them it is (case AZ-05)."""

from __future__ import annotations

import pytest
from django.core.cache import cache

from tests.permissions.test_matrix import LINES, args, send
from tests.permissions.world import World

OPEN_TO_STUDENTS = [
    line for line in LINES if line.method == "GET" and line.expect["student"] == 200
]


@pytest.mark.case("AZ-05")
@pytest.mark.parametrize("line", OPEN_TO_STUDENTS, ids=str)
def test_a_page_for_students_holds_nothing_of_adults_and_no_notes(world: World, line):
    mate = world.classroom.students.create(
        name="Bilal", note="a note about Bilal", code_hash="hash-of-bilals-code"
    )
    world.student.note = "a note about Amina"
    world.student.code_hash = "hash-of-aminas-code"
    world.student.save()
    cache.clear()

    answer = send(world.clients["student"], line, world, args(line, world))

    assert answer.status_code == 200
    text = b"".join(answer).decode() if answer.streaming else answer.content.decode()
    secrets = [
        world.owner.email,
        mate.note,
        mate.code_hash,
        world.student.note,
        world.student.code_hash,
        str(world.student.proof),
        str(mate.proof),
    ]
    assert [secret for secret in secrets if secret in text] == []


def test_there_are_pages_for_students_to_look_at():
    assert {"games:play", "classroom:play"} <= {line.name for line in OPEN_TO_STUDENTS}
