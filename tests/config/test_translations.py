"""Catalogues are compiled without msgfmt, and broken ones are found."""

from __future__ import annotations

import gettext
import os
import re
import shutil
from pathlib import Path

import allauth
import pytest
from babel.messages.pofile import read_po
from django.conf import settings
from django.core.management import call_command
from django.core.validators import validate_email
from django.test import override_settings
from django.utils import translation
from django.utils.translation import override

from config.translations import catalogues, compile_changed, complaints, unfinished

HEAD = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
# Straight apostrophes, plain blanks before high punctuation; Latin commas and question marks.
WRONG = {
    "fr": re.compile(r"\w'\w| [;!?»]|« | :(?!\S)"),
    "ar": re.compile(r"[\u0600-\u06ff][,;?]"),
}
# Sentences of allauth's that somebody may meet; its mails have texts of ours.
SHOWN = re.compile(r"(account|mfa)/(?!admin)|templates/(account|allauth|mfa)/(?!email/)")
MISSPELLED = {
    "en": re.compile(r"email", re.IGNORECASE),
    "fr": re.compile(r"email|courriel|(?<!e-)mail|électronique", re.IGNORECASE),
    "ar": re.compile(r"الالكترون|mail"),  # without its hamza
}
LEFT_OUT = shutil.ignore_patterns("__pycache__", "vendor", "*.svg", "*.yaml", "migrations")
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


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ('msgid "River"\nmsgstr ""\n', "untranslated: River"),
        ('#, fuzzy\nmsgid "River"\nmsgstr "Rive"\n', "fuzzy: River"),
        (
            'msgid "%(count)s fish"\nmsgid_plural "%(count)s fish"\n'
            'msgstr[0] "%(count)s poisson"\nmsgstr[1] ""\n',
            "untranslated: ('%(count)s fish', '%(count)s fish')",
        ),
        ('msgid "River"\nmsgstr "Rivière"\n', None),
    ],
)
def test_unfinished_message_is_found(root, message, said):
    po = root / "fr" / "LC_MESSAGES" / "django.po"
    po.write_text(f"{HEAD}{PLURAL}{message}", encoding="utf-8")

    assert [(c.path, c.text) for c in unfinished(root)] == ([(po, said)] if said else [])


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
        assert [str(found) for found in complaints(Path(root))] == []
        for path in catalogues(Path(root)):
            assert path.parent.parent.name in dict(settings.LANGUAGES)


def test_catalogues_of_the_project_are_finished():
    root, _wording = settings.LOCALE_PATHS
    languages = {path.parent.parent.name for path in catalogues(root)}
    domains = {path.stem for path in catalogues(root)}

    for each in settings.LOCALE_PATHS:
        assert [str(found) for found in unfinished(each)] == []
    assert languages == set(dict(settings.LANGUAGES)) - {"en"}
    assert domains == {"django", "djangojs"}


@pytest.mark.parametrize("language", ["fr", "ar"])
def test_french_and_arabic_are_set_as_their_readers_are_used_to(language):
    wrong = []
    for path in [one for root in settings.LOCALE_PATHS for one in catalogues(root / language)]:
        with path.open("rb") as source:
            messages = [message for message in read_po(source) if message.id]
        for message in messages:
            forms = [message.string] if isinstance(message.string, str) else message.string
            wrong += [form for form in forms if WRONG[language].search(form)]

    assert wrong == []


@pytest.mark.parametrize("language", ["en", "fr", "ar"])
def test_libraries_write_e_mail_as_our_pages_do(language):
    """If this fails after an update: put the sentence into ``config/wording/``, spelled right."""
    folder = Path(allauth.__file__).parent / "locale" / "en" / "LC_MESSAGES"
    with (folder / "django.po").open("rb") as source:
        found = [m for m in read_po(source) if any(SHOWN.match(path) for path, _ in m.locations)]
    shown = [message.id if isinstance(message.id, str) else message.id[0] for message in found]
    with override(language):
        said = [translation.gettext(one) for one in [*shown, validate_email.message]]

    assert len(said) > 50
    values = re.compile(r"%\(\w+\)s|\{\w+\}|=\"[^\"]*\"")
    assert [one for one in said if MISSPELLED[language].search(values.sub("", one))] == []


@pytest.mark.parametrize("domain", ["django", "djangojs"])
def test_every_sentence_of_the_source_is_in_the_catalogues(domain, tmp_path, monkeypatch):
    """If this fails: ``manage.py makemessages -l fr -l ar``, then translate what is new."""
    root, _wording = settings.LOCALE_PATHS
    for folder in ("classroom", "config", "games", "quizzes", "static", "templates"):
        shutil.copytree(root.parent / folder, tmp_path / folder, ignore=LEFT_OUT)
    (tmp_path / "locale").mkdir()
    monkeypatch.chdir(tmp_path)

    with override_settings(LOCALE_PATHS=[tmp_path / "locale"]):
        call_command("makemessages", locale=["fr"], domain=domain, verbosity=0)

    wanted = _ids(tmp_path / "locale" / "fr" / "LC_MESSAGES" / f"{domain}.po")
    for language in ("fr", "ar"):
        known = _ids(root / language / "LC_MESSAGES" / f"{domain}.po")
        assert wanted - known == set()


def _ids(path: Path) -> set[tuple[object, object]]:
    with path.open("rb") as source:
        return {(message.context, message.id) for message in read_po(source) if message.id}
