"""Category squares: fish of the roll, then tax or a purchase (COR-CAT)."""

from __future__ import annotations

from games.rules.corruption import donations, paying, winning
from games.rules.corruption.events import Bought, CategoryCompleted, FishLeft
from games.rules.corruption.moves import Buy
from games.rules.corruption.rulebook import RuleBook
from games.rules.corruption.state import Charge, Claim, Purchase, TeamState
from games.rules.corruption.table import Table


def arrive(table: Table, seat: int, category: str, *, chance: bool) -> None:
    """Open the claim for the fish of the roll (COR-CAT-2, COR-CAT-4, COR-CHANCE-4)."""
    claim = Claim(seat, category, chance)
    if table.rules.options.fish_collection == "auto":
        collect(table, claim)
    else:
        table.then(claim)


def claimable(rules: RuleBook, river: int, die: int) -> int:
    """Fish that the roll brings: the value of the die, or what the river has (COR-CAT-3, 6)."""
    return min(die, river) if rules.finite else die


def collect(table: Table, claim: Claim) -> None:
    """Take the fish of the roll, pay debts back, go on (COR-CAT-3, COR-CAT-6, COR-CAT-17)."""
    if not table.from_river(claim.seat, table.die, "collect"):
        table.quiet(claim.seat, "river_empty")
    paying.repay(table, claim.seat)
    _tax_or_purchase(table, claim)


def leave(table: Table, claim: Claim) -> None:
    """Leave the fish for good and go on (COR-CAT-5)."""
    _leave_fish(table, claim)
    _tax_or_purchase(table, claim)


def buy_unclaimed(table: Table, claim: Claim, move: Buy) -> None:
    """Buy at once; the fish of the roll are gone (COR-CAT-4, COR-CAT-5)."""
    _leave_fish(table, claim)
    buy(table, Purchase(claim.seat, claim.category, not claim.chance), move)


def _leave_fish(table: Table, claim: Claim) -> None:
    fish = claimable(table.rules, table.river, table.die)
    table.tell(FishLeft(seat=claim.seat, amount=fish))


def _tax_or_purchase(table: Table, claim: Claim) -> None:
    """Tax for a category completed before this landing, else a purchase.

    Rules: COR-CAT-14, COR-CAT-15, COR-CAT-16, COR-CAT-17.
    """
    if not is_complete(table.rules, table.teams[claim.seat], claim.category):
        offer(table, Purchase(claim.seat, claim.category, not claim.chance))
    elif claim.chance:
        table.quiet(claim.seat, "completed_by_chance")
    else:
        tax = table.rules.board.categories[claim.category].tax
        table.then(Charge(claim.seat, tax, "bank", "category_tax"))


def is_complete(rules: RuleBook, team: TeamState, category: str) -> bool:
    """Whether the team owns every property of the category (COR-CAT-12, COR-CAT-14)."""
    paid = team.paid
    return all(paid[place] is not None for place in rules.members[category])


def offer(table: Table, purchase: Purchase) -> None:
    """Ask what to buy, if the team can pay for anything (COR-CAT-7, COR-CAT-10)."""
    if affordable(table.rules, table.teams[purchase.seat], purchase.category):
        table.then(purchase)
    else:
        table.quiet(purchase.seat, "nothing_affordable")


def affordable(rules: RuleBook, team: TeamState, category: str | None) -> list[Buy]:
    """What the team can buy in a category, or in any: in full, or half with a fitting donation.

    Rules: COR-CAT-8, COR-CAT-10, COR-CAT-11, COR-DON-2, COR-DON-3, COR-DON-8.
    """
    held = donations.categories(rules, team) if team.donations else ()
    moves = []
    for place in rules.members[category]:
        if team.paid[place] is None:
            if rules.prices[place] <= team.possession:
                moves.append(rules.full_price[place])
            if rules.category_of[place] in held and rules.halves[place] <= team.possession:
                moves.append(rules.with_donation[place])
    return moves


def buy(table: Table, purchase: Purchase, move: Buy) -> None:
    """Buy one property, and draw the reward for a category that it completes.

    Rules: COR-CAT-7, COR-CAT-9, COR-CAT-12, COR-CAT-18.
    """
    rules, seat = table.rules, purchase.seat
    place = rules.board.rank[move.property]
    category = rules.category_of[place]
    card = donations.use(table, seat, category) if move.donation else None
    cost = rules.prices[place] if card is None else rules.halves[place]
    table.tell(Bought(seat=seat, property=move.property, paid=cost, donation=card))
    table.to_river(seat, cost, "purchase")
    paid = table.teams[seat].paid
    team = table.change(seat, paid=(*paid[:place], cost, *paid[place + 1 :]))
    if is_complete(rules, team, category):
        _reward(table, seat, category, earned=purchase.reward)
        if winning.is_complete(team):
            winning.finish_village(table, seat)


def _reward(table: Table, seat: int, category: str, *, earned: bool) -> None:
    """A Donation card for completing a category (COR-CAT-12, COR-CAT-13, COR-CHANCE-6)."""
    rewarded = table.teams[seat].rewarded
    if table.rules.options.recompletion_reward == "once" and category in rewarded:
        earned = False
    table.tell(CategoryCompleted(seat=seat, category=category, reward=earned))
    if earned:
        if category not in rewarded:
            table.change(seat, rewarded=(*rewarded, category))
        donations.draw(table, seat)
