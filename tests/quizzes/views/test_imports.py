"""Bringing questions in: seen and mended before anything is saved, then all at once."""

from __future__ import annotations

import io
import re
from html import unescape

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from openpyxl import Workbook

from classroom.models import Job
from quizzes.models import ImportDraft, Question, QuestionSet
from quizzes.selectors.questions import in_set
from quizzes.services import imports as services
from quizzes.services.imports import reading, saving
from tests.factories import bank, people
from tests.permissions.world import logged_in

pytestmark = pytest.mark.django_db

PASTED = "1. Who votes?\na) Nobody\n*b) Citizens\n\n2. Who pays?\na) All\nb) Some\n"
SHEET = "question,answer 1,answer 2,right\nWho votes?,Nobody,Citizens,2\nWho pays?,All,All,1\n"


@pytest.fixture
def teacher():
    return people.teacher()


@pytest.fixture
def client(teacher):
    return logged_in(teacher)


def text_of(answer):
    return unescape(answer.content.decode())


def send(client, *files, text="", **more):
    sent = [SimpleUploadedFile(name, data.encode()) for name, data in files]
    return client.post(
        reverse("quizzes:import"), {"files": sent, "text": text, **more}, follow=True
    )


def at(name, draft):
    by_file = name in ("read_import", "import_row")
    return reverse(f"quizzes:{name}", args=[draft.pk if by_file else draft.batch])


def paste(client, text=PASTED, **more):
    send(client, text=text, **more)
    return ImportDraft.objects.latest("created_at")


def stems():
    return list(Question.objects.order_by("position").values_list("stem", flat=True))


def test_the_preview_shows_good_rows_and_how_to_mend_the_others(client):
    text = text_of(send(client, text=PASTED))

    assert "1 good question" in text
    assert "1 to be corrected" in text
    assert "No answer is marked as right." in text
    assert "\n2. Who pays?" in text or "Who pays?\na) All" in text
    assert not Question.objects.exists()


def test_a_good_row_tells_what_is_right_and_what_was_left_out(client):
    text = "1. Who votes?\na) Nobody\n*b) Citizens\n*c) Women\nDifficulty: very\n\n2. Blue. (F)\n"

    page = text_of(send(client, text=text))

    told = re.findall(r'<span class="bank__right">(.*?)</summary>', page)
    assert [re.findall("<bdi>(.*?)</bdi>", line) for line in told] == [
        ["Citizens", "Women"],
        ["False"],
    ]
    assert 'This entry was left out: difficulty. <q dir="auto">very</q>' in page


def workbook(*rows):
    book = Workbook()
    for row in rows:
        book.active.append(row)
    kept = io.BytesIO()
    book.save(kept)
    return kept.getvalue()


@pytest.mark.parametrize(
    ("language", "in_text", "in_workbook", "good"),
    [
        ("en", "row 2, column B", "cell B2", "row 3"),
        ("fr", "ligne 2, colonne B", "cellule B2", "ligne 3"),
        ("ar", "الصف 2، العمود B", "الخلية B2", "الصف 3"),
    ],
)
def test_a_place_in_a_table_is_named_as_spreadsheets_name_it(
    client, language, in_text, in_workbook, good
):
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    rows = (
        ["question", "right", "choice 1", "choice 2"],
        ["Who votes?", "7", "All", "Some"],
        ["Who pays?", "1", "All", "Some"],
    )
    text = "\n".join(",".join(row) for row in rows).encode()
    for name, data, place in (("a.csv", text, in_text), ("a.xlsx", workbook(*rows), in_workbook)):
        file = SimpleUploadedFile(name, data)

        page = client.post(reverse("quizzes:import"), {"files": [file], "text": ""}, follow=True)

        places = re.findall(r"· <bdi>(.*?)</bdi>", text_of(page))
        assert places == [place, good]


def test_good_rows_go_into_a_new_set_and_the_others_wait(client):
    draft = paste(client)

    page = client.post(at("save_import", draft), {"title": "Votes"}, follow=True)

    assert stems() == ["Who votes?"]
    assert "1 question is saved in “Votes”." in text_of(page)
    assert "The rows below are not saved yet." in text_of(page)
    assert ImportDraft.objects.filter(pk=draft.pk).exists()


def test_a_mended_row_is_good(client):
    draft = paste(client)
    block = "1. Who pays?\n*a) All\nb) Some"

    page = client.post(
        at("import_row", draft), {"number": "2", "act": "mend", "block": block}, follow=True
    )
    client.post(at("save_import", draft), {"title": "Votes"})

    assert "corrected" in text_of(page)
    assert stems() == ["Who votes?", "Who pays?"]
    assert not ImportDraft.objects.exists()


def test_a_mended_row_comes_back_alone_with_the_counts(client):
    draft = paste(client)

    part = client.post(
        at("import_row", draft),
        {"number": "2", "act": "mend", "block": "1. Who pays?\n*a) All\nb) Some"},
        headers={"HX-Request": "true"},
    )

    text = text_of(part)
    assert 'id="row-2"' in text
    assert 'hx-swap-oob="true"' in text
    assert "2 good questions" in text


def test_a_row_that_is_still_wrong_says_so_and_keeps_the_words(client):
    draft = paste(client)

    page = client.post(
        at("import_row", draft),
        {"number": "2", "act": "mend", "block": "1. Who pays?\na) <All>\nb) Some"},
        follow=True,
    )

    assert "a) &lt;All&gt;" in page.content.decode()


def test_a_row_can_be_left_out_and_taken_in_again(client):
    draft = paste(client)
    client.post(at("import_row", draft), {"number": "1", "act": "leave"})
    assert "There is no question to save yet." in text_of(
        client.post(at("save_import", draft), {"title": "Votes"}, follow=True)
    )

    client.post(at("import_row", draft), {"number": "1", "act": "take"})
    client.post(at("save_import", draft), {"title": "Votes"})

    assert stems() == ["Who votes?"]


def test_the_cells_of_a_table_are_mended_one_by_one(client):
    send(client, ("sheet.csv", SHEET))
    draft = ImportDraft.objects.get()
    page = text_of(client.get(at("preview_import", draft)))
    assert 'name="cell"' in page

    client.post(
        at("import_row", draft),
        {"number": "2", "act": "mend", "cell": ["Who pays?", "All", "Some", "1"]},
    )
    client.post(at("save_import", draft), {"title": "Votes"})

    assert stems() == ["Who votes?", "Who pays?"]


def test_several_files_are_looked_at_one_by_one_and_saved_together(client):
    send(client, ("a.txt", PASTED), ("b.csv", SHEET))
    first, second = ImportDraft.objects.order_by("position")

    page = text_of(client.get(at("preview_import", first), {"file": second.position}))
    client.post(at("save_import", first), {"title": "Votes"})

    assert "Read as CSV" in page
    assert stems() == ["Who votes?", "Who votes?"]


def test_a_file_can_be_read_again_in_another_encoding(client):
    sent = SimpleUploadedFile("old.txt", "1. Žluťoučký?\n*a) ano\nb) ne\n".encode("cp1250"))
    client.post(reverse("quizzes:import"), {"files": [sent]})
    draft = ImportDraft.objects.get()

    page = client.post(
        at("read_import", draft), {"format": "text", "encoding": "windows-1250"}, follow=True
    )

    assert "Žluťoučký?" in text_of(page)


def test_the_same_file_again_asks_what_to_do(client, teacher):
    target = bank.question_set(owner=teacher)
    client.post(at("save_import", paste(client)), {"set": target.pk})
    again = paste(client, set=target.pk)

    asked = client.post(at("save_import", again), {"set": target.pk})

    assert asked.status_code == 409
    assert f'name="again-{again.pk}" value="replace"' in text_of(asked)
    assert in_set(target).count() == 1


@pytest.mark.parametrize(("what", "count"), [("replace", 1), ("add", 2), ("skip", 1)])
def test_the_same_file_is_replaced_added_or_skipped(client, teacher, what, count):
    target = bank.question_set(owner=teacher)
    client.post(at("save_import", paste(client)), {"set": target.pk})
    again = paste(client, set=target.pk)

    client.post(at("save_import", again), {"set": target.pk, f"again-{again.pk}": what})

    assert in_set(target).count() == count


def test_nothing_sent_is_told(client):
    answer = send(client)

    assert answer.status_code == 422
    assert "Choose a file, or paste your questions." in text_of(answer)


@pytest.mark.case("UP-11")
def test_a_file_without_questions_is_never_silently_empty(client):
    text = text_of(send(client, ("x.bin", "\x00\x01 nothing")))

    assert "0 good questions" in text
    assert "The format was not found" in text or "No question was found." in text
    assert "Save the good ones" not in text


def test_an_import_that_is_given_up_leaves_nothing(client):
    draft = paste(client)

    client.post(at("give_up_import", draft))

    assert not ImportDraft.objects.exists()
    assert not services.path_of(draft.pk).exists()
    assert not QuestionSet.objects.exists()


def test_a_large_file_is_read_by_the_worker_while_the_page_waits(
    client, monkeypatch, django_capture_on_commit_callbacks
):
    monkeypatch.setattr(reading, "SMALL_BYTES", 10)

    page = send(client, text=PASTED)

    assert "The files are being read." in text_of(page)
    assert Job.objects.get().kind == services.JOB


def test_an_import_that_waits_is_offered_again(client):
    draft = paste(client)

    assert at("preview_import", draft) in text_of(client.get(reverse("quizzes:import")))


def test_words_of_a_file_are_only_words(client):
    evil = "1. <script>alert(1)</script>?\n*a) <img src=x onerror=alert(1)>\nb) ok\n"

    page = send(client, ('"><script>.txt', evil))

    assert "<script>alert" not in page.content.decode()
    assert "<img src=x" not in page.content.decode()


def test_queries_do_not_grow_with_the_rows(client):
    counts = []
    for rows in (1, 3):
        draft = paste(
            client, "".join(f"{n}. Who {n}?\n*a) I\nb) You\n\n" for n in range(1, rows + 1))
        )
        with CaptureQueriesContext(connection) as queries:
            client.get(at("preview_import", draft))
        counts.append(len(queries))

    assert counts[0] == counts[1]


@pytest.mark.parametrize("odd", ["9" * 5_000, "-1", "two", ""])
def test_a_number_that_is_none_opens_the_first_file(client, odd):
    draft = paste(client)

    assert client.get(at("preview_import", draft), {"file": odd}).status_code == 200


def save_many(client, draft, **more):
    return client.post(at("save_import", draft), {"title": "Votes", **more}, follow=True)


def test_many_questions_are_saved_by_the_worker_and_the_page_goes_on(client, monkeypatch):
    monkeypatch.setattr(saving, "SMALL_QUESTIONS", 0)
    draft = paste(client)

    waiting = save_many(client, draft)
    again = save_many(client, draft)
    asked = client.get(at("preview_import", draft), headers={"HX-Request": "true"})

    assert "They appear in the set all at once" in text_of(waiting)
    assert "The files are being read" not in text_of(asked)
    assert (again.redirect_chain != [], Job.objects.count(), stems()) == (True, 1, [])

    services.save_all(Job.objects.get(), lambda _part: None)
    Job.objects.update(state=Job.State.DONE)
    refreshed = client.get(at("preview_import", draft), headers={"HX-Request": "true"})
    told = client.get(at("preview_import", draft), follow=True)

    assert refreshed.headers["HX-Refresh"] == "true"
    assert "1 question is saved in “Votes”." in text_of(told)
    assert "The rows below are not saved yet." in text_of(told)
    assert (stems(), Job.objects.count()) == (["Who votes?"], 0)


def test_a_worker_that_ends_before_its_sign_saves_nothing_twice(client, monkeypatch):
    monkeypatch.setattr(saving, "SMALL_QUESTIONS", 0)
    save_many(client, paste(client))
    services.save_all(Job.objects.get(), lambda _part: None)

    services.save_all(Job.objects.get(), lambda _part: None)

    assert stems() == ["Who votes?"]


def test_why_the_worker_saved_nothing_is_told_once_above_the_rows(client, monkeypatch):
    monkeypatch.setattr(saving, "SMALL_QUESTIONS", 0)
    draft = paste(client)
    save_many(client, draft)
    Job.objects.update(state=Job.State.FAILED, message="No room.")

    first = client.get(at("preview_import", draft), follow=True)
    second = client.get(at("preview_import", draft))

    assert "No room." in text_of(first)
    assert "Who votes?" in text_of(first)
    assert "No room." not in text_of(second)


def test_nobody_else_sees_what_the_worker_saves(client, monkeypatch):
    monkeypatch.setattr(saving, "SMALL_QUESTIONS", 0)
    draft = paste(client)
    save_many(client, draft)

    assert logged_in(people.teacher()).get(at("preview_import", draft)).status_code == 404
