"""How a game is played, and its rules one by one."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.django_db


def test_a_rule_is_answered_by_its_id(client):
    answer = client.get("/rules/corruption/COR-SETUP-2/")

    assert answer.json() == {
        "id": "COR-SETUP-2",
        "text": "Each team then takes six.",
        "example": "So 88 of 100 are left.",
        "language": "en",
    }


@pytest.mark.parametrize(("language", "text"), [("fr", "en prend ensuite six"), ("ar", "ست سمكات")])
def test_rules_are_read_in_the_language_of_the_page(client, language, text):
    client.cookies["django_language"] = language

    page = client.get("/rules/corruption/").content.decode()

    assert text in page
    assert "Each team then takes six." not in page
    assert text in client.get("/rules/corruption/COR-SETUP-2/").json()["text"]


@pytest.mark.parametrize(
    "address", ["/rules/nothing/", "/how-to-play/nothing/", "/rules/corruption/COR-NOTHING-1/"]
)
def test_what_is_not_there_is_not_found(client, address):
    assert client.get(address).status_code == 404


def test_how_to_play_has_five_pictures(client):
    page = client.get("/how-to-play/corruption/").content.decode()

    assert page.count('class="how__step"') == 5


def test_front_page_names_every_game_and_takes_a_code(client):
    page = client.get("/").content.decode()

    assert "Corruption!" in page
    assert 'action="/join/"' in page
    assert 'name="code"' in page
