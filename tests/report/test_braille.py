"""Lines in braille, with gaps where a value is NaN, and marks below."""

from __future__ import annotations

import numpy as np
import pytest

from grader.pictures.view import scale_of
from grader.report.ink import braille_line, braille_marks

RISING = np.linspace(0.0, 1.0, 8)


def drawn(values: np.ndarray, width: int, lines: int, *, unicode: bool = True) -> list[str]:
    return braille_line(values, scale_of(values, None), width, lines, unicode=unicode)


def test_a_line_rises_from_the_first_to_the_last_value() -> None:
    assert drawn(RISING, 4, 2) == ["⠀⠀⣠⠞", "⡤⠏⠁⠀"]
    assert drawn(np.linspace(0.0, 1.0, 3), 3, 3, unicode=False) == [" **", " * ", "** "]


def test_a_steep_line_has_no_gaps() -> None:
    shown = drawn(np.array([0.0, 0.0, 1.0, 1.0]), 4, 3)
    assert all(any(sign != "⠀" for sign in row) for row in shown)


def test_nan_is_a_gap() -> None:
    values = np.array([1.0, 1.0, np.nan, 1.0, 1.0])
    (shown,) = drawn(values, 5, 1, unicode=False)
    assert shown == "** **"


@pytest.mark.parametrize(
    "values", [np.full(3, np.nan), np.array([np.inf, -np.inf]), np.array([1e308, -1e308]), np.ones(1)]
)
def test_no_value_is_too_hostile(values: np.ndarray) -> None:
    for unicode in (True, False):
        shown = drawn(values, 6, 2, unicode=unicode)
        assert [len(row) for row in shown] == [6, 6]


def test_marks_stand_below_wrong_values_and_letters_below_what_is_not_finite() -> None:
    values = np.array([0.0, 1.0, np.nan, np.inf])
    assert braille_marks(values, np.array([False, True, True, False]), 4) == " ^NI"
    assert braille_marks(values, None, 7) == "    N I"
    assert braille_marks(np.zeros(100), np.arange(100) == 99, 10) == "         ^"
