"""``python3 civic.py``: one site on this machine, web server and worker."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import time
import urllib.request
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPException
from pathlib import Path

from launcher import ROOT, Stop, version
from launcher.environment import Environment, say
from launcher.locks import FileLock, Held
from launcher.machine import (
    check_data_folder,
    check_port,
    lan_addresses,
    lan_names,
)
from launcher.supervisor import Child, Log, Supervisor

PORT = 8000
HOUSEKEEPING_S = 60 * 60
FRAME_BYTES = 16 * 1024  # of one message from a browser (docs/reference/live-messages.md)
# Errors whose message is one sentence for the person who starts the program.
_SENTENCE = re.compile(r"^(CommandError|SystemCheckError|[\w.]+\.ImproperlyConfigured): (.+)$")


def default_data() -> Path:
    """The data folder of a site for which none is named."""
    return Path(os.environ.get("CIVIC_DATA") or ROOT / "var").resolve()


@dataclass
class Site:
    """What was asked for on the command line."""

    data: Path
    port: int = PORT
    lan: bool = False
    host: str = ""  # address to listen on; by default this machine alone, or all with lan
    wheels: Path | None = None
    python: Path = field(init=False)

    def start(self) -> None:
        """Install, prepare, run until asked to end.

        Raises:
            Stop: it cannot start, or its web server keeps dying.
        """
        check_data_folder(self.data, embedded=not os.environ.get("DATABASE_URL"))
        lock = FileLock(self.data / "running.lock")
        try:
            lock.acquire(self._url("127.0.0.1"))
        except Held as held:
            raise Stop(
                f"Civic Table already runs with this data folder. Open {held.note} "
                "(or end it first, with Ctrl-C in its window)."
            ) from None
        check_port(self.bind_to(), self.port, start=self.command(lan=self.lan))
        self.python = Environment().ensure(wheels=self.wheels)
        say("Preparing the database and the pages …")
        others = self.addresses()[1:]
        prepared = self.prepare("--qr", others[0] if others else "")
        say_found(prepared)
        Run(self, prepared).until_asked()
        say("Stopped.")

    def command(self, *, lan: bool) -> str:
        """The words that start this site and no other one, without its port."""
        words = ["python3", "civic.py"]
        if self.data != default_data():
            words += ["--data", str(self.data)]
        if lan:
            words.append("--lan")
        return shlex.join(words)

    def environment(self) -> dict[str, str]:
        """The variables that children run with. Production settings, always."""
        hosts = os.environ.get("CIVIC_HOSTS", "").split(",")
        if self.lan:
            hosts += lan_addresses() + lan_names()
        inherited = {k: v for k, v in os.environ.items() if k != "WEB_CONCURRENCY"}
        return {
            **inherited,
            "DJANGO_SETTINGS_MODULE": "config.settings.production",
            "CIVIC_DATA": str(self.data),
            "CIVIC_HOSTS": ",".join(dict.fromkeys(host for host in hosts if host)),
            "PYTHONUNBUFFERED": "1",
        }

    def children(self) -> list[Child]:
        """Web server and worker, in the order in which they are stopped."""
        logs = self._logs()
        child = partial(
            Child, env=self.environment(), tell=say, security=Log(logs / "security.log")
        )
        return [
            child("web server", self.web_command(), log=logs / "web.log"),
            child("worker", self.worker_command(), log=logs / "worker.log", needed=False),
        ]

    def addresses(self) -> list[str]:
        """Where browsers find the site, this machine first."""
        hosts = ["localhost"]
        if self.lan:
            hosts += lan_addresses()
        return [self._url(host) for host in hosts]

    def bind_to(self) -> str:
        """The address that the web server listens on."""
        return self.host or ("0.0.0.0" if self.lan else "127.0.0.1")  # noqa: S104 - only on demand

    # -- parts ---------------------------------------------------------------------------------

    def _url(self, host: str) -> str:
        return f"http://{host}:{self.port}/"

    def web_command(self) -> list[str]:
        """The words that start a web server."""
        proxies = os.environ.get("CIVIC_TRUSTED_PROXIES", "")
        return [
            *(str(self.python), "-m", "uvicorn", "config.asgi:application"),
            *("--host", self.bind_to(), "--port", str(self.port), "--lifespan", "on"),
            *("--ws-max-size", str(FRAME_BYTES), "--ws-per-message-deflate", "false"),
            *("--ws-ping-interval", "20", "--ws-ping-timeout", "20"),
            *("--http", "config.protocol:Bounded"),  # requests that never become whole end
            *("--ws", "config.sockets:DirectSockets"),
            *("--timeout-graceful-shutdown", "5", "--no-server-header"),
            # Addresses carry secrets (invitations) and who plays; our own log says what matters.
            *("--no-access-log", "--log-level", "warning"),
            # Its handlers off: lines go to ours, which cuts names out (config.logs).
            *("--log-config", str(ROOT / "config" / "uvicorn.json")),
            *(
                ("--proxy-headers", "--forwarded-allow-ips", proxies)
                if proxies
                else ("--no-proxy-headers",)
            ),
        ]

    def worker_command(self) -> list[str]:
        """The words that start the worker."""
        return [
            *(str(self.python), "-m", "celery", "-A", "config", "worker"),
            *("-P", "threads", "-c", "2", "-l", "WARNING"),
            *("--without-heartbeat", "--without-gossip", "--without-mingle"),
        ]

    def prepare(self, *options: str) -> dict[str, object]:
        """Bring database and pages up to date; what ``manage.py prepare`` answered.

        Raises:
            Stop: it failed.
        """
        done = self.manage("prepare", *options)
        if done.returncode:
            raise Stop(self.why(done.stderr))
        return dict(json.loads(done.stdout.splitlines()[-1]))

    def why(self, stderr: str) -> str:
        """The sentence that a failed command ended with, or where everything is written."""
        lines = [line for line in stderr.splitlines() if line.strip()]
        sentence = _SENTENCE.match(lines[-1]) if lines else None
        if sentence:
            return sentence[2]
        log = self._logs() / "prepare.log"
        log.write_text(stderr, encoding="utf-8")
        return f"The site could not be prepared. Why is written in {log}"

    def _logs(self) -> Path:
        folder = self.data / "logs"
        folder.mkdir(exist_ok=True)
        return folder

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run one of Django's commands to its end."""
        return subprocess.run(
            [str(self.python), str(ROOT / "manage.py"), *arguments],
            cwd=ROOT,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )


def say_found(prepared: dict[str, object]) -> None:
    """Name the copy of a database that a run left which was cut off."""
    if found := prepared["found"]:
        say(
            "The last run was cut off. What was shown as taken is there; the database as it was "
            f"found is kept in {found} all the same."
        )


class Run:
    """One run of a prepared site: welcome when it answers, housekeeping each hour."""

    def __init__(self, site: Site, prepared: dict[str, object]) -> None:
        self._site = site
        self._prepared = prepared
        self._children = site.children()
        self._answers = False
        self._next_care = time.monotonic()
        self._care: subprocess.Popen[bytes] | None = None

    def until_asked(self) -> None:
        """Run until Ctrl-C or TERM."""
        try:
            Supervisor(self._children, say).run(look=self._look)
        finally:
            # It would write on after the site has ended; what it leaves is done next time.
            if self._care:
                self._care.terminate()
                self._care.wait()

    def _look(self) -> None:
        if not self._answers and self._healthy():
            self._answers = True
            self._welcome()
        if self._answers:
            self._take_care()

    def _healthy(self) -> bool:
        address = f"http://127.0.0.1:{self._site.port}/healthz"
        try:
            with urllib.request.urlopen(address, timeout=2) as answer:
                return bool(answer.status == 200)
        except (OSError, HTTPException):  # nobody serves yet, or it ended in mid-answer
            return False

    def _welcome(self) -> None:
        say("")
        say(f"Civic Table {version()} is running. Open:")
        for address in self._site.addresses():
            say(f"  {address}")
        if path := str(self._prepared["first_path"]):
            say("")
            say("Make the first account (the administrator's) with this link. It works once:")
            say(f"  {self._site.addresses()[0].rstrip('/')}{path}")
        if self._site.lan:
            say("")
            say("Students in the same network scan this, or type the address above:")
            say(str(self._prepared["qr"]))
            if os.environ.get("CIVIC_HTTPS", "0").lower() in {"", "0", "no", "off", "false"}:
                say("Without HTTPS others in the network could read along: use one you trust.")
        else:
            say("")
            port = f" --port {self._site.port}" if self._site.port != PORT else ""
            start = self._site.command(lan=True) + port
            say(f"Only this computer can open it. For students' devices: {start}")
        say("End with Ctrl-C.")

    def _take_care(self) -> None:
        log = self._site.data / "logs" / "housekeeping.log"
        if self._care and (code := self._care.poll()) is not None:
            self._care = None
            if code:
                say(f"The hourly housekeeping failed. Why is written at the end of {log}")
        if self._care or time.monotonic() < self._next_care:
            return
        self._next_care = time.monotonic() + HOUSEKEEPING_S
        with log.open("a", encoding="utf-8") as out:
            out.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} housekeeping\n")
            out.flush()
            self._care = subprocess.Popen(
                [str(self._site.python), str(ROOT / "manage.py"), "housekeeping"],
                cwd=ROOT,
                env=self._site.environment(),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
            )
