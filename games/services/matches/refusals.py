"""Why an act on a match is refused."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from classroom.errors import DomainError
from games.selectors.wording import words
from games.services.codes import Refusal
from games.services.play import Refused


class WrongSetUp(DomainError):
    """Game, options, content or teams do not go together."""

    code = "wrong_set_up"
    message = _("This match cannot be set up like that. Look at the settings again.")


class TeamsFull(DomainError):
    """No place is left in any team."""

    code = "teams_full"
    message = _("All teams of this match are full. Watch the board, or ask your teacher.")
    status = 409


class NotNow(DomainError):
    """The match is in another state than the act needs."""

    code = "not_now"
    message = _("That is not possible at this point of the match.")
    status = 409


class MoveRefused(DomainError):
    """The rules or the platform refuse a move; code and sentence are theirs."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(words(refused.text), code=refused.code)
        self.rule = refused.rule
        self.status = 409 if refused.code in {code.value for code in Refusal} else 422
