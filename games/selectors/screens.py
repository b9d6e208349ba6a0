"""The read-only link to a lesson's boards and projector: whoever has it may look, for a day.

Boards say who is in which team, and a link stays in the history of a computer that many use.
For typing on another computer there is a short code, too. It follows from the
site's secret and the lesson, is stored nowhere, and works while the lesson is open.
"""

from __future__ import annotations

from datetime import timedelta

from django.core import signing
from django.utils.crypto import salted_hmac

from classroom.codes import ALPHABET, typed
from classroom.models import Lesson
from games.models import Notice

SALT = "games.screen"
LINK_LASTS = timedelta(days=1)  # then the code, or the teacher, makes a new one
CODE_LENGTH = 6  # of 31 signs each: 29.7 bits (case AZ-09)


def screen_token(lesson: Lesson) -> str:
    """The secret part of the link, for ``?screen=``; it shows what everybody may know."""
    return signing.dumps(str(lesson.pk), salt=SALT)


def lesson_of_screen(token: str) -> Lesson | None:
    """The lesson that a token shows, classroom preloaded; None for anything else, and too old."""
    try:
        lesson_id = signing.loads(token, salt=SALT, max_age=LINK_LASTS)
    except signing.BadSignature:
        return None
    return Lesson.objects.select_related("classroom").filter(pk=lesson_id).first()


def screen_code(lesson: Lesson) -> str:
    """The code that opens the lesson's projector on another computer."""
    number = int.from_bytes(salted_hmac(SALT, f"code {lesson.pk}", algorithm="sha256").digest())
    signs = []
    for _place in range(CODE_LENGTH):
        number, sign = divmod(number, len(ALPHABET))
        signs.append(ALPHABET[sign])
    return "".join(signs)


def lesson_of_screen_code(code: str) -> Lesson | None:
    """The open lesson of a typed code; None for any other."""
    wanted = typed(code)
    open_lessons = Lesson.objects.filter(state=Lesson.State.OPEN).select_related("classroom")
    return next((lesson for lesson in open_lessons if screen_code(lesson) == wanted), None)


def lobby_notice(lesson: Lesson) -> Notice | None:
    """The newest sentence for all to see, before there are matches; afterwards the sockets tell."""
    return Notice.objects.filter(lesson=lesson, match=None, on_screen=True).order_by("pk").last()
