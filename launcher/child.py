"""Run a program that ends when the launcher does, also when that is killed.

``python -m launcher.child LAUNCHER-PID PROGRAM ARGUMENT…``
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys

_PR_SET_PDEATHSIG = 1


def main(launcher: int, command: list[str]) -> int:
    """Become the program (or, on Windows, wait for it)."""
    if os.name == "nt":
        return subprocess.run(command, check=False).returncode
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != launcher:  # it was gone before we asked
            return 1
    return os.execv(command[0], command)  # noqa: S606 - no shell is the point


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
