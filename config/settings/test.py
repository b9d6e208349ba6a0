"""For the test suite: fast hashing, its own data folder, a seed where one is asked for."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

os.environ.setdefault("CIVIC_DATA", tempfile.mkdtemp(prefix="civictable-test-"))

from config import env
from config.settings.base import *  # noqa: F403
from config.settings.base import MIDDLEWARE, STORAGES

if not DATABASE_URL:  # noqa: F405
    # A file: the live part writes and reads in threads of its own.
    DATABASES["default"]["TEST"] = {"NAME": DATA / "test.sqlite3"}  # noqa: F405
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "testserver"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
CELERY_TASK_ALWAYS_EAGER = True
IDLE_S = 0  # else a page writes the session once a minute, and queries cannot be counted
# Static files are served and named as in production only by the real program (tests.site).
MIDDLEWARE = [name for name in MIDDLEWARE if name != "config.static.Files"]
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
SEEDED_CHANCE = int(env.text("CIVIC_TEST_SEED")) if env.text("CIVIC_TEST_SEED") else None
Path(MEDIA_ROOT).mkdir(parents=True, exist_ok=True)  # noqa: F405
