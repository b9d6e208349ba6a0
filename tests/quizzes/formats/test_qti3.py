"""QTI 3.0 as other systems write it."""

from quizzes.formats import catalog, qti2, qti3
from quizzes.formats.archives import open_archive
from quizzes.formats.question import SeveralRight
from tests.quizzes.formats.packages import packed
from tests.quizzes.formats.samples import SAMPLES


def test_package_written_by_hand():
    reading = catalog.read(packed("qti3"))

    assert reading.questions == (
        SeveralRight(
            stem="Which are **rights**?\n\nTick all.",
            choices=("Speech", "Theft", "Press"),
            right=(0, 2),
            explanation="Articles 19 and 20.",
            language="en",
        ),
    )
    assert [(p.code, p.values["type"]) for p in reading.problems] == [
        ("question.unsupported", "hotspotInteraction")
    ]


def test_every_type_comes_back_whole():
    reading = qti3.read(qti3.write(SAMPLES))

    assert reading.questions == SAMPLES
    assert reading.problems == ()


def test_names_are_those_of_version_3():
    item = open_archive(qti3.write(SAMPLES[:1])).read("items/q0001.xml").decode()

    assert '<qti-choice-interaction response-identifier="RESPONSE" shuffle="true"' in item
    assert "<qti-value>c1</qti-value>" in item
    assert "<strong>vote</strong>" in item
    assert "<qti-content-body><p>Article 21</p></qti-content-body>" in item


def test_one_version_does_not_pass_for_the_other():
    reading = qti2.read(qti3.write(SAMPLES))

    assert reading.questions == ()
    assert {p.code for p in reading.problems} == {"question.unsupported"}
