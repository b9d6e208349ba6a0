"""Lanterns for the suite that every game passes."""

from __future__ import annotations

from msgspec.structs import replace

from tests.rules.lanterns.game import CARDS, LANTERNS, Guess, Laid, Lay, Pour, Shown
from tests.rules.subject import Subject, exchanged


class LanternsSubject(Subject):
    game = LANTERNS
    longest = 8 * 5  # rounds, and moves in each

    def content(self):
        return {"cards": CARDS}

    def value(self, ruleset, state):
        table = (state.face_down,) if state.face_down else ()
        cards = (*state.hands[0], *state.hands[1], *state.deck, *state.discard, *table)
        return sum(state.oil) + state.lamp, tuple(sorted(cards))

    def twin(self, ruleset, turn, viewer, chance):
        hidden = set(ruleset.light)
        for state in (turn.before, turn.after):
            hidden -= set(state.discard)
            if isinstance(viewer, int):
                hidden -= set(state.hands[viewer])
            if isinstance(state.phase, Shown) and _knows_guess(state.phase, turn, viewer):
                hidden.discard(state.phase.guess)
        if isinstance(turn.move, Pour):
            hidden.discard(turn.before.face_down)  # turned up, and perhaps shuffled back at once
        other = exchanged(sorted(ruleset.light), hidden, chance)
        return _renamed(turn.before, other), _moved(turn.move, other)


def _knows_guess(phase, turn, viewer):
    """The guesser knows the guess, and all do once the round has ended."""
    return phase.guesser == viewer or not isinstance(turn.after.phase, Shown)


def _renamed(state, other):
    phase = state.phase
    match phase:
        case Laid():
            phase = Laid(sealed=tuple(card and other[card] for card in phase.sealed))
        case Shown(guess=str(card)):
            phase = replace(phase, guess=other[card])
    return replace(
        state,
        phase=phase,
        hands=tuple(tuple(sorted(other[card] for card in hand)) for hand in state.hands),
        deck=tuple(other[card] for card in state.deck),
        face_down=other[state.face_down] if state.face_down else "",
    )


def _moved(move, other):
    match move:
        case Lay(card=card):
            return Lay(card=other[card])
        case Guess(card=card):
            return Guess(card=other[card])
        case _:
            return move


SUBJECT = LanternsSubject()
