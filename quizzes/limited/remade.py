"""What the child that makes pictures answers; apart, so that its parent needs no Pillow."""

from __future__ import annotations

from msgspec import Struct


class Remade(Struct, frozen=True, kw_only=True):
    """A picture as we keep it, or why there is none."""

    refused: str = ""  # "" or a code of quizzes.services.pictures
    ending: str = ""  # png, jpg, webp
    width: int = 0  # pixels of the larger size
    height: int = 0
    large: bytes = b""
    small: bytes = b""
