"""Zip archives under limits: nothing is believed, nothing is unpacked to disk.

At most 500 entries (more where each question is a file), 100 MiB in all, ratio 100;
sizes are counted while reading, not taken from the archive. Names that leave the
archive, links, devices, duplicate names, overlapping entries and passwords are
refused. An archive inside an archive is a file like any other and is never opened.
"""

import io
import stat
import struct
import zipfile
import zlib

from quizzes.formats.problems import Place, Refused

ENTRIES_MAX = 500
TOTAL_MAX = 100 * 2**20
RATIO_MAX = 100
RATIO_FREE = 64 * 2**10  # files up to this size may be packed as tightly as they like
ENTRY_MAX = 1024  # bytes of the directory for one file; a name has up to 240 signs
NAME_MAX = 240
_LOCAL = struct.Struct("<4s5H3L2H")
_END = struct.Struct("<4s4H2LH")


class Archive:
    """Files by name. Made by ``open_archive``, which has checked all of them."""

    def __init__(self, data: bytes, entries: dict[str, tuple[zipfile.ZipInfo, int]]) -> None:
        self._data = data
        self._entries = entries
        self._read = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the files, in the order of the archive."""
        return tuple(self._entries)

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def read(self, name: str) -> bytes:
        """Return the content of one file.

        Raises:
            Refused: the file is not there, damaged, or not of the size it claims.
        """
        if name not in self._entries:
            raise Refused("archive.missing", text=name)
        info, start = self._entries[name]
        place = Place(part=name)
        packed = self._data[start : start + info.compress_size]
        if info.compress_type == zipfile.ZIP_DEFLATED:
            try:
                unpacked = zlib.decompressobj(-15).decompress(packed, info.file_size + 1)
            except zlib.error:
                raise Refused("archive.broken", place) from None
        else:
            unpacked = packed
        if len(unpacked) != info.file_size:
            raise Refused("archive.sizes-lie", place)
        if zlib.crc32(unpacked) != info.CRC:
            raise Refused("archive.broken", place)
        self._read += len(unpacked)
        if self._read > 2 * TOTAL_MAX:
            raise Refused("archive.too-large", limit=f"{TOTAL_MAX // 2**20} MiB")
        return unpacked


def is_archive(data: bytes) -> bool:
    """Say whether the bytes begin like a zip archive."""
    return data.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def open_archive(data: bytes, entries_max: int = ENTRIES_MAX) -> Archive:
    """Return the archive after checking every entry against the limits.

    Only packages that must keep each question in its own file are given more entries.

    Raises:
        Refused: any limit is passed or the archive is damaged.
    """
    if len(data) > TOTAL_MAX:
        raise Refused("file.too-large", limit=f"{TOTAL_MAX // 2**20} MiB")
    directory_at = _check_directory(data, entries_max)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as opened:
            infos = opened.infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, struct.error, OverflowError):
        raise Refused("archive.broken") from None
    if len(infos) > entries_max:
        raise Refused("archive.too-many-entries", limit=entries_max)
    if sum(info.file_size for info in infos) > TOTAL_MAX:
        raise Refused("archive.too-large", limit=f"{TOTAL_MAX // 2**20} MiB")
    entries: dict[str, tuple[zipfile.ZipInfo, int]] = {}
    seen: set[str] = set()
    end = 0
    for info in sorted(infos, key=lambda info: info.header_offset):
        _check_entry(info)
        folded = info.filename.casefold().rstrip("/")
        if folded in seen:
            raise Refused("archive.duplicate-name", text=info.filename)
        seen.add(folded)
        start = _data_start(data, info)
        if info.header_offset < end or start + info.compress_size > directory_at:
            raise Refused("archive.overlap", text=info.filename)
        end = start + info.compress_size
        if not info.is_dir():
            entries[info.filename] = (info, start)
    return Archive(data, entries)


def _check_directory(data: bytes, entries_max: int) -> int:
    """Return where the central directory begins, its size being within limits."""
    at = data.rfind(b"PK\x05\x06")
    if at < 0 or at + _END.size > len(data):
        raise Refused("archive.broken")
    _, disk, start_disk, here, total, size, offset, _ = _END.unpack_from(data, at)
    if total > entries_max or here > entries_max:
        raise Refused("archive.too-many-entries", limit=entries_max)
    if disk or start_disk or size > ENTRY_MAX * entries_max or offset + size > at:
        raise Refused("archive.broken")
    return at - int(size)


def _check_entry(info: zipfile.ZipInfo) -> None:
    name = info.filename
    if info.orig_filename != name or not _is_safe(name):
        raise Refused("archive.unsafe-name", text=info.orig_filename)
    if info.flag_bits & 0x1:
        raise Refused("archive.encrypted", text=name)
    mode = info.external_attr >> 16
    if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise Refused("archive.special-file", text=name)
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise Refused("archive.broken", text=name)
    if info.file_size > RATIO_FREE and info.file_size > RATIO_MAX * max(1, info.compress_size):
        raise Refused("archive.ratio", text=name)
    if info.compress_type == zipfile.ZIP_STORED and info.file_size != info.compress_size:
        raise Refused("archive.sizes-lie", text=name)


def _is_safe(name: str) -> bool:
    if not name or len(name) > NAME_MAX or not name.isprintable():
        return False
    if name.startswith("/") or "\\" in name or ":" in name:
        return False
    return all(part not in ("", ".", "..") for part in name.rstrip("/").split("/"))


def _data_start(data: bytes, info: zipfile.ZipInfo) -> int:
    """Return where the packed bytes begin, by the entry's own header."""
    if info.header_offset < 0 or info.header_offset + _LOCAL.size > len(data):
        raise Refused("archive.broken", text=info.filename)
    header = _LOCAL.unpack_from(data, info.header_offset)
    if header[0] != b"PK\x03\x04":
        raise Refused("archive.broken", text=info.filename)
    name_size, extra_size = header[-2:]
    return info.header_offset + _LOCAL.size + int(name_size) + int(extra_size)


def write_archive(files: dict[str, bytes]) -> bytes:
    """Return a zip archive of the files. The same files give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, date_time=(2020, 1, 1, 0, 0, 0))
            info.external_attr = (stat.S_IFREG | 0o644) << 16
            # What packs tighter than the limit is stored, so that we can read it again.
            tight = len(zlib.compress(content, 6)) * (RATIO_MAX - 1) < len(content)
            info.compress_type = zipfile.ZIP_STORED if tight else zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return out.getvalue()
