from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """How the site is wired: checks and commands of the site as a whole."""

    name = "config"

    def ready(self) -> None:
        # These need loaded apps.
        from classroom.services import housekeeping  # noqa: PLC0415
        from config import account_events, checks, lockout  # noqa: F401, PLC0415

        account_events.listen()
        housekeeping.register("failed log-ins", lockout.forget_tries)
