"""The links that let people in."""

from __future__ import annotations

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from classroom.access import TeacherActor, access_classroom
from classroom.errors import NotAllowed, NotThere
from classroom.models import Invitation, Teacher
from classroom.services import invitations
from tests.factories import people

pytestmark = pytest.mark.django_db

ACCOUNT = {"name": "Ms Okafor", "email": "Okafor@School.example", "password": "calm river stones"}


# -- links -----------------------------------------------------------------------------------------


@pytest.mark.case("AZ-25")
def test_first_link_makes_the_administrator_and_there_is_no_second():
    secret = invitations.first_link()
    assert secret is not None

    made = invitations.accept_account(secret=secret, **ACCOUNT)

    assert (made.is_staff, made.email) == (True, "okafor@school.example")
    assert made.check_password("calm river stones")
    assert invitations.first_link() is None


def test_link_of_an_earlier_start_stops_when_a_new_one_is_printed():
    first, second = invitations.first_link(), invitations.first_link()

    with pytest.raises(invitations.LinkUsedUp):
        invitations.open_invitation(first)
    assert invitations.open_invitation(second).purpose == Invitation.Purpose.ADMINISTRATOR


@pytest.mark.case("AZ-24")
def test_link_works_once():
    secret = invitations.first_link()
    invitations.accept_account(secret=secret, **ACCOUNT)

    with pytest.raises(invitations.LinkUsedUp):
        invitations.accept_account(secret=secret, **{**ACCOUNT, "email": "b@school.example"})
    assert Teacher.objects.count() == 1


@pytest.mark.case("AZ-24")
def test_link_ends(administrator):
    secret = invitations.invite_teacher(actor=administrator)
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    with pytest.raises(invitations.LinkUsedUp):
        invitations.open_invitation(secret)


@pytest.mark.case("AZ-24")
def test_link_for_one_address_makes_an_account_of_that_address(administrator):
    secret = invitations.invite_teacher(actor=administrator, email="b@school.example")

    made = invitations.accept_account(secret=secret, **ACCOUNT)

    assert (made.email, made.is_staff) == ("b@school.example", False)
    assert EmailAddress.objects.get(user=made).verified


def test_only_the_fingerprint_of_a_link_is_stored(administrator):
    secret = invitations.invite_teacher(actor=administrator)

    assert secret not in str(Invitation.objects.values().get())


def test_account_of_the_same_address_is_not_made_twice(administrator):
    people.teacher(email="okafor@school.example")
    secret = invitations.invite_teacher(actor=administrator)

    with pytest.raises(invitations.EmailTaken):
        invitations.accept_account(secret=secret, **ACCOUNT)
    assert invitations.open_invitation(secret)


@pytest.mark.parametrize("password", ["short", "password1", "12345678901"])
def test_weak_password_is_refused_with_the_reason(administrator, password):
    secret = invitations.invite_teacher(actor=administrator)

    with pytest.raises(invitations.BadPassword) as refusal:
        invitations.accept_account(secret=secret, **{**ACCOUNT, "password": password})
    assert str(refusal.value.message).startswith("This password")


def test_withdrawn_link_is_dead_and_only_its_maker_withdraws(administrator):
    secret = invitations.invite_teacher(actor=administrator)
    link = Invitation.objects.get()

    with pytest.raises(NotThere):
        invitations.withdraw_invitation(actor=TeacherActor(people.teacher()), invitation_id=link.pk)
    invitations.withdraw_invitation(actor=administrator, invitation_id=link.pk)

    with pytest.raises(invitations.LinkUsedUp):
        invitations.open_invitation(secret)


# -- co-teachers -----------------------------------------------------------------------------------


def test_colleague_with_an_account_becomes_co_teacher():
    classroom = people.classroom()
    colleague = TeacherActor(people.teacher())
    secret = invitations.invite_co_teacher(
        actor=TeacherActor(classroom.owner), classroom_id=classroom.pk
    )

    invitations.accept_class(secret=secret, actor=colleague)

    assert access_classroom(colleague, classroom.pk) == classroom
    with pytest.raises(invitations.LinkUsedUp):
        invitations.accept_class(secret=secret, actor=TeacherActor(people.teacher()))


def test_colleague_without_an_account_gets_one_with_the_class():
    classroom = people.classroom()
    secret = invitations.invite_co_teacher(
        actor=TeacherActor(classroom.owner), classroom_id=classroom.pk
    )

    made = invitations.accept_account(secret=secret, **ACCOUNT)

    assert access_classroom(TeacherActor(made), classroom.pk) == classroom
    assert not made.is_staff


def test_owner_does_not_use_up_the_own_invitation():
    classroom = people.classroom()
    owner = TeacherActor(classroom.owner)
    secret = invitations.invite_co_teacher(actor=owner, classroom_id=classroom.pk)

    with pytest.raises(NotAllowed):
        invitations.accept_class(secret=secret, actor=owner)
    assert invitations.open_invitation(secret)


def test_link_for_an_account_opens_no_class(administrator):
    secret = invitations.invite_teacher(actor=administrator)

    with pytest.raises(invitations.LinkUsedUp):
        invitations.accept_class(secret=secret, actor=TeacherActor(people.teacher()))


# -- passwords -------------------------------------------------------------------------------------


def test_administrators_link_sets_a_new_password_and_ends_all_logins(administrator):
    classroom = people.classroom()
    held = TeacherActor(classroom.owner)
    secret = invitations.password_link(actor=administrator, teacher_id=classroom.owner.pk)

    invitations.accept_password(secret=secret, password="another calm river")

    assert Teacher.objects.get(pk=classroom.owner.pk).check_password("another calm river")
    with pytest.raises(NotThere):
        access_classroom(held, classroom.pk)
    with pytest.raises(invitations.LinkUsedUp):
        invitations.accept_password(secret=secret, password="a third calm river")


def test_administrators_link_vouches_for_the_address_of_the_account_alone(administrator):
    teacher = people.teacher()
    for email in (teacher.email, "another@school.example"):
        EmailAddress.objects.create(user=teacher, email=email, primary=email == teacher.email)
    secret = invitations.password_link(actor=administrator, teacher_id=teacher.pk)

    invitations.accept_password(secret=secret, password="another calm river")

    shown = EmailAddress.objects.filter(user=teacher, verified=True)
    assert list(shown.values_list("email", flat=True)) == [teacher.email]


def test_password_link_makes_no_account(administrator):
    secret = invitations.password_link(actor=administrator, teacher_id=people.teacher().pk)

    with pytest.raises(invitations.LinkUsedUp):
        invitations.accept_account(secret=secret, **ACCOUNT)


def test_unknown_address_gets_no_link():
    with pytest.raises(NotThere):
        invitations.password_link_by_email("nobody@school.example")


# -- accounts --------------------------------------------------------------------------------------
