from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """How the site is wired: checks and commands of the site as a whole."""

    name = "config"
