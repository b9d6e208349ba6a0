"""Options of a ruleset: frozen values that say how their form looks.

A field is declared as ``option(type, default, label=…, help=…, rule=…)``; the
form of the set-up page and the reference page are made from ``option_fields``.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from games.engine.text import Text


class OptionField(Struct, frozen=True, kw_only=True):
    """One option as a form needs it. ``values``: the allowed ones, default first as declared."""

    name: str
    default: str | int | bool
    values: tuple[str | int | bool, ...]
    labels: tuple[Text, ...]  # one for each value
    label: Text
    help: Text
    rule: str


def about(*, label: Text, help: Text, rule: str, labels: tuple[Text, ...]) -> Meta:
    """Annotation of an option's ``Literal`` type: its words and its rule."""
    return Meta(extra={"label": label, "help": help, "rule": rule, "labels": labels})


def option_fields(options: type[Struct]) -> tuple[OptionField, ...]:
    """The options of a ruleset in their declared order."""
    hints = get_type_hints(options, include_extras=True)
    fields = []
    for field in msgspec.structs.fields(options):
        annotated = hints[field.name]
        if get_origin(annotated) is not Annotated:
            raise TypeError(f"{options.__name__}.{field.name} lacks its words (use about)")
        literal, meta = get_args(annotated)
        if get_origin(literal) is not Literal:
            raise TypeError(f"{options.__name__}.{field.name} is no Literal")
        fields.append(_field(field.name, field.default, get_args(literal), meta.extra))
    return tuple(fields)


def _field(name: str, default: Any, values: tuple[Any, ...], extra: dict[str, Any]) -> OptionField:
    return OptionField(
        name=name,
        default=default,
        values=values,
        labels=extra["labels"],
        label=extra["label"],
        help=extra["help"],
        rule=extra["rule"],
    )
