"""Writing questions: what is sent is saved, or shown again with what is missing."""

from __future__ import annotations

from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from msgspec.structs import replace

from classroom.access import TeacherActor
from quizzes.entries import LONGEST, Choice, Entries, entries_of, question_of
from quizzes.models import Draft, Question, QuestionVersion
from quizzes.selectors.drafts import draft_of, typed
from quizzes.selectors.questions import newest
from quizzes.services.drafts import keep_draft, keep_new_draft
from quizzes.services.editing import save_question
from tests.factories import bank
from tests.permissions.world import logged_in
from tests.quizzes.formats.samples import SAMPLES

pytestmark = pytest.mark.django_db


@pytest.fixture
def rows():
    """One question of each kind."""
    return bank.questions(bank.question_set(), *SAMPLES)


@pytest.fixture
def actor(rows):
    return TeacherActor(rows[0].set.owner)


@pytest.fixture
def client(actor):
    return logged_in(actor.teacher)


def form(entries, **more):
    """The fields as a browser sends them."""
    return {
        "kind": entries.kind,
        "stem": entries.stem,
        "explanation": entries.explanation,
        "choice": [choice.text for choice in entries.choices],
        "right": [at for at, choice in enumerate(entries.choices) if choice.right],
        "truth": entries.truth,
        "accepted": entries.accepted,
        "number": entries.number,
        "tolerance": entries.tolerance,
        "left": [pair.left for pair in entries.pairs],
        "belongs": [pair.right for pair in entries.pairs],
        "distractor": entries.distractors,
        "item": entries.items,
        "topics": entries.topics,
        "difficulty": entries.difficulty,
        "language": entries.language,
        "source": entries.source,
        "picture": entries.picture,
        "alt": entries.alt,
        **more,
    }


def at(question, name="question"):
    return reverse(f"quizzes:{name}", args=[question.pk])


def new_at(question_set, kind="single"):
    return reverse("quizzes:new_question", args=[question_set.pk, kind])


def text_of(answer):
    return unescape(answer.content.decode())


@pytest.mark.parametrize("kind", range(len(SAMPLES)))
def test_a_question_of_any_kind_is_shown_and_saved_as_it_is(client, rows, kind):
    page = client.get(at(rows[kind]))
    entries = entries_of(SAMPLES[kind])

    answer = client.post(at(rows[kind]), form(entries, base=1, act="save"), follow=True)

    assert page.status_code == 200
    assert "Nothing has changed" in text_of(answer)
    assert newest([rows[kind]]) == [SAMPLES[kind]]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: type(sample).__name__)
def test_a_new_question_goes_into_the_set(client, rows, sample):
    entries = replace(entries_of(sample), stem="Something new?")
    question_set = rows[0].set

    answer = client.post(new_at(question_set, entries.kind), form(entries, act="save"))

    made = question_set.questions.get(stem="Something new?")
    assert answer.headers["location"] == at(made)
    assert newest([made]) == [question_of(entries)]


def test_saving_makes_the_next_version_and_leaves_no_draft(client, rows, actor):
    changed = replace(entries_of(SAMPLES[0]), stem="Who may not vote?")
    draft = keep_draft(actor=actor, question_id=rows[0].pk, entries=changed, base=1, seen=None)

    seen = {"draft": draft.pk, "seen": draft.saved_at.isoformat()}
    client.post(at(rows[0]), form(changed, base=1, act="save", **seen))

    rows[0].refresh_from_db()
    assert (rows[0].number, rows[0].stem) == (2, "Who may not vote?")
    assert not Draft.objects.exists()


def test_save_and_new_goes_on_with_the_same_topics_and_language(client, rows):
    entries = replace(entries_of(SAMPLES[0]), source="Handbook")

    answer = client.post(at(rows[0]), form(entries, base=1, act="save-new"), follow=True)

    text = text_of(answer)
    assert answer.status_code == 200
    assert "New question" in text
    for kept in ('value="rights, elections"', 'value="en" selected', 'value="Handbook"'):
        assert kept in text
    assert "Who may" not in text.partition("<form")[2].partition("</form>")[0]


def test_what_is_missing_is_told_beside_its_field(client, rows):
    entries = Entries(
        kind="single", stem="Who?", choices=(Choice("same", right=True), Choice("same"))
    )

    answer = client.post(at(rows[0]), form(entries, base=1, act="save"))

    text = text_of(answer)
    assert answer.status_code == 422
    assert "Two answers read the same. Change one of them." in text
    assert 'id="choices-2-error"' in text
    assert 'aria-describedby="choices-2-error"' in text
    assert text.count(">same</textarea>") + text.count("\nsame</textarea>") >= 2
    assert QuestionVersion.objects.filter(question=rows[0]).count() == 1


def test_all_that_was_typed_comes_back_with_the_mistakes(client, rows):
    sent = form(entries_of(SAMPLES[0]), stem="", act="save", base=1)
    sent["explanation"] = '<b>because</b> & "so"'

    answer = client.post(at(rows[0]), sent)

    assert answer.status_code == 422
    assert "&lt;b&gt;because&lt;/b&gt; &amp; &quot;so&quot;" in answer.content.decode()


@pytest.mark.parametrize(
    ("act", "found"),
    [
        ("add:choices", 'id="choices-4"'),
        ("kind:short", 'name="accepted" value="Every citizen & resident"'),
        ("kind:several", 'type="checkbox" name="right"'),
    ],
)
def test_buttons_work_without_script(client, rows, act, found):
    answer = client.post(at(rows[0]), form(entries_of(SAMPLES[0]), base=1, act=act))

    assert answer.status_code == 200
    assert found in text_of(answer)
    assert not Draft.objects.exists()
    assert rows[0].versions.count() == 1


def test_a_change_of_kind_keeps_the_words_of_the_other(client, rows):
    entries = replace(entries_of(SAMPLES[0]), truth="true")
    page = client.post(at(rows[0]), form(entries, base=1, act="kind:true-false"))

    text = text_of(page)
    assert text.count('<textarea name="choice" hidden>') == len(SAMPLES[0].choices)
    assert '<input type="hidden" name="right" value="0">' in text


def test_the_preview_shows_the_marks_and_what_is_missing(client):
    entries = Entries(kind="single", stem="**Who** <votes>?", choices=(Choice("I"), Choice("You")))

    answer = client.post(reverse("quizzes:preview"), form(entries))

    html = answer.content.decode()
    assert "<strong>Who</strong> &lt;votes&gt;?" in html
    assert "No answer is marked as right. Mark the right one." in html


@pytest.mark.case("UP-14")
def test_nothing_looks_at_more_than_a_question_can_hold(client, rows):
    much = form(Entries(kind="single", stem="x" * (LONGEST + 1)))

    preview = client.post(reverse("quizzes:preview"), much)
    saved = client.post(reverse("quizzes:question", args=[rows[0].pk]), much)

    assert (preview.status_code, saved.status_code) == (422, 422)
    assert "more than a question can hold" in saved.content.decode()


def test_the_preview_of_an_empty_form_scolds_nobody(client):
    answer = client.post(reverse("quizzes:preview"), form(Entries(kind="single")))

    assert "Before it can be saved" not in text_of(answer)


def test_a_draft_is_shown_when_the_question_is_opened_again(client, rows, actor):
    typed_words = replace(entries_of(SAMPLES[0]), stem="Half a quest")
    keep_draft(actor=actor, question_id=rows[0].pk, entries=typed_words, base=1, seen=None)

    text = text_of(client.get(at(rows[0])))

    assert "Half a quest" in text
    assert "This is your draft of" in text
    assert 'form="discard"' in text


def test_a_draft_that_says_what_is_saved_is_not_offered(client, rows, actor):
    keep_draft(
        actor=actor, question_id=rows[0].pk, entries=entries_of(SAMPLES[0]), base=1, seen=None
    )

    assert "This is your draft of" not in text_of(client.get(at(rows[0])))


def test_a_draft_of_a_new_question_is_offered_beside_the_form(client, rows, actor):
    question_set = rows[0].set
    draft = keep_new_draft(
        actor=actor,
        set_id=question_set.pk,
        draft_id=None,
        entries=Entries(kind="short", stem="Begun and left"),
        seen=None,
    )

    offered = text_of(client.get(new_at(question_set)))
    opened = text_of(client.get(f"{new_at(question_set, 'short')}?draft={draft.pk}"))

    assert f"?draft={draft.pk}" in offered
    assert "This is your draft of" in opened
    assert "\nBegun and left</textarea>" in opened


def test_a_draft_is_kept_and_says_when(client, rows, actor):
    entries = replace(entries_of(SAMPLES[0]), stem="Who els")

    first = client.post(at(rows[0], "keep_draft"), form(entries, base=1)).json()
    again = client.post(
        at(rows[0], "keep_draft"), form(entries, base=1, seen=first["seen"], stem="Who else?")
    ).json()

    draft = draft_of(actor.teacher, rows[0])
    assert typed(draft).stem == "Who else?"
    assert (again["draft"], again["seen"]) == (str(draft.pk), draft.saved_at.isoformat())
    assert again["said"].startswith("Kept as a draft, ")


def test_another_window_is_told_what_is_kept(client, rows):
    entries = entries_of(SAMPLES[0])
    first = client.post(at(rows[0], "keep_draft"), form(entries, base=1)).json()

    second = client.post(at(rows[0], "keep_draft"), form(entries, base=1, stem="Other"))

    assert second.status_code == 409
    assert second.json()["code"] == "draft_elsewhere"
    assert second.json()["seen"] == first["seen"]


def test_a_draft_can_be_discarded(client, rows, actor):
    draft = keep_draft(
        actor=actor, question_id=rows[0].pk, entries=Entries(kind="single"), base=1, seen=None
    )

    answer = client.post(reverse("quizzes:discard_draft", args=[draft.pk]))

    assert answer.headers["location"] == at(rows[0])
    assert not Draft.objects.exists()


def test_a_duplicate_stands_at_the_end(client, rows):
    answer = client.post(at(rows[0], "duplicate"))

    copy = Question.objects.order_by("position").last()
    assert answer.headers["location"] == at(copy)
    assert newest([copy]) == [SAMPLES[0]]


def test_who_may_only_look_reads_the_question_with_its_answer(rows):
    reader = logged_in(bank.shared(rows[0].set))

    text = text_of(reader.get(at(rows[0])))

    assert "Every citizen & resident" in text
    assert "right answer" in text
    assert "<textarea" not in text


def test_a_set_in_the_archive_is_read_only(client, rows):
    rows[0].set.archived_at = timezone.now()
    rows[0].set.save()

    assert "<textarea" not in text_of(client.get(at(rows[0])))


def test_a_kind_that_there_is_not_is_no_page(client, rows):
    assert client.get(new_at(rows[0].set, "essay")).status_code == 404


def test_somebody_elses_picture_is_refused_and_the_words_stay(client, rows):
    foreign = bank.picture(bank.question_set().owner)
    entries = replace(entries_of(SAMPLES[0]), picture=foreign.ref, alt="A map", stem="Kept words?")

    answer = client.post(at(rows[0]), form(entries, base=1, act="save"))

    assert answer.status_code == 422
    assert "Choose it again." in text_of(answer)
    assert "\nKept words?</textarea>" in text_of(answer)


def test_a_file_that_is_no_picture_is_refused_and_the_words_stay(client, rows):
    sent = form(entries_of(SAMPLES[0]), base=1, act="picture:send", stem="Kept words?")
    sent["picture_file"] = SimpleUploadedFile("notes.png", b"no picture at all")

    answer = client.post(at(rows[0]), sent)

    assert answer.status_code in (415, 422)
    assert "\nKept words?</textarea>" in text_of(answer)


def test_a_picture_is_taken_out(client, rows):
    mine = bank.picture(rows[0].set.owner)
    entries = replace(entries_of(SAMPLES[0]), picture=mine.ref, alt="A map")

    text = text_of(client.post(at(rows[0]), form(entries, base=1, act="picture:out")))

    assert mine.ref not in text
    assert "A map" not in text


def test_a_colleague_who_saved_meanwhile_is_named_before_one_saves(client, rows, actor):
    draft = replace(entries_of(SAMPLES[0]), stem="Mine?")
    keep_draft(actor=actor, question_id=rows[0].pk, entries=draft, base=1, seen=None)
    colleague = TeacherActor(bank.shared(rows[0].set, right="edit"))
    save_question(
        actor=colleague,
        question_id=rows[0].pk,
        question=replace(SAMPLES[0], stem="Theirs?"),
        base=1,
    )

    text = text_of(client.get(at(rows[0])))

    assert "Somebody has saved version 2 meanwhile." in text
    assert 'name="base" value="1"' in text


def test_queries_do_not_grow_with_the_set(client, rows):
    counts = []
    for more in (1, 3):
        bank.questions(rows[0].set, *(bank.single(f"More {more} {n}?") for n in range(more)))
        with CaptureQueriesContext(connection) as queries:
            client.get(at(rows[0]))
        counts.append(len(queries))

    assert counts[0] == counts[1]
    assert counts[0] <= 12
