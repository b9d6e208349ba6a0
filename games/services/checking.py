"""Whether stored matches are what their logs say."""

from __future__ import annotations

from enum import Enum
from uuid import UUID

import msgspec
from django.db import transaction

from games.engine.chance import ChanceExhausted
from games.engine.refusals import IllegalMove
from games.engine.replay import BrokenLog
from games.models import Match
from games.selectors import positions
from games.selectors.rulesets import rules_of


class Found(Enum):
    """What a check says about a match."""

    SOUND = "is sound"
    GAP = "has a gap or a wrong version in its log"
    LOG = "has a log that the rules do not accept"
    STATE = "is stored in another state than its log gives"
    REPAIRED = "was stored in another state than its log gives; repaired"


def check(match_id: UUID, *, repair: bool = False) -> Found:
    """Replay one match from its log and compare; with ``repair`` write the state of the log."""
    match = Match.objects.get(pk=match_id)
    rules = rules_of(match)
    try:
        states = positions.replayed(match)
    except BrokenLog:
        return Found.GAP
    except (IllegalMove, ChanceExhausted, msgspec.ValidationError):
        return Found.LOG
    if len(states) != match.version:
        return Found.GAP
    if match.state and rules.codec.state(match.state) == states[-1]:
        return Found.SOUND
    if not repair:
        return Found.STATE
    with transaction.atomic():
        moved = Match.objects.filter(pk=match.pk, version=match.version)
        moved.update(state=rules.codec.encode(states[-1]).decode())
    return Found.REPAIRED
