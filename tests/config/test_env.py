"""Settings from the environment: what is wrong is named in one sentence."""

from __future__ import annotations

import stat

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env


@pytest.mark.case("SC-05")
def test_key_is_made_once_for_this_user_alone(data, monkeypatch):
    monkeypatch.delenv("CIVIC_SECRET_KEY", raising=False)

    first = env.secret_key(data)

    assert env.secret_key(data) == first
    assert len(first) >= env.SHORTEST_SECRET
    assert stat.S_IMODE((data / "secret_key").stat().st_mode) == 0o600
    assert env.secret_key(data.parent / "other") != first
    assert stat.S_IMODE((data.parent / "other").stat().st_mode) == 0o700


@pytest.mark.case("SC-05")
@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("tooshort-1234", "has 13 characters"),
        ("x" * 64, "is a sample"),
        ("django-insecure-" + "abcdefgh" * 8, "is a sample"),
    ],
)
def test_weak_keys_are_refused(data, monkeypatch, key, said):
    monkeypatch.setenv("CIVIC_SECRET_KEY", key)

    with pytest.raises(ImproperlyConfigured, match=said):
        env.secret_key(data)


@pytest.mark.case("SC-05")
def test_key_that_others_can_read_is_refused(data, monkeypatch):
    monkeypatch.delenv("CIVIC_SECRET_KEY", raising=False)
    env.secret_key(data)
    (data / "secret_key").chmod(0o644)

    with pytest.raises(ImproperlyConfigured, match="chmod 600"):
        env.secret_key(data)


@pytest.mark.parametrize("value", ["*", "*.school.example", ".school.example", "a.example,*"])
def test_hosts_are_named_one_by_one(monkeypatch, value):
    monkeypatch.setenv("CIVIC_HOSTS", value)

    with pytest.raises(ImproperlyConfigured, match="must name each host"):
        env.hosts("CIVIC_HOSTS")


@pytest.mark.parametrize(
    "value", ["invite", "open", "domain:school.example", "Domain:School.Example"]
)
def test_sign_up_values(monkeypatch, value):
    monkeypatch.setenv("CIVIC_SIGNUP", value)

    assert env.signup("CIVIC_SIGNUP") == value.lower()


@pytest.mark.parametrize("value", ["domain:", "domain:school", "all", "invite,open"])
def test_wrong_sign_up_values(monkeypatch, value):
    monkeypatch.setenv("CIVIC_SIGNUP", value)

    with pytest.raises(ImproperlyConfigured, match="invite, open, or domain:"):
        env.signup("CIVIC_SIGNUP")


@pytest.mark.parametrize("value", ["0", "65536", "-1", "8e3", "٨٠"])
def test_numbers_have_bounds(monkeypatch, value):
    monkeypatch.setenv("CIVIC_MAIL_PORT", value)

    with pytest.raises(ImproperlyConfigured, match="from 1 to 65535"):
        env.number("CIVIC_MAIL_PORT", 587, low=1, high=65535)


@pytest.mark.parametrize("value", ["localhost", "http://", "mysql://host/db"])
def test_addresses_have_a_scheme_and_a_host(monkeypatch, value):
    monkeypatch.setenv("DATABASE_URL", value)

    with pytest.raises(ImproperlyConfigured, match="must be an address"):
        env.address("DATABASE_URL", {"postgres", "postgresql"})


def test_time_zones_by_name(monkeypatch):
    monkeypatch.setenv("CIVIC_TIME_ZONE", "Europe/Berlin")
    assert env.time_zone("CIVIC_TIME_ZONE") == "Europe/Berlin"

    for wrong in ("Berlin", "../etc/passwd", "UTC+1"):
        monkeypatch.setenv("CIVIC_TIME_ZONE", wrong)
        with pytest.raises(ImproperlyConfigured, match="must name a time zone"):
            env.time_zone("CIVIC_TIME_ZONE")
