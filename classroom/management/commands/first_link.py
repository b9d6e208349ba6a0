"""The path of the link that makes the first administrator; nothing where there is one."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.urls import reverse

from classroom.services.invitations import first_link


class Command(BaseCommand):
    help = "Print the path of the link that makes the first administrator."

    def handle(self, *args: Any, **options: Any) -> None:
        secret = first_link()
        if secret is not None:
            self.stdout.write(reverse("classroom:invitation", args=[secret]))
