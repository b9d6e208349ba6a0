"""Accounts, for administrators."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils import timezone

from classroom.access import Actor, access_accounts
from classroom.models import Invitation, Teacher


@dataclass(frozen=True)
class Accounts:
    """All accounts by name, and links to accounts that nobody has used yet."""

    teachers: list[Teacher]
    invitations: list[Invitation]


def accounts(actor: Actor) -> Accounts:
    """What an administrator sees; no class data."""
    access_accounts(actor)
    return Accounts(
        teachers=list(Teacher.objects.order_by("name", "date_joined")),
        invitations=list(
            Invitation.objects.filter(
                purpose=Invitation.Purpose.TEACHER, used_at=None, expires_at__gt=timezone.now()
            ).order_by("created_at")
        ),
    )
