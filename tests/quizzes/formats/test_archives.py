"""Zip archives under limits. The hostile ones are made here, none is stored."""

import io
import stat
import struct
import zipfile
import zlib

import pytest

from quizzes.formats.archives import open_archive, write_archive
from quizzes.formats.problems import Refused
from tests.cost import cpu_s


def zipped(files: dict[str, bytes], *, method: int = zipfile.ZIP_DEFLATED) -> bytearray:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, compress_type=method)
    return bytearray(out.getvalue())


def _read_all(data: bytes) -> None:
    archive = open_archive(data)
    for name in archive.names:
        archive.read(name)


def refusal(data: bytes) -> str:
    """The code with which the archive, or reading all of it, is refused."""
    with pytest.raises(Refused) as caught:
        _read_all(bytes(data))
    return caught.value.problem.code


def test_archives_we_write_are_read():
    files = {"a.json": b"{}", "p/x.png": b"\x89PNG" * 9, "tight": b"\0" * 2_000_000}

    archive = open_archive(write_archive(files))

    assert {name: archive.read(name) for name in archive.names} == files


@pytest.mark.case("UP-07")
@pytest.mark.parametrize("size", [2 * 2**20, 90 * 2**20])
def test_bombs_are_refused_before_unpacking(size):
    data = zipped({"bomb": bytes(size)})

    assert refusal(data) == "archive.ratio"
    assert cpu_s(lambda: refusal(data), limit_s=1) < 1


@pytest.mark.case("UP-07")
def test_too_many_entries_are_refused():
    data = zipped({str(number): b"" for number in range(501)})

    assert refusal(data) == "archive.too-many-entries"


@pytest.mark.case("UP-07")
def test_a_long_directory_behind_a_small_count_is_refused():
    data = zipped({str(number): b"" for number in range(20_000)})
    end = data.rfind(b"PK\x05\x06")
    data[end + 8 : end + 12] = struct.pack("<HH", 3, 3)

    assert refusal(data) == "archive.broken"


@pytest.mark.case("UP-07")
def test_declared_size_over_the_limit_is_refused():
    data = zipped({"a": b"x" * 50_000, "b": b"y"}, method=zipfile.ZIP_STORED)
    at = data.rfind(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<I", 2**27)

    assert refusal(data) == "archive.too-large"


@pytest.mark.case("UP-07")
def test_lying_size_is_found_by_counting():
    data = zipped({"a": b"x" * 60_000})
    at = data.rfind(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<I", 1_000)

    assert refusal(data) == "archive.sizes-lie"


@pytest.mark.case("UP-07")
def test_overlapping_entries_are_refused():
    data = zipped({"a": b"x" * 100, "b": b"x" * 100}, method=zipfile.ZIP_STORED)
    at = data.rfind(b"PK\x01\x02")  # the second entry points at the data of the first
    data[at + 42 : at + 46] = struct.pack("<I", 0)

    assert refusal(data) == "archive.overlap"


@pytest.mark.case("UP-07")
def test_an_archive_inside_stays_a_file():
    inner = bytes(zipped({"bomb": bytes(2**20)}))

    archive = open_archive(bytes(zipped({"inner.zip": inner})))

    assert archive.read("inner.zip") == inner


@pytest.mark.case("UP-08")
@pytest.mark.parametrize(
    "name",
    ["../x", "a/../../x", "/etc/passwd", "C:\\x", "a\\b", "C:x", "a//b", "./a", "a\n", "x" * 300],
)
def test_names_that_leave_the_archive_are_refused(name):
    assert refusal(zipped({name: b"x"})) == "archive.unsafe-name"


@pytest.mark.case("UP-08")
def test_name_with_a_zero_byte_is_refused():
    data = zipped({"deck.jsonXevil": b"x"})
    data = data.replace(b"deck.jsonX", b"deck.json\0")

    assert refusal(data) == "archive.unsafe-name"


@pytest.mark.case("UP-08")
@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFIFO])
def test_links_and_devices_are_refused(kind):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        info = zipfile.ZipInfo("link")
        info.external_attr = (kind | 0o777) << 16
        archive.writestr(info, "/etc/passwd")

    assert refusal(out.getvalue()) == "archive.special-file"


@pytest.mark.case("UP-08")
@pytest.mark.parametrize("other", ["a", "A", "a/"])
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_duplicate_names_are_refused(other):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a", "x")
        archive.writestr(other, "")

    assert refusal(out.getvalue()) == "archive.duplicate-name"


def test_passwords_other_methods_and_damage_are_refused():
    locked = zipped({"a": b"x"})
    for mark, offset in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        locked[locked.find(mark) + offset] |= 1
    wrong_sum = zipped({"a": b"x" * 50}, method=zipfile.ZIP_STORED)
    wrong_sum[40] ^= 1
    no_deflate = zipped({"a": zlib.compress(b"x" * 500)})
    no_deflate[31:40] = b"\xff" * 9

    assert refusal(locked) == "archive.encrypted"
    assert refusal(zipped({"a": b"x"}, method=zipfile.ZIP_BZIP2)) == "archive.broken"
    assert refusal(wrong_sum) == "archive.broken"
    assert refusal(no_deflate) == "archive.broken"
    assert refusal(b"PK\x03\x04") == "archive.broken"
    assert refusal(bytes(zipped({"a": b"x"}))[:-10]) == "archive.broken"
