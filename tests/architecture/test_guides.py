"""The guides name real places."""

from __future__ import annotations

import re

import pytest

from tests.site import ROOT

GUIDES = [
    "README.md",
    "CONTRIBUTING.md",
    "docs/architecture.md",
    "docs/where-things-go.md",
    "docs/how-to/classes.md",
    "docs/how-to/install.md",
    "docs/how-to/scale-out.md",
    "docs/decisions/README.md",
]
LATER = {"locale", "bench"}  # filled by their own tasks


@pytest.mark.parametrize("guide", GUIDES)
def test_links_of_a_guide_lead_to_files(guide):
    page = (ROOT / guide).read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#:]+)\)", page)
    broken = [link for link in links if not ((ROOT / guide).parent / link).exists()]

    assert [link for link in broken if link not in LATER] == []


@pytest.mark.parametrize("guide", GUIDES)
def test_places_named_in_a_guide_exist(guide):
    page = (ROOT / guide).read_text(encoding="utf-8")
    named = re.findall(
        r"`((?:config|games|quizzes|classroom|launcher|tests|docs|static|templates)/[\w./-]*)`",
        page,
    )
    missing = [place for place in named if not (ROOT / place).exists()]

    assert [place for place in missing if place.rstrip("/") not in LATER] == []


def test_every_decision_is_in_the_index():
    folder = ROOT / "docs" / "decisions"
    index = (folder / "README.md").read_text(encoding="utf-8")
    pages = sorted(path.name for path in folder.glob("0*.md"))

    assert sorted(re.findall(r"\]\((0[^)]+)\)", index)) == pages
