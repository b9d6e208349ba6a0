"""Forms of the set-up page and of the desk, filled in by somebody who is not a browser."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest

from games.models import Match
from tests.games.looking_back import seen_by

pytestmark = pytest.mark.django_db

ODD = [
    "",
    "0",
    "-1",
    "1e3",
    "٣",  # a decimal digit, and no index of anything
    "²",  # a digit that int() refuses
    "9" * 30,
    "9" * 5_000,
    "\x00",
    "NaN",
    "ي" * 300,
    "[]",
    "{",
]

SETUP = {
    "save": ("board", "decision_rule", "pace", "silent_first", "devices", "bot", "fish"),
    "mix": ("number", "practice", "each_other"),
    "place/{student}": ("to",),
    "apart/{student}": ("other", "again"),
}
DESK = {
    "pause": (),
    "resume": (),
    "finish-round": (),
    "ends": ("minutes",),
    "notice": ("text", "preset", "to", "on_screen"),
    "take-back-notice": ("notice",),
}
MATCH = {
    "decide": ("seat", "decision", "move", "amount_field", "amount"),
    "let-decide": ("seat", "decision", "student"),
    "more-time": ("seat", "decision"),
    "played-by": ("seat", "played_by", "bot"),
    "skip-question": ("seat", "decision"),
    "move-student": ("student", "seat"),
    "rewind": ("to",),
    "kick": ("student",),
    "readmit": ("student",),
}


def forms(fields: tuple[str, ...], usual: dict[str, str]) -> Iterator[dict[str, str]]:
    """Each field with each odd value, the others as a browser would send them; and nothing."""
    yield {}
    for field in fields:
        for odd in ODD:
            yield {**usual, field: odd}


@pytest.mark.parametrize("act", SETUP)
def test_odd_values_on_the_set_up_page_are_refused_in_words(drafted_world, act):
    world = drafted_world
    browser = seen_by(world.teacher_session())
    address = f"/lessons/{world.lesson.pk}/setup/{act.format(student=world.students[0].pk)}/"

    for form in forms(SETUP[act], {}):
        answer = browser.post(address, form)
        assert answer.status_code in {200, 302, 404, 409, 422}, form
    assert browser.get(f"/lessons/{world.lesson.pk}/setup/").status_code == 200


@pytest.mark.parametrize("act", DESK)
def test_odd_values_for_all_matches_are_refused_in_words(world, act):
    world.started()
    browser = seen_by(world.teacher_session())

    for form in forms(DESK[act], {}):
        answer = browser.post(f"/lessons/{world.lesson.pk}/desk/{act}/", form)
        assert answer.status_code in {302, 404, 409, 422, 429}, form
    assert browser.get(f"/lessons/{world.lesson.pk}/desk/").status_code == 200


@pytest.mark.parametrize("act", MATCH)
def test_odd_values_for_a_match_are_refused_in_words(world, act):
    match = world.started()
    browser = seen_by(world.teacher_session())
    usual = {
        "seat": "0",
        "decision": "1",
        "move": '{"type": "lay"}',
        "amount_field": "fish",
        "amount": "1",
        "student": str(uuid4()),
        "played_by": "teacher",
    }

    for form in forms(MATCH[act], {k: v for k, v in usual.items() if k in MATCH[act]}):
        answer = browser.post(f"/matches/{match.pk}/desk/{act}/", form)
        assert answer.status_code in {302, 404, 409, 422}, form
    assert browser.get(f"/matches/{match.pk}/desk/").status_code == 200
    assert Match.objects.get(pk=match.pk).version >= match.version
