"""Who may do what with pictures, imports and exports of questions."""

from __future__ import annotations

from typing import Any

from classroom.access import TeacherActor
from quizzes.models import ImportDraft, Picture
from quizzes.services.imports import Sent, start_import
from quizzes.services.pictures import path_of
from tests.factories import bank
from tests.permissions.lines import GO, Answer, Line, any_teacher
from tests.permissions.tables.questions import bank_args, readers
from tests.permissions.world import World


def picture_args(world: World) -> dict[str, Any]:
    """A picture of the owner's, in no question that others see."""
    picture = Picture.objects.first() or bank.picture(world.owner)
    path_of(picture, "small").write_bytes(b"pixels")
    return {**world.args, "picture_id": picture.pk, "size": "small"}


def import_args(world: World) -> dict[str, Any]:
    """A pasted question of the owner's that waits in the preview."""
    draft = ImportDraft.objects.filter(owner=world.owner).first()
    if draft is None:
        text = b"1. Who votes?\na) Nobody\n*b) Citizens\n"
        batch = start_import(actor=TeacherActor(world.owner), files=[Sent("", text)])
        draft = ImportDraft.objects.get(batch=batch)
    return {**world.args, "batch": draft.batch, "draft_id": draft.pk}


def owners(name: str, method: str, answer: Answer, data: dict[str, Any] | None = None) -> Line:
    """Imports are of who sent them, and of nobody else."""
    return Line(f"quizzes:{name}", method, any_teacher(404, owner=answer), data, args=import_args)


def format_args(world: World) -> dict[str, Any]:
    return {**bank_args(world), "format": "csv"}


LINES: tuple[Line, ...] = (
    Line("quizzes:import", "GET", any_teacher(200)),
    Line("quizzes:import", "POST", any_teacher(422)),
    Line("quizzes:import_template", "GET", any_teacher(200)),
    owners("preview_import", "GET", 200),
    owners("read_import", "POST", GO),
    owners("import_row", "POST", GO, {"number": "1", "act": "leave"}),
    owners("save_import", "POST", GO, {"title": "Votes"}),
    owners("give_up_import", "POST", GO),
    Line("quizzes:exports", "GET", readers(200), args=bank_args),
    Line("quizzes:export", "GET", readers(200), args=format_args),
    Line("quizzes:export", "POST", readers(GO), args=format_args),
    Line("quizzes:add_picture", "POST", any_teacher(422)),
    Line("quizzes:picture", "GET", any_teacher(404, owner=200), args=picture_args),
)
