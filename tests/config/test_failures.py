"""What somebody reads when a page fails: words in their language, and nothing of the fault."""

from __future__ import annotations

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import path

from config.urls import handler400, handler500, urlpatterns as pages

__all__ = ["handler400", "handler500"]

SECRET = "what nobody outside is to read"


def failing(request: HttpRequest) -> HttpResponse:
    """A page with a fault."""
    raise RuntimeError(SECRET)


urlpatterns = [path("failing/", failing), *pages]
WORDS = {"en": "Something went wrong", "fr": "Une erreur s’est produite", "ar": "حدث خطأ"}


@pytest.fixture
def browser() -> Client:
    return Client(raise_request_exception=False)


@pytest.fixture
def _with_a_fault():
    with override_settings(ROOT_URLCONF=__name__):
        yield


@pytest.mark.usefixtures("_with_a_fault")
@pytest.mark.parametrize("language", WORDS)
def test_a_fault_is_told_in_the_readers_language_and_keeps_what_it_was(browser, language):
    answer = browser.get("/failing/", headers={"accept-language": language})

    words = answer.content.decode()
    assert answer.status_code == 500
    assert WORDS[language] in words
    assert SECRET not in words
    assert f'<html lang="{language}" dir="{"rtl" if language == "ar" else "ltr"}">' in words


@pytest.mark.usefixtures("_with_a_fault")
def test_a_fault_in_a_part_of_a_page_is_a_notice(browser):
    answer = browser.get("/failing/", headers={"hx-request": "true"})

    words = answer.content.decode()
    assert answer.status_code == 500
    assert words.strip().startswith('<div class="notice bad">')
    assert WORDS["en"] in words


@pytest.mark.django_db
def test_more_fields_than_any_form_has_are_refused_in_words(browser, settings):
    fields = {f"field{number}": "" for number in range(settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + 1)}

    answer = browser.post("/join/", fields)

    assert answer.status_code == 400
    assert "Nothing was changed." in answer.content.decode()


@pytest.mark.django_db
def test_a_form_that_was_open_too_long_is_told_in_its_part_of_the_page():
    answer = Client(enforce_csrf_checks=True).post("/join/", headers={"hx-request": "true"})

    words = answer.content.decode()
    assert answer.status_code == 403
    assert "<html" not in words
    assert "This page was open for too long" in words
