"""Adults with an account: teachers, editors, site administrators."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar
from uuid import uuid4

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _


class TeacherManager(BaseUserManager["Teacher"]):
    """Makes accounts; the only place that hashes a first password."""

    def create_user(self, email: str | None, password: str | None = None, **fields: Any) -> Teacher:
        """A new account. Without a password it can only be opened by a link."""
        teacher = self.model(email=self.normalize_email(email) if email else None, **fields)
        teacher.set_password(password)
        teacher.save(using=self._db)
        return teacher

    def create_superuser(self, email: str, password: str, **fields: Any) -> Teacher:
        """A site administrator; there is no second, higher kind."""
        return self.create_user(email, password, is_staff=True, **fields)


class Teacher(AbstractBaseUser, PermissionsMixin):
    """An account. Students have none.

    ``stamp`` is part of every session's proof; a new value ends all sessions.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    email = models.EmailField(_("e-mail address"), unique=True, null=True, blank=True)
    name = models.CharField(_("name"), max_length=120)
    language = models.CharField(_("language"), max_length=8, blank=True)
    is_staff = models.BooleanField(_("site administrator"), default=False)
    is_active = models.BooleanField(_("may log in"), default=True)
    stamp = models.UUIDField(default=uuid4, editable=False)
    date_joined = models.DateTimeField(default=timezone.now, editable=False)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    objects = TeacherManager()

    class Meta:
        verbose_name = _("teacher")
        verbose_name_plural = _("teachers")

    def __str__(self) -> str:
        return self.name

    def get_session_auth_hash(self) -> str:
        return self._session_hash()

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        for secret in settings.SECRET_KEY_FALLBACKS:
            yield self._session_hash(secret)

    def _session_hash(self, secret: str | None = None) -> str:
        return salted_hmac(
            "classroom.Teacher.session",
            f"{self.password}:{self.stamp.hex}",
            secret=secret,
            algorithm="sha256",
        ).hexdigest()


class Invitation(models.Model):
    """A link that lets one person in, once: to the site, or to a classroom as co-teacher.

    Only a hash of the link's secret is stored. The first link of a new site
    makes its administrator.
    """

    class Purpose(models.TextChoices):
        ADMINISTRATOR = "administrator", _("first administrator")
        TEACHER = "teacher", _("teacher account")
        CO_TEACHER = "co_teacher", _("co-teacher of a class")
        PASSWORD = "password", _("new password")

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    purpose = models.CharField(max_length=16, choices=Purpose.choices)
    secret_hash = models.CharField(max_length=64, unique=True)
    email = models.EmailField(blank=True)
    classroom = models.ForeignKey(
        "classroom.Classroom", models.CASCADE, null=True, blank=True, related_name="invitations"
    )
    teacher = models.ForeignKey(  # whose password it sets
        Teacher, models.CASCADE, null=True, blank=True, related_name="password_links"
    )
    created_by = models.ForeignKey(Teacher, models.CASCADE, null=True, related_name="invitations")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.get_purpose_display()} ({self.created_at:%Y-%m-%d})"
