"""What this computer offers: addresses, ports, a folder to write to."""

from __future__ import annotations

import ctypes
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from launcher import Stop

# SQLite's write-ahead log needs shared memory, which these cannot give.
_NETWORK = re.compile(
    r"^(nfs\d?|cifs|smb\w*|afpfs|webdav|davfs\d?|ncpfs|afs|ceph|glusterfs|lustre|9p"
    r"|fuse\.(sshfs|rclone|gvfsd-fuse|davfs\d?|glusterfs|s3fs))$"
)
_DRIVE_REMOTE = 4
PRIVATE = 0o700  # others on this computer must not read names and sessions


def lan_addresses() -> list[str]:
    """This machine's own IPv4 addresses in its networks; nothing is sent to find them."""
    found: dict[str, None] = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # chooses a route; datagram sockets send nothing here
            found[str(probe.getsockname()[0])] = None
        except OSError:  # no network
            pass
    try:
        for entry in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            found[str(entry[4][0])] = None
    except OSError:  # a machine that does not know its own name still has addresses
        pass
    return [address for address in found if not address.startswith(("127.", "169.254."))]


def lan_names() -> list[str]:
    """Names under which others may know this machine."""
    name = socket.gethostname().lower()
    if not re.fullmatch(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?", name):
        return []
    return [name] if "." in name else [name, f"{name}.local"]


def check_port(host: str, port: int, *, start: str) -> None:
    """See that the port is free. ``start``: the command line that was given, without its port.

    Raises:
        Stop: another program has it, or this user may not use it.
    """
    try:
        _bind(host, port)
    except PermissionError:
        raise Stop(
            f"Port {port} is reserved for the system. Start with a higher one: {start} --port 8000"
        ) from None
    except OSError:
        raise Stop(
            f"Port {port} is in use by another program. Start with a free one: "
            f"{start} --port {_free_after(host, port)}"
        ) from None


def _bind(host: str, port: int) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        if os.name != "nt":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((host, port))


def _free_after(host: str, port: int) -> int:
    for candidate in range(port + 1, min(port + 100, 65536)):
        try:
            _bind(host, candidate)
        except OSError:
            continue
        return candidate
    return 8000


def check_data_folder(folder: Path, *, embedded: bool) -> None:
    """Make the data folder and see that it can hold the site.

    ``embedded``: the database is the file in it, so it must be on a disk of this machine.

    Raises:
        Stop: it cannot be written, or lies on a network share.
    """
    try:
        folder.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
        probe = folder / f".write-test-{os.getpid()}"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as exc:
        raise Stop(
            f"The data folder {folder} cannot be written ({exc.strerror}). "
            "Choose another one: python3 civic.py --data DIR"
        ) from None
    if embedded and (kind := network_share(folder)):
        raise Stop(
            f"The data folder {folder} is on a network share ({kind}), where the database would "
            "be damaged. Choose a folder on this computer's own disk: python3 civic.py --data DIR"
        )


def network_share(folder: Path) -> str | None:
    """The kind of network share that a folder lies on, or None."""
    if os.name == "nt":
        drive = os.path.splitdrive(folder.resolve())[0]
        if drive.startswith("\\\\"):
            return "network drive"
        kind = ctypes.windll.kernel32.GetDriveTypeW(f"{drive}\\")  # type: ignore[attr-defined, unused-ignore]
        return "network drive" if kind == _DRIVE_REMOTE else None
    if sys.platform == "darwin":
        table = subprocess.run(["/sbin/mount"], capture_output=True, text=True, check=False).stdout
        return share_in(folder.resolve(), _mac_mounts(table))
    try:
        table = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:  # no table to look into: nothing to say
        return None
    return share_in(folder.resolve(), _linux_mounts(table))


def share_in(folder: Path, mounts: Iterable[tuple[Path, str]]) -> str | None:
    """The kind of share among ``(mount point, file system)`` that holds the folder, or None."""
    holding = [(len(point.parts), kind) for point, kind in mounts if folder.is_relative_to(point)]
    if not holding:
        return None
    deepest = max(depth for depth, _kind in holding)
    kind = [kind for depth, kind in holding if depth == deepest][-1]  # later mounts cover earlier
    return kind if _NETWORK.match(kind) else None


def _linux_mounts(table: str) -> list[tuple[Path, str]]:
    rows = (line.split(" ") for line in table.splitlines())
    return [(Path(_unescape(row[1])), row[2]) for row in rows if len(row) > 2]


def _unescape(name: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), name)


def _mac_mounts(table: str) -> list[tuple[Path, str]]:
    rows = re.findall(r"^.* on (.*) \(([\w.]+)", table, re.MULTILINE)
    return [(Path(point), kind) for point, kind in rows]


def may_install() -> bool:
    """Whether this user may install system packages with apt."""
    return (
        os.name == "posix"
        and hasattr(os, "geteuid")
        and os.geteuid() == 0
        and Path("/usr/bin/apt-get").exists()
    )
