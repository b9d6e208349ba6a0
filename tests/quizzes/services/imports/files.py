"""Files with a question or two, brought in and saved."""

from __future__ import annotations

from quizzes.models import ImportDraft
from quizzes.services.imports import Sent, save_import, start_import

ONE = b"1. Who votes?\na) Nobody\n*b) Citizens\n"
TWO = ONE + b"\n2. Who pays?\na) All\nb) Some\n"


def start(actor, *files, set_id=None):
    sent = [Sent(f"{number}.txt", data) for number, data in enumerate(files)]
    return start_import(actor=actor, files=sent, set_id=set_id)


def drafts_of(batch):
    return list(ImportDraft.objects.filter(batch=batch).order_by("position"))


def save(actor, batch, **more):
    return save_import(actor=actor, batch=batch, **{"set_id": None, "title": "Votes", **more})
