"""Hints to other web processes, over the channel layer; any of them may get lost."""

from __future__ import annotations

import logging
from typing import Any

from channels.layers import get_channel_layer
from django.conf import settings

logger = logging.getLogger("games.live")

GROUP = "live"  # of all web processes


async def give(hint: dict[str, Any]) -> None:
    """Tell the other processes, where there are any."""
    layer = get_channel_layer()
    if settings.REDIS_URL and layer is not None:
        try:
            await layer.group_send(GROUP, hint)
        except Exception:
            logger.warning("The channel layer took no hint; the poll will do.", exc_info=True)
