"""What ended matches tell about students, written beside play until it is written.

A process that is killed, or a database without time, may keep it from being told at the end;
then it is told by whichever process starts next.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from django.db import OperationalError

from classroom.transactions import is_passing
from games.live.reader import Reader
from games.services import facts

P = ParamSpec("P")
R = TypeVar("R")

AGAIN_S = 5.0

logger = logging.getLogger("games.live")


async def tell(reader: Reader, match: str) -> None:
    """Replace the facts of a match by what its log tells."""
    await _patiently(reader, facts.project, match)


async def tell_late(reader: Reader) -> None:
    """Do so for all matches whose end was not told; one that cannot be read keeps no other."""
    for match in await _patiently(reader, facts.untold):
        try:
            await tell(reader, match)
        except Exception:
            logger.exception("What match %s tells about students could not be read.", match)


async def _patiently(reader: Reader, act: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    while True:
        try:
            return await reader.ask(act, *args, **kwargs)
        except OperationalError as error:
            if not is_passing(error):
                raise
            logger.warning("What a match tells about students waits for the database: %s", error)
            await asyncio.sleep(AGAIN_S)
