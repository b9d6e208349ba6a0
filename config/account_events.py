"""What allauth and Django tell about accounts, for the security log. Each tells by signals of its
own; here alone they are heard, and nothing is done but writing a line.
"""

from __future__ import annotations

from typing import Any

from allauth.account import signals as account
from allauth.mfa import signals as mfa
from allauth.mfa.models import Authenticator
from django.contrib.auth import signals as auth

from classroom.models import Teacher
from classroom.security_log import Event, note

_RECOVERY = Authenticator.Type.RECOVERY_CODES


def listen() -> None:
    """Hear every signal; Django takes the same hearer once, however often this is called."""
    for signal, hear in (
        (account.user_logged_in, _logged_in),
        (auth.user_logged_out, _logged_out),
        (account.user_signed_up, _signed_up),
        (account.password_changed, _password_changed),
        (account.password_set, _password_changed),
        (account.password_reset, _password_changed),
        (account.email_added, _email_changed),
        (account.email_changed, _email_changed),
        (account.email_removed, _email_changed),
        (mfa.authenticator_added, _second_step_on),
        (mfa.authenticator_reset, _second_step_on),
        (mfa.authenticator_removed, _second_step_off),
        (mfa.authenticator_used, _second_step_used),
        (mfa.authentication_failed, _second_step_failed),
    ):
        signal.connect(hear)


def _logged_in(user: Teacher, **_more: Any) -> None:
    note(Event.LOGGED_IN, by=user)


def _logged_out(user: Teacher | None, **_more: Any) -> None:
    if user is not None:
        note(Event.LOGGED_OUT, by=user)


def _signed_up(user: Teacher, **_more: Any) -> None:
    note(Event.ACCOUNT_MADE, by=user, about="sign-up")


def _password_changed(user: Teacher, **_more: Any) -> None:
    note(Event.PASSWORD_CHANGED, by=user)


def _email_changed(user: Teacher, **_more: Any) -> None:
    note(Event.EMAIL_CHANGED, by=user)


def _second_step_on(user: Teacher, authenticator: Authenticator, **_more: Any) -> None:
    codes = authenticator.type == _RECOVERY
    note(Event.RECOVERY_CODES_MADE if codes else Event.SECOND_STEP_ON, by=user)


def _second_step_off(user: Teacher, authenticator: Authenticator, **_more: Any) -> None:
    if authenticator.type != _RECOVERY:
        note(Event.SECOND_STEP_OFF, by=user)


def _second_step_used(user: Teacher, authenticator: Authenticator, **_more: Any) -> None:
    if authenticator.type == _RECOVERY:
        note(Event.RECOVERY_CODE_USED, by=user)


def _second_step_failed(user: Teacher, **_more: Any) -> None:
    note(Event.SECOND_STEP_FAILED, by=user)
