"""The inside of a child: it takes its limits first, then answers one request after another."""

from __future__ import annotations

import gc
import os
import socket
import struct
import sys
from collections.abc import Callable
from typing import BinaryIO

if sys.platform != "win32":
    import resource

LENGTH = struct.Struct("<Q")  # stands before each request and each answer
NICE = 10  # a running lesson goes first


def serve(work: Callable[[bytes], bytes], *, memory_mib: int, cpu_s: int) -> None:
    """Answer requests until standard input ends. ``cpu_s`` is for one request.

    No network, no files to write. Where the system knows no limits (Windows) the
    parent's clock is the only one. Cycles are not collected: what is made for a request has
    none worth the search, and the memory has its limit.
    """
    gc.disable()
    asked, told = sys.stdin.buffer, sys.stdout.buffer
    _behave(memory_mib)
    while (request := take(asked)) is not None:
        _grant(cpu_s)
        put(told, work(request))


def take(stream: BinaryIO) -> bytes | None:
    """The next message; None when the other side has gone."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    data = stream.read(length)
    return data if len(data) == length else None


def put(stream: BinaryIO, message: bytes) -> None:
    """Send a message."""
    stream.write(LENGTH.pack(len(message)))
    stream.write(message)
    stream.flush()


def _refuse(*_args: object, **_named: object) -> None:
    raise PermissionError("this program may not use the network")


def _behave(memory_mib: int) -> None:
    socket.socket.connect = _refuse  # type: ignore[method-assign]
    socket.socket.connect_ex = _refuse  # type: ignore[assignment, method-assign]
    socket.getaddrinfo = _refuse  # type: ignore[assignment]
    if sys.platform != "win32":
        os.nice(NICE)
        memory = memory_mib * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _grant(cpu_s: int) -> None:
    """Let the next request use so many seconds of the processor, whatever was used before."""
    if sys.platform != "win32":
        usage = resource.getrusage(resource.RUSAGE_SELF)
        used = int(usage.ru_utime + usage.ru_stime) + 1
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (used + cpu_s, hard))
