"""What all kinds of running share. Values come from ``config.env``."""

from __future__ import annotations

import ssl
from datetime import timedelta
from typing import Any
from urllib.parse import unquote, urlsplit

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from config import env

ROOT = env.ROOT
DATA = env.data_folder()
DATABASE_URL = env.address("DATABASE_URL", {"postgres", "postgresql"})
TLS_TO_DATABASE = env.asked_of(
    "DATABASE_URL", DATABASE_URL, {"sslmode", "sslrootcert", "sslcert", "sslkey"}
)
REDIS_URL = env.address("REDIS_URL", {"redis", "rediss"})
HTTPS = env.flag("CIVIC_HTTPS")
SITE_URL = env.address("CIVIC_URL", {"http", "https"})

DEBUG = False
SECRET_KEY = env.secret_key(DATA)
SECRET_KEY_FALLBACKS = env.words("CIVIC_OLD_SECRET_KEYS")
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", *env.hosts("CIVIC_HOSTS")]
if SITE_URL:
    ALLOWED_HOSTS.append(urlsplit(SITE_URL).hostname or "")
CSRF_TRUSTED_ORIGINS = [SITE_URL.rstrip("/")] if SITE_URL else []

INSTALLED_APPS = [
    "config.apps.ConfigConfig",
    "classroom.apps.ClassroomConfig",
    "quizzes.apps.QuizzesConfig",
    "games.apps.GamesConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "axes",
    "channels",
    "csp",
    "django_htmx",
]

MIDDLEWARE = [
    "config.middleware.OnlyPagesAreLed",
    # The next four give every answer its headers, static files and refusals included.
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.middleware.Headers",
    "config.static.Files",
    "config.middleware.KnownHosts",
    "config.middleware.TypedForms",
    "django.middleware.gzip.GZipMiddleware",
    "config.middleware.Sessions",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "axes.middleware.AxesMiddleware",
    "classroom.middleware.LogInPageMiddleware",
    "classroom.middleware.IdleMiddleware",
    "classroom.middleware.DomainErrorMiddleware",
]

ROOT_URLCONF = "config.urls"
AUTH_USER_MODEL = "classroom.Teacher"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# -- database (docs/architecture.md) ------------------------------------------------------------


def _database() -> dict[str, Any]:
    if not DATABASE_URL:
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": DATA / "civictable.sqlite3",
            "OPTIONS": {
                # Every write transaction takes the lock at its start: no upgrade, so no
                # "database is locked".
                "transaction_mode": "IMMEDIATE",
                "timeout": 3,
                "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;"
                "PRAGMA busy_timeout=3000;PRAGMA temp_store=MEMORY;"
                # What a lesson writes to fits into 16 MB of pages; its log is copied into the
                # database each 16 MB, not each 4: the same pages come again and again.
                "PRAGMA cache_size=-16000;PRAGMA wal_autocheckpoint=4000;",
            },
        }
    parts = urlsplit(DATABASE_URL)
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.path.lstrip("/"),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname,
        "PORT": parts.port or 5432,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            "pool": {"min_size": 1, "max_size": 10, "timeout": 3},
            "connect_timeout": 3,
            **TLS_TO_DATABASE,
            "options": "-c lock_timeout=3000",
        },
    }


DATABASES = {"default": _database()}

# -- cache, channel layer, worker ------------------------------------------------------------

if REDIS_URL:
    CACHES = {
        "default": {
            "BACKEND": "config.cache.SharedCache",
            "LOCATION": REDIS_URL,
            "VERSION": 2,  # 1 was pickled
            "OPTIONS": {
                "serializer": "config.cache.Json",
                "socket_connect_timeout": 1,
                "socket_timeout": 1,
            },
        }
    }
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [REDIS_URL]},
        }
    }
    CELERY_BROKER_URL = REDIS_URL
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
        "visibility_timeout": 300,
        # Nobody waits for long with a page for a Redis that hears and does not answer (CF-09).
        "socket_connect_timeout": 3,
        "socket_timeout": 3,
    }
    CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1}
    if REDIS_URL.startswith("rediss:"):  # the cache and the channel layer read it themselves
        CELERY_BROKER_USE_SSL = {"ssl_cert_reqs": ssl.CERT_REQUIRED}
else:
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    CELERY_BROKER_URL = "filesystem://"
    CELERY_BROKER_TRANSPORT = "config.queue_folder:Transport"
    QUEUE = DATA / "queue"
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(QUEUE / "tasks"),
        "data_folder_out": str(QUEUE / "tasks"),
        "processed_folder": str(QUEUE / "processed"),
        "control_folder": str(QUEUE / "control"),
        "store_processed": False,
        "polling_interval": 0.1,
    }

CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_RESULT_BACKEND = None  # the Job row is the truth
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True

# -- mail ----------------------------------------------------------------------------------------

EMAIL_HOST = env.text("CIVIC_MAIL_HOST")
EMAIL_CONFIGURED = bool(EMAIL_HOST)
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_CONFIGURED else 'dummy'}.EmailBackend"
EMAIL_PORT = env.number("CIVIC_MAIL_PORT", 587, low=1, high=65535)
EMAIL_HOST_USER = env.text("CIVIC_MAIL_USER")
EMAIL_HOST_PASSWORD = env.text("CIVIC_MAIL_PASSWORD")
EMAIL_USE_SSL = EMAIL_PORT == 465
EMAIL_USE_TLS = not EMAIL_USE_SSL
DEFAULT_FROM_EMAIL = env.text("CIVIC_MAIL_FROM", "civictable@localhost")

# -- people ------------------------------------------------------------------------------------

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    *(
        {"NAME": f"django.contrib.auth.password_validation.{name}"}
        for name in (
            "UserAttributeSimilarityValidator",
            "MinimumLengthValidator",
            "CommonPasswordValidator",
            "NumericPasswordValidator",
        )
    ),
    {"NAME": "classroom.passwords.SchoolWords"},
    {"NAME": "classroom.passwords.StolenPasswords"},
]
STOLEN_PASSWORDS = env.sorted_digests("CIVIC_STOLEN_PASSWORDS")
SIGNUP = env.signup("CIVIC_SIGNUP")  # invite | domain:school.example | open
# Per name and address, and per browser where the teacher has logged in before. Behind a proxy
# the address is the browser's, because uvicorn reads it from the proxies that
# CIVIC_TRUSTED_PROXIES names, and from nobody else.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_USERNAME_CALLABLE = "config.lockout.login_name"
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_CALLABLE = "config.lockout.locked_out"
AXES_HTTP_RESPONSE_CODE = 429
AXES_VERBOSE = False
AXES_SENSITIVE_PARAMETERS: list[str] = []
AXES_DISABLE_ACCESS_LOG = True
DEVICE_COOKIE_NAME = "device"
# A school has one address, so log-ins are counted in config.lockout and by axes. Of allauth's own
# limits this one counts wrong codes of the second step, for each account.
ACCOUNT_RATE_LIMITS = {"login": None, "login_failed": "5/300s/key"}
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
# Who types an address shows first that it is theirs, where the site can send mail.
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if EMAIL_CONFIGURED else "none"
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""  # the subject itself names Civic Table
ACCOUNT_ADAPTER = "config.lockout.Adapter"
ACCOUNT_FORMS = {
    "add_email": "classroom.forms.AddEmailForm",
    "login": "classroom.forms.LoginForm",
    "reset_password": "classroom.forms.ResetPasswordForm",
    "signup": "classroom.forms.SignupForm",
}
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_REAUTHENTICATION_METHODS = ["password", "mfa"]
ACCOUNT_REAUTHENTICATION_REQUIRED = True  # a screen left open must not give the account away
ACCOUNT_SESSION_REMEMBER = False  # a school computer: the login ends with the browser
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Civic Table"
MFA_ALLOW_UNVERIFIED_EMAIL = True  # where no mail is sent, none is verified
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/classes/"
LOGOUT_REDIRECT_URL = "/"

IDLE_S = 60 * env.number("CIVIC_IDLE_MINUTES", 120, low=0, high=24 * 60)  # 0: never

SESSION_ENGINE = "config.sessions"
SESSION_SERIALIZER = "django.contrib.sessions.serializers.JSONSerializer"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 14
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True  # scripts take the token from the page
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "config.views.csrf_failure"
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"

# -- headers -----------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]

# -- languages and time --------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("fr", _("French")), ("ar", _("Arabic"))]
LOCALE_PATHS = [ROOT / "locale", ROOT / "config" / "wording"]  # ours, then words of libraries
USE_I18N = True
USE_TZ = True
TIME_ZONE = env.time_zone("CIVIC_TIME_ZONE")

# -- files -----------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = DATA / "static"
STATICFILES_DIRS = [ROOT / "static"]
SERVESTATIC_ALLOW_ALL_ORIGINS = False  # nobody else needs our files
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.static.Storage"},
}
MEDIA_ROOT = DATA / "media"
DATA_UPLOAD_MAX_MEMORY_SIZE = 6 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000

# -- log lines -------------------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "config.logs.Line"}},
    "filters": {"seldom": {"()": "config.logs.Seldom"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        # Django's own handlers would write to the terminal a second time, or send mail.
        "django": {"handlers": [], "level": "INFO"},
        "django.server": {"handlers": [], "propagate": True},
        "axes": {"level": "ERROR"},  # it writes e-mail addresses
        "channels_redis.pubsub": {"filters": ["seldom"]},
        "games.live.hints": {"filters": ["seldom"]},
        "civictable.notice": {"filters": ["seldom"]},  # also what strangers call forth
    },
}

SEEDED_CHANCE: int | None = None  # only the test settings accept a seed
