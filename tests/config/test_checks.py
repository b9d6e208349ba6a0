"""The checks that stand between a wrong setting and a class."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.core import signing
from django.db import connections
from django.test import override_settings

from config import checks
from tests.site import ROOT


def check_deploy(env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("CIVIC_")}
    clean |= {"DJANGO_SETTINGS_MODULE": "config.settings.production"} | env
    command = ["manage.py", "check", "--deploy", "--fail-level", "WARNING", "--database", "default"]
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=clean, capture_output=True, text=True, check=False
    )


@pytest.mark.case("SC-04", "F24")
@pytest.mark.parametrize("https", ["0", "1"])
def test_deployment_check_has_nothing_to_say(data, https):
    done = check_deploy({"CIVIC_DATA": str(data), "CIVIC_HTTPS": https})

    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


@pytest.mark.case("SC-04")
def test_each_silenced_check_has_its_reason_beside_it():
    source = (ROOT / "config" / "settings" / "production.py").read_text(encoding="utf-8")
    silenced = [line.strip() for line in source.splitlines() if '"security.W' in line]

    assert len(silenced) == 6
    assert all("  # " in line for line in silenced)


@pytest.mark.case("SC-06")
@override_settings(DEBUG=True, SETTINGS_MODULE="config.settings.production")
def test_debug_is_refused_in_production():
    assert [error.id for error in checks.never_debug()] == ["civictable.E003"]


@pytest.mark.case("SC-06")
def test_debug_cannot_be_switched_on_from_outside(data):
    script = "from django.conf import settings; print(settings.DEBUG)"
    env = {**os.environ, "CIVIC_DATA": str(data), "DEBUG": "1", "DJANGO_DEBUG": "1"}
    env |= {"CIVIC_DEBUG": "1", "DJANGO_SETTINGS_MODULE": "config.settings.production"}

    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.strip() == "False"


@pytest.mark.case("SC-08")
@override_settings(ALLOWED_HOSTS=["localhost", "*"])
def test_pattern_of_hosts_is_refused():
    assert [error.id for error in checks.hosts_by_name()] == ["civictable.E004"]


@pytest.fixture
def file_database(data):
    """SQLite in a file, with the settings of production, as connection ``file``."""
    from django.conf import settings  # noqa: PLC0415

    made = {**connections["default"].settings_dict}
    made |= settings.DATABASES["default"] | {"NAME": data / "site.sqlite3", "ENGINE": ENGINE}
    connections.settings["file"] = made
    yield made
    connections["file"].close()
    del connections["file"]
    del connections.settings["file"]


ENGINE = "django.db.backends.sqlite3"


@pytest.mark.django_db(databases=["default"])
def test_live_pragmas_are_those_of_the_design(file_database, django_db_blocker):
    with django_db_blocker.unblock():
        found = checks.pragmas(databases=["file"])
        live = checks.live_pragmas("file")

    assert found == []
    assert live == checks.PRAGMAS


@pytest.mark.django_db(databases=["default"])
def test_weak_pragmas_and_late_locks_are_errors(file_database, django_db_blocker):
    file_database["OPTIONS"] = {
        "transaction_mode": "DEFERRED",
        "init_command": "PRAGMA journal_mode=DELETE;PRAGMA synchronous=NORMAL;",
    }

    with django_db_blocker.unblock():
        found = checks.pragmas(databases=["file"])

    assert [error.id for error in found] == ["civictable.E001", "civictable.E002"]
    assert "'journal_mode': 'delete'" in found[0].msg
    assert "'synchronous': 1" in found[0].msg


@pytest.mark.case("SC-05")
def test_old_keys_still_open_what_they_signed():
    with override_settings(SECRET_KEY="old" * 20):
        signed = signing.dumps("lesson")

    with override_settings(SECRET_KEY="new" * 20, SECRET_KEY_FALLBACKS=["old" * 20]):
        assert signing.loads(signed) == "lesson"
    with override_settings(SECRET_KEY="new" * 20), pytest.raises(signing.BadSignature):
        signing.loads(signed)


@pytest.mark.case("SC-11")
def test_neither_tasks_nor_sessions_are_pickled():
    from django.conf import settings  # noqa: PLC0415

    assert settings.CELERY_ACCEPT_CONTENT == ["json"]
    assert settings.SESSION_SERIALIZER.endswith("JSONSerializer")
