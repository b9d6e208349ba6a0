"""Static files of an update, and those that pages from before it still ask for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import override_settings

from config.static import Storage, collect_changed


@pytest.fixture
def source(tmp_path: Path) -> Iterator[Path]:
    """A folder of sources whose files are collected into a folder beside it."""
    folder = tmp_path / "source"
    folder.mkdir()
    storage = {"staticfiles": {"BACKEND": "config.static.Storage"}}
    with override_settings(
        STATIC_ROOT=tmp_path / "static",
        STATICFILES_DIRS=[folder],
        STATICFILES_FINDERS=["django.contrib.staticfiles.finders.FileSystemFinder"],
        STORAGES={"default": {"BACKEND": "django.core.files.storage.FileSystemStorage"}} | storage,
    ):
        yield folder


def _collected(source: Path, text: str) -> Path:
    """The file that a page asks for after an update in which it is ``text``."""
    (source / "sound.js").write_text(text, encoding="utf-8")
    assert collect_changed()
    return source.parent / "static" / Storage().stored_name("sound.js")


@pytest.mark.case("CC-13")
def test_page_from_before_an_update_finds_its_files_until_the_next_one(source: Path) -> None:
    first = _collected(source, "export const ring = 1;" * 100)
    second = _collected(source, "export const ring = 2;" * 101)
    packed = first.with_name(f"{first.name}.gz")

    assert first.read_text(encoding="utf-8") == "export const ring = 1;" * 100
    assert packed.exists()
    third = _collected(source, "export const ring = 3;" * 102)

    assert [path.exists() for path in (first, packed, second, third)] == [False, False, True, True]
    assert (source.parent / "static" / "sound.js").read_text(encoding="utf-8").endswith("3;")


def test_nothing_is_collected_where_nothing_changed(source: Path) -> None:
    _collected(source, "export {};")

    assert not collect_changed()
