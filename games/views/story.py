"""Looking back: the story of a match, one page of its moments, and questions for the talk."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language, get_language_bidi
from django.views.decorators.http import require_safe

from classroom.access import (
    Actor,
    StudentActor,
    TeacherActor,
    access_lesson,
)
from classroom.errors import NotThere
from classroom.views.asking import onlooker_of
from games.decks.debrief import Prompt, prompts
from games.models import Match, Team
from games.selectors.playpages import classroom_of_match, content, seats
from games.selectors.plots import plot
from games.selectors.results import topics_met
from games.selectors.wording import words
from games.services import stories
from games.services.stories import Put, Story
from games.views import onlookers
from games.views.plots import drawn, rows_of

TOPICS = 6  # a talk of ten minutes has no room for more


@require_safe
def story(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """How a match went: board by board, as lines, its questions, and what to talk about."""
    actor = _who(request, match_id)
    match = stories.access_story(actor, match_id)
    told = stories.story_of(match)
    language = _language(match)
    teams = _teams(told)
    teacher = isinstance(actor, TeacherActor)
    own = own_questions(actor, match, told, teams)
    rows = rows_of(told)
    context = {
        "match": match,
        "title": words(told.base.game.title),
        "teams": teams,
        "end": stories.ending(told, language),
        "plot": drawn(plot(rows, mirrored=get_language_bidi()), teams),
        "turns": _turns(told, teams),
        "questions": [
            _question(put, teams)
            for put in told.questions
            if own is None or put.version not in {one["version"] for one in own}
        ],
        "own": own,
        "prompts": talk(match.game, stories.topics_of(told.turns)) if teacher else [],
        "teacher": teacher,
        "screen": request.GET.get("screen", ""),
        "query": _query(request),
        "told": _for_script(request, match, told, teams, language),
    }
    key = told.base.game.key
    return render(request, [f"games/stories/{key}.html", "games/story.html"], context)


@require_safe
def steps(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """Some of the moments of a match, from the place ``from`` on."""
    match = stories.access_story(_who(request, match_id), match_id)
    try:
        start = max(0, int(request.GET.get("from", "0")[:9]))
    except ValueError:
        raise NotThere from None
    told = stories.page(stories.story_of(match), start, _language(match))
    return JsonResponse({"from": start, "moments": told})


@require_safe
def debrief(request: HttpRequest, lesson_id: UUID) -> HttpResponse:
    """Questions for the talk after a lesson's matches, large enough to be projected."""
    actor = onlookers.of_lesson(request, request.GET.get("screen", ""))
    lesson = access_lesson(actor, lesson_id, to="watch")
    found = talk(lesson.activity, topics_met(lesson))
    told = {"lesson": lesson, "prompts": found, "teacher": isinstance(actor, TeacherActor)}
    return render(request, "games/debrief.html", told)


def _who(request: HttpRequest, match_id: UUID) -> Actor:
    """The account, a student's seat, a test student or the read-only link."""
    classroom = classroom_of_match(match_id)
    screen = request.GET.get("screen", "")
    if screen:
        return onlookers.by_link(screen)
    return onlooker_of(request, classroom)


def _language(match: Match) -> str:
    return get_language() or match.language


def _query(request: HttpRequest) -> str:
    """What names the asker in an address, for the next one."""
    told = {name: request.GET[name] for name in ("screen", "as") if name in request.GET}
    return f"?{urlencode(told)}" if told else ""


def _for_script(
    request: HttpRequest, match: Match, told: Story, teams: list[dict[str, Any]], language: str
) -> dict[str, Any]:
    return {
        "content": content(told.base),
        "seats": teams,
        "language": match.language,
        "rules": reverse("games:rules", args=[match.game]),
        "steps": reverse("games:story_steps", args=[match.pk]),
        "query": _query(request),
        "page": stories.PAGE,
        "turns": [moment.turn for moment in told.moments],
        "first": stories.page(told, 0, language)[:1],
    }


def _teams(told: Story) -> list[dict[str, Any]]:
    return [
        {**seat, "flag_css": f"flag {seat['css']}", "bot": team.played_by == Team.PlayedBy.BOT}
        for seat, team in zip(seats(told.base), told.base.teams, strict=True)
    ]


def _turns(told: Story, teams: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of the table beside the plot: the same numbers."""
    places = {moment.version: place for place, moment in enumerate(told.moments)}
    return [
        {
            "number": turn.number,
            "place": places[turn.version],
            "team": None if turn.seat is None else teams[turn.seat],
            "figures": [one for figures in turn.standing for one in figures],
            "marks": [
                {
                    "symbol": mark.symbol,
                    "label": words(mark.label),
                    "words": mark.words,
                    "team": None if mark.seat is None else teams[mark.seat],
                }
                for mark in turn.marks
            ],
        }
        for turn in told.turns
    ]


def _question(put: Put, teams: list[dict[str, Any]], own: str | None = None) -> dict[str, Any]:
    asked = put.asked
    return {
        "version": put.version,
        "team": teams[asked.seat],
        "words": asked.words,
        "explanation": asked.explanation,
        "given": asked.given,
        "right": asked.given == asked.right,
        "own": own,
        "own_right": own == asked.right,
        "choices": [
            {
                "key": choice.key,
                "words": choice.words,
                "right": choice.key == asked.right,
                "given": choice.key == asked.given,
                "own": choice.key == own,
            }
            for choice in asked.choices
        ],
    }


def own_questions(
    actor: Actor, match: Match, told: Story, teams: list[dict[str, Any]]
) -> list[dict[str, Any]] | None:
    """A student's own answers; None for everybody else."""
    if not isinstance(actor, StudentActor):
        return None
    answers = stories.own_answers(match, told, actor.student)
    return [_question(answer.put, teams, answer.own) for answer in answers]


def talk(game: str, topics: list[str], *, most: int = TOPICS) -> list[Prompt]:
    """A few prompts, those of the most frequent cards first, and the one for the end."""
    return prompts(game, (get_language() or "en").split("-")[0], topics, most=most)
