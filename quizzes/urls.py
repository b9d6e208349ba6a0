"""Addresses of the question bank."""

from __future__ import annotations

from django.urls import URLPattern, path

from quizzes.views import bank, pictures, sets

app_name = "quizzes"

_set = "questions/sets/<uuid:set_id>/"
_question = "questions/<uuid:question_id>/"

urlpatterns: list[URLPattern] = [
    # sets and lists of questions
    path("questions/", bank.index, name="sets"),
    path("questions/act/", bank.act, name="act"),
    path("questions/duplicates/", bank.duplicates, name="all_duplicates"),
    path("questions/sets/new/", sets.create, name="new_set"),
    path(_set, bank.detail, name="set"),
    path(f"{_set}settings/", sets.settings, name="set_settings"),
    path(f"{_set}copy/", sets.copy, name="copy_set"),
    path(f"{_set}archive/", sets.archive, name="archive_set"),
    path(f"{_set}delete/", sets.delete, name="delete_set"),
    path(f"{_set}share/", sets.share, name="share"),
    path(f"{_set}publish/", sets.publish, name="publish"),
    path(f"{_set}teachers/<uuid:teacher_id>/", sets.colleague, name="colleague"),
    path(f"{_set}duplicates/", bank.duplicates, name="duplicates"),
    path(f"{_question}place/", bank.place, name="place"),
    # pictures
    path("pictures/", pictures.add, name="add_picture"),
    path("pictures/<uuid:picture_id>/<str:size>/", pictures.show, name="picture"),
]
