"""Pictures of questions: taken in by the editor, shown to those who may see the question."""

from __future__ import annotations

from typing import cast
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_GET, require_POST

from classroom.errors import NotThere
from classroom.views.asking import teacher_of
from quizzes.access import access_picture
from quizzes.formats.pictures import MEDIA_TYPES, PICTURE_MAX
from quizzes.models import Picture
from quizzes.services import pictures as services

SIZES: tuple[services.Size, ...] = ("large", "small")
ALONE = "default-src 'none'; sandbox; frame-ancestors 'none'"  # opened by itself it can do nothing


@login_required
@require_POST
def add(request: HttpRequest) -> HttpResponse:
    """Take in one picture; the answer says how it is named and where it is shown."""
    sent = request.FILES.get("picture")
    if sent is None:
        raise services.BadPicture
    if (sent.size or 0) > PICTURE_MAX:
        raise services.BadPicture("picture_bytes")
    picture = services.add_picture(
        actor=teacher_of(request), data=sent.read(), name=sent.name or ""
    )
    shown = {size: reverse("quizzes:picture", args=[picture.pk, size]) for size in SIZES}
    return JsonResponse(
        {
            "id": str(picture.pk),
            "ref": picture.ref,
            "src": shown["small"],
            "width": picture.width,
            "height": picture.height,
            **shown,
        },
        status=201,
    )


@login_required
@require_GET
def show(request: HttpRequest, picture_id: UUID, size: str) -> HttpResponse:
    """For teachers. Students see the pictures of their match at an address of the match."""
    return answer(request, access_picture(teacher_of(request), picture_id), size)


def answer(request: HttpRequest, picture: Picture, size: str) -> HttpResponse:
    """The file, after the caller has checked access.

    A browser may keep it but must ask each time, so access is checked each time.

    Raises:
        NotThere: no such size, or the file is gone.
    """
    if size not in SIZES:
        raise NotThere
    try:
        data = services.path_of(picture, size).read_bytes()
    except FileNotFoundError:
        raise NotThere from None
    etag = f'"{picture.pk.hex}-{size}"'
    response = HttpResponse(data, content_type=MEDIA_TYPES[picture.ending])
    for name, value in {
        "ETag": etag,
        "Cache-Control": "private, no-cache",
        "Content-Disposition": f'inline; filename="{picture.pk.hex[:8]}.{picture.ending}"',
        "Content-Security-Policy": ALONE,
        "X-Content-Type-Options": "nosniff",
        "Content-Encoding": "identity",  # packed already
    }.items():
        response.headers[name] = value
    return cast("HttpResponse", get_conditional_response(request, etag=etag, response=response))
