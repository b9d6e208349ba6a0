"""Corruption! for the suite that every game passes."""

from __future__ import annotations

from msgspec.structs import fields, replace

from games.bots.bot import bot_move
from games.bots.roster import bots_for
from games.catalog import GAMES
from games.decks.starters import starter_content
from games.engine.game import Watcher
from tests.rules.subject import Subject

CONTENT = starter_content("corruption")
BOT = next(iter(bots_for(GAMES["corruption"], CONTENT).values()))


class CorruptionSubject(Subject):
    game = GAMES["corruption"]
    longest = 5000

    def content(self):
        return CONTENT

    def choose(self, ruleset, state, decision, chance):
        """Three moves in four are a bot's: teams that play by chance alone stay poor for hours."""
        if chance.below(4):
            return bot_move(ruleset, state, decision, BOT, chance)
        return super().choose(ruleset, state, decision, chance)

    def value(self, ruleset, state):
        """All fish (COR-INV-1) and all cards; an unlimited river takes and gives as it likes."""
        fish = state.river + state.bank
        fish += sum(team.possession + team.insurance for team in state.teams)
        return fish if ruleset.rules.finite else "unlimited", _cards(state)

    def twin(self, ruleset, turn, viewer, chance):
        """Secret is the order of what is left in the decks, and a question not yet put."""
        before = turn.before.decks
        decks = {}
        for field in fields(before):
            cards = getattr(before, field.name)
            drawn = _drawn(cards, getattr(turn.after.decks, field.name))
            if field.name == "qa" and _keeps_secret(turn.after.question, viewer):
                drawn = 0
            decks[field.name] = (*cards[:drawn], *chance.shuffled(cards[drawn:]))
        return replace(turn.before, decks=replace(before, **decks)), turn.move


def _cards(state):
    decks = state.decks
    donation = [*decks.donation, *(card for team in state.teams for card in team.donations)]
    qa = set(decks.qa) | ({state.question.card} if state.question else set())
    return tuple(
        tuple(sorted(cards))
        for cards in (decks.corruption, decks.national, decks.local, donation, qa)
    )


def _drawn(before, after):
    """How many cards left the top of a deck; cards come back only to its bottom."""
    return next(
        drawn for drawn in range(len(before) + 1) if after[: len(before) - drawn] == before[drawn:]
    )


def _keeps_secret(question, viewer):
    asker = question is not None and viewer in (1 - question.seat, Watcher.TEACHER)
    return question is not None and not question.asked and not asker


SUBJECT = CorruptionSubject()
