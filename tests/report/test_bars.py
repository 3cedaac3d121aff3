"""Bars of values from zero, with their numbers."""

from __future__ import annotations

import numpy as np

from grader.pictures.view import scale_of
from grader.report.ink import bars


def test_bars_grow_from_zero_and_wrong_values_have_a_mark() -> None:
    values = np.array([0.5, 1.0])
    first, second = bars(values, scale_of(values, None), 20, np.array([False, True]), unicode=True)
    assert first == "████           0.5"
    assert second == "████████         1 <"


def test_negative_values_grow_to_the_left() -> None:
    values = np.array([-1.0, 1.0, np.nan, np.inf])
    shown = bars(values, scale_of(values, None), 20, None, unicode=False)
    assert [one[:8] for one in shown] == ["####    ", "    ####", "        ", "    ####"]
    assert [one.split()[-1] for one in shown] == ["-1", "1", "nan", "inf"]
