"""Questions for the talk after a game, by what its cards were about.

``debrief.yaml`` in a game's folder has them in the source's language; a file
``debrief.fr.yaml`` has the same topics in other words. ``everything`` is asked
whatever came up. Nothing here has a right answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import msgspec
import yaml
from msgspec import Struct

_HOME = Path(__file__).parent
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
ALWAYS = "everything"


class Prompt(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to talk about when cards of a topic came up."""

    title: str
    questions: tuple[str, ...]
    also: tuple[str, ...] = ()  # further topics of cards that lead here


@cache
def debrief(game_key: str, language: str) -> dict[str, Prompt]:
    """All prompts of a game by topic, in ``language`` or else in the source's; {} without any."""
    source = _HOME / game_key / "debrief.yaml"
    if not source.exists():
        return {}
    other = source.with_name(f"debrief.{language}.yaml")
    prompts = _read(source)
    if other.exists():
        words = _read(other)
        prompts = {
            topic: msgspec.structs.replace(words[topic], also=prompt.also)
            for topic, prompt in prompts.items()
        }
    return prompts


def prompts(
    game_key: str, language: str, topics: Iterable[str], *, most: int | None = None
) -> list[Prompt]:
    """What these topics lead to, each prompt once, and what is always asked at the end.

    ``most``: only the first so many, besides the last one.
    """
    known = debrief(game_key, language)
    leads = {topic: name for name, prompt in known.items() for topic in (name, *prompt.also)}
    names = dict.fromkeys(leads[topic] for topic in topics if topic in leads)
    names.pop(ALWAYS, None)
    found = [known[name] for name in names][:most]
    return [*found, known[ALWAYS]] if ALWAYS in known else found


def _read(path: Path) -> dict[str, Prompt]:
    plain = _Loader(path.read_text(encoding="utf-8")).get_single_data()
    return msgspec.convert(plain, dict[str, Prompt])
