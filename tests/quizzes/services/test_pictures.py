"""Pictures taken in, kept and forgotten."""

from __future__ import annotations

import os
from datetime import timedelta

import pytest
from django.conf import settings as site_settings
from django.utils import timezone
from msgspec.structs import replace

from classroom.access import Anonymous, TeacherActor
from classroom.errors import NotThere, TooFast
from classroom.throttle import Misses
from quizzes.access import access_picture
from quizzes.formats.question import Picture as Shown
from quizzes.limited.child import turn
from quizzes.models import Picture
from quizzes.services import pictures
from quizzes.services.pictures import BadPicture, PicturesBusy, Studio, add_picture, path_of
from tests.factories import bank, people
from tests.quizzes.limited import samples

pytestmark = pytest.mark.django_db

NAMES = [
    "../../x.png",
    "C:\\windows\\x.png",
    "nul\0.png",
    "a" * 300 + ".png",
    ".htaccess",
    "\u202egnp.exe.png",
    "aux",
    "<script>alert(1)</script>.png",
]


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


def add(data: bytes, *, by=None, name: str = "") -> Picture:
    return add_picture(actor=TeacherActor(by or people.teacher()), data=data, name=name)


def test_picture_is_kept_in_two_sizes():
    picture = add(samples.jpeg(), name="holiday.JPG")

    assert (picture.ending, picture.width, picture.height) == ("jpg", 40, 20)
    assert samples.opened(path_of(picture, "large").read_bytes()).size == (40, 20)
    assert picture.bytes == sum(path_of(picture, s).stat().st_size for s in pictures.Size.__args__)
    assert (picture.original_name, picture.ref) == ("holiday.JPG", f"{picture.pk}.jpg")


def test_same_picture_again_is_the_same():
    teacher = people.teacher()
    first = add(samples.jpeg(), by=teacher)

    again = add(samples.jpeg(), by=teacher)
    from_an_export = add(path_of(first, "large").read_bytes(), by=teacher)
    of_somebody_else = add(samples.jpeg())

    assert first == again == from_an_export
    assert of_somebody_else != first


@pytest.mark.case("UP-01", "UP-02")
@pytest.mark.parametrize(
    ("data", "name", "code", "status"),
    [
        (samples.SVG, "drawing.png", "picture_kind", 415),
        (samples.HTML, "page.png", "picture_kind", 415),
        (samples.TIFF, "scan.png", "picture_kind", 415),
        (samples.png(), "drawing.jpg", "picture_name", 415),
        (samples.png(), "drawing.svg", "picture_name", 415),
        (samples.jpeg()[:200], "photo.jpg", "bad_image", 422),
        (b"", "empty.png", "picture_kind", 415),
        (samples.black_png(9_000, 9_000), "black.png", "picture_pixels", 422),
        (b"\xff\xd8\xff" + bytes(10 * 2**20), "large.jpg", "picture_bytes", 413),
    ],
)
def test_refusal_says_what_to_do_and_leaves_nothing(media, data, name, code, status):
    with pytest.raises(BadPicture) as refused:
        add(data, name=name)

    assert (refused.value.code, refused.value.status) == (code, status)
    assert str(refused.value.message).endswith(".")
    assert not Picture.objects.exists()
    assert list(media.glob("pictures/*")) == []


@pytest.mark.case("UP-06")
@pytest.mark.parametrize("name", NAMES)
def test_name_of_a_file_is_never_a_path(media, name):
    picture = add(samples.png(), name=name if name.endswith("png") else "")
    kept = sorted(path.relative_to(media).as_posix() for path in media.rglob("*") if path.is_file())

    assert kept == [f"pictures/{picture.pk}-small.png", f"pictures/{picture.pk}.png"]
    assert len(picture.original_name) <= 200
    assert not set("\0\u202e") & set(picture.original_name)


@pytest.mark.case("UP-06")
@pytest.mark.parametrize("name", [".htaccess", "x.png/../../y.exe", "a.php"])
def test_name_that_says_something_else_is_refused(name):
    with pytest.raises(BadPicture) as refused:
        add(samples.png(), name=name)

    assert refused.value.code == "picture_name"


@pytest.mark.case("UP-14")
@pytest.mark.parametrize(("quota", "limit"), [("QUOTA_BYTES", 1), ("QUOTA_COUNT", 1)])
def test_full_room_of_one_teacher_is_nobody_elses(monkeypatch, quota, limit):
    monkeypatch.setattr(pictures, quota, limit)
    greedy = people.teacher()
    add(samples.png(), by=greedy)

    with pytest.raises(BadPicture) as refused:
        add(samples.jpeg(), by=greedy)

    assert (refused.value.code, refused.value.status) == ("picture_quota", 413)
    assert add(samples.jpeg()).owner != greedy


@pytest.mark.case("UP-14")
def test_many_small_files_are_slowed_for_one_teacher(monkeypatch, one_minute):
    monkeypatch.setattr(pictures, "SENDING", Misses("pictures-test", limit=2))
    hasty = people.teacher()
    for _ in range(2):
        add(samples.png(), by=hasty)

    with pytest.raises(TooFast):
        add(samples.png(), by=hasty)

    assert add(samples.png()).owner != hasty


@pytest.mark.case("UP-16")
def test_one_picture_at_a_time_on_the_machine(monkeypatch):
    # Tests that run beside this one make pictures, too: they may have the lock before and after.
    with (
        turn(site_settings.DATA / "pictures.lock", wait_s=30),
        monkeypatch.context() as impatient,
    ):
        impatient.setattr(pictures, "WAIT_S", 0.0)
        with pytest.raises(PicturesBusy) as refused:
            add(samples.png())

    assert refused.value.status == 503
    assert not Picture.objects.exists()
    assert add(samples.png()).ending == "png"


def test_child_that_dies_is_a_damaged_picture(monkeypatch):
    monkeypatch.setattr(pictures, "MADE_WITHIN_S", 0.0)

    with Studio(people.teacher()) as studio, pytest.raises(BadPicture) as refused:
        studio.make(samples.png())

    assert refused.value.code == "bad_image"


def test_students_send_no_pictures():
    with pytest.raises(NotThere):
        add_picture(actor=Anonymous(), data=samples.png(), name="")


def test_picture_is_open_to_who_may_see_a_question_with_it():
    shown_set = bank.question_set()
    picture = add(samples.png(), by=shown_set.owner)
    unused = add(samples.jpeg(), by=shown_set.owner)
    bank.questions(shown_set, replace(bank.single(), picture=Shown(ref=picture.ref, alt="A")))
    colleague = TeacherActor(bank.shared(shown_set))

    assert access_picture(TeacherActor(shown_set.owner), unused.pk) == unused
    assert access_picture(colleague, picture.pk) == picture
    for actor, one in ((colleague, unused), (TeacherActor(people.teacher()), picture)):
        with pytest.raises(NotThere):
            access_picture(actor, one.pk)


def test_unused_pictures_and_stray_files_are_forgotten_in_time(media):
    used_in = bank.question_set()
    used, unused, young = (
        add(data, by=used_in.owner) for data in (samples.png(), samples.jpeg(), samples.webp())
    )
    bank.questions(used_in, replace(bank.single(), picture=Shown(ref=used.ref, alt="A")))
    long_ago = timezone.now() - timedelta(days=31)
    Picture.objects.exclude(pk=young.pk).update(created_at=long_ago)
    stray, arriving = media / "pictures" / "stray.png", media / "pictures" / "arriving.png"
    for path in (stray, arriving):
        path.write_bytes(b"pixels")
    os.utime(stray, (0, 0))

    assert pictures.forget_pictures(dry=True) == 2
    assert path_of(unused, "large").exists()
    assert pictures.forget_pictures() == 2
    assert pictures.forget_pictures() == 0

    assert set(Picture.objects.all()) == {used, young}
    left = {path.name for path in media.glob("pictures/*")}
    assert left == {
        path_of(one, size).name for one in (used, young) for size in ("large", "small")
    } | {"arriving.png"}
