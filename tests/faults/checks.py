"""What must be true after the faults: checks (a) to (h) of the kill harness."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from tests.faults.players import Client, digest, shown


def lost(client: Client, stored: dict[str, Any]) -> Iterable[str]:
    """(a) Every acknowledged request stands in the log at the version it was told."""
    at = {request: version for version, request, _kind in stored["records"] if request}
    for line in client.history.lines():
        if line[0] in {"ok", "again"} and at.get(line[1]) != line[2]:
            yield f"(a) {line} stands in the log at {at.get(line[1])}"


def doubled(stored: dict[str, Any]) -> Iterable[str]:
    """(b) No request and (d) no version stands there twice, and no version is missing."""
    requests = Counter(request for _version, request, _kind in stored["records"] if request)
    for request, count in requests.items():
        if count > 1:
            yield f"(b) request {request} was carried out {count} times"
    versions = [version for version, _request, _kind in stored["records"]]
    if versions != list(range(1, stored["version"] + 1)):
        wrong = [v for v, count in Counter(versions).items() if count > 1]
        yield f"(d) versions are not 1 to {stored['version']}; twice: {wrong}"


def refused_but_done(client: Client, stored: dict[str, Any]) -> Iterable[str]:
    """(c) What was refused has had no effect."""
    done = {request for _version, request, _kind in stored["records"] if request}
    for line in client.history.lines():
        if line[0] == "refused" and line[1] in done:
            yield f"(c) {line} stands in the log"


def broken(stored: dict[str, Any]) -> Iterable[str]:
    """(e) The log replays to the stored state, and (h) nothing came from nowhere."""
    if stored["broken"]:
        yield f"(e) the log does not replay: {stored['broken']}"
        return
    if not stored["same_state"]:
        yield "(e) the stored state is not the replayed one"
    if not stored["conserved"]:
        yield "(h) fish or cards were made or lost"


def wrong_views(client: Client, stored: dict[str, Any]) -> Iterable[str]:
    """(f) Every view at every version, and the whole last frame, are those of the log."""
    true = stored["views"].get(client.viewer)
    if true is None:
        return
    for line in client.history.lines():
        if line[0] != "view":
            continue
        if line[1] > len(true) or line[2] != true[line[1] - 1]:
            yield f"(f) {client.viewer} saw another board at version {line[1]}"
    if client.board["version"] != stored["version"]:
        yield (
            f"(f) {client.viewer} still shows version {client.board['version']} "
            f"of {stored['version']}"
        )
    elif digest(shown(client.board)) != stored["last"][client.viewer]:
        yield f"(f) the last frame of {client.viewer} is not what the log says"


def out_of_order(client: Client) -> Iterable[str]:
    """(g) Acknowledgements come in the order of the log."""
    versions = [line[2] for line in client.history.lines() if line[0] == "ok"]
    if versions != sorted(versions):
        yield f"(g) acknowledged out of order: {versions}"


def wrong(clients: Iterable[Client], stored: dict[str, Any]) -> list[str]:
    """Everything that is wrong, as sentences."""
    found = [] if stored["whole"] == "ok" else [f"(i) integrity_check: {stored['whole']}"]
    for match, log in stored["matches"].items():
        found += [f"{match}: {line}" for line in (*doubled(log), *broken(log))]
    for client in clients:
        log = stored["matches"][client.match]
        lines = (
            *lost(client, log),
            *refused_but_done(client, log),
            *wrong_views(client, log),
            *out_of_order(client),
        )
        found += [f"{client.match}: {line}" for line in lines]
    return found
