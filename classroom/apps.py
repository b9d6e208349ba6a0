from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules
from django.utils.translation import gettext_lazy as _


class ClassroomConfig(AppConfig):
    """People and their work together; knows no game and no quiz."""

    name = "classroom"
    verbose_name = _("Classrooms")

    def ready(self) -> None:
        autodiscover_modules("activity")  # what lessons can hold registers itself there
        autodiscover_modules("tasks")  # so that a job is queued by its task, in every process
