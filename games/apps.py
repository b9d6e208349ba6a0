from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    """Decks, matches and live play."""

    name = "games"
    verbose_name = _("Games")
