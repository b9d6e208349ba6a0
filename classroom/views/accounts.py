"""Teachers' accounts: invitations, one's own page, the administrator's list."""

from __future__ import annotations

from typing import cast
from uuid import UUID

from allauth.account.utils import perform_login
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext as _, override
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classroom.errors import NotThere
from classroom.forms import AccountForm, OneselfForm, PasswordForm
from classroom.models import Invitation
from classroom.selectors import teachers as selectors
from classroom.services import accounts, invitations
from classroom.views.asking import teacher_of
from classroom.views.languages import keep_language


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, secret: str) -> HttpResponse:
    """What a link from a colleague, an administrator or the terminal opens."""
    found = invitations.open_invitation(secret)
    if found.purpose == Invitation.Purpose.PASSWORD:
        return _password(request, secret, found)
    if found.purpose == Invitation.Purpose.CO_TEACHER and request.user.is_authenticated:
        return _class(request, secret, found)
    return _account(request, secret, found)


def _account(request: HttpRequest, secret: str, found: Invitation) -> HttpResponse:
    given = {"email": found.email} if found.email else {}
    form = AccountForm(request.POST if request.method == "POST" else None, initial=given)
    if found.email:
        form.fields["email"].disabled = True
    elif settings.EMAIL_CONFIGURED and found.purpose != Invitation.Purpose.ADMINISTRATOR:
        form.fields["email"].help_text = _(
            "You log in with it, after you have opened the link in the mail that it gets now."
        )
    if request.method == "POST" and form.is_valid():
        try:
            teacher = invitations.accept_account(secret=secret, **form.cleaned_data)
        except (invitations.EmailTaken, invitations.BadPassword) as refusal:
            form.add_error(
                "email" if isinstance(refusal, invitations.EmailTaken) else "password",
                str(refusal.message),
            )
        else:
            where = reverse("classroom:classes")
            if found.classroom_id is not None:
                where = reverse("classroom:classroom", args=[found.classroom_id])
            return cast("HttpResponse", perform_login(request, teacher, redirect_url=where))
    return render(
        request,
        "classroom/invitation.html",
        {"invitation": found, "form": form, "here": request.path},
        status=422 if form.errors else 200,
    )


def _class(request: HttpRequest, secret: str, found: Invitation) -> HttpResponse:
    if request.method == "POST":
        classroom = invitations.accept_class(secret=secret, actor=teacher_of(request))
        return redirect("classroom:classroom", classroom.pk)
    return render(request, "classroom/invitation_class.html", {"invitation": found})


def _password(request: HttpRequest, secret: str, found: Invitation) -> HttpResponse:
    form = PasswordForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            invitations.accept_password(secret=secret, password=form.cleaned_data["password"])
        except invitations.BadPassword as refusal:
            form.add_error("password", str(refusal.message))
        else:
            logout(request)
            messages.success(request, _("Your new password is set. Log in with it."))
            return redirect("account_login")
    return render(
        request,
        "classroom/invitation_password.html",
        {"invitation": found, "form": form},
        status=422 if form.errors else 200,
    )


@require_GET
def forgot(request: HttpRequest) -> HttpResponse:
    """By mail where the site can send some, else by the administrator's link."""
    if settings.EMAIL_CONFIGURED:
        return redirect("account_reset_password")
    return render(request, "classroom/forgot.html")


@login_required
@require_http_methods(["GET", "POST"])
def you(request: HttpRequest) -> HttpResponse:
    """One's own name, language, password, second step, devices."""
    teacher = teacher_of(request).teacher
    form = OneselfForm(
        request.POST if request.method == "POST" else None,
        initial={"name": teacher.name, "language": teacher.language},
    )
    if request.method == "POST" and form.is_valid():
        teacher = accounts.describe_oneself(actor=teacher_of(request), **form.cleaned_data)
        response = redirect("classroom:you")
        if teacher.language:
            keep_language(response, teacher.language)
        with override(teacher.language or get_language()):
            messages.success(request, _("Saved."))
        return response
    return render(
        request,
        "classroom/you.html",
        {"form": form, "teacher": teacher},
        status=422 if form.errors else 200,
    )


@login_required
@require_POST
def log_out_everywhere(request: HttpRequest) -> HttpResponse:
    accounts.log_out_everywhere(actor=teacher_of(request))
    logout(request)
    messages.success(request, _("You are logged out on all devices."))
    response = redirect("account_login")
    response.headers["Clear-Site-Data"] = '"cache"'
    return response


# -- the administrator's pages ---------------------------------------------------------------------


@login_required
@require_GET
def teachers(request: HttpRequest) -> HttpResponse:
    return _teachers(request)


@login_required
@require_POST
def invite(request: HttpRequest) -> HttpResponse:
    secret = invitations.invite_teacher(
        actor=teacher_of(request), email=request.POST.get("email", "").strip()
    )
    return _teachers(request, link=_absolute(request, secret))


@login_required
@require_POST
def change(request: HttpRequest, teacher_id: UUID) -> HttpResponse:
    actor = teacher_of(request)
    match request.POST.get("act"):
        case "shut" | "open" as act:
            accounts.set_active(actor=actor, teacher_id=teacher_id, active=act == "open")
        case "administrator" | "teacher" as act:
            accounts.set_administrator(
                actor=actor, teacher_id=teacher_id, administrator=act == "administrator"
            )
        case "second-step":
            accounts.drop_second_step(actor=actor, teacher_id=teacher_id)
            messages.success(request, _("The second step is off. The password alone is enough."))
        case "password":
            secret = invitations.password_link(actor=actor, teacher_id=teacher_id)
            return _teachers(request, link=_absolute(request, secret))
        case _:
            raise NotThere
    return redirect("classroom:teachers")


@login_required
@require_POST
def withdraw(request: HttpRequest, invitation_id: UUID) -> HttpResponse:
    """Make a link useless; back to where it was shown."""
    classroom_id = invitations.withdraw_invitation(
        actor=teacher_of(request), invitation_id=invitation_id
    )
    if classroom_id is None:
        return redirect("classroom:teachers")
    return redirect("classroom:class_settings", classroom_id)


def _teachers(request: HttpRequest, *, link: str = "") -> HttpResponse:
    page = selectors.accounts(teacher_of(request))
    return render(
        request,
        "classroom/teachers.html",
        {"teachers": page.teachers, "invitations": page.invitations, "link": link},
    )


def _absolute(request: HttpRequest, secret: str) -> str:
    return request.build_absolute_uri(reverse("classroom:invitation", args=[secret]))
