"""A site as ``deploy/`` has it: nginx with its very file, and the programs of the units.

Names, ports and paths are put in place of those that a school replaces, each of
them counted, so that a line that is no longer there fails the tests.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import shlex
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.services import free_port, nginx_program, postgres, redis
from tests.site import READY_S, ROOT, answers, spawn

DEPLOY = ROOT / "deploy"
NAME = "localhost"
ESTABLISHED = "01"  # in /proc/net/tcp


def unit_command(unit: str, instance: str = "") -> list[str]:
    """What a unit starts, with this Python."""
    text = (DEPLOY / "systemd" / unit).read_text("utf-8")
    (line,) = re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)
    program, *words = shlex.split(line.replace("%i", instance))
    assert program == "/usr/bin/python3"
    return [sys.executable, *words]


def settings(**changed: str) -> dict[str, str]:
    """The sample of the settings file, with some values replaced."""
    lines = (DEPLOY / "civictable.env.example").read_text("utf-8").splitlines()
    sample = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    assert changed.keys() <= sample.keys(), "the sample no longer has all of them"
    return sample | changed


def rendered(text: str, *, replaced: dict[str, tuple[int, str]]) -> str:
    """The text with each line or word put in the place of another, so many times."""
    for old, (count, new) in replaced.items():
        assert text.count(old) == count, f"{old!r} stands there {text.count(old)} times"
        text = text.replace(old, new)
    return text


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes


@dataclass
class Front:
    """What runs: nginx in front of two web servers and a worker."""

    folder: Path
    https: int
    http: int
    ports: list[int]
    env: dict[str, str]
    context: ssl.SSLContext
    webs: list[subprocess.Popen[bytes]] = field(default_factory=list)
    others: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Where browsers come."""
        return f"https://{NAME}:{self.https}"

    def access_log(self) -> list[list[str]]:
        """What nginx noted, word by word."""
        text = (self.folder / "civictable.access.log").read_text("utf-8")
        return [line.split(" ") for line in text.splitlines()]

    def lines(self, number: int) -> int:
        """How many lines nginx holds open to a web server."""
        port = f":{self.ports[number]:04X}"
        rows = map(str.split, Path("/proc/net/tcp").read_text("ascii").splitlines()[1:])
        return sum(row[1].endswith(port) and row[3] == ESTABLISHED for row in rows)

    def ask(
        self,
        path: str,
        *,
        method: str = "GET",
        headers: dict[str, str] | None = None,
        body: bytes | None = None,
        plain: bool = False,
    ) -> Answer:
        """One request as a browser sends it, to nginx; ``plain``: without TLS."""
        line: http.client.HTTPConnection
        if plain:
            line = http.client.HTTPConnection(NAME, self.http, timeout=30)
        else:
            line = http.client.HTTPSConnection(NAME, self.https, timeout=30, context=self.context)
        with contextlib.closing(line):
            line.request(method, path, body=body, headers=headers or {})
            answer = line.getresponse()
            return Answer(answer.status, answer.headers, answer.read())

    def manage(self, *arguments: str) -> str:
        """Run one of Django's commands and return what it printed."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start_web(self, number: int) -> None:
        """Start a web server (again), as its unit does, and wait until it answers."""
        port = self.ports[number]
        log = self.folder / f"web-{port}.log"
        process = spawn(unit_command("civictable-web@.service", str(port)), self.env, log)
        self.webs[number : number + 1] = [process]
        end = time.monotonic() + READY_S
        while not answers(f"http://127.0.0.1:{port}"):
            assert process.poll() is None, log.read_text("utf-8")
            assert time.monotonic() < end, log.read_text("utf-8")
            time.sleep(0.1)

    def kill_web(self, number: int) -> None:
        """``kill -9`` of a web server; systemd would start it again, here the test does."""
        process = self.webs[number]
        os.kill(process.pid, signal.SIGKILL)
        process.wait()


@contextlib.contextmanager
def front() -> Iterator[Front]:
    """Start everything, wait until nginx answers, end everything.

    Raises:
        Missing: nginx, PostgreSQL or Redis is not installed.
    """
    with contextlib.ExitStack() as stack:
        program = nginx_program()
        folder = Path(tempfile.mkdtemp(prefix="civictable-front-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        cluster, server = stack.enter_context(postgres()), stack.enter_context(redis())
        https, http, *ports = [free_port() for _ in range(4)]
        wanted = settings(
            CIVIC_URL=f"https://{NAME}:{https}",
            CIVIC_DATA=str(folder / "data"),
            DATABASE_URL=cluster.create("site"),
            REDIS_URL=server.address,
        )
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("CIVIC_", "DJANGO_"))}
        run = Front(
            folder=folder,
            https=https,
            http=http,
            ports=ports,
            env=clean | wanted | {"PYTHONUNBUFFERED": "1"},
            context=_certificate(folder),
        )
        stack.callback(_end, run)
        _call([sys.executable, "civic.py", "prepare"], env=run.env)
        for number in range(len(ports)):
            run.start_web(number)
        worker = unit_command("civictable-worker.service")
        run.others.append(spawn(worker, run.env, folder / "worker.log"))
        configuration = _configure(run)
        _call([program, "-t", "-q", "-c", str(configuration), "-e", str(folder / "error.log")])
        run.others.append(
            spawn(
                [program, "-c", str(configuration), "-e", str(folder / "error.log")],
                os.environ,
                folder / "nginx.log",
            )
        )
        _until_nginx_answers(run)
        yield run
        logs = {path: path.read_text("utf-8", "replace") for path in folder.glob("*.log")}
        broken = [path.name for path, text in logs.items() if "Traceback" in text]
        assert not broken, [logs[folder / name] for name in broken]


def _configure(run: Front) -> Path:
    """The site's file with this test's places, inside the least that nginx needs around it."""
    site = rendered(
        (DEPLOY / "nginx" / "civictable.conf").read_text("utf-8"),
        replaced={
            "    listen [::]:80;\n": (1, ""),
            "    listen [::]:443 ssl http2;\n": (1, ""),
            "listen 80;": (1, f"listen 127.0.0.1:{run.http};"),
            "listen 443 ssl http2;": (1, f"listen 127.0.0.1:{run.https} ssl http2;"),
            "https://$server_name$": (1, f"https://$server_name:{run.https}$"),
            "server_name play.school.example;": (2, f"server_name {NAME};"),
            "127.0.0.1:8001": (1, f"127.0.0.1:{run.ports[0]}"),
            "127.0.0.1:8002": (1, f"127.0.0.1:{run.ports[1]}"),
            "/etc/ssl/civictable/": (2, f"{run.folder}/"),
            "/var/log/nginx/": (3, f"{run.folder}/"),
            "/var/lib/nginx/civictable": (1, f"{run.folder}/cache"),
            "/opt/civictable/deploy/": (1, f"{DEPLOY}/"),
        },
    )
    (run.folder / "site.conf").write_text(site, "utf-8")
    around = f"""
        {"user root;" if os.geteuid() == 0 else ""}
        daemon off;
        pid {run.folder}/nginx.pid;
        error_log {run.folder}/error.log crit;
        worker_processes 2;
        events {{ worker_connections 1024; }}
        http {{
            types {{ text/html html; text/css css; }}
            client_body_temp_path {run.folder}/bodies;
            proxy_temp_path {run.folder}/proxy;
            fastcgi_temp_path {run.folder}/fastcgi;
            uwsgi_temp_path {run.folder}/uwsgi;
            scgi_temp_path {run.folder}/scgi;
            include {run.folder}/site.conf;
        }}
    """
    path = run.folder / "nginx.conf"
    path.write_text(around, "utf-8")
    return path


def _certificate(folder: Path) -> ssl.SSLContext:
    """A certificate of the test's own, and what a browser that trusts it knows."""
    _call(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", "2", "-subj", f"/CN={NAME}"),
            *("-addext", f"subjectAltName=DNS:{NAME}"),
            *("-keyout", str(folder / "key.pem"), "-out", str(folder / "fullchain.pem")),
        ]
    )
    return ssl.create_default_context(cafile=str(folder / "fullchain.pem"))


def _until_nginx_answers(run: Front) -> None:
    end = time.monotonic() + 20
    while True:
        with contextlib.suppress(OSError):
            if run.ask("/healthz").status == 200:
                return
        assert time.monotonic() < end, (run.folder / "error.log").read_text("utf-8")
        time.sleep(0.1)


def _call(command: list[str], **more: Any) -> None:
    done = subprocess.run(
        command,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        **more,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _end(run: Front) -> None:
    for process in [*run.others, *run.webs]:
        if process.poll() is None:
            process.terminate()
    for process in [*run.others, *run.webs]:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(30)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
