"""Pictures that travel with questions: named by their content, never decoded.

The reference is the first half of the SHA-256 and an ending chosen from the
first bytes, so no name from a file is ever used. Decoding and re-encoding is
done by the bank, in a process of its own.
"""

import hashlib

PICTURE_MAX = 10 * 2**20
MEDIA_TYPES = {"png": "image/png", "jpg": "image/jpeg", "webp": "image/webp"}


def ending(data: bytes) -> str:
    """Return ``png``, ``jpg`` or ``webp`` by the first bytes, or "" for anything else."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    if data.startswith(b"\xff\xd8\xff"):
        return "jpg"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    return ""


def reference(data: bytes) -> str:
    """Return the reference of a picture, or "" if it is of a kind that is not kept."""
    kind = ending(data)
    if not kind or len(data) > PICTURE_MAX:
        return ""
    return f"{hashlib.sha256(data).hexdigest()[:32]}.{kind}"
