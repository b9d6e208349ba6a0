from __future__ import annotations

import pytest
from django.utils import translation

from games.decks.starters import starter
from games.selectors.lineups import drafted
from games.services import preparing
from games.services.preparing import Devices, Setup
from tests.games.services.preparing.classes import holds_a_device, speakers, students

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("of_class", "active", "expected"),
    [("ar", "fr", "ar"), ("", "fr", "fr"), ("", "de", "en")],
)
def test_match_is_played_in_the_language_of_the_class_or_else_of_the_page(
    lesson, teacher, of_class, active, expected
):
    lesson.classroom.language = of_class
    lesson.classroom.save()
    students(lesson, 4)

    with translation.override(active):
        preparing.make_teams(actor=teacher, lesson_id=lesson.pk)

    (match,) = drafted(lesson)
    assert match.language == expected
    assert {c.version.deck.language for c in match.contents.all()} == {expected}


# -- devices and computer players -----------------------------------------------------------------


def test_with_one_device_a_team_every_team_gets_one_that_speaks_for_it(lesson, teacher):
    everybody = students(lesson, 20)
    holds_a_device(lesson, *everybody[:4])
    preparing.save_setup(
        actor=teacher,
        lesson_id=lesson.pk,
        setup=Setup(board=starter("corruption").key, devices=Devices.SHARED),
    )

    preparing.make_teams(actor=teacher, lesson_id=lesson.pk, number=2)
    preparing.start_matches(actor=teacher, lesson_id=lesson.pk)

    held = {str(student.pk) for student in everybody[:4]}
    speaking = speakers(lesson)
    assert [len(team) for team in speaking] == [1, 1, 1, 1]
    assert {student for team in speaking for student in team} == held


@pytest.mark.parametrize("devices", [Devices.OWN, Devices.MIXED])
def test_a_device_speaks_for_others_where_some_have_none(lesson, teacher, devices):
    (with_device, other, alone, friend) = students(lesson, 4)
    holds_a_device(lesson, with_device, alone, friend)
    preparing.save_setup(
        actor=teacher,
        lesson_id=lesson.pk,
        setup=Setup(board=starter("corruption").key, devices=devices),
    )
    for student, seat in ((with_device, 0), (other, 0), (alone, 1), (friend, 1)):
        number = drafted(lesson).first().number if drafted(lesson) else 1
        preparing.place_student(
            actor=teacher, lesson_id=lesson.pk, student_id=student.pk, number=number, seat=seat
        )

    preparing.start_matches(actor=teacher, lesson_id=lesson.pk)

    shared = [str(with_device.pk)] if devices is Devices.MIXED else []
    assert speakers(lesson) == [shared, []]
