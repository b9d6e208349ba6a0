"""Addresses of the sockets."""

from __future__ import annotations

from channels.routing import URLRouter
from django.urls import path

from games.live.consumers import LessonSocket, MatchSocket

sockets = URLRouter(
    [
        path("ws/match/<uuid:match_id>/", MatchSocket.as_asgi()),
        path("ws/lesson/<uuid:lesson_id>/", LessonSocket.as_asgi()),
    ]
)
