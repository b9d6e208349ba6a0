"""Corruption! as an entry of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from games.engine.game import ContentProblem, Game
from games.engine.text import gettext_noop as _, say
from games.rules.corruption import content as contents
from games.rules.corruption.bots import CorruptionBot, corruption_bots
from games.rules.corruption.events import AnyEvent
from games.rules.corruption.meter import CorruptionMeter
from games.rules.corruption.moves import AnyMove
from games.rules.corruption.options import Options
from games.rules.corruption.ruleset import CorruptionRuleset
from games.rules.corruption.state import State


class Corruption(Game):
    """Two villages, one river, and what corruption does to them."""

    key = "corruption"
    title = say(_("Corruption!"))
    summary = say(
        _(
            "Two teams each build a village, and learn what corruption costs and how to get "
            "clean. For ages 12 and up."
        )
    )
    seats = range(2, 3)
    seat_names = (say(_("Red")), say(_("Blue")))
    options_type = Options
    content = contents.KINDS
    state_type = State
    move_type = AnyMove
    event_type = AnyEvent
    acts = frozenset({"roll", "collect", "qa_ask"})

    def ruleset(self, options: Struct, content: Mapping[str, Any]) -> CorruptionRuleset:
        assert isinstance(options, Options), "options are of options_type"
        return CorruptionRuleset(contents.parse(content), options)

    def check(self, key: str, content: Mapping[str, Any]) -> tuple[ContentProblem, ...]:
        return contents.check(key, content)

    def bots(self, content: Mapping[str, Any]) -> tuple[CorruptionBot, ...]:
        return corruption_bots(contents.parse(content))

    def meter(self, options: Struct, content: Mapping[str, Any]) -> CorruptionMeter:
        assert isinstance(options, Options), "options are of options_type"
        return CorruptionMeter(contents.parse(content), options)
