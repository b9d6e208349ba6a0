"""What every page needs: symbols, stylesheets, colours of the reader's choice."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import msgspec
from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

THEMES = ("light", "dark", "contrast")


def _plain(value: object) -> str:
    """Text that is more than that to Python: safe, or put into words only now."""
    return str.__str__(value) if isinstance(value, str) else str(value)


_encode = msgspec.json.Encoder(enc_hook=_plain).encode
_NO_MARKUP = {"<": "\\u003C", ">": "\\u003E", "&": "\\u0026"}  # as JSON's strings may write them


@register.simple_tag
def symbol(name: str, css: str = "") -> SafeString:
    """Return a symbol of ``static/symbols.svg``, hidden from screen readers.

    The word stands beside it: a symbol never is the only sign.
    """
    return _symbol(name, css)


@lru_cache(maxsize=1024)  # a page has dozens of them, always the same
def _symbol(name: str, css: str) -> SafeString:
    size = "ui" if name.startswith("i-") else "sym"
    return format_html(
        '<svg class="{}" aria-hidden="true" focusable="false"><use href="{}#{}"></use></svg>',
        f"{size} {css}".strip(),
        static("symbols.svg"),
        name,
    )


@register.simple_tag
def component_styles(*only: str) -> SafeString:
    """Return links to the stylesheets of a page, in the order of their layers.

    Without names all components that any page may use; a page whose first visit
    has to be small names those it needs.
    """
    return _styles(only)


@cache  # the files are those of this program: they change with it
def _styles(only: tuple[str, ...]) -> SafeString:
    css = Path(settings.ROOT) / "static" / "css"
    known = sorted(path.name for path in (css / "components").glob("*.css"))
    components = [f"{name}.css" for name in only] or known
    names = ["tokens.css", "base.css", "layout.css"]
    return format_html_join(
        "\n",
        '<link rel="stylesheet" href="{}">',
        ((static(f"css/{name}"),) for name in names + [f"components/{n}" for n in components]),
    )


@register.filter
def data_script(value: Any, name: str) -> SafeString:
    """Return ``value`` as JSON for a script of the page, in an element with the id ``name``.

    As Django's ``json_script``, which takes 25 times as long for the page of a match.
    """
    text = _encode(value).decode()
    for sign, written in _NO_MARKUP.items():
        text = text.replace(sign, written)
    shown = mark_safe(text)  # noqa: S308 - holds nothing that ends an element
    return format_html('<script id="{}" type="application/json">{}</script>', name, shown)


@register.simple_tag(takes_context=True)
def theme(context: template.Context) -> str:
    """Return the colours the reader chose, "" for those of the system."""
    request: Any = context.get("request")
    chosen = request.COOKIES.get("theme", "") if request else ""
    return chosen if chosen in THEMES else ""
