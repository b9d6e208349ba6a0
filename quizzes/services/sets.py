"""Making, sharing and putting away question sets."""

from __future__ import annotations

from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classroom.access import Actor, TeacherActor, access_oneself
from classroom.errors import DomainError, NotAllowed, NotThere
from classroom.models import Teacher
from classroom.names import clean
from classroom.transactions import whole
from quizzes.access import access_set
from quizzes.formats.question import LANGUAGE
from quizzes.formats.text import tidy_line
from quizzes.models import QuestionSet, SetShare
from quizzes.selectors.questions import in_set, newest
from quizzes.selectors.sets import colleagues
from quizzes.services.adding import fill_new_set
from quizzes.services.unseen import clear_away, hide

LONGEST_TITLE = 120
LONGEST_NOTE = 500
LONGEST_CREDIT = 120


class NoTitle(DomainError):
    """A set must be called something."""

    code = "no_title"
    message = _("Give the set a title, for example Elections, year 8.")


class TitleDiffers(DomainError):
    """Deleting asks for the title, typed."""

    code = "title_differs"
    message = _("That is not the title of the set. Nothing was deleted.")


class NoColleague(DomainError):
    """Nobody here has this address."""

    code = "no_colleague"
    message = _(
        "No teacher of this site has this e-mail address. Ask your colleague which address "
        "they log in with."
    )


class NoCredit(DomainError):
    """What is offered to everybody says who made it."""

    code = "no_credit"
    message = _("Say who made these questions, for example your name or the book.")


def create_set(*, actor: Actor, title: str, language: str = "", note: str = "") -> QuestionSet:
    """A new, empty set of this teacher.

    Raises:
        NotThere: the actor is no teacher.
        NoTitle: the title is blank.
    """
    made = new_set(actor=actor, title=title, language=language, note=note)
    made.save(force_insert=True)
    return made


def new_set(*, actor: Actor, title: str, language: str = "", note: str = "") -> QuestionSet:
    """A set of this teacher that is not saved yet; ``fill_new_set`` saves it with its questions.

    Raises:
        NotThere, NoTitle: see ``create_set``.
    """
    return QuestionSet(
        owner=access_oneself(actor),
        title=_title(title),
        language=_language(language),
        note=_note(note),
    )


def rename_set(
    *, actor: Actor, set_id: UUID, title: str, language: str = "", note: str = ""
) -> QuestionSet:
    """Another title, language and note.

    Raises:
        NotThere, NotAllowed, SetArchived: see ``access_set``, to edit.
        NoTitle: the title is blank.
    """
    found = access_set(actor, set_id, to="edit")
    found.title = _title(title)
    found.language = _language(language)
    found.note = _note(note)
    found.changed_at = timezone.now()
    found.save(update_fields=["title", "language", "note", "changed_at"])
    return found


@whole
def share_set(
    *,
    actor: Actor,
    set_id: UUID,
    email: str = "",
    teacher_id: UUID | None = None,
    right: SetShare.Right = SetShare.Right.VIEW,
) -> SetShare:
    """Let a colleague look at and copy the set, or change it; sharing again changes the right.

    The colleague is named by address, or is ``teacher_id``, one of ``colleagues`` of the actor.

    Raises:
        NotThere, NotAllowed: see ``access_set``, to own; or ``teacher_id`` is no such colleague.
        NoColleague: no account that may log in has this address.
    """
    found = access_set(actor, set_id, to="own")
    if teacher_id is not None:
        colleague = Teacher.objects.filter(pk=teacher_id).first()
        if colleague not in colleagues(access_oneself(actor)):
            raise NotThere
    else:
        colleague = Teacher.objects.filter(email__iexact=email.strip(), is_active=True).first()
    if colleague is None or (teacher_id is None and not email.strip()):
        raise NoColleague
    if colleague.pk == found.owner_id:
        raise NotAllowed(_("This is your own set. Type the address of a colleague."))
    share, _made = SetShare.objects.update_or_create(
        set=found, teacher=colleague, defaults={"right": right}
    )
    return share


def change_share(*, actor: Actor, set_id: UUID, teacher_id: UUID, right: SetShare.Right) -> None:
    """Give a colleague with whom the set is shared another right.

    Raises:
        NotThere, NotAllowed: see ``access_set``, to own; or the set is not shared with them.
    """
    found = access_set(actor, set_id, to="own")
    if not SetShare.objects.filter(set=found, teacher_id=teacher_id).update(right=right):
        raise NotThere


@whole
def unshare(*, actor: Actor, set_id: UUID, teacher_id: UUID) -> None:
    """End a colleague's part in the set; colleagues may also leave by themselves.

    Raises:
        NotThere, NotAllowed: see ``access_set``; or the set is not shared with them.
    """
    leaving = isinstance(actor, TeacherActor) and actor.teacher.pk == teacher_id
    found = access_set(actor, set_id, to="view" if leaving else "own")
    gone, _rows = SetShare.objects.filter(set=found, teacher_id=teacher_id).delete()
    if not gone:
        raise NotThere


@whole
def hand_over_set(*, actor: Actor, set_id: UUID, teacher_id: UUID) -> QuestionSet:
    """Make a colleague with whom the set is shared its owner; the owner may go on changing it.

    Raises:
        NotThere, NotAllowed: see ``access_set``, to own; or the set is not shared with them.
    """
    found = access_set(actor, set_id, to="own")
    share = found.shares.select_related("teacher").filter(teacher_id=teacher_id).first()
    if share is None:
        raise NotThere
    assert found.owner is not None, "a set that belongs to nobody has no owner who may do this"
    SetShare.objects.create(set=found, teacher=found.owner, right=SetShare.Right.EDIT)
    share.delete()
    found.owner = share.teacher
    found.save(update_fields=["owner"])
    return found


def publish_set(*, actor: Actor, set_id: UUID, site_wide: bool, credit: str = "") -> QuestionSet:
    """Let every teacher of the site look at and copy the set, or no longer.

    Raises:
        NotThere, NotAllowed: see ``access_set``, to own.
        NoCredit: nothing says who made the questions.
    """
    found = access_set(actor, set_id, to="own")
    found.site_wide = site_wide
    found.credit = clean(credit)[:LONGEST_CREDIT].strip()
    if site_wide and not found.credit:
        raise NoCredit
    found.save(update_fields=["site_wide", "credit"])
    return found


def copy_set(*, actor: Actor, set_id: UUID, title: str = "") -> QuestionSet:
    """A set of one's own with the same questions, as they are now. Nothing links the two.

    Raises:
        NotThere: no set that the actor may see.
    """
    source = access_set(actor, set_id)
    copied = new_set(
        actor=actor, title=title or source.title, language=source.language, note=source.note
    )
    copied.credit = source.credit
    fill_new_set(actor=actor, new=copied, questions=newest(in_set(source)))
    return copied


def archive_set(*, actor: Actor, set_id: UUID) -> QuestionSet:
    """Put a set away: it is offered nowhere any more, and can be brought back.

    Raises:
        NotThere, NotAllowed: see ``access_set``, to own.
    """
    found = access_set(actor, set_id, to="own")
    found.archived_at = timezone.now()
    found.save(update_fields=["archived_at"])
    return found


def restore_set(*, actor: Actor, set_id: UUID) -> QuestionSet:
    """Bring a set back from the archive.

    Raises:
        NotThere, NotAllowed: see ``access_set``, to own.
    """
    found = access_set(actor, set_id, to="own")
    found.archived_at = None
    found.save(update_fields=["archived_at"])
    return found


def delete_set(*, actor: Actor, set_id: UUID, typed_title: str) -> None:
    """Delete the set with all its questions and their versions. Matches keep what they play.

    It is gone for everybody at once; what was in it is deleted in pieces.

    Raises:
        NotThere, NotAllowed: see ``access_set``, to own.
        TitleDiffers: the typed title is not the set's.
    """
    found = access_set(actor, set_id, to="own")
    if clean(typed_title) != clean(found.title):
        raise TitleDiffers
    _take_away(found)
    clear_away(found)


@whole
def _take_away(found: QuestionSet) -> None:
    SetShare.objects.filter(set=found).delete()
    hide(found)


def _title(title: str) -> str:
    title = clean(title)[:LONGEST_TITLE].strip()
    if not title:
        raise NoTitle
    return title


def _note(note: str) -> str:
    return tidy_line(note)[:LONGEST_NOTE].strip()


def _language(language: str) -> str:
    return language if len(language) <= 8 and LANGUAGE.fullmatch(language) else ""
