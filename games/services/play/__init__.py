"""What becomes of a position: moves, votes, time, and who may act.

Plain code without a database, so that a batch of moves can be judged before one
transaction writes them (docs/architecture.md, "One move, from finger to screen").
Every result that carries a record has the next version; a vote has none.
"""

from games.services.play.answers import repeated, settle, standing_vote, submit, voters
from games.services.play.changes import (
    changed,
    explained,
    finishing,
    paused,
    resumed,
    rewound,
    started,
    stopped,
)
from games.services.play.deadlines import IDLE_TURNS, deserted, expired, owed
from games.services.play.results import (
    Accepted,
    Chances,
    NewRecord,
    Refused,
    RulesBroken,
    Seen,
    Submission,
)

__all__ = [
    "IDLE_TURNS",
    "Accepted",
    "Chances",
    "NewRecord",
    "Refused",
    "RulesBroken",
    "Seen",
    "Submission",
    "changed",
    "deserted",
    "expired",
    "explained",
    "finishing",
    "owed",
    "paused",
    "repeated",
    "resumed",
    "rewound",
    "settle",
    "standing_vote",
    "started",
    "stopped",
    "submit",
    "voters",
]
