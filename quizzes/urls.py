"""Addresses of the question bank."""

from __future__ import annotations

from django.urls import URLPattern

app_name = "quizzes"

_set = "questions/sets/<uuid:set_id>/"
_question = "questions/<uuid:question_id>/"

urlpatterns: list[URLPattern] = []
