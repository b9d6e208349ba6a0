from __future__ import annotations

import pytest
from django.utils import timezone

from classroom.models import Classroom
from games.services.preparing import Devices, setup_of, start_matches
from tests.games.looking_back import seen_by

pytestmark = pytest.mark.django_db


def test_when_everybody_plays_no_names_are_asked_for(drafted_world):
    world = drafted_world
    start_matches(actor=world.teacher, lesson_id=world.lesson.pk)

    page = seen_by(world.teacher_session()).get(f"/lessons/{world.lesson.pk}/setup/")

    told = page.content.decode()
    assert "Everybody plays already." in told
    assert "Nobody is on the class list yet" not in told


@pytest.mark.parametrize(
    ("guests", "told", "not_told"),
    [
        (True, "let the students in", "nobody could come in"),
        (False, "nobody could come in", "et the students in,"),
    ],
)
def test_an_empty_class_is_told_how_somebody_can_come_in(drafted_world, guests, told, not_told):
    lesson = drafted_world.lesson
    lesson.classroom.students.update(removed_at=timezone.now())
    Classroom.objects.update(guests_allowed=guests)

    page = seen_by(drafted_world.teacher_session()).get(f"/lessons/{lesson.pk}/setup/")

    words = page.content.decode()
    assert told in words
    assert not_told not in words
    link = f'<a href="/classes/{lesson.classroom_id}/settings/">'
    assert (link in words) is not guests


def saved(world, **chosen):
    browser = seen_by(world.teacher_session())
    page = browser.get(f"/lessons/{world.lesson.pk}/setup/")
    form = {
        bound.name: bound.value() for bound in page.context["form"] if bound.value() is not None
    }
    answer = browser.post(f"/lessons/{world.lesson.pk}/setup/save/", {**form, **chosen})
    assert answer.status_code == 302
    world.lesson.refresh_from_db()
    return setup_of(world.lesson)


def test_devices_and_computer_player_are_chosen_on_the_page(drafted_world):
    settled = saved(drafted_world, devices="shared", bot="greedy")

    assert (settled.devices, settled.bot) == (Devices.SHARED, "greedy")
    page = seen_by(drafted_world.teacher_session()).get(
        f"/lessons/{drafted_world.lesson.pk}/setup/"
    )
    assert page.context["form"]["bot"].value() == "greedy"
    assert "Spends every fish on its village" in page.content.decode()


@pytest.mark.parametrize("field", ["devices", "bot"])
def test_a_device_or_player_that_does_not_exist_is_refused_in_words(drafted_world, field):
    browser = seen_by(drafted_world.teacher_session())

    answer = browser.post(f"/lessons/{drafted_world.lesson.pk}/setup/save/", {field: "x"})

    assert answer.status_code == 422
    assert field in answer.context["form"].errors


def test_teams_play_against_the_computer_and_each_other_again(drafted_world):
    world = drafted_world
    browser = seen_by(world.teacher_session())
    address = f"/lessons/{world.lesson.pk}/setup/mix/"

    practice = browser.post(address, {"practice": "1"}, headers={"HX-Request": "true"})
    other = browser.post(
        address, {"practice": "1", "each_other": "1"}, headers={"HX-Request": "true"}
    )

    assert "Against each other" in practice.content.decode()
    assert "The computer plays" in practice.content.decode()
    assert "Against the computer" in other.content.decode()
    assert not setup_of(type(world.lesson).objects.get(pk=world.lesson.pk)).practice


def test_the_sentence_at_the_foot_tells_how_large_the_teams_are_now(drafted_world):
    browser = seen_by(drafted_world.teacher_session())
    lesson = f"/lessons/{drafted_world.lesson.pk}/setup/"
    team = drafted_world.lesson.matches.get().teams.get(seat=0)
    others = drafted_world.lesson.matches.get().teams.get(seat=1)

    student = others.members.first().student_id
    browser.post(f"{lesson}place/{student}/", {"to": f"1.{team.seat}"})

    page = browser.get(lesson)
    assert page.context["sizes"] == (1, 3)
    assert "teams of 1 to 3." in page.content.decode()


def test_the_sentence_at_the_foot_goes_with_the_teams(drafted_world):
    browser = seen_by(drafted_world.teacher_session())
    lesson = f"/lessons/{drafted_world.lesson.pk}/setup/"

    for number, said in ((1, "1 match,"), (2, "2 matches,")):
        part = browser.post(
            f"{lesson}mix/", {"number": number}, headers={"HX-Request": "true"}
        ).content.decode()
        page = browser.get(lesson).content.decode()

        plan = part.partition('id="plan" hx-swap-oob="true">')[2].partition("</p>")[0]
        assert said in plan
        assert f'id="plan">{plan}</p>' in page
