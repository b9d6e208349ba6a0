"""Pictures of the questions of a match, for those who play or follow it."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from classroom.access import actor
from classroom.errors import NotThere
from classroom.views.asking import player_of
from games.models import Match
from games.selectors.matches import access_match
from games.selectors.playpages import classroom_of_match
from games.selectors.question_sets import picture_of_match
from games.views import onlookers
from quizzes.views.pictures import answer


@require_safe
def question_picture(request: HttpRequest, match_id: UUID, picture_id: UUID) -> HttpResponse:
    """The picture by the id that the observation tells to whoever reads the question."""
    match = _seen_match(request, match_id)
    return answer(request, picture_of_match(match, picture_id), "large")


def _seen_match(request: HttpRequest, match_id: UUID) -> Match:
    """The match, by the read-only link, the seat that this browser holds, or the account."""
    if token := request.GET.get("screen"):
        return access_match(onlookers.by_link(token), match_id, to="watch")
    classroom = classroom_of_match(match_id)
    try:
        return access_match(player_of(request, classroom), match_id, to="watch")
    except NotThere:
        account = actor(request.session, request.user, classroom)
        return access_match(account, match_id, to="watch")
