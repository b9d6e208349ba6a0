"""Setting up a lesson of a game: its rules, its matches and their teams, up to the start.

Drafted teams are matches in the lobby with their members; nothing is in a log
before ``start_matches``.
"""

from games.services.preparing.settling import BadSetup, keep_apart, save_setup
from games.services.preparing.setups import Devices, Setup, bots_of, game_in, setup_of
from games.services.preparing.starting import start_matches
from games.services.preparing.teams import (
    NobodyHere,
    NoLastTeams,
    make_teams,
    place_student,
    repeat_teams,
)

__all__ = [
    "BadSetup",
    "Devices",
    "NoLastTeams",
    "NobodyHere",
    "Setup",
    "bots_of",
    "game_in",
    "keep_apart",
    "make_teams",
    "place_student",
    "repeat_teams",
    "save_setup",
    "setup_of",
    "start_matches",
]
