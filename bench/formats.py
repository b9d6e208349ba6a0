"""Seconds and memory of every question format, as one JSON object.

    python bench/formats.py [--questions 1000] [--only gift csv]

Each format is measured in a process of its own, so that the memory is its own; as where
files are really read, cycles are not collected there. Aim: 1,000 questions are read, and a
hostile file is refused, in at most one second of processor time; ``seconds`` is the same by
the clock, which on a busy machine says more about the others.
"""

import argparse
import gc
import json
import resource
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from quizzes.formats import catalog, question as q  # noqa: E402
from quizzes.formats.xml_nodes import NODE_BYTES, NODES_MAX  # noqa: E402

READ_MAX_S = 1.0


def questions(count: int) -> list:
    """Return questions of all types with marks, symbols and letters of two scripts."""
    made: list = []
    for number in range(count):
        common = {
            "stem": f"Question {number}: who **decides** if a < b & c > d?\nمن يقرر؟ “{number}”",
            "explanation": f"See article {number}, `line {number}`.",
            "topics": ("rights", f"chapter {number % 9}"),
            "difficulty": number % 3 + 1,
            "language": "en",
            "source": f"Handbook, p. {number}",
        }
        pairs = tuple(q.Pair(left=f"left {n}", right=f"right {n}") for n in range(4))
        choices = tuple(f"Answer {n} of {number}" for n in range(4))
        made.append(
            (
                q.SingleChoice(**common, choices=choices, right=number % 4),
                q.SeveralRight(**common, choices=choices, right=(0, 2)),
                q.TrueFalse(**common, right=number % 2 == 0),
                q.ShortAnswer(**common, accepted=("mayor", "Lord Mayor")),
                q.Numeric(**common, right=Decimal(number), tolerance=Decimal("0.5")),
                q.Matching(**common, pairs=pairs, distractors=("right 9",)),
                q.Ordering(**common, items=choices),
            )[number % 7]
        )
    return made


def plain(count: int) -> list:
    """Return short single-choice questions, which every format carries."""
    return [
        q.SingleChoice(stem=f"Who decides {n}?", choices=("a", "b", f"c {n}", "d"), right=n % 4)
        for n in range(count)
    ]


def hostile() -> dict[str, bytes]:
    """Return XML files that want more time than they are worth."""
    laughs = b"".join(b'<!ENTITY l%d "%s">' % (n, b"&l%d;" % (n - 1) * 10) for n in range(1, 10))
    blanks = b" " * NODE_BYTES * NODES_MAX
    return {
        "elements": b"<quiz>" + blanks + b"<q/>" * NODES_MAX + b"</quiz>",
        "elements just allowed": b"<quiz>" + blanks + b"<q/>" * (NODES_MAX - 1) + b"</quiz>",
        "nesting": b"<quiz>" * 1_000_000,
        "laughs": b'<!DOCTYPE a [<!ENTITY l0 "ha">' + laughs + b"]><quiz>&l9;</quiz>",
    }


def refuse(name: str) -> dict:
    """Return what refusing a hostile file costs; run in a fresh process."""
    data, before = hostile()[name], memory_mib()
    started = clocks()
    reading = catalog.read(data, key="moodle")
    ended = clocks()
    assert not reading.questions, f"{name} has questions"
    return {
        "kib": round(len(data) / 1024),
        "seconds": round(ended[0] - started[0], 3),
        "cpu_s": round(ended[1] - started[1], 3),
        "memory_mib": round(memory_mib() - before, 1),
        "within": ended[1] - started[1] <= READ_MAX_S,
    }


def clocks() -> tuple[float, float]:
    """Return the time of day and the processor time of this process, in seconds."""
    return time.perf_counter(), time.process_time()


def memory_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(key: str, count: int) -> dict:
    """Return the figures of one format; run in a fresh process."""
    fmt = catalog.FORMATS[key]
    asked = questions(count)
    if any(fmt.carried(one) is None for one in asked):
        asked = plain(count)
    before = memory_mib()
    started = clocks()
    data = fmt.write(asked)
    written = clocks()
    found = catalog.detect(data)
    detected = clocks()
    reading = fmt.read(data)
    read = clocks()
    assert found == key, f"{key} was taken for {found}"
    assert len(reading.questions) == count, f"{key}: {len(reading.questions)} questions came back"
    spent = {
        name: {"seconds": round(after[0] - before[0], 3), "cpu_s": round(after[1] - before[1], 3)}
        for name, before, after in (
            ("write", started, written),
            ("detect", written, detected),
            ("read", detected, read),
        )
    }
    return {
        "questions": count,
        "kib": round(len(data) / 1024),
        **spent,
        "memory_mib": round(memory_mib() - before, 1),
        "within": read[1] - detected[1] <= READ_MAX_S,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--questions", type=int, default=1_000)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--hostile", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one or given.hostile:
        gc.disable()
        told = measure(given.one, given.questions) if given.one else refuse(given.hostile)
        print(json.dumps(told))
        return
    count = ["--questions", str(given.questions)]
    formats = {key: alone("--one", key, *count) for key in given.only or catalog.FORMATS}
    refused = {} if given.only else {name: alone("--hostile", name) for name in hostile()}
    found = {"formats": formats, "hostile": refused, "read_max_s": READ_MAX_S}
    print(json.dumps(found, indent=1))


def alone(what: str, name: str, *options: str) -> dict:
    """Return the figures of one format or hostile file, measured in a process of its own."""
    command = [sys.executable, __file__, what, name, *options]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    print(name, ended.stdout.strip(), file=sys.stderr)
    figures: dict = json.loads(ended.stdout)
    return figures


if __name__ == "__main__":
    main()
