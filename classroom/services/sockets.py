"""Telling open sockets that rights or the lesson have changed (QUALITY AZ-17, AZ-18).

Hints after the commit, which may be lost: a consumer also asks ``access_*`` anew
at each action and heartbeat. Group names never come from a client.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import Any
from uuid import UUID

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction
from redis.exceptions import RedisError

from classroom.codes import fingerprint

log = logging.getLogger(__name__)


def teacher_group(teacher_id: UUID) -> str:
    return f"teacher.{teacher_id.hex}"


def student_group(student_id: UUID) -> str:
    return f"student.{student_id.hex}"


def session_group(session_key: str) -> str:
    return f"session.{fingerprint(session_key)[:40]}"


def lesson_group(lesson_id: UUID) -> str:
    return f"lesson.{lesson_id.hex}"


def rights_changed(*groups: str) -> None:
    """After the commit: whoever listens in ``groups`` must ask for access again."""
    for group in groups:
        transaction.on_commit(partial(_send, group, {"type": "rights.changed"}))


def lesson_changed(lesson_id: UUID, what: str) -> None:
    """After the commit: ``what`` is ``roster``, ``opened`` or ``closed``."""
    message = {"type": "lesson.changed", "what": what}
    transaction.on_commit(partial(_send, lesson_group(lesson_id), message))


def _send(group: str, message: dict[str, Any]) -> None:
    layer = get_channel_layer()
    try:
        async_to_sync(layer.group_send)(group, message)
    except (OSError, RedisError):  # the layer is a hint: the work is saved, and heartbeats catch up
        log.warning("The channel layer is out of reach; sockets will notice later.")
