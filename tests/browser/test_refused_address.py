"""What a browser sees after the computer got another address."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.site import site


def test_unknown_address_says_what_to_do(page: Page):
    with site() as run:
        # Leads to this machine, but is none of the names that the site was started for.
        answer = page.goto(run.url.replace("127.0.0.1", "old-address.localhost"))

        assert answer is not None
        assert answer.status == 400
        assert page.get_by_role("heading", name="This address has changed").is_visible()
