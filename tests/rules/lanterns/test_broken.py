"""Lanterns broken in each way that the shared suite is there to notice.

A suite that never failed proves nothing.
"""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from games.engine.chance import ChanceExhausted, seeded
from games.engine.facts import Fact, FactKind
from games.engine.game import Step
from games.engine.refusals import IllegalMove
from games.engine.replay import BrokenLog
from games.engine.text import say
from tests.rules import test_conformance as suite
from tests.rules.lanterns.game import (
    Accept,
    Contest,
    Lanterns,
    LanternsGame,
    Options,
    Pour,
    Shown,
)
from tests.rules.lanterns.subject import LanternsSubject
from tests.rules.plays import by_chance


class ShowsAHand(Lanterns):
    def observe(self, state, viewer):
        return replace(super().observe(state, viewer), hand=state.hands[0])


class ShowsTheNextCard(Lanterns):
    def cost(self, state, seat, move):
        return say("%(card)s is next.", card=state.deck[0] if state.deck else "nothing")


class TellsASealedCard(Lanterns):
    def tell(self, event, viewer):
        return event


class TellsByTheDoor(Lanterns):
    def window_s(self, state, decision):
        return self.light[state.face_down] + 1 if state.face_down else None


class DrawsItsOwnChance(Lanterns):
    def setup(self, seats, chance):
        return super().setup(seats, seeded(random.randrange(10**9)))


class Remembers(Lanterns):
    count = 0

    def apply(self, state, seat, move, chance):
        step = super().apply(state, seat, move, chance)
        self.count += 1
        return replace(step, state=replace(step.state, lamp=step.state.lamp + self.count // 9))


class DrawsBeforeItRefuses(Lanterns):
    def apply(self, state, seat, move, chance):
        chance.die()
        return super().apply(state, seat, move, chance)


class TakesWhatIsNotListed(Lanterns):
    def apply(self, state, seat, move, chance):
        if isinstance(move, Pour) and isinstance(state.phase, Shown):
            return Step(state)
        return super().apply(state, seat, move, chance)


class ListsWhatItRefuses(Lanterns):
    def legal_moves(self, state, seat):
        moves = super().legal_moves(state, seat)
        return replace(moves, moves=(Contest(), Accept())) if Accept() in moves else moves


class AnswersForTheOther(Lanterns):
    def legal_moves(self, state, seat):
        open_seats = {decision.seat for decision in self.decisions(state)}
        return super().legal_moves(state, seat if seat in open_seats else 1 - seat)


class LosesOil(Lanterns):
    def apply(self, state, seat, move, chance):
        step = super().apply(state, seat, move, chance)
        return replace(step, state=replace(step.state, lamp=0))


class NeverEnds(Lanterns):
    def apply(self, state, seat, move, chance):
        return super().apply(replace(state, round=1), seat, move, chance)


class StopsWithoutAnOutcome(Lanterns):
    def outcome(self, state):
        return None


class WaitsForNobody(Lanterns):
    def decisions(self, state):
        return tuple(replace(decision, required=False) for decision in super().decisions(state))


class DefaultsToTooMuch(Lanterns):
    def default_move(self, state, decision, chance):
        if decision.kind == "pour":
            return Pour(oil=99)
        return super().default_move(state, decision, chance)


class ForgetsOnReshuffle(Lanterns):
    def reshuffle(self, state, chance):
        return replace(super().reshuffle(state, chance), discard=())


class SaysTheSameOfAll(Lanterns):
    def label(self, state, seat, move):
        return say("Do it")


class LeavesAValueOut(Lanterns):
    def waiting(self, state, decision):
        return say("%(team)s thinks.")


class AsksWithoutASentence(Lanterns):
    def ask(self, state, decision):
        return say("Card")


class KnowsAStranger(Lanterns):
    def facts(self, play):
        return (Fact(kind=FactKind.CHOICE, student="a stranger", seat=0, what="answer", version=1),)


def broken_play(ruleset_type, seed):
    """A play of the broken game with options under which every capability is used."""

    class Broken(LanternsGame):
        def ruleset(self, options, content):
            whole = super().ruleset(options, content)
            return ruleset_type(whole.options, whole.cards)

    class BrokenSubject(LanternsSubject):
        game = Broken()

        def choose(self, ruleset, state, decision, chance):
            return Lanterns.legal_moves(ruleset, state, decision.seat).any(chance)

    subject = BrokenSubject()
    ruleset = subject.game.ruleset(Options(rounds=8), subject.content())
    return by_chance(subject, ruleset, 2, seeded(seed))


NOTICED = (AssertionError, BrokenLog, ChanceExhausted, IllegalMove, pytest.fail.Exception)


@pytest.mark.parametrize(
    ("ruleset_type", "check"),
    [
        (ShowsAHand, suite.test_nobody_is_told_what_they_may_not_know),
        (ShowsTheNextCard, suite.test_nobody_is_told_what_they_may_not_know),
        (TellsASealedCard, suite.test_nobody_is_told_what_they_may_not_know),
        (TellsByTheDoor, suite.test_nobody_is_told_what_they_may_not_know),
        (DrawsItsOwnChance, suite.test_replay_of_the_log_equals_the_play),
        (Remembers, suite.test_replay_of_the_log_equals_the_play),
        (DrawsBeforeItRefuses, suite.test_moves_not_listed_are_refused_without_a_draw),
        (TakesWhatIsNotListed, suite.test_moves_not_listed_are_refused_without_a_draw),
        (ListsWhatItRefuses, suite.test_every_listed_move_applies),
        (AnswersForTheOther, suite.test_a_seat_without_a_decision_is_refused),
        (LosesOil, suite.test_no_move_changes_the_value_of_everything),
        (NeverEnds, suite.test_a_play_by_chance_ends),
        (StopsWithoutAnOutcome, suite.test_open_decisions_and_outcome_exclude_each_other),
        (WaitsForNobody, suite.test_open_decisions_and_outcome_exclude_each_other),
        (DefaultsToTooMuch, suite.test_the_default_move_applies_to_every_decision),
        (ForgetsOnReshuffle, suite.test_a_reshuffle_changes_nothing_that_anybody_may_know),
        (SaysTheSameOfAll, suite.test_every_move_has_a_label_and_says_what_it_costs),
        (LeavesAValueOut, suite.test_every_decision_is_asked_and_waited_for_in_a_sentence),
        (AsksWithoutASentence, suite.test_every_decision_is_asked_and_waited_for_in_a_sentence),
        (KnowsAStranger, suite.test_facts_are_about_those_who_played),
    ],
    ids=lambda value: value.__name__,
)
def test_the_suite_notices(ruleset_type, check):
    check_plays(Lanterns, check)

    with pytest.raises(NOTICED):
        check_plays(ruleset_type, check)


def check_plays(ruleset_type, check):
    for seed in range(10):
        check(broken_play(ruleset_type, seed))
