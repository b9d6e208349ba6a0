"""Talks to a child process that reads files under limits."""

import json
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[3]


def read_limited(files: list[tuple[str, bytes]], timeout_s: int = 90) -> list[dict]:
    """Return what each (key, file) gave. Fails if the child dies or hangs on one."""
    with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as told:
        for key, data in files:
            asked.write(struct.pack("<II", len(key), len(data)) + key.encode() + data)
        asked.seek(0)
        ended = subprocess.run(
            [sys.executable, "-m", "tests.quizzes.formats.limited"],
            cwd=ROOT,
            stdin=asked,
            stdout=told,
            stderr=subprocess.PIPE,
            timeout=timeout_s,
            check=False,
        )
        told.seek(0)
        answers = [json.loads(line) for line in told.read().splitlines()]
    if ended.returncode or len(answers) != len(files):
        key, data = files[len(answers)] if len(answers) < len(files) else ("", b"")
        raise AssertionError(
            f"reading {key!r} ended with {ended.returncode}: {data[:300]!r} "
            f"({len(data)} bytes)\n{ended.stderr.decode()[-2000:]}"
        )
    return answers
