"""Options as a form needs them."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from msgspec import Struct

from games.engine.options import OptionField, about, option_fields
from games.engine.text import count, say
from tests.rules.lanterns.game import Options


def test_options_are_told_in_their_order_with_all_their_words():
    rounds, contests = option_fields(Options)

    assert rounds == OptionField(
        name="rounds",
        default=3,
        values=(3, 2, 8),
        labels=tuple(count("%(count)s round", "%(count)s rounds", n) for n in (3, 2, 8)),
        label=say("Rounds"),
        help=say("How many lanterns are lit in all."),
        rule="LAN-END-1",
    )
    assert (contests.name, contests.default, contests.values) == ("contests", True, (True, False))


class Wordless(Struct, frozen=True):
    size: Literal[1, 2] = 1


class Unlisted(Struct, frozen=True):
    size: Annotated[int, about(label=say("a"), help=say("b"), rule="LAN-END-1", labels=())] = 1


@pytest.mark.parametrize("options", [Wordless, Unlisted])
def test_an_option_without_words_or_values_is_noticed(options):
    with pytest.raises(TypeError, match="size"):
        option_fields(options)
