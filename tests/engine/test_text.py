"""Sentences before translation."""

from __future__ import annotations

import msgspec
import pytest

from games.engine.text import Text, count, english, gettext_noop, say


def test_values_are_put_in_by_name():
    assert english(say("%(team)s takes %(fish)s fish.", team="Red", fish=4)) == "Red takes 4 fish."


@pytest.mark.parametrize(
    ("number", "words"), [(0, "0 fishes left"), (1, "1 fish left"), (2, "2 fishes left")]
)
def test_a_number_chooses_the_form(number, words):
    assert english(count("%(count)s fish left", "%(count)s fishes left", number)) == words


def test_a_value_may_be_a_sentence_of_its_own():
    inner = count("%(count)s fish", "%(count)s fishes", 3)

    assert english(say("You pay %(price)s.", price=inner)) == "You pay 3 fishes."


def test_a_sentence_without_values_may_hold_a_percent_sign():
    assert english(say("Half is 50 %")) == "Half is 50 %"


def test_marking_leaves_the_message_as_it_is():
    assert gettext_noop("Roll") == "Roll"


def test_texts_round_trip_through_json():
    text = say("%(a)s %(b)s", a=count("%(count)s x", "%(count)s xs", 2), b="y")

    assert msgspec.json.decode(msgspec.json.encode(text), type=Text) == text
