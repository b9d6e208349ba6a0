"""Addresses of the question bank."""

from __future__ import annotations

from django.urls import URLPattern, path

from quizzes.views import (
    bank,
    conflicts,
    drafts,
    editor,
    exports,
    imports,
    pictures,
    sets,
    versions,
)

app_name = "quizzes"

_set = "questions/sets/<uuid:set_id>/"
_question = "questions/<uuid:question_id>/"

urlpatterns: list[URLPattern] = [
    # sets and lists of questions
    path("questions/", bank.index, name="sets"),
    path("questions/act/", bank.act, name="act"),
    path("questions/acts/<uuid:job_id>/", bank.acted, name="acted"),
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
    # writing questions
    path(f"{_set}new/<str:kind>/", editor.new, name="new_question"),
    path(f"{_set}draft/", drafts.keep_new, name="keep_new_draft"),
    path(_question, editor.edit, name="question"),
    path(f"{_question}draft/", drafts.keep, name="keep_draft"),
    path(f"{_question}merge/", conflicts.merge_versions, name="merge"),
    path(f"{_question}duplicate/", editor.duplicate, name="duplicate"),
    path(f"{_question}versions/", versions.index, name="versions"),
    path(f"{_question}versions/restore/", versions.restore, name="restore_version"),
    path("questions/preview/", editor.preview, name="preview"),
    path("questions/drafts/<uuid:draft_id>/discard/", drafts.discard, name="discard_draft"),
    # bringing in and taking away
    path("questions/import/", imports.index, name="import"),
    path("questions/import/template/", exports.template, name="import_template"),
    path("questions/imports/<uuid:batch>/", imports.preview, name="preview_import"),
    path("questions/imports/<uuid:batch>/save/", imports.save, name="save_import"),
    path("questions/imports/<uuid:batch>/give-up/", imports.give_up, name="give_up_import"),
    path("questions/imports/files/<uuid:draft_id>/read/", imports.read, name="read_import"),
    path("questions/imports/files/<uuid:draft_id>/row/", imports.row, name="import_row"),
    path(f"{_set}export/", exports.index, name="exports"),
    path(f"{_set}export/<str:format>/", exports.file, name="export"),
    # pictures
    path("pictures/", pictures.add, name="add_picture"),
    path("pictures/<uuid:picture_id>/<str:size>/", pictures.show, name="picture"),
]
