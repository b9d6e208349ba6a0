"""Previews and bytes are forgotten in time."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from quizzes.models import ImportDraft
from quizzes.services.imports import forget_imports, path_of
from tests.quizzes.services.imports.files import ONE, TWO, drafts_of, start

pytestmark = pytest.mark.django_db


def test_old_previews_and_stray_files_are_forgotten(actor):
    old, new = drafts_of(start(actor, ONE, TWO))
    ImportDraft.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=8))
    path_of(uuid4()).write_bytes(b"just written by another process")

    assert forget_imports(dry=True) == 1
    assert ImportDraft.objects.count() == 2
    assert forget_imports() == 1
    assert [draft.pk for draft in ImportDraft.objects.all()] == [new.pk]
