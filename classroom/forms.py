"""What pages ask for. Services judge; a form only reads."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as accounts
from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from classroom.activities import activities
from classroom.services.classrooms import KEEP_DAYS, LONGEST_CLASS_NAME
from classroom.services.lessons import LONGEST_TITLE

LONGEST_PASTE = 60_000  # characters


class ClassroomForm(forms.Form):
    """A class needs a name, nothing else."""

    name = forms.CharField(
        label=_("Name of the class"),
        max_length=LONGEST_CLASS_NAME,
        help_text=_("For example: 7c Citizenship"),
    )


class SettingsForm(forms.Form):
    """What the owner decides about a class."""

    guests_allowed = forms.BooleanField(
        label=_("Guests may join"),
        required=False,
        help_text=_("Visitors type a name of their own. They play, and are forgotten after a day."),
    )
    personal_codes = forms.BooleanField(
        label=_("Students need their personal code"),
        required=False,
        help_text=_("A student taps the name and types the four characters on the printed slip."),
    )
    keep_days = forms.IntegerField(
        label=_("Keep results for (days)"),
        min_value=KEEP_DAYS[0],
        max_value=KEEP_DAYS[-1],
        help_text=_("Older lessons and their results are deleted by themselves."),
    )
    language = forms.ChoiceField(
        label=_("Language of the class"),
        required=False,
        choices=[("", _("As on each device")), *settings.LANGUAGES],
    )


class PasteForm(forms.Form):
    """A list of names, one a line."""

    text = forms.CharField(
        label=_("Names, one a line"),
        max_length=LONGEST_PASTE,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "autocomplete": "off"}),
        help_text=_(
            "Paste from a register or a spreadsheet. Numbers, bullets and extra columns are left "
            "out. You see every line before anything is saved."
        ),
    )


class LessonForm(forms.Form):
    """What is played."""

    activity = forms.ChoiceField(
        label=_("What to do"),
        choices=lambda: [(known.key, known.title) for known in activities()],
        error_messages={"required": _("Choose what to do.")},
    )
    title = forms.CharField(
        label=_("Title"),
        max_length=LONGEST_TITLE,
        required=False,
        help_text=_("Leave it empty to use the date."),
    )


class CodeForm(forms.Form):
    """The class code."""

    code = forms.CharField(
        label=_("Class code"),
        max_length=20,
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "autocapitalize": "characters",
                "spellcheck": "false",
                "inputmode": "text",
            }
        ),
    )


class GuestForm(forms.Form):
    """A guest's own name, nothing else (case PV-05)."""

    guest_name = forms.CharField(
        label=_("Your name for this lesson"),
        max_length=120,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class PersonalCodeForm(forms.Form):
    """The four characters on the printed slip."""

    personal_code = forms.CharField(
        label=_("Your personal code"),
        max_length=20,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}
        ),
    )


class PasswordForm(forms.Form):
    """A new password, typed once, with the browser's help."""

    password = forms.CharField(
        label=_("Password"),
        strip=False,
        max_length=200,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("At least 8 characters. Three or four words in a row are easy to remember."),
    )


class AccountForm(PasswordForm):
    """A new account from an invitation."""

    name = forms.CharField(
        label=_("Your name, as students see it"),
        max_length=120,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    email = forms.EmailField(
        label=_("E-mail address"),
        help_text=_("You log in with it. Nothing is sent unless you ask for it."),
        widget=forms.EmailInput(attrs={"autocomplete": "username"}),
    )
    field_order = ("name", "email", "password")


class NameForm(forms.Form):
    """One name."""

    name = forms.CharField(label=_("Name"), max_length=200)


class OneselfForm(NameForm):
    """What a teacher says about the own account."""

    language = forms.ChoiceField(
        label=_("Language"),
        required=False,
        choices=[("", _("As on each device")), *settings.LANGUAGES],
        help_text=_("Pages where you log in, and mails to you, are in this language."),
    )


class _Named:
    """A form of allauth's, whose address is called as on all other pages."""

    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in {"login", "email"} & self.fields.keys():
            self.fields[name].label = _("E-mail address")
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)  # it repeats the label


class LoginForm(_Named, accounts.LoginForm):  # type: ignore[misc]
    """Address and password."""


class ResetPasswordForm(_Named, accounts.ResetPasswordForm):  # type: ignore[misc]
    """Where the link for a new password goes."""


class AddEmailForm(_Named, accounts.AddEmailForm):  # type: ignore[misc]
    """A further address of the account."""


class SignupForm(_Named, accounts.SignupForm):  # type: ignore[misc]
    """An account of one's own, where the site lets people sign up."""

    name = forms.CharField(
        label=_("Your name, as students see it"),
        max_length=120,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    field_order = ("name", "email", "password1", "password2")
