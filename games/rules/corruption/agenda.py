"""Carries out what is on the agenda until a team is asked or the game is over."""

from __future__ import annotations

from typing import assert_never

from games.rules.corruption import disasters, inspector, paying, prison, turns, winning
from games.rules.corruption.state import (
    Answer,
    Ask,
    Charge,
    Claim,
    FollowToInspector,
    ForcedSale,
    GiveUpDonation,
    Imprison,
    Inspect,
    Insure,
    Judgement,
    Land,
    LeavePrison,
    NationalLoss,
    Purchase,
    QuestionReward,
    Throw,
    TurnEnd,
    TurnStart,
    Walk,
    WipeRecord,
)
from games.rules.corruption.table import Table


def carry_out(table: Table) -> None:
    """Act in the order of the agenda (rules, section 5)."""
    while table.agenda:
        effect = table.agenda.pop()
        match effect:
            case Walk():
                turns.walk(table, effect)
            case Land():
                turns.land(table, effect.seat)
            case TurnEnd():
                turns.end(table, effect.seat)
            case TurnStart():
                turns.start(table, effect.seat)
            case Charge():
                paying.settle(table, effect)
            case Inspect():
                inspector.inspect(table, effect)
            case NationalLoss():
                disasters.settle_national(table, effect.seat)
            case WipeRecord():
                winning.wipe_record(table, effect.seat)
            case Imprison():
                prison.imprison(table, effect)
            case LeavePrison():
                prison.leave_displaced(table, effect.seat)
            case FollowToInspector():
                winning.follow(table, effect.seat)
            case (
                Throw()
                | Claim()
                | Purchase()
                | Insure()
                | ForcedSale()
                | Judgement()
                | GiveUpDonation()
                | Ask()
                | Answer()
                | QuestionReward()
            ):
                table.agenda.append(effect)
                return
            case _:
                assert_never(effect)
