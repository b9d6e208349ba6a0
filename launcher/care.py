"""``doctor``, ``backup``, ``restore`` and ``reset-link``: looking after a site."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

from launcher import ROOT, Stop
from launcher.environment import Environment, say
from launcher.locks import FileLock, Held
from launcher.machine import check_data_folder, lan_addresses, network_share
from launcher.site import Site

HOW_TO_END = "End it with Ctrl-C, or its units with systemctl stop 'civictable*'"


def doctor(site: Site) -> int:
    """Print what the site runs on and what is wrong. Returns 1 when something is."""
    wrong = _doctor_network(site)
    site.python = Environment().ensure(wheels=site.wheels)
    return max(wrong, manage(site, "doctor"))


def _doctor_network(site: Site) -> int:
    address = running_at(site.data)
    say(f"{'Running:':<14}{address or 'no'}")
    if not _is_there(site):
        say(f"{'Site:':<14}none in {site.data} yet; the first start makes it")
    if address:
        port = int(address.rstrip("/").rsplit(":", 1)[1])
        outward = [host for host in lan_addresses() if _listens(host, port)]
        reach = f"open to other devices at {', '.join(outward)}" if outward else "none outward"
        say(f"{'Ports:':<14}{port} ({reach})")
    say(f"{'Addresses:':<14}{', '.join(lan_addresses()) or 'none in a network'}")
    if share := network_share(site.data) if site.data.exists() else None:
        say(f"PROBLEM: The data folder is on a network share ({share}).")
        return 1
    return 0


def _listens(host: str, port: int) -> bool:
    try:
        with socket.create_connection((host, port), timeout=1):
            return True
    except OSError:
        return False


def backup(site: Site, file: Path | None) -> int:
    """Write a backup: into a file, into a folder, or by default into the data folder."""
    _there(site)
    site.python = Environment().ensure(wheels=site.wheels)
    name = time.strftime("civictable-%Y%m%d-%H%M%S.zip")
    if file is None:
        file = site.data / "backups" / name
    elif file.is_dir():
        file = file / name
    return manage(site, "backup", str(file.resolve()))


def restore(site: Site, file: Path) -> int:
    """Put a backup in the place of the data, while nothing runs."""
    if not file.is_file():
        raise Stop(f"There is no file {file}.")
    check_data_folder(site.data, embedded=not os.environ.get("DATABASE_URL"))
    _hold(site, then="restore")
    site.python = Environment().ensure(wheels=site.wheels)
    return manage(site, "restore", str(file.resolve()))


def move_to_postgresql(site: Site) -> int:
    """Copy a site from SQLite to PostgreSQL, while nothing runs."""
    _there(site)
    _hold(site, then="move")
    site.python = Environment().ensure(wheels=site.wheels)
    return manage(site, "move_to_postgresql")


def _hold(site: Site, *, then: str) -> None:
    """Let nothing start with this data folder until this program has ended.

    Raises:
        Stop: something runs with it.
    """
    try:
        FileLock(site.data / "running.lock").acquire()
    except Held:
        raise Stop(f"Civic Table is running. {HOW_TO_END}, then {then}.") from None


def reset_link(site: Site, email: str, *, second_step: bool = False) -> int:
    """Print a link that sets a new password, once; ``second_step``: and switch that one off."""
    _there(site)
    site.python = Environment().ensure(wheels=site.wheels)
    done = site.manage("reset_link", email, *(["--second-step"] if second_step else []))
    if done.returncode:
        raise Stop(site.why(done.stderr))
    base = os.environ.get("CIVIC_URL") or running_at(site.data) or site.addresses()[0]
    if second_step:
        say("The second step of this account is off.")
    say("This link sets a new password. It works once, for one day:")
    say(f"  {base.rstrip('/')}{done.stdout.strip()}")
    return 0


def running_at(data: Path) -> str | None:
    """The address of the site that runs with this data folder, or None."""
    path = data / "running.lock"
    if not path.exists():
        return None
    lock = FileLock(path)
    try:
        lock.acquire(keep_note=True)
    except Held as held:
        return held.note
    lock.release()
    return None


def _is_there(site: Site) -> bool:
    return (site.data / "secret_key").exists() or "CIVIC_SECRET_KEY" in os.environ


def _there(site: Site) -> None:
    if not _is_there(site):
        raise Stop(f"There is no site in {site.data} yet. Start it first, or give --data DIR.")


def manage(site: Site, *arguments: str) -> int:
    """Run a command whose output is for the person at the terminal."""
    done = subprocess.run(
        [str(site.python), str(ROOT / "manage.py"), *arguments],
        cwd=ROOT,
        env=site.environment(),
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        raise Stop(site.why(done.stderr))
    if done.stderr:
        print(done.stderr, end="", file=sys.stderr)
    return 0
