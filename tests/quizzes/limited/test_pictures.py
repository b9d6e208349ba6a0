"""Pictures made anew from their pixels, by the program that runs in a child."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings, strategies as st
from PIL import Image

from quizzes.limited import pictures
from quizzes.limited.child import Child, Died
from quizzes.limited.pictures import LARGE_PX, SMALL_PX, remake
from quizzes.limited.remade import Remade
from tests.cost import cpu_s
from tests.quizzes.limited import samples

MIB = 2**20


@pytest.fixture(scope="module")
def child():
    with Child("pictures", wall_s=60) as started:
        yield started


def made(child: Child, data: bytes) -> Remade:
    return msgspec.msgpack.decode(child.ask(data), type=Remade)


def both(remade: Remade) -> tuple[bytes, bytes]:
    assert remade.refused == ""
    return remade.large, remade.small


@pytest.mark.case("UP-01")
@pytest.mark.parametrize("data", [samples.SVG, samples.HTML, b"", b"\0" * 64], ids=range(4))
def test_what_is_no_picture_is_refused(data):
    assert remake(data) == Remade(refused="picture_kind")


@pytest.mark.case("UP-02")
@pytest.mark.parametrize("data", [samples.GIF_AND_SCRIPT, samples.TIFF, samples.BMP], ids=range(3))
def test_other_kinds_of_pictures_are_refused(data):
    assert remake(data) == Remade(refused="picture_kind")


@pytest.mark.case("UP-02")
@pytest.mark.parametrize("picture", [samples.png(), samples.jpeg(), samples.webp()], ids=range(3))
@pytest.mark.parametrize("tail", [b"PK\x03\x04 second file", samples.HTML], ids=("zip", "html"))
def test_what_hangs_behind_a_picture_is_gone(picture, tail):
    large, small = both(remake(picture + tail))

    assert large == both(remake(picture))[0]
    assert tail not in large + small


@pytest.mark.case("UP-03")
@pytest.mark.parametrize(
    ("data", "why"),
    [
        (samples.black_png(9_000, 9_000), "picture_pixels"),
        (samples.black_png(13_000, 13_000), "picture_pixels"),
        (samples.black_png(1, 60_000), "picture_pixels"),
        (samples.large_jpeg(13_000, 13_000), "picture_pixels"),
        (samples.large_webp(16_384, 16_384), "picture_pixels"),
        (samples.moving_png(10_000), "picture_moves"),
        (samples.moving_webp(), "picture_moves"),
    ],
    ids=["9000", "13000", "1x60000", "jpeg", "webp", "moving png", "moving webp"],
)
def test_bombs_are_refused_from_their_head(child, data, why):
    assert made(child, samples.png()).refused == ""  # warm: Pillow is loaded
    before = peak_bytes(child)

    assert remake(data) == Remade(refused=why)
    assert cpu_s(lambda: remake(data), limit_s=1) < 1
    assert made(child, data) == Remade(refused=why)
    assert peak_bytes(child) - before < 50 * MIB


def peak_bytes(child: Child) -> int:
    """The most memory that the child ever held."""
    if not sys.platform.startswith("linux"):
        return 0
    status = Path(f"/proc/{child.pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


@pytest.mark.case("UP-04")
@pytest.mark.parametrize(
    "data",
    [samples.talkative_jpeg(), samples.talkative_png(), samples.talkative_webp()],
    ids=["jpeg", "png", "webp"],
)
def test_nothing_but_pixels_is_kept(data):
    for word in (samples.CANARY, samples.CANARY[:8]):
        assert word in data  # there was something to lose
    remade = remake(data)

    for kept in both(remade):
        assert samples.CANARY[:8] not in kept
        picture = samples.opened(kept)
        assert dict(picture.getexif()) == {}
        assert {"icc_profile", "exif", "xmp", "comment", "Author"} & set(picture.info) == set()


@pytest.mark.case("UP-04")
@pytest.mark.parametrize(
    ("orientation", "size", "red"),
    [
        (1, (40, 20), (3, 10)),
        (3, (40, 20), (36, 10)),
        (6, (20, 40), (10, 3)),
        (8, (20, 40), (10, 36)),
    ],
)
def test_picture_stands_as_the_camera_was_held(orientation, size, red):
    picture = samples.opened(remake(samples.talkative_jpeg(orientation)).large)

    red_part = picture.getpixel(red)
    assert picture.size == size
    assert red_part[0] > 200
    assert red_part[1] < 80


@pytest.mark.case("UP-05")
@pytest.mark.parametrize("picture", [samples.png(), samples.jpeg(), samples.webp()], ids=range(3))
def test_picture_cut_off_anywhere_is_refused(picture):
    refused = {remake(picture[:at]).refused for at in range(len(picture) * 2 // 3)}

    assert refused <= {"bad_image", "picture_kind"}


@pytest.mark.case("UP-05")
@settings(max_examples=150)
@given(
    picture=st.sampled_from(
        [samples.talkative_jpeg(), samples.talkative_png(), samples.talkative_webp()]
    ),
    cuts=st.lists(st.tuples(st.floats(0, 1), st.binary(min_size=0, max_size=8)), max_size=6),
    length=st.floats(0.2, 1),
)
def test_broken_pictures_break_nothing(child, picture, cuts, length):
    data = bytearray(picture[: int(len(picture) * length)])
    for place, bits in cuts:
        at = int(place * len(data))
        data[at : at + len(bits)] = bits

    remade = made(child, bytes(data))

    assert remade.refused or (samples.opened(remade.large) and samples.opened(remade.small))


def test_two_sizes_in_the_kind_that_came():
    photo = samples.written(samples.drawing(3_000, 1_500), "JPEG")

    remade = remake(photo)

    large, small = map(samples.opened, both(remade))
    assert (remade.ending, large.format, small.format) == ("jpg", "JPEG", "JPEG")
    assert (remade.width, remade.height) == large.size == (LARGE_PX, LARGE_PX // 2)
    assert small.size == (SMALL_PX, SMALL_PX // 2)


def test_small_picture_is_not_blown_up():
    remade = remake(samples.png())

    assert (remade.ending, remade.width, remade.height) == ("png", 40, 20)
    assert samples.opened(remade.large).tobytes() == samples.drawing().tobytes()


def test_photo_kept_as_png_becomes_webp():
    noise = Image.frombytes("RGB", (700, 700), os.urandom(700 * 700 * 3))

    assert remake(samples.written(noise, "PNG")).ending == "webp"


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "I;16", "CMYK"])
def test_every_mode_is_shown(mode):
    kind = "JPEG" if mode == "CMYK" else "PNG"
    picture = Image.new("I;16", (9, 9), 40_000) if mode == "I;16" else (
        samples.drawing(9, 9, "RGBA" if mode in ("LA", "RGBA") else "RGB").convert(mode)
    )  # fmt: skip

    shown = samples.opened(remake(samples.written(picture, kind)).large)

    assert shown.mode == ("RGBA" if mode in ("LA", "RGBA") else "RGB")
    if mode == "I;16":
        assert shown.getpixel((4, 4)) == (156, 156, 156)


def test_see_through_parts_stay_so():
    clear = Image.new("RGBA", (9, 9), (255, 0, 0, 0))

    assert samples.opened(remake(samples.written(clear, "PNG")).large).getpixel((4, 4))[3] == 0


def test_photo_with_a_second_picture_behind_it_is_read():
    """Phones add a depth map or a brightness map to their JPEG (MPO)."""
    first, second = samples.drawing(), Image.new("RGB", (40, 20), "blue")
    photo = samples.written(first, "MPO", save_all=True, append_images=[second])

    remade = remake(photo)

    assert (remade.refused, remade.ending) == ("", "jpg")
    assert samples.opened(remade.large).getpixel((35, 10))[2] > 240  # white, not blue only
    assert samples.opened(remade.large).getpixel((35, 10))[0] > 240


def test_heic_needs_the_extra(monkeypatch):
    monkeypatch.setattr(pictures, "_reads_heic", lambda: False)

    assert remake(samples.HEIC) == Remade(refused="picture_heic")


def test_child_that_takes_too_long_is_ended_and_replaced():
    with Child("pictures", wall_s=0.0) as impatient:
        with pytest.raises(Died):
            impatient.ask(samples.png())
        impatient._wall_s = 60

        assert made(impatient, samples.png()).refused == ""


@pytest.mark.case("UP-16")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_child_goes_last_and_may_use_little(child):
    made(child, samples.png())

    limits = Path(f"/proc/{child.pid}/limits").read_text().splitlines()
    soft = {line[:26].strip(): line[26:].split()[0] for line in limits}
    environment = Path(f"/proc/{child.pid}/environ").read_bytes()

    assert os.getpriority(os.PRIO_PROCESS, child.pid) >= 10
    assert int(soft["Max address space"]) == pictures.MEMORY_MIB * MIB
    assert int(soft["Max cpu time"]) <= 60
    assert int(soft["Max file size"]) == 0
    assert b"SECRET" not in environment
    assert b"DATABASE_URL" not in environment
