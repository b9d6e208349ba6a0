"""Only the front is open to the network; database and Redis want passwords."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.architecture.sources import ROOT
from tests.config.test_settings_reference import VARIABLE

COMPOSE = ROOT / "deploy" / "compose"
INNER = ("postgres", "redis")
PROGRAM = ("web1", "web2", "worker", "prepare", "housekeeping")
NOT_FOR_CONTAINERS = {
    "CIVIC_DATA": "a volume, named by the image",
    "CIVIC_HOSTS": "nginx passes on one name, that of CIVIC_HOST",
    "SSL_CERT_FILE": "database and Redis are in an inner network, without TLS",
}
NEEDED = {
    "CIVIC_HOST": "play.school.example",
    "CIVIC_CERTIFICATE": "/etc/ssl/school",
    "POSTGRES_PASSWORD": "letters1",
    "REDIS_PASSWORD": "letters2",
}


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    """What the compose file says."""
    text = (COMPOSE / "compose.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text))


@pytest.mark.case("SC-12")
def test_database_and_redis_can_be_reached_from_inside_alone(compose: dict[str, Any]) -> None:
    networks = {name for name, how in compose["networks"].items() if (how or {}).get("internal")}
    open_to_all = [name for name, how in compose["services"].items() if how.get("ports")]

    assert networks
    for name in INNER:
        service = compose["services"][name]
        assert "ports" not in service
        assert service["networks"]
        assert set(service["networks"]) <= networks
    assert len(open_to_all) == 1


@pytest.mark.case("SC-12")
@pytest.mark.parametrize("word", ["POSTGRES_PASSWORD", "REDIS_PASSWORD"])
def test_nothing_starts_without_a_password(compose: dict[str, Any], word: str) -> None:
    text = str(compose)
    asked = text.count(f"${{{word}:?")

    assert asked >= 2
    assert f"${{{word}}}" not in text
    assert f"${{{word}:-" not in text


@pytest.mark.case("SC-12")
def test_example_holds_no_password() -> None:
    lines = (COMPOSE / "env.example").read_text(encoding="utf-8").splitlines()

    assert [line for line in lines if "PASSWORD=" in line and not line.endswith("=")] == []


def test_nginx_writes_nowhere_that_is_read_only_in_its_container(compose: dict[str, Any]) -> None:
    """What its start makes of the site's file names the web servers, and no log on the disk."""
    nginx = compose["services"]["nginx"]
    script = nginx["command"][-1].replace("$$", "$")
    (edit,) = [line for line in script.splitlines() if line.startswith("sed ")]
    edit = edit.replace("/deploy/nginx", str(ROOT / "deploy" / "nginx")).rpartition(" > ")[0]

    made = subprocess.run(
        ["sh", "-euc", edit],
        env=os.environ | {"CIVIC_HOST": "play.example"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    assert nginx["read_only"]
    assert "/var/log" not in made
    assert made.count("server_name play.example;") == 2
    assert "server web1:8000 " in made
    assert "server web2:8000 " in made
    assert "school.example" not in re.sub(r"^ *#.*", "", made, flags=re.MULTILINE)


@pytest.mark.case("AZ-23")
def test_the_address_that_is_believed_can_become_nobody_elses(compose: dict[str, Any]) -> None:
    """Docker gives a free address to who starts first, and nginx starts last."""
    front = {
        name: how["networks"]["front"]["ipv4_address"]
        for name, how in compose["services"].items()
        if "front" in how["networks"]
    }
    (pool,) = compose["networks"]["front"]["ipam"]["config"]

    assert set(front) == {"nginx", "web1", "web2"}
    assert len(set(front.values())) == 3
    assert {ip_address(one) in ip_network(pool["subnet"]) for one in front.values()} == {True}
    for name in PROGRAM:
        assert compose["services"][name]["environment"]["CIVIC_TRUSTED_PROXIES"] == front["nginx"]


def test_certificate_that_nginx_cannot_read_is_told_in_words(
    compose: dict[str, Any], tmp_path: Path
) -> None:
    script = compose["services"]["nginx"]["command"][-1].replace("$$", "$")
    (tmp_path / "fullchain.pem").write_text("a certificate without its key")

    done = subprocess.run(
        ["sh", "-euc", script.replace("/etc/ssl/civictable", str(tmp_path))],
        env=os.environ | {"CIVIC_HOST": "play.example"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "In the folder of CIVIC_CERTIFICATE user 101 (nginx) must be able to read key.pem: "
        "chown 101 key.pem"
    ]


def test_redis_gets_its_password_unseen_and_hears_its_signals_itself(
    compose: dict[str, Any], tmp_path: Path
) -> None:
    redis = tmp_path / "redis-server"
    redis.write_text('#!/bin/sh\necho "$$ $*"\ncat\n')
    redis.chmod(0o755)

    run = subprocess.Popen(
        [word.replace("$$", "$") for word in compose["services"]["redis"]["command"]],
        env={"PATH": f"{tmp_path}:{os.environ['PATH']}", "REDIS_PASSWORD": "letters2"},
        stdout=subprocess.PIPE,
        text=True,
    )
    started, read = run.communicate()[0].splitlines()

    assert started.startswith(f"{run.pid} - --save ")  # the shell has become Redis
    assert "letters2" not in started
    assert read == "requirepass letters2"


@pytest.mark.parametrize("service", PROGRAM)
def test_part_that_is_stopped_while_it_starts_ends_at_once(
    compose: dict[str, Any], service: str
) -> None:
    """The kernel keeps from a container's first process what it has no handler for, SIGTERM, too.

    Without ``init`` a worker that was stopped in its first second ran on for a minute.
    """
    assert compose["services"][service]["init"]


def test_image_is_built_once(compose: dict[str, Any]) -> None:
    services = compose["services"]

    assert [name for name in PROGRAM if "build" in services[name]] == ["prepare"]
    assert {services[name]["image"] for name in PROGRAM} == {"civictable"}
    for name in set(PROGRAM) - {"prepare"}:
        assert "prepare" in services[name]["depends_on"]


def _settings_of_a_site() -> set[str]:
    """What the page of settings offers to who installs the program."""
    page = (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
    rows = page.partition("## For tests")[0].splitlines()
    cells = [row.split("|")[1] for row in rows if row.startswith("| `")]
    return {name for cell in cells for name in re.findall(r"`([A-Z_]+)`", cell)}


def _filled_in(text: str, env: dict[str, str]) -> str:
    """A value of the file as compose reads it: ``${NAME:-else}``, ``${NAME:+then}``, ``:?``."""

    def value(found: re.Match[str]) -> str:
        name, sign, other = found.groups()
        given = env.get(name, "")
        match sign:
            case ":-":
                return given or other
            case ":+":
                return other if given else ""
            case _:
                assert given, f"{name}: {other}"
                return given

    return re.sub(r"\$\{(\w+)(:[-+?])([^}]*)\}", value, text)


def _environment(compose: dict[str, Any], service: str, env: dict[str, str]) -> dict[str, str]:
    said = compose["services"][service]["environment"]
    return {name: _filled_in(text, env) for name, text in said.items()}


def _loaded(env: dict[str, str], folder: Path) -> dict[str, Any]:
    """What the production settings make of an environment."""
    script = (
        "import json; from config.settings import production as p; print(json.dumps([p.IDLE_S, "
        "p.SIGNUP, p.TIME_ZONE, p.EMAIL_HOST, p.EMAIL_PORT, p.EMAIL_HOST_USER, "
        "p.DEFAULT_FROM_EMAIL, p.SECRET_KEY_FALLBACKS, str(p.STOLEN_PASSWORDS)]))"
    )
    clean = {key: value for key, value in os.environ.items() if not key.startswith("CIVIC_")}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=clean | env | {"CIVIC_DATA": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return dict(enumerate(json.loads(done.stdout)))


@pytest.mark.parametrize("service", PROGRAM)
def test_every_setting_reaches_the_containers(compose: dict[str, Any], service: str) -> None:
    passed = set(compose["services"][service]["environment"])

    assert passed == _settings_of_a_site() - set(NOT_FOR_CONTAINERS)


def test_example_names_what_can_be_set(compose: dict[str, Any]) -> None:
    text = (COMPOSE / "compose.yaml").read_text(encoding="utf-8")
    asked = set(re.findall(r"\$\{(\w+):", text))
    example = (COMPOSE / "env.example").read_text(encoding="utf-8")
    named = set(re.findall(r"^#?(\w+)=", example, flags=re.MULTILINE))

    assert named == asked
    assert set(filter(VARIABLE.fullmatch, named)) <= _settings_of_a_site() | {
        *("CIVIC_HOST", "CIVIC_CERTIFICATE"),
    }


def test_file_that_sets_nothing_more_leaves_the_program_as_it_is(
    compose: dict[str, Any], tmp_path: Path
) -> None:
    assert _loaded(_environment(compose, "web1", NEEDED), tmp_path) == _loaded({}, tmp_path)


def test_what_is_set_arrives(compose: dict[str, Any]) -> None:
    wanted = {"CIVIC_IDLE_MINUTES": "30", "CIVIC_STOLEN_PASSWORDS": "/srv/lists/pwned.txt"}

    said = _environment(compose, "web1", NEEDED | wanted)

    assert said["CIVIC_IDLE_MINUTES"] == "30"
    mounted = [
        _filled_in(volume, NEEDED | wanted) for volume in compose["services"]["web1"]["volumes"]
    ]
    assert f"/srv/lists/pwned.txt:{said['CIVIC_STOLEN_PASSWORDS']}:ro" in mounted


def test_the_program_reaches_the_world_only_where_mail_is_asked_for(
    compose: dict[str, Any],
) -> None:
    inner = {name for name, how in compose["networks"].items() if (how or {}).get("internal")}
    mail = yaml.safe_load((COMPOSE / "mail.yaml").read_text(encoding="utf-8"))

    for service in PROGRAM:
        assert set(compose["services"][service]["networks"]) <= inner
    assert set(mail["services"]) <= {"web1", "web2", "worker"}
    assert mail["networks"].keys().isdisjoint(compose["networks"])
