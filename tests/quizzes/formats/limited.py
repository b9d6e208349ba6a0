"""Runs one reader on one file in a child process that may use little.

``python -m tests.quizzes.formats.limited`` reads keyed files from standard
input and answers one JSON line each; the parent sees a crash, a hang or too
much memory as a dead child.
"""

import json
import resource
import socket
import struct
import sys
import time

MEMORY_MAX = 512 * 2**20
CPU_MAX_S = 60


def _refuse(*_args: object, **_kwargs: object) -> None:
    raise AssertionError("a reader tried to use the network")


def main() -> None:
    from quizzes.formats import catalog  # noqa: PLC0415 - limits come first

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_MAX, MEMORY_MAX))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_MAX_S, CPU_MAX_S))
    socket.socket.connect = _refuse  # type: ignore[method-assign]
    socket.getaddrinfo = _refuse  # type: ignore[assignment]
    stream = sys.stdin.buffer
    while head := stream.read(8):
        key_size, data_size = struct.unpack("<II", head)
        key = stream.read(key_size).decode()
        data = stream.read(data_size)
        started = time.process_time()
        reading = catalog.read(data, key=key)
        answer = {
            "questions": len(reading.questions),
            "codes": [problem.code for problem in reading.problems],
            "sentences": [problem.sentence for problem in reading.problems],
            "seconds": time.process_time() - started,
        }
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
