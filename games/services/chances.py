"""The chance of live play."""

from __future__ import annotations

import random

from django.conf import settings

from games.engine.chance import Chance, secure

_SEEDED = random.Random(settings.SEEDED_CHANCE)  # noqa: S311  reproducible on purpose


def live() -> Chance:
    """The operating system's secure source; one seeded source only under the test settings."""
    if settings.SEEDED_CHANCE is None:
        return secure()
    return Chance(_SEEDED.randrange)


def bot_delay_s() -> float:
    """How long a bot takes over a decision, whatever it is about: 1 to 3 s."""
    # Asked at every move; nobody gains by guessing it.
    return random.uniform(1, 3)  # noqa: S311
