"""Questions as the bank's pages list, find and read them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, F, QuerySet

from classroom.models import Teacher
from quizzes.access import changeable_sets_of, sets_of
from quizzes.folding import fold, words
from quizzes.formats import question as values
from quizzes.models import Question, QuestionSet, QuestionTopic, QuestionVersion

ORDERS = {
    "set": ("set__title", "set_id", "position", "created_at", "pk"),
    "changed": ("-changed_at", "pk"),
    "text": ("stem", "pk"),
    "kind": ("kind", "position", "pk"),
    "difficulty": ("difficulty", "position", "pk"),
}


def newest_versions(questions: Iterable[Question]) -> dict[UUID, QuestionVersion]:
    """The newest version of each question, by the question's id, in one query."""
    wanted = [question.pk for question in questions]
    found = QuestionVersion.objects.filter(
        question__in=wanted, number=F("question__number")
    ).select_related("picture")
    return {version.question_id: version for version in found}


def newest(questions: Iterable[Question]) -> list[values.Question]:
    """What the questions say now, in their order, in one query."""
    questions = list(questions)
    versions = newest_versions(questions)
    return [versions[question.pk].value for question in questions]


def versions(question: Question) -> QuerySet[QuestionVersion]:
    """All versions, the newest first, with who saved them."""
    return question.versions.select_related("saved_by", "picture").order_by("-number")


def in_set(question_set: QuestionSet) -> QuerySet[Question]:
    """The questions of a set in their order, without those in the archive."""
    return question_set.questions.filter(archived_at=None)


def find(
    teacher: Teacher,
    *,
    query: str = "",
    question_set: QuestionSet | None = None,
    topic: str = "",
    kind: str = "",
    difficulty: int | None = None,
    language: str = "",
    archived: bool = False,
    order: str = "set",
) -> QuerySet[Question]:
    """Questions this teacher may see, with set and topics, that have all that is asked for.

    Every word of ``query`` must be somewhere in the question, in any case, with or
    without accents. ``order`` is a key of ``ORDERS``. Without a set those of sets in
    the archive are left out.
    """
    found = Question.objects.filter(archived_at__isnull=not archived)
    if question_set is not None:
        found = found.filter(set=question_set)
    else:
        found = found.filter(set__in=sets_of(teacher).filter(archived_at=None).values("pk"))
    for word in words(query):
        found = found.filter(search_text__contains=word)
    if topic:
        tagged = QuestionTopic.objects.filter(key=fold(topic))
        found = found.filter(pk__in=tagged.values("question"))
    if kind:
        found = found.filter(kind=kind)
    if difficulty is not None:
        found = found.filter(difficulty=difficulty)
    if language:
        found = found.filter(language=language)
    return found.select_related("set").prefetch_related("topics").order_by(*ORDERS[order])


def topics(questions: QuerySet[Question]) -> list[str]:
    """The topics of these questions by name; of those that differ in case or accents one."""
    names = (
        QuestionTopic.objects.filter(question__in=questions.order_by().values("pk"))
        .values_list("key", "name")
        .distinct()
        .order_by("key", "name")
    )
    return list(dict(reversed(names)).values())[::-1]


def languages(questions: QuerySet[Question]) -> list[str]:
    """The languages of these questions, by code."""
    found = questions.order_by().exclude(language="").values_list("language", flat=True)
    return sorted(found.distinct())


@dataclass(frozen=True)
class Twins:
    """Questions that ask the same, the oldest first, their sets preloaded."""

    questions: tuple[Question, ...]


def duplicates(
    teacher: Teacher, *, question_set: QuestionSet | None = None, limit: int = 100
) -> list[Twins]:
    """Groups of questions that ask the same, among all that the teacher may change.

    With a set: the groups that have a question in it. At most ``limit`` groups.
    """
    changeable = changeable_sets_of(teacher).values("pk")
    questions = Question.objects.filter(archived_at=None, set__in=changeable)
    prints = questions.order_by().values("fingerprint").annotate(many=Count("pk"))
    prints = prints.filter(many__gt=1)
    if question_set is not None:
        here = Question.objects.filter(set=question_set, archived_at=None)
        prints = prints.filter(fingerprint__in=here.order_by().values("fingerprint"))
    wanted = [row["fingerprint"] for row in prints.order_by("fingerprint")[:limit]]
    groups: dict[str, list[Question]] = {}
    for question in (
        questions.filter(fingerprint__in=wanted)
        .select_related("set")
        .prefetch_related("topics")
        .order_by("created_at", "position", "pk")
    ):
        groups.setdefault(question.fingerprint, []).append(question)
    return sorted(
        (Twins(tuple(group)) for group in groups.values()),
        key=lambda twins: twins.questions[0].stem,
    )
