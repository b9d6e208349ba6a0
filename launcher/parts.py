"""One part of a site by itself, for systemd units and containers (docs/how-to/scale-out.md).

``civic.py`` runs web server and worker together. A bigger site starts each as a
unit of its own: several web servers, a worker, housekeeping by a timer. Every
part holds the data folder's lock together with the others, so that nobody
restores or moves the data while one of them runs.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable

from launcher import ROOT, Stop
from launcher.care import manage
from launcher.environment import Environment, say
from launcher.locks import FileLock, Held
from launcher.machine import check_data_folder, check_port
from launcher.site import Site, say_found


def install(site: Site) -> int:
    """Install the libraries and compile the translations: all that writes beside the program."""
    site.python = Environment().ensure(wheels=site.wheels)
    return manage(site, "translations")


def prepare(site: Site) -> int:
    """Bring database, translations and static files up to date; print the first link.

    Raises:
        Stop: the tables have to change and parts still run, or it cannot be done.
    """
    _folder(site)
    site.python = Environment().ensure(wheels=site.wheels)
    turn = FileLock(site.data / "prepare.lock")
    turn.acquire(wait=True)
    alone = FileLock(site.data / "running.lock")
    try:
        alone.acquire()
    except Held:
        prepared = site.prepare("--running")
    else:
        prepared = site.prepare()
        alone.release()
    turn.release()
    say_found(prepared)
    if kept := prepared["backup"]:
        say(f"What was there before is kept in {kept}.")
    say("Database and pages are ready.")
    if path := str(prepared["first_path"]):
        base = os.environ.get("CIVIC_URL") or site.addresses()[0]
        say("Make the first account (the administrator's) with this link. It works once:")
        say(f"  {base.rstrip('/')}{path}")
    return 0


def web(site: Site) -> int:
    """Become one web server."""
    check_port(site.bind_to(), site.port, start=f"{site.command(lan=False)} web")
    return _become(site, site.web_command, note=site.addresses()[0])


def worker(site: Site) -> int:
    """Become the worker."""
    return _become(site, site.worker_command)


def housekeeping(site: Site, *, dry_run: bool = False) -> int:
    """Do once what the site does for itself each hour, or only say what that would be."""
    _folder(site)
    site.python = Environment().ensure(wheels=site.wheels)
    return manage(site, "housekeeping", *(["--dry-run"] if dry_run else []))


def _become(site: Site, command: Callable[[], list[str]], note: str | None = None) -> int:
    _folder(site)
    site.python = Environment().ensure(wheels=site.wheels)
    lock = FileLock(site.data / "running.lock")
    try:
        lock.acquire(note or "", keep_note=note is None, shared=True)
    except Held as held:
        raise Stop(
            f"Civic Table already runs with this data folder, as a whole, at {held.note} "
            "End that first."
        ) from None
    words = command()
    if os.name == "nt":
        return subprocess.run(words, cwd=ROOT, env=site.environment(), check=False).returncode
    lock.pass_on()
    os.chdir(ROOT)
    return os.execve(words[0], words, site.environment())  # noqa: S606 - no shell is the point


def _folder(site: Site) -> None:
    check_data_folder(site.data, embedded=not os.environ.get("DATABASE_URL"))
