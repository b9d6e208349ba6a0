"""Which pages may open a socket."""

from __future__ import annotations

import pytest

from games.live.origins import same_site

HOST = "school.example:8000"


@pytest.mark.case("WS-01")
@pytest.mark.parametrize("allowed", [["school.example"], ["*"]], ids=str)
@pytest.mark.parametrize(
    "origin",
    [
        None,
        "",
        "null",
        "file://",
        "http://evil.example",
        "http://evil.example:8000",
        "http://school.example",
        "http://school.example:8081",
        "https://school.example:8000",
        "ws://school.example:8000",
        "http://school.example.evil.example:8000",
        "http://evil.school.example:8000",
        "http://school.example:8000/page",
        "http://user@school.example:8000",
        "http://school.example:8000@evil.example",
        "https://[::1",
        "http://school.example:port",
        "http://school.example:99999",
        "school.example:8000",
        "//school.example:8000",
        "http://school.example:8000 http://evil.example",
    ],
)
def test_other_origins_are_refused(origin: str | None, allowed: list[str]) -> None:
    assert not same_site(origin, HOST, "ws", allowed)


@pytest.mark.parametrize(
    ("origin", "host", "scheme"),
    [
        ("http://school.example:8000", HOST, "ws"),
        ("http://SCHOOL.example:8000", HOST, "ws"),
        ("http://school.example", "school.example", "ws"),
        ("http://school.example:80", "school.example", "ws"),
        ("https://school.example", "school.example", "wss"),
        ("https://school.example:443", "school.example", "wss"),
        ("http://[::1]:8000", "[::1]:8000", "ws"),
    ],
)
def test_page_of_this_very_site_is_let_in(origin: str, host: str, scheme: str) -> None:
    assert same_site(origin, host, scheme, ["*"])


@pytest.mark.parametrize("host", [None, "", "evil.example", "school.example:8000:1", "a b"])
def test_host_that_is_not_ours_is_refused_whatever_the_origin(host: str | None) -> None:
    assert not same_site(f"http://{host}", host, "ws", ["school.example"])
