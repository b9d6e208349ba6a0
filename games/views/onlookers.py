"""Who looks at boards and screens: by the read-only link of a lesson, else by the account."""

from __future__ import annotations

from django.http import HttpRequest

from classroom.access import Anonymous, PublicScreen, TeacherActor
from classroom.errors import NotThere
from classroom.models import Teacher
from games.selectors.screens import lesson_of_screen


def by_link(token: str) -> PublicScreen:
    """Who holds the link.

    Raises:
        NotThere: the token shows no lesson.
    """
    lesson = lesson_of_screen(token)
    if lesson is None:
        raise NotThere
    return PublicScreen(lesson)


def of_lesson(request: HttpRequest, token: str) -> TeacherActor | PublicScreen | Anonymous:
    """Who holds the link, else the teacher who is logged in; a link that shows nothing is none."""
    shown = lesson_of_screen(token) if token else None
    if shown is not None:
        return PublicScreen(shown)
    return TeacherActor(request.user) if isinstance(request.user, Teacher) else Anonymous()
