from __future__ import annotations

import pytest
from django.core.management import call_command

from classroom.models import Lesson
from games.services.preparing import make_teams
from tests.games.world import World


@pytest.fixture
def drafted_world(world: World) -> World:
    """The class in a lesson of Corruption! with drafted teams."""
    call_command("load_starters")
    Lesson.objects.filter(pk=world.lesson.pk).update(activity="corruption")
    world.lesson.refresh_from_db()
    make_teams(actor=world.teacher, lesson_id=world.lesson.pk)
    return world
