"""The projector of a lesson: the lobby with its code, then all matches; public facts only."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRefresh

from classroom.access import PublicScreen, access_lesson
from classroom.codes import spaced
from classroom.errors import TooFast
from classroom.models import Lesson
from classroom.services.joining import LessonClosed
from classroom.throttle import CODE_FLOOD, count_code_miss
from classroom.views.asking import address_of
from classroom.views.codes import join_address, qr
from games.models import Match
from games.selectors import positions
from games.selectors.lineups import expected, present_ids, started
from games.selectors.screens import lesson_of_screen_code, lobby_notice, screen_token
from games.views import onlookers
from games.views.play import board_page

# Side by side on a wide picture: up to so many matches in so many columns.
COLUMNS = ((2, 2), (3, 3), (4, 2), (6, 3), (12, 4))
WIDEST = 5
# Names of the lobby that fit in letters of 36 px: so long and so many, or longer and fewer.
SHORT_NAME, MOST_NAMES = 9, 35
LONG_NAME, MOST_WIDE = 13, 30


@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest) -> HttpResponse:
    """The short code from the desk, typed on the computer of the projector."""
    if request.method != "POST":
        return render(request, "games/screen_enter.html")
    address = address_of(request)
    if CODE_FLOOD.over(address):
        raise TooFast
    lesson = lesson_of_screen_code(request.POST.get("code", "")[:40])
    if lesson is not None:
        return redirect(
            _with_token(reverse("games:screen", args=[lesson.pk]), screen_token(lesson))
        )
    if count_code_miss(address):
        raise TooFast
    problem = _("No open lesson has this code. Look at the teacher’s desk and type it again.")
    return render(request, "games/screen_enter.html", {"problem": problem}, status=422)


@require_safe
def screen(request: HttpRequest, lesson_id: UUID) -> HttpResponse:
    """What the class looks at: who is here, and from the start on the matches.

    For the teacher who is logged in, or by the read-only link (``?screen=``).
    """
    token = request.GET.get("screen", "")
    onlooker = onlookers.of_lesson(request, token)
    lesson = access_lesson(onlooker, lesson_id, to="watch")
    matches = list(started(lesson))
    asked_by_the_lobby = "HX-Request" in request.headers
    if matches and asked_by_the_lobby:
        return HttpResponseClientRefresh()  # boards have scripts of their own
    if len(matches) == 1:
        return redirect(_with_token(reverse("games:board", args=[matches[0].pk]), token))
    if matches:
        game = lesson.activity
        templates = [f"games/screens/{game}.html", "games/screen.html"]
        return render(request, templates, _overview(lesson, matches, token))
    if isinstance(onlooker, PublicScreen) and lesson.state != Lesson.State.OPEN:
        raise LessonClosed  # an old link must not tell the class's code of today
    part = "_screen_lobby" if asked_by_the_lobby else "screen_lobby"
    return render(request, f"games/{part}.html", {**_lobby(request, lesson), "token": token})


def _with_token(address: str, token: str) -> str:
    return f"{address}?{urlencode({'screen': token})}" if token else address


def _overview(lesson: Lesson, matches: list[Match], token: str) -> dict[str, Any]:
    """All matches side by side, and what the script needs to follow each of them."""
    # Also a teacher's own screen follows by the link: a browser may hold few sockets by itself.
    link = token or screen_token(lesson)
    contents: list[Any] = []  # matches of a lesson mostly share board and decks
    pages = []
    for match in matches:
        page = board_page(positions.shown(match), link)
        if page["content"] not in contents:
            contents.append(page["content"])
        pages.append(page | {"content": contents.index(page["content"])})
    return {
        "lesson": lesson,
        "matches": matches,
        "token": token,
        "columns": next((columns for most, columns in COLUMNS if len(matches) <= most), WIDEST),
        "told": {"lesson": lesson.pk, "token": link, "matches": pages, "contents": contents},
    }


def _names_look(names: list[str]) -> str:
    """How the names share the picture: wider columns for longer ones, smaller letters for many."""
    longest = max(map(len, names), default=0)
    if longest > LONG_NAME or len(names) > (MOST_WIDE if longest > SHORT_NAME else MOST_NAMES):
        return "small"
    return "wide" if longest > SHORT_NAME else ""


def _lobby(request: HttpRequest, lesson: Lesson) -> dict[str, object]:
    present = present_ids(lesson)
    students = list(expected(lesson))
    return {
        "lesson": lesson,
        "code": spaced(lesson.classroom.code),
        "names": [(s, s.pk in present) for s in students],
        "look": _names_look([s.name for s in students]),
        "number_here": len(present),
        "address": join_address(request).split("//")[-1].rstrip("/"),
        "qr": qr(request, lesson.classroom),
        "notice": lobby_notice(lesson),
    }
