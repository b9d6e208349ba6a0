"""XML under limits."""

import pytest

from quizzes.formats.problems import Refused
from quizzes.formats.xml_nodes import element, parse, text_of
from tests.cost import cpu_s


def refusal(data: bytes) -> str:
    codes = set()

    def read() -> None:
        with pytest.raises(Refused) as caught:
            parse(data)
        codes.add(caught.value.problem.code)

    assert cpu_s(read, limit_s=1) < 1
    (code,) = codes
    return code


LAUGHS = b"".join(b'<!ENTITY l%d "%s">' % (n, b"&l%d;" % (n - 1) * 10) for n in range(1, 10))


@pytest.mark.case("UP-09")
@pytest.mark.parametrize(
    "data",
    [
        b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
        b'<!DOCTYPE a [<!ENTITY x SYSTEM "http://127.0.0.1/x">]><a>&x;</a>',
        b'<!DOCTYPE a [<!ENTITY % p SYSTEM "http://127.0.0.1/x"> %p;]><a/>',
        b'<!DOCTYPE a [<!ENTITY l0 "ha">' + LAUGHS + b"]><a>&l9;</a>",
        b'<!DOCTYPE a [<!ENTITY q "' + b"q" * 50_000 + b'">]><a>' + b"&q;" * 1_000 + b"</a>",
        b"<!DOCTYPE a><a/>",
        '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE a><a/>'.encode("utf-16"),
        b'<?xml version="1.0" encoding="latin-1"?><!DOCTYPE a [<!ENTITY b "c">]><a/>',
    ],
)
def test_any_dtd_is_refused(data):
    assert refusal(data) == "xml.dtd"


@pytest.mark.case("UP-09")
@pytest.mark.parametrize(
    "data",
    [
        b'<?xml version="1.0" encoding="UTF-7"?>+ADwAIQ-DOCTYPE a+AD4-<a/>',
        b'<?xml version="1.0" encoding="no-such-thing"?><a/>',
        b"<a>&x;</a>",
        b"<a>",
        b"<a></b>",
        b"",
        b"\xff\xfe<",
        b"<a>\x00</a>",
        b"<a>&#0;</a>",
    ],
)
def test_broken_documents_are_refused_with_a_line(data):
    assert refusal(data) in {"xml.broken", "xml.dtd"}


@pytest.mark.case("UP-09")
def test_deep_nesting_is_refused():
    assert refusal(b"<a>" * 100_000) == "xml.too-deep"


@pytest.mark.case("UP-09")
def test_nothing_but_elements_is_refused_where_as_many_with_words_are_read():
    many = 160_000

    assert refusal(b"<a>" + b"<p/>" * many + b"</a>") == "xml.too-large"
    assert len(parse(b"<a>" + b"<text>Who decides?</text>" * many + b"</a>").children) == many


@pytest.mark.case("UP-09")
def test_large_file_is_refused_once_it_has_more_elements_than_real_questions_have():
    data = b"<a>" + b" " * 10_000_000 + b"<p/>" * 500_000 + b"</a>"

    with pytest.raises(Refused) as caught:
        parse(data)

    assert caught.value.problem.code == "xml.too-large"


@pytest.mark.case("UP-09")
def test_xinclude_is_an_element_like_any_other():
    root = parse(
        b'<a xmlns:xi="http://www.w3.org/2001/XInclude">'
        b'<xi:include href="file:///etc/passwd" parse="text"/>x</a>'
    )

    assert text_of(root) == "x"


def test_nodes_know_their_lines_and_lose_their_namespace():
    root = parse(b'<?xml version="1.0"?>\n<q:a xmlns:q="urn:x">\n<q:b q:c="1">t</q:b></q:a>')

    child = root.first("b")
    assert child is not None
    assert (root.name, root.space, child.line, child.attributes) == ("a", "urn:x", 3, {"c": "1"})


def test_elements_are_written_escaped():
    assert element("a", "x", {"b": '<"&\n'}) == "<a b='&lt;\"&amp;&#10;'>x</a>"
