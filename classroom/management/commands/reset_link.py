"""The path of a link that sets a new password, for the terminal of the server."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from classroom.errors import NotThere
from classroom.services.invitations import password_link_by_email


class Command(BaseCommand):
    help = "Print the path of a link that sets a new password, good for one day."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")
        parser.add_argument("--second-step", action="store_true", help="switch it off, too")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            secret = password_link_by_email(
                options["email"], drop_second_step=options["second_step"]
            )
        except NotThere as refusal:
            raise CommandError("No account has this e-mail address.") from refusal
        self.stdout.write(reverse("classroom:invitation", args=[secret]))
