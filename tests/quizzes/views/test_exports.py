"""Taking questions away: what each format leaves out, and the file itself."""

from __future__ import annotations

import io
from html import unescape

import pytest
from django.urls import reverse

from classroom.models import Job
from quizzes.formats.catalog import FORMATS
from quizzes.services import exports as services
from tests.factories import bank
from tests.permissions.world import logged_in
from tests.quizzes.formats.samples import SAMPLES

pytestmark = pytest.mark.django_db


@pytest.fixture
def question_set():
    made = bank.question_set(title="Town & council: 7c")
    bank.questions(made, *SAMPLES)
    return made


@pytest.fixture
def client(question_set):
    return logged_in(question_set.owner)


def at(question_set, key):
    return reverse("quizzes:export", args=[question_set.pk, key])


@pytest.mark.parametrize("key", sorted(FORMATS))
def test_every_format_gives_a_file_that_is_read_back(client, question_set, key):
    answer = client.get(at(question_set, key))

    data = b"".join(answer.streaming_content)
    wanted = [question for question in SAMPLES if FORMATS[key].carries.kinds & {kind_of(question)}]
    assert len(FORMATS[key].read(data, None).questions) == len(wanted)
    assert answer.headers["content-disposition"].startswith("attachment;")
    assert "Town-council-7c" in answer.headers["content-disposition"]


def kind_of(question):
    return str(type(question).__struct_config__.tag)


def test_the_page_says_what_is_left_out_beforehand(client, question_set):
    page = unescape(client.get(reverse("quizzes:exports", args=[question_set.pk])).content.decode())

    assert "Keeps everything." in page
    assert "6 questions are left out" in page  # Aiken knows one kind
    assert "Left out of questions:" in page


@pytest.mark.parametrize(("language", "title"), [("fr", "Texte simple"), ("ar", "نص بسيط")])
def test_formats_have_names_in_the_language_of_the_page(client, question_set, language, title):
    pages = [
        client.get(address, headers={"accept-language": language}).content.decode()
        for address in (f"/questions/sets/{question_set.pk}/export/", "/questions/import/")
    ]

    assert all(title in page and "Plain text" not in page for page in pages)


def test_a_large_set_is_written_by_the_worker(client, question_set, monkeypatch):
    monkeypatch.setattr(services, "SMALL_QUESTIONS", 3)

    shown = client.get(at(question_set, "csv"))
    client.post(at(question_set, "csv"))

    assert shown.headers["location"] == reverse("quizzes:exports", args=[question_set.pk])
    job = Job.objects.get()
    assert job.kind == services.JOB
    name = services.write_file(job, lambda _part: None)
    assert name.endswith(".csv")
    written = io.BytesIO((services.jobs.folder() / name).read_bytes())
    assert len(FORMATS["csv"].read(written.read(), None).questions) == len(SAMPLES)


def test_a_format_that_there_is_not_is_no_page(client, question_set):
    assert client.get(at(question_set, "docx")).status_code == 404


def test_who_may_look_may_take_a_copy_away(question_set):
    reader = logged_in(bank.shared(question_set))

    assert reader.get(at(question_set, "ctdeck")).status_code == 200


@pytest.mark.parametrize("language", ["en", "fr", "ar"])
def test_the_spreadsheet_to_write_into_is_read_back_whole(client, language):
    answer = client.get(reverse("quizzes:import_template"), headers={"accept-language": language})

    reading = FORMATS["xlsx"].read(b"".join(answer.streaming_content), None)
    assert [kind_of(question) for question in reading.questions] == [
        "single",
        "several",
        "true-false",
        "short",
        "numeric",
    ]
    assert reading.problems == ()
