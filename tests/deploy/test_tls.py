"""To PostgreSQL and Redis: TLS where it is asked for, with certificates checked."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env
from tests.services import Missing, free_port, postgres, redis
from tests.site import ROOT

ASK = """
import django, json
django.setup()
from asgiref.sync import async_to_sync

from channels.layers import get_channel_layer
from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache
from django.db import connection
from config.celery import app
said = {}
def ask(name, question):
    try:
        said[name] = question()
    except Exception as error:
        said[name] = type(error).__name__
def database():
    with connection.cursor() as cursor:
        cursor.execute("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
        return cursor.fetchone()[0]
def cached():
    shared = caches["default"]  # itself, not what takes its place while it is away
    RedisCache.set(shared, "a", "b", 9)
    return RedisCache.get(shared, "a") == "b"
def queue():
    with app.connection_for_write() as line:
        line.ensure_connection(max_retries=1, timeout=5)
        return line.connected
def layer():
    async_to_sync(get_channel_layer().group_send)("room", {"type": "hint"})
    return True
for question in (database, cached, queue, layer):
    ask(question.__name__, question)
print("SAID" + json.dumps(said))
"""


@dataclass
class Secured:
    """Both services, which take nothing but TLS, and the authority that signed for them."""

    database: str
    redis: str
    authority: Path
    other_authority: Path


def certificate(folder: Path, name: str) -> Path:
    """A certificate for ``localhost`` that stands for its own authority; the key beside it."""
    made = folder / f"{name}.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
         "subjectAltName=DNS:localhost", "-keyout", str(folder / f"{name}.key"), "-out",
         str(made)],
        check=True, capture_output=True,
    )  # fmt: skip
    return made


@pytest.fixture(scope="module")
def secured(tmp_path_factory) -> Iterator[Secured]:
    if shutil.which("openssl") is None:
        raise Missing("openssl is not installed (apt install openssl)")
    folder = tmp_path_factory.mktemp("tls")
    ours, other = certificate(folder, "ours"), certificate(folder, "other")
    port = free_port()
    with postgres() as cluster, redis() as server:
        cluster.create("civictable")
        data = cluster.folder / "data"
        for source, target in ((ours, "server.crt"), (folder / "ours.key", "server.key")):
            shutil.copy(source, data / target)
            (data / target).chmod(0o600)
            if os.geteuid() == 0:
                os.chown(data / target, pwd.getpwnam("postgres").pw_uid, -1)
        with (data / "postgresql.conf").open("a") as conf:
            conf.write("\nssl = on\n")
        (data / "pg_hba.conf").write_text(
            "local all all trust\nhostssl all all all trust\nhost all all all reject\n"
        )
        cluster.stop()
        cluster.start()
        server.stop()
        server.process = subprocess.Popen(
            [server.program, "--port", "0", "--tls-port", str(port), "--bind", "127.0.0.1",
             "--save", "", "--appendonly", "no", "--dir", str(server.folder),
             "--tls-cert-file", str(ours), "--tls-key-file", str(folder / "ours.key"),
             "--tls-ca-cert-file", str(ours), "--tls-auth-clients", "no"],
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        yield Secured(
            database=f"postgresql://app@localhost:{cluster.port}/civictable",
            redis=f"rediss://localhost:{port}/0",
            authority=ours,
            other_authority=other,
        )


def asked(secured: Secured, authority: Path, data: Path) -> dict[str, object]:
    """What each of the four lines of a site says: True, or the error."""
    variables = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings.production",
        "CIVIC_DATA": str(data),
        "DATABASE_URL": f"{secured.database}?sslmode=verify-full&sslrootcert={authority}",
        "REDIS_URL": secured.redis,
        "SSL_CERT_FILE": str(authority),
    }
    done = subprocess.run(
        [sys.executable, "-c", ASK], cwd=ROOT, env=variables, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    said: dict[str, object] = json.loads(done.stdout.partition("SAID")[2])
    return said


@pytest.mark.services
def test_database_cache_queue_and_layer_go_over_tls(secured, tmp_path):
    assert asked(secured, secured.authority, tmp_path) == {
        "database": True, "cached": True, "queue": True, "layer": True,
    }  # fmt: skip


@pytest.mark.services
def test_certificate_of_another_authority_is_refused(secured, tmp_path):
    said = asked(secured, secured.other_authority, tmp_path)

    assert [answer for answer in said.values() if answer is True] == []


def test_what_is_not_known_in_the_address_stops_the_start():
    known = {"sslmode", "sslrootcert"}

    assert env.asked_of("DATABASE_URL", "postgresql://a@b/c?sslmode=require", known) == {
        "sslmode": "require"
    }
    with pytest.raises(ImproperlyConfigured, match="not sslmod"):
        env.asked_of("DATABASE_URL", "postgresql://a@b/c?sslmod=require", known)
