"""Adding and changing questions. Every change of what a question says is a new version.

Two who change the same question are told apart by the version they started from:
compare-and-set on ``Question.number``, as matches do with theirs. Many questions are
written in pieces, so that no play waits for them (DESIGN section 11); until the last
piece is there they wait in a set that nobody sees.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal, TypeVar
from uuid import UUID, uuid4

import msgspec
from django.db import transaction
from django.db.models import F, Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classroom.access import Actor, TeacherActor
from classroom.errors import DomainError, NotThere
from classroom.models import Teacher
from quizzes.access import access_question, access_questions, access_set, pictures_of
from quizzes.folding import fingerprint, fold, search_text
from quizzes.formats import question as values
from quizzes.formats.carries import kind
from quizzes.formats.question import TOPICS_MAX, InvalidQuestion
from quizzes.formats.reading import QUESTIONS_MAX
from quizzes.models import (
    Draft,
    Picture,
    Question,
    QuestionSet,
    QuestionTopic,
    QuestionVersion,
)
from quizzes.selectors.questions import in_set, newest, newest_versions

PIECE = 100  # questions of one transaction: about 40 ms
ARRIVING = "arriving "  # key of a set that nobody sees, while its questions come in
GIVEN_UP = timedelta(hours=1)  # after which such a set is left over from a process that died

Then = Callable[[list[Question]], None]  # more to write with the questions, or to refuse

_T = TypeVar("_T")


class EditConflict(DomainError):
    """Somebody has saved the question since it was opened. ``theirs`` is what is there now."""

    code = "edit_conflict"
    message = _("Somebody else has changed this question. Compare both texts, then choose.")
    status = 409

    def __init__(self, theirs: QuestionVersion) -> None:
        super().__init__()
        self.theirs = theirs


class SetFull(DomainError):
    """More questions than a set holds."""

    code = "set_full"
    message = _("The set cannot hold so many questions. Make a second set for the others.")


class NoPicture(DomainError):
    """A question names a picture that is not there, or somebody else's."""

    code = "no_picture"
    message = _("A picture of this question is not there any more. Choose it again.")


class BadTopic(DomainError):
    """A topic that no question can carry, or one too many."""

    code = "bad_topic"
    message = _("A topic is up to 60 characters, without commas or semicolons.")


class TooManyTopics(DomainError):
    """One of the questions would have more topics than it may."""

    code = "too_many_topics"
    message = _("One of these questions has as many topics as it can hold. Take some away first.")


# -- adding ----------------------------------------------------------------------------------------


def add_questions(
    *, actor: Actor, set_id: UUID, questions: Sequence[values.Question]
) -> list[Question]:
    """Put questions at the end of a set, all of them or none.

    Raises:
        NotThere, NotAllowed, SetArchived: see ``access_set``, to edit.
        SetFull: more than ``QUESTIONS_MAX`` in the set.
        NoPicture: one names a picture that the actor may not see.
    """
    target = access_set(actor, set_id, to="edit")
    _check_room(target, len(questions))
    arriving = _arriving(actor, questions)
    if len(arriving) <= PIECE:
        with transaction.atomic():
            return _insert(target, arriving, after=_last_position(target), by=_teacher(actor))
    waiting = _wait(arriving, by=_teacher(actor))
    with transaction.atomic():
        return _land(waiting, target)


def copy_questions(*, actor: Actor, question_ids: Collection[UUID], to: UUID) -> list[Question]:
    """Put the same questions, as they are now, at the end of another set.

    Raises:
        NotThere: a question or set that the actor may not see.
        NotAllowed, SetArchived, SetFull: see ``add_questions``.
    """
    questions = access_questions(actor, question_ids)
    return add_questions(actor=actor, set_id=to, questions=newest(questions))


def replace_questions(
    *,
    actor: Actor,
    set_id: UUID,
    question_ids: Collection[UUID],
    questions: Sequence[values.Question],
    then: Then | None = None,
) -> list[Question]:
    """Put ``questions`` in the place of those of ``question_ids``, all of them or none.

    One that asks the same as an old one becomes its next version, or leaves it as it
    is. Others are added at the end. Old ones that have no counterpart go to the archive.
    ``then`` gets the rows in the same transaction; what it raises undoes all.

    Raises:
        NotThere: a set or question that the actor may not see, or one of another set.
        NotAllowed, SetArchived, SetFull, NoPicture: see ``add_questions``.
    """
    target = access_set(actor, set_id, to="edit")
    old = access_questions(actor, question_ids, to="edit")
    if any(question.set_id != target.pk for question in old):
        raise NotThere
    _check_room(target, len(questions))
    return _replace(target, old, _arriving(actor, questions), by=_teacher(actor), then=then)


def fill_new_set(
    *,
    actor: Actor,
    make: Callable[[], QuestionSet],
    questions: Sequence[values.Question],
    then: Then | None = None,
) -> list[Question]:
    """Put questions into a set that ``make`` makes in the same transaction: both or neither.

    Raises:
        SetFull, NoPicture: see ``add_questions``.
    """
    if len(questions) > QUESTIONS_MAX:
        raise SetFull
    waiting = _wait(_arriving(actor, questions), by=_teacher(actor))
    with transaction.atomic():
        rows = _land(waiting, make())
        if then is not None:
            then(rows)
    return rows


# -- changing one ----------------------------------------------------------------------------------


def save_question(
    *, actor: Actor, question_id: UUID, question: values.Question, base: int
) -> QuestionVersion:
    """Make ``question`` the newest version. ``base`` is the version that was open.

    The same as what is there makes no version.

    Raises:
        NotThere, NotAllowed, SetArchived: see ``access_question``, to edit.
        EditConflict: somebody has saved another version since ``base``.
        NoPicture: it names a picture that the actor may not see.
    """
    row = access_question(actor, question_id, to="edit")
    (arrival,) = _arriving(actor, [question])
    newest_one = newest_versions([row])[row.pk]
    if newest_one.value == question:
        return newest_one
    with transaction.atomic():
        return _next_version(row, base, arrival, by=_teacher(actor))


def restore_version(*, actor: Actor, question_id: UUID, number: int, base: int) -> QuestionVersion:
    """Make an old version the newest again, as a further version.

    Raises:
        NotThere: the question has no such version; or see ``access_question``, to edit.
        EditConflict: somebody has saved another version since ``base``.
    """
    row = access_question(actor, question_id, to="edit")
    old = row.versions.filter(number=number).first()
    if old is None:
        raise NotThere
    return save_question(actor=actor, question_id=question_id, question=old.value, base=base)


# -- changing many ---------------------------------------------------------------------------------


def move_questions(*, actor: Actor, question_ids: Collection[UUID], to: UUID) -> int:
    """Put questions at the end of another set of the actor's; how many were not there already.

    Raises:
        NotThere, NotAllowed, SetArchived: see ``access_set``, to edit, of all sets concerned.
        SetFull: more than the set holds.
    """
    target = access_set(actor, to, to="edit")
    moving = [
        question
        for question in access_questions(actor, question_ids, to="edit")
        if question.set_id != target.pk
    ]
    _check_room(target, len(moving))
    left = {question.set_id for question in moving}
    for piece in _pieces(moving):
        with transaction.atomic():
            after = _last_position(target)
            for place, question in enumerate(piece, start=1):
                question.set = target
                question.position = after + place
            Question.objects.bulk_update(piece, ["set", "position"])
            Draft.objects.filter(question__in=piece).update(set=target)
            _changed({target.pk, *left})
    return len(moving)


def archive_questions(*, actor: Actor, question_ids: Collection[UUID]) -> int:
    """Put questions away; matches that play them go on. How many were not away already.

    Raises:
        NotThere, NotAllowed, SetArchived: see ``access_questions``, to edit.
    """
    questions = access_questions(actor, question_ids, to="edit")
    with transaction.atomic():
        _changed({question.set_id for question in questions})
        return Question.objects.filter(
            pk__in=[question.pk for question in questions], archived_at=None
        ).update(archived_at=timezone.now())


def restore_questions(*, actor: Actor, question_ids: Collection[UUID]) -> int:
    """Bring questions back from the archive; how many were there.

    Raises:
        NotThere, NotAllowed, SetArchived: see ``access_questions``, to edit.
    """
    questions = access_questions(actor, question_ids, to="edit")
    with transaction.atomic():
        _changed({question.set_id for question in questions})
        away = Question.objects.filter(pk__in=[question.pk for question in questions])
        return away.exclude(archived_at=None).update(archived_at=None)


def delete_questions(*, actor: Actor, question_ids: Collection[UUID]) -> int:
    """Delete questions that are in the archive, with their versions, for good; how many.

    Raises:
        NotThere, NotAllowed, SetArchived: see ``access_questions``, to edit.
    """
    questions = access_questions(actor, question_ids, to="edit")
    with transaction.atomic():
        away = Question.objects.filter(pk__in=[question.pk for question in questions])
        _rows, gone = away.exclude(archived_at=None).delete()
        return gone.get("quizzes.Question", 0)


def tag_questions(
    *,
    actor: Actor,
    question_ids: Collection[UUID],
    add: Sequence[str] = (),
    remove: Sequence[str] = (),
) -> int:
    """Add topics to questions and take topics away; how many questions have a new version.

    A topic that differs from one there only in case or accents is the same.

    Raises:
        NotThere, NotAllowed, SetArchived: see ``access_questions``, to edit.
        BadTopic: no question can carry it.
        TooManyTopics: one of the questions would have more than it may; nothing is changed
            in the piece of 100 that it is in.
    """
    questions = access_questions(actor, question_ids, to="edit")
    ids = [question.pk for question in questions]
    return sum(_tag(piece, add, remove, by=_teacher(actor)) for piece in _pieces(ids))


def place_question(*, actor: Actor, question_id: UUID, step: Literal[-1, 1]) -> Question:
    """Change places with the question before (-1) or after (1); at either end nothing happens.

    Raises:
        NotThere, NotAllowed, SetArchived: see ``access_question``, to edit.
    """
    question = access_question(actor, question_id, to="edit")
    order = list(in_set(question.set).values_list("pk", "position"))
    place = next((at for at, (pk, _position) in enumerate(order) if pk == question.pk), None)
    if place is None or not 0 <= place + step < len(order):
        return question
    other = order[place + step][0]
    positions = sorted((question.position, order[place + step][1]))
    if positions[0] == positions[1]:  # two who added at the same moment
        with transaction.atomic():
            for at, (pk, _position) in enumerate(order, start=1):
                Question.objects.filter(pk=pk).update(position=at)
        positions = sorted((place + 1, place + 1 + step))
    with transaction.atomic():
        Question.objects.filter(pk=question.pk).update(position=positions[step == 1])
        Question.objects.filter(pk=other).update(position=positions[step == -1])
        _changed({question.set_id})
    question.refresh_from_db(fields=["position"])
    return question


def _tag(
    question_ids: Collection[UUID],
    add: Sequence[str],
    remove: Sequence[str],
    *,
    by: Teacher | None,
) -> int:
    """Tag one piece; anew from the start if somebody changes one of its questions meanwhile."""
    while True:
        questions = list(Question.objects.filter(pk__in=question_ids))
        versions = newest_versions(questions)
        changes = [
            (question, _Arrival.of(value, versions[question.pk].picture))
            for question in questions
            if (value := _tagged(versions[question.pk].value, add, remove)) is not None
        ]
        with suppress(_Overtaken), transaction.atomic():
            _next_versions(changes, by=by)
            return len(changes)


def _tagged(
    value: values.Question, add: Sequence[str], remove: Sequence[str]
) -> values.Question | None:
    """The question with other topics; None if they are the same."""
    unwanted = {fold(topic) for topic in remove}
    topics = [topic for topic in value.topics if fold(topic) not in unwanted]
    there = {fold(topic) for topic in topics}
    for topic in add:
        if fold(topic) not in there:
            topics.append(topic)
            there.add(fold(topic))
    if tuple(topics) == value.topics:
        return None
    if len(topics) > TOPICS_MAX:
        raise TooManyTopics
    try:
        return msgspec.structs.replace(value, topics=tuple(topics))
    except InvalidQuestion as wrong:
        raise BadTopic from wrong


def keep_built_in(
    *, key: str, language: str, title: str, credit: str, questions: Sequence[values.Question]
) -> bool:
    """Bring a set that belongs to nobody up to date; whether anything was new.

    For commands: built-in sets change with the program alone, so nobody is asked for rights.
    """
    target, made = QuestionSet.objects.get_or_create(
        owner=None, key=key, language=language, defaults={"title": title, "credit": credit}
    )
    if (target.title, target.credit) != (title, credit):
        target.title, target.credit = title, credit
        target.save(update_fields=["title", "credit"])
    old = list(in_set(target))
    if newest(old) == list(questions):
        return made
    _replace(target, old, [_Arrival.of(value, None) for value in questions], by=None)
    return True


# -- rows ------------------------------------------------------------------------------------------


_COLUMNS = ("kind", "stem", "search_text", "fingerprint", "difficulty", "language", "choices")


class _Overtaken(Exception):
    """Somebody has saved one of these questions meanwhile."""


@dataclass(frozen=True)
class _Arrival:
    """A question on its way into the database; all that costs time is done."""

    value: values.Question
    content: Any
    columns: dict[str, Any]  # ``_COLUMNS`` of ``Question``
    topics: tuple[tuple[str, str], ...]  # name, key
    picture: Picture | None

    @classmethod
    def of(cls, value: values.Question, picture: Picture | None) -> _Arrival:
        return cls(
            value=value,
            content=msgspec.to_builtins(value),
            columns={
                "kind": kind(value),
                "stem": value.stem,
                "search_text": search_text(value),
                "fingerprint": fingerprint(value),
                "difficulty": value.difficulty,
                "language": value.language,
                "choices": len(getattr(value, "choices", ())),
            },
            topics=tuple((name, fold(name)[:120]) for name in value.topics),
            picture=picture,
        )


def _arriving(actor: Actor, questions: Sequence[values.Question]) -> list[_Arrival]:
    pictures = _pictures(actor, questions)
    return [
        _Arrival.of(value, pictures[value.picture.ref] if value.picture else None)
        for value in questions
    ]


def _pictures(actor: Actor, questions: Iterable[values.Question]) -> Mapping[str, Picture]:
    """The pictures that the questions name, by reference; all may be seen by the actor."""
    refs = {question.picture.ref for question in questions if question.picture}
    if not refs:
        return {}
    teacher = _teacher(actor)
    try:
        ids = [UUID(ref.rpartition(".")[0]) for ref in refs]
    except ValueError:
        raise NoPicture from None
    found = pictures_of(teacher).in_bulk(ids) if teacher else {}
    pictures = {picture.ref: picture for picture in found.values()}
    if refs - pictures.keys():
        raise NoPicture
    return pictures


def _insert(
    target: QuestionSet, arriving: Sequence[_Arrival], *, after: int, by: Teacher | None
) -> list[Question]:
    """The rows of new questions, inside the caller's transaction."""
    now = timezone.now()
    rows = [
        Question(
            set=target, position=after + place, created_at=now, changed_at=now, **arrival.columns
        )
        for place, arrival in enumerate(arriving, start=1)
    ]
    Question.objects.bulk_create(rows)
    QuestionVersion.objects.bulk_create(
        QuestionVersion(
            question=row,
            number=1,
            content=arrival.content,
            picture=arrival.picture,
            saved_by=by,
            saved_at=now,
        )
        for row, arrival in zip(rows, arriving, strict=True)
    )
    _write_topics(zip(rows, arriving, strict=True))
    _changed({target.pk})
    return rows


def _replace(
    target: QuestionSet,
    old: Sequence[Question],
    arriving: Sequence[_Arrival],
    *,
    by: Teacher | None,
    then: Then | None = None,
) -> list[Question]:
    """Put what arrives in the place of ``old``, as ``replace_questions`` says."""
    by_print: dict[str, list[Question]] = defaultdict(list)
    for question in reversed(old):
        by_print[question.fingerprint].append(question)
    kept: dict[int, Question] = {}
    for place, arrival in enumerate(arriving):
        if same := by_print[arrival.columns["fingerprint"]]:
            kept[place] = same.pop()
    waiting = _wait([a for place, a in enumerate(arriving) if place not in kept], by=by)
    gone = [question.pk for group in by_print.values() for question in group]
    now_there = newest_versions(kept.values())
    changes = [
        (question, arriving[place])
        for place, question in kept.items()
        if now_there[question.pk].value != arriving[place].value
    ]
    with transaction.atomic():
        added = iter(_land(waiting, target))
        for piece in _pieces(changes):
            _next_versions(piece, by=by)
        Question.objects.filter(pk__in=[q.pk for q in kept.values()]).update(archived_at=None)
        Question.objects.filter(pk__in=gone).update(archived_at=timezone.now())
        rows = [kept[place] if place in kept else next(added) for place in range(len(arriving))]
        if then is not None:
            then(rows)
    return rows


def _wait(arriving: Sequence[_Arrival], *, by: Teacher | None) -> QuestionSet:
    """Write the questions in pieces into a set that nobody sees."""
    left_over = QuestionSet.objects.filter(
        owner=None, key__startswith=ARRIVING, created_at__lt=timezone.now() - GIVEN_UP
    )
    left_over.delete()
    waiting = QuestionSet.objects.create(key=f"{ARRIVING}{uuid4()}", archived_at=timezone.now())
    after = 0
    for piece in _pieces(arriving):
        with transaction.atomic():
            after += len(_insert(waiting, piece, after=after, by=by))
    return waiting


def _land(waiting: QuestionSet, target: QuestionSet) -> list[Question]:
    """Give all that waits to ``target`` at once, inside the caller's transaction."""
    rows = list(waiting.questions.order_by("position"))
    after = _last_position(target)
    waiting.questions.update(set=target, position=F("position") + after)
    for row in rows:
        row.set = target
        row.position += after
    waiting.delete()
    _changed({target.pk})
    return rows


def _next_version(
    question: Question, base: int, arrival: _Arrival, *, by: Teacher | None
) -> QuestionVersion:
    """Write a version after ``base``, inside the caller's transaction.

    Raises:
        EditConflict: ``base`` is not the newest any more.
    """
    question.number = base
    try:
        (version,) = _next_versions([(question, arrival)], by=by)
    except _Overtaken:
        question.refresh_from_db(fields=["number"])
        raise EditConflict(newest_versions([question])[question.pk]) from None
    return version


def _next_versions(
    changes: Sequence[tuple[Question, _Arrival]], *, by: Teacher | None
) -> list[QuestionVersion]:
    """Write a version after ``number`` of each question, inside the caller's transaction.

    Raises:
        _Overtaken: one of the questions has a newer version; the caller must roll back.
    """
    now = timezone.now()
    numbers = {question.pk: question.number for question, _arrival in changes}
    locked = Question.objects.select_for_update().filter(pk__in=numbers).order_by("pk")
    if dict(locked.values_list("pk", "number")) != numbers:
        raise _Overtaken
    for question, arrival in changes:
        question.number += 1
        question.changed_at = now
        for name, value in arrival.columns.items():
            setattr(question, name, value)
    rows = [question for question, _arrival in changes]
    Question.objects.bulk_create(
        rows,
        update_conflicts=True,  # all are there: one statement instead of one a question
        unique_fields=["id"],
        update_fields=["number", "changed_at", *_COLUMNS],
    )
    QuestionTopic.objects.filter(question__in=rows).delete()
    _write_topics(changes)
    _changed({question.set_id for question in rows})
    return QuestionVersion.objects.bulk_create(
        QuestionVersion(
            question=question,
            number=question.number,
            content=arrival.content,
            picture=arrival.picture,
            saved_by=by,
            saved_at=now,
        )
        for question, arrival in changes
    )


def _write_topics(changes: Iterable[tuple[Question, _Arrival]]) -> None:
    QuestionTopic.objects.bulk_create(
        QuestionTopic(question=question, name=name, key=key)
        for question, arrival in changes
        for name, key in arrival.topics
    )


def _changed(set_ids: Collection[UUID]) -> None:
    QuestionSet.objects.filter(pk__in=set_ids).update(changed_at=timezone.now())


def _check_room(target: QuestionSet, more: int) -> None:
    if in_set(target).count() + more > QUESTIONS_MAX:
        raise SetFull


def _last_position(target: QuestionSet) -> int:
    last: int | None = target.questions.aggregate(last=Max("position"))["last"]
    return last or 0


def _teacher(actor: Actor) -> Teacher | None:
    return actor.teacher if isinstance(actor, TeacherActor) else None


def _pieces(items: Sequence[_T]) -> Iterator[list[_T]]:
    for start in range(0, len(items), PIECE):
        yield list(items[start : start + PIECE])
