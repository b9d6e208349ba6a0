"""Every field of every table is declared: what it holds, why, who sees it, and for how long."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.apps import apps
from django.db.models import Field

from classroom.models import Student
from tests.architecture.test_security_pages import rows

CLASSES = {"personal", "secret", "work", "program"}
PAGE = "data.csv"


def _classes() -> dict[tuple[str, str], str]:
    """The class of each field by its model and name."""
    return {
        (row["model"], field): row["class"] for row in rows(PAGE) for field in row["fields"].split()
    }


def _columns() -> dict[tuple[str, str], Field[Any, Any]]:
    """Each column but numbers of rows; tables between two others are models, too."""
    return {
        (model._meta.label, field.name): field
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.local_fields
        if field.is_relation or not field.primary_key
    }


@pytest.mark.case("PV-02")
def test_every_field_is_declared_once() -> None:
    declared = [(row["model"], field) for row in rows(PAGE) for field in row["fields"].split()]

    assert sorted(_columns().keys() - set(declared)) == []
    assert sorted(set(declared) - _columns().keys()) == []
    assert sorted({one for one in declared if declared.count(one) > 1}) == []


@pytest.mark.case("PV-02")
@pytest.mark.parametrize("row", rows(PAGE), ids=lambda row: f"{row['model']}-{row['class']}")
def test_each_says_why_for_whom_and_how_long(row: dict[str, str]) -> None:
    assert row["class"] in CLASSES
    assert all(row[column] for column in ("why it is kept", "who sees it", "how long"))
    assert row["class"] == "program" or "not used" not in row["how long"]


@pytest.mark.case("PV-02")
def test_what_belongs_to_a_student_is_personal_or_secret() -> None:
    """A row that points to a student is about somebody; so is the student."""
    classes = _classes()
    about = {
        column
        for column, field in _columns().items()
        if field.model is Student or field.related_model is Student
    }

    assert {classes[column] for column in about} == {"personal", "secret"}


@pytest.mark.case("PV-02")
def test_names_that_sound_like_secrets_are_declared_so() -> None:
    sounds = re.compile(r"password|secret|_hash$|^proof$|^stamp$|session_data")

    named = {kind for (_model, name), kind in _classes().items() if sounds.search(name)}

    assert named - {"program"} == {"secret"}
