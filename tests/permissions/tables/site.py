"""Pages of the site itself and of allauth: log-in, password, second step."""

from __future__ import annotations

from tests.permissions.lines import GO, Line, any_teacher, everybody

NOBODYS = dict.fromkeys(("anonymous", "guest", "student", "other_student"), 200)
LINES = (
    Line("healthz", "GET", everybody(200)),
    Line("set_language", "POST", everybody(GO), {"language": "fr"}),
    Line("words", "GET", everybody(200)),
    Line("account_login", "GET", any_teacher(GO, **NOBODYS)),
)

# allauth guards its pages itself and has its own tests; what is offered at all is decided here.
OF_ALLAUTH = {
    "account_login", "account_logout", "account_inactive", "account_signup",
    "account_reauthenticate", "account_request_reauthentication_code",
    "account_confirm_reauthentication_code", "account_email",
    "account_email_verification_sent", "account_change_password", "account_set_password",
    "account_reset_password", "account_confirm_login_code", "account_confirm_email",
    "account_reset_password_from_key_done", "account_reset_password_from_key",
    "account_reset_password_done", "mfa_index", "mfa_authenticate", "mfa_reauthenticate",
    "mfa_activate_totp", "mfa_deactivate_totp", "mfa_view_recovery_codes",
    "mfa_generate_recovery_codes", "mfa_download_recovery_codes",
}  # fmt: skip
