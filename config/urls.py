"""All addresses of the site, as in DESIGN section 8."""

from __future__ import annotations

from django.urls import include, path

urlpatterns = [
    path("accounts/", include("allauth.urls")),
    path("", include("classroom.urls")),
    path("", include("games.urls")),
]
