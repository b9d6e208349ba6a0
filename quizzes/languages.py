"""Languages of questions by name, in the language of the reader."""

from __future__ import annotations

from django.utils.translation import get_language_info


def language_name(code: str) -> str:
    """ "French" for "fr", "Brazilian Portuguese" for "pt-br"; the code where it has no name."""
    try:
        return str(get_language_info(code.lower())["name_translated"])
    except KeyError:
        return code
