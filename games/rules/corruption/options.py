"""Options of Corruption!: what a teacher may decide about the rules before a match.

The first value of each is its default, the one that the rules state. How a team
agrees, time limits and the end of a lesson are settings of every match, not of
this game. Rules: docs/rules/corruption.md, "Options".
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Struct

from games.engine.options import about
from games.engine.text import count, gettext_noop as _, say

_NEW_ROLLS = tuple(count("%(count)s roll", "%(count)s rolls", limit) for limit in range(1, 10))


class Options(Struct, frozen=True, kw_only=True):
    """The chosen value of every option."""

    first_team: Annotated[
        Literal["roll", "red", "blue"],
        about(
            label=say(_("Who begins")),
            help=say(_("Rolling is fair; choose a team if one of them needs more time to start.")),
            rule="COR-SETUP-8",
            labels=(say(_("The higher roll")), say(_("Red")), say(_("Blue"))),
        ),
    ] = "roll"
    start_landing: Annotated[
        Literal["miss_next", "end_turn"],
        about(
            label=say(_("Landing on Start")),
            help=say(_("Whether a team that lands on Start also misses its next turn.")),
            rule="COR-START-1",
            labels=(say(_("Miss the next turn")), say(_("Only this turn ends"))),
        ),
    ] = "miss_next"
    fish_collection: Annotated[
        Literal["manual", "auto"],
        about(
            label=say(_("Taking the fish of a roll")),
            help=say(_("By hand, a team that forgets its fish loses them.")),
            rule="COR-CAT-4",
            labels=(say(_("By hand")), say(_("By itself"))),
        ),
    ] = "manual"
    river_supply: Annotated[
        Literal["finite", "unlimited"],
        about(
            label=say(_("Fish in the river")),
            help=say(_("A river without end never runs short; its count may fall below 0.")),
            rule="COR-CAT-6",
            labels=(say(_("As many as the board has")), say(_("Without end"))),
        ),
    ] = "finite"
    recompletion_reward: Annotated[
        Literal["every_time", "once"],
        about(
            label=say(_("Donation for completing a category again")),
            help=say(_("Whether a category lost and completed once more earns another card.")),
            rule="COR-CAT-13",
            labels=(say(_("Every time")), say(_("Once for each category"))),
        ),
    ] = "every_time"
    sale_price_basis: Annotated[
        Literal["per_section", "original", "paid"],
        about(
            label=say(_("Price of a forced sale")),
            help=say(_("One fish less than this is what the river pays for a property.")),
            rule="COR-PAY-4",
            labels=(
                say(_("Printed price for taxes, price paid for fines and disasters")),
                say(_("Always the printed price")),
                say(_("Always the price paid")),
            ),
        ),
    ] = "per_section"
    voluntary_sale: Annotated[
        Literal[False, True],
        about(
            label=say(_("Selling without need")),
            help=say(_("Whether a team may sell properties before its roll, one at a time.")),
            rule="COR-PAY-6",
            labels=(say(_("Not allowed")), say(_("Allowed before a roll"))),
        ),
    ] = False
    debt_repayment: Annotated[
        Literal["partial", "full_only"],
        about(
            label=say(_("Paying back a debt")),
            help=say(_("When fish that come in go to the river first.")),
            rule="COR-PAY-8",
            labels=(say(_("As much as possible at once")), say(_("Only the whole debt at once"))),
        ),
    ] = "partial"
    chance_target: Annotated[
        Literal["first_from_start", "next_ahead"],
        about(
            label=say(_("Where Chance leads")),
            help=say(_("Which square of the category the flag is put on.")),
            rule="COR-CHANCE-3",
            labels=(say(_("The first one after Start")), say(_("The next one ahead"))),
        ),
    ] = "first_from_start"
    joker_reward: Annotated[
        Literal[True, False],
        about(
            label=say(_("Donation for completing a category on Joker")),
            help=say(_("Chance never earns one; Joker does unless you decide otherwise.")),
            rule="COR-JOKER-4",
            labels=(say(_("Earns a Donation card")), say(_("Earns nothing"))),
        ),
    ] = True
    half_rounding: Annotated[
        Literal["up", "down"],
        about(
            label=say(_("Half of an odd price")),
            help=say(_("Only matters on boards with odd prices.")),
            rule="COR-LND-6",
            labels=(say(_("Rounded up")), say(_("Rounded down"))),
        ),
    ] = "up"
    wipe_funding: Annotated[
        Literal["possession", "may_sell"],
        about(
            label=say(_("Paying to clear the record")),
            help=say(_("Whether a team may sell properties to clear its record at an Inspector.")),
            rule="COR-INSP-G3",
            labels=(say(_("Only with fish in hand")), say(_("Selling is allowed"))),
        ),
    ] = "possession"
    qa_chain_limit: Annotated[
        Literal[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        about(
            label=say(_("New rolls from questions in one turn")),
            help=say(_("After so many, a right answer brings a fish and no new roll.")),
            rule="COR-QA-7",
            labels=(
                say(_("No limit")),
                *_NEW_ROLLS,
            ),
        ),
    ] = 0
    bank_tax_timing: Annotated[
        Literal["on_pass", "after_landing"],
        about(
            label=say(_("Tax for passing Central Bank")),
            help=say(
                _("Before the landing it may need a sale that the landing's fish would save.")
            ),
            rule="COR-BANK-6",
            labels=(say(_("When passing")), say(_("After the landing"))),
        ),
    ] = "on_pass"
    displaced_record: Annotated[
        Literal["wipe", "keep"],
        about(
            label=say(_("Record of a team pushed out of prison")),
            help=say(
                _("Keeping it can make games very long: teams may push each other out for ever.")
            ),
            rule="COR-PRISON-7",
            labels=(
                say(_("Cleared, if the sentence would have")),
                say(_("Kept (very long games)")),
            ),
        ),
    ] = "wipe"
    inspector_direction: Annotated[
        Literal["nearest", "forward"],
        about(
            label=say(_("Closest Inspector")),
            help=say(_("Where a team goes when it completes its village but has tokens.")),
            rule="COR-WIN-5",
            labels=(say(_("Nearest, back or ahead")), say(_("The next one ahead"))),
        ),
    ] = "nearest"
    finished_fine: Annotated[
        Literal["charge", "waive"],
        about(
            label=say(_("Fine of a finished team that cannot clear its record")),
            help=say(_("Whether it pays like any other visitor of the Inspector.")),
            rule="COR-WIN-7",
            labels=(say(_("It pays")), say(_("It pays nothing"))),
        ),
    ] = "charge"
    finished_inspector_move: Annotated[
        Literal["on_completion", "each_turn_if_affordable"],
        about(
            label=say(_("Going to the Inspector with a complete village")),
            help=say(_("Whether a finished team may go again, in place of a roll.")),
            rule="COR-WIN-9",
            labels=(
                say(_("Once, on completing")),
                say(_("Also on later turns, if it can pay")),
            ),
        ),
    ] = "on_completion"
    both_finished_move: Annotated[
        Literal["both", "finisher_only"],
        about(
            label=say(_("When the second village is completed too")),
            help=say(_("Which teams go to their closest Inspector if both still have tokens.")),
            rule="COR-WIN-12",
            labels=(say(_("Both teams")), say(_("Only the team that just finished"))),
        ),
    ] = "both"
