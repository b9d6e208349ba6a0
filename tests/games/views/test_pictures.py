"""Pictures of questions in a match: for its students, its teachers and the read-only link."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.test import Client

from classroom.access import TeacherActor
from games.selectors import rulesets
from games.selectors.screens import screen_token
from games.services import preparing
from games.services.preparing import Setup
from quizzes.formats.question import Picture
from quizzes.services.pictures import path_of
from tests.factories import bank, people
from tests.permissions.world import _mark, logged_in, seated

pytestmark = pytest.mark.django_db


@pytest.fixture
def match():
    """A match of two students that asks a question with a picture."""
    rulesets._rules.cache_clear()
    call_command("load_starters")
    lesson = people.lesson(activity="corruption")
    for name in ("Amina", "Bilal"):
        people.joined(lesson, people.student(lesson.classroom, name), device=_mark(name))
    owner = lesson.classroom.owner
    question_set = bank.question_set(owner=owner)
    bank.questions(question_set, with_picture(owner))
    actor = TeacherActor(owner)
    preparing.save_setup(
        actor=actor, lesson_id=lesson.pk,
        setup=Setup(board="one-lesson", questions=str(question_set.pk)),
    )  # fmt: skip
    (made,) = preparing.start_matches(actor=actor, lesson_id=lesson.pk)
    yield made
    rulesets._rules.cache_clear()


def with_picture(owner):
    picture = bank.picture(owner)
    path_of(picture, "large").write_bytes(b"pixels")
    ref = Picture(ref=picture.ref, alt="A ballot")
    return bank.single(choices=("All", "Men", "Kings", "Cats"), picture=ref)


def address(match, picture=None):
    (card,) = match.contents.get(kind="qa").version.content["cards"]
    return f"/matches/{match.pk}/pictures/{picture or card['picture']['id']}/"


def student(match, name):
    return seated(match.lesson.classroom.students.get(name=name), name)


@pytest.mark.case("HD-05")
def test_picture_is_shown_to_those_of_the_match_and_nobody_else(match):
    lesson = match.lesson
    outside = people.student(lesson.classroom, "Chiara")
    people.joined(lesson, outside, device=_mark("Chiara"))
    where = address(match)

    answers = {
        "student": student(match, "Amina").get(where),
        "teacher": logged_in(lesson.classroom.owner).get(where),
        "screen": Client().get(f"{where}?screen={screen_token(lesson)}"),
        "same class, another match": seated(outside, "Chiara").get(where),
        "anonymous": Client().get(where),
        "other teacher": logged_in(people.teacher()).get(where),
        "wrong link": Client().get(f"{where}?screen=nonsense"),
    }

    assert {who: answer.status_code for who, answer in answers.items()} == {
        "student": 200,
        "teacher": 200,
        "screen": 200,
        "same class, another match": 404,
        "anonymous": 404,
        "other teacher": 404,
        "wrong link": 404,
    }
    assert answers["student"].content == b"pixels"


@pytest.mark.case("HD-05")
def test_student_reaches_no_picture_that_the_match_does_not_ask(match):
    other = bank.picture(match.lesson.classroom.owner)
    path_of(other, "large").write_bytes(b"pixels")

    assert student(match, "Amina").get(address(match, other.pk)).status_code == 404


def test_teacher_who_plays_in_the_same_browser_sees_the_picture(match):
    client = student(match, "Amina")
    client.force_login(
        people.teacher(), backend="allauth.account.auth_backends.AuthenticationBackend"
    )

    assert client.get(address(match)).status_code == 200
