"""For work on the code: readable errors. Never reachable from outside."""

from __future__ import annotations

from config.settings.base import *  # noqa: F403
from config.settings.base import STORAGES

DEBUG = True
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
SERVESTATIC_USE_FINDERS = SERVESTATIC_AUTOREFRESH = True
