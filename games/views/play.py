"""The pages of a match: a member's play page, and the board that everybody may look at."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from classroom.access import Actor, StudentActor, TeacherActor, actor as actor_of
from classroom.errors import NotThere
from classroom.views.asking import player_of
from games.models import Match
from games.position import Position
from games.selectors import positions
from games.selectors.matches import check_match, lesson_of_member
from games.selectors.playpages import five_pictures, match_of_page, seats, sentence, written_content
from games.selectors.screens import screen_token
from games.selectors.wording import words
from games.services import frames, steady
from games.services.frames import You
from games.views import onlookers
from games.views.ending import ending

RECENT_RECORDS = 10  # whose events stand in the page; the socket tells those of 30


@require_safe
def play(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """Where a member of a team plays; the waiting page of the lesson before the start.

    Also for a member whose browser lost the name: that page knows the way back.
    """
    match = match_of_page(match_id)
    actor = player_of(request, match.lesson.classroom)
    as_student = request.GET.get("as", "")
    try:
        check_match(actor, match, to="play")
    except NotThere:
        lesson_id = lesson_of_member(actor, match_id)
        return redirect(_waiting_page(lesson_id, as_student))
    assert isinstance(actor, StudentActor), "only members may play"
    back = _waiting_page(match.lesson_id, as_student)
    position = positions.shown(match)
    seat = position.seat_of(str(actor.student.pk))
    if position.state is None or seat is None:  # kicked while we asked
        return redirect(back)
    you = You(role="member", seat=seat, student=str(actor.student.pk), name=actor.student.name)
    page = match_page(position, you) | {
        "seat": seat,
        "me": you.student,
        "back": back,
        "test": actor.student.test,
        "story": _with(reverse("games:story", args=[match.pk]), **{"as": as_student}),
        "socket": _with(f"/ws/match/{match.pk}/", **{"as": as_student}),
        "poll": _with(f"/matches/{match.pk}/now/", **{"as": as_student}),
    }
    return _drawn(request, "play", position, page)


def _waiting_page(lesson_id: UUID, as_student: str) -> str:
    return _with(reverse("classroom:play", args=[lesson_id]), **{"as": as_student})


@require_safe
def board(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The board for all to look at: public facts only, by login or the read-only link."""
    screen = request.GET.get("screen", "")
    match = match_of_page(match_id)
    actor = _onlooker(request, match, screen)
    check_match(actor, match, to="watch")
    position = positions.shown(match)
    # By the link also for a teacher, whose own socket would be told what only teachers may know.
    link = screen_token(match.lesson) if isinstance(actor, TeacherActor) else screen
    page = board_page(position, link) | {
        "back": _with(reverse("games:screen", args=[match.lesson_id]), screen=screen),
        "story": _with(reverse("games:story", args=[match.pk]), screen=screen),
    }
    if position.status == Match.Status.ENDED:
        return _drawn(request, "end", position, page, ending(match, page["seats"]))
    return _drawn(request, "board", position, page)


def _onlooker(request: HttpRequest, match: Match, screen: str) -> Actor:
    if screen:
        return onlookers.by_link(screen)
    return actor_of(request.session, request.user, match.lesson.classroom)


def board_page(position: Position, screen: str) -> dict[str, Any]:
    """What a script is given that draws the board for all; ``screen``: the link's token or ""."""
    return match_page(position, You(role="screen")) | {
        "seat": None,
        "me": None,
        "socket": _with(f"/ws/match/{position.match}/", board="1", screen=screen),
        "poll": _with(f"/matches/{position.match}/now/", board="1", screen=screen),
    }


def match_page(position: Position, you: You) -> dict[str, Any]:
    """What the script of a page is given, the first messages of its socket among it."""
    language = get_language() or position.language
    now = steady.now()
    happened = positions.happened_since(position, position.version - RECENT_RECORDS)
    first = [
        msgspec.json.decode(frames.hello(position, you, now)),
        msgspec.json.decode(frames.observation(position, you.viewer, language, happened, now)),
    ]
    return {
        "frames": first if position.state is not None else first[:1],
        "content": written_content(position.rules),
        "language": position.language,
        "seats": seats(position),
        "rules": reverse("games:rules", args=[position.game.key]),
        "how": reverse("games:how_to_play", args=[position.game.key]),
        "match": position.match,
        "number": position.number,
    }


def _drawn(
    request: HttpRequest,
    kind: str,
    position: Position,
    page: dict[str, Any],
    more: Mapping[str, Any] = MappingProxyType({}),
) -> HttpResponse:
    key = position.game.key
    return render(
        request,
        [f"games/{kind}s/{key}.html", f"games/{kind}.html"],
        {
            "title": words(position.game.title),
            "play": page,
            "teams": _teams(page),
            "sentence": sentence(page["frames"]),
            "steps": five_pictures(key),
            **more,
        },
    )


def _teams(page: dict[str, Any]) -> list[dict[str, Any]]:
    """The teams with their public figures, for the first view."""
    standing = page["frames"][-1].get("standing") or [[] for _seat in page["seats"]]
    return [
        {**seat, "flag_css": f"flag {seat['css']}", "figures": figures}
        for seat, figures in zip(page["seats"], standing, strict=True)
    ]


def _with(address: str, **query: str) -> str:
    """The address with those values of a query that are not empty."""
    told = {name: value for name, value in query.items() if value}
    return f"{address}?{urlencode(told)}" if told else address
