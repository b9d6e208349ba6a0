"""Accounts of teachers: one's own, and what administrators do to those of others."""

from __future__ import annotations

from uuid import UUID, uuid4

from allauth.mfa.models import Authenticator
from django.utils.translation import gettext_lazy as _

from classroom.access import Actor, access_accounts, access_oneself
from classroom.errors import DomainError, NotThere
from classroom.models import Invitation, Teacher
from classroom.security_log import Event, note
from classroom.services.rosters import good_name
from classroom.transactions import whole


class NotYourself(DomainError):
    """An administrator would shut the door behind everyone."""

    code = "not_yourself"
    message = _("You cannot do this to your own account.")


def describe_oneself(*, actor: Actor, name: str, language: str) -> Teacher:
    """Change one's own name, as students and colleagues see it, and the language one reads.

    ``language``: a code of the settings; empty: as on each device.

    Raises:
        BadName: no letter, or too long.
    """
    teacher = access_oneself(actor)
    teacher.name = good_name(name)
    teacher.language = language
    teacher.save(update_fields=["name", "language"])
    return teacher


@whole
def log_out_everywhere(*, actor: Actor) -> None:
    """End all sessions of one's own account and close their sockets."""
    teacher = access_oneself(actor)
    Teacher.objects.filter(pk=teacher.pk).update(stamp=uuid4())
    note(Event.LOGGED_OUT_EVERYWHERE, by=teacher)


@whole
def set_active(*, actor: Actor, teacher_id: UUID, active: bool) -> None:
    """Let an account log in, or shut it; shutting ends its sessions and its links at once.

    Raises:
        NotYourself: it is the administrator's own.
    """
    administrator = access_accounts(actor)
    _not_oneself(administrator, teacher_id)
    teacher = account(teacher_id)
    teacher.is_active = active
    teacher.stamp = uuid4()
    teacher.save(update_fields=["is_active", "stamp"])
    if not active:
        _withdraw_links_of(teacher, *Invitation.Purpose)
    event = Event.ACCOUNT_OPENED if active else Event.ACCOUNT_SHUT
    note(event, by=administrator, about=f"account:{teacher_id}")


@whole
def set_administrator(*, actor: Actor, teacher_id: UUID, administrator: bool) -> None:
    """Make a teacher a site administrator, or no longer; then the links to accounts end, too.

    Raises:
        NotYourself: it is the administrator's own account.
    """
    judge = access_accounts(actor)
    _not_oneself(judge, teacher_id)
    teacher = account(teacher_id)
    Teacher.objects.filter(pk=teacher.pk).update(is_staff=administrator)
    if not administrator:
        _withdraw_links_of(teacher, Invitation.Purpose.TEACHER, Invitation.Purpose.PASSWORD)
    event = Event.ADMINISTRATOR_MADE if administrator else Event.ADMINISTRATOR_UNMADE
    note(event, by=judge, about=f"account:{teacher_id}")


@whole
def drop_second_step(*, actor: Actor, teacher_id: UUID) -> None:
    """For who lost phone and spare codes: log in by password alone; every device is logged out.

    The administrator has made sure who asks (docs/how-to/install.md).

    Raises:
        NotYourself: it is the administrator's own; the terminal of the server can do that.
    """
    administrator = access_accounts(actor)
    _not_oneself(administrator, teacher_id)
    clear_second_step(account(teacher_id), by=administrator)


def clear_second_step(teacher: Teacher, *, by: Teacher | str) -> None:
    """Forget phone and spare codes, and end all logins; ``by`` is noted."""
    Authenticator.objects.filter(user=teacher).delete()
    Teacher.objects.filter(pk=teacher.pk).update(stamp=uuid4())
    note(Event.SECOND_STEP_OFF, by=by, about=f"account:{teacher.pk}")


def _withdraw_links_of(maker: Teacher, *purposes: Invitation.Purpose) -> None:
    """Nobody comes back by a link that was made in time."""
    maker.invitations.filter(used_at=None, purpose__in=purposes).delete()


def _not_oneself(administrator: Teacher, teacher_id: UUID) -> None:
    if administrator.pk == teacher_id:
        raise NotYourself


def account(teacher_id: UUID) -> Teacher:
    """A teacher by number.

    Raises:
        NotThere: nobody has it.
    """
    teacher = Teacher.objects.filter(pk=teacher_id).first()
    if teacher is None:
        raise NotThere
    return teacher
