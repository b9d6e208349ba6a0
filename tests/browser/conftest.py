"""One running site for all browser tests of a file, and what every page must keep to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.site import Running, site


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    """The real program, with its own data."""
    with site() as run:
        yield run
