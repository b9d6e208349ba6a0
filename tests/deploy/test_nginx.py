"""nginx with the file of ``deploy/``, two web servers and a worker, as a bigger school has them."""

from __future__ import annotations

import asyncio
import http.client
import json
import re
import socket
import ssl
import time
import warnings
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from config.protocol import HEADERS_S
from tests.deploy.front import NAME, Front, front
from tests.faults import checks
from tests.faults.players import Client, History, Table
from tests.faults.runs import ask as stored
from tests.site import until

pytestmark = [
    pytest.mark.services,
    pytest.mark.nginx,
    pytest.mark.xdist_group("nginx"),
    pytest.mark.timeout(300),
]
MATCHES = 4
MOVES = 60  # acknowledged before each kill and after the last


@pytest.fixture(scope="module")
def site() -> Iterator[Front]:
    """One for all tests of this page."""
    with front() as running:
        yield running


# -- play --------------------------------------------------------------------------------------


class Browser(Client):
    """A client of the kill harness that comes through nginx, by TLS."""

    def __init__(self, run: Front, *what: Any) -> None:
        super().__init__(*what)
        self._run = run

    def _connect(self, proxy: Any) -> connect:
        board = "" if self.place is not None else "?board=1"
        return connect(
            f"wss://{NAME}:{self._run.https}/ws/match/{self.match}/{board}",
            ssl=self._run.context,
            origin=self._run.url,  # type: ignore[arg-type]
            additional_headers={"Cookie": self._cookie},
            max_size=2**20,
            open_timeout=10,
            close_timeout=1,
            ping_interval=None,
        )


async def test_killed_web_server_costs_no_move_and_no_match(site: Front, tmp_path: Path) -> None:
    begun = (await asyncio.to_thread(stored, site, f"begin({MATCHES})"))["matches"]
    table = Table()
    async with AsyncExitStack() as stack:
        clients = []
        for number, stage in enumerate(begun):
            for place in (0, 1, None):
                history = History(tmp_path / f"{number}-{place}.jsonl")
                stack.callback(history.close)
                clients.append(
                    Browser(site, table, stage, place, [None], history, f"{number} {place}")
                )
        playing = [asyncio.create_task(client.run()) for client in clients]
        await _moves(table, MOVES, playing)
        first = max((0, 1), key=site.lines)  # chance may have left the other without a match
        for number in (first, 1 - first):
            await _moves(table, MOVES, playing)
            before = table.counts["broken"]
            site.kill_web(number)
            await _moves(table, MOVES, playing)  # all of them by the other one
            assert table.counts["broken"] > before, "nobody was there: nothing was shown"
            await asyncio.to_thread(site.start_web, number)
        await _moves(table, MOVES, playing)
        table.playing = False
        told = await _rest(site, clients)
        table.closing = True
        await asyncio.gather(*playing)

    assert checks.wrong(clients, told) == []
    assert table.counts["ok"] >= 6 * MOVES


async def _moves(table: Table, count: int, playing: list[asyncio.Task[None]]) -> None:
    wanted = table.counts["ok"] + count
    async with asyncio.timeout(90):
        while table.counts["ok"] < wanted:
            for task in playing:
                if task.done():
                    task.result()
            await asyncio.sleep(0.02)


async def _rest(site: Front, clients: list[Client]) -> dict[str, Any]:
    async with asyncio.timeout(60):
        while not all(client.idle for client in clients):
            await asyncio.sleep(0.05)
    end = time.monotonic() + 12
    while time.monotonic() < end:
        newest: dict[str, int] = {}
        for client in clients:
            newest[client.match] = max(newest.get(client.match, 0), client.board["version"])
        if all(client.board["version"] == newest[client.match] for client in clients):
            break
        await asyncio.sleep(0.05)
    names = ", ".join(repr(match) for match in {client.match for client in clients})
    return await asyncio.to_thread(stored, site, f"tell({names})")


def test_one_web_server_serves_a_match_and_all_have_work(site: Front) -> None:
    all_of_them = {f"127.0.0.1:{port}" for port in site.ports}
    # A web server that was away has work again only after a few seconds.
    until(lambda: {words[6] for words in _noted_of(site, f"/join/{uuid4()}/", 16)} == all_of_them)
    seen: dict[str, set[str]] = {}
    for _ in range(16):
        match = str(uuid4())
        for path in (f"/matches/{match}/play/", f"/matches/{match}/now/"):
            site.ask(path)
        seen[match] = {words[6] for words in _noted_of(site, f"/ws/match/{match}/", 1, match)}

    assert {len(servers) for servers in seen.values()} == {1}
    assert {name for servers in seen.values() for name in servers} == all_of_them


def _noted_of(site: Front, path: str, times: int, about: str = "") -> list[list[str]]:
    """Ask for a path so often; what nginx has noted ``about`` it, once it has: that comes late."""
    for _ in range(times):
        site.ask(path)
    until(lambda: len([1 for words in site.access_log() if words[3] == path]) == times)
    return [words for words in site.access_log() if (about or path) in words[3]]


# -- who asks, and how -------------------------------------------------------------------------


@pytest.mark.case("AZ-23")
def test_address_that_a_browser_claims_is_not_believed(site: Front) -> None:
    page = site.ask("/accounts/login/")
    token = re.search(rb'name="csrfmiddlewaretoken" value="([^"]+)"', page.body)
    assert token is not None
    cookies = "; ".join(c.split(";")[0] for c in page.headers.get_all("Set-Cookie", []))
    form = f"csrfmiddlewaretoken={token[1].decode()}&login=who@school.example&password=wrong"
    claims = dict.fromkeys(("X-Forwarded-For", "X-Real-IP", "X-Client-IP"), "203.0.113.9") | {
        "Forwarded": "for=203.0.113.9"
    }

    site.ask(
        "/accounts/login/",
        method="POST",
        body=form.encode(),
        headers={
            **claims,
            "Cookie": cookies,
            "Origin": site.url,
            "Content-Type": "application/x-www-form-urlencoded",
        },
    )

    told = site.manage(
        "shell",
        "-c",
        "from axes.models import AccessAttempt as A; "
        "print(*A.objects.filter(username='who@school.example')"
        ".values_list('ip_address', flat=True))",
    )
    assert told.splitlines()[-1] == "127.0.0.1"


def test_https_that_a_browser_claims_is_not_believed(site: Front) -> None:
    claimed = site.ask("/join/", headers={"X-Forwarded-Proto": "https"}, plain=True)
    denied = site.ask("/join/", headers={"X-Forwarded-Proto": "http"})
    sent = site.ask("/join/", method="POST", body=b"code=AAAA", plain=True)

    assert (sent.status, sent.headers["Location"]) == (403, None)
    assert (claimed.status, claimed.headers["Location"]) == (308, f"{site.url}/join/")
    assert denied.status == 200
    cookies = denied.headers.get_all("Set-Cookie", [])
    assert cookies
    assert all("Secure" in cookie and cookie.startswith("__Host-") for cookie in cookies)
    assert "max-age=31536000" in denied.headers["Strict-Transport-Security"]


def _handshake(site: Front, version: ssl.TLSVersion, ciphers: str) -> tuple[str, int, str] | None:
    """Version, bits and cipher that nginx agrees to with such a browser, or None."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of the old versions
        context.minimum_version = context.maximum_version = version
    context.set_ciphers(f"{ciphers}:@SECLEVEL=0")
    try:
        with (
            socket.create_connection((NAME, site.https), timeout=30) as line,
            context.wrap_socket(line, server_hostname=NAME) as secured,
        ):
            agreed = secured.cipher()
    except ssl.SSLError:
        return None
    assert agreed is not None
    return agreed


@pytest.mark.parametrize(
    ("version", "ciphers", "spoken"),
    [
        (ssl.TLSVersion.TLSv1_1, "ALL", False),
        (ssl.TLSVersion.TLSv1_2, "ALL", True),
        (ssl.TLSVersion.TLSv1_2, "ECDHE+AESGCM", True),
        (ssl.TLSVersion.TLSv1_2, "ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA", False),
        (ssl.TLSVersion.TLSv1_2, "AES128-GCM-SHA256:AES128-SHA", False),  # no forward secrecy
        (ssl.TLSVersion.TLSv1_3, "ALL", True),
    ],
)
def test_nginx_speaks_current_tls_with_strong_ciphers_alone(
    site: Front, version: ssl.TLSVersion, ciphers: str, spoken: bool
) -> None:
    agreed = _handshake(site, version, ciphers)

    assert (agreed is not None) is spoken
    assert agreed is None or re.search("GCM|CHACHA20", agreed[0])


def test_web_server_believes_nobody_but_nginx(site: Front) -> None:
    """Asked from another address of this computer, which is not the proxy's."""
    with socket.create_connection(
        ("127.0.0.1", site.ports[0]), timeout=10, source_address=("127.0.0.2", 0)
    ) as line:
        line.sendall(
            f"GET /join/ HTTP/1.1\r\nHost: {NAME}:{site.https}\r\n"
            "X-Forwarded-Proto: https\r\nConnection: close\r\n\r\n".encode()
        )
        answer = line.recv(1000).decode()

    assert answer.startswith("HTTP/1.1 301 ")


@pytest.mark.case("AZ-22")
def test_name_that_is_not_the_sites_is_refused(site: Front) -> None:
    answer = site.ask("/join/", headers={"Host": "evil.example", "X-Forwarded-Host": NAME})
    led = site.ask("/join/", headers={"Host": "evil.example"}, plain=True)

    assert answer.status == 400
    assert "evil.example" not in led.headers["Location"]


@pytest.mark.case("WS-01")
@pytest.mark.parametrize("origin", [None, "https://evil.example", "http://localhost"])
async def test_socket_from_another_page_is_refused(site: Front, origin: str | None) -> None:
    (stage,) = (await asyncio.to_thread(stored, site, "begin(1)"))["matches"]
    address = f"wss://{NAME}:{site.https}/ws/match/{stage['match']}/"
    cookie = {"Cookie": f"{stage['cookie']}={stage['sessions'][0]}"}

    with pytest.raises(InvalidStatus) as refused:
        async with connect(
            address,
            ssl=site.context,
            additional_headers=cookie,
            origin=origin,  # type: ignore[arg-type]
        ):
            pass
    async with connect(
        address,
        ssl=site.context,
        additional_headers=cookie,
        origin=site.url,  # type: ignore[arg-type]
    ) as line:
        hello = json.loads(await line.recv())

    assert refused.value.response.status_code == 403
    assert hello["type"] == "hello"


# -- limits ------------------------------------------------------------------------------------


async def _held_for(site: Front, port: int, first: bytes, *, tls: bool, drip: bytes = b"") -> float:
    """How long a connection stays open that sends this and then next to nothing, in seconds."""
    start = time.monotonic()
    reader, writer = await asyncio.open_connection(
        NAME if tls else "127.0.0.1",
        port,
        ssl=site.context if tls else None,
        server_hostname=NAME if tls else None,
    )
    writer.write(first)
    dripping = asyncio.create_task(_drip(writer, drip))
    try:
        async with asyncio.timeout(30):
            while await reader.read(1000):
                pass
    except (ConnectionError, ssl.SSLError):
        pass
    finally:
        dripping.cancel()
        writer.close()
    return time.monotonic() - start


async def _drip(writer: asyncio.StreamWriter, drip: bytes) -> None:
    while drip:
        await asyncio.sleep(0.5)
        writer.write(drip)


@pytest.mark.case("WS-08")
async def test_handshake_that_never_ends_is_ended(site: Front) -> None:
    begun = f"GET /ws/match/{uuid4()}/ HTTP/1.1\r\nHost: {NAME}\r\nUpgrade: websocket\r\n".encode()

    held = await asyncio.gather(
        _held_for(site, site.https, begun, tls=True),
        _held_for(site, site.https, begun, tls=True, drip=b"X-A: b\r\n"),
        _held_for(site, site.https, b"\x16\x03\x01", tls=False),  # TLS that stops
        _held_for(site, site.http, begun, tls=False),
        _held_for(site, site.ports[0], begun, tls=False),  # the web server by itself
        _held_for(site, site.ports[0], begun, tls=False, drip=b"X-A: b\r\n"),
        _held_for(site, site.ports[0], b"", tls=False),
    )

    assert max(held) < HEADERS_S + 4, held


def test_body_that_is_too_large_is_refused_in_words_that_help(site: Front) -> None:
    line = ssl.create_default_context(cafile=str(site.folder / "fullchain.pem")).wrap_socket(
        socket.create_connection((NAME, site.https), timeout=10), server_hostname=NAME
    )
    with line:  # refused by what the header says, before a byte of it is taken
        line.sendall(
            f"POST /join/ HTTP/1.1\r\nHost: {NAME}:{site.https}\r\n"
            f"Content-Length: {25 * 1024 * 1024}\r\nConnection: close\r\n\r\n".encode()
        )
        answer = http.client.HTTPResponse(line)
        answer.begin()
        text = answer.read().decode()

    assert answer.status == 413
    assert "Files may have up to 20 MB" in text
    assert 'lang="ar" dir="rtl"' in text
    assert (answer.getheader("Content-Security-Policy") or "").startswith("default-src 'none'")
    style = site.ask("/civictable-pages/page.css")
    assert (style.status, style.headers["Content-Type"]) == (200, "text/css")


def test_whole_school_behind_one_address_is_never_told_to_slow_down(site: Front) -> None:
    """The break ends: as many requests as 1,200 students make who all come back at once."""
    answers = asyncio.run(_storm(site, students=1200, lines=40))

    assert set(answers) == {200}
    assert len(answers) == 1200
    text = (Path(__file__).parents[2] / "deploy" / "nginx" / "civictable.conf").read_text("utf-8")
    (rate,) = re.findall(r"rate=(\d+)r/s", text)
    bursts = {int(burst) for burst in re.findall(r"burst=(\d+)", text)}
    (lines,) = re.findall(r"limit_conn civic_lines (\d+);", text)
    assert int(rate) >= 2 * 1200 * 8 / 60  # eight pages each to join, within a minute, twice over
    assert min(bursts) >= 3 * 1200
    assert int(lines) >= 4 * 1200


async def _storm(site: Front, *, students: int, lines: int) -> list[int]:
    async def one(count: int) -> list[int]:
        reader, writer = await asyncio.open_connection(NAME, site.https, ssl=site.context)
        got = []
        for _ in range(count):
            writer.write(f"HEAD /healthz HTTP/1.1\r\nHost: {NAME}:{site.https}\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            got.append(int(head.split(b" ", 2)[1]))
        writer.close()
        return got

    answered = await asyncio.gather(*[one(students // lines) for _ in range(lines)])
    return [status for got in answered for status in got]


# -- files and logs ----------------------------------------------------------------------------


def test_static_files_are_kept_by_nginx_and_by_browsers(site: Front) -> None:
    page = site.ask("/join/").body.decode()
    (path, *_more) = re.findall(r'href="(/static/[^"]+\.css)"', page)

    first = site.ask(path, headers={"Cookie": "a=b", "Accept-Encoding": "gzip"})
    again = site.ask(path, headers={"Accept-Encoding": "gzip"})
    other = site.ask(path)

    assert (first.status, again.status, other.status) == (200, 200, 200)
    assert "immutable" in again.headers["Cache-Control"]
    assert again.headers["X-Cache"] == "HIT"
    assert again.headers["Content-Encoding"] == "gzip"
    assert other.headers["Content-Encoding"] is None
    assert again.headers["X-Content-Type-Options"] == "nosniff"
    assert site.ask("/join/").headers["Cache-Control"] != again.headers["Cache-Control"]


def test_no_log_keeps_addresses_queries_or_secrets_of_links(site: Front) -> None:
    site.ask("/join/?code=CANARY-QUERY", headers={"Referer": f"{site.url}/?x=CANARY-FROM"})
    site.ask("/accounts/invitation/CANARY-INVITATION/", headers={"User-Agent": "CANARY-AGENT"})
    site.ask("/accounts/password/reset/key/CANARY-KEY/")
    site.ask("/ws/match/0/?screen=CANARY-SCREEN")
    until(lambda: site.access_log()[-1][3] == "/ws/match/0/")  # written after the answer

    logs = {path.name: path.read_text("utf-8") for path in site.folder.glob("*.log")}
    assert "/accounts/invitation/..." in logs["civictable.access.log"]
    assert "/join/ " in logs["civictable.access.log"]
    assert [name for name, text in logs.items() if "CANARY" in text] == []
    ours = re.sub(r"127\.0\.0\.1:\d+", "", logs["civictable.access.log"])
    assert "127.0.0.1" not in ours
