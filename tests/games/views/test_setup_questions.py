"""The choice of a question set on the set-up page."""

from __future__ import annotations

from html import unescape

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from classroom.access import TeacherActor
from quizzes.formats.question import TrueFalse
from quizzes.services.sets import archive_set, delete_set
from tests.factories import bank, people
from tests.permissions.world import logged_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def lesson():
    call_command("load_starters")
    return people.lesson(activity="corruption")


def playable(owner, **fields):
    question_set = bank.question_set(owner=owner, **fields)
    four = ("All", "Men", "Kings", "Cats")
    bank.questions(question_set, bank.single(choices=four), TrueFalse(stem="So?", right=True))
    return question_set


def shown(client, lesson):
    return unescape(client.get(f"/lessons/{lesson.pk}/setup/").content.decode())


def save(client, lesson, question_set):
    page = client.get(f"/lessons/{lesson.pk}/setup/")
    form = page.context["form"]
    data = {name: form[name].value() for name in form.fields}
    questions = str(question_set.pk) if question_set else ""
    return client.post(f"/lessons/{lesson.pk}/setup/save/", {**data, "questions": questions})


def test_starter_deck_is_asked_unless_a_set_is_chosen(lesson):
    owner = lesson.classroom.owner
    playable(owner, title="Elections")
    bank.questions(bank.question_set(owner=owner, title="Nothing to ask"), bank.single())

    page = shown(logged_in(owner), lesson)

    assert "Starter deck" in page
    assert "Elections (1 question)" in page
    assert "Nothing to ask" not in page


def test_chosen_set_is_kept_and_its_page_says_what_fits(lesson):
    owner = lesson.classroom.owner
    question_set, client = playable(owner, title="Elections"), logged_in(owner)

    answer = save(client, lesson, question_set)

    lesson.refresh_from_db()
    page = shown(client, lesson)
    assert answer.status_code == 302
    assert lesson.settings["questions"] == str(question_set.pk)
    assert "1 of 2 questions can be asked. 1 is of another kind" in page
    assert f'href="/questions/sets/{question_set.pk}/"' in page


def test_starter_deck_can_be_chosen_again(lesson):
    owner = lesson.classroom.owner
    client = logged_in(owner)
    save(client, lesson, playable(owner))

    save(client, lesson, None)

    lesson.refresh_from_db()
    assert "questions" not in lesson.settings


@pytest.mark.parametrize("gone", ["archived", "deleted"])
def test_set_that_is_gone_stays_chosen_and_the_page_can_be_saved(lesson, gone):
    owner = lesson.classroom.owner
    question_set, client = playable(owner, title="Elections"), logged_in(owner)
    save(client, lesson, question_set)
    if gone == "archived":
        archive_set(actor=TeacherActor(owner), set_id=question_set.pk)
    else:
        delete_set(actor=TeacherActor(owner), set_id=question_set.pk, typed_title="Elections")

    page = shown(client, lesson)
    answer = save(client, lesson, question_set)

    assert "Elections</option>" in page
    assert ("It is asked as it was kept." in page) == (gone == "deleted")
    assert answer.status_code == 302


@pytest.mark.case("AZ-01", "AZ-04")
def test_foreign_set_cannot_be_posted(lesson):
    client = logged_in(lesson.classroom.owner)

    answer = save(client, lesson, playable(people.teacher()))

    lesson.refresh_from_db()
    assert answer.status_code == 422
    assert not lesson.settings


@pytest.mark.case("LD-08")
def test_page_asks_as_much_for_three_sets_as_for_one(lesson):
    owner = lesson.classroom.owner
    asked = []
    for number in (1, 2):
        for _set in range(number):
            playable(owner)
        with CaptureQueriesContext(connection) as queries:
            shown(logged_in(owner), lesson)
        asked.append(len(queries))

    assert asked[0] == asked[1]
