"""A teacher who brings in questions page by page, and what then stands in the database."""

from __future__ import annotations

import re
import sqlite3
import urllib.request
from http.client import HTTPException
from http.cookiejar import CookieJar
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode

import psycopg

from tests.site import PATIENCE_S, Running

EMAIL, PASSWORD = "import@school.example", "four calm words here"
DATABASE = "civictable.sqlite3"

_TEACHER = f"""
from classroom.models import Teacher
Teacher.objects.create_user(email={EMAIL!r}, name="Ms Okafor", password={PASSWORD!r})
"""


class Teacher:
    """A browser without scripts, logged in."""

    def __init__(self, run: Running) -> None:
        self._run = run
        self._browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.url = ""
        self.page = ""

    @classmethod
    def made(cls, run: Running) -> Teacher:
        """A new account, logged in."""
        run.manage("shell", "-c", _TEACHER)
        teacher = cls(run)
        teacher.log_in()
        return teacher

    def log_in(self) -> None:
        self.get("/accounts/login/")
        self.send("/accounts/login/", login=EMAIL, password=PASSWORD)
        assert self.url.endswith("/classes/"), self.page

    def get(self, path: str) -> str:
        """The page at a path, or the one that it leads to.

        Raises:
            HTTPError: it is none.
        """
        return self._ask(path, None)

    def send(self, path: str, **fields: str) -> str:
        """The page that answers a form.

        Raises:
            HTTPError: it was refused.
        """
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', self.page)
        assert token, self.page
        return self._ask(path, urlencode({"csrfmiddlewaretoken": token[1]} | fields).encode())

    def _ask(self, path: str, data: bytes | None) -> str:
        with self._browser.open(f"{self._run.url}{path}", data, timeout=PATIENCE_S) as answer:
            self.url, self.page = answer.url, answer.read().decode()
        return self.page

    def bring_in(self, text: str) -> str:
        """Paste a text; the path of its preview."""
        self.get("/questions/import/")
        self.send("/questions/import/", text=text)
        found = re.search(r"/questions/imports/[0-9a-f-]+/", self.url)
        assert found, self.page
        return found[0]

    def wait_for(self, path: str, words: str) -> str:
        """The page at a path once it says so, through restarts of the server."""

        def look() -> str:
            try:
                return self.page if words in self.get(path) else ""
            except HTTPError:
                raise
            except (OSError, HTTPException):  # nobody serves just now
                return ""

        return self._run.until(look)

    def sets(self) -> list[str]:
        """The titles of the teacher's own sets, as the bank lists them."""
        own = self.get("/questions/").partition('id="own"')[2].partition("</section>")[0]
        return re.findall(r"<bdi>([^<]+)</bdi></b></a>", own)


def many_questions(count: int) -> str:
    """So many questions as plain text."""
    return "".join(
        f"{n}. Who decides on matter {n} of the town?\n*a) The council {n}\nb) They\n\n"
        for n in range(1, count + 1)
    )


def stored(run: Running, query: str) -> Any:
    """The one value of a query, asked behind the program's back."""
    if run.postgres is not None:
        with psycopg.connect(run.env["DATABASE_URL"], autocommit=True) as line:
            return line.execute(query.encode()).fetchone()[0]  # type: ignore[index]
    with sqlite3.connect(run.data / DATABASE) as line:
        return line.execute(query).fetchone()[0]
