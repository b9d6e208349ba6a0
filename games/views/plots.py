"""The lines of a match with the words and the look of its teams, ready for a template."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from games.selectors.plots import Plot, Row, Sign
from games.selectors.wording import words
from games.services.stories import Story


def rows_of(told: Story) -> list[Row]:
    """What a match is plotted from."""
    return [Row(turn.number, turn.standing, turn.marks) for turn in told.turns]


def drawn(plot: Plot | None, teams: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The plot for ``games/_story_plot.html``; None where there is none."""
    if plot is None:
        return None
    aside = -1 if plot.first_x > plot.last_x else 1
    behind = (plot.badge / 2 + 5) * aside
    return {
        "width": plot.width,
        "height": plot.height,
        "afar": plot.afar,
        "badge": plot.badge,
        "first_x": plot.first_x,
        "last_x": plot.last_x,
        "numbers_x": plot.numbers_x,
        "anchor": plot.anchor,
        "ticks": plot.ticks,
        "ticks_y": plot.ticks_y,
        "panels": [
            {
                "label": words(panel.figure.label),
                "name_y": panel.name_y,
                "ticks": panel.ticks,
                "lines": [
                    {
                        **_badge(teams[line.seat], line.end_x + behind, line.letter_y, plot.badge),
                        "path": line.path,
                        "seat": line.seat,
                    }
                    for line in panel.lines
                ],
            }
            for panel in plot.panels
        ],
        "lanes": [
            _badge(teams[seat], plot.first_x - 24 * aside, middle, plot.badge)
            for seat, middle in plot.lanes
        ],
        "signs": [
            {
                "mark": sign.mark,
                "x": sign.x,
                "y": sign.y,
                "left": sign.x - 7,
                "top": sign.y - 7,
                "title": _sign_title(sign, teams),
            }
            for sign in plot.signs
        ],
    }


def _badge(team: dict[str, Any], x: float, y: float, size: float) -> dict[str, Any]:
    """A team's letter in a box around a point."""
    return {
        "css": team["css"],
        "letter": team["letter"],
        "x": x,
        "y": y,
        "left": x - size / 2,
        "top": y - size / 2,
    }


def _sign_title(sign: Sign, teams: list[dict[str, Any]]) -> str:
    team = "" if sign.mark.seat is None else teams[sign.mark.seat]["name"]
    return _("Turn %(turn)s, %(team)s: %(what)s") % {
        "turn": sign.turn,
        "team": team,
        "what": words(sign.mark.label),
    }
