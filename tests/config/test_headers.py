"""Headers, cookies and refusals of the real program, as a browser gets them."""

from __future__ import annotations

import http.client
import re
import socket
from collections.abc import Iterator
from urllib.parse import urlencode, urlsplit

import pytest

from tests.site import Running, site

pytestmark = [pytest.mark.timeout(300), pytest.mark.xdist_group("headers")]

EVERYWHERE = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
POLICY = {
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
}


@pytest.fixture(scope="module")
def plain() -> Iterator[Running]:
    """As a teacher starts it: no HTTPS, this computer only."""
    with site() as run:
        yield run


@pytest.fixture(scope="module")
def secured() -> Iterator[Running]:
    """Behind a proxy that ends HTTPS, at a fixed address."""
    env = {
        "CIVIC_HTTPS": "1",
        "CIVIC_URL": "https://play.school.example",
        "CIVIC_TRUSTED_PROXIES": "127.0.0.1",
    }
    with site(env=env) as run:
        yield run


def ask(
    run: Running, path: str, *, method: str = "GET", body: str | None = None, **headers: str
) -> http.client.HTTPResponse:
    """One request; redirects are not followed. Header names are written with ``_``."""
    connection = http.client.HTTPConnection(urlsplit(run.url).netloc, timeout=20)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body=body, headers=named)
    answer = connection.getresponse()
    answer.text = answer.read().decode("utf-8", "replace")  # type: ignore[attr-defined]
    connection.close()
    return answer


def style_address(run: Running) -> str:
    found = re.search(r'href="(/static/css/[^"]+\.css)"', ask(run, "/accounts/login/").text)
    assert found
    return found[1]


@pytest.mark.case("SC-01")
@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/join/", 200),
        ("/accounts/login/", 200),
        ("/healthz", 200),
        ("/nowhere/", 404),
        ("style", 200),
    ],
)
def test_every_answer_has_the_headers(plain, path, status):
    answer = ask(plain, style_address(plain) if path == "style" else path)

    assert answer.status == status
    assert {name: answer.getheader(name) for name in EVERYWHERE} == EVERYWHERE
    policy = {part.strip() for part in answer.getheader("Content-Security-Policy", "").split(";")}
    assert policy == POLICY
    # A stylesheet is no document, which alone could ask for what the policy forbids.
    assert ("geolocation=()" in answer.getheader("Permissions-Policy", "")) is (path != "style")
    assert answer.getheader("Server") is None


@pytest.mark.case("SC-01")
def test_refusals_have_the_headers_too(plain):
    host = ask(plain, "/", Host="evil.example")
    form = ask(plain, "/accounts/login/", method="POST", body="login=a")

    assert (host.status, form.status) == (400, 403)
    for answer in (host, form):
        assert {name: answer.getheader(name) for name in EVERYWHERE} == EVERYWHERE
        assert answer.getheader("Content-Security-Policy")
        assert answer.getheader("Cache-Control") == "no-store"


@pytest.mark.case("SC-03")
def test_pages_are_kept_nowhere_and_static_files_for_ever(plain):
    page = ask(plain, "/accounts/login/")
    style = ask(plain, style_address(plain))

    assert "no-store" in page.getheader("Cache-Control", "")
    assert style.getheader("Cache-Control") == "max-age=315360000, public, immutable"
    assert re.search(r"\.[0-9a-f]{12}\.css$", style_address(plain))


@pytest.mark.case("SC-02")
def test_cookies_over_https(secured):
    answer = ask(secured, "/accounts/login/", Host="play.school.example", X_Forwarded_Proto="https")

    (cookie,) = answer.headers.get_all("Set-Cookie")
    assert cookie.startswith("__Host-csrf=")
    parts = {part.strip().split("=")[0].lower() for part in cookie.split(";")[1:]}
    assert {"secure", "httponly", "samesite", "path"} <= parts
    assert "domain" not in parts
    assert "SameSite=Lax" in cookie
    assert "Path=/;" in f"{cookie};"
    assert answer.getheader("Strict-Transport-Security") == "max-age=31536000"


@pytest.mark.case("SC-02")
def test_without_https_only_by_the_switch_that_warns():
    with site(options=("--lan",)) as run:
        cookie = ask(run, "/accounts/login/").headers.get_all("Set-Cookie")[0]
        said = run.output

    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Without HTTPS others in the network could read along" in said


@pytest.mark.case("SC-02")
def test_plain_http_is_sent_to_https(secured):
    answer = ask(secured, "/accounts/login/", Host="play.school.example")

    assert answer.status == 301
    assert answer.getheader("Location") == "https://play.school.example/accounts/login/"


@pytest.mark.parametrize(
    "asked",
    [
        {"method": "POST", "body": "login=a&password=b"},
        {"method": "GET", "Accept": "application/json"},
    ],
)
def test_what_is_no_page_is_not_led_from_plain_http_to_https(secured, asked):
    answer = ask(secured, "/accounts/login/", Host="play.school.example", **asked)

    assert (answer.status, answer.getheader("Location")) == (403, None)


@pytest.mark.case("AZ-23")
def test_behind_a_trusted_proxy_the_address_of_the_browser_counts(secured):
    def wrong_password(address: str) -> int:
        via_proxy = {
            "Host": "play.school.example",
            "X_Forwarded_Proto": "https",
            "X_Forwarded_For": address,
        }
        page = ask(secured, "/accounts/login/", **via_proxy)
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
        assert token
        form = {"csrfmiddlewaretoken": token[1], "login": "a@b.example", "password": "guess"}
        return ask(
            secured,
            "/accounts/login/",
            method="POST",
            body=urlencode(form),
            Cookie=page.getheader("Set-Cookie", "").split(";")[0],
            Origin="https://play.school.example",
            Content_Type="application/x-www-form-urlencoded",
            **via_proxy,
        ).status

    one = [wrong_password("198.51.100.1") for _ in range(10)]
    others = [wrong_password(f"198.51.100.{number}") for number in range(2, 5)]

    assert one == [200] * 9 + [429]
    assert others == [200] * 3


@pytest.mark.case("SC-06", "AZ-25")
@pytest.mark.parametrize(
    "path",
    [
        "/.git/config",
        "/.env",
        "/static/js/site.js.map",
        "/schema/",
        "/admin/",
        "/static/../civic.py",
    ],
)
def test_nothing_of_the_workshop_is_served(plain, path):
    answer = ask(plain, path)

    assert answer.status == 404
    assert "urlpatterns" not in answer.text
    assert "DEBUG" not in answer.text


@pytest.mark.case("SC-07")
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_unsafe_methods_need_a_token(plain, method):
    answer = ask(plain, "/accounts/login/", method=method, body="login=a&password=b")

    assert answer.status == 403
    assert "This page was open for too long" in answer.text


@pytest.mark.case("UP-14")
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "longer texts are brought in as a file"),
        ("fr", "un texte plus long s’importe depuis un fichier"),
        ("ar", "النصوص الأطول تُستورد من ملف"),
    ],
)
def test_more_than_can_be_typed_is_refused_on_a_page_of_the_readers_language(plain, language, said):
    answer = ask(
        plain,
        "/accounts/login/",
        method="POST",
        body="text=" + "x" * (20 * 2**20),  # much of it is on its way when the answer comes
        Content_Type="application/x-www-form-urlencoded",
        Accept_Language=language,
    )

    assert (answer.status, answer.getheader("Cache-Control")) == (413, "no-store")
    assert f'<html lang="{language}"' in answer.text
    assert said in answer.text


@pytest.mark.case("SC-08")
def test_form_from_another_origin_is_refused_in_words(plain):
    answer = ask(plain, "/accounts/login/", method="POST", body="", Origin="https://evil.example")

    assert answer.status == 403
    assert "This address has changed" in answer.text
    plain.until(lambda: "A form came from another address than the site's own." in plain.output)


@pytest.mark.case("SC-08")
def test_redirect_leads_to_no_other_site(plain):
    page = ask(plain, "/accounts/login/?next=https://evil.example/")

    assert "evil.example/" not in re.sub(r"<form.*?</form>", "", page.text, flags=re.DOTALL)
    assert 'action="https://evil.example' not in page.text


@pytest.mark.case("SC-08", "AZ-22")
@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "127.0.0.1@evil.example"]
)
def test_other_hosts_are_refused(plain, host):
    assert ask(plain, "/accounts/login/", Host=host).status == 400


@pytest.mark.case("SC-08", "AZ-22")
def test_forwarded_host_and_scheme_count_for_nothing_without_a_proxy(plain):
    answer = ask(
        plain, "/accounts/login/", X_Forwarded_Host="evil.example", X_Forwarded_Proto="https"
    )

    assert answer.status == 200
    assert "evil.example" not in answer.text
    assert answer.getheader("Strict-Transport-Security") is None


@pytest.mark.case("SC-08")
@pytest.mark.parametrize(
    "smuggled",
    [
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        "Transfer-Encoding: xchunked\r\n\r\nhello",
    ],
)
def test_ambiguous_lengths_are_refused(plain, smuggled):
    where = urlsplit(plain.url)
    with socket.create_connection((where.hostname, where.port), timeout=10) as raw:
        raw.sendall(f"POST /healthz HTTP/1.1\r\nHost: {where.netloc}\r\n{smuggled}".encode())

        answer = raw.recv(4096).decode()

    assert answer.startswith("HTTP/1.1 400")
