"""Who may do what with sets and questions of the bank.

The owner of the world owns a set; the co-teacher may look at it; others know nothing of it.
"""

from __future__ import annotations

from typing import Any

from classroom.models import Job, Teacher
from quizzes.models import QuestionSet
from quizzes.services import acts
from tests.factories import bank
from tests.permissions.lines import GO, LOGIN, Answer, Line, any_teacher
from tests.permissions.world import World


def bank_args(world: World) -> dict[str, Any]:
    """A set with one question, shared with the co-teacher to look at."""
    question_set = QuestionSet.objects.filter(owner=world.owner).first()
    if question_set is None:
        question_set = bank.question_set(owner=world.owner)
        bank.questions(question_set)
        bank.shared(question_set, teacher=Teacher.objects.get(pk=world.args["teacher_id"]))
    question = question_set.questions.get()
    return {**world.args, "set_id": question_set.pk, "question_id": question.pk}


def ticked(world: World) -> dict[str, Any]:
    """The question of the set, to be put away."""
    args = bank_args(world)
    return {"question": args["question_id"], "set": args["set_id"], "act": "archive"}


def acting_args(world: World) -> dict[str, Any]:
    """An act of the owner's on many questions that waits for the worker."""
    job = Job.objects.filter(owner=world.owner, kind=acts.JOB).first()
    job = job or Job.objects.create(owner=world.owner, kind=acts.JOB)
    return {**world.args, "job_id": job.pk}


def readers(answer: Answer) -> dict[str, Answer]:
    """Whoever may look at the set."""
    return any_teacher(404, owner=answer, co_teacher=answer)


def owner(answer: Answer) -> dict[str, Answer]:
    """Those who decide about the set; who may look at it is told so, others learn nothing."""
    return any_teacher(404, owner=answer, co_teacher=403)


def lines(*found: tuple[Any, ...]) -> tuple[Line, ...]:
    return tuple(Line(f"quizzes:{name}", *rest, args=bank_args) for name, *rest in found)


LINES = (
    Line("quizzes:sets", "GET", any_teacher(200)),
    Line("quizzes:new_set", "GET", any_teacher(200)),
    Line("quizzes:new_set", "POST", any_teacher(GO), {"title": "Votes"}),
    Line("quizzes:all_duplicates", "GET", any_teacher(200)),
    # acts answer with the list they were chosen on; a foreign set is not there
    Line("quizzes:act", "POST", any_teacher(404, owner=GO, co_teacher=GO), ticked),
    Line("quizzes:acted", "GET", any_teacher(404, owner=200), args=acting_args),
    *lines(
        ("set", "GET", readers(200)),
        ("copy_set", "POST", readers(GO), {"title": "Mine"}),
        ("set_settings", "GET", owner(200)),
        ("set_settings", "POST", owner(GO), {"title": "Elections", "language": ""}),
        ("duplicates", "GET", owner(200)),
        ("place", "POST", owner(GO), {"step": "1"}),
        ("share", "GET", owner(200)),
        ("share", "POST", owner(422), {"email": "nobody@school.example", "right": "view"}),
        ("publish", "POST", owner(GO), {"site_wide": "on", "credit": "Ms Okafor"}),
        ("archive_set", "POST", owner(GO), {"archived": "1"}),
        ("delete_set", "POST", owner(GO), {"title": "Votes"}),
        ("colleague", "POST", {**owner(GO), "co_teacher": GO}, {"act": "remove"}),
    ),
)  # fmt: skip
STUDENTS = dict.fromkeys(("anonymous", "guest", "student", "other_student"), LOGIN)
