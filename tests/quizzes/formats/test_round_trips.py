"""What a format carries comes back, whatever the texts are."""

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from quizzes.formats import catalog, pictures as kept_pictures
from quizzes.formats.question import Question
from tests.quizzes.formats.strategies import PNG, questions

JPG = b"\xff\xd8\xff\xe0 not looked into"
PICTURES = {kept_pictures.reference(data): data for data in (PNG, JPG)}


@pytest.mark.parametrize("key", catalog.FORMATS)
def test_carried_questions_come_back_byte_for_byte(key):
    fmt = catalog.FORMATS[key]

    @settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.lists(questions(fmt.carries.kinds, pictures=PICTURES), min_size=1, max_size=4))
    def check(asked: list[Question]) -> None:
        expected = [kept for one in asked if (kept := fmt.carried(one)) is not None]

        written = fmt.write(asked, PICTURES)
        reading = fmt.read(written)

        assert list(reading.questions) == expected
        if expected:
            assert not reading.refused
            assert fmt.write(reading.questions, reading.pictures) == fmt.write(expected, PICTURES)
            assert catalog.detect(written) == key
        for one in reading.questions:
            if one.picture:
                assert reading.pictures[one.picture.ref] == PICTURES[one.picture.ref]

    check()


@pytest.mark.parametrize("key", catalog.FORMATS)
def test_what_a_format_leaves_out_is_told_before_writing(key):
    fmt = catalog.FORMATS[key]

    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(questions(pictures=PICTURES))
    def check(asked: Question) -> None:
        told = fmt.losses([asked])
        kept = fmt.carried(asked)

        assert (kept == asked) == (not told)
        assert (kept is None) == any(not loss.is_note for loss in told)

    check()
