"""What teams are called."""

from __future__ import annotations

from games.engine.game import Game
from games.models import Team
from games.selectors.rulesets import game_of
from games.selectors.wording import words


def team_name(game: Game, language: str, seat: int, name: str, to: str | None = None) -> str:
    """A team's name for a reader (``to``: their language, else the one that is active).

    ``name`` is as it is stored in a match of ``language``. The game's own names are said
    in the reader's language, as the log does; others stand as they are.
    """
    own = game.seat_names[seat]
    return words(own, to) if name == words(own, language) else name


def called(team: Team) -> str:
    """The same for a stored team; its match preloaded."""
    match = team.match
    return team_name(game_of(match.game), match.language, team.seat, team.name)
