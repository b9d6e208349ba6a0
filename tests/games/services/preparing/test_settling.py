from __future__ import annotations

import pytest

from games.decks.starters import starter
from games.models import Match
from games.selectors.lineups import drafted, teams_of
from games.services import preparing
from games.services.preparing import Setup
from tests.games.services.preparing.classes import students

pytestmark = pytest.mark.django_db


def test_settings_go_over_to_drafted_matches(lesson, teacher):
    students(lesson, 4)
    preparing.make_teams(actor=teacher, lesson_id=lesson.pk)
    before = teams_of(drafted(lesson))
    setup = Setup(
        board="one-lesson",
        options={"first_team": "blue"},
        decision_rule=Match.DecisionRule.UNANIMOUS,
        decision_limit_s=45,
    )

    preparing.save_setup(actor=teacher, lesson_id=lesson.pk, setup=setup)

    (match,) = drafted(lesson)
    assert match.options["first_team"] == "blue"
    assert match.decision_rule == "unanimous"
    assert match.decision_limit_s == 45
    assert (
        match.contents.get(kind="board").version.deck.title
        == starter("corruption", "one-lesson").title
    )
    assert teams_of(drafted(lesson)) == before


@pytest.mark.parametrize(
    "setup",
    [
        Setup(board="no such board"),
        Setup(board="two-villages", options={"first_team": "green"}),
        Setup(board="two-villages", options={"cheating": True}),
        Setup(board="two-villages", decision_limit_s=9),
        Setup(board="two-villages", apart=(("a", "a"),)),
    ],
)
def test_impossible_settings_are_refused_and_nothing_is_stored(lesson, teacher, setup):
    with pytest.raises(preparing.BadSetup):
        preparing.save_setup(actor=teacher, lesson_id=lesson.pk, setup=setup)

    lesson.refresh_from_db()
    assert lesson.settings == {}


def test_a_computer_player_that_the_game_does_not_have_is_refused(lesson, teacher):
    wrong = Setup(board=starter("corruption").key, bot="grandmaster")

    with pytest.raises(preparing.BadSetup):
        preparing.save_setup(actor=teacher, lesson_id=lesson.pk, setup=wrong)
