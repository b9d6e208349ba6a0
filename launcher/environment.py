"""The project's own Python environment, made and refreshed from the locks.

``.venv`` beside the project holds exactly what the hash-locked requirements
name. A stamp in it remembers which lock was installed, so that a second start
costs nothing. uv is used where it can be had (seconds instead of a minute),
pip otherwise.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from launcher import ROOT, Stop
from launcher.locks import FileLock

_PATIENCE = ("--retries", "2", "--timeout", "30")


@dataclass(frozen=True)
class Environment:
    """Where the libraries are installed, and from which locks."""

    folder: Path = ROOT / ".venv"
    root: Path = ROOT

    @property
    def python(self) -> Path:
        """The interpreter inside."""
        return self._program("python")

    def ensure(self, *, tests: bool = False, wheels: Path | None = None) -> Path:
        """Return an interpreter with everything in the locks installed.

        Raises:
            Stop: it cannot be written or the libraries cannot be had.
        """
        wanted = ["requirements.txt", "requirements-dev.txt"] if tests else ["requirements.txt"]
        if self._works() and not self._missing(wanted):
            return self.python
        try:
            lock = FileLock(self.root / ".venv.lock")
            lock.acquire(wait=True)
        except OSError:
            raise Stop(
                f"The folder of the program cannot be written: {self.root}. "
                "Copy the program to a folder of your own and start it there."
            ) from None
        try:
            self._make()
            for name in self._missing(wanted):
                say(f"Installing the libraries of {name} (once; up to a minute) …")
                self._install(self.root / name, wheels)
                self._stamp(name).write_text(self._fingerprint(name), encoding="ascii")
        finally:
            lock.release()
        return self.python

    def download(self, folder: Path) -> int:
        """Fill a folder with all libraries for a machine without internet. Returns their number.

        Raises:
            Stop: not all can be had.
        """
        self._make()
        folder.mkdir(parents=True, exist_ok=True)
        pip = self._pip()
        if pip is None:
            raise Stop(_NO_PIP)
        done = _run(
            [
                *(*pip, "download", "-q", *_PATIENCE, "--require-hashes", "--only-binary", ":all:"),
                *("-r", str(self.root / "requirements.txt"), "-d", str(folder)),
            ]
        )
        if done.returncode:
            raise Stop(f"Not all libraries could be downloaded: {_last_line(done)}")
        return len(list(folder.glob("*.whl")))

    # -- steps ---------------------------------------------------------------------------------

    def _program(self, name: str) -> Path:
        if os.name == "nt":
            return self.folder / "Scripts" / f"{name}.exe"
        return self.folder / "bin" / name

    def _works(self) -> bool:
        try:
            return _run([str(self.python), "-c", ""]).returncode == 0
        except OSError:  # absent, or a program of another computer
            return False

    def _make(self) -> None:
        """An empty environment, unless there is one that works with this Python."""
        if self._works():
            return
        if self.folder.exists():
            say("The environment in .venv no longer fits this computer; making it afresh.")
            shutil.rmtree(self.folder)
        venv.EnvBuilder(with_pip=False, symlinks=os.name != "nt").create(self.folder)

    def _stamp(self, name: str) -> Path:
        return self.folder / f".installed-{name}"

    def _fingerprint(self, name: str) -> str:
        return hashlib.sha256((self.root / name).read_bytes()).hexdigest()

    def _missing(self, names: Sequence[str]) -> list[str]:
        return [name for name in names if self._installed(name) != self._fingerprint(name)]

    def _installed(self, name: str) -> str:
        stamp = self._stamp(name)
        return stamp.read_text(encoding="ascii") if stamp.exists() else ""

    def _install(self, lock: Path, wheels: Path | None) -> None:
        what = ["--require-hashes", "-r", str(lock)]
        if wheels is not None:
            if not wheels.is_dir():
                raise Stop(
                    f"There is no folder {wheels}. Fill one with: python3 civic.py wheels DIR"
                )
            what = ["--no-index", "--find-links", str(wheels.resolve()), *what]
        uv = self._uv(wheels)
        if uv:
            done = _run([uv, "pip", "install", "-q", "--python", str(self.python), *what])
            if done.returncode == 0:
                return
        pip = self._pip()
        if pip is None:
            raise Stop(_NO_PIP)
        done = _run([*pip, "install", "-q", *_PATIENCE, *what])
        if done.returncode == 0:
            return
        if wheels is not None:
            raise Stop(
                f"The folder {wheels} does not hold all libraries for this system and this Python "
                f"({_last_line(done)}). Fill it on a computer like this one: "
                "python3 civic.py wheels DIR"
            )
        raise Stop(
            f"The libraries could not be installed ({_last_line(done)}). Without internet: on a "
            "computer like this one that has it, run python3 civic.py wheels DIR, bring DIR here "
            "and start with python3 civic.py --wheels DIR"
        )

    def _uv(self, wheels: Path | None) -> str | None:
        """uv: the environment's own, the system's, or one that pip can fetch."""
        own = self._program("uv")
        if not own.exists():
            if found := shutil.which("uv"):
                return found
            pip = self._pip() if wheels is None else None
            if pip:
                lock = str(self.root / "requirements-uv.txt")
                _run([*pip, "install", "-q", *_PATIENCE, "--require-hashes", "-r", lock])
        return str(own) if own.exists() else None

    def _pip(self) -> list[str] | None:
        """How to call pip for this environment: its own, or the system's for it."""
        own = [str(self.python), "-m", "pip"]
        if _run([*own, "--version"]).returncode == 0:
            return own
        if _run([str(self.python), "-m", "ensurepip", "--default-pip"]).returncode == 0:
            return own
        outer = [sys.executable, "-m", "pip", "--python", str(self.python)]
        return outer if _run([*outer, "--version"]).returncode == 0 else None


_NO_PIP = (
    "This Python can install nothing: it has neither pip nor ensurepip. "
    "On Debian and Ubuntu: sudo apt install python3-venv. Then start again."
)


def say(line: str) -> None:
    """One line for the person at the terminal, at once."""
    print(line, flush=True)


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


def _last_line(done: subprocess.CompletedProcess[str]) -> str:
    lines = [line.strip() for line in (done.stderr + done.stdout).splitlines() if line.strip()]
    return lines[-1] if lines else f"exit code {done.returncode}"
