"""How the lines of a plain text begin: numbers of questions, choices, labels, bullets.

Documents come from word processors, chats and web pages. So a line may have signs of
direction in front, be bold or a heading in Markdown, or stand behind a dash, and
people number, letter and mark in many ways. What a marker leaves of its line is what
``rest`` returns.
"""

import re

from quizzes.formats.fields import by_word, letter_place

# Signs that nobody sees: joiners and marks of direction, which editors put in front of lines.
_HIDDEN = "\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
_LEAD = rf"[\s{_HIDDEN}]*+"  # not given back: a line of blanks must not take its square
_BOLD = r"(?:\*\*|__)"
_TICKS = "✓✔✅☑☒"
_DRESS = rf"(?:#{{1,6}}\s++)?(?:[{_TICKS}]\s*+)?(?P<bold>{_BOLD})?(?:[{_TICKS}]\s*+)?"
MARKS_BEFORE = frozenset(f"*{_TICKS}")  # a choice with one of them in front is right
_LETTER = r"[A-Za-z\u0621-\u064a]"
BEHIND_MAX = 60  # of a choice: how far from its end a mark is looked for
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
_ORDINALS = (
    "الأول", "الثاني", "الثالث", "الرابع", "الخامس", "السادس", "السابع", "الثامن", "التاسع",
    "العاشر",
)  # fmt: skip


LABELS = by_word(
    explanation="explanation|feedback|explication|erklärung|explicación|الشرح|التفسير",
    topics="topics|topic|tags|thèmes|thème|themen|thema|temas|tema|المواضيع|الموضوع",
    difficulty="difficulty|level|difficulté|niveau|schwierigkeit|dificultad|nivel|الصعوبة",
    language="language|langue|sprache|idioma|اللغة",
    source="source|quelle|fuente|المصدر",
    truth="true or false|true/false|vrai ou faux|wahr oder falsch|verdadero o falso"
    "|صواب أو خطأ|صح أو خطأ",
    short="short answer|réponse courte|kurzantwort|respuesta corta|إجابة قصيرة",
    number="number|nombre|zahl|número|العدد|الرقم",
    tolerance="tolerance|tolérance|toleranz|tolerancia|هامش الخطأ",
    match="match|associer|zuordnen|relacionar|صل",
    **{"with": "with|avec|mit|con|مع"},
    step="step|étape|schritt|paso|الخطوة",
    answer="answer|answers|ans|correct|right answer|correct answer|correct answers|correct option"
    "|key|answer key|réponse|réponses|reponse|bonne réponse|bonnes réponses|bonne reponse"
    "|réponse correcte|réponse juste|antwort|richtige antwort|richtige antworten|lösung|respuesta"
    "|respuesta correcta|الإجابة|الاجابة|الإجابة الصحيحة|الاجابة الصحيحة|الجواب|الجواب الصحيح",
)


def _any(words: list[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_ANSWER_WORDS = _any([word for word, key in LABELS.items() if key == "answer"])
_COUNTED = "q|question|frage|pregunta|aufgabe|exercice|سؤال|السؤال|س"
_NO = r"(?:n\s?[°º]\.?|no\.|nr\.?|[#№])"  # “n° 1”, “No. 1”, “Nr. 1”, “#1”
_AFTER = rf"[-–]?(?:\s+|$|(?<=[.):])(?=[^\W\d_]|{_BOLD}\s))"
_NUMBERED = (
    rf"{_LEAD}{_DRESS}(?:"
    rf"(?P<word>{_COUNTED})\s*(?:{_NO}\s*)?(?P<counted>\d{{1,4}})"
    rf"(?:(?:\s?[.):]|[-–/]|\s[-–—]){_AFTER}|\s*$|(?={_BOLD}\s*$))"
    rf"|(?P<bare>\d{{1,4}})(?:\s?°?(?P<point>[.):])|[-–/]){_AFTER}"
    r"|[\[(](?P<bracketed>\d{1,4})[\])][.:]?(?:\s+|$)"
    rf"|السؤال\s+(?P<ordinal>{_any(list(_ORDINALS))})\s*(?:[.):]|[-–]|$)\s*)"
)
_CHOICE = (
    rf"{_LEAD}(?:[-–•]\s++)?(?P<mark>\*\*|[*{_TICKS}☐]|\[[xX ]?\])?\s*+\(?"
    rf"(?P<letter>[ivx]{{2,4}}|{_LETTER})"
    rf"(?P<end>\)(?P<behind>[*{_TICKS}](?=\s))?\s*+|\.\s+|\.(?=[^\W\d_](?!\.))|\s?[-–]\s+)"
)
_LABEL = (
    rf"{_LEAD}{_DRESS}(?P<label>{_any(list(LABELS))})(?:\(s\))?"
    rf"\s*+{_BOLD}?\s*+[:：]\s*+"
)
_ONE_KEY = rf"\(?(?:{_LETTER}|\d{{1,2}})\)?"
_KEYS = rf"{_ONE_KEY}(?:\s*+(?:[,;&+]|\b(?:and|et|und|y|و)\b)\s*+{_ONE_KEY})*"
_KEY = (  # “Ans. B”, “Correct answer - B”, “The answer is (b).”
    rf"{_LEAD}{_DRESS}(?:(?:the|la|le|die)\s++)?(?:{_ANSWER_WORDS})\b"
    rf"(?:\(s\))?\s*+{_BOLD}?\s*+(?:[=.–—-]|\b(?:is|are|est|sont|ist|sind|es|son)\b)?\s*+[:：]?"
    rf"\s*+{_BOLD}?\s*+(?P<keys>{_KEYS})\s*+\.?\s*+{_BOLD}?\s*$"
)
_RULE = rf"{_LEAD}(?:-{{3,}}|\*{{3,}}|={{3,}})\s*$"  # a line drawn between questions
_BULLET = (
    rf"{_LEAD}(?:[-*+]\s+(?=\[[xX ]?\]))?"  # “- [x] text” of Markdown
    rf"(?P<bullet>[-–—*•◦▪■●○‣·∙❌☐{_TICKS}]|\[[xX ]?\]|\([xX ]?\)|o(?=\t))"
    r"\s+(?=\S)"
)


def _nameless(pattern: str) -> str:
    return re.sub(r"\?P<\w+>", "?:", pattern)


_ANY = rf"(?:\s*$|{'|'.join(map(_nameless, (_RULE, _NUMBERED, _CHOICE, _LABEL, _KEY)))})"
NUMBERED = re.compile(_NUMBERED, re.IGNORECASE)
CHOICE = re.compile(_CHOICE, re.IGNORECASE)
LABEL = re.compile(_LABEL, re.IGNORECASE)
KEY = re.compile(_KEY, re.IGNORECASE)
RULE = re.compile(_RULE)
BULLET = re.compile(_BULLET)
INLINE_KEY = re.compile(
    rf"(?<=\s)\(?(?:{_ANSWER_WORDS})\s*+[:：]\s*+(?P<keys>{_KEYS})\)?\s*+\.?\s*$", re.IGNORECASE
)
_ESCAPED = re.compile(rf"\\(?=\\*{_ANY})", re.IGNORECASE)
_TO_ESCAPE = re.compile(rf"\\*{_ANY}", re.IGNORECASE)
_BEHIND = re.compile(
    rf"\s*(?:[*{_TICKS}]|(?:<[-=]+|←)\s*(?:correct|right)?|\((?:correct|right|true|juste|vrai"
    r"|richtig|correcta|صحيح|correct answer|right answer|bonne réponse|réponse correcte"
    r"|richtige antwort|respuesta correcta|الإجابة الصحيحة)\))$",
    re.IGNORECASE,
)
_RIGHT = frozenset((*_TICKS, "*", "[x]", "(x)"))


def escaped(text: str) -> str:
    """Return text whose lines, but for the first, are no markers."""
    first, *others = text.split("\n")
    return "\n".join([first, *(f"\\{line}" if _TO_ESCAPE.match(line) else line for line in others)])


def unescaped(line: str) -> str:
    """Return a line without the backslash that keeps it from being a marker."""
    return _ESCAPED.sub("", line, count=1) if line.startswith("\\") else line


def rest(found: re.Match[str]) -> str:
    """Return what follows a marker, without the end of the bold that began before it."""
    text = found.string[found.end() :]
    bold = found.group("bold")
    return text.replace(bold, "", 1) if bold else text


def number_of(found: re.Match[str]) -> int:
    """Return the number that a line of ``NUMBERED`` begins with."""
    digits = found.group("counted") or found.group("bare") or found.group("bracketed")
    return int(digits) if digits else _ORDINALS.index(found.group("ordinal")) + 1


def style_of(found: re.Match[str]) -> str:
    """Return how a question or an item is numbered: items of a list are so in another way."""
    if found.group("word") or found.group("ordinal"):
        return "word"
    return "()" if found.group("bracketed") else found.group("point") or "-"


def place_of(letter: str, *, roman: bool) -> int:
    """Return the place of a letter that names a choice, from 1, or 0. ``roman``: “ii” is 2."""
    folded = letter.casefold()
    if roman:
        return _ROMAN.index(folded) + 1 if folded in _ROMAN else 0
    return letter_place(letter)


def is_right(mark: str) -> bool:
    """Say whether a mark in front of a choice says that it is right."""
    return mark.casefold() in _RIGHT


def without_mark(choice: str) -> tuple[str, bool]:
    """Return a choice without the mark behind it that says that it is right, and if there was."""
    found = _BEHIND.search(choice, max(0, len(choice) - BEHIND_MAX))
    return (choice[: found.start()].rstrip(), True) if found else (choice, False)
