"""Settings from the environment, each with one sentence when it is missing or wrong.

``docs/reference/settings.md`` lists every variable; a test compares the two.
"""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit
from zoneinfo import ZoneInfo

from django.core.exceptions import ImproperlyConfigured

ROOT = Path(__file__).resolve().parent.parent
SHORTEST_SECRET = 50  # characters, as Django's own check asks
FEWEST_LETTERS = 5  # different ones, as well


def text(name: str, default: str = "") -> str:
    """The value of a variable, without surrounding blanks."""
    return os.environ.get(name, default).strip()


def flag(name: str, *, default: bool = False) -> bool:
    """1 or 0.

    Raises:
        ImproperlyConfigured: anything else.
    """
    value = text(name, "1" if default else "0").lower()
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off", ""}:
        return False
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}.")


def number(name: str, default: int, *, low: int, high: int) -> int:
    """A whole number between two bounds.

    Raises:
        ImproperlyConfigured: no number, or out of bounds.
    """
    value = text(name, str(default))
    if value.isascii() and value.isdigit() and low <= int(value) <= high:
        return int(value)
    raise ImproperlyConfigured(
        f"{name} must be a whole number from {low} to {high}, not {value!r}."
    )


def words(name: str) -> list[str]:
    """A comma-separated list."""
    return [word.strip() for word in text(name).split(",") if word.strip()]


def hosts(name: str) -> list[str]:
    """Names and addresses under which browsers may ask for the site.

    Raises:
        ImproperlyConfigured: a pattern; each host is named.
    """
    named = words(name)
    for host in named:
        if "*" in host or host.startswith("."):
            raise ImproperlyConfigured(
                f"{name} must name each host; {host!r} would let any site pretend to be this one."
            )
    return named


def signup(name: str) -> str:
    """Who may make a teacher account: ``invite``, ``open`` or ``domain:<host>``.

    Raises:
        ImproperlyConfigured: anything else.
    """
    value = text(name, "invite").lower()
    if value in {"invite", "open"} or re.fullmatch(r"domain:[a-z0-9-]+(\.[a-z0-9-]+)+", value):
        return value
    raise ImproperlyConfigured(
        f"{name} must be invite, open, or domain: and the e-mail domain of your school "
        f"(domain:school.example), not {value!r}."
    )


def time_zone(name: str) -> str:
    """A time zone by its name, such as ``Europe/Berlin``.

    Raises:
        ImproperlyConfigured: there is none of that name.
    """
    value = text(name, "UTC")
    try:
        ZoneInfo(value)
    except (KeyError, ValueError, OSError):
        raise ImproperlyConfigured(
            f"{name} must name a time zone, such as Europe/Berlin, not {value!r}."
        ) from None
    return value


def data_folder() -> Path:
    """The one folder that everything is written to."""
    return Path(text("CIVIC_DATA") or ROOT / "var").resolve()


def secret_key(folder: Path) -> str:
    """``CIVIC_SECRET_KEY``, else the key made at the first start (mode 0600).

    Raises:
        ImproperlyConfigured: a key that is too short, a sample, or readable by others.
    """
    key = text("CIVIC_SECRET_KEY")
    kept = folder / "secret_key"
    if not key:
        if not kept.exists():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            part = kept.with_suffix(f".{os.getpid()}")
            part.touch(mode=0o600)
            part.write_text(secrets.token_urlsafe(64), encoding="ascii")
            part.replace(kept)
        if os.name == "posix" and kept.stat().st_mode & 0o077:
            raise ImproperlyConfigured(
                f"Others on this computer can read {kept}. Change that: chmod 600 {kept}"
            )
        key = kept.read_text(encoding="ascii").strip()
    if key.startswith("django-insecure-") or len(set(key)) < FEWEST_LETTERS:
        raise ImproperlyConfigured(
            "CIVIC_SECRET_KEY is a sample that anybody can guess. "
            "Leave it out and the program makes one."
        )
    if len(key) < SHORTEST_SECRET:
        raise ImproperlyConfigured(
            f"CIVIC_SECRET_KEY has {len(key)} characters; it needs at least {SHORTEST_SECRET}. "
            "Leave it out and the program makes one."
        )
    return key


def address(name: str, schemes: set[str]) -> str:
    """An address with one of the schemes, or empty.

    Raises:
        ImproperlyConfigured: another scheme, or no host.
    """
    value = text(name)
    if not value:
        return ""
    parts = urlsplit(value)
    if parts.scheme not in schemes or not parts.hostname:
        known = ", ".join(sorted(schemes))
        raise ImproperlyConfigured(f"{name} must be an address that begins with {known}.")
    return value


def sorted_digests(name: str) -> Path | None:
    """A file whose lines begin with SHA-1 digests in hexadecimal, or None.

    Raises:
        ImproperlyConfigured: the file cannot be read, or is none of that kind.
    """
    value = text(name)
    if not value:
        return None
    path = Path(value).resolve()
    try:
        with path.open("rb") as file:
            first = file.read(41)
    except OSError as error:
        raise ImproperlyConfigured(f"{name}: {path} cannot be read ({error.strerror}).") from None
    if not re.fullmatch(rb"[0-9A-Fa-f]{40}[:\r\n]", first):
        raise ImproperlyConfigured(
            f"{name}: {path} is no list of SHA-1 digests, one a line, sorted."
        )
    return path


def asked_of(name: str, value: str, known: set[str]) -> dict[str, str]:
    """What an address says behind its question mark.

    Raises:
        ImproperlyConfigured: something that is not known; it would be left out in silence.
    """
    asked = dict(parse_qsl(urlsplit(value).query, keep_blank_values=True))
    if wrong := sorted(asked.keys() - known):
        raise ImproperlyConfigured(
            f"{name} may say {', '.join(sorted(known))} behind the question mark, not {wrong[0]}."
        )
    return asked
