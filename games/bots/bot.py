"""What a bot is given and what it answers.

A bot gets a ``View``: the public content, the observation of its own seat, the
open decision and the legal moves. The state never reaches it, so it cannot use
what a player in its seat could not know.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from msgspec import Struct

from games.engine.chance import Chance
from games.engine.game import Decision, Ruleset
from games.engine.moves import Moves
from games.engine.text import Text, gettext_noop as _, say


class View(Struct, frozen=True, kw_only=True):
    """Everything that a seat knows when it has to answer."""

    public: Any  # Ruleset.public_content()
    observation: Any  # Ruleset.observe for this seat
    decision: Decision
    moves: Moves[Any]


class Bot(ABC):
    """Chooses moves for one seat of any match of its game. Instances hold no memory of a match."""

    key: str
    title: Text
    manner: Text  # one sentence: how it plays

    @abstractmethod
    def choose(self, view: View, chance: Chance) -> Any:
        """One of ``view.moves``."""


class RandomBot(Bot):
    """Plays any game: each legal move is equally likely."""

    key = "random"
    title = say(_("Random"))
    manner = say(_("Takes any option, as a die would."))

    def choose(self, view: View, chance: Chance) -> Any:
        return view.moves.any(chance)


def view_of(ruleset: Ruleset[Any, Any, Any], state: Any, decision: Decision) -> View:
    """What the seat of an open decision knows."""
    return View(
        public=ruleset.public_content(),
        observation=ruleset.observe(state, decision.seat),
        decision=decision,
        moves=ruleset.legal_moves(state, decision.seat),
    )


def bot_move(
    ruleset: Ruleset[Any, Any, Any], state: Any, decision: Decision, bot: Bot, chance: Chance
) -> Any:
    """The bot's answer to an open decision."""
    return bot.choose(view_of(ruleset, state, decision), chance)
