"""Decks and matches (docs/architecture.md)."""

from games.models.decks import Deck, DeckPicture, DeckVersion
from games.models.matches import Match, MatchContent, Member, MoveRecord, Team, Vote
from games.models.notices import Notice

__all__ = [
    "Deck",
    "DeckPicture",
    "DeckVersion",
    "Match",
    "MatchContent",
    "Member",
    "MoveRecord",
    "Notice",
    "Team",
    "Vote",
]
