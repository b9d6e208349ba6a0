"""What odd requests get: other methods, values twice, names that are no file names, passwords."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest
from django.test import Client
from django.urls import reverse

from quizzes.models import QuestionSet
from tests.factories import people
from tests.permissions.test_matrix import ADDRESSES
from tests.permissions.world import logged_in

pytestmark = pytest.mark.django_db

ASKED = sorted(
    found
    for found, pattern in ADDRESSES.items()
    if set(pattern.pattern.converters) <= {"lesson_id", "classroom_id", "student_id"}
    and not pattern.pattern.regex.groups - len(pattern.pattern.converters)
)


@pytest.mark.case("SC-06")
@pytest.mark.parametrize("found", ASKED)
def test_trace_is_answered_nowhere(world, found):
    given = {key: world.args[key] for key in ADDRESSES[found].pattern.converters}
    address = reverse(found, kwargs=given)

    for role in ("owner", "anonymous"):
        answer = world.clients[role].trace(address, headers={"cookie": "a=secret-of-mine"})
        assert answer.status_code == 405
        assert b"secret-of-mine" not in answer.content


def test_a_value_in_the_address_does_not_count_for_a_form():
    classroom = people.classroom(name="7c")
    owner = logged_in(classroom.owner)

    owner.post(f"/classes/{classroom.pk}/rename/?name=from+the+address", {"name": "8d"})
    classroom.refresh_from_db()
    assert classroom.name == "8d"
    owner.post(f"/classes/{classroom.pk}/rename/?name=from+the+address")
    classroom.refresh_from_db()
    assert classroom.name == "8d"
    owner.post(f"/classes/{classroom.pk}/rename/", "name=first&name=last",
               content_type="application/x-www-form-urlencoded")  # fmt: skip
    classroom.refresh_from_db()
    assert classroom.name == "last"


@pytest.mark.parametrize(
    "title",
    [
        *('a"; filename="evil.exe', "../../etc/passwd", "a\r\nSet-Cookie: b=c", "a/b\\c", "CON"),
        *("قوانين", "élection.csv", ".htaccess", "=1+1", "a" * 200),
    ],
)
def test_file_name_of_a_download_is_one_plain_name(title):
    teacher = people.teacher()
    questions = QuestionSet.objects.create(owner=teacher, title=title)

    answer = logged_in(teacher).get(f"/questions/sets/{questions.pk}/export/csv/")

    told = answer.headers["Content-Disposition"]
    found = re.fullmatch(r'attachment; filename(?:="([^"]*)"|\*=utf-8\'\'(\S+))', told)
    assert found, told
    name = found[1] or unquote(found[2])
    assert re.fullmatch(r"[\w-][\w .-]*\.csv", name), name
    assert len(name) < 120
    assert "Set-Cookie" not in answer.headers or "b=c" not in answer.headers["Set-Cookie"]


@pytest.mark.parametrize(
    ("address", "kinds"),
    [
        ("/accounts/login/", {"current-password"}),
        ("/accounts/signup/", {"new-password"}),
        ("/accounts/reauthenticate/", {"current-password"}),
        ("/accounts/password/change/", {"current-password", "new-password"}),
    ],
)
def test_passwords_are_masked_and_left_to_the_browser(settings, address, kinds):
    settings.SIGNUP = "open"
    signed_in = "login" not in address and "signup" not in address
    client = logged_in(people.teacher()) if signed_in else Client()

    page = client.get(address).content.decode()

    fields = [
        field
        for field in re.findall(r"<input[^>]*>", page)
        if re.search(r'name="[a-z]*password[12]?"', field)
    ]
    assert {re.search(r'autocomplete="([^"]*)"', field)[1] for field in fields} == kinds
    assert all('type="password"' in field for field in fields)
    assert not any(re.search(r"\son\w+=|maxlength=|readonly", field) for field in fields)


def test_a_line_break_in_an_address_sends_no_mail(client, mailoutbox):
    teacher = people.teacher()

    client.post("/accounts/password/reset/", {"email": f"{teacher.email}\r\nBcc: b@c.example"})

    assert mailoutbox == []
