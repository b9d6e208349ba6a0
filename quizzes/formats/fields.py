"""The small fields of a question in the words of files: lenient where no harm is done.

A topic, a difficulty, a language or a source that does not fit is left out with
a note; it never costs the question. Formats that know only tags carry our
fields in tags that begin with ``ct:``.
"""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any, Literal

from quizzes.formats import numerals
from quizzes.formats.problems import Refused
from quizzes.formats.question import (
    LANGUAGE,
    SOURCE_MAX,
    TAG_PREFIX,
    TOPIC_MARKS,
    TOPIC_MAX,
    TOPICS_MAX,
    Question,
)
from quizzes.formats.reading import Ledger
from quizzes.formats.text import tidy_line

Difficulty = Literal[1, 2, 3]


def by_word(**groups: str) -> dict[str, str]:
    """Return the group of each word; words of a group stand with bars between."""
    return {word: key for key, words in groups.items() for word in words.split("|")}


_TRUTHS = by_word(
    true="true|t|yes|y|right|correct|1|vrai|v|oui|juste|wahr|w|richtig|ja|verdadero|cierto|sí|si"
    "|صواب|صح|صحيح|نعم",
    false="false|f|no|n|wrong|incorrect|0|faux|non|falsch|nein|falso|خطأ|خطا|خاطئ|غلط|لا",
)
_DIFFICULTIES = by_word(
    easy="1|easy|low|facile|leicht|einfach|fácil|facil|سهل",
    medium="2|medium|normal|moyen|moyenne|mittel|medio|media|متوسط",
    hard="3|hard|difficult|high|difficile|schwer|schwierig|difícil|dificil|صعب",
)
_LANGUAGES = by_word(
    en="english|anglais|englisch|inglés|الإنجليزية",
    fr="french|français|francais|französisch|francés|الفرنسية",
    ar="arabic|arabe|arabisch|árabe|العربية|عربي",
    de="german|allemand|deutsch|alemán|الألمانية",
    es="spanish|espagnol|spanisch|español|الإسبانية",
)
_LEVELS: dict[str, Difficulty] = {"easy": 1, "medium": 2, "hard": 3}
# Both orders in use, alphabetical and abjad, agree on the place of these letters.
_ARABIC = {"أ": 1, "ا": 1, "ب": 2, "ت": 3, "ج": 3, "ث": 4, "د": 4, "ه": 5, "و": 6}
_OF_MOODLE = re.compile(r"(?:\$\w+\$|top$|default for |défaut pour |par défaut)", re.IGNORECASE)
_TOPIC_SPLIT = re.compile(f"[{re.escape(''.join(sorted(TOPIC_MARKS)))}]")


def folded(text: str) -> str:
    """Return a word of a file as the lists of words have it."""
    return tidy_line(text).casefold().strip(" .:")


def letter_place(letter: str) -> int:
    """Return the place of a letter that names a choice, from 1; 0 if it names none."""
    folded_letter = letter.casefold()
    if len(folded_letter) == 1 and "a" <= folded_letter <= "z":
        return ord(folded_letter) - ord("a") + 1
    return _ARABIC.get(folded_letter, 0)


def truth(text: str) -> bool | None:
    """Return what a word for true or false means, None if it is neither."""
    word = _TRUTHS.get(folded(text))
    return None if word is None else word == "true"


def number(text: str, code: str = "question.bad-number") -> Decimal:
    """Return the one number that the text means.

    Raises:
        Refused: it is no number, or could be two.
    """
    found = numerals.readings(text)
    if len(found) != 1:
        raise Refused(code, text=text)
    return found[0]


def difficulty(text: str, ledger: Ledger) -> Difficulty:
    """Return the level; 2 when nothing is given."""
    if not text.strip():
        return 2
    found = numerals.readings(text)
    word = str(int(found[0])) if found and found[0] in (1, 2, 3) else folded(text)
    if word not in _DIFFICULTIES:
        ledger.note("note.field", text=text, what="difficulty")
        return 2
    return _LEVELS[_DIFFICULTIES[word]]


def language(text: str, ledger: Ledger) -> str:
    """Return the language code; "" when nothing is given."""
    code = tidy_line(text).replace("_", "-")
    main, dash, rest = code.partition("-")
    code = _LANGUAGES.get(folded(code), f"{main.lower()}{dash}{rest}")
    if code and not LANGUAGE.fullmatch(code):
        ledger.note("note.field", text=text, what="language")
        return ""
    return code


def source(text: str, ledger: Ledger) -> str:
    """Return the source as one line, shortened if it must be."""
    line = tidy_line(text)
    if len(line) > SOURCE_MAX:
        ledger.note("note.field", text=line, what="source")
        return ""
    return line


def topics(parts: Iterable[str], ledger: Ledger) -> tuple[str, ...]:
    """Return the topics, each once, without those that do not fit."""
    found: dict[str, None] = {}
    for part in parts:
        topic = tidy_line(part)
        if not topic:
            continue
        if (
            len(topic) > TOPIC_MAX
            or topic.startswith(TAG_PREFIX)
            or TOPIC_MARKS & set(topic)
            or len(found) == TOPICS_MAX
        ):
            ledger.note("note.field", text=topic, what="topics")
        else:
            found[topic] = None
    return tuple(found)


def split_topics(text: str) -> list[str]:
    """Return the topics of one cell or line."""
    return _TOPIC_SPLIT.split(text)


def category_topics(path: str) -> list[str]:
    """Return the topic that a category of Moodle names, such as “$course$/top/Civics/Rights”.

    It is the last name of the path; names that Moodle gives by itself, and what cannot be a
    topic, are none.
    """
    name = tidy_line(path.replace("//", "\0").rpartition("/")[2].replace("\0", "/"))
    if not name or _OF_MOODLE.match(name) or len(name) > TOPIC_MAX or TOPIC_MARKS & set(name):
        return []
    return [] if name.startswith(TAG_PREFIX) else [name]


def tags(question: Question) -> list[str]:
    """Return topics and small fields as tags. ``from_tags`` is the inverse."""
    found = list(question.topics)
    if question.difficulty != 2:
        found.append(f"{TAG_PREFIX}difficulty={question.difficulty}")
    if question.language:
        found.append(f"{TAG_PREFIX}language={question.language}")
    if question.source:
        found.append(f"{TAG_PREFIX}source={question.source}")
    return found


def from_tags(found: Iterable[str], ledger: Ledger) -> dict[str, Any]:
    """Return the fields of a question that the tags tell."""
    own: dict[str, str] = {}
    others: list[str] = []
    for tag in found:
        name, mark, value = tag.strip().removeprefix(TAG_PREFIX).partition("=")
        if tag.strip().startswith(TAG_PREFIX) and mark:
            own[name] = value
        else:
            others += split_topics(tag)
    return {
        "topics": topics(others, ledger),
        "difficulty": difficulty(own.get("difficulty", ""), ledger),
        "language": language(own.get("language", ""), ledger),
        "source": source(own.get("source", ""), ledger),
    }
