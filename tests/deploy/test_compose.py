"""Only the front is open to the network; database and Redis want passwords."""

from __future__ import annotations

import os
import re
import subprocess
from typing import Any

import pytest
import yaml

from tests.architecture.sources import ROOT

INNER = ("postgres", "redis")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    """What the compose file says."""
    text = (ROOT / "deploy" / "compose" / "compose.yaml").read_text(encoding="utf-8")
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
    lines = (ROOT / "deploy" / "compose" / "env.example").read_text(encoding="utf-8").splitlines()

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
