"""What a school runs, except that chance comes from a seed: for tests that must go one way."""

from __future__ import annotations

from config import env
from config.settings.production import *  # noqa: F403

SEEDED_CHANCE = int(env.text("CIVIC_TEST_SEED"))
