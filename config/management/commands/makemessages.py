"""Collect what is to be translated: ``manage.py makemessages -l fr -l ar``.

Knows the plural sentences of pure code (``count("one", "many", n)`` of
``games.engine.text``), leaves out tests and tools, and writes no line numbers, so
that a catalogue changes only when a sentence does.
"""

from __future__ import annotations

from typing import Any

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=count:1,2"]

    def handle(self, *args: Any, **options: Any) -> None:
        options["ignore_patterns"] += [
            *("tests/*", "bench/*", "launcher/*", "docs/*", "var/*", "wheels/*"),
            "static/vendor/*",
        ]
        options["add_location"] = options["add_location"] or "file"
        options["no_wrap"] = True
        super().handle(*args, **options)
