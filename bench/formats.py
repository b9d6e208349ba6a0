"""Seconds and memory of every question format, as one JSON object.

    python bench/formats.py [--questions 1000] [--only gift csv]

Each format is measured in a process of its own, so that the memory is its own.
Aim: 1,000 questions are read in at most one second of processor time; ``seconds``
is the same by the clock, which on a busy machine says more about the others.
"""

import argparse
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
    given = parser.parse_args()
    if given.one:
        print(json.dumps(measure(given.one, given.questions)))
        return
    figures = {}
    for key in given.only or catalog.FORMATS:
        command = [sys.executable, __file__, "--one", key, "--questions", str(given.questions)]
        ended = subprocess.run(command, capture_output=True, text=True, check=True)
        figures[key] = json.loads(ended.stdout)
        print(key, ended.stdout.strip(), file=sys.stderr)
    print(json.dumps({"formats": figures, "read_max_s": READ_MAX_S}, indent=1))


if __name__ == "__main__":
    main()
