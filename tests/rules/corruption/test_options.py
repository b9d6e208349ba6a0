"""Options of Corruption!: all of the rule page, each with its words."""

from __future__ import annotations

import pytest

from games.engine.options import option_fields
from games.engine.text import english
from games.rules.corruption.options import Options

FIELDS = {field.name: field for field in option_fields(Options)}


def test_options_and_values_are_those_of_the_rule_page():
    assert {name: field.values for name, field in FIELDS.items()} == {
        "first_team": ("roll", "red", "blue"),
        "start_landing": ("miss_next", "end_turn"),
        "fish_collection": ("manual", "auto"),
        "river_supply": ("finite", "unlimited"),
        "recompletion_reward": ("every_time", "once"),
        "sale_price_basis": ("per_section", "original", "paid"),
        "voluntary_sale": (False, True),
        "debt_repayment": ("partial", "full_only"),
        "chance_target": ("first_from_start", "next_ahead"),
        "joker_reward": (True, False),
        "half_rounding": ("up", "down"),
        "wipe_funding": ("possession", "may_sell"),
        "qa_chain_limit": (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
        "bank_tax_timing": ("on_pass", "after_landing"),
        "displaced_record": ("wipe", "keep"),
        "inspector_direction": ("nearest", "forward"),
        "finished_fine": ("charge", "waive"),
        "finished_inspector_move": ("on_completion", "each_turn_if_affordable"),
        "both_finished_move": ("both", "finisher_only"),
    }


@pytest.mark.parametrize("field", FIELDS.values(), ids=FIELDS)
def test_option_has_its_default_first_and_words_for_every_value(field):
    labels = [english(label) for label in field.labels]

    assert field.default == field.values[0]
    assert len(set(labels)) == len(field.values)
    assert english(field.label)
    assert english(field.help).endswith(".")
    assert field.rule.startswith("COR-")


@pytest.mark.rule("COR-PRISON-7")
def test_keeping_the_record_of_a_displaced_team_warns_of_long_games():
    field = FIELDS["displaced_record"]

    assert "very long" in english(field.help)
    assert "very long" in english(field.labels[field.values.index("keep")])
