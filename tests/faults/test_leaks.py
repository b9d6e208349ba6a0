"""No viewer is sent what the rules hide: canaries and twins over bot matches (T6, F12)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from games.engine.chance import seeded
from games.rules.corruption import observing
from tests.faults.canaries import Oracle, canary_content, words_in
from tests.faults.tables import GAME, matches, refusals, sent, with_other_order, with_other_question

CONTENT = canary_content()
TWIN = GAME.ruleset(GAME.options_type(), canary_content(shift=1, explained="Otherwise: "))
LONGEST = 2_000


def leaks_of(seed: int) -> tuple[list[str], Oracle, int]:
    """What one match tells too much, its oracle, and how many versions it had."""
    oracle, found, version = Oracle(), [], 0
    for step in matches(CONTENT, seed, LONGEST):
        assert step.record is not None
        oracle.happened(step.record.events)
        found += oracle.leaks(sent(step.position, step))
        version = step.version
    return found, oracle, version


def differences_of(seed: int) -> tuple[list[str], int]:
    """Where a twin of one match shows that it is one, and how many were compared."""
    found: list[str] = []
    compared = 0
    chance = seeded(seed)
    for step in matches(CONTENT, seed, LONGEST):
        twins = [("order of the decks", with_other_order(step.position, chance), None)]
        question = step.position.state.question
        if question is not None and not question.answered:
            kept = (str(question.seat), "public")
            twins.append(("right answer", replace(step.position, rules=TWIN), kept))
            if not question.asked:
                twins.append(("question drawn", with_other_question(step.position), kept))
        told = sent(step.position, step)
        for what, twin, viewers in twins:
            other = sent(twin, step)  # what happened is the true match's: the same for both
            compared += 1
            found += [
                f"{viewer} at version {step.version}: {what}"
                for viewer in viewers or tuple(told)
                if told[viewer] != other[viewer]
            ]
            if viewers is None and refusals(step.position) != refusals(twin):
                found.append(f"refusals at version {step.version}: {what}")
    return found, compared


@pytest.mark.case("HI-01", "HI-09", "HI-10", "HD-01")
@pytest.mark.timeout(3600)
def test_no_frame_holds_a_word_that_its_viewer_may_not_read(
    numbers: Callable[[int, int], int],
) -> None:
    leaks, questions = [], 0
    for seed in range(numbers(500, 5_000)):
        found, oracle, _version = leaks_of(seed)
        leaks += found
        questions += oracle.drawn

    assert leaks == []
    assert questions > 500  # without questions there was nothing to leak


@pytest.mark.case("HI-07", "HI-08", "HI-10", "HD-03", "HD-07")
@pytest.mark.timeout(3600)
def test_twins_that_differ_in_secrets_send_the_same_bytes(
    numbers: Callable[[int, int], int],
) -> None:
    differences, compared = [], 0
    for seed in range(numbers(40, 500)):
        found, count = differences_of(seed)
        differences += found
        compared += count

    assert differences == []
    assert compared > 1_000


def test_planted_leak_of_an_explanation_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: the explanation goes to everybody as soon as the question is put."""
    honest = observing._question

    def leaky(rules, question, viewer):
        card = rules.content.qa[question.card]
        return replace(honest(rules, question, viewer), explanation=card.explanation)

    monkeypatch.setattr(observing, "_question", leaky)

    assert any("zzx" in leak for seed in range(3) for leak in leaks_of(seed)[0])
    assert any("right answer" in line for seed in range(3) for line in differences_of(seed)[0])


def test_planted_leak_of_the_card_drawn_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: the id of the card goes to those who play."""
    monkeypatch.setattr(observing, "tell", lambda event, viewer: event)

    assert any("zzi" in leak for seed in range(3) for leak in leaks_of(seed)[0])


def test_planted_hint_is_caught_by_the_twins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Negative control: no word leaks, but a number tells the next card."""
    honest = observing.observe

    def hinting(rules, state, viewer):
        seen = honest(rules, state, viewer)
        next_card = state.decks.corruption[0] if state.decks.corruption else ""
        return replace(seen, die=seen.die + 10 * len(next_card) + ord(next_card[-1:] or "a"))

    monkeypatch.setattr(observing, "observe", hinting)

    assert leaks_of(1)[0] == []
    assert any("order of the decks" in line for line in differences_of(1)[0])


def test_every_secret_of_the_deck_can_be_recognised() -> None:
    cards = CONTENT["qa"]["cards"]

    assert len(words_in(str(cards))) == 8 * len(cards)
