"""Why a move of Corruption! is refused, in words that a team can act on."""

from __future__ import annotations

from games.engine.refusals import IllegalMove
from games.engine.text import gettext_noop as _


class FishGone(IllegalMove):
    """Raised when a team claims fish outside the claim of this landing."""

    code = "corruption.fish-gone"
    message = _("Fish can only be claimed straight after the roll. These are gone.")
    rule = "COR-CAT-5"


class NotForSale(IllegalMove):
    """Raised for a purchase when nothing can be bought."""

    code = "corruption.not-for-sale"
    message = _("You can buy only on a category square you have not completed, or on Joker.")
    rule = "COR-CAT-7"


class NoSuchProperty(IllegalMove):
    """Raised for a property that is not on this board."""

    code = "corruption.no-such-property"
    message = _("This board has no such property. Choose one of those shown.")
    rule = "COR-CAT-1"


class OtherCategory(IllegalMove):
    """Raised for a property of another category than the square's."""

    code = "corruption.other-category"
    message = _("This square sells only properties of its own category. Choose one of those.")
    rule = "COR-CAT-8"


class AlreadyOwned(IllegalMove):
    """Raised for a property that stands in the team's village."""

    code = "corruption.already-owned"
    message = _("This property already stands in your village. Choose another one.")
    rule = "COR-CAT-11"


class NoFittingDonation(IllegalMove):
    """Raised for half price without a Donation card of the category."""

    code = "corruption.no-fitting-donation"
    message = _("You hold no donation for this category. Pay the full price or choose another.")
    rule = "COR-DON-3"


class TooDear(IllegalMove):
    """Raised for a purchase that possession does not cover."""

    code = "corruption.too-dear"
    message = _("You do not have enough fish for this. Choose something cheaper or buy nothing.")
    rule = "COR-CAT-10"


class DepositOutOfBounds(IllegalMove):
    """Raised for a deposit below 0 or above the possession."""

    code = "corruption.deposit-out-of-bounds"
    message = _("Lay down from 0 fish to all the fish you have. A deposit cannot be taken back.")
    rule = "COR-INS-2"


class NoSaleNow(IllegalMove):
    """Raised for a sale without an unpaid charge."""

    code = "corruption.no-sale-now"
    message = _("You can sell only to pay something you cannot pay otherwise.")
    rule = "COR-PAY-6"


class NotOwned(IllegalMove):
    """Raised for the sale of a property that the team does not own."""

    code = "corruption.not-owned"
    message = _("This property is not in your village. Choose one that you own.")
    rule = "COR-PAY-2"


class WipeNotOpen(IllegalMove):
    """Raised for a wipe that the team cannot pay."""

    code = "corruption.wipe-not-open"
    message = _("You do not have enough fish to clear your record. Pay the fine this time.")
    rule = "COR-INSP-G3"


class DonationNotHeld(IllegalMove):
    """Raised for giving away a card that the team does not hold."""

    code = "corruption.donation-not-held"
    message = _("You do not hold this donation. Choose one of your own cards.")
    rule = "COR-INSP-G6"


class NoNewRoll(IllegalMove):
    """Raised for another new roll beyond the limit of the match."""

    code = "corruption.no-new-roll"
    message = _("You have won all the new rolls of this turn. Take the fish.")
    rule = "COR-QA-7"
