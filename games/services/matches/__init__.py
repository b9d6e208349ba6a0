"""Everything that is done to a match but the moves themselves.

Each act checks access first, appends a record with the next version, and tells
the sockets after the commit. Before the start there is no log: the lobby's
teams are plain rows.
"""

from classroom.errors import Busy
from games.services.matches.decisions import (
    decide_for,
    give_more_time,
    let_decide,
    skip_question,
    submit_now,
)
from games.services.matches.refusals import MoveRefused, NotNow, TeamsFull, WrongSetUp
from games.services.matches.running import (
    end_match,
    finish_round,
    freeze_match,
    pause_match,
    resume_match,
    rewind_match,
)
from games.services.matches.seats import (
    join_lesson,
    join_match,
    place_late,
    put_back,
    step_in,
    take_out,
)
from games.services.matches.starting import TeamPlan, create_match, start_match

__all__ = [
    "Busy",
    "MoveRefused",
    "NotNow",
    "TeamPlan",
    "TeamsFull",
    "WrongSetUp",
    "create_match",
    "decide_for",
    "end_match",
    "finish_round",
    "freeze_match",
    "give_more_time",
    "join_lesson",
    "join_match",
    "let_decide",
    "pause_match",
    "place_late",
    "put_back",
    "resume_match",
    "rewind_match",
    "skip_question",
    "start_match",
    "step_in",
    "submit_now",
    "take_out",
]
