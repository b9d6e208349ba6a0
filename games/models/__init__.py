"""Decks and matches (DESIGN section 8)."""

from games.models.decks import Deck, DeckVersion
from games.models.matches import Match, MatchContent, Member, MoveRecord, Team, Vote

__all__ = [
    "Deck",
    "DeckVersion",
    "Match",
    "MatchContent",
    "Member",
    "MoveRecord",
    "Team",
    "Vote",
]
