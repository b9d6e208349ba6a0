from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class QuizzesConfig(AppConfig):
    """The question bank; knows no game."""

    name = "quizzes"
    verbose_name = _("Questions")
