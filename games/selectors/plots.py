"""How teams fared turn by turn, as lines to be drawn: where everything stands in the picture.

Measures are units of the picture's own width and height. From right to left the
picture is mirrored; its words are not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from games.engine.game import Figure
from games.engine.story import Mark

STEP = 22  # from one turn to the next, at least
NARROWEST = 1000
SYMBOL = 18
EVERY = (5, 10, 20, 50, 100)  # turns from one number to the next

Across = Callable[[float], float]  # where a place of the rows lies


@dataclass(frozen=True)
class Size:
    """Room for words, by how large they are."""

    start: float  # before the lines, for numbers
    end: float  # behind them, for letters
    gap: float  # above them, for their name
    room: float  # for the lines of one figure
    foot: float  # below all, for the turns
    badge: float  # a team's letter in its box
    numbers: int  # on an axis, at most
    apart: float  # from one number of a turn to the next, at least


NEAR = Size(start=44, end=46, gap=34, room=110, foot=30, badge=18, numbers=5, apart=40)
AFAR = Size(start=56, end=58, gap=46, room=82, foot=36, badge=30, numbers=3, apart=80)


@dataclass(frozen=True)
class Line:
    """One team's figure over the turns."""

    seat: int
    path: str
    end_x: float
    end_y: float
    letter_y: float  # beside the end, clear of the other teams' letters


@dataclass(frozen=True)
class Ticks:
    """A number of an axis."""

    at: float
    number: int


@dataclass(frozen=True)
class Lines:
    """One figure of all teams."""

    figure: Figure  # its words
    top: float
    bottom: float
    name_y: float
    ticks: tuple[Ticks, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Sign:
    """Where a landmark stands."""

    x: float
    y: float
    mark: Mark
    turn: int


@dataclass(frozen=True)
class Plot:
    """The whole picture."""

    width: float
    height: float
    first_x: float
    last_x: float
    numbers_x: float
    panels: tuple[Lines, ...]
    lanes: tuple[tuple[int, float], ...]  # seat, middle of its signs
    signs: tuple[Sign, ...]
    ticks: tuple[Ticks, ...]  # turns
    ticks_y: float
    anchor: str  # of the numbers, away from the lines
    afar: bool  # in large letters
    badge: float  # how large a team's letter stands at its line


@dataclass(frozen=True)
class Row:
    """One turn: its number, the figures by seat, what came up."""

    number: int
    standing: tuple[tuple[Figure, ...], ...]
    marks: tuple[Mark, ...]


def plot(rows: Sequence[Row], *, mirrored: bool = False, width: float | None = None) -> Plot | None:
    """The picture of these turns; None where there is nothing to draw lines through.

    ``width``: all turns in so much room, seen from afar: in large letters, without landmarks.
    """
    if len(rows) < 2 or not rows[0].standing or not rows[0].standing[0]:
        return None
    afar = width is not None
    size = AFAR if afar else NEAR
    width = width or max(NARROWEST, size.start + size.end + STEP * (len(rows) - 1))
    step = (width - size.start - size.end) / (len(rows) - 1)

    def x(place: float) -> float:
        straight = size.start + step * place
        return round(width - straight if mirrored else straight, 1)

    panels = []
    y = 0.0
    for number in range(len(rows[0].standing[0])):
        panels.append(_panel(rows, number, y, x, size))
        y += size.gap + size.room
    signs, lanes, y = ((), (), y) if afar else _signs(rows, y + 14, x)
    every = next((number for number in EVERY if number * step >= size.apart), EVERY[-1])
    return Plot(
        width=width,
        height=y + size.foot,
        first_x=x(0),
        last_x=x(len(rows) - 1),
        numbers_x=round(x(0) + (10 if mirrored else -10), 1),
        panels=tuple(panels),
        lanes=lanes,
        signs=signs,
        ticks=tuple(
            Ticks(x(place), row.number)
            for place, row in enumerate(rows)
            if row.number
            and (row.number % every == 0 or (row.number == 1 and (every - 1) * step >= size.apart))
        ),
        ticks_y=y + size.foot - 14,
        anchor="start" if mirrored else "end",
        afar=afar,
        badge=size.badge,
    )


def _panel(rows: Sequence[Row], number: int, y: float, x: Across, size: Size) -> Lines:
    figure = rows[0].standing[0][number]
    seats = range(len(rows[0].standing))
    values = [[row.standing[seat][number].value for row in rows] for seat in seats]
    most = max(figure.out_of or 0, 1, *(max(of_seat) for of_seat in values))
    top, bottom = y + size.gap, y + size.gap + size.room - 12

    def height(value: float, seat: int) -> float:
        apart = 3 * (seat - (len(seats) - 1) / 2)  # equal numbers stay two lines
        return round(bottom - (bottom - top) * value / most - apart, 1)

    ends = [height(values[seat][-1], seat) for seat in seats]
    letters = _apart(ends, size.badge + 1, lowest=bottom)
    lines = []
    for seat in seats:
        path = f"M{x(0)} {height(values[seat][0], seat)}"
        for place in range(1, len(rows)):
            path += f"H{x(place)}V{height(values[seat][place], seat)}"
        lines.append(
            Line(
                seat=seat,
                path=path,
                end_x=x(len(rows) - 1),
                end_y=ends[seat],
                letter_y=letters[seat],
            )
        )
    every = max(1, -(-most // size.numbers))
    return Lines(
        figure=figure,
        top=top,
        bottom=bottom,
        name_y=y + size.gap - 14,
        ticks=tuple(
            Ticks(round(bottom - (bottom - top) * value / most, 1), value)
            for value in range(0, most + 1, every)
        ),
        lines=tuple(lines),
    )


def _apart(ends: Sequence[float], least: float, *, lowest: float) -> list[float]:
    """Places for letters near the ends of their lines, without covering each other.

    None is below ``lowest``: the numbers of the turns stand there.
    """
    order = sorted(range(len(ends)), key=lambda seat: ends[seat])
    places = [ends[seat] for seat in order]
    for below in range(1, len(places)):
        missing = least - (places[below] - places[below - 1])
        if missing > 0:
            places[below - 1] -= missing / 2
            places[below] += missing / 2
    above = max(0.0, places[-1] - lowest)
    found = [0.0] * len(ends)
    for seat, place in zip(order, places, strict=True):
        found[seat] = round(place - above, 1)
    return found


def _signs(
    rows: Sequence[Row], top: float, x: Across
) -> tuple[tuple[Sign, ...], tuple[tuple[int, float], ...], float]:
    """The landmarks below the lines, one lane a team, those of one turn above each other."""
    signs: list[Sign] = []
    lanes: list[tuple[int, float]] = []
    for seat in range(len(rows[0].standing)):
        highest = 1
        for place, row in enumerate(rows):
            own = [mark for mark in row.marks if mark.seat == seat]
            highest = max(highest, len(own))
            signs.extend(
                Sign(x=x(place), y=top + SYMBOL * (level + 0.5), mark=mark, turn=row.number)
                for level, mark in enumerate(own)
            )
        lanes.append((seat, top + SYMBOL / 2))
        top += SYMBOL * highest + 8
    return tuple(signs), tuple(lanes), top
