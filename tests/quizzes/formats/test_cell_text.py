"""Cells as a person sees them."""

from datetime import date, datetime, time, timedelta

import pytest
from hypothesis import given, settings, strategies as st

from quizzes.formats.cell_text import escaped, shown

at = datetime.fromisoformat


@pytest.mark.parametrize(
    ("value", "number_format", "text"),
    [
        (None, "General", ""),
        (True, "General", "TRUE"),
        (False, "General", "FALSE"),
        (3, "General", "3"),
        (3.0, "General", "3"),
        (0.1 + 0.2, "General", "0.3"),
        (1e20, "General", "1E+20"),
        (42, "00000", "00042"),
        (123456, "00000", "123456"),
        (1234.5, "#,##0.00", "1,234.50"),
        (1234567, "#,##0", "1,234,567"),
        (0.256, "0%", "26%"),
        (0.2565, "0.0%", "25.7%"),
        (-5, "0.0", "-5.0"),
        (-5, "0;(0)", "(5)"),
        (0, '0;-0;"none"', "none"),
        (12.5, '0.0 "kg"', "12.5 kg"),
        (12.5, "[$€-407] 0.00", "€ 12.50"),
        (12.5, "[Red]0.##", "12.5"),
        (12, "0.##", "12"),
        (123456789, "000-00-0000", "123-45-6789"),
        (12345, "0.00E+00", "1.23E+4"),
        (0.5, "# ?/?", "0.5"),
        (7, '"Class "0', "Class 7"),
        (5000000, '0.0,,"M"', "5.0M"),
        (at("2026-03-09"), "mm-dd-yy", "2026-03-09"),
        (at("2026-03-09"), "dd/mm/yyyy", "09/03/2026"),
        (at("2026-03-09"), "d mmmm yyyy", "9 March 2026"),
        (at("2026-03-09"), "ddd d mmm yy", "Mon 9 Mar 26"),
        (at("2026-03-09T14:05"), "h:mm AM/PM", "2:05 PM"),
        (at("2026-03-09T14:05:07"), "yyyy-mm-dd hh:mm:ss", "2026-03-09 14:05:07"),
        (at("1789-07-14"), "yyyy", "1789"),
        (date(2026, 3, 9), "General", "2026-03-09"),
        (time(8, 30), "h:mm", "8:30"),
        (timedelta(hours=30, minutes=5), "[h]:mm:ss", "30:05:00"),
        ("_x0041_", "General", "A"),
        ("a_x000D_\nb", "General", "a\n\nb"),
    ],
)  # fmt: skip
def test_cells_show_what_a_person_sees(value, number_format, text):
    assert shown(value, number_format) == text


@given(st.text())
def test_escaped_text_is_shown_as_it_was(text):
    assert shown(escaped(text)) == text


@settings(max_examples=1_000)
@given(
    st.one_of(st.floats(), st.integers(), st.datetimes(), st.dates(), st.times(), st.timedeltas()),
    st.text(alphabet='0#?.,%;"\\[]$€-_*@/ EGymdhsAPM+:', max_size=25),
)
def test_any_format_is_answered(value, number_format):
    assert isinstance(shown(value, number_format), str)
