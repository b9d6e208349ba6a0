"""What the live part looks at once a second, for as long as the process serves.

A round that fails is no end of it: without these looks no turn would end, and no right be taken
from an open page. The database may be away for a while; what else fails is a fault of ours.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from django import db

logger = logging.getLogger("games.live")

EVERY_S = 1.0


async def for_ever(look: Callable[[], Awaitable[None]], *, name: str) -> None:
    """Look again and again, with a pause of ``EVERY_S`` after each look.

    ``name``: what the log calls it, as in "The clock failed".
    """
    while True:
        try:
            await look()
        except db.Error:  # a connection that is gone is no DatabaseError
            logger.warning("%s failed; the database is asked again.", name, exc_info=True)
        except Exception:
            logger.exception("%s failed; it goes on.", name)
        await asyncio.sleep(EVERY_S)
