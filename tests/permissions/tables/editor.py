"""Who may write questions, keep drafts of them and look at their versions."""

from __future__ import annotations

from typing import Any

from classroom.access import TeacherActor
from quizzes.entries import Entries
from quizzes.models import Draft
from quizzes.services.drafts import keep_draft
from tests.permissions.lines import GO, Line, any_teacher
from tests.permissions.tables.questions import bank_args, lines, owner, readers
from tests.permissions.world import World

TYPED = {"kind": "true-false", "stem": "Taxes pay for schools.", "truth": "true", "base": "1"}


def kind_args(world: World) -> dict[str, Any]:
    return {**bank_args(world), "kind": "single"}


def draft_args(world: World) -> dict[str, Any]:
    """A draft of the owner's, of the question of the set."""
    args = bank_args(world)
    draft = Draft.objects.filter(teacher=world.owner).first() or keep_draft(
        actor=TeacherActor(world.owner),
        question_id=args["question_id"],
        entries=Entries(kind="true-false", stem="Taxes"),
        base=1,
        seen=None,
    )
    return {**args, "draft_id": draft.pk}


def chosen(world: World) -> dict[str, Any]:
    """Both texts are there, and the owner's own shall stay."""
    draft_args(world)
    return {"theirs": "1", "act": "edit"}


LINES = (
    Line("quizzes:preview", "POST", any_teacher(200), TYPED),
    Line("quizzes:new_question", "GET", owner(200), args=kind_args),
    Line("quizzes:new_question", "POST", owner(GO), TYPED, args=kind_args),
    *lines(
        ("question", "GET", readers(200)),
        ("question", "POST", owner(GO), TYPED),
        ("keep_draft", "POST", owner(200), TYPED),
        ("keep_new_draft", "POST", owner(200), TYPED),
        ("merge", "POST", owner(GO), chosen),
        ("duplicate", "POST", owner(GO)),
        ("versions", "GET", readers(200)),
        ("restore_version", "POST", owner(GO), {"version": "1", "base": "1"}),
    ),
    Line("quizzes:discard_draft", "POST", any_teacher(404, owner=GO), args=draft_args),
)  # fmt: skip
