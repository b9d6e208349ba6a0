"""How a school runs it: never DEBUG, also under ``python3 civic.py``."""

from __future__ import annotations

from config.settings.base import *  # noqa: F403
from config.settings.base import HTTPS

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
if HTTPS:
    SESSION_COOKIE_NAME = "__Host-session"
    CSRF_COOKIE_NAME = "__Host-csrf"
    DEVICE_COOKIE_NAME = "__Host-device"
    LANGUAGE_COOKIE_NAME = "__Host-language"
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365
    SILENCED_SYSTEM_CHECKS = [
        "security.W005",  # HSTS for subdomains: those are other machines of the school
        "security.W021",  # HSTS preload: a promise for the school's whole domain, not ours to give
    ]
else:
    # On one computer, or in a network that is trusted (--lan), where the program warns in the
    # terminal at each start. A site with a name on the internet sets CIVIC_HTTPS=1.
    SILENCED_SYSTEM_CHECKS = [
        "security.W004",  # HSTS
        "security.W008",  # redirect to https
        "security.W010",  # session cookie over https only
        "security.W016",  # CSRF cookie over https only
    ]
