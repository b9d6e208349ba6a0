"""Accounts, for administrators."""

from __future__ import annotations

from dataclasses import dataclass

from allauth.mfa.models import Authenticator
from django.db.models import Exists, OuterRef
from django.utils import timezone

from classroom.access import Actor, access_accounts
from classroom.models import Invitation, Teacher


@dataclass(frozen=True)
class Accounts:
    """All accounts by name, each with ``has_second_step``, and links that nobody has used yet."""

    teachers: list[Teacher]
    invitations: list[Invitation]


def accounts(actor: Actor) -> Accounts:
    """What an administrator sees; no class data."""
    access_accounts(actor)
    return Accounts(
        teachers=list(
            Teacher.objects.annotate(
                has_second_step=Exists(Authenticator.objects.filter(user=OuterRef("pk")))
            ).order_by("name", "date_joined")
        ),
        invitations=list(
            Invitation.objects.filter(
                purpose=Invitation.Purpose.TEACHER, used_at=None, expires_at__gt=timezone.now()
            ).order_by("created_at")
        ),
    )
