"""Files of questions, read. Runs in a child."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from quizzes.formats import catalog
from quizzes.formats.problems import Refused
from quizzes.formats.reading import Reading
from quizzes.limited.program import serve

MEMORY_MIB = 1_024
CPU_S = 30


class Request(Struct, frozen=True, kw_only=True):
    """A file and how to read it; "" is to be found out."""

    data: bytes
    format: str = ""  # key of catalog.FORMATS
    encoding: str = ""  # key of encodings.CODECS


class Found(Struct, frozen=True, kw_only=True):
    """What was read, and as what."""

    reading: Reading
    format: str  # "" when nothing fitted


def read(request: Request) -> Found:
    """The questions of a file."""
    key = request.format or _detected(request.data)
    reading = catalog.read(request.data, key=key, encoding=request.encoding or None)
    return Found(reading=reading, format=key)


def _detected(data: bytes) -> str:
    try:
        return catalog.detect(data)
    except Refused:
        return ""


def main() -> None:
    encode = msgspec.msgpack.Encoder().encode
    decode = msgspec.msgpack.Decoder(Request).decode
    serve(lambda data: encode(read(decode(data))), memory_mib=MEMORY_MIB, cpu_s=CPU_S)


if __name__ == "__main__":
    main()
