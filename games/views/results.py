"""What a match told about students: each student's own, or everybody's for the teacher."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from classroom.access import StudentActor
from classroom.views.asking import onlooker_of
from games.models import Match
from games.selectors.playpages import classroom_of_match, seats
from games.selectors.results import computer_played, results as results_of
from games.selectors.wording import words
from games.services import stories
from games.views.story import own_questions


@require_safe
def results(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """Knowledge, choices in a role and participation, kept apart; no screen ever shows it."""
    actor = onlooker_of(request, classroom_of_match(match_id))
    match = stories.access_story(actor, match_id)
    student = actor.student if isinstance(actor, StudentActor) else None
    told = stories.story_of(match)
    context = {
        "match": match,
        "title": words(told.base.game.title),
        "student": student,
        "tables": results_of([match], told.base.rules, student=student),
        "computer": computer_played([match]).get(match.pk, ""),
        "over": match.status == Match.Status.ENDED,
        "own": own_questions(actor, match, told, seats(told.base)),
        "as": request.GET.get("as", ""),
    }
    return render(request, "games/results.html", context)
