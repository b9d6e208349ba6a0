"""Catalogues are compiled without msgfmt, and broken ones are found."""

from __future__ import annotations

import gettext
import os
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

from config.translations import catalogues, compile_changed, complaints

HEAD = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
PLURAL = '"Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A locale folder with one French catalogue."""
    folder = tmp_path / "fr" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "django.po").write_text(
        f'{HEAD}{PLURAL}msgid "Fish"\nmsgstr "Poisson"\n', encoding="utf-8"
    )
    return tmp_path


def test_catalogue_is_compiled_once_and_after_each_change(root):
    po = root / "fr" / "LC_MESSAGES" / "django.po"

    assert compile_changed(root) == [po.with_suffix(".mo")]
    assert compile_changed(root) == []
    with po.with_suffix(".mo").open("rb") as file:
        assert gettext.GNUTranslations(file).gettext("Fish") == "Poisson"
    later = po.with_suffix(".mo").stat().st_mtime + 5
    os.utime(po, (later, later))
    assert compile_changed(root) == [po.with_suffix(".mo")]


@pytest.mark.parametrize(
    ("source", "translated", "said"),
    [
        ("%(name)s won", "%(nom)s a gagné", "unknown named placeholder 'nom'"),
        ("{name} won", "{nom} a gagné", "unknown placeholders ['nom']"),
        ("{name} won", "a gagné", "missing placeholders ['name']"),
    ],
)
def test_lost_placeholder_is_found(root, source, translated, said):
    po = root / "fr" / "LC_MESSAGES" / "django.po"
    flag = "#, python-format\n" if "%" in source else ""
    message = f'{flag}msgid "{source}"\nmsgstr "{translated}"\n'
    po.write_text(f"{HEAD}{PLURAL}{message}", encoding="utf-8")

    assert [(c.path, c.text) for c in complaints(root)] == [(po, said)]


def test_plural_sentences_of_pure_code_are_collected(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "locale").mkdir()
    (tmp_path / "texts.py").write_text(
        'said = count("%(count)s fish", "%(count)s fishes", 3)\nasked = _("Why?")\n', "utf-8"
    )

    with override_settings(LOCALE_PATHS=[tmp_path / "locale"]):
        call_command("makemessages", locale=["fr"], verbosity=0)

    po = (tmp_path / "locale" / "fr" / "LC_MESSAGES" / "django.po").read_text("utf-8")
    assert 'msgid "%(count)s fish"\nmsgid_plural "%(count)s fishes"' in po
    assert 'msgid "Why?"' in po
    assert "#: texts.py\n" in po


def test_catalogues_of_the_project_are_sound():
    for root in settings.LOCALE_PATHS:
        assert complaints(Path(root)) == []
        for path in catalogues(Path(root)):
            assert path.parent.parent.name in dict(settings.LANGUAGES)
