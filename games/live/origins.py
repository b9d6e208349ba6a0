"""Which pages may open a socket: only those of this very site (case WS-01).

Channels' own check lets every page in when ``ALLOWED_HOSTS`` is ``["*"]`` and
never looks at scheme and port.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from django.http.request import validate_host

PORTS = {"http": 80, "https": 443}
SECURE = {"ws": "http", "http": "http", "wss": "https", "https": "https"}


def same_site(
    origin: str | None, host: str | None, scheme: str, allowed_hosts: Iterable[str]
) -> bool:
    """Whether ``origin`` is the scheme, host and port that the request itself came to.

    ``scheme`` of the connection: ``ws`` or ``wss`` (or ``http``, ``https``).
    """
    asked = _address(f"{SECURE.get(scheme, scheme)}://{host}") if host else None
    if asked is None or not validate_host(asked[1], allowed_hosts):
        return False
    return origin is not None and _address(origin) == asked


def _address(url: str) -> tuple[str, str, int] | None:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in PORTS or not host or parts.path or parts.query or parts.fragment:
        return None
    if parts.username is not None or parts.password is not None:
        return None
    return parts.scheme, host, port or PORTS[parts.scheme]
