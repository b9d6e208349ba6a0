"""Who may make an account, and what a new one may do: the site's rules for allauth."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django import forms
from django.conf import settings
from django.core.mail import EmailMessage
from django.http import HttpRequest
from django.utils.translation import get_language, gettext as _, override

from classroom.models import Teacher


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """``CIVIC_SIGNUP``: by invitation alone, for one domain, or open to all.

    Without mail nobody can show that an address is theirs: an account of a domain
    then waits for the administrator.
    """

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Whether the sign-up page takes anyone."""
        return bool(settings.SIGNUP != "invite")

    def clean_email(self, email: str) -> str:
        """The address in one spelling, of the right domain."""
        email = super().clean_email(email).strip().lower()
        domain = settings.SIGNUP.removeprefix("domain:")
        if domain != settings.SIGNUP and not email.endswith(f"@{domain.lower()}"):
            raise forms.ValidationError(
                _("Use your school address, which ends with @{domain}.").format(domain=domain)
            )
        return email

    def save_user(
        self, request: HttpRequest, user: Teacher, form: Any, commit: bool = True
    ) -> Teacher:
        """The new account: named, and shut until the administrator has looked at it if need be."""
        user.name = form.cleaned_data.get("name", "")
        user.is_active = not settings.SIGNUP.startswith("domain:") or settings.EMAIL_CONFIGURED
        saved: Teacher = super().save_user(request, user, form, commit)
        return saved

    def render_mail(
        self, template_prefix: str, email: str | list[str], context: dict[str, Any], **more: Any
    ) -> EmailMessage:
        """The mail in the language of the account that it is about, where one was chosen."""
        chosen = getattr(context.get("user"), "language", "")
        with override(chosen or get_language()):
            mail: EmailMessage = super().render_mail(template_prefix, email, context, **more)
        return mail
