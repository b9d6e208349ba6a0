"""Which encoding a file was saved in."""

import codecs

import pytest

from quizzes.formats.encodings import CODECS, decode

FRENCH = "Où est né l'élève français ? À Besançon, près d'un château où l'été règne."
GERMAN = "Die Bürger wählen für vier Jahre; der größte Teil übt sein Recht schön aus."
SPANISH = "¿Qué es una elección? La votación del año pasado, señor, fue rápida."
PORTUGUESE = "A eleição não é só do cidadão: são ações de todos, também de vocês."
DANISH = "Hvad må børn på ti år gøre? De får løn for små opgaver hver lørdag."
POLISH = (
    "Kto może głosować w wyborach? Każdy obywatel, który ukończył osiemnaście lat, wziął udział."
)
CZECH = "Kdo může volit? Každý občan, který dosáhl věku osmnácti let, smí říci svůj názor."
HUNGARIAN = "Ki szavazhat? Minden nagykorú polgár, aki időben jön és őrzi a gyűlés rendjét."
ROMANIAN = "Cine poate vota? Fiecare cetăţean şi fiecare persoană care împlineşte vârsta aceasta."
ARABIC = "من يحق له التصويت في الانتخابات؟ كل مواطن بلغ الثامنة عشرة من عمره."


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", [FRENCH, POLISH, ARABIC, "plain"])
def test_unicode_is_certain(codec, text):
    found = decode(text.encode(codec))

    assert (found.text, found.certain, found.whole) == (text, True, True)
    assert found.encoding == codec[: 6 if "16" in codec else 5]


@pytest.mark.parametrize("text", [FRENCH, GERMAN, SPANISH, PORTUGUESE, DANISH])
def test_western_letters_are_guessed(text):
    found = decode(text.encode("cp1252"))

    assert (found.text, found.encoding, found.certain) == (text, "windows-1252", False)


@pytest.mark.parametrize("text", [POLISH, CZECH, HUNGARIAN, ROMANIAN])
def test_central_european_letters_are_guessed(text):
    found = decode(text.encode("cp1250"))

    assert (found.text, found.encoding, found.certain) == (text, "windows-1250", False)


@pytest.mark.parametrize("text", [ARABIC, f"1. {ARABIC}\n*a) نعم\nb) لا\nAnswer,réponse"])
def test_arabic_letters_are_guessed(text):
    found = decode(text.encode("cp1256"))

    assert (found.text, found.encoding, found.certain) == (text, "windows-1256", False)


@pytest.mark.parametrize("name", CODECS)
def test_the_choice_of_the_teacher_wins(name):
    text = "abc"

    found = decode(text.encode(CODECS[name]), name)

    assert (found.text, found.encoding, found.certain) == (text, name, True)


def test_bytes_without_meaning_are_told():
    assert decode(b"a\xffb", "utf-8").whole is False
    assert decode(codecs.BOM_UTF16_LE + b"a").whole is False


def test_half_a_file_of_noise_is_decoded_all_the_same():
    assert decode(bytes(range(1, 256))).text
