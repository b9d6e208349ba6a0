"""What teachers and latecomers do to a match, written and read back."""

from __future__ import annotations

import time
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from classroom.access import TeacherActor
from classroom.errors import NotThere
from classroom.models import Fact, Student, Teacher
from classroom.services import attendance
from games.models import DeckVersion, Match, Member, MoveRecord
from games.selectors import positions
from games.selectors.rulesets import rules_of
from games.services import facts, matches, play
from games.services.matches import MoveRefused, NotNow, TeamPlan, TeamsFull, WrongSetUp, acts, seats
from games.services.play import Submission
from tests.games.world import World, arrive, make_world


def _lay(world: World, match: Match, seat: int, student: Student) -> Any:
    position = positions.load(match.pk)
    opened = position.opened(seat)
    assert opened is not None
    return matches.submit_now(
        match_id=match.pk,
        actor=world.actor(student),
        submission=Submission(
            decision=opened.version,
            at=timezone.now().timestamp(),
            move={"type": "lay", "card": position.state.hands[seat][0]},
            student=str(student.pk),
        ),
    )


def _kinds(match: Match) -> list[str]:
    return list(match.records.values_list("kind", flat=True))


def _seats(match: Match) -> list[list[str]]:
    return [[m.name for m in team.members] for team in positions.load(match.pk).teams]


# -- before the start ----------------------------------------------------------------------------


@pytest.mark.case("CC-05")
def test_match_is_pinned_to_what_it_was_made_of(world: World) -> None:
    match = world.match(options={"rounds": 2})
    DeckVersion.objects.get(pk=world.versions["cards"]).deck.versions.create(
        number=2, content={"cards": []}
    )

    assert rules_of(match).ruleset.options.rounds == 2  # type: ignore[attr-defined]
    assert len(rules_of(match).ruleset.cards) == 15  # type: ignore[attr-defined]
    assert match.options == {"rounds": 2, "contests": True}


@pytest.mark.case("CC-04")
def test_asking_twice_for_the_same_number_makes_one_match(world: World) -> None:
    first = world.match(number=1)
    second = world.match(number=1)

    assert first == second
    assert Match.objects.count() == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"game": "chess"},
        {"options": {"rounds": 99}},
        {"options": {"colour": "red"}},
        {"versions": {}},
        {"versions": {"cards": 0}},
        {"decision_rule": "dice"},
        {"silent_first": "sometimes"},
        {"teams": [TeamPlan()]},
        {"teams": [TeamPlan(played_by="ghost"), TeamPlan()]},
        {"teams": [TeamPlan(name="x" * 61), TeamPlan()]},
    ],
    ids=str,
)
def test_what_does_not_go_together_is_refused(world: World, wrong: dict[str, Any]) -> None:
    with pytest.raises(WrongSetUp):
        world.match(**wrong)

    assert not Match.objects.exists()


def test_student_of_another_class_is_in_no_team(world: World) -> None:
    stranger = make_world(1).students[0]

    with pytest.raises(WrongSetUp):
        world.match([stranger], [world.students[0]])


@pytest.mark.case("WS-20")
def test_name_of_a_team_is_one_line_of_visible_signs(world: World) -> None:
    match = world.match(
        teams=[TeamPlan(name="  Les\tbleus \u202e\u0007\n🐟 "), TeamPlan(name="<b>Rot</b>")]
    )

    assert [team.name for team in match.teams.all()] == ["Les bleus 🐟", "<b>Rot</b>"]


def test_start_writes_the_set_up_as_record_one(world: World) -> None:
    match = world.started()

    record = match.records.get()
    assert (record.version, record.kind, record.data) == (1, "setup", '{"seats":2}')
    assert (match.status, match.version) == ("playing", 1)
    assert match.started_at is not None


@pytest.mark.case("CC-04")
def test_starting_twice_is_starting_once(world: World) -> None:
    match = world.started()

    matches.start_match(match_id=match.pk, actor=world.teacher)

    assert _kinds(match) == ["setup"]


# -- rights --------------------------------------------------------------------------------------


ACTS = {
    "start": lambda match, actor: matches.start_match(match_id=match.pk, actor=actor),
    "pause": lambda match, actor: matches.pause_match(match_id=match.pk, actor=actor),
    "resume": lambda match, actor: matches.resume_match(match_id=match.pk, actor=actor),
    "end": lambda match, actor: matches.end_match(match_id=match.pk, actor=actor),
    "rewind": lambda match, actor: matches.rewind_match(match_id=match.pk, actor=actor, to=1),
    "decide": lambda match, actor: matches.decide_for(
        match_id=match.pk, actor=actor, seat=0, decision=1
    ),
    "step in": lambda match, actor: matches.step_in(
        match_id=match.pk, actor=actor, seat=0, played_by="bot"
    ),
    "more time": lambda match, actor: matches.give_more_time(
        match_id=match.pk, actor=actor, seat=0, decision=1
    ),
    "let decide": lambda match, actor: matches.let_decide(
        match_id=match.pk, actor=actor, seat=0, decision=1, student_id="x"
    ),
    "join": lambda match, actor: matches.join_match(
        match_id=match.pk, actor=actor, student_id=match.pk
    ),
    "kick": lambda match, actor: attendance.kick_student(
        lesson_id=match.lesson_id, actor=actor, student_id=match.pk
    ),
    "readmit": lambda match, actor: attendance.readmit_student(
        lesson_id=match.lesson_id, actor=actor, student_id=match.pk
    ),
}


@pytest.mark.case("WS-17", "WS-18")
@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("who", ["student of the match", "teacher of another class"])
def test_only_teachers_of_the_class_run_a_match(world: World, act: str, who: str) -> None:
    match = world.started()
    other = Teacher.objects.create_user("other@school.example", "secret", name="Mr Brown")
    actor = world.actor(world.students[0]) if who.startswith("student") else TeacherActor(other)

    with pytest.raises(NotThere):
        ACTS[act](match, actor)

    assert _kinds(match) == ["setup"]


# -- while it runs -------------------------------------------------------------------------------


def test_move_that_a_page_hands_in_is_written_at_once(world: World) -> None:
    match = world.started(world.students[:1], world.students[1:2])

    answer = _lay(world, match, 0, world.students[0])

    record = match.records.get(version=2)
    assert answer.version == 2
    assert (record.kind, record.seat, record.student) == ("move", 0, world.students[0])
    assert positions.load(match.pk).version == 2


def test_refused_move_leaves_no_trace(world: World) -> None:
    match = world.started(world.students[:1], world.students[1:2])
    submission = Submission(
        decision=1,
        at=0,
        move={"type": "lay", "card": "z9"},
        student=str(world.students[0].pk),
    )

    with pytest.raises(MoveRefused) as refused:
        matches.submit_now(
            match_id=match.pk, actor=world.actor(world.students[0]), submission=submission
        )

    assert refused.value.code == "lanterns.card-not-held"
    assert _kinds(match) == ["setup"]


def test_vote_is_stored_and_found_again(world: World) -> None:
    match = world.started()
    ana, caro = world.students[0], world.students[2]
    _lay(world, match, 0, ana)  # Caro is not here, so Ana decides alone
    _lay(world, match, 1, world.students[1])
    assert positions.load(match.pk).version == 3

    votes = match.votes.order_by("seat").values_list("student__name", "decision", "stage")
    assert list(votes) == [("Ana", 1, "open"), ("Ben", 1, "open")]
    assert caro.votes.count() == 0


def test_pause_stops_everything_and_is_asked_for_twice_in_vain(world: World) -> None:
    match = world.started(world.students[:1], world.students[1:2])

    matches.pause_match(match_id=match.pk, actor=world.teacher)
    matches.pause_match(match_id=match.pk, actor=world.teacher)

    assert _kinds(match) == ["setup", "pause"]
    with pytest.raises(MoveRefused) as refused:
        _lay(world, match, 0, world.students[0])
    assert refused.value.code == "paused"
    matches.resume_match(match_id=match.pk, actor=world.teacher)
    assert _lay(world, match, 0, world.students[0]).version == 4


def test_match_that_was_ended_early_can_go_on(world: World) -> None:
    match = world.started(world.students[:1], world.students[1:2])

    matches.end_match(match_id=match.pk, actor=world.teacher)
    match.refresh_from_db()
    assert (match.status, match.ended_at is None) == ("ended", False)

    matches.resume_match(match_id=match.pk, actor=world.teacher)
    match.refresh_from_db()
    assert (match.status, match.ended_at) == ("playing", None)


def test_teacher_decides_for_a_team(world: World) -> None:
    match = world.started()

    matches.decide_for(match_id=match.pk, actor=world.teacher, seat=0, decision=1)

    record = match.records.get(version=2)
    assert (record.kind, record.seat, record.teacher) == ("teacher", 0, world.teacher.teacher)


@pytest.mark.case("CC-04")
def test_deciding_twice_for_a_team_decides_once(world: World) -> None:
    match = world.started()
    matches.decide_for(match_id=match.pk, actor=world.teacher, seat=0, decision=1)

    with pytest.raises(MoveRefused) as refused:
        matches.decide_for(match_id=match.pk, actor=world.teacher, seat=0, decision=1)

    assert refused.value.code == "stale"


def test_rewind_is_a_record_and_the_old_state_with_a_new_order(world: World) -> None:
    match = world.started(world.students[:1], world.students[1:2])
    before = positions.load(match.pk)
    _lay(world, match, 0, world.students[0])

    matches.rewind_match(match_id=match.pk, actor=world.teacher, to=1)

    after = positions.load(match.pk)
    assert _kinds(match) == ["setup", "move", "rewind"]
    assert after.state.hands == before.state.hands
    assert sorted((*after.state.deck, after.state.face_down)) == sorted(
        (*before.state.deck, before.state.face_down)
    )
    assert [o.version for o in after.timing.opened] == [3, 3]
    assert positions.replayed(match)[-1] == after.state


@pytest.mark.parametrize("to", [0, 2, 99, -1])
def test_rewind_goes_only_to_what_was(world: World, to: int) -> None:
    match = world.started(world.students[:1], world.students[1:2])
    _lay(world, match, 0, world.students[0])

    with pytest.raises(NotNow):
        matches.rewind_match(match_id=match.pk, actor=world.teacher, to=to)


def test_bot_takes_a_seat_and_gives_it_back(world: World) -> None:
    match = world.started()

    bot = matches.step_in(match_id=match.pk, actor=world.teacher, seat=0, played_by="bot")
    due_at = bot.due_at()
    people = matches.step_in(match_id=match.pk, actor=world.teacher, seat=0, played_by="people")

    opened = bot.opened(0)
    assert opened is not None
    assert due_at == pytest.approx(bot.unix(opened.bot_s))
    assert people.due_at() is None
    assert _kinds(match) == ["setup", "seat", "seat"]


def test_a_deserted_match_goes_on_when_somebody_else_plays_the_seat(world: World) -> None:
    match = world.started()
    _deserted(match, seat=0)

    for seat, played_by in ((0, "people"), (1, "bot")):
        still = matches.step_in(
            match_id=match.pk, actor=world.teacher, seat=seat, played_by=played_by
        )
        assert still.status == "paused"
    on = matches.step_in(match_id=match.pk, actor=world.teacher, seat=0, played_by="bot")

    assert (on.status, on.timing.why) == ("playing", "")
    assert _kinds(match) == ["setup", "pause", "seat", "seat", "resume"]


def _deserted(match: Match, *, seat: int) -> None:
    """The match stands still because a team did not answer for three turns."""
    acts.append(match.pk, lambda now: play.paused(now, at=time.time(), why="deserted", seat=seat))


def test_one_student_decides_for_a_split_team(world: World) -> None:
    match = world.started()
    ana, caro = world.students[0], world.students[2]

    position = matches.let_decide(
        match_id=match.pk, actor=world.teacher, seat=0, decision=1, student_id=caro.pk
    )

    opened = position.opened(0)
    assert opened is not None
    assert position.ballot(opened).decider == str(caro.pk)
    with pytest.raises(NotNow):
        matches.let_decide(
            match_id=match.pk, actor=world.teacher, seat=1, decision=1, student_id=ana.pk
        )


def test_more_time_moves_the_limit(world: World) -> None:
    match = world.started(decision_limit_s=60)
    before = positions.load(match.pk).due_at()

    after = matches.give_more_time(match_id=match.pk, actor=world.teacher, seat=0, decision=1)

    opened = after.opened(0)
    assert opened is not None
    deadline_s = after.deadline_s(opened)
    assert before is not None
    assert deadline_s is not None
    assert after.unix(deadline_s) > before


@pytest.mark.case("CF-16")
def test_frozen_match_goes_on_after_a_rewind(world: World) -> None:
    match = world.started(world.students[:1], world.students[1:2])
    _lay(world, match, 0, world.students[0])

    matches.freeze_match(match_id=match.pk, error="ZeroDivisionError")
    with pytest.raises(MoveRefused) as refused:
        _lay(world, match, 1, world.students[1])
    matches.rewind_match(match_id=match.pk, actor=world.teacher, to=1)
    matches.resume_match(match_id=match.pk, actor=world.teacher)

    assert refused.value.code == "frozen"
    assert _lay(world, match, 0, world.students[0]).position.status == "playing"


# -- teams ---------------------------------------------------------------------------------------


def test_latecomer_goes_to_the_smaller_team(world: World) -> None:
    match = world.started(world.students[:2], world.students[2:3])

    placed = matches.join_lesson(lesson_id=world.lesson.pk, actor=world.actor(world.students[3]))

    assert placed == match
    assert _seats(match) == [["Ana", "Ben"], ["Caro", "Dia"]]
    assert Member.objects.get(student=world.students[3]).joined_version == 2


def _asked_to_place(world: World, student: Student) -> int:
    with CaptureQueriesContext(connection) as asked:
        assert matches.join_lesson(lesson_id=world.lesson.pk, actor=world.actor(student))
    return len(asked)


def test_place_of_a_latecomer_takes_no_query_for_each_match(world: World) -> None:
    world.started(world.students[:1], world.students[1:2])
    in_one = _asked_to_place(world, world.students[2])
    world.started([], [])
    world.started([], [])

    in_three = _asked_to_place(world, world.students[3])

    assert in_three == in_one


def test_student_comes_back_to_the_same_seat(world: World) -> None:
    match = world.started()

    again = matches.join_lesson(lesson_id=world.lesson.pk, actor=world.actor(world.students[3]))

    assert again == match
    assert _kinds(match) == ["setup"]


@pytest.mark.case("CC-09")
def test_full_teams_take_nobody(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "LARGEST_TEAM", 1)
    match = world.started(world.students[:1], world.students[1:2])

    with pytest.raises(TeamsFull):
        matches.join_match(match_id=match.pk, actor=world.teacher, student_id=world.students[2].pk)
    placed = matches.join_lesson(lesson_id=world.lesson.pk, actor=world.actor(world.students[3]))

    assert placed is None
    assert _seats(match) == [["Ana"], ["Ben"]]


def test_teacher_moves_a_student_to_the_other_team(world: World) -> None:
    match = world.started()

    matches.join_match(
        match_id=match.pk, actor=world.teacher, student_id=world.students[0].pk, seat=1
    )

    assert _seats(match) == [["Caro"], ["Ben", "Dia", "Ana"]]
    assert _kinds(match) == ["setup", "join"]


def test_teams_of_the_lobby_are_changed_without_a_record(world: World) -> None:
    match = world.match()

    matches.join_match(
        match_id=match.pk, actor=world.teacher, student_id=world.students[0].pk, seat=1
    )
    matches.take_out(
        student_id=world.students[1].pk, lesson_id=match.lesson_id, actor=world.teacher
    )

    assert _seats(match) == [["Caro"], ["Dia", "Ana"]]
    assert _kinds(match) == []


@pytest.mark.case("AZ-18")
def test_kicked_student_is_out_of_every_match_and_may_be_let_in_again(world: World) -> None:
    match = world.started()
    ana = world.students[0]

    attendance.kick_student(lesson_id=world.lesson.pk, actor=world.teacher, student_id=ana.pk)

    assert _seats(match) == [["Caro"], ["Ben", "Dia"]]
    with pytest.raises(NotThere):
        _lay(world, match, 0, ana)
    attendance.readmit_student(lesson_id=world.lesson.pk, actor=world.teacher, student_id=ana.pk)
    assert _seats(match) == [["Caro", "Ana"], ["Ben", "Dia"]]
    assert _kinds(match) == ["setup", "leave", "join"]


def test_log_names_nobody(world: World) -> None:
    match = world.started()
    arrive(world, Student.objects.create(classroom=world.lesson.classroom, name="Zoe Quick"))
    zoe = Student.objects.get(name="Zoe Quick")

    matches.join_match(match_id=match.pk, actor=world.teacher, student_id=zoe.pk)

    stored = MoveRecord.objects.values_list("data", "events", "draws")
    assert "Zoe" not in str(list(stored))


# -- facts ---------------------------------------------------------------------------------------


def test_facts_are_replaced_as_a_whole_when_a_match_stops(world: World) -> None:
    match = world.started(world.students[:1], world.students[1:2])
    _lay(world, match, 0, world.students[0])
    matches.pause_match(match_id=match.pk, actor=world.teacher)
    matches.resume_match(match_id=match.pk, actor=world.teacher)
    _lay(world, match, 1, world.students[1])

    matches.end_match(match_id=match.pk, actor=world.teacher)

    found = Fact.objects.filter(source=facts.source(match.pk)).order_by("version")
    assert [(f.student, f.what, f.version) for f in found] == [
        (world.students[0], "answer", 2),
        (world.students[1], "answer", 5),
    ]


def test_what_was_taken_back_is_no_fact(world: World) -> None:
    match = world.started(world.students[:1], world.students[1:2])
    _lay(world, match, 0, world.students[0])
    matches.rewind_match(match_id=match.pk, actor=world.teacher, to=1)
    _lay(world, match, 1, world.students[1])
    matches.end_match(match_id=match.pk, actor=world.teacher)
    assert [f.version for f in Fact.objects.all()] == [4]

    matches.rewind_match(match_id=match.pk, actor=world.teacher, to=2)

    assert [f.version for f in Fact.objects.all()] == [2]
