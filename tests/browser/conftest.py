"""One running site for all browser tests of a file, and what every page must keep to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.site import Running, site

# What is to happen happens in less than a second; this is for machines with much else to do.
expect.set_options(timeout=30_000)


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    """The real program, with its own data."""
    with site() as run:
        yield run


@pytest.fixture(autouse=True)
def _closed_browsers(browser: Browser) -> Iterator[None]:
    """No page of a test goes on asking after it."""
    yield
    for context in browser.contexts:
        # What a page asked for last may still be on its way through a test's own answer.
        context.unroute_all(behavior="ignoreErrors")
        context.close()
