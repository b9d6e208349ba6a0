from __future__ import annotations

import time
from datetime import timedelta
from html import unescape

import pytest
from django.core.management import call_command
from django.utils import timezone

from classroom import activities
from classroom.models import Fact
from games.activity import GameActivity
from games.models import Match
from games.selectors import positions
from games.services import facts, log, matches, play
from games.services.decks import starter_versions
from games.services.matches import MoveRefused, TeamPlan
from games.services.play import Submission
from tests.rules.lanterns.game import LANTERNS

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(client, world):
    """A teacher at the desk; posts an act of the lesson and gives its matches' statuses."""
    client.force_login(
        world.teacher.teacher, backend="allauth.account.auth_backends.AuthenticationBackend"
    )

    def act(name: str, **form: str) -> list[str]:
        answer = client.post(f"/lessons/{world.lesson.pk}/desk/{name}/", form)
        assert answer.status_code in (302, 422)
        return list(Match.objects.order_by("number").values_list("status", flat=True))

    return act


def test_all_matches_are_paused_and_go_on_at_once(world, desk):
    for pair in (world.students[:2], world.students[2:]):
        world.started(pair[:1], pair[1:])

    assert desk("pause") == ["paused", "paused"]
    assert desk("resume") == ["playing", "playing"]


def test_an_ended_match_stays_ended_when_all_go_on(world, desk):
    match = world.started()
    desk("pause")
    Match.objects.filter(pk=match.pk).update(status="ended")

    assert desk("resume") == ["ended"]


def test_closing_the_lesson_saves_its_matches(world, desk, monkeypatch):
    monkeypatch.setitem(activities._registered, "lanterns", GameActivity(LANTERNS))
    world.started()

    assert desk("close") == ["paused"]
    world.lesson.refresh_from_db()
    assert world.lesson.state == "closed"


def test_the_end_of_the_lesson_is_announced_and_taken_back(world, desk):
    before = timezone.now()

    desk("ends", minutes="40")

    world.lesson.refresh_from_db()
    assert timedelta(minutes=40) <= world.lesson.ends_at - before < timedelta(minutes=41)
    desk("ends", minutes="")
    world.lesson.refresh_from_db()
    assert world.lesson.ends_at is None


def test_a_lesson_of_no_minutes_is_refused_with_a_sentence(client, world, desk):
    answer = client.post(f"/lessons/{world.lesson.pk}/desk/ends/", {"minutes": "0"})

    assert answer.status_code == 422
    assert "from 1 to 1440" in answer.content.decode()


def test_the_teacher_can_read_the_open_question_and_its_answer(client, world, desk):
    call_command("load_starters")
    match = asking_match(world)

    answer = client.get(f"/matches/{match.pk}/desk/")

    question = answer.context["question"]
    assert question.given is None
    assert question.explanation in unescape(answer.content.decode())


@pytest.mark.rule("COR-QA-11")
@pytest.mark.parametrize("to_be_explained", [False, True])
def test_the_teacher_skips_a_question_and_it_counts_as_skipped(
    client, world, desk, to_be_explained
):
    call_command("load_starters")
    match = asking_match(world)
    opened = positions.load(match.pk).timing.opened[0]
    if to_be_explained:
        asks_to_explain(match, opened)

    client.post(
        f"/matches/{match.pk}/desk/skip-question/",
        {"seat": opened.decision.seat, "decision": opened.version},
    )

    record = match.records.last()
    position = positions.load(match.pk)
    assert (record.kind, record.teacher) == ("teacher", world.teacher.teacher)
    assert position.status == "playing"
    assert positions.replayed(match)[-1] == position.state
    facts.project(match.pk)
    skipped = Fact.objects.filter(version=record.version)
    assert {(fact.what, fact.value) for fact in skipped} == {("qa_team", "skipped")}


def test_a_team_cannot_skip_its_question(world, desk):
    call_command("load_starters")
    match = asking_match(world)
    opened = positions.load(match.pk).timing.opened[0]
    student = world.students[opened.decision.seat]
    skip = Submission(
        decision=opened.version, at=0, student=str(student.pk), move={"type": "qa_skip"}
    )

    with pytest.raises(MoveRefused) as refused:
        matches.submit_now(match_id=match.pk, actor=world.actor(student), submission=skip)

    assert refused.value.code == "game.not-offered"
    assert positions.load(match.pk).opened(opened.decision.seat) == opened


def asks_to_explain(match, opened):
    position = positions.load(match.pk)
    (member,) = position.teams[opened.decision.seat].members
    asked = play.explained(
        position, student=member.student, decision=opened.version, at=time.time()
    )
    log.write([log.Change(before=position, happened=(asked,))])


def asking_match(world):
    """A match of Corruption! in which bots have come to a question that is open."""
    match = matches.create_match(
        lesson_id=world.lesson.pk,
        actor=world.teacher,
        game="corruption",
        versions={k: v.pk for k, v in starter_versions("corruption", "two-villages").items()},
        teams=[TeamPlan(students=(str(s.pk),)) for s in world.students[:2]],
    )
    matches.start_match(match_id=match.pk, actor=world.teacher)
    for _step in range(500):
        position = positions.load(match.pk)
        opened = position.timing.opened[0]
        if opened.decision.kind == "qa_answer":
            return match
        matches.decide_for(
            match_id=match.pk,
            actor=world.teacher,
            seat=opened.decision.seat,
            decision=opened.version,
        )
    raise AssertionError("No question came up.")


def step_on(client, world, **query):
    answer = client.get(f"/lessons/{world.lesson.pk}/desk/", query, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    return answer.context


@pytest.mark.usefixtures("desk")
def test_the_large_button_is_the_next_sensible_step(client, world):
    assert step_on(client, world)["act"] == "make_teams"
    match = world.started()
    assert step_on(client, world)["act"] == "show_board"

    split = step_on(client, world, split=str(match.pk))
    away = step_on(client, world, absent=f"{match.pk}.1")
    slow = step_on(client, world, slow=f"{match.pk}.0")

    for look in (split, slow):
        assert (look["act"], look["address"]) == ("look", f"/matches/{match.pk}/desk/")
    assert "thinking" in slow["why"]
    assert (away["act"], away["fields"]) == (
        "let_computer_play",
        {"seat": 1, "played_by": "bot", "from_desk": "1"},
    )


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize("odd", ["", "x", "9" * 5000, ".", "x.1", "\x00.٣", "x.-1"])
def test_odd_hints_change_nothing(client, world, odd):
    world.started()

    assert step_on(client, world, absent=odd, split=odd, slow=odd)["act"] == "show_board"


@pytest.mark.usefixtures("desk")
def test_pressing_the_large_button_lets_the_computer_play_and_goes_on(client, world):
    match = world.started()
    context = step_on(client, world, absent=f"{match.pk}.1")

    answer = client.post(context["address"], context["fields"])

    assert answer.url == f"/lessons/{world.lesson.pk}/desk/"
    assert positions.load(match.pk).teams[1].played_by == "bot"


def test_all_matches_finish_their_round(world, desk):
    world.started()

    assert desk("finish-round") == ["paused"]


def test_a_notice_is_sent_and_taken_back_from_the_desk(client, world, desk):
    match = world.started()
    desk("notice", text="Look <b>here</b>.", to=f"{match.pk}.1", on_screen="on")
    (notice,) = world.lesson.notices.all()
    page = client.get(f"/lessons/{world.lesson.pk}/desk/").content.decode()

    assert (notice.match, notice.seat, notice.on_screen) == (match, 1, False)
    assert "Look &lt;b&gt;here&lt;/b&gt;." in page
    desk("take-back-notice", notice=str(notice.pk))
    assert not world.lesson.notices.exists()


@pytest.mark.usefixtures("desk")
def test_the_page_of_a_match_offers_the_computer_players_by_name(client, world):
    match = world.started()

    for headers in ({}, {"HX-Request": "true"}):
        page = client.get(f"/matches/{match.pk}/desk/", headers=headers).content.decode()
        assert "Random: Takes any option, as a die would." in unescape(page)


def test_a_match_that_was_ended_can_be_taken_up_again_but_that_is_not_the_next_step(
    client, world, desk
):
    match = world.started()
    client.post(f"/matches/{match.pk}/desk/end/")

    page = client.get(f"/matches/{match.pk}/desk/").content.decode()

    assert "You ended this match. What was reached is kept." in page
    assert "Take the match up again" in page
    assert "btn primary" not in page


def test_the_board_opens_beside_the_desk(client, world, desk):
    world.started()

    page = client.get(f"/lessons/{world.lesson.pk}/desk/").content.decode()

    large = page[page.index("data-next-act") :].split(">")[0]
    assert f"/lessons/{world.lesson.pk}/screen/" in large
    assert 'target="_blank"' in large
