"""The tags every page uses."""

from __future__ import annotations

import json
import re
from pathlib import Path
from uuid import UUID

import pytest
from django.conf import settings
from django.template import Context, Template
from django.test import RequestFactory
from django.utils.html import json_script
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from config.templatetags.interface import data_script

ROOT = Path(settings.ROOT)


def test_symbol_is_hidden_from_screen_readers():
    html = Template('{% load interface %}{% symbol "fish" "fishy" %}').render(Context())

    assert 'class="sym fishy" aria-hidden="true"' in html
    assert html.count("symbols.svg#fish") == 1


def test_every_component_stylesheet_is_linked_after_the_tokens():
    html = Template("{% load interface %}{% component_styles %}").render(Context())

    linked = re.findall(r'href="[^"]*/css/([^"]+)"', html)
    files = sorted((ROOT / "static/css/components").glob("*.css"))
    assert linked[0] == "tokens.css"
    assert linked[3:] == [f"components/{path.name}" for path in files]


@pytest.mark.parametrize(("cookie", "theme"), [("dark", "dark"), ("pink", ""), ("", "")])
def test_only_known_colours_reach_the_page(cookie, theme):
    request = RequestFactory().get("/")
    request.COOKIES["theme"] = cookie

    html = Template("{% load interface %}{% theme as t %}[{{ t }}]").render(
        Context({"request": request})
    )

    assert html == f"[{theme}]"


def test_templates_name_only_symbols_that_exist():
    known = set(re.findall(r'<symbol id="([^"]+)"', (ROOT / "static/symbols.svg").read_text()))
    named = {
        (path.name, name)
        for path in (ROOT / "templates").rglob("*.html")
        for name in re.findall(r'{% symbol "([^"]+)"', path.read_text())
    }

    assert {(page, name) for page, name in named if name not in known} == set()
    assert named


def test_a_page_may_name_the_components_it_needs():
    html = Template('{% load interface %}{% component_styles "btn" "say" %}').render(Context())

    linked = re.findall(r'href="[^"]*/css/([^"]+)"', html)
    assert linked[3:] == ["components/btn.css", "components/say.css"]


def test_data_of_a_page_cannot_end_its_element_and_reads_as_django_writes_it():
    told = {
        "</script><!-- & 'é' \u2028": [1, 2.5, None, True, {}],
        "safe": SafeString("<b>"),
        "later": gettext_lazy("Help"),
        "id": UUID(int=7),
    }

    html = data_script(told, "match")

    start, end = '<script id="match" type="application/json">', "</script>"
    inside = html.removeprefix(start).removesuffix(end)
    assert html == f"{start}{inside}{end}"
    assert not {"<", ">", "&"} & set(inside)
    django = json_script(told, "match").removeprefix(start).removesuffix(end)
    assert json.loads(inside) == json.loads(django)
