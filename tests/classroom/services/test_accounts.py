"""What becomes of accounts."""

from __future__ import annotations

import pytest

from classroom.access import Anonymous, TeacherActor, access_classroom
from classroom.errors import NotThere
from classroom.services import accounts, invitations
from tests.factories import people

pytestmark = pytest.mark.django_db

ACCOUNT = {"name": "Ms Okafor", "email": "Okafor@School.example", "password": "calm river stones"}


@pytest.mark.case("AZ-20")
def test_shut_account_is_out_at_once(administrator):
    classroom = people.classroom()

    accounts.set_active(actor=administrator, teacher_id=classroom.owner.pk, active=False)

    with pytest.raises(NotThere):
        access_classroom(TeacherActor(classroom.owner), classroom.pk)


@pytest.mark.case("AZ-24")
def test_shut_account_does_not_come_back_by_a_link_of_its_own(administrator):
    classroom = people.classroom()
    secret = invitations.invite_co_teacher(
        actor=TeacherActor(classroom.owner), classroom_id=classroom.pk
    )

    accounts.set_active(actor=administrator, teacher_id=classroom.owner.pk, active=False)

    with pytest.raises(invitations.LinkUsedUp):
        invitations.accept_account(secret=secret, **ACCOUNT)


@pytest.mark.case("AZ-24")
def test_who_is_no_administrator_any_more_has_links_to_classes_alone(administrator):
    classroom = people.classroom(owner=people.teacher(is_staff=True))
    former = TeacherActor(classroom.owner)
    password = invitations.password_link(actor=former, teacher_id=administrator.teacher.pk)
    account = invitations.invite_teacher(actor=former)
    co_teacher = invitations.invite_co_teacher(actor=former, classroom_id=classroom.pk)
    others = invitations.invite_teacher(actor=administrator)

    accounts.set_administrator(
        actor=administrator, teacher_id=former.teacher.pk, administrator=False
    )

    for secret in (password, account):
        with pytest.raises(invitations.LinkUsedUp):
            invitations.open_invitation(secret)
    assert invitations.open_invitation(co_teacher)
    assert invitations.open_invitation(others)


def test_logging_out_everywhere_ends_held_logins():
    classroom = people.classroom()
    held = TeacherActor(classroom.owner)

    accounts.log_out_everywhere(actor=held)

    with pytest.raises(NotThere):
        access_classroom(held, classroom.pk)


def test_administrator_does_not_shut_oneself_out(administrator):
    own = administrator.teacher.pk

    with pytest.raises(accounts.NotYourself):
        accounts.set_active(actor=administrator, teacher_id=own, active=False)
    with pytest.raises(accounts.NotYourself):
        accounts.set_administrator(actor=administrator, teacher_id=own, administrator=False)


@pytest.mark.parametrize("who", ["teacher", "nobody"])
def test_accounts_are_changed_by_administrators_alone(who):
    victim = people.teacher()
    actor = TeacherActor(people.teacher()) if who == "teacher" else Anonymous()

    for act in (
        lambda: invitations.invite_teacher(actor=actor),
        lambda: invitations.password_link(actor=actor, teacher_id=victim.pk),
        lambda: accounts.set_active(actor=actor, teacher_id=victim.pk, active=False),
        lambda: accounts.set_administrator(actor=actor, teacher_id=victim.pk, administrator=True),
    ):
        with pytest.raises(NotThere):
            act()
