"""What teachers do besides play is done again as a whole after a deadlock (case CC-11).

Classes, accounts, lessons, the question bank and the worker's jobs. Run by
``test_conflicts.py`` on a PostgreSQL of its own, as ``conflicts.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from classroom import transactions
from classroom.access import TeacherActor
from classroom.models import Attendance, CoTeacher, Invitation, Job
from classroom.services import accounts, attendance, invitations, jobs, personal_data
from games.decks.starters import starter
from games.services import preparing
from games.services.decks import load_starters
from games.services.preparing import Setup
from quizzes.models import Question, QuestionSet, QuestionVersion, SetShare
from quizzes.services import acts, adding, arranging, editing, sets, tagging
from tests.factories import bank, people
from tests.faults.rival import deadlock

DEADLOCK = "40P01"
Row = tuple[str, object]


@dataclass(frozen=True)
class Case:
    """An act that takes ``second`` and then ``first``, and what is to be seen of it."""

    do: Callable[[], Any]
    first: Row
    second: Row
    seen: Callable[[], Any]
    before: Any
    after: Any


def _shut_account() -> Case:
    administrator, teacher = people.teacher(is_staff=True), people.teacher()
    link = Invitation.objects.create(
        purpose="teacher", secret_hash="x", created_by=teacher, expires_at=teacher.date_joined
    )
    return Case(
        do=lambda: accounts.set_active(
            actor=TeacherActor(administrator), teacher_id=teacher.pk, active=False
        ),
        first=("classroom_invitation", link.pk),
        second=("classroom_teacher", teacher.pk),
        seen=lambda: (type(teacher).objects.get(pk=teacher.pk).is_active, _there(link)),
        before=(True, True),
        after=(False, False),
    )


def _join_a_class() -> Case:
    classroom, colleague = people.classroom(), people.teacher()
    secret = invitations.invite_co_teacher(
        actor=TeacherActor(classroom.owner), classroom_id=classroom.pk
    )
    link = Invitation.objects.get()
    return Case(
        do=lambda: invitations.accept_class(secret=secret, actor=TeacherActor(colleague)),
        first=("classroom_classroom", classroom.pk),  # asked for by the key that points at it
        second=("classroom_invitation", link.pk),
        seen=lambda: (
            CoTeacher.objects.filter(teacher=colleague).count(),
            Invitation.objects.get().used_at is not None,
        ),
        before=(0, False),
        after=(1, True),
    )


def _erase_a_class() -> Case:
    classroom = people.classroom(names=("Amina", "Bo"))
    amina, bo = classroom.students.order_by("pk")
    return Case(
        do=lambda: personal_data.anonymise_classroom(
            actor=TeacherActor(classroom.owner), classroom_id=classroom.pk, typed_name="7c"
        ),
        first=("classroom_student", bo.pk),
        second=("classroom_student", amina.pk),
        seen=lambda: list(classroom.students.order_by("pk").values_list("name", flat=True)),
        before=[amina.name, bo.name],
        after=["", ""],
    )


def _tick_all() -> Case:
    lesson = people.lesson(of=people.classroom(names=("Amina", "Bo")), activity="corruption")
    away, missing = lesson.classroom.students.order_by("pk")
    row = Attendance.objects.create(lesson=lesson, student=away, left_at=lesson.created_at)
    return Case(
        do=lambda: attendance.tick_others_present(
            actor=TeacherActor(lesson.classroom.owner), lesson_id=lesson.pk
        ),
        first=("classroom_student", missing.pk),
        second=("classroom_attendance", row.pk),
        seen=lambda: Attendance.objects.filter(left_at=None).count(),
        before=0,
        after=2,
    )


def _set_up_a_lesson() -> Case:
    load_starters()
    lesson = people.lesson(
        of=people.classroom(names=("Amina", "Bo", "Cleo", "Dan")), activity="corruption"
    )
    actor = TeacherActor(lesson.classroom.owner)
    preparing.make_teams(actor=actor, lesson_id=lesson.pk)
    (drafted,) = lesson.matches.all()

    def seen() -> Any:
        lesson.refresh_from_db()
        (match,) = lesson.matches.all()
        return lesson.settings.get("decision_rule"), match.decision_rule

    return Case(
        do=lambda: preparing.save_setup(
            actor=actor,
            lesson_id=lesson.pk,
            setup=Setup(board=starter("corruption").key, decision_rule="unanimous"),
        ),
        first=("games_match", drafted.pk),
        second=("classroom_lesson", lesson.pk),
        seen=seen,
        before=(None, "majority"),
        after=("unanimous", "unanimous"),
    )


def _hand_over_a_set() -> Case:
    owned = bank.question_set()
    colleague = bank.shared(owned)
    share = SetShare.objects.get()
    return Case(
        do=lambda: sets.hand_over_set(
            actor=TeacherActor(owned.owner), set_id=owned.pk, teacher_id=colleague.pk
        ),
        first=("quizzes_questionset", owned.pk),
        second=("quizzes_setshare", share.pk),
        seen=lambda: (
            QuestionSet.objects.get().owner_id,
            SetShare.objects.get().teacher_id,
        ),
        before=(owned.owner_id, colleague.pk),
        after=(colleague.pk, owned.owner_id),
    )


def _question_in(owned: QuestionSet) -> dict[str, Row]:
    """The rows that acts on a question take: first its own, then that of its set."""
    question = Question.objects.get()
    return {
        "first": ("quizzes_questionset", owned.pk),
        "second": ("quizzes_question", question.pk),
    }


def _versions() -> list[tuple[int, str, list[str]]]:
    """Number, stem and topics of every version."""
    rows = QuestionVersion.objects.order_by("question__position", "number")
    return [(row.number, row.value.stem, list(row.value.topics)) for row in rows]


def _save_a_question() -> Case:
    owned = bank.question_set()
    (question,) = bank.questions(owned)
    return Case(
        do=lambda: editing.save_question(
            actor=TeacherActor(owned.owner),
            question_id=question.pk,
            question=bank.single("Who counts?"),
            base=1,
        ),
        **_question_in(owned),
        seen=_versions,
        before=[(1, "Who votes?", [])],
        after=[(1, "Who votes?", []), (2, "Who counts?", [])],
    )


def _tag_questions() -> Case:
    owned = bank.question_set()
    (question,) = bank.questions(owned)
    return Case(
        do=lambda: tagging.tag_questions(
            actor=TeacherActor(owned.owner), question_ids=[question.pk], add=["Law"]
        ),
        **_question_in(owned),
        seen=_versions,
        before=[(1, "Who votes?", [])],
        after=[(1, "Who votes?", []), (2, "Who votes?", ["Law"])],
    )


def _replace_questions() -> Case:
    """One stays with another topic, one is new; here the set is taken before its questions."""
    owned = bank.question_set()
    (question,) = bank.questions(owned)
    return Case(
        do=lambda: adding.replace_questions(
            actor=TeacherActor(owned.owner),
            set_id=owned.pk,
            question_ids=[question.pk],
            questions=[bank.single(topics=("Law",)), bank.single("Who counts?")],
        ),
        first=("quizzes_question", question.pk),
        second=("quizzes_questionset", owned.pk),
        seen=lambda: (_versions(), QuestionSet.objects.count()),
        before=([(1, "Who votes?", [])], 1),
        after=([(1, "Who votes?", []), (2, "Who votes?", ["Law"]), (1, "Who counts?", [])], 1),
    )


def _move_questions() -> Case:
    owned = bank.question_set()
    (question,) = bank.questions(owned)
    other = bank.question_set(owner=owned.owner)
    return Case(
        do=lambda: arranging.move_questions(
            actor=TeacherActor(owned.owner), question_ids=[question.pk], to=other.pk
        ),
        **_question_in(owned),
        seen=lambda: Question.objects.get().set_id,
        before=owned.pk,
        after=other.pk,
    )


pytestmark = pytest.mark.django_db(transaction=True)

CASES = [
    _shut_account,
    _join_a_class,
    _erase_a_class,
    _tick_all,
    _set_up_a_lesson,
    _hand_over_a_set,
    _save_a_question,
    _tag_questions,
    _replace_questions,
    _move_questions,
]


@pytest.mark.case("CC-11")
@pytest.mark.parametrize("make", CASES)
def test_act_that_ends_in_a_deadlock_is_done_again(
    make: Callable[[], Case], conflicts: list[str]
) -> None:
    case = make()
    assert case.seen() == case.before

    with deadlock(case.first, case.second):
        case.do()

    assert conflicts == [DEADLOCK]
    assert case.seen() == case.after


@pytest.mark.case("CC-11")
@pytest.mark.parametrize("make", CASES)
def test_act_that_is_not_done_again_is_undone_whole(
    make: Callable[[], Case], conflicts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transactions, "TRIES", 1)
    case = make()

    with deadlock(case.first, case.second), pytest.raises(transactions.OperationalError):
        case.do()

    assert conflicts == []
    shown = case.seen()
    if make is _replace_questions:  # what waited aside is left for housekeeping
        shown = (shown[0][:1], 1)
    assert shown == case.before


@pytest.mark.case("CC-11", "CF-06")
@pytest.mark.parametrize("tries", [3, 1])
def test_job_that_ends_in_a_deadlock_is_done_again_and_copies_once(
    conflicts: list[str], monkeypatch: pytest.MonkeyPatch, tries: int
) -> None:
    """Its last transaction alone; where that has no further try, the whole job."""
    owned = bank.question_set()
    (question,) = bank.questions(owned)
    target = bank.question_set(owner=owned.owner)
    wish = acts.Wish(act="copy", question_ids=(question.pk,), to=target.pk)
    job = Job.objects.create(
        owner=owned.owner, kind="copying", args={"wish": msgspec.to_builtins(wish)}
    )

    def copying(job: Job, tell: jobs.Progress) -> str:
        if job.attempts > 1:
            return acts.act_all(job, tell)
        with deadlock(("classroom_job", job.pk), ("quizzes_questionset", target.pk)):
            return acts.act_all(job, tell)

    monkeypatch.setattr(jobs, "_works", {"copying": copying})
    monkeypatch.setattr(transactions, "TRIES", tries)

    jobs.run(job.pk)

    job.refresh_from_db()
    assert conflicts == ([DEADLOCK] if tries > 1 else [])
    assert (job.state, job.attempts) == (Job.State.DONE, 1 if tries > 1 else 2)
    assert target.questions.count() == 1


def _there(row: Invitation) -> bool:
    return Invitation.objects.filter(pk=row.pk).exists()
