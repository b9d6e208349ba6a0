"""Two teachers change one question: the second sees both texts and loses nothing."""

from __future__ import annotations

from html import unescape

import pytest
from django.urls import reverse
from msgspec.structs import replace

from classroom.access import TeacherActor
from quizzes.entries import entries_of
from quizzes.models import Draft
from quizzes.selectors.drafts import draft_of, typed
from quizzes.selectors.questions import newest
from quizzes.services.editing import save_question
from tests.factories import bank
from tests.permissions.world import logged_in
from tests.quizzes.views.test_editor import form

pytestmark = pytest.mark.django_db

START = bank.single("Who votes?", explanation="The law.", topics=("votes",))
THEIRS = replace(START, stem="Who may vote?", explanation="The constitution.")
MINE = replace(START, stem="Who can vote?", topics=("votes", "rights"))


@pytest.fixture
def question():
    return bank.questions(bank.question_set(), START)[0]


@pytest.fixture
def colleague(question):
    return TeacherActor(bank.shared(question.set, right="edit"))


@pytest.fixture
def client(question):
    return logged_in(question.set.owner)


@pytest.fixture
def clash(client, question, colleague):
    """The page that the second one sees."""
    save_question(actor=colleague, question_id=question.pk, question=THEIRS, base=1)
    return client.post(
        reverse("quizzes:question", args=[question.pk]),
        form(entries_of(MINE), base=1, act="save"),
    )


def choose(client, question, **chosen):
    return client.post(
        reverse("quizzes:merge", args=[question.pk]), {"theirs": 2, **chosen}, follow=True
    )


@pytest.mark.case("CC-08")
def test_the_second_sees_both_texts_and_nothing_is_written(clash, question):
    text = unescape(clash.content.decode())

    assert clash.status_code == 409
    for words in (" may", " can", "The constitution.", "rights"):
        assert words in text
    question.refresh_from_db()
    assert question.number == 2
    assert typed(draft_of(question.set.owner, question)).stem == "Who can vote?"


def test_what_only_one_has_changed_is_proposed(clash):
    text = clash.content.decode()

    assert 'name="topics" value="mine" checked' in text
    assert 'name="explanation" value="theirs" checked' in text
    assert 'name="stem" value="mine" checked' in text
    assert text.count("changed by both") == 1


def test_the_chosen_parts_of_both_become_the_next_version(clash, client, question):
    choose(client, question, act="save", stem="mine", topics="mine", explanation="theirs")

    question.refresh_from_db()
    assert question.number == 3
    assert newest([question]) == [replace(MINE, explanation="The constitution.")]
    assert not Draft.objects.exists()


def test_all_of_mine_becomes_the_next_version(clash, client, question):
    choose(client, question, act="mine")

    question.refresh_from_db()
    assert newest([question]) == [MINE]


def test_theirs_stays_when_mine_is_discarded(clash, client, question):
    choose(client, question, act="theirs")

    question.refresh_from_db()
    assert (question.number, newest([question])) == (2, [THEIRS])
    assert not Draft.objects.exists()


def test_one_can_write_on_with_what_is_chosen(clash, client, question):
    page = choose(client, question, act="edit", stem="theirs", topics="mine")

    draft = draft_of(question.set.owner, question)
    assert draft.base == 2
    assert (typed(draft).stem, typed(draft).topics) == ("Who may vote?", "votes, rights")
    assert "This is your draft of" in page.content.decode()


def test_a_third_who_saves_meanwhile_is_seen_too(clash, client, question, colleague):
    third = replace(THEIRS, stem="Who shall vote?")
    save_question(actor=colleague, question_id=question.pk, question=third, base=2)

    page = choose(client, question, act="save", stem="mine", topics="mine")

    assert page.status_code == 409
    assert " shall" in page.content.decode()
    question.refresh_from_db()
    assert newest([question]) == [third]
    assert typed(draft_of(question.set.owner, question)).stem == "Who can vote?"


def test_without_a_draft_there_is_nothing_to_choose(client, question):
    assert choose(client, question, theirs=1, act="save").status_code == 404
