"""Versions of a question: listed, compared, restored."""

from __future__ import annotations

from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from classroom.access import TeacherActor
from quizzes.selectors.questions import newest
from quizzes.services.arranging import archive_questions
from quizzes.services.editing import save_question
from quizzes.views import versions as pages
from tests.factories import bank
from tests.permissions.world import logged_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def question():
    return bank.questions(bank.question_set(), bank.single("Version one?"))[0]


@pytest.fixture
def client(question):
    return logged_in(question.set.owner)


def save(question, stem, *, base, actor=None):
    save_question(
        actor=actor or TeacherActor(question.set.owner),
        question_id=question.pk,
        question=bank.single(stem),
        base=base,
    )
    question.refresh_from_db()


def page_of(client, question, **asked):
    answer = client.get(reverse("quizzes:versions", args=[question.pk]), asked)
    return answer.status_code, unescape(answer.content.decode())


def restore(client, question, version, base):
    return client.post(
        reverse("quizzes:restore_version", args=[question.pk]),
        {"version": version, "base": base},
        follow=True,
    )


def test_the_list_says_who_saved(client, question):
    colleague = bank.shared(question.set, right="edit")
    save(question, "Version two?", base=1, actor=TeacherActor(colleague))

    _status, text = page_of(client, question)

    assert question.set.owner.name in text
    assert colleague.name in text


def test_the_newest_is_compared_with_the_one_before(client, question):
    save(question, "Version two?", base=1)
    save(question, "Version three?", base=2)

    _status, text = page_of(client, question)

    assert '<del class="diff__out"><span class="vh">[gone: </span> two?' in text
    assert '<ins class="diff__in"><span class="vh">[new: </span> three?' in text


def test_any_two_can_be_compared(client, question):
    save(question, "Version two?", base=1)
    save(question, "Version three?", base=2)

    _status, text = page_of(client, question, before=3, after=1)

    assert '<del class="diff__out"><span class="vh">[gone: </span> three?' in text
    assert '<ins class="diff__in"><span class="vh">[new: </span> one?' in text


def test_a_single_version_has_nothing_to_compare(client, question):
    status, text = page_of(client, question)

    assert status == 200
    assert "<select" not in text.partition("<main")[2].partition("</main>")[0]


def test_a_version_that_there_is_not_is_no_page(client, question):
    assert page_of(client, question, before=1, after=9)[0] == 404


def test_restoring_makes_a_further_version(client, question):
    save(question, "Version two?", base=1)

    answer = restore(client, question, 1, base=2)

    question.refresh_from_db()
    assert "Version 1 is back, as version 3." in answer.content.decode()
    assert (question.number, newest([question])[0].stem) == (3, "Version one?")


def test_nobody_restores_over_what_they_have_not_seen(client, question):
    save(question, "Version two?", base=1)
    save(question, "Version three?", base=2)

    answer = restore(client, question, 1, base=2)

    question.refresh_from_db()
    assert question.number == 3
    assert "Somebody has saved a newer version" in answer.content.decode()


def test_who_may_only_look_compares_but_restores_nothing(question):
    save(question, "Version two?", base=1)
    reader = logged_in(bank.shared(question.set))

    status, text = page_of(reader, question)

    assert status == 200
    assert reverse("quizzes:restore_version", args=[question.pk]) not in text


def test_queries_do_not_grow_with_the_versions(client, question, monkeypatch):
    counts = []
    for base in (1, 2, 3):
        save(question, f"Version after {base}?", base=base)
        if base in (1, 3):
            with CaptureQueriesContext(connection) as queries:
                page_of(client, question)
            counts.append(len(queries))

    assert counts[0] == counts[1]


def test_a_long_list_is_cut_into_pages(client, question, monkeypatch):
    monkeypatch.setattr(pages, "A_PAGE", 1)
    save(question, "Version two?", base=1)

    _status, text = page_of(client, question)

    assert "?page=2" in text


def test_a_question_in_the_archive_offers_and_does_no_restoring(client, question):
    save(question, "Version two?", base=1)
    archive_questions(actor=TeacherActor(question.set.owner), question_ids=[question.pk])

    status, text = page_of(client, question)
    answer = restore(client, question, 1, base=2)

    assert (status, reverse("quizzes:restore_version", args=[question.pk]) in text) == (200, False)
    assert "in the archive" in answer.content.decode()
    assert newest([question]) == [bank.single("Version two?")]
