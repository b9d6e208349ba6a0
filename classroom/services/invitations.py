"""Links that let people in: an account, a class, a new password."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID, uuid4

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classroom.access import (
    Actor,
    TeacherActor,
    access_accounts,
    access_classroom,
    access_oneself,
)
from classroom.codes import fingerprint, new_secret
from classroom.errors import DomainError, NotAllowed, NotThere
from classroom.models import Classroom, CoTeacher, Invitation, Teacher
from classroom.security_log import Event, note
from classroom.services.accounts import account, clear_second_step
from classroom.services.rosters import good_name
from classroom.transactions import whole

LIFE = {
    Invitation.Purpose.ADMINISTRATOR: timedelta(days=7),
    Invitation.Purpose.TEACHER: timedelta(days=14),
    Invitation.Purpose.CO_TEACHER: timedelta(days=14),
    Invitation.Purpose.PASSWORD: timedelta(days=1),
}


class LinkUsedUp(DomainError):
    """The link was never made, was used, withdrawn, or is too old: one answer for all."""

    code = "link_used_up"
    message = _("This link does not work any more. Ask for a new one.")
    status = 404


class EmailTaken(DomainError):
    """An account with this e-mail address is there already."""

    code = "email_taken"
    message = _("There is already an account with this e-mail address. Log in instead.")


class BadPassword(DomainError):
    """The password is too weak; the message says how."""

    code = "bad_password"


@whole
def first_link() -> str | None:
    """The secret of a link that makes the first administrator; None where there is one.

    Links printed at earlier starts stop working.
    """
    if Teacher.objects.filter(is_staff=True, is_active=True).exists():
        return None
    Invitation.objects.filter(purpose=Invitation.Purpose.ADMINISTRATOR, used_at=None).delete()
    return _new_link(Invitation.Purpose.ADMINISTRATOR)


def invite_teacher(*, actor: Actor, email: str = "") -> str:
    """The secret of a link that makes one teacher account (for ``email`` alone, where given)."""
    administrator = access_accounts(actor)
    return _new_link(Invitation.Purpose.TEACHER, email=email, created_by=administrator)


def invite_co_teacher(*, actor: Actor, classroom_id: UUID) -> str:
    """The secret of a link that makes one colleague co-teacher of a class."""
    classroom = access_classroom(actor, classroom_id, to="own")
    return _new_link(Invitation.Purpose.CO_TEACHER, classroom=classroom, created_by=classroom.owner)


def password_link(*, actor: Actor, teacher_id: UUID) -> str:
    """The secret of a link that sets a new password, from the administrator."""
    administrator = access_accounts(actor)
    teacher = account(teacher_id)
    return _new_link(Invitation.Purpose.PASSWORD, teacher=teacher, created_by=administrator)


@whole
def password_link_by_email(email: str, *, drop_second_step: bool = False) -> str:
    """The same from the command line of the server; there the second step may be dropped, too.

    Raises:
        NotThere: no account has this address.
    """
    teacher = Teacher.objects.filter(email__iexact=email).first()
    if teacher is None:
        raise NotThere
    if drop_second_step:
        clear_second_step(teacher, by="terminal")
    return _new_link(Invitation.Purpose.PASSWORD, teacher=teacher)


def withdraw_invitation(*, actor: Actor, invitation_id: UUID) -> UUID | None:
    """Make a link useless that has not been used; the class it led to, if any."""
    open_links = Invitation.objects.filter(pk=invitation_id, used_at=None)
    invitation = open_links.first()
    if invitation is None:
        raise NotThere
    if invitation.classroom_id is not None:
        access_classroom(actor, invitation.classroom_id, to="own")
    else:
        access_accounts(actor)
    open_links.delete()
    note(Event.LINK_WITHDRAWN, by=access_oneself(actor), about=invitation.purpose)
    return invitation.classroom_id


def open_invitation(secret: str) -> Invitation:
    """The invitation behind a link, not yet used.

    Raises:
        LinkUsedUp: unknown, used, or expired.
    """
    invitation = (
        Invitation.objects.select_related("classroom", "classroom__owner", "teacher", "created_by")
        .filter(secret_hash=fingerprint(secret), used_at=None, expires_at__gt=timezone.now())
        .first()
    )
    if invitation is None:
        raise LinkUsedUp
    return invitation


def _new_link(
    purpose: Invitation.Purpose,
    *,
    email: str = "",
    classroom: Classroom | None = None,
    teacher: Teacher | None = None,
    created_by: Teacher | None = None,
) -> str:
    secret = new_secret()
    Invitation.objects.create(
        purpose=purpose,
        secret_hash=fingerprint(secret),
        email=email.strip(),
        classroom=classroom,
        teacher=teacher,
        created_by=created_by,
        expires_at=timezone.now() + LIFE[purpose],
    )
    about = f"{purpose}:{teacher.pk}" if teacher else purpose.value
    note(Event.LINK_MADE, by=created_by or "terminal", about=about)
    return secret


# -- using a link ----------------------------------------------------------------------------------


def accept_account(*, secret: str, name: str, email: str, password: str) -> Teacher:
    """A new account from a link: administrator, teacher, or co-teacher of a class.

    Whose address was typed by themselves shows first that it is theirs, where the site can
    send mail: any teacher can make a link to a class.

    Raises:
        LinkUsedUp: the link does not make an account (any more).
        EmailTaken: the address has an account.
        BadPassword: the password is too weak.
    """
    invitation = open_invitation(secret)
    if invitation.purpose == Invitation.Purpose.PASSWORD:
        raise LinkUsedUp
    email = (invitation.email or email).strip().lower()
    teacher = Teacher(
        email=email,
        name=good_name(name),
        is_staff=invitation.purpose == Invitation.Purpose.ADMINISTRATOR,
    )
    _set_password(teacher, password)
    by_administrator = bool(invitation.email) or teacher.is_staff
    verified = by_administrator or not settings.EMAIL_CONFIGURED
    _keep_account(teacher, email, invitation, verified=verified)
    return teacher


@whole
def _keep_account(teacher: Teacher, email: str, invitation: Invitation, *, verified: bool) -> None:
    """Write it at once: the password was hashed before, so that nobody waits for that."""
    if Teacher.objects.filter(email__iexact=email).exists():
        raise EmailTaken
    _use(invitation)
    teacher.save(force_insert=True)
    EmailAddress.objects.create(user=teacher, email=email, verified=verified, primary=True)
    if invitation.classroom is not None:
        CoTeacher.objects.create(classroom=invitation.classroom, teacher=teacher)
    note(Event.ACCOUNT_MADE, by=teacher, about=invitation.purpose)


@whole
def accept_class(*, secret: str, actor: Actor) -> Classroom:
    """Make the teacher who is logged in co-teacher of the invitation's class.

    Raises:
        LinkUsedUp: the link is not for a class (any more).
        NotAllowed: it is the teacher's own class.
    """
    invitation = open_invitation(secret)
    if invitation.classroom is None or not isinstance(actor, TeacherActor):
        raise LinkUsedUp
    if invitation.classroom.owner_id == actor.teacher.pk:
        raise NotAllowed(_("This is your own class. Send the link to your colleague."))
    _use(invitation)
    CoTeacher.objects.get_or_create(classroom=invitation.classroom, teacher=actor.teacher)
    note(Event.CO_TEACHER_JOINED, by=actor.teacher, about=f"class:{invitation.classroom.pk}")
    return invitation.classroom


def accept_password(*, secret: str, password: str) -> Teacher:
    """Set the password that a link was made for; every device is logged out.

    An administrator, or the terminal, made the link for this account: its address counts as
    shown, also where a mail to it never came.

    Raises:
        LinkUsedUp: the link sets no password (any more).
        BadPassword: too weak.
    """
    invitation = open_invitation(secret)
    teacher = invitation.teacher
    if teacher is None:
        raise LinkUsedUp
    _set_password(teacher, password)
    teacher.stamp = uuid4()
    _keep_password(teacher, invitation)
    return teacher


@whole
def _keep_password(teacher: Teacher, invitation: Invitation) -> None:
    _use(invitation)
    teacher.save(update_fields=["password", "stamp"])
    own = EmailAddress.objects.filter(user=teacher, email__iexact=teacher.email or "")
    own.update(verified=True)
    note(Event.PASSWORD_CHANGED, by="link", about=f"account:{teacher.pk}")


def _use(invitation: Invitation) -> None:
    """Of two who use a link at once, one gets in."""
    used = Invitation.objects.filter(pk=invitation.pk, used_at=None).update(used_at=timezone.now())
    if not used:
        raise LinkUsedUp


def _set_password(teacher: Teacher, password: str) -> None:
    try:
        validate_password(password, teacher)
    except ValidationError as weak:
        raise BadPassword(" ".join(weak.messages)) from weak
    teacher.set_password(password)
