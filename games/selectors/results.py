"""What matches told about students, for results and report: three tables kept apart.

Numbers are counts of facts. None of them is a mark, and none is added to another.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count
from django.utils.translation import gettext as _, pgettext

from classroom.models import Fact, Lesson, Student
from games.engine.game import Ruleset
from games.engine.text import Text
from games.models import Match, Member, MoveRecord
from games.selectors.teams import called
from games.selectors.wording import words


@dataclass(frozen=True)
class Person:
    """Somebody who played a match, with the team that they were last in."""

    name: str
    match: int  # its number
    team: str
    seat: int


@dataclass(frozen=True)
class Cell:
    """What one fact comes to for one student; empty where it never came up."""

    name: str  # of its column
    value: str


@dataclass(frozen=True)
class Table:
    """One kind of facts: a column for each that came up."""

    kind: str  # Fact.Kind
    columns: tuple[str, ...]
    rows: tuple[tuple[Person, tuple[Cell, ...]], ...]


def source(match_id: UUID | str) -> str:
    """The name under which a match's facts are stored."""
    return f"match:{match_id}"


def results(
    matches: Sequence[Match], rules: Ruleset[Any, Any, Any], *, student: Student | None = None
) -> list[Table]:
    """Everybody's results by match, team and name, or those of one student; no test students.

    ``matches`` play one game, ``rules`` are those of any of them. Where no facts are
    stored yet, the tables have no columns. Two queries, however many matches.
    """
    people = _people(matches, student)
    facts = Fact.objects.filter(
        source__in=[source(match.pk) for match in matches],
        student__in={student_id for _source, student_id in people},
    ).order_by("pk")
    told: dict[str, dict[tuple[str, UUID], dict[str, list[str]]]] = {
        kind: {} for kind in Fact.Kind.values
    }
    came_up: dict[str, set[str]] = defaultdict(set)
    for fact in facts:
        came_up[fact.kind].add(fact.what)
        by_what = told[fact.kind].setdefault((fact.source, fact.student_id), {})
        by_what.setdefault(fact.what, []).append(fact.value)
    tables = []
    for kind in Fact.Kind.values:
        columns = {
            what: words(name) for what, name in rules.fact_names.items() if what in came_up[kind]
        }
        rows = tuple(
            (
                person,
                tuple(
                    Cell(name, _value(told[kind].get(played, {}).get(what, []), rules))
                    for what, name in columns.items()
                ),
            )
            for played, person in people.items()
        )
        tables.append(Table(kind=kind, columns=tuple(columns.values()), rows=rows))
    return tables


def computer_played(matches: Sequence[Match]) -> dict[UUID, str]:
    """By match a sentence about the teams for which the computer moved; teams preloaded.

    Matches without such a team are left out. One query.
    """
    moved = MoveRecord.objects.filter(match__in=matches, kind=MoveRecord.Kind.BOT)
    seats = set(moved.values_list("match_id", "seat").distinct())
    between = pgettext("between the items of a list", ", ")
    told = {}
    for match in matches:
        names = [called(team) for team in match.teams.all() if (match.pk, team.seat) in seats]
        if names:
            teams = between.join(names)
            told[match.pk] = _("The computer played for %(teams)s.") % {"teams": teams}
    return told


def topics_met(lesson: Lesson) -> list[str]:
    """What the cards of a lesson were about, the most frequent first; from ended matches."""
    found = (
        Fact.objects.filter(lesson=lesson, activity=lesson.activity, kind=Fact.Kind.CHOICE)
        .exclude(topic="")
        .values("topic")
        .annotate(often=Count("version", distinct=True))
        .order_by("-often", "topic")
    )
    return [row["topic"] for row in found]


def _people(matches: Sequence[Match], student: Student | None) -> dict[tuple[str, UUID], Person]:
    """Who plays or played, by source and student; in the order of match, team and name."""
    members = Member.objects.filter(team__match__in=matches)
    if student is None:
        members = members.filter(student__test=False)
    else:
        members = members.filter(student=student)
    found = {}
    for member in members.select_related("team__match", "student").order_by("joined_version", "pk"):
        played = (source(member.team.match_id), member.student_id)
        found[played] = Person(
            name=member.student.name or _("Erased student"),
            match=member.team.match.number,
            team=called(member.team),
            seat=member.team.seat,
        )
    return dict(sorted(found.items(), key=lambda item: _place(item[1])))


def _place(person: Person) -> tuple[int, int, str]:
    return person.match, person.seat, person.name


def _value(values: Sequence[str], rules: Ruleset[Any, Any, Any]) -> str:
    """Counts are added; words are counted."""
    if not values:
        return ""
    if all(value.isdecimal() for value in values):
        return str(sum(int(value) for value in values))
    known: Mapping[str, Text] = rules.fact_values
    counted = Counter(values)
    ordered = [value for value in known if value in counted]
    between = pgettext("between the items of a list", ", ")
    return between.join(f"{counted[value]} × {words(known[value])}" for value in ordered)
