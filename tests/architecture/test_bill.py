"""The bill of materials is that of the locks."""

from __future__ import annotations

import json

import pytest

from launcher import bill
from tests.architecture.sources import ROOT


@pytest.mark.case("SC-09")
def test_bill_is_that_of_the_locks_and_of_what_is_served():
    kept = json.loads((ROOT / bill.PLACE).read_text(encoding="utf-8"))

    assert kept == bill.bill(), "make it anew: python3 civic.py sbom"


@pytest.mark.case("SC-09")
def test_bill_names_every_pinned_package_and_every_file_of_others_once():
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pinned = sum("==" in line and not line.startswith((" ", "#")) for line in lines)
    files = [
        path
        for path in (ROOT / "static" / "vendor").iterdir()
        if path.suffix not in {".md", ".txt"}
    ]

    parts = bill.bill()["components"]

    assert len(parts) == pinned + len(files)
    assert len({part["bom-ref"] for part in parts}) == len(parts)


def test_every_file_of_others_has_its_licence_beside_it():
    for folder in ("vendor", "fonts"):
        place = ROOT / "static" / folder
        notices = "".join(path.name for path in place.glob("*.txt"))
        bare = [
            path.name
            for path in place.iterdir()
            if path.suffix not in {".md", ".txt"}
            and not any(path.name.startswith(word) for word in _worked_for(notices))
        ]

        assert bare == []


def _worked_for(notices: str) -> list[str]:
    """What the names of the licence files say they are for."""
    return [
        name for name in ("lit", "noto-sans-arabic", "noto-sans", "noto-serif") if name in notices
    ]
