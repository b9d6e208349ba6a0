"""What a log tells about each student of a match."""

from __future__ import annotations

import pytest

from games.engine.facts import FactKind, LoggedStep, LoggedVote, Play
from games.rules.corruption.events import (
    CardDrawn,
    QuestionAnswered,
    QuestionSkipped,
    RecordWiped,
    Sentenced,
    TokenTaken,
)
from games.rules.corruption.facts import facts
from games.rules.corruption.moves import (
    AnswerQuestion,
    Buy,
    Fine,
    Pass,
    Roll,
    SkipQuestion,
    Wipe,
)
from games.rules.corruption.state import BLUE, RED
from tests.rules.corruption.sitting import CONTENT

NOOR, JONAS, OMAR = "noor", "jonas", "omar"
JOINED = (
    LoggedStep(version=0, kind="join", seat=RED, student=NOOR),
    LoggedStep(version=0, kind="join", seat=RED, student=JONAS),
    LoggedStep(version=0, kind="join", seat=BLUE, student=OMAR),
)


def told(*steps, votes=()):
    """Facts as (kind, student, what, about, topic, value, version)."""
    return [
        (f.kind, f.student, f.what, f.about, f.topic, f.value, f.version)
        for f in facts(CONTENT, Play(steps=(*JOINED, *steps), votes=tuple(votes)))
    ]


def vote(student, move, *, decision, stage="open", seat=RED):
    return LoggedVote(decision=decision, student=student, seat=seat, stage=stage, move=move)


def test_cards_and_tokens_come_to_everyone_in_the_team():
    met = LoggedStep(
        version=5,
        kind="bot",
        seat=RED,
        move=Roll(),
        events=(
            CardDrawn(seat=RED, deck="corruption", card="C01"),
            TokenTaken(seat=RED, card="C01", tokens=1),
        ),
    )

    assert told(met) == [
        (FactKind.CHOICE, NOOR, "card_met", "C01", "utilities", 1, 5),
        (FactKind.CHOICE, JONAS, "card_met", "C01", "utilities", 1, 5),
        (FactKind.CHOICE, NOOR, "token_taken", "C01", "utilities", 1, 5),
        (FactKind.CHOICE, JONAS, "token_taken", "C01", "utilities", 1, 5),
    ]


@pytest.mark.parametrize(
    ("deck", "card", "topic"),
    [("local", "L01", "lightning"), ("donation", "D01", "public")],
)
def test_cards_of_other_decks_carry_their_topic(deck, card, topic):
    met = LoggedStep(version=5, kind="bot", events=(CardDrawn(seat=BLUE, deck=deck, card=card),))

    assert told(met) == [(FactKind.CHOICE, OMAR, "card_met", card, topic, 1, 5)]


def test_a_national_disaster_is_met_by_both_teams_in_their_seats():
    event = CardDrawn(seat=BLUE, deck="national", card="N01")
    met = LoggedStep(version=5, kind="move", seat=BLUE, student=OMAR, move=Roll(), events=(event,))

    found = facts(CONTENT, Play(steps=(*JOINED, met), votes=()))

    assert [(fact.student, fact.seat, fact.topic) for fact in found if fact.what == "card_met"] == [
        (NOOR, RED, "earthquake"),
        (JONAS, RED, "earthquake"),
        (OMAR, BLUE, "earthquake"),
    ]


def test_tokens_cleared_in_anybodys_turn_count_for_the_team_that_held_them():
    cleared = LoggedStep(
        version=9, kind="bot", seat=RED, move=Roll(), events=(RecordWiped(seat=BLUE, tokens=6),)
    )

    assert told(cleared) == [(FactKind.CHOICE, OMAR, "tokens_cleared", "", "", 6, 9)]


def test_only_members_of_that_moment_are_told_of():
    token = (TokenTaken(seat=RED, card="C01", tokens=1),)
    steps = (
        LoggedStep(version=2, kind="leave", seat=RED, student=NOOR),
        LoggedStep(version=3, kind="bot", events=token),
        LoggedStep(version=4, kind="join", seat=RED, student=OMAR),
        LoggedStep(version=5, kind="bot", events=token),
        LoggedStep(version=6, kind="bot", events=(TokenTaken(seat=BLUE, card="C01", tokens=1),)),
    )

    assert [(student, version) for _, student, *_, version in told(*steps)] == [
        (JONAS, 3),
        (JONAS, 5),
        (OMAR, 5),
    ]


SENTENCE = Sentenced(seat=RED, row="12", choice="wipe", fish=2, rounds=0, donation=False)


def test_inspector_choice_of_the_team_stands_beside_the_own_vote():
    chosen = LoggedStep(
        version=8, kind="move", seat=RED, decision=7, student=NOOR, move=Wipe(), events=(SENTENCE,)
    )
    votes = [vote(NOOR, Wipe(), decision=7)]

    inspector = [fact for fact in told(chosen, votes=votes) if fact[2].startswith("inspector")]

    assert inspector == [
        (FactKind.CHOICE, NOOR, "inspector_team", "12", "", "wipe", 8),
        (FactKind.CHOICE, NOOR, "inspector_vote", "12", "", "wipe", 8),
        (FactKind.CHOICE, JONAS, "inspector_team", "12", "", "wipe", 8),
    ]


def test_outvoted_student_keeps_the_own_choice_at_the_inspector():
    chosen = LoggedStep(
        version=8, kind="move", seat=RED, decision=7, student=NOOR, move=Wipe(), events=(SENTENCE,)
    )
    votes = [vote(NOOR, Wipe(), decision=7), vote(JONAS, Fine(), decision=7)]

    own = {
        (student, what): value
        for _, student, what, _, _, value, _ in told(chosen, votes=votes)
        if student == JONAS
    }

    assert own == {
        (JONAS, "inspector_team"): "wipe",
        (JONAS, "inspector_vote"): "fine",
        (JONAS, "decisions_shared"): 1,
        (JONAS, "votes_against_team"): 1,
    }


@pytest.mark.parametrize("kind", ["timeout", "bot", "teacher"])
def test_what_nobody_in_the_team_chose_is_no_choice(kind):
    chosen = LoggedStep(version=8, kind=kind, seat=RED, decision=7, move=Fine(), events=(SENTENCE,))

    assert told(chosen) == []


def answered(letter, kind="move"):
    event = QuestionAnswered(seat=RED, card="Q01", letter=letter, correct="d", right=letter == "d")
    return LoggedStep(
        version=11, kind=kind, seat=RED, decision=10, move=AnswerQuestion(letter), events=(event,)
    )


def test_answers_alone_stand_beside_the_answer_of_the_team():
    votes = [
        vote(NOOR, AnswerQuestion("d"), decision=10, stage="silent"),
        vote(NOOR, AnswerQuestion("a"), decision=10),
        vote(JONAS, AnswerQuestion("a"), decision=10),
    ]

    knowledge = [f for f in told(answered("a"), votes=votes) if f[0] is FactKind.KNOWLEDGE]

    assert knowledge == [
        (FactKind.KNOWLEDGE, NOOR, "qa_alone", "Q01", "citizenship", "right", 11),
        (FactKind.KNOWLEDGE, NOOR, "qa_team", "Q01", "citizenship", "wrong", 11),
        (FactKind.KNOWLEDGE, JONAS, "qa_alone", "Q01", "citizenship", "skipped", 11),
        (FactKind.KNOWLEDGE, JONAS, "qa_team", "Q01", "citizenship", "wrong", 11),
    ]


def test_without_a_silent_stage_nothing_is_claimed_about_answers_alone():
    votes = [vote(NOOR, AnswerQuestion("d"), decision=10)]

    knowledge = [(f[1:3], f[5]) for f in told(answered("d"), votes=votes) if f[2][:2] == "qa"]

    assert knowledge == [((NOOR, "qa_team"), "right"), ((JONAS, "qa_team"), "right")]


def test_no_answer_in_time_is_skipped_and_a_bots_answer_is_nobodys():
    in_time = [(f[2], f[5]) for f in told(answered(None, kind="timeout")) if f[1] == NOOR]
    of_a_bot = told(answered("d", kind="bot"))

    assert in_time == [("qa_team", "skipped")]
    assert of_a_bot == []


@pytest.mark.rule("COR-QA-11")
def test_a_question_that_the_teacher_put_away_is_skipped_by_everybody():
    votes = [vote(NOOR, AnswerQuestion("d"), decision=10, stage="silent")]
    skipped = LoggedStep(
        version=11,
        kind="teacher",
        seat=RED,
        decision=10,
        move=SkipQuestion(),
        events=(QuestionSkipped(seat=RED, card="Q01"),),
    )

    knowledge = [(f[1:3], f[5]) for f in told(skipped, votes=votes)]

    assert knowledge == [
        ((NOOR, "qa_alone"), "skipped"),
        ((NOOR, "qa_team"), "skipped"),
        ((JONAS, "qa_alone"), "skipped"),
        ((JONAS, "qa_team"), "skipped"),
    ]


def test_participation_counts_votes_and_acts_over_the_match():
    hospital = Buy("hospital", donation=False)
    steps = (
        LoggedStep(version=2, kind="move", seat=RED, decision=1, student=NOOR, move=Roll()),
        LoggedStep(version=4, kind="move", seat=RED, decision=3, student=NOOR, move=hospital),
        LoggedStep(version=7, kind="move", seat=RED, decision=6, student=JONAS, move=Pass()),
    )
    votes = [
        vote(NOOR, hospital, decision=3),
        vote(JONAS, Pass(), decision=3),
        vote(NOOR, Pass(), decision=6),
        vote(JONAS, hospital, decision=6, stage="silent"),
        vote(JONAS, Pass(), decision=6),
        vote(OMAR, Pass(), decision=6, seat=BLUE),
    ]

    counts = {
        (student, what): (value, v) for _, student, what, *_, value, v in told(*steps, votes=votes)
    }

    assert counts == {
        (NOOR, "acts"): (1, 2),
        (NOOR, "decisions_shared"): (2, 7),
        (NOOR, "votes_with_team"): (2, 7),
        (JONAS, "decisions_shared"): (2, 7),
        (JONAS, "votes_with_team"): (1, 7),
        (JONAS, "votes_against_team"): (1, 4),
    }
