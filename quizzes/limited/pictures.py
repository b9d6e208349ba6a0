"""Pictures made anew from their pixels, in two sizes. Runs in a child.

What comes out has never been in a file: no metadata, no colour profile, no tail,
no second file hidden in the first. The header is judged before a pixel is decoded.
"""

from __future__ import annotations

import importlib
import io
import warnings
from typing import Any

import msgspec
from PIL import Image, ImageOps

from quizzes.formats.pictures import ending
from quizzes.limited.program import serve
from quizzes.limited.remade import Remade

PIXELS_MAX = 16_000_000
SIDE_MAX = 16_000
LARGE_PX = 1_600  # longest side
SMALL_PX = 480
PNG_MAX = 600 * 2**10  # a PNG larger than this is a photo: it becomes WebP
QUALITY = 85
MEMORY_MIB = 512
CPU_S = 10
_FORMATS = {"png": ["PNG"], "jpg": ["JPEG"], "webp": ["WEBP"], "heic": ["HEIF"]}
_HEIC_BRANDS = (b"heic", b"heix", b"hevc", b"hevx", b"mif1", b"msf1", b"heim", b"heis")


class _Bad(Exception):
    """The picture is refused; ``str`` is the code."""


def kind_of(data: bytes) -> str:
    """``png``, ``jpg``, ``webp`` or ``heic`` by the first bytes, or "" for anything else."""
    if data[4:8] == b"ftyp" and data[8:12] in _HEIC_BRANDS:
        return "heic"
    return ending(data)


def remake(data: bytes) -> Remade:
    """The picture made anew from its pixels."""
    kind = kind_of(data)
    if not kind:
        return Remade(refused="picture_kind")
    if kind == "heic" and not _reads_heic():
        return Remade(refused="picture_heic")
    try:
        return _remade(data, kind)
    except _Bad as bad:
        return Remade(refused=str(bad))
    except Exception:  # whatever Pillow raises on bytes that were made to break it
        return Remade(refused="bad_image")


def _remade(data: bytes, kind: str) -> Remade:
    if kind == "webp":
        _check_size(_webp_size(data))  # Pillow would make room for all pixels when it opens it
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    Image.MAX_IMAGE_PIXELS = PIXELS_MAX
    try:
        found = Image.open(io.BytesIO(data), formats=_FORMATS[kind])
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise _Bad("picture_pixels") from None
    _check_size(found.size)
    # Phones put a second picture (depth, brightness) behind a JPEG; the first is the photo.
    if kind != "jpg" and getattr(found, "n_frames", 1) > 1:
        raise _Bad("picture_moves")
    found.draft("RGB", (LARGE_PX, LARGE_PX))
    found.load()
    picture = _upright(found)
    large = _bare(picture)
    large.thumbnail((LARGE_PX, LARGE_PX), Image.Resampling.LANCZOS, reducing_gap=2.0)
    small = large.copy()
    small.thumbnail((SMALL_PX, SMALL_PX), Image.Resampling.LANCZOS, reducing_gap=2.0)
    kept = "jpg" if kind == "heic" else kind
    written = _written(large, kept)
    if kept == "png" and len(written) > PNG_MAX:
        kept = "webp"
        written = _written(large, kept)
    return Remade(
        ending=kept,
        width=large.width,
        height=large.height,
        large=written,
        small=_written(small, kept),
    )


def _check_size(size: tuple[int, int]) -> None:
    width, height = size
    if not width or not height:
        raise _Bad("bad_image")
    if width * height > PIXELS_MAX or max(width, height) > SIDE_MAX:
        raise _Bad("picture_pixels")


def _webp_size(data: bytes) -> tuple[int, int]:
    """Width and height by the first chunk of a WebP file (RFC 9649, section 2)."""
    chunk, head = data[12:16], data[20:30]
    if len(head) < 10:
        raise _Bad("bad_image")
    match chunk:
        case b"VP8X":
            return _int(head[4:7]) + 1, _int(head[7:10]) + 1
        case b"VP8L":
            bits = _int(head[1:5])
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8 ":
            return _int(head[6:8]) & 0x3FFF, _int(head[8:10]) & 0x3FFF
        case _:
            raise _Bad("bad_image")


def _int(data: bytes) -> int:
    return int.from_bytes(data, "little")


def _upright(picture: Image.Image) -> Image.Image:
    """The picture as the camera was held; broken EXIF says nothing."""
    try:
        return ImageOps.exif_transpose(picture)
    except Exception:  # the pixels are good, what stands beside them is not
        return picture


def _bare(picture: Image.Image) -> Image.Image:
    """The pixels alone, in one of two modes; a new picture takes no word of the old one along."""
    if picture.mode.startswith("I"):  # 16 bits a pixel
        picture = picture.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    mode = "RGBA" if picture.has_transparency_data else "RGB"
    bare = Image.new(mode, picture.size)
    bare.paste(picture.convert(mode))
    return bare


def _written(picture: Image.Image, kind: str) -> bytes:
    options: dict[str, dict[str, Any]] = {
        "png": {"format": "PNG"},
        "jpg": {"format": "JPEG", "quality": QUALITY, "optimize": True, "progressive": True},
        "webp": {"format": "WEBP", "quality": QUALITY, "method": 4},
    }
    out = io.BytesIO()
    picture.save(out, **options[kind])
    return out.getvalue()


def _reads_heic() -> bool:
    """Whether the optional extra is installed; then Pillow knows HEIC from now on."""
    try:
        pillow_heif = importlib.import_module("pillow_heif")
    except ImportError:
        return False
    pillow_heif.register_heif_opener()
    return True


def main() -> None:
    encode = msgspec.msgpack.Encoder().encode
    serve(lambda data: encode(remake(data)), memory_mib=MEMORY_MIB, cpu_s=CPU_S)


if __name__ == "__main__":
    main()
