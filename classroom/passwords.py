"""What no password of a teacher may be made of, beside what Django refuses by itself.

Words that students would try first, and passwords that were stolen elsewhere. Nothing is asked
of the internet: a school that wants more than Django's 20,000 names a file.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.translation import gettext as _

from classroom.models import Classroom, Teacher

FEWEST_OTHER = 6  # letters and numbers beside the words below
SHORTEST_WORD = 3  # of a name: shorter ones are in everything
# Of the product, of people and things at school; without accents, as ``_plain`` makes them.
_WORDS = """
civictable civic table corruption game games play lesson lessons class classes classroom school
schools schule teacher teachers student students pupil pupils head headteacher headmaster principal
admin administrator staff director office desk board quiz test exam homework mathematics maths
english french german history geography science password passwort login welcome letmein qwerty
qwertz azerty abc abcdef abcd1234 changeme secret
ecole college lycee classe classes cours lecon prof professeur professeure maitre maitresse eleve
eleves directeur directrice motdepasse bonjour bienvenue jeu jeux
مدرسة المدرسة مدرستي معلم المعلم معلمة المعلمة استاذ استاذة طالب طالبة طلاب الصف فصل درس الدرس
مدير مديرة كلمةالسر كلمة السر لعبة مرحبا فساد الفساد
"""
WORDS = frozenset(_WORDS.split())
_RUNS = re.compile(r"(?:19|20)\d\d|0?123456789?0?|12345|1234|123|(.)\1{2,}")


class SchoolWords:
    """Refuses what is made of words of the school, of the program and of one's own classes."""

    def validate(self, password: str, user: Teacher | None = None) -> None:
        """Take such words, years, runs and all signs away: what is left must be a password still.

        Raises:
            ValidationError: too little is left.
        """
        left = _plain(password)
        for word in sorted(_words(user), key=len, reverse=True):
            left = left.replace(word, " ")
        left = _RUNS.sub(" ", left)
        if sum(sign.isalnum() for sign in left) < FEWEST_OTHER:
            raise ValidationError(
                _(
                    "Students would try this password: it is made of words of your school, your "
                    "classes or this program. Take three or four words that have nothing to do "
                    "with them."
                ),
                code="password_of_school_words",
            )

    def get_help_text(self) -> str:
        """For forms that list what a password must be."""
        return _("Your password can’t be made of words of your school, your classes or the game.")


class StolenPasswords:
    """Refuses what stands in the list of stolen passwords that ``CIVIC_STOLEN_PASSWORDS`` names.

    The list holds a line for each password, sorted: its SHA-1 in 40 capital hexadecimal digits,
    a colon and a number, as Have I Been Pwned gives it out. It is searched by halves, in the file.
    """

    def validate(self, password: str, user: Teacher | None = None) -> None:
        """Look the password up; without a list nothing is refused.

        Raises:
            ValidationError: it is in the list.
        """
        path = settings.STOLEN_PASSWORDS
        if path is not None and _is_in(path, password):
            raise ValidationError(
                _(
                    "This password is in a list of stolen passwords that attackers try. Choose "
                    "another one."
                ),
                code="password_stolen",
            )

    def get_help_text(self) -> str:
        """For forms that list what a password must be."""
        return _("Your password can’t be one that was stolen elsewhere.")


def _plain(text: str) -> str:
    """Lower case without accents, with look-alike signs as the letters they stand for."""
    # Letter by letter: the order of marks, which takes so long for many, is of no use here.
    apart = (sign for letter in text for sign in unicodedata.normalize("NFKD", letter))
    bare = "".join(sign for sign in apart if not unicodedata.combining(sign))
    return bare.casefold().translate(str.maketrans("@$!", "asi"))


def _words(user: Teacher | None) -> set[str]:
    words = set(WORDS)
    names = [urlsplit(settings.SITE_URL).hostname or "", *settings.ALLOWED_HOSTS]
    if user is not None:
        names += [user.name, user.email or ""]
        if not user._state.adding:
            names += Classroom.objects.filter(Q(owner=user) | Q(co_teachers=user)).values_list(
                "name", flat=True
            )
    for name in names:
        words |= {word for word in re.split(r"\W+", _plain(name)) if len(word) >= SHORTEST_WORD}
    return words


def _is_in(path: Path, password: str) -> bool:
    """Whether the sorted file has a line that begins with the password's digest."""
    # SHA-1 is what the list is made with; it protects nothing here.
    wanted = hashlib.sha1(password.encode(), usedforsecurity=False).hexdigest().upper().encode()
    with path.open("rb") as file:
        low, high = 0, path.stat().st_size  # where the first line that is not less begins
        while low < high:
            middle = (low + high) // 2
            line = _line_from(file, middle)
            if line and line < wanted:
                low = middle + 1
            else:
                high = middle
        return _line_from(file, low) == wanted


def _line_from(file: BinaryIO, place: int) -> bytes:
    """The digest of the first line that begins at ``place`` or later; empty behind the last."""
    file.seek(max(place - 1, 0))
    if place:
        file.readline()
    return file.readline()[:40].upper()
