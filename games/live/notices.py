"""What a lesson tells the pages of its matches: the teacher's notices, the announced end, the
last round. Asked for once a second, like everything that pages change (decision 0004).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from classroom.models import Lesson
from games.live import rounds
from games.live.hub import Hub
from games.models import Notice
from games.position import Position
from games.services import frames


class News(NamedTuple):
    """What stands in the database about one lesson."""

    ends_at: float | None  # Unix time
    notices: tuple[Notice, ...]  # newest last


NOTHING = News(None, ())


async def tell(hub: Hub) -> None:
    """Tell for ever what is new."""
    told: WeakKeyDictionary[Any, dict[str, Any]] = WeakKeyDictionary()
    await rounds.for_ever(lambda: look(hub, told), name="The poll of notices")


async def look(hub: Hub, told: WeakKeyDictionary[Any, dict[str, Any]]) -> None:
    """One look; each page hears what is new to it."""
    rooms = [room for room in hub.rooms.values() if room.position is not None and room.sockets]
    lessons = {room.position.lesson for room in rooms if room.position is not None}
    lessons |= set(hub.lessons)
    if not lessons:
        return
    news = await hub.reader.ask(news_of, lessons)
    for room in rooms:
        position = room.position
        assert position is not None
        for socket in tuple(room.sockets):
            seat = socket.you.seat if socket.you.role == "member" else None
            known = news.get(position.lesson, NOTHING)
            _push(socket, said(known, position, seat, public=socket.you.role != "member"), told)
    for lesson in tuple(hub.lessons.values()):
        for socket in tuple(lesson.sockets):
            if socket.you.role == "screen":
                _push(socket, said(news.get(lesson.lesson, NOTHING), None, None, public=True), told)


def news_of(lessons: Collection[str]) -> dict[str, News]:
    """The news of these lessons, in two queries."""
    notices: dict[str, list[Notice]] = {}
    for notice in Notice.objects.filter(lesson_id__in=lessons).order_by("pk"):
        notices.setdefault(str(notice.lesson_id), []).append(notice)
    rows = Lesson.objects.filter(pk__in=lessons, state=Lesson.State.OPEN)
    return {
        str(pk): News(
            None if ends_at is None else ends_at.timestamp(), tuple(notices.get(str(pk), ()))
        )
        for pk, ends_at in rows.values_list("pk", "ends_at")
    }


def said(
    news: News, position: Position | None, seat: int | None, *, public: bool
) -> dict[str, Any]:
    """What one page is told: the newest notice that it may show, the end, the last round."""
    match = "" if position is None else position.match
    mine = [
        notice
        for notice in news.notices
        if notice.is_for(match, seat) and (notice.on_screen or not public)
    ]
    return {
        "notice": _shown(mine[-1]) if mine else None,
        "ends_at": None if news.ends_at is None else round(news.ends_at * 1000),
        "last_round": position is not None and position.timing.last_round is not None,
    }


def _shown(notice: Notice) -> dict[str, Any]:
    return {"id": notice.pk, "match": notice.match_id, "text": notice.text}


_SILENCE = said(NOTHING, None, None, public=True)  # what a page knows before it is told


def _push(socket: Any, now: dict[str, Any], told: WeakKeyDictionary[Any, dict[str, Any]]) -> None:
    if told.get(socket, _SILENCE) != now:
        told[socket] = now
        socket.push(frames.lesson_news(**now))
