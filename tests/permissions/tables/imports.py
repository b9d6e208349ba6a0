"""Who may do what with pictures, imports and exports of questions."""

from __future__ import annotations

from typing import Any

from quizzes.models import Picture
from quizzes.services.pictures import path_of
from tests.factories import bank
from tests.permissions.lines import Line, any_teacher
from tests.permissions.world import World


def picture_args(world: World) -> dict[str, Any]:
    """A picture of the owner's, in no question that others see."""
    picture = Picture.objects.first() or bank.picture(world.owner)
    path_of(picture, "small").write_bytes(b"pixels")
    return {**world.args, "picture_id": picture.pk, "size": "small"}


LINES: tuple[Line, ...] = (
    Line("quizzes:add_picture", "POST", any_teacher(422)),
    Line("quizzes:picture", "GET", any_teacher(404, owner=200), args=picture_args),
)
