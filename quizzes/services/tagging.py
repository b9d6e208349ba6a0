"""Topics of many questions at once. A question with other topics is a new version of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from functools import partial
from uuid import UUID

import msgspec
from django.utils.translation import gettext_lazy as _

from classroom.access import Actor
from classroom.errors import DomainError
from classroom.models import Teacher
from quizzes.access import access_questions
from quizzes.folding import fold
from quizzes.formats import question as values
from quizzes.formats.question import TOPICS_MAX, InvalidQuestion
from quizzes.models import Question
from quizzes.selectors.questions import newest_versions
from quizzes.services.pacing import briefly, turns
from quizzes.services.question_rows import Arrival, Overtaken, next_versions, teacher_of


class BadTopic(DomainError):
    """A topic that no question can carry, or one too many."""

    code = "bad_topic"
    message = _("A topic is up to 60 characters, without commas or semicolons.")


class TooManyTopics(DomainError):
    """One of the questions would have more topics than it may."""

    code = "too_many_topics"
    message = _("One of these questions has as many topics as it can hold. Take some away first.")


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
    return sum(_tag(piece, add, remove, by=teacher_of(actor)) for piece in turns(ids))


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
            (question, Arrival.of(value, versions[question.pk].picture))
            for question in questions
            if (value := _tagged(versions[question.pk].value, add, remove)) is not None
        ]
        with suppress(Overtaken):
            return len(briefly(partial(next_versions, changes, by=by)))


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
