"""The class code as an address and as a picture."""

from __future__ import annotations

import segno
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from classroom.models import Classroom

THIS_COMPUTER = {"localhost", "127.0.0.1", "[::1]"}


def join_address(request: HttpRequest) -> str:
    """Where students type the code: short enough for a board."""
    return request.build_absolute_uri(reverse("classroom:join"))


def is_only_here(request: HttpRequest) -> bool:
    """Whether the join address means this computer on every device, so that no phone finds it."""
    name, _port = split_domain_port(request.get_host())
    return name in THIS_COMPUTER


def qr(request: HttpRequest, classroom: Classroom) -> SafeString:
    """The join address with the code in its fragment, which no server log ever sees (AZ-12)."""
    code = segno.make(f"{join_address(request)}#{classroom.code}", error="m")
    picture = code.svg_inline(omitsize=True, svgclass="qr__picture", lineclass=None, border=2)
    return mark_safe(picture)  # noqa: S308 - drawn by segno, nothing of it typed
