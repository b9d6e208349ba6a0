"""Hints to other web processes, over the channel layer; any of them may get lost."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from channels.layers import get_channel_layer
from django.conf import settings

logger = logging.getLogger("games.live.hints")  # once a minute: config.logs.Seldom

GROUP = "live"  # of all web processes
LONGEST_S = 3.0


async def give(hint: dict[str, Any]) -> None:
    """Tell the other processes, where there are any."""
    layer = get_channel_layer()
    if not settings.REDIS_URL or layer is None:
        return
    try:
        async with asyncio.timeout(LONGEST_S):
            await layer.group_send(GROUP, hint)
    except Exception as error:
        logger.warning("The channel layer took no hint; the poll will do: %r", error)
