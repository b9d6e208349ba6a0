"""Pages of the bank: what they show, what they do, and what they ask of the database."""

from __future__ import annotations

from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from classroom.access import TeacherActor
from classroom.models import Job
from classroom.services.jobs import run as run_job
from quizzes.entries import Entries
from quizzes.models import Question, QuestionSet, SetShare
from quizzes.selectors.questions import in_set, newest
from quizzes.services import acts
from quizzes.services.acts import Wish
from quizzes.services.arranging import archive_questions
from quizzes.services.drafts import keep_new_draft
from quizzes.services.sets import archive_set
from quizzes.views import bank as bank_pages
from tests.factories import bank, people
from tests.permissions.world import logged_in
from tests.quizzes.formats.samples import SAMPLES

pytestmark = pytest.mark.django_db


def page_of(client, address, status=200):
    answer = client.get(address)
    assert answer.status_code == status
    return unescape(answer.content.decode())


def post(client, address, **data):
    return client.post(address, data, follow=True)


def ticked(question_set, rows, **more):
    return {"set": question_set.pk, "question": [row.pk for row in rows], **more}


def fill(teacher, rows):
    """``rows`` of everything that the pages list; the first set of the teacher's own."""
    question_set = bank.question_set(owner=teacher, title="A")
    bank.questions(
        question_set,
        *(bank.single(f"{n}?", topics=(f"t{n}", "both"), language="fr") for n in range(rows)),
        *(bank.single(f"{n}?", topics=("both",)) for n in range(rows)),
    )
    gone = bank.questions(question_set, *(bank.single(f"Gone {n}?") for n in range(rows)))
    archive_questions(actor=TeacherActor(teacher), question_ids=[row.pk for row in gone])
    for number in range(rows):
        bank.shared(question_set)
        bank.shared(bank.question_set(title=f"B{number}"), teacher=teacher)
        bank.questions(bank.question_set(site_wide=True, title=f"C{number}"), bank.single("7?"))
        bank.built_in_set()
        away = bank.question_set(owner=teacher, title=f"D{number}")
        archive_set(actor=TeacherActor(teacher), set_id=away.pk)
        people.co_teacher(people.classroom(owner=teacher))
    return question_set


PAGES = [
    "/questions/",
    "/questions/?show=archive",
    "/questions/?q=?",
    "/questions/duplicates/",
    "/questions/sets/{set}/",
    "/questions/sets/{set}/?topic=both",
    "/questions/sets/{set}/?show=archive",
    "/questions/sets/{set}/?show=order",
    "/questions/sets/{set}/settings/",
    "/questions/sets/{set}/share/",
    "/questions/sets/{set}/duplicates/",
]


@pytest.mark.case("LD-08")
@pytest.mark.parametrize("page", PAGES)
def test_page_asks_as_much_for_three_rows_as_for_one(page):
    asked = []
    for rows in (1, 3):
        teacher = people.teacher()
        question_set = fill(teacher, rows)
        client = logged_in(teacher)
        with CaptureQueriesContext(connection) as queries:
            page_of(client, page.format(set=question_set.pk))
        asked.append(len(queries))

    assert asked[0] == asked[1]
    assert asked[0] <= 16


def test_sets_stand_on_the_shelf_they_come_from():
    teacher = people.teacher()
    bank.question_set(owner=teacher, title="Own")
    bank.shared(bank.question_set(title="Of a colleague"), teacher=teacher, right="edit")
    bank.questions(bank.question_set(title="Of somebody", site_wide=True, credit="Ms Okafor"))
    bank.starter()
    bank.question_set(title="Foreign")
    bank.question_set(title="Empty", site_wide=True)
    bank.built_in_set(title="Empty too")

    shelves = logged_in(teacher).get("/questions/").context["shelves"]

    assert [line.set.title for line in shelves.own] == ["Own"]
    assert [line.set.title for line in shelves.shared] == ["Of a colleague"]
    assert [line.set.title for line in shelves.everybodys] == ["Starter", "Of somebody"]


def test_first_page_of_a_new_teacher_offers_the_first_set():
    page = page_of(logged_in(people.teacher()), "/questions/")

    assert "Your sets will be here." in page
    assert 'href="/questions/sets/new/"' in page


def test_new_set_opens_empty_and_says_what_to_do():
    client = logged_in(people.teacher())

    answer = post(client, "/questions/sets/new/", title="Votes", language="fr", note="")

    assert answer.redirect_chain == [(f"/questions/sets/{QuestionSet.objects.get().pk}/", 302)]
    assert "The questions of this set will be here." in answer.content.decode()


def test_set_without_a_title_is_not_made():
    answer = post(logged_in(people.teacher()), "/questions/sets/new/", title=" ", note="")

    assert answer.status_code == 422
    assert not QuestionSet.objects.exists()


def test_question_that_was_begun_is_offered_on_the_page_of_its_set():
    question_set = bank.question_set()
    colleague = bank.shared(question_set, right="edit")
    kept = keep_new_draft(
        actor=TeacherActor(question_set.owner),
        set_id=question_set.pk,
        draft_id=None,
        entries=Entries(kind="short", stem="Half of a que"),
        seen=None,
    )

    page = page_of(logged_in(question_set.owner), f"/questions/sets/{question_set.pk}/")
    theirs = page_of(logged_in(colleague), f"/questions/sets/{question_set.pk}/")

    assert f"/questions/sets/{question_set.pk}/new/short/?draft={kept.pk}" in page
    assert "Half of a que" in page
    assert "Half of a que" not in theirs


def test_texts_of_questions_are_shown_escaped_and_in_their_language():
    question_set = bank.question_set()
    bank.questions(
        question_set, bank.single("<b>Who</b> **votes**?", choices=("<i>A</i>", "B"), language="ar")
    )

    answer = logged_in(question_set.owner).get(f"/questions/sets/{question_set.pk}/")

    page = answer.content.decode()
    assert "&lt;b&gt;Who&lt;/b&gt; votes?" in page
    assert "&lt;i&gt;A&lt;/i&gt;" in page
    assert 'lang="ar"' in page


def test_every_kind_of_question_shows_what_is_right():
    question_set = bank.question_set()
    bank.questions(question_set, *SAMPLES)

    page = page_of(logged_in(question_set.owner), f"/questions/sets/{question_set.pk}/")

    for right in ("Every citizen & resident", "Press", "True", "Lutetia", "1789", "judges", "bill"):
        assert right in page


def test_long_list_is_read_in_pages(monkeypatch):
    monkeypatch.setattr(bank_pages, "A_PAGE", 2)
    question_set = bank.question_set()
    bank.questions(question_set, *(bank.single(f"Question {n}?") for n in range(5)))
    client = logged_in(question_set.owner)
    address = f"/questions/sets/{question_set.pk}/"

    pages = [page_of(client, f"{address}?page={page}") for page in (1, 2, 3, 9)]

    shown = [[n for n in range(5) if f"Question {n}?" in page] for page in pages]
    assert shown == [[0, 1], [2, 3], [4], [4]]


def test_search_keeps_what_was_asked_and_says_when_nothing_is_found():
    question_set = bank.question_set()
    bank.questions(question_set, bank.single("Les élections?"), bank.single("Taxes?"))
    client = logged_in(question_set.owner)

    found = page_of(client, f"/questions/sets/{question_set.pk}/?q=ELECTIONS")
    nothing = page_of(client, "/questions/?q=zebra")

    assert "Les élections?" in found
    assert "Taxes?" not in found
    assert 'value="ELECTIONS"' in found
    assert "No question has all of that." in nothing


def test_topic_that_no_question_has_any_more_counts_as_none():
    question_set = bank.question_set()
    bank.questions(question_set, bank.single("Who votes?"))

    page = page_of(logged_in(question_set.owner), f"/questions/sets/{question_set.pk}/?topic=gone")

    assert "Who votes?" in page


# -- acts on many ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("act", "told"),
    [
        ("tag", "A topic was added to 2 questions."),
        ("untag", "A topic was taken off 2 questions."),
        ("move", "2 questions were moved."),
        ("copy", "2 questions were copied."),
        ("archive", "2 questions are in the archive now."),
    ],
)
def test_act_on_ticked_questions_tells_what_it_did(act, told):
    question_set = bank.question_set()
    other = bank.question_set(owner=question_set.owner)
    rows = bank.questions(question_set, *(bank.single(f"{n}?", topics=("old",)) for n in range(3)))
    topic = "old" if act == "untag" else "new, newer"

    answer = post(
        logged_in(question_set.owner),
        "/questions/act/",
        **ticked(question_set, rows[:2], act=act, topic=topic, to=other.pk, asked="order=text"),
    )

    assert told in answer.content.decode()
    assert answer.redirect_chain == [(f"/questions/sets/{question_set.pk}/?order=text", 302)]


def test_tagged_questions_have_all_topics_that_were_typed():
    question_set = bank.question_set()
    rows = bank.questions(question_set)

    post(
        logged_in(question_set.owner), "/questions/act/",
        **ticked(question_set, rows, act="tag", topic=" rights ,  local   votes"),
    )  # fmt: skip

    assert newest(Question.objects.all())[0].topics == ("rights", "local votes")


def test_act_on_the_whole_list_reaches_its_other_pages_and_nothing_else(monkeypatch):
    monkeypatch.setattr(bank_pages, "A_PAGE", 2)
    question_set = bank.question_set()
    bank.questions(
        question_set, *(bank.single(f"Tax {n}?") for n in range(5)), bank.single("Vote?")
    )

    post(
        logged_in(question_set.owner), "/questions/act/",
        set=question_set.pk, all="1", act="archive", asked="q=tax",
    )  # fmt: skip

    assert [question.stem for question in in_set(question_set)] == ["Vote?"]


@pytest.mark.parametrize("act", ["tag", "untag", "move", "copy", "archive"])
def test_act_on_very_many_is_done_by_the_worker_and_told_on_the_list(monkeypatch, act):
    monkeypatch.setattr(acts, "SMALL_QUESTIONS", 1)
    question_set = bank.question_set()
    other = bank.question_set(owner=question_set.owner, title="Other")
    rows = bank.questions(question_set, *(bank.single(f"{n}?", topics=("old",)) for n in range(2)))
    client = logged_in(question_set.owner)
    data = ticked(
        question_set, rows, act=act, topic="old" if act == "untag" else "new", to=other.pk
    )
    waiting = post(client, "/questions/act/", **data)
    before = newest(Question.objects.all())

    run_job(Job.objects.get().pk)
    ended = client.get(waiting.request["PATH_INFO"], follow=True)

    assert "The questions are being changed." in waiting.content.decode()
    assert [one.topics for one in before] == [("old",), ("old",)]
    assert ended.redirect_chain == [(f"/questions/sets/{question_set.pk}/", 302)]
    assert "2 questions" in str(next(iter(ended.context["messages"])))
    assert not Job.objects.exists()
    assert client.get(waiting.request["PATH_INFO"]).status_code == 404


def test_act_that_the_worker_could_not_do_says_why(monkeypatch):
    monkeypatch.setattr(acts, "SMALL_QUESTIONS", 1)
    question_set = bank.question_set()
    topics = tuple(f"t{n}" for n in range(20))
    rows = bank.questions(question_set, *(bank.single(f"{n}?", topics=topics) for n in range(2)))
    client = logged_in(question_set.owner)
    waiting = post(
        client, "/questions/act/", **ticked(question_set, rows, act="tag", topic="one more")
    )

    run_job(Job.objects.get().pk)
    ended = client.get(waiting.request["PATH_INFO"], headers={"hx-request": "true"})

    assert ended.headers["hx-redirect"] == f"/questions/sets/{question_set.pk}/"
    assert "as many topics as it can hold" in page_of(client, f"/questions/sets/{question_set.pk}/")


def test_copies_are_made_once_if_the_worker_dies_after_them(monkeypatch):
    monkeypatch.setattr(acts, "SMALL_QUESTIONS", 1)
    question_set = bank.question_set()
    other = bank.question_set(owner=question_set.owner, title="Other")
    rows = bank.questions(question_set, bank.single("One?"), bank.single("Two?"))
    wish = Wish(act="copy", question_ids=tuple(row.pk for row in rows), to=other.pk)
    job = acts.act_or_start(actor=TeacherActor(question_set.owner), wish=wish, back="/questions/")

    for _time in range(2):
        acts.act_all(Job.objects.get(pk=job.pk), lambda _part: None)

    assert [question.stem for question in in_set(other)] == ["One?", "Two?"]


def away(*stems: str):
    """A set with questions in its archive, and its owner's browser."""
    question_set = bank.question_set()
    rows = bank.questions(question_set, *map(bank.single, stems))
    archive_questions(actor=TeacherActor(question_set.owner), question_ids=[r.pk for r in rows])
    return question_set, rows, logged_in(question_set.owner)


def test_deleting_for_good_is_asked_again_with_names_and_number():
    question_set, rows, client = away(*(f"Number {n:02}?" for n in range(12)))
    data = ticked(question_set, rows[:11], act="delete", asked="show=archive")

    page = client.post("/questions/act/", data)

    words = page.content.decode()
    assert [f"Number {n:02}?" in words for n in range(12)] == [True] * 10 + [False] * 2
    assert "Delete 11 questions for good?" in words
    assert "and 1 more" in words
    assert f'href="/questions/sets/{question_set.pk}/?show=archive"' in words
    assert Question.objects.count() == 12
    again = {
        name: [value for known, value in page.context["fields"] if known == name]
        for name, _value in page.context["fields"]
    }
    client.post("/questions/act/", {**again, "sure": "11"})
    assert [question.stem for question in Question.objects.all()] == ["Number 11?"]


def test_whole_list_that_grew_meanwhile_is_asked_about_anew():
    question_set, _rows, client = away("One?", "Two?")
    everything = {"act": "delete", "all": "1", "set": str(question_set.pk), "asked": "show=archive"}

    page = client.post("/questions/act/", {**everything, "sure": "1"})
    assert "Delete 2 questions for good?" in page.content.decode()
    assert Question.objects.count() == 2
    client.post("/questions/act/", {**everything, "sure": "2"})

    assert not Question.objects.exists()


def test_archived_questions_are_brought_back_or_deleted_from_their_list():
    question_set, rows, client = away("One?", "Two?")

    for act, row in (("restore", rows[0]), ("delete", rows[1])):
        data = ticked(question_set, [row], act=act, asked="show=archive", sure="1")
        answer = post(client, "/questions/act/", **data)
        assert answer.redirect_chain[0][0].endswith("?show=archive")

    assert [question.stem for question in Question.objects.all()] == ["One?"]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"act": "archive", "question": []}, "Tick the questions first."),
        ({"act": "tag", "topic": " , "}, "Type a topic first"),
        ({"act": "tag", "topic": "x" * 61}, "A topic is up to 60 characters"),
        ({"act": "move", "to": ""}, "Choose a set first."),
        ({"all": "1", "act": "archive", "set": "", "question": []}, "Tick the questions first."),
    ],
)
def test_act_without_what_it_needs_changes_nothing_and_says_so(data, told):
    question_set = bank.question_set()
    rows = bank.questions(question_set)

    answer = post(
        logged_in(question_set.owner), "/questions/act/", **{**ticked(question_set, rows), **data}
    )

    assert told in answer.content.decode()
    assert Question.objects.get().number == 1
    assert in_set(question_set).count() == 1


def test_act_on_a_set_that_is_only_seen_is_refused_in_words():
    question_set = bank.question_set(site_wide=True)
    rows = bank.questions(question_set)

    answer = post(
        logged_in(people.teacher()), "/questions/act/", **ticked(question_set, rows, act="archive")
    )

    assert "You cannot do this here." in answer.content.decode()
    assert in_set(question_set).count() == 1


@pytest.mark.parametrize("value", ["nonsense", ""])
def test_act_on_what_is_no_question_is_not_there(value):
    question_set = bank.question_set()

    answer = logged_in(question_set.owner).post(
        "/questions/act/", {"set": question_set.pk, "question": [value], "act": "archive"}
    )

    assert answer.status_code == 404


def test_order_is_changed_from_its_own_list():
    question_set = bank.question_set()
    one, _two = bank.questions(question_set, bank.single("One?"), bank.single("Two?"))

    answer = post(logged_in(question_set.owner), f"/questions/{one.pk}/place/", step="1", page="1")

    assert [question.stem for question in in_set(question_set)] == ["Two?", "One?"]
    assert answer.redirect_chain[0][0].endswith(f"?show=order&page=1#q-{one.pk}")


def test_questions_there_twice_are_put_away_from_their_list():
    question_set = bank.question_set()
    rows = bank.questions(question_set, bank.single("Who?"), bank.single("who"))
    client = logged_in(question_set.owner)

    page = page_of(client, "/questions/duplicates/")
    answer = post(client, "/questions/act/", question=[rows[1].pk], act="archive", on="duplicates")

    assert page.count("checked") == 1
    assert answer.redirect_chain == [("/questions/duplicates/", 302)]
    assert "Every question is there once." in answer.content.decode()


# -- one set ---------------------------------------------------------------------------------------


def test_set_is_shared_by_address_and_the_right_changed_and_ended():
    question_set, colleague = bank.question_set(), people.teacher(name="Ana")
    client, address = logged_in(question_set.owner), f"/questions/sets/{question_set.pk}"

    told = post(client, f"{address}/share/", email=colleague.email, right="view").content.decode()
    post(client, f"{address}/teachers/{colleague.pk}/", act="edit")
    right = SetShare.objects.get().right
    post(client, f"{address}/teachers/{colleague.pk}/", act="remove")

    assert "The set is shared with Ana." in told
    assert right == "edit"
    assert not SetShare.objects.exists()


def test_set_is_handed_over_from_the_page_for_sharing():
    question_set = bank.question_set()
    client, colleague = logged_in(question_set.owner), bank.shared(question_set)

    answer = post(
        client, f"/questions/sets/{question_set.pk}/teachers/{colleague.pk}/", act="hand-over"
    )

    assert answer.status_code == 200
    assert QuestionSet.objects.get().owner == colleague


def test_address_that_nobody_has_is_named_beside_the_field():
    question_set = bank.question_set()

    answer = post(
        logged_in(question_set.owner), f"/questions/sets/{question_set.pk}/share/",
        email="nobody@school.example", right="view",
    )  # fmt: skip

    assert answer.status_code == 422
    assert "No teacher of this site has this e-mail address." in answer.content.decode()


@pytest.mark.parametrize(("signup", "seen"), [("invite", True), ("open", False)])
def test_a_colleague_is_picked_by_name_and_no_address_is_told(settings, signup, seen):
    settings.SIGNUP = signup
    question_set = bank.question_set()
    owner = question_set.owner
    near = people.co_teacher(people.classroom(owner=owner))
    stranger = people.teacher(name="Ada Stranger", email="stranger@school.example")
    gone = people.teacher(name="Gone", is_active=False)
    client, address = logged_in(owner), f"/questions/sets/{question_set.pk}/share/"

    page = page_of(client, address)
    told = post(client, address, teacher=near.pk, right="edit").content.decode()
    refused = post(client, address, teacher=gone.pk, right="view")

    assert str(near.pk) in page
    assert (str(stranger.pk) in page) is seen
    assert not [one for one in (near.email, stranger.email, gone.name) if one in page]
    assert f"shared with {near.name}" in told
    assert refused.status_code == 422
    assert [(one.teacher, one.right) for one in SetShare.objects.all()] == [(near, "edit")]


def test_sharing_with_nobody_is_told_beside_the_field():
    question_set = bank.question_set()

    answer = post(
        logged_in(question_set.owner), f"/questions/sets/{question_set.pk}/share/", right="view"
    )

    assert answer.status_code == 422
    assert "type an e-mail address." in answer.content.decode()


def test_set_is_opened_to_every_teacher_with_credit_alone():
    question_set = bank.question_set()
    client, address = logged_in(question_set.owner), f"/questions/sets/{question_set.pk}/publish/"

    refused = post(client, address, site_wide="on", credit="")
    done = post(client, address, site_wide="on", credit="Ms Okafor")

    assert refused.status_code == 422
    assert "Say who made these questions" in refused.content.decode()
    assert done.status_code == 200
    assert "Ms Okafor" in page_of(
        logged_in(people.teacher()), f"/questions/sets/{question_set.pk}/"
    )


def test_set_that_is_only_seen_offers_a_copy_and_no_change():
    question_set = bank.question_set(site_wide=True)
    bank.questions(question_set)
    client, address = logged_in(people.teacher()), f"/questions/sets/{question_set.pk}/"

    page = page_of(client, address)
    copied = post(client, f"{address}copy/")

    assert "Copy to change it" in page
    assert "Into the archive" not in page
    assert "Settings of the set" not in page
    assert "Here is your own copy." in copied.content.decode()


def test_set_goes_into_the_archive_and_comes_back():
    question_set = bank.question_set()
    client, address = logged_in(question_set.owner), f"/questions/sets/{question_set.pk}/"

    post(client, f"{address}archive/", archived="1")
    away = page_of(client, "/questions/?show=archive")
    page = page_of(client, address)
    post(client, f"{address}archive/", archived="0")

    assert "Votes" in away
    assert "This set is in the archive." in page
    question_set.refresh_from_db()
    assert question_set.archived_at is None


def test_set_is_deleted_only_with_its_title():
    question_set = bank.question_set()
    client, address = logged_in(question_set.owner), f"/questions/sets/{question_set.pk}/delete/"

    refused = post(client, address, title="Vote")
    done = post(client, address, title="Votes")

    assert (refused.status_code, done.status_code) == (422, 200)
    assert "That is not the title of the set." in refused.content.decode()
    assert not QuestionSet.objects.exists()


def test_colleague_leaves_a_set():
    question_set = bank.question_set()
    colleague = bank.shared(question_set, right="edit")

    answer = post(
        logged_in(colleague),
        f"/questions/sets/{question_set.pk}/teachers/{colleague.pk}/",
        act="remove",
    )

    assert answer.redirect_chain == [("/questions/", 302)]
    assert not SetShare.objects.exists()
