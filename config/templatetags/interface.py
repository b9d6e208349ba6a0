"""What every page needs: symbols, stylesheets, colours of the reader's choice."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()

THEMES = ("light", "dark", "contrast")


@register.simple_tag
def symbol(name: str, css: str = "") -> SafeString:
    """Return a symbol of ``static/symbols.svg``, hidden from screen readers.

    The word stands beside it: a symbol never is the only sign.
    """
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


@register.simple_tag(takes_context=True)
def theme(context: template.Context) -> str:
    """Return the colours the reader chose, "" for those of the system."""
    request: Any = context.get("request")
    chosen = request.COOKIES.get("theme", "") if request else ""
    return chosen if chosen in THEMES else ""
