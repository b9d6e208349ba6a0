"""All addresses of the site."""

from __future__ import annotations

from django.urls import include, path
from django.views.i18n import JavaScriptCatalog

from config import views

handler400 = views.bad_request
handler500 = views.server_error

urlpatterns = [
    path("healthz", views.healthz, name="healthz"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("words.js", JavaScriptCatalog.as_view(domain="djangojs"), name="words"),
    path("accounts/", include("allauth.urls")),
    path("", include("classroom.urls")),
    path("", include("quizzes.urls")),
    path("", include("games.urls")),
]
