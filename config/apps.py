from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """How the site is wired: checks and commands of the site as a whole."""

    name = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401, PLC0415 - registers them; needs loaded apps
