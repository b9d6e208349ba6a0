"""From the printed link to a student who waits for play: the whole way, over HTTP."""

from __future__ import annotations

import re

import pytest
from django.core.management import call_command
from django.test import Client

from classroom.models import Classroom, Lesson, Student, Teacher

pytestmark = pytest.mark.django_db


def test_from_the_printed_link_to_a_waiting_student(capsys):
    teacher, pupil = Client(), Client()

    call_command("first_link")
    link = capsys.readouterr().out.strip()
    account = {
        "name": "Ms Okafor",
        "email": "okafor@school.example",
        "password": "calm river stones",
    }
    assert teacher.post(link, account).headers["Location"] == "/classes/"
    assert Teacher.objects.get().is_staff

    paste = teacher.post("/classes/new/", {"name": "7c Citizenship"}).headers["Location"]
    text = "1. Amina\n2. Bilal\n3. Ana\n4. Ana\n"
    shown = teacher.post(paste, {"text": text, "act": "preview"}).content.decode()
    assert "Ana (1)" in shown
    assert not Student.objects.exists()
    teacher.post(paste, {"text": text, "act": "save"})
    classroom = Classroom.objects.get()
    assert [s.name for s in classroom.students.all()] == ["Amina", "Ana (1)", "Ana (2)", "Bilal"]

    page = teacher.get(f"/classes/{classroom.pk}/").content.decode()
    assert f"{classroom.code[:3]} {classroom.code[3:]}" in page
    teacher.post(f"/classes/{classroom.pk}/lessons/new/", {"activity": "lanterns"})
    lesson = Lesson.objects.get()
    teacher.post(f"/lessons/{lesson.pk}/change/", {"act": "open"})

    names = pupil.post("/join/", {"code": classroom.code.lower()}).headers["Location"]
    tap = re.search(
        r'action="([^"]+)"[^>]*>.{0,200}?Amina', pupil.get(names).content.decode(), re.S
    )
    assert tap
    play = pupil.post(tap.group(1)).headers["Location"]
    assert "You are in, Amina." in pupil.get(play).content.decode()
    assert "1 student is here" in teacher.get(f"/lessons/{lesson.pk}/").content.decode()

    Lesson.objects.update(settings={"started": True})
    assert pupil.get(play).headers["Location"] == "/healthz"
    moved = pupil.post(f"/lessons/{lesson.pk}/here/", headers={"HX-Request": "true"})
    assert moved.headers["HX-Redirect"] == "/healthz"
