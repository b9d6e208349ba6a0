"""Addresses of matches, boards and decks."""

from __future__ import annotations

from django.urls import URLPattern, path

from games.live.now import lesson_now, now
from games.views import (
    demo,
    desk,
    front,
    match_desk,
    pictures,
    play,
    results,
    rules,
    screen,
    setup,
    story,
)

app_name = "games"

_lesson = "lessons/<uuid:lesson_id>/"
_match = "matches/<uuid:match_id>/"

urlpatterns: list[URLPattern] = [
    path("", front.front, name="front"),
    # before the start
    path(f"{_lesson}setup/", setup.setup, name="setup"),
    path(f"{_lesson}setup/save/", setup.save, name="save_setup"),
    path(f"{_lesson}setup/mix/", setup.mix, name="mix"),
    path(f"{_lesson}setup/repeat/", setup.repeat, name="repeat"),
    path(f"{_lesson}setup/place/<uuid:student_id>/", setup.place, name="place"),
    path(f"{_lesson}setup/apart/<uuid:student_id>/", setup.apart, name="apart"),
    path(f"{_lesson}try/", setup.try_alone, name="try_alone"),
    path(f"{_lesson}start/", setup.start, name="start"),
    # while it runs
    path(f"{_lesson}desk/", desk.lesson_desk, name="desk"),
    path(f"{_lesson}desk/<str:act>/", desk.act_on_lesson, name="act_on_lesson"),
    path(f"{_lesson}now/", lesson_now, name="lesson_now"),
    path("screen/", screen.enter, name="enter_screen"),
    path(f"{_lesson}screen/", screen.screen, name="screen"),
    path(f"{_match}desk/", match_desk.match_desk, name="match_desk"),
    path(f"{_match}desk/<str:act>/", match_desk.act_on_match, name="act_on_match"),
    path(f"{_match}play/", play.play, name="play"),
    path(f"{_match}board/", play.board, name="board"),
    path(f"{_match}now/", now, name="now"),
    path(
        f"{_match}pictures/<uuid:picture_id>/", pictures.question_picture, name="question_picture"
    ),
    # afterwards
    path(f"{_match}story/", story.story, name="story"),
    path(f"{_match}story/steps/", story.steps, name="story_steps"),
    path(f"{_match}results/", results.results, name="results"),
    path(f"{_lesson}debrief/", story.debrief, name="debrief"),
    # for visitors
    path("demo/", demo.demo, name="demo"),
    path("demo/<str:language>/", demo.demo_recording, name="demo_recording"),
    # how a game is played
    path("how-to-play/<str:game_key>/", rules.how_to_play, name="how_to_play"),
    path("rules/<str:game_key>/", rules.rules, name="rules"),
    path("rules/<str:game_key>/<str:rule_id>/", rules.one_rule, name="rule"),
]
