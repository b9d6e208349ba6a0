"""Who may do what with set-up, matches, boards and decks."""

from __future__ import annotations

from tests.permissions.lines import Line

LINES: tuple[Line, ...] = ()

# Declared by whoever writes the page; the list may only become shorter.
NOT_YET = {
    "games:setup", "games:save_setup", "games:mix", "games:repeat", "games:place", "games:apart",
    "games:lobby", "games:try_alone", "games:start", "games:desk", "games:act_on_lesson",
    "games:screen", "games:match_desk", "games:act_on_match", "games:play", "games:board",
    "games:how_to_play", "games:rules", "games:rule", "games:front", "games:now",
}  # fmt: skip
