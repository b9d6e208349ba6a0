"""Pictures as phones, drawing programs and attackers make them."""

from __future__ import annotations

import io
import struct
import zlib

from PIL import Image, ImageDraw, PngImagePlugin

CANARY = b"CANARY-48.8566N"  # stands wherever a picture may carry words


def written(picture: Image.Image, kind: str, **options: object) -> bytes:
    """The picture as a file."""
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def drawing(width: int = 40, height: int = 20, mode: str = "RGB") -> Image.Image:
    """White, the left third red."""
    picture = Image.new(mode, (width, height), "white")
    ImageDraw.Draw(picture).rectangle((0, 0, width // 3 - 1, height - 1), fill="red")
    return picture


def png(**options: object) -> bytes:
    return written(drawing(), "PNG", **options)


def jpeg(**options: object) -> bytes:
    return written(drawing(), "JPEG", quality=95, **options)


def webp(**options: object) -> bytes:
    return written(drawing(), "WEBP", **options)


def opened(data: bytes) -> Image.Image:
    """The picture with its pixels."""
    picture = Image.open(io.BytesIO(data))
    picture.load()
    return picture


def talkative_jpeg(orientation: int = 6) -> bytes:
    """A phone's photo: place, device, thumbnail, XMP, colour profile, comment, held upright."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    exif[0x010F] = CANARY.decode()
    exif.get_ifd(0x8825).update({1: "N", 2: (48.0, 51.0, 24.0), 29: CANARY.decode()})
    thumbnail = b"\xff\xd8" + CANARY + b"\xff\xd9"
    return jpeg(
        exif=exif.tobytes() + thumbnail,
        icc_profile=CANARY * 4,
        comment=CANARY,
        xmp=b"<x:xmpmeta>" + CANARY + b"</x:xmpmeta>",
    )


def talkative_png() -> bytes:
    """A drawing with words in four places."""
    words = PngImagePlugin.PngInfo()
    words.add_text("Author", CANARY.decode())
    words.add_itxt("XML:com.adobe.xmp", CANARY.decode())
    words.add_text("Comment", CANARY.decode(), zip=True)
    exif = Image.Exif()
    exif[0x010F] = CANARY.decode()
    return png(pnginfo=words, exif=exif, icc_profile=CANARY * 4)


def talkative_webp() -> bytes:
    exif = Image.Exif()
    exif[0x010F] = CANARY.decode()
    return webp(exif=exif, icc_profile=CANARY * 4, xmp=CANARY)


def chunk(name: bytes, content: bytes) -> bytes:
    """A chunk of a PNG."""
    return (
        struct.pack(">I", len(content))
        + name
        + content
        + struct.pack(">I", zlib.crc32(name + content))
    )


def black_png(width: int, height: int) -> bytes:
    """A black PNG of one bit a pixel: a few bytes that want very much memory."""
    packer = zlib.compressobj(1)
    row = bytes(1 + (width + 7) // 8)
    pixels = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )


def moving_png(frames: int) -> bytes:
    """A PNG that says it has so many pictures."""
    still = png()
    after_head = 8 + 25
    said = chunk(b"acTL", struct.pack(">II", frames, 0))
    return still[:after_head] + said + still[after_head:]


def moving_webp() -> bytes:
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "blue")]
    return written(frames[0], "WEBP", save_all=True, append_images=frames[1:])


def large_webp(width: int, height: int) -> bytes:
    """A WebP whose head says it is so large; the picture inside is small."""
    head = (
        struct.pack("<I", 0)
        + (width - 1).to_bytes(3, "little")
        + (height - 1).to_bytes(3, "little")
    )
    inner = webp()[12:]
    body = b"VP8X" + struct.pack("<I", len(head)) + head + inner
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WEBP" + body


def large_jpeg(width: int, height: int) -> bytes:
    """A JPEG whose head says it is so large."""
    small = jpeg()
    at = small.index(b"\xff\xc0") + 5
    return small[:at] + struct.pack(">HH", height, width) + small[at + 4 :]


SVG = b"""<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">
<script>alert(1)</script><foreignObject><iframe src="https://evil.example/"/></foreignObject>
<image href="https://evil.example/x.png"/></svg>"""
HTML = b"<!doctype html><script>alert(1)</script>"
GIF_AND_SCRIPT = b"GIF89a/*" + written(Image.new("P", (4, 4)), "GIF")[6:] + b"*/=1;alert(1)"
TIFF = written(drawing(), "TIFF")
BMP = written(drawing(), "BMP")
HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(64)
