"""Results of a match: three kinds kept apart, one's own for students, all for teachers."""

from __future__ import annotations

import pytest
from django.test import Client

from classroom.models import Fact
from games.models import Match
from games.selectors.results import source
from games.selectors.screens import screen_token
from games.services import matches
from tests.games.looking_back import begin, moves, play, seen_by
from tests.games.world import World, make_world

pytestmark = pytest.mark.django_db
QUERIES = 9  # session, teacher, class, match, lesson, rights, members, facts, computer, teams


@pytest.fixture
def world(db) -> World:
    return make_world()


@pytest.fixture
def match(world, monkeypatch) -> Match:
    match = begin(world, monkeypatch)
    play(world, match, moves(3))
    matches.end_match(match_id=match.pk, actor=world.teacher)
    Fact.objects.filter(source=source(match.pk)).delete()
    ana, ben, *_others = world.students
    tell(world, match, ana, "knowledge", "qa_alone", "right", "wrong", "right")
    tell(world, match, ana, "choice", "token_taken", "1", "1")
    tell(world, match, ben, "choice", "inspector_vote", "wipe")
    tell(world, match, ben, "participation", "acts", "12")
    return match


def tell(world: World, match: Match, student, kind: str, what: str, *values: str) -> None:
    for value in values:
        Fact.objects.create(
            lesson=world.lesson,
            student=student,
            source=source(match.pk),
            activity="corruption",
            kind=kind,
            what=what,
            value=value,
            version=1,
        )


def rows(answer) -> dict[str, list[tuple[str, list[str]]]]:
    return {
        table.kind: [(person.name, [cell.value for cell in cells]) for person, cells in table.rows]
        for table in answer.context["tables"]
    }


def test_an_arabic_page_separates_with_arabic_commas(world, match):
    address = f"/matches/{match.pk}/results/"

    answer = seen_by(world.teacher_session()).get(address, headers={"accept-language": "ar"})

    assert rows(answer)["knowledge"][0] == ("Ana", ["2 × صحيحة، 1 × غير صحيحة"])


def test_the_teacher_sees_everybody_in_three_tables(world, match):
    answer = seen_by(world.teacher_session()).get(f"/matches/{match.pk}/results/")

    assert rows(answer) == {
        "knowledge": [
            ("Ana", ["2 × right, 1 × not right"]),
            ("Caro", [""]),
            ("Ben", [""]),
            ("Dia", [""]),
        ],
        "choice": [
            ("Ana", ["2", ""]),
            ("Caro", ["", ""]),
            ("Ben", ["", "1 × a clean record"]),
            ("Dia", ["", ""]),
        ],
        "participation": [("Ana", [""]), ("Caro", [""]), ("Ben", ["12"]), ("Dia", [""])],
    }
    assert "not a mark" in answer.content.decode()


def test_teams_are_called_in_the_readers_language_unless_a_teacher_named_them(world, match):
    match.teams.filter(seat=0).update(name="Red")
    match.teams.filter(seat=1).update(name="The Otters")
    browser = seen_by(world.teacher_session())

    answer = browser.get(f"/matches/{match.pk}/results/", headers={"accept-language": "fr"})

    (knowledge, *_others) = answer.context["tables"]
    told = [person.team for person, _cells in knowledge.rows]
    assert told == ["Rouge", "Rouge", "The Otters", "The Otters"]


def test_results_name_the_teams_that_the_computer_played_for(world, match):
    browser = seen_by(world.teacher_session())
    blue = match.teams.get(seat=1)
    before = browser.get(f"/matches/{match.pk}/results/")

    match.records.filter(kind="move", version=2).update(kind="bot", seat=1)

    answer = browser.get(f"/matches/{match.pk}/results/")
    assert before.context["computer"] == ""
    assert f"The computer played for {blue.name}." in answer.content.decode()


def test_students_see_their_own_row_and_no_other_name(world, match):
    ana = world.students[0]

    answer = seen_by(world.student_session(ana)).get(f"/matches/{match.pk}/results/")

    assert {kind: [name for name, _cells in found] for kind, found in rows(answer).items()} == {
        "knowledge": ["Ana"],
        "choice": ["Ana"],
        "participation": ["Ana"],
    }
    assert "not a mark" in answer.content.decode()
    assert [name for name in ("Ben", "Caro", "Dia") if name in answer.content.decode()] == []


def test_a_public_screen_never_shows_results(world, match):
    link = f"/matches/{match.pk}/results/?screen={screen_token(world.lesson)}"

    assert Client().get(link).status_code == 404


def test_an_erased_student_has_no_name_in_the_results(world, match):
    ana = world.students[0]
    ana.name = ""
    ana.save()

    answer = seen_by(world.teacher_session()).get(f"/matches/{match.pk}/results/")

    names = [name for name, _cells in rows(answer)["participation"]]
    assert names == ["Caro", "Erased student", "Ben", "Dia"]


@pytest.mark.parametrize("known", [1, 3])
def test_more_students_cost_no_more_queries(world, match, django_assert_num_queries, known):
    client = seen_by(world.teacher_session())
    client.get(f"/matches/{match.pk}/results/")
    Fact.objects.all().delete()
    for student in world.students[:known]:
        tell(world, match, student, "knowledge", "qa_team", "right")

    with django_assert_num_queries(QUERIES):
        client.get(f"/matches/{match.pk}/results/")
