"""Foreign HTML becomes limited Markdown; what is dangerous stays out."""

import time

import pytest

from quizzes.formats.html_text import Image, from_html
from quizzes.formats.text import to_html


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>One</p>\n  <p>Two <b>big</b></p>", "One\n\nTwo **big**"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<ul><li>one</li><li>two</li></ul>", "- one\n- two"),
        ("<ol><li>one</li><li>two</li></ol>after", "1. one\n2. two\n\nafter"),
        ("x<sup>2</sup> + H<sub>2</sub>O<sup>ab</sup>", "x² + H₂O^(ab)"),
        ("<em><strong>x</strong></em>", "***x***"),
        ("<b> a<br>b </b>c", "**a**\n**b** c"),
        ("2 * 3 and *stars*", r"2 * 3 and \*stars\*"),
        (r"\(a*b*c\) &lt;p&gt; &amp;amp;", r"\(a*b*c\) <p> &amp;"),
        ("1 < 2 and 3 > 2 <notatag", "1 < 2 and 3 > 2 <notatag"),
        ("<pre>a\n  b</pre>", "a\n  b"),
        ("<table><tr><th>a</th><td>b</td></tr><tr><td>c</td></tr></table>", "a | b\nc"),
        ("<p>&nbsp;</p><p>a&nbsp;b</p>", "a\u00a0b"),
        ("<o:p>Word</o:p><!-- [if gte mso 9] -->", "Word"),
        ("<span style='color:red'>*</span>a*", r"\*a\*"),
    ],
)
def test_markup_is_kept_as_far_as_it_goes(markup, text):
    assert from_html(markup).text == text
    assert from_html(to_html(text)).text == text


@pytest.mark.case("UP-10")
@pytest.mark.parametrize(
    ("markup", "text", "dropped"),
    [
        ("a<script>alert('</p>')</script>b", "ab", ("script",)),
        ("a<SCRIPT src=//x>1</SCRIPT >b", "ab", ("script",)),
        ("<style>p{}</style>x<iframe src=x>y</iframe>", "x", ("style", "iframe")),
        ("<svg><script>1</script><text>t</text></svg>x", "x", ("svg",)),
        ("<p onclick=alert(1)>x", "x", ()),
        ("<scr<script>ipt>alert(1)</script>", "ipt>alert(1)", ()),
        ("<form><input value=x>y</form>z", "z", ("form",)),
    ],
)
def test_dangerous_markup_is_dropped_and_told(markup, text, dropped):
    found = from_html(markup)

    assert found.text == text
    assert found.dropped == dropped


def test_links_keep_their_words():
    found = from_html('see <a href="javascript:alert(1)">here</a>')

    assert (found.text, found.links) == ("see here", True)


def test_pictures_are_handed_over():
    found = from_html('<p><img src="@@PLUGINFILE@@/a.png" alt="A &lt; B"></p>Q')

    assert found.text == "Q"
    assert found.images == (Image("@@PLUGINFILE@@/a.png", "A < B"),)


@pytest.mark.parametrize(
    "piece", ["<", "<a", "<!--", "<b>", "</", "<a href='", "&amp", "<sup>", "*"]
)
def test_time_is_linear_in_the_length(piece):
    started = time.process_time()

    from_html(piece * 20_000)

    assert time.process_time() - started < 2
