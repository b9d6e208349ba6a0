"""What a teacher's form on the desk may get wrong."""

from __future__ import annotations

import pytest

from games.models import Match
from tests.games.looking_back import seen_by

pytestmark = pytest.mark.django_db

OPEN = {"seat": "0", "decision": "1"}


@pytest.mark.parametrize(
    ("act", "form"),
    [
        ("decide", {"seat": "0"}),
        ("decide", {"seat": "red", "decision": "1"}),
        ("decide", {**OPEN, "move": "{"}),
        ("decide", {**OPEN, "move": "[]", "amount_field": "fish", "amount": "1"}),
        ("decide", {**OPEN, "move": '{"type": "lay"}', "amount_field": "fish"}),
        ("let-decide", {**OPEN, "student": "Ana"}),
        ("rewind", {}),
        ("kick", {"student": ""}),
    ],
)
def test_a_form_that_cannot_be_read_is_told_so_and_changes_nothing(world, act, form):
    match = world.started()

    answer = seen_by(world.teacher_session()).post(f"/matches/{match.pk}/desk/{act}/", form)

    assert answer.status_code == 422
    assert "Something was missing in the form." in answer.content.decode()
    assert Match.objects.get(pk=match.pk).version == match.version


def test_an_act_that_the_desk_does_not_know_is_not_there(world):
    match = world.started()

    answer = seen_by(world.teacher_session()).post(f"/matches/{match.pk}/desk/shuffle/", OPEN)

    assert answer.status_code == 404


def test_a_fault_of_ours_is_not_blamed_on_the_form(world, monkeypatch):
    match = world.started()

    def fail(**_given):
        raise KeyError("red")

    monkeypatch.setattr("games.services.matches.decide_for", fail)

    with pytest.raises(KeyError, match="red"):
        seen_by(world.teacher_session()).post(f"/matches/{match.pk}/desk/decide/", OPEN)
