"""Who opens a socket, from the cookies of its handshake, and whether they still may.

Synchronous: asked in the threads of the door. Rights are those of ``classroom.access``;
``still_welcome`` asks the same of all sockets of a process at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from importlib import import_module
from typing import Any, NamedTuple, cast
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.utils import timezone, translation

from classroom.access import (
    Actor,
    Anonymous,
    PublicScreen,
    StudentActor,
    TeacherActor,
    access_lesson,
    actor as actor_of,
    check_lesson,
)
from classroom.errors import DomainError, NotThere
from classroom.models import Classroom, Device, Lesson, Teacher
from games.models import Match
from games.selectors.matches import check_match, matches_of_student
from games.selectors.screens import lesson_of_screen
from games.services.frames import You


@dataclass(frozen=True)
class Query:
    """What the address of a socket says about who asks."""

    playing: bool = False  # a seat of this browser counts before its account
    screen: str = ""  # token of the read-only link
    as_student: str = ""  # a test student of the teacher's


class Held(NamedTuple):
    """A name that a browser holds: as much of a ``StudentActor`` as is asked again.

    A socket is open for an hour, and the rows of student and class are larger than all else of it
    that is ours.
    """

    student: UUID
    proof: UUID
    device: str


@dataclass(frozen=True)
class Visitor:
    """One who was let in."""

    you: You
    actor: Held | TeacherActor | PublicScreen | Anonymous
    session: str
    language: str
    lesson: str
    matches: tuple[str, ...] = ()
    teacher: TeacherActor | None = None  # who looks on as a test student


class NoSession(Exception):
    """Raised for a browser that is not known here at all."""


def visitor_of_match(request: HttpRequest, match_id: str, *, query: Query) -> Visitor:
    """Who asks for a match.

    Raises:
        NoSession: nobody known here.
        NotThere: absent, or not theirs.
    """
    match = Match.objects.select_related("lesson__classroom").filter(pk=match_id).first()
    actors = _actors(request, match.lesson.classroom if match else None, query)
    if match is None:
        raise NotThere
    for actor in actors:
        try:
            seat = check_match(actor, match, to="watch")
        except NotThere:
            continue
        return Visitor(
            you=_you(actor, seat),
            actor=kept(actor),
            session=_session_key(request),
            language=_language(request),
            lesson=str(match.lesson_id),
            matches=(str(match.pk),),
            teacher=_teacher(request, query),
        )
    raise NotThere


def visitor_of_lesson(request: HttpRequest, lesson_id: str, *, query: Query) -> Visitor:
    """Who asks for a lesson: its desk, its projector, or a waiting page.

    Raises:
        NoSession: nobody known here.
        NotThere: absent, or not theirs.
    """
    lesson = Lesson.objects.select_related("classroom").filter(pk=lesson_id).first()
    actors = _actors(request, lesson.classroom if lesson else None, query)
    if lesson is None:
        raise NotThere
    for actor in actors:
        try:
            check_lesson(actor, lesson, to="play" if _is_student(actor) else "watch")
        except DomainError:
            continue
        return Visitor(
            you=_you(actor, None),
            actor=kept(actor),
            session=_session_key(request),
            language=_language(request),
            lesson=str(lesson.pk),
            matches=_matches(lesson, actor),
            teacher=_teacher(request, query),
        )
    raise NotThere


def still_welcome(visitors: Iterable[Visitor]) -> list[bool]:
    """For each visitor whether session, name and rights still hold, in a few queries."""
    asked = list(visitors)
    sessions = set(
        Session.objects.filter(
            session_key__in={visitor.session for visitor in asked}, expire_date__gt=timezone.now()
        ).values_list("session_key", flat=True)
    )
    held = {
        (str(lesson), student, proof, key)
        for lesson, student, proof, key in Device.objects.filter(
            attendance__lesson__in={visitor.lesson for visitor in asked},
            attendance__kicked_at=None,
            attendance__student__removed_at=None,
            state=Device.State.IN,
        ).values_list(
            "attendance__lesson", "attendance__student", "attendance__student__proof", "key"
        )
    }
    lessons: dict[tuple[UUID | None, str], bool] = {}

    def may_watch(actor: TeacherActor | PublicScreen, lesson: str) -> bool:
        asking = (actor.teacher.pk if isinstance(actor, TeacherActor) else None, lesson)
        if asking not in lessons:
            lessons[asking] = _may_watch(actor, lesson)
        return lessons[asking]

    def fine(visitor: Visitor) -> bool:
        match visitor.actor:
            case Held() as name:
                known = (visitor.lesson, *name) in held
                return (
                    known
                    and visitor.session in sessions
                    and (visitor.teacher is None or may_watch(visitor.teacher, visitor.lesson))
                )
            case TeacherActor() as teacher:
                return may_watch(teacher, visitor.lesson) and visitor.session in sessions
            case PublicScreen() as screen:
                return may_watch(screen, visitor.lesson)
            case Anonymous():
                return False

    return [fine(visitor) for visitor in asked]


def kept(actor: Actor) -> Held | TeacherActor | PublicScreen | Anonymous:
    """What a visitor keeps of an actor."""
    if isinstance(actor, StudentActor):
        return Held(actor.student.pk, actor.student.proof, actor.device)
    return actor


# -- inside ---------------------------------------------------------------------------------------


def _actors(request: HttpRequest, classroom: Classroom | None, query: Query) -> list[Actor]:
    """As whom this browser may ask: at most two, the likelier one first."""
    if query.screen:
        shown = lesson_of_screen(query.screen)
        return [] if shown is None else [PublicScreen(shown)]
    if not request.session.session_key or request.session.is_empty():
        raise NoSession
    if classroom is None:
        return []
    if query.as_student:
        return [
            actor_of(request.session, request.user, classroom, as_student=UUID(query.as_student))
        ]
    # Only who is logged in can be somebody else when it is asked the other way round.
    ways = {query.playing, not query.playing} if request.user.is_authenticated else {query.playing}
    found = [
        actor_of(request.session, request.user, classroom, playing=playing)
        for playing in sorted(ways, key=lambda way: way is not query.playing)
    ]
    return [actor for actor in found if not isinstance(actor, Anonymous)]


def _teacher(request: HttpRequest, query: Query) -> TeacherActor | None:
    """The teacher behind a test student: it is theirs for as long as the class is."""
    return TeacherActor(cast("Teacher", request.user)) if query.as_student else None


def handshake(scope: Mapping[str, Any]) -> HttpRequest:
    """The handshake as a request, as far as session, account and language need it."""
    request = HttpRequest()
    headers = dict(scope["headers"])
    try:
        cookies = SimpleCookie(headers.get(b"cookie", b"").decode("latin-1"))
    except CookieError:
        cookies = SimpleCookie()
    request.COOKIES = {name: morsel.value for name, morsel in cookies.items()}
    request.META["HTTP_ACCEPT_LANGUAGE"] = headers.get(b"accept-language", b"").decode("latin-1")
    engine = import_module(settings.SESSION_ENGINE)
    request.session = engine.SessionStore(request.COOKIES.get(settings.SESSION_COOKIE_NAME))
    request.user = get_user(request)
    return request


def _session_key(request: HttpRequest) -> str:
    return request.session.session_key or ""


def _language(request: HttpRequest) -> str:
    return translation.get_language_from_request(request)


def _you(actor: Actor, seat: int | None) -> You:
    match actor:
        case StudentActor(student):
            return You(role="member", seat=seat, student=str(student.pk), name=student.name)
        case TeacherActor(teacher):
            return You(role="teacher", name=teacher.name)
        case _:
            return You(role="screen")


def _is_student(actor: Actor) -> bool:
    return isinstance(actor, StudentActor)


def _may_watch(actor: Actor, lesson: str) -> bool:
    try:
        access_lesson(actor, lesson, to="watch")  # type: ignore[arg-type]
    except DomainError:
        return False
    return True


def _matches(lesson: Lesson, actor: Actor) -> tuple[str, ...]:
    if isinstance(actor, StudentActor):
        mine = matches_of_student(lesson, actor.student.pk)
        return tuple(str(pk) for pk in mine.values_list("pk", flat=True)[:1])
    return tuple(str(pk) for pk in lesson.matches.order_by("number").values_list("pk", flat=True))
