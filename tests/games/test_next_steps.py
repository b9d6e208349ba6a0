"""The next sensible step: what stands still first, then what is slow, then what can wait."""

from __future__ import annotations

import pytest

from games.engine.text import english
from games.next_steps import LessonSeen, MatchSeen, Step, next_step


def match(number: int = 1, status: str = "playing", **seen) -> MatchSeen:
    return MatchSeen(match=f"m{number}", number=number, status=status, **seen)


def step(*matches: MatchSeen, state: str = "open", here: int = 12, ends_in_s=None) -> Step:
    seen = LessonSeen(state=state, here=here, matches=matches, ends_in_s=ends_in_s)
    return next_step(seen)


EXPLAIN = match(2, "paused", why="explain", why_team="Blue", why_seat=1)
DESERTED = match(3, "paused", why="deserted", why_team="Red", why_seat=0)
SPLIT = match(4, split=True)
ABSENT = match(5, absent=(1, "Blue"))
PAUSED = match(6, "paused", why="teacher")
ROUND_OVER = match(7, "paused", why="round")
SLOW = match(12, slow="Red")
DRAFT = match(8, "lobby")
OVER = match(9, "ended")
FROZEN = match(10, "frozen")
LAST_ROUND = match(11, last_round=True)


@pytest.mark.parametrize(
    ("taken", "act", "why"),
    [
        (step(state="planned"), "open", "The lesson is not open."),
        (step(PAUSED, state="closed"), "open", "The lesson is not open."),
        (step(here=0), "show_code", "Nobody has joined yet. Students need the class code."),
        (step(DRAFT, here=0), "show_code", "Nobody has joined yet. Students need the class code."),
        (step(here=1), "make_teams", "1 student is here."),
        (step(DRAFT, DRAFT), "start", "2 matches are ready."),
        (step(OVER, DRAFT), "start", "1 match is ready."),
        (step(match(), SLOW, SPLIT), "look", "Match 4: a team is split."),
        (step(match(), SLOW), "look", "Match 12: Red has been thinking for a while."),
        (step(match()), "show_board", "Everybody plays. Nobody needs you just now."),
        (step(match(), FROZEN, EXPLAIN), "look", "Match 10 was stopped by an error."),
        (
            step(match(), SPLIT, EXPLAIN, DESERTED, ends_in_s=120),
            "look",
            "Match 2: Blue asks you to explain the question.",
        ),
        (
            step(match(), DESERTED, SPLIT),
            "let_computer_play",
            "Match 3: Red has not answered for three turns.",
        ),
        (step(match(), SPLIT, ends_in_s=300), "finish_round", "The lesson ends in 5 minutes."),
        (step(match(), SPLIT, ends_in_s=301), "look", "Match 4: a team is split."),
        (
            step(LAST_ROUND, ends_in_s=90),
            "show_board",
            "Everybody plays. Nobody needs you just now.",
        ),
        (step(LAST_ROUND, SPLIT, ends_in_s=20), "finish_round", "The lesson ends in 1 minute."),
        (
            step(match(), ends_in_s=-1),
            "close",
            "The lesson is over. Closing it saves all matches for next time.",
        ),
        (step(match(), ABSENT), "let_computer_play", "Match 5: nobody of Blue is there."),
        (step(PAUSED, PAUSED, OVER), "resume", "All matches stand still."),
        (step(match(), PAUSED), "resume", "Match 6 stands still."),
        (step(match(), ROUND_OVER), "show_board", "Everybody plays. Nobody needs you just now."),
        (
            step(ROUND_OVER, OVER),
            "close",
            "The round is finished. Closing the lesson saves all matches for next time.",
        ),
        (
            step(PAUSED, ends_in_s=60),
            "close",
            "All matches stand still. Closing the lesson saves them for next time.",
        ),
        (step(OVER, OVER), "talk", "All matches are over. Talk about what came up in them."),
        (step(OVER, ends_in_s=240), "close", "All matches are over, and so is the lesson."),
    ],
)
def test_the_step_that_is_needed_most(taken, act, why):
    assert (taken.act, english(taken.why)) == (act, why)


def test_a_step_at_one_match_names_it():
    (look, stand_in) = step(match(), SPLIT), step(match(), ABSENT)

    assert (look.match, look.seat, english(look.label)) == ("m4", None, "Go to match 4")
    assert (stand_in.match, stand_in.seat) == ("m5", 1)
    assert english(stand_in.label) == "Let the computer play"


def test_the_first_of_several_matches_keeps_its_place():
    both = step(match(1, split=True), match(2, split=True))

    assert both.match == "m1"
