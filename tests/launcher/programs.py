"""Running the launcher and looking at what it started."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from tests.site import ROOT, Running


def civic(*words: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run ``civic.py`` to its end, with nothing of this run's own settings."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("CIVIC_")}
    clean.pop("DJANGO_SETTINGS_MODULE", None)
    return subprocess.run(
        ["python3", "civic.py", *words],
        cwd=ROOT,
        env={**clean, **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def children(run: Running) -> dict[str, int]:
    """Process ids of web server and worker."""
    launcher = run.processes[0].pid
    found = {}
    for pid in Path(f"/proc/{launcher}/task/{launcher}/children").read_text("ascii").split():
        command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
        for name in ("uvicorn", "celery"):
            if f"-m {name}" in command:
                found[name] = int(pid)
    return found


def wait_for(what: Callable[[], object], seconds: float = 30) -> None:
    """Wait until it is so, or fail."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.1)
