"""The votes of a team. Rules: docs/rules/corruption.md, COR-DEC."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, strategies as st
from msgspec.structs import replace

from games.deciding import (
    PRESENT_S,
    SILENT_S,
    Attention,
    Ballot,
    DecisionRule,
    Member,
    Option,
    SilentFirst,
    Stage,
    Vote,
    backing_needed,
    show,
    split_line,
    spokesperson,
    starts_silent,
    tally,
)
from games.engine.text import english

MAJORITY, UNANIMOUS, SPOKESPERSON = DecisionRule
HERE_S = 1000.0


def ballot(rule=MAJORITY, *, silent=False, opened_s=HERE_S, **more):
    return Ballot(rule=rule, silent=silent, opened_s=opened_s, **more)


def team(*ids, seen_s=HERE_S):
    return tuple(Member(id=name, seen_s=seen_s) for name in ids)


def vote(voter, move, at_s=HERE_S, *, stage=Stage.OPEN, confirmed=False):
    return Vote(voter=voter, stage=stage, move=move, at_s=at_s, confirmed=confirmed)


@pytest.mark.rule("COR-DEC-2", "COR-GOAL-4")
@pytest.mark.parametrize(
    ("rule", "members", "moves", "choice"),
    [
        (MAJORITY, "a", "x", "x"),
        (MAJORITY, "ab", "x", None),
        (MAJORITY, "ab", "xx", "x"),
        (MAJORITY, "ab", "xy", None),
        (MAJORITY, "abc", "xx", "x"),
        (MAJORITY, "abc", "xyx", "x"),
        (MAJORITY, "abcd", "xx", None),
        (MAJORITY, "abcd", "xxyx", "x"),
        (MAJORITY, "abcd", "xxyy", None),
        (UNANIMOUS, "abc", "xx", None),
        (UNANIMOUS, "abc", "xxy", None),
        (UNANIMOUS, "abc", "xxx", "x"),
        (UNANIMOUS, "a", "x", "x"),
    ],
)
def test_enough_equal_votes_make_the_choice(rule, members, moves, choice):
    votes = [vote(voter, move) for voter, move in zip(members, moves, strict=False)]

    result = tally(ballot(rule), team(*members), votes, HERE_S)

    assert result.choice == choice
    assert (result.stage is Stage.TAKEN) == (choice is not None)


@pytest.mark.rule("COR-DEC-2")
def test_members_not_seen_lately_do_not_count():
    members = (*team("a"), *team("b", "c", seen_s=HERE_S - PRESENT_S), Member(id="d", seen_s=None))
    votes = [vote("b", "y"), vote("c", "y"), vote("a", "x")]

    result = tally(ballot(), members, votes, HERE_S)

    assert result.choice == "x"
    assert result.options == (Option(move="x", voters=("a",)),)


def test_a_member_who_goes_absent_lets_the_others_decide():
    members = (*team("a", seen_s=HERE_S + 15), *team("b"))
    votes = [vote("a", "x", HERE_S + 1)]

    before = tally(ballot(), members, votes, HERE_S + 15)
    after = tally(ballot(), members, votes, HERE_S + 15 + before.due_in_s)

    assert (before.choice, before.due_in_s, before.waiting) == (None, 5.0, ("b",))
    assert after.choice == "x"


def test_votes_of_former_members_do_not_count():
    votes = [vote("gone", "x"), vote("a", "x")]

    result = tally(ballot(), team("a", "b"), votes, HERE_S)

    assert result.options == (Option(move="x", voters=("a",)),)


def test_nobody_connected_takes_nothing():
    result = tally(ballot(), team("a", seen_s=0), [vote("a", "x")], HERE_S)

    assert (result.stage, result.choice, result.waiting, result.due_in_s) == (
        Stage.OPEN,
        None,
        (),
        None,
    )


@pytest.mark.rule("COR-DEC-3")
def test_the_last_vote_of_a_member_counts():
    votes = [vote("a", "x"), vote("b", "y"), vote("a", "y", HERE_S + 2)]

    result = tally(ballot(), team("a", "b"), votes, HERE_S + 2)

    assert result.choice == "y"


def test_options_stand_by_number_of_voters_then_by_first_vote():
    votes = [vote("a", "x"), vote("b", "y"), vote("c", "y"), vote("d", "z")]

    result = tally(ballot(), team(*"dcba"), votes, HERE_S)

    assert result.options == (
        Option(move="y", voters=("c", "b")),
        Option(move="x", voters=("a",)),
        Option(move="z", voters=("d",)),
    )


@pytest.mark.parametrize(
    ("setting", "knowledge", "silent"),
    [
        (SilentFirst.QUESTIONS, True, True),
        (SilentFirst.QUESTIONS, False, False),
        (SilentFirst.ALWAYS, False, True),
        (SilentFirst.NEVER, True, False),
    ],
)
def test_which_decisions_begin_silently(setting, knowledge, silent):
    assert starts_silent(setting, knowledge=knowledge) is silent


def test_silent_votes_settle_nothing_before_all_have_answered():
    members = team("a", "b", "c")
    votes = [vote(name, "x", stage=Stage.SILENT) for name in "ab"]

    result = tally(ballot(silent=True), members, votes, HERE_S + 1)

    assert (result.stage, result.choice, result.waiting) == (Stage.SILENT, None, ("c",))
    assert result.due_in_s == SILENT_S - 1


def test_the_last_silent_answer_opens_the_votes_and_they_still_count():
    members = team("a", "b", "c")
    votes = [vote(name, move, HERE_S + 3, stage=Stage.SILENT) for name, move in ("ax", "by", "cx")]

    result = tally(ballot(silent=True), members, votes, HERE_S + 3)

    assert (result.stage, result.choice, result.open_since_s) == (Stage.TAKEN, "x", HERE_S + 3)


def test_silent_stage_ends_after_its_time_with_what_there_is():
    members = team("a", "b", seen_s=HERE_S + 15)
    votes = [vote("a", "x", stage=Stage.SILENT)]

    result = tally(ballot(silent=True), members, votes, HERE_S + SILENT_S + 4)

    assert (result.stage, result.open_since_s) == (Stage.OPEN, HERE_S + SILENT_S)
    assert result.waiting == ("b",)


def test_a_stage_never_returns_when_somebody_joins_late():
    kept = ballot(silent=True, open_since_s=HERE_S + 2)
    votes = [vote("a", "x", stage=Stage.SILENT), vote("b", "y", stage=Stage.SILENT)]

    result = tally(kept, team("a", "b", "late"), votes, HERE_S + 3)

    assert (result.stage, result.waiting) == (Stage.OPEN, ("late",))


def test_after_a_restart_an_open_vote_tells_that_the_silent_stage_is_over():
    votes = [vote("a", "x", stage=Stage.SILENT), vote("b", "y", HERE_S + 4)]

    result = tally(ballot(silent=True), team("a", "b", "c"), votes, HERE_S + 5)

    assert (result.stage, result.open_since_s) == (Stage.OPEN, HERE_S + 4)


def test_shared_device_is_not_waited_for_in_the_silent_stage():
    members = (Member(id="device", seen_s=HERE_S, shared=True), *team("a"))
    before = tally(ballot(silent=True), members, [], HERE_S)

    after = tally(ballot(silent=True), members, [vote("a", "x", stage=Stage.SILENT)], HERE_S)

    assert (before.stage, before.waiting) == (Stage.SILENT, ("a",))
    assert (after.stage, after.waiting) == (Stage.OPEN, ("device",))


def test_a_team_at_one_shared_device_has_no_silent_stage():
    members = (Member(id="device", seen_s=HERE_S, shared=True),)

    assert tally(ballot(silent=True), members, [], HERE_S).stage is Stage.OPEN


@pytest.mark.rule("COR-DEC-2")
@pytest.mark.parametrize("rule", [MAJORITY, DecisionRule.UNANIMOUS])
def test_one_shared_device_asks_whether_all_have_agreed_before_its_vote_counts(rule):
    members = (Member(id="device", seen_s=HERE_S, shared=True), *team("a", seen_s=None))

    chosen = tally(ballot(rule), members, [vote("device", "x")], HERE_S)
    agreed = tally(ballot(rule), members, [vote("device", "x", confirmed=True)], HERE_S)

    assert (chosen.choice, chosen.spokesperson) == (None, "device")
    assert agreed.choice == "x"


def test_a_shared_device_beside_others_is_one_vote_among_them():
    members = (Member(id="device", seen_s=HERE_S, shared=True), *team("a"))

    result = tally(ballot(), members, [vote("device", "x"), vote("a", "x")], HERE_S)

    assert (result.choice, result.spokesperson) == ("x", None)


@pytest.mark.parametrize(
    ("after_s", "attention"),
    [
        (29.5, Attention.NOBODY),
        (30, Attention.TEAM),
        (59.5, Attention.TEAM),
        (60, Attention.DESK),
    ],
)
def test_a_split_is_told_to_the_team_and_then_to_the_desk(after_s, attention):
    members = team(*"abcd", seen_s=HERE_S + after_s)
    votes = [vote(name, move, HERE_S + 7) for name, move in ("ax", "bx", "cy", "dy")]

    result = tally(ballot(), members, votes, HERE_S + 7 + after_s)

    assert (result.attention, result.split) == (attention, (2, 2))
    assert english(split_line(result)) == (
        "You are split 2–2. Each side gives one reason, then vote again."
    )


def test_a_changed_vote_starts_the_patience_again_and_a_repeated_one_does_not():
    members = team("a", "b", seen_s=HERE_S + 40)
    votes = [vote("a", "x"), vote("b", "y"), vote("b", "y", HERE_S + 20)]

    repeated = tally(ballot(), members, votes, HERE_S + 40)
    changed = tally(ballot(), members, [*votes, vote("b", "z", HERE_S + 25)], HERE_S + 40)

    assert (repeated.attention, changed.attention) == (Attention.TEAM, Attention.NOBODY)


def test_more_time_from_the_desk_starts_the_patience_again():
    members = team("a", "b", seen_s=HERE_S + 60)
    votes = [vote("a", "x"), vote("b", "y")]

    before = tally(ballot(), members, votes, HERE_S + 60)
    after = tally(ballot(more_time_s=HERE_S + 60), members, votes, HERE_S + 60)

    assert (before.attention, after.attention) == (Attention.DESK, Attention.NOBODY)


def test_a_team_that_waits_for_one_member_is_told_too_but_is_not_split():
    members = team("a", "b", seen_s=HERE_S + 60)

    result = tally(ballot(), members, [vote("a", "x")], HERE_S + 60)

    assert (result.attention, result.split, result.waiting) == (Attention.DESK, (), ("b",))


@pytest.mark.rule("COR-DEC-2")
def test_only_the_confirmed_vote_of_the_spokesperson_settles_it():
    members = team("a", "b", "c")
    proposals = [vote("b", "x"), vote("c", "x"), vote("a", "x")]
    mine = ballot(SPOKESPERSON)

    open_ = tally(mine, members, proposals, HERE_S)
    by_another = tally(mine, members, [*proposals, vote("b", "y", confirmed=True)], HERE_S)
    taken = tally(mine, members, [*proposals, vote("a", "y", confirmed=True)], HERE_S)

    assert (open_.choice, open_.spokesperson, open_.waiting) == (None, "a", ("a",))
    assert by_another.choice is None
    assert taken.choice == "y"


def test_nothing_is_confirmed_while_each_answers_alone():
    members = team("a", "b")
    early = vote("a", "x", stage=Stage.SILENT, confirmed=True)

    silent = tally(ballot(SPOKESPERSON, silent=True), members, [early], HERE_S)
    open_ = tally(ballot(SPOKESPERSON, silent=True, open_since_s=HERE_S), members, [early], HERE_S)

    assert (silent.stage, open_.stage) == (Stage.SILENT, Stage.OPEN)


def test_spokesperson_rotates_each_turn_and_passes_on_when_absent():
    members = (*team("a", "b"), Member(id="c", seen_s=None))

    assert [spokesperson(members, turn, HERE_S) for turn in range(4)] == ["a", "b", "a", "a"]
    assert spokesperson(members, 0, HERE_S + PRESENT_S) is None


def test_the_shared_device_is_always_spokesperson_while_it_is_there():
    members = (*team("a"), Member(id="device", seen_s=HERE_S, shared=True))
    gone = (*team("a"), Member(id="device", seen_s=None, shared=True))

    assert [spokesperson(members, turn, HERE_S) for turn in range(2)] == ["device", "device"]
    assert [spokesperson(gone, turn, HERE_S) for turn in range(2)] == ["a", "a"]


def test_the_student_named_by_the_teacher_decides_while_present():
    votes = [vote("a", "x"), vote("b", "y")]
    named = ballot(decider="b")

    open_ = tally(named, team("a", "b"), votes, HERE_S)
    taken = tally(named, team("a", "b"), [*votes, vote("b", "y", confirmed=True)], HERE_S)
    absent = tally(named, (*team("a"), Member(id="b", seen_s=None)), votes, HERE_S)

    assert (open_.choice, open_.spokesperson) == (None, "b")
    assert taken.choice == "y"
    assert (absent.choice, absent.spokesperson) == ("x", None)


def test_in_the_silent_stage_a_member_sees_only_their_own_vote():
    members = team("a", "b", "c")
    votes = [vote("a", "secret", stage=Stage.SILENT), vote("b", "y", stage=Stage.SILENT)]
    result = tally(ballot(silent=True), members, votes, HERE_S)

    shown = {viewer: show(result, members, viewer, HERE_S) for viewer in ("a", "b", "c", None)}

    assert {viewer: view.own for viewer, view in shown.items()} == {
        "a": "secret",
        "b": "y",
        "c": None,
        None: None,
    }
    assert {(view.members, view.voted, view.options) for view in shown.values()} == {
        (3, ("a", "b"), ())
    }


def test_in_the_open_stage_the_team_and_the_desk_see_who_backs_what():
    members = (*team("a", "b", "c"), Member(id="absent", seen_s=None))
    result = tally(ballot(), members, [vote("a", "x"), vote("b", "y")], HERE_S)

    views = [show(result, members, viewer, HERE_S) for viewer in ("c", None)]

    assert {(view.members, view.voted, view.own) for view in views} == {(3, ("a", "b"), None)}
    assert {view.options for view in views} == {
        (Option(move="x", voters=("a",)), Option(move="y", voters=("b",)))
    }


@st.composite
def situations(draw):
    """A team, its votes and a moment, all within two minutes of the opening."""
    seconds = st.integers(0, 120).map(float)
    ids = draw(st.lists(st.sampled_from("abcde"), min_size=1, unique=True))
    now_s = draw(seconds)
    members = tuple(
        Member(
            id=name,
            seen_s=draw(st.none() | seconds.filter(lambda at: at <= now_s)),
            shared=draw(st.booleans()),
        )
        for name in ids
    )
    times = sorted(at for at in draw(st.lists(seconds, max_size=8)) if at <= now_s)
    votes = [
        Vote(
            voter=draw(st.sampled_from("abcdef")),
            stage=draw(st.sampled_from((Stage.SILENT, Stage.OPEN))),
            move=draw(st.sampled_from("xyz")),
            at_s=at,
            confirmed=draw(st.booleans()),
        )
        for at in times
    ]
    asked = ballot(
        draw(st.sampled_from(DecisionRule)),
        silent=draw(st.booleans()),
        opened_s=0.0,
        turn=draw(st.integers(0, 6)),
        decider=draw(st.none() | st.sampled_from("abf")),
        more_time_s=draw(st.none() | seconds.filter(lambda at: at <= now_s)),
    )
    return asked, members, votes, now_s


@given(situations())
def test_nothing_changes_before_the_time_it_says(situation):
    asked, members, votes, now_s = situation
    first = tally(asked, members, votes, now_s)
    assume(first.stage is not Stage.TAKEN)
    kept = replace(asked, open_since_s=first.open_since_s)
    wait_s = first.due_in_s if first.due_in_s is not None else 1000.0

    for share in (0.25, 0.5, 0.99):
        later = tally(kept, members, votes, now_s + wait_s * share)

        assert replace(later, due_in_s=first.due_in_s) == first


@given(situations())
def test_asking_again_whenever_due_comes_to_an_end(situation):
    asked, members, votes, now_s = situation

    for _ in range(20):
        result = tally(asked, members, votes, now_s)
        asked = replace(asked, open_since_s=result.open_since_s)
        if result.due_in_s is None:
            break
        assert result.due_in_s > 0
        now_s += result.due_in_s

    assert result.due_in_s is None


@given(situations())
def test_a_choice_is_one_that_a_connected_member_backs(situation):
    asked, members, votes, now_s = situation

    result = tally(asked, members, votes, now_s)

    backed = {option.move for option in result.options}
    assert result.choice is None or result.choice in backed
    assert (result.choice is None) == (result.stage is not Stage.TAKEN)
    assert set(result.waiting) <= {m.id for m in members}


@given(situations())
def test_the_silent_stage_shows_nobody_the_vote_of_another(situation):
    asked, members, votes, now_s = situation
    result = tally(asked, members, votes, now_s)
    others = [replace(v, move="other") if v.voter != members[0].id else v for v in votes]
    twin = tally(asked, members, others, now_s)

    if result.stage is Stage.SILENT:
        viewer = members[0].id
        assert show(result, members, viewer, now_s) == show(twin, members, viewer, now_s)


@pytest.mark.parametrize(
    ("here", "majority", "everybody"), [(1, 1, 1), (2, 2, 2), (3, 2, 3), (5, 3, 5)]
)
def test_how_many_must_agree(here, majority, everybody):
    assert backing_needed(DecisionRule.MAJORITY, here) == majority
    assert backing_needed(DecisionRule.UNANIMOUS, here) == everybody
