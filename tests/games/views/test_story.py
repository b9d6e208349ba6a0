"""Looking back on a match: who may, what is shown, and what stays hidden."""

from __future__ import annotations

import json

import msgspec
import pytest
from django.test import Client

from classroom.models import Student
from games.engine.game import Watcher
from games.models import Match, Vote
from games.selectors import positions
from games.selectors.rulesets import rules_of
from games.selectors.screens import screen_token
from games.services import matches, stories
from tests.games.looking_back import asking, begin, moves, play, seen_by
from tests.games.world import World, make_world

pytestmark = pytest.mark.django_db
QUERIES = 9  # session, teacher, class, match, rights; match, records, teams


@pytest.fixture
def world(db) -> World:
    return make_world()


def as_teacher(world: World) -> Client:
    return seen_by(world.teacher_session())


def as_student(world: World, student: Student) -> Client:
    return seen_by(world.student_session(student))


def end(world: World, match: Match) -> None:
    matches.end_match(match_id=match.pk, actor=world.teacher)


def moments(client: Client, match: Match, query: str = "") -> list[dict]:
    found: list[dict] = []
    while True:
        address = f"/matches/{match.pk}/story/steps/?from={len(found)}{query}"
        page = client.get(address).json()["moments"]
        if not page:
            return found
        found += page


def test_students_and_screens_look_back_when_it_is_over_and_teachers_at_any_time(
    world, monkeypatch
):
    match = begin(world, monkeypatch)
    play(world, match, moves(4))
    address = f"/matches/{match.pk}/story/"
    link = f"{address}?screen={screen_token(world.lesson)}"
    ana, screen = as_student(world, world.students[0]), Client()

    during = [ana.get(address), screen.get(link), as_teacher(world).get(address)]
    end(world, match)
    after = [ana.get(address), screen.get(link), as_teacher(world).get(address)]

    assert [answer.status_code for answer in during] == [409, 409, 200]
    assert [answer.status_code for answer in after] == [200, 200, 200]


def test_the_lobby_has_no_story(world, monkeypatch):
    match = begin(world, monkeypatch)
    Match.objects.filter(pk=match.pk).update(status="lobby")

    assert as_teacher(world).get(f"/matches/{match.pk}/story/").status_code == 409


def test_every_moment_is_what_everybody_could_know(world, monkeypatch):
    match = begin(world, monkeypatch)
    play(world, match, moves(50))
    end(world, match)
    match.refresh_from_db()

    found = moments(as_student(world, world.students[0]), match)

    ruleset = rules_of(match).ruleset
    states = positions.replayed(match)
    assert len(found) > stories.PAGE
    for moment in found:
        public = ruleset.observe(states[moment["version"] - 1], Watcher.PUBLIC)
        assert moment["observation"] == json.loads(msgspec.json.encode(public))
        assert moment["decision"] is None


def test_moves_of_the_computer_are_marked(world, monkeypatch):
    match = begin(world, monkeypatch)
    position = play(world, match, moves(4))
    match.records.filter(kind="move", seat=position.state.turn).update(kind="bot")

    told = moments(as_teacher(world), match)

    by = {line["by"] for moment in told[1:] for line in moment["events"]}
    assert "bot" in by


def test_a_question_that_was_never_answered_keeps_its_secret(world, monkeypatch):
    match = begin(world, monkeypatch)
    position = play(world, match, asking)
    end(world, match)
    match.refresh_from_db()
    question = position.state.question
    card = rules_of(match).ruleset.rules.content.qa[question.card]

    for client in (as_teacher(world), as_student(world, world.students[0])):
        page = client.get(f"/matches/{match.pk}/story/").content.decode()
        told = json.dumps(moments(client, match))
        assert card.question in json.dumps(json.loads(told), ensure_ascii=False)
        for text in (page, told):
            assert json.dumps(card.explanation)[1:-1] not in text
            assert f'"card": "{question.card}"' not in text


def test_own_answers_are_told_to_that_student_alone(world, monkeypatch):
    match = begin(world, monkeypatch)
    position = play(world, match, asking)
    opened = position.timing.opened[0]
    seat = opened.decision.seat
    first, second = [member.student for member in position.teams[seat].members]
    for student, letter in ((first, "a"), (second, "b")):
        Vote.objects.create(
            match=match,
            decision=opened.version,
            student_id=student,
            seat=seat,
            stage="silent",
            move=json.dumps({"type": "qa_answer", "letter": letter}),
            at_s=1.0,
        )
    play(world, match, lambda now: now.version > position.version)
    end(world, match)
    address = f"/matches/{match.pk}/story/"
    pages = {
        student: as_student(world, Student.objects.get(pk=student)).get(address).context
        for student in (first, second)
    }
    own = {student: page["own"] for student, page in pages.items()}

    assert own[first][-1]["own"] == "a"
    assert own[second][-1]["own"] == "b"
    assert as_teacher(world).get(f"/matches/{match.pk}/story/").context["own"] is None
    asked = {put.version for put in stories.story_of(Match.objects.get(pk=match.pk)).questions}
    for page in pages.values():
        shown = [one["version"] for one in (*page["own"], *page["questions"])]
        assert sorted(shown) == sorted(asked)
        assert [one for one in page["questions"] if one["own"]] == []
    others = next(s for s in world.students if str(s.pk) not in (first, second))
    answered = as_student(world, others).get(f"/matches/{match.pk}/story/").context["own"]
    assert [one for one in answered if one["own"]] == []


def test_what_was_taken_back_is_told_but_not_counted(world, monkeypatch):
    match = begin(world, monkeypatch)
    play(world, match, moves(30))
    before = stories.story_of(Match.objects.get(pk=match.pk))
    matches.rewind_match(match_id=match.pk, actor=world.teacher, to=2)
    match.refresh_from_db()

    told = stories.story_of(match)

    assert len(told.moments) == len(before.moments) + 1
    assert len(told.turns) < len(before.turns)
    line = stories.page(told, len(told.moments) - 1, "en")[0]["events"][-1]["line"]
    assert line == "The match was taken back to move 2."


def test_the_table_has_the_numbers_of_the_state_at_the_end_of_each_turn(world, monkeypatch):
    match = begin(world, monkeypatch)
    play(world, match, moves(40))
    match.refresh_from_db()
    states = positions.replayed(match)

    for turn in stories.story_of(match).turns:
        teams = states[turn.version - 1].teams
        assert [[figure.value for figure in figures] for figures in turn.standing] == [
            [sum(paid is not None for paid in team.paid), team.tokens] for team in teams
        ]


@pytest.mark.parametrize("place", ["x", "-3", "99999999999999"])
def test_a_wrong_place_is_no_error_of_the_server(world, monkeypatch, place):
    match = begin(world, monkeypatch)

    answer = as_teacher(world).get(f"/matches/{match.pk}/story/steps/?from={place}")

    assert answer.status_code in (200, 404)


def test_the_page_costs_the_same_for_a_short_match_and_a_long_one(
    world, monkeypatch, django_assert_num_queries
):
    client = as_teacher(world)
    match = begin(world, monkeypatch)
    for number in (5, 60):
        play(world, match, moves(number))
        stories._story.cache_clear()

        with django_assert_num_queries(QUERIES):
            client.get(f"/matches/{match.pk}/story/")


def test_later_pages_of_moments_cost_a_few_queries(
    world, monkeypatch, django_assert_max_num_queries
):
    match = begin(world, monkeypatch)
    play(world, match, moves(10))
    end(world, match)
    client = as_teacher(world)
    client.get(f"/matches/{match.pk}/story/steps/")

    with django_assert_max_num_queries(8):
        client.get(f"/matches/{match.pk}/story/steps/?from=5")


def test_the_talk_follows_the_cards_of_ended_matches(world, monkeypatch):
    world.lesson.activity = "corruption"
    world.lesson.save()
    match = begin(world, monkeypatch)
    play(world, match, lambda position: position.state.card is not None)
    client, link = as_teacher(world), f"?screen={screen_token(world.lesson)}"
    address = f"/lessons/{world.lesson.pk}/debrief/"

    end(world, match)

    titles = [prompt.title for prompt in client.get(address).context["prompts"]]
    assert titles[-1] == "The whole game"
    assert len(titles) > 1
    desk = f"/lessons/{world.lesson.pk}/desk/"
    assert desk in client.get(address).content.decode()
    shown = Client().get(address + link)
    assert shown.status_code == 200
    assert desk not in shown.content.decode()
    assert Client().get(address).status_code == 404
