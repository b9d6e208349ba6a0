"""Pictures of questions: taken in, made anew in a child, kept in two sizes, forgotten.

Nothing that was sent is kept but the pixels; why: docs/decisions/0011-limited-children.md.
The file is named by a random key; the name it came with is shown, never used.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Literal

import msgspec
from django.conf import settings
from django.db.models import Q, QuerySet, Sum
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from classroom.access import Actor, access_oneself
from classroom.errors import DomainError, TooFast
from classroom.models import Teacher
from classroom.names import clean
from classroom.throttle import Misses
from quizzes.formats.pictures import PICTURE_MAX, ending
from quizzes.limited.child import Busy, Child, Died, turn
from quizzes.limited.remade import Remade
from quizzes.models import Picture

Size = Literal["large", "small"]
QUOTA_BYTES = 200 * 2**20  # of all pictures of one teacher
QUOTA_COUNT = 4_000
SENDING = Misses("pictures", limit=60)  # pictures a minute and teacher
WAIT_S = 15.0  # of a page, for others' pictures to be made
MADE_WITHIN_S = 20.0
UNUSED_KEPT = timedelta(days=30)
STRAY_KEPT = timedelta(days=1)  # a file without a row: its process died in between
_ENDINGS = {
    "png": {"png"},
    "jpg": {"jpg", "jpeg", "jpe", "jfif"},
    "webp": {"webp"},
    "": {"heic", "heif", "hif"},
}


class BadPicture(DomainError):
    """The picture is refused. ``code`` says why."""

    code = "bad_image"
    message = _("The picture is damaged and cannot be opened. Save it again as PNG or JPEG.")

    def __init__(self, code: str = "bad_image") -> None:
        message, status = _WHY[code]
        super().__init__(message, code=code)
        self.status = status


_WHY: dict[str, tuple[str | Promise, int]] = {
    "bad_image": (BadPicture.message, 422),
    "picture_kind": (
        _("The file is not a PNG, JPEG or WebP picture. Save the picture as one of them."),
        415,
    ),
    "picture_heic": (
        _(
            "Photos in the HEIC format cannot be read here. Save the photo as JPEG; on an iPhone "
            "choose Settings, Camera, Formats, Most Compatible."
        ),
        415,
    ),
    "picture_name": (
        _("The ending of the file name does not fit the picture. Save the picture again."),
        415,
    ),
    "picture_pixels": (
        _(
            "The picture has more than 16 million pixels, or is longer than 16,000 of them. "
            "Make it smaller, then choose it again."
        ),
        422,
    ),
    "picture_moves": (_("The picture moves. Choose one that stands still."), 422),
    "picture_bytes": (
        _("The picture is larger than 10 MB. Make it smaller, then choose it again."),
        413,
    ),
    "picture_quota": (
        _("Your pictures fill the room you have. Delete questions with pictures first."),
        413,
    ),
}


class PicturesBusy(DomainError):
    """Others' pictures are being made; nothing has happened."""

    code = "busy"
    message = _("Other pictures are being made just now. Try again in a moment.")
    status = 503


class Studio:
    """Makes pictures for one teacher, one after another, in one child. A context manager.

    One picture at a time on the whole machine, at low priority: a lesson goes first.
    """

    def __init__(self, owner: Teacher, *, wait_s: float | None = None) -> None:
        self._owner = owner
        self._wait_s = WAIT_S if wait_s is None else wait_s
        self._child = Child("pictures", wall_s=MADE_WITHIN_S)

    def __enter__(self) -> Studio:
        self._child.__enter__()
        return self

    def __exit__(self, *_error: object) -> None:
        self._child.__exit__(None, None, None)

    def make(self, data: bytes, *, name: str = "", alt: str = "") -> Picture:
        """The picture, kept; the same bytes again give the same picture.

        Raises:
            BadPicture: it is refused, or there is no room.
            PicturesBusy: others had their turn for too long.
        """
        if len(data) > PICTURE_MAX:
            raise BadPicture("picture_bytes")
        _check_name(name, data)
        digest = sha256(data).hexdigest()
        known = Picture.objects.filter(owner=self._owner)
        if same := known.filter(Q(sha256=digest) | Q(made_sha256=digest)).first():
            return same
        with self._turn():
            _check_room(self._owner)
            remade = self._remade(data)
            picture = Picture(
                owner=self._owner,
                ending=remade.ending,
                sha256=digest,
                made_sha256=sha256(remade.large).hexdigest(),
                width=remade.width,
                height=remade.height,
                bytes=len(remade.large) + len(remade.small),
                alt=alt,
                original_name=clean(name)[:200],
            )
            path_of(picture, "large").write_bytes(remade.large)
            path_of(picture, "small").write_bytes(remade.small)
            picture.save(force_insert=True)
            return picture

    @contextlib.contextmanager
    def _turn(self) -> Iterator[None]:
        try:
            with turn(settings.DATA / "pictures.lock", wait_s=self._wait_s):
                yield
        except Busy:
            raise PicturesBusy from None

    def _remade(self, data: bytes) -> Remade:
        try:
            remade = msgspec.msgpack.decode(self._child.ask(data), type=Remade)
        except Died:
            raise BadPicture from None
        if remade.refused:
            raise BadPicture(remade.refused)
        return remade


def add_picture(*, actor: Actor, data: bytes, name: str) -> Picture:
    """Take in one picture from the editor, at once.

    Raises:
        NotThere: the actor is no teacher.
        TooFast: more than ``SENDING`` allows.
        BadPicture, PicturesBusy: see ``Studio.make``.
    """
    teacher = access_oneself(actor)
    key = str(teacher.pk)
    if SENDING.over(key):
        raise TooFast
    SENDING.add(key)
    with Studio(teacher) as studio:
        return studio.make(data, name=name)


def path_of(picture: Picture, size: Size) -> Path:
    """Where the file of one size lies."""
    mark = "-small" if size == "small" else ""
    return _folder() / f"{picture.pk}{mark}.{picture.ending}"


def contents(pictures: Mapping[str, Picture]) -> dict[str, bytes]:
    """The larger size of each picture by the same key; what is gone from the disk is left out."""
    found = {}
    for key, picture in pictures.items():
        with contextlib.suppress(FileNotFoundError):
            found[key] = path_of(picture, "large").read_bytes()
    return found


def forget_pictures(*, dry: bool = False) -> int:
    """Delete pictures that no question has shown for a month, and files without a row."""
    count = 0
    for picture in _unused():
        count += 1
        if not dry:
            files = [path_of(picture, "large"), path_of(picture, "small")]
            picture.delete()
            for path in files:
                path.unlink(missing_ok=True)
    known = {str(pk) for pk in Picture.objects.values_list("pk", flat=True)}
    oldest = (timezone.now() - STRAY_KEPT).timestamp()
    for path in _folder().iterdir():
        if path.name[:36] not in known and path.stat().st_mtime < oldest:
            count += 1
            if not dry:
                path.unlink(missing_ok=True)
    return count


def _unused() -> QuerySet[Picture]:
    """Pictures that no row of any app points at, such as a question or the deck of a match."""
    pointing = {relation.name: None for relation in Picture._meta.related_objects}
    return Picture.objects.filter(created_at__lt=timezone.now() - UNUSED_KEPT, **pointing)


def _folder() -> Path:
    path = Path(settings.MEDIA_ROOT) / "pictures"
    path.mkdir(parents=True, exist_ok=True)
    return path


def _check_name(name: str, data: bytes) -> None:
    """A name may say nothing about the kind, but not something else (case UP-02)."""
    said = name.rpartition(".")[2].strip().lower() if "." in name else ""
    if said and ending(data) and said not in _ENDINGS[ending(data)]:
        raise BadPicture("picture_name")


def _check_room(owner: Teacher) -> None:
    pictures = Picture.objects.filter(owner=owner)
    used = pictures.aggregate(used=Sum("bytes"))["used"] or 0
    if used >= QUOTA_BYTES or pictures.count() >= QUOTA_COUNT:
        raise BadPicture("picture_quota")
