"""What the templates of the editor ask for."""

from __future__ import annotations

from uuid import UUID

from django import template
from django.urls import reverse

register = template.Library()


@register.filter
def picture_address(ref: str, size: str = "large") -> str:
    """Return where a picture is shown, by the reference in a question; "" for a foreign one."""
    try:
        return reverse("quizzes:picture", args=[UUID(ref.rpartition(".")[0]), size])
    except ValueError:
        return ""
