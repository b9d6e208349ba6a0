"""Sending a picture, and opening its file."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from msgspec.structs import replace

from quizzes.formats.question import Picture as Shown
from quizzes.models import Picture, SetShare
from quizzes.services.pictures import Studio
from tests.factories import bank, people
from tests.permissions.world import logged_in
from tests.quizzes.limited import samples

pytestmark = pytest.mark.django_db
SEND = reverse("quizzes:add_picture")
JSON = {"accept": "application/json"}


@pytest.fixture(autouse=True)
def _media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def send(client, data: bytes, name: str = "x.png"):
    return client.post(SEND, {"picture": SimpleUploadedFile(name, data)}, headers=JSON)


def test_answer_says_where_the_picture_is_shown():
    client = logged_in(people.teacher())

    answer = send(client, samples.png(), "flag.png")

    picture = Picture.objects.get()
    assert answer.status_code == 201
    assert answer.json() == {
        "id": str(picture.pk),
        "ref": picture.ref,
        "src": f"/pictures/{picture.pk}/small/",
        "small": f"/pictures/{picture.pk}/small/",
        "large": f"/pictures/{picture.pk}/large/",
        "width": 40,
        "height": 20,
    }
    assert samples.opened(client.get(answer.json()["large"]).content).size == (40, 20)


@pytest.mark.case("UP-05")
@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n", samples.jpeg()[:300]])
def test_broken_picture_is_answered_in_words(data):
    answer = send(logged_in(people.teacher()), data, "x")

    assert answer.status_code in (415, 422)
    assert set(answer.json()) == {"code", "message"}


@pytest.mark.case("UP-15")
def test_opened_directly_the_file_can_do_nothing():
    teacher = people.teacher()
    with Studio(teacher) as studio:
        picture = studio.make(samples.jpeg() + samples.HTML, name="<img onerror=x>.jpg")

    answer = logged_in(teacher).get(reverse("quizzes:picture", args=[picture.pk, "large"]))

    assert answer.headers["Content-Type"] == "image/jpeg"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Disposition"] == f'inline; filename="{picture.pk.hex[:8]}.jpg"'
    assert "sandbox" in answer.headers["Content-Security-Policy"]
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert b"script" not in answer.content


@pytest.mark.case("UP-15")
def test_access_is_checked_each_time():
    shown_in = bank.question_set()
    with Studio(shown_in.owner) as studio:
        picture = studio.make(samples.png())
    bank.questions(shown_in, replace(bank.single(), picture=Shown(ref=picture.ref, alt="A")))
    client = logged_in(bank.shared(shown_in))
    address = reverse("quizzes:picture", args=[picture.pk, "small"])

    first = client.get(address)
    again = client.get(address, headers={"if-none-match": first.headers["ETag"]})
    SetShare.objects.all().delete()
    after = client.get(address, headers={"if-none-match": first.headers["ETag"]})

    assert (first.status_code, again.status_code, after.status_code) == (200, 304, 404)


def test_other_sizes_and_lost_files_are_not_there(django_assert_num_queries):
    teacher = people.teacher()
    picture = bank.picture(teacher)
    client = logged_in(teacher)

    for size in ("huge", "small", "..", "large"):
        assert client.get(f"/pictures/{picture.pk}/{size}/").status_code == 404
