"""Finding questions, and questions that ask the same."""

from __future__ import annotations

from decimal import Decimal

import pytest

from classroom.access import TeacherActor
from quizzes.formats.question import Numeric, TrueFalse
from quizzes.selectors.questions import duplicates, find, languages, newest, topics, versions
from quizzes.services.arranging import archive_questions
from quizzes.services.editing import save_question
from quizzes.services.sets import archive_set
from tests.factories import bank, people

pytestmark = pytest.mark.django_db


def stems(questions):
    return [question.stem for question in questions]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("ELECTIONS", ["Les élections"]),
        ("élections libres", ["Les élections"]),
        ("libres elections", ["Les élections"]),
        ("الانتخابات", ["ما هي الاِنْتِخَابَات؟"]),
        ("إنتخابات", ["ما هي الاِنْتِخَابَات؟"]),
        ("strasse", ["Straße"]),
        ("bold", ["So **bo**ld"]),
        ("100%", ["100% or 50_?"]),
        ("0_", ["100% or 50_?"]),
        ("article 21", ["Les élections"]),
        ("rights", ["Straße"]),
        ("elections straße", []),
        ("   ", ["Les élections", "ما هي الاِنْتِخَابَات؟", "Straße", "So **bo**ld", "100% or 50_?"]),
    ],
)
def test_search_folds_case_accents_and_arabic_marks(query, found):
    question_set = bank.question_set()
    bank.questions(
        question_set,
        bank.single("Les élections", choices=("libres", "non"), explanation="Article 21"),
        bank.single("ما هي الاِنْتِخَابَات؟"),
        bank.single("Straße", topics=("Rights",)),
        bank.single("So **bo**ld"),
        bank.single("100% or 50_?"),
    )

    assert stems(find(question_set.owner, query=query)) == found


def test_filters_narrow_together():
    question_set = bank.question_set()
    bank.questions(
        question_set,
        bank.single("One?", topics=("Taxes",), difficulty=1, language="en"),
        bank.single("Two?", topics=("taxes",), difficulty=3, language="en"),
        TrueFalse(stem="Three.", right=True, topics=("taxes",), difficulty=3, language="fr"),
    )

    def found(**asked):
        return stems(find(question_set.owner, question_set=question_set, **asked))

    assert found(topic="TAXES") == ["One?", "Two?", "Three."]
    assert found(topic="taxes", difficulty=3) == ["Two?", "Three."]
    assert found(difficulty=3, language="en", kind="single") == ["Two?"]
    assert found(kind="true-false") == ["Three."]


def test_search_over_all_sets_reaches_what_the_teacher_may_see_and_no_more():
    teacher = people.teacher()
    mine = bank.question_set(owner=teacher, title="A")
    shared = bank.question_set(title="B")
    bank.shared(shared, teacher=teacher)
    away = bank.question_set(owner=teacher, title="C")
    for question_set, stem in (
        (mine, "Mine?"), (shared, "Shared?"), (away, "Away?"),
        (bank.question_set(title="D"), "Foreign?"),
        (bank.question_set(title="E", site_wide=True), "Open?"),
    ):  # fmt: skip
        bank.questions(question_set, bank.single(stem))
    archive_set(actor=TeacherActor(teacher), set_id=away.pk)

    assert stems(find(teacher)) == ["Mine?", "Shared?", "Open?"]


def test_archive_is_listed_apart():
    question_set = bank.question_set()
    one, _two = bank.questions(question_set, bank.single("One?"), bank.single("Two?"))
    archive_questions(actor=TeacherActor(question_set.owner), question_ids=[one.pk])

    assert stems(find(question_set.owner)) == ["Two?"]
    assert stems(find(question_set.owner, archived=True)) == ["One?"]


def test_topics_and_languages_are_those_of_the_questions():
    question_set = bank.question_set()
    bank.questions(
        question_set,
        bank.single("One?", topics=("Élections", "Tax"), language="fr"),
        bank.single("Two?", topics=("elections",), language="en"),
    )
    questions = find(question_set.owner)

    assert topics(questions) == ["elections", "Tax"]
    assert languages(questions) == ["en", "fr"]


def test_questions_and_newest_values_take_one_query_each(django_assert_num_queries):
    question_set = bank.question_set()
    rows = bank.questions(question_set, *(bank.single(f"{n}?") for n in range(3)))
    save_question(
        actor=TeacherActor(question_set.owner),
        question_id=rows[1].pk,
        question=bank.single("New?"),
        base=1,
    )
    rows[1].refresh_from_db()

    with django_assert_num_queries(1):
        values = newest(rows)
    with django_assert_num_queries(1):
        saved = [(v.number, v.saved_by.name) for v in versions(rows[1])]

    assert [value.stem for value in values] == ["0?", "New?", "2?"]
    assert saved == [(2, question_set.owner.name), (1, question_set.owner.name)]


def test_questions_that_ask_the_same_are_found_across_sets():
    teacher = people.teacher()
    one, two = (bank.question_set(owner=teacher, title=title) for title in "AB")
    bank.questions(one, bank.single("Who votes?"), bank.single("Who rules?"))
    bank.questions(
        two,
        bank.single("**who**  votes", choices=("nobody.", "CITIZENS"), right=0),
        bank.single("Who votes?", choices=("Citizens", "Kings")),
    )
    bank.questions(bank.question_set(site_wide=True), bank.single("Who votes?"))

    found = [stems(twins.questions) for twins in duplicates(teacher)]

    assert found == [["Who votes?", "**who**  votes"]]
    assert duplicates(teacher, question_set=two) == duplicates(teacher)
    assert duplicates(teacher, question_set=bank.question_set(owner=teacher)) == []


def test_numbers_and_kinds_tell_questions_apart():
    question_set = bank.question_set()
    bank.questions(
        question_set,
        Numeric(stem="When?", right=Decimal(1789)),
        Numeric(stem="When?", right=Decimal(1848)),
        TrueFalse(stem="When?", right=True),
        TrueFalse(stem="When?", right=False),
    )

    (twins,) = duplicates(question_set.owner)

    assert [question.kind for question in twins.questions] == ["true-false", "true-false"]


def test_duplicates_take_the_same_queries_for_one_group_and_for_many(
    django_assert_num_queries,
):
    question_set = bank.question_set()
    for number in range(3):
        bank.questions(question_set, *(bank.single(f"{number}?", topics=("t",)) for _ in "ab"))

    with django_assert_num_queries(3):
        found = duplicates(question_set.owner)
        shown = [(q.set.title, len(q.topics.all())) for twins in found for q in twins.questions]

    assert shown == [("Votes", 1)] * 6
