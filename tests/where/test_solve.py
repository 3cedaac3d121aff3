"""The number that makes values right is found where there is one; otherwise nothing is said."""

from __future__ import annotations

import numpy as np
import pytest

from grader.values.arrays import Array
from grader.where.candidates import solved_literal

X = np.linspace(0.1, 2.0, 7)


@pytest.mark.parametrize(("due", "start"), [(0.1, 0.07), (1e-6, 1e-5), (-3.0, 2.0), (2.0, 0.0), (1 / 3, 0.25)])
def test_a_factor_is_found(due: float, start: float) -> None:
    number = solved_literal(lambda c: c * X, due * X, start)
    assert number == pytest.approx(due, rel=1e-12)


def test_a_number_that_people_write_is_found_to_the_last_digit() -> None:
    assert solved_literal(lambda c: np.exp(-c * X), np.exp(-0.3 * X), 0.2) == 0.3
    assert solved_literal(lambda c: X / np.sqrt(X + c), X / np.sqrt(X + 1e-6), 1e-5) == 1e-6


def test_nothing_is_said_where_the_number_changes_nothing() -> None:
    assert solved_literal(lambda c: X, X + 1.0, 2.0) is None


def test_nothing_is_said_of_values_of_another_size_or_that_are_no_numbers() -> None:
    assert solved_literal(lambda c: X[:3], X, 2.0) is None
    assert solved_literal(lambda c: X * np.nan, X, 2.0) is None


def test_what_is_not_finite_is_left_out() -> None:
    def value(c: float) -> Array:
        return np.where(X > 1.0, np.inf, c * X)

    assert solved_literal(value, value(0.5), 0.4) == 0.5
