"""Mistakes as exact programs see them: no rounding blurs them, and what is uncertain is allowed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from grader.marking.comparison import MOST_TOLERANCES_WITH_PROGRAM
from grader.marking.facts import MistakeSet, Truth
from grader.marking.program_comparison import FLOAT64_IN_FLOAT32_UNITS, Exactness, ExactOracle, compare, rounding_bounds
from grader.values.arrays import Expected
from tests.marking.evidence import Confirming
from tests.marking.test_judgement import DUE, TRUTH, Programs, programs


class Known(Confirming):
    """An oracle with one mistake, ten times as large as the truth."""

    screening_case = 1

    def __init__(self, precision: float) -> None:
        self.precision = precision
        self.mistake = MistakeSet(("tenfold",), (0,), Expected(10 * DUE[1], 0.5))

    def truth(self) -> Truth:
        return TRUTH

    def level(self, size: int) -> Sequence[MistakeSet]:
        return [self.mistake]

    def confirm(self, mistake: MistakeSet) -> Sequence[Expected | None]:
        return [None, self.mistake.expected]


def exactly(allowed: float) -> Exactness:
    return Exactness(DUE, [np.full(3, allowed)] * 2, [False, True], [allowed] * 2, [True] * 2)


@pytest.mark.parametrize(("row", "differs"), [(0, True), (1, False)])
def test_rows_with_tolerances_of_their_own_are_compared_at_their_own_scale(row: int, differs: bool) -> None:
    due = np.array([[1.0, 2.0, 3.0], [1000.0, 2000.0, 3000.0]])
    given = due.copy()
    given[row, 2] += 1e-6
    truth = Truth([Expected(due.reshape(-1), np.full(6, 1e-6))], [(2, 3)], ["float32"], [{}])
    program = Programs([given])
    program.constants = lambda: [np.zeros(6)]
    found = compare(program, truth)
    assert found is not None
    assert found.differs == [differs]


def test_a_row_that_cancels_to_nothing_is_compared_within_the_rounding_of_float64() -> None:
    """The entropy of one choice is 0. Computed as a difference of logarithms it is 6e-17."""
    due, given = np.array([[0.7, 0.5], [6e-17, 6e-17]]), np.array([[0.7, 0.5], [0.0, 0.0]])
    truth = Truth([Expected(due.reshape(-1), np.full(4, 1e-7))], [(2, 2)], ["float32"], [{}])
    program = Programs([given])
    program.constants = lambda: [np.zeros(4)]
    found = compare(program, truth)
    assert found is not None
    assert found.differs == [False]


def test_the_truth_allows_what_the_programs_may_be_off() -> None:
    truth = ExactOracle(Known(0.0), exactly(1e-8)).truth()
    assert [MOST_TOLERANCES_WITH_PROGRAM * due.largest_tolerance for due in truth.expected] == pytest.approx(
        [1e-8, 1e-8]
    )


@pytest.mark.parametrize(
    ("precision", "allowed", "due"),
    [(0.0, 0.0, 1e-9 * 80), (0.0, 1e-6, 1e-9 * 80 + 4e-6), (2.0**-21, 0.0, 2.0**-21 * 80)],
)
def test_a_mistake_is_compared_at_its_own_scale(precision: float, allowed: float, due: float) -> None:
    oracle = ExactOracle(Known(precision), exactly(allowed))
    (mistake,) = oracle.level(1)
    assert mistake.expected.largest_tolerance == 0.5, "what is compared first is compared within the noise of rounding"
    nothing, confirmed = oracle.confirm(mistake)
    assert nothing is None
    assert confirmed is not None
    assert MOST_TOLERANCES_WITH_PROGRAM * confirmed.largest_tolerance == pytest.approx(
        due + MOST_TOLERANCES_WITH_PROGRAM * 0.5 * FLOAT64_IN_FLOAT32_UNITS
    )


def test_a_value_that_rounding_blurs_in_float32_is_compared_within_its_noise_in_float64() -> None:
    known = Known(0.0)
    known.mistake = MistakeSet(("tenfold",), (0,), Expected(10 * DUE[1], np.array([0.0, 2.0, np.inf])))
    _, confirmed = ExactOracle(known, exactly(0.0)).confirm(known.mistake)
    assert confirmed is not None
    plain, blurred, unknown = np.asarray(confirmed.tolerance)
    assert plain == unknown
    assert blurred == pytest.approx(plain + 2.0 * FLOAT64_IN_FLOAT32_UNITS)


def test_what_rounding_explains_is_never_less_than_a_few_roundings_of_the_largest_value() -> None:
    bounds = rounding_bounds(programs(by_rounding=1e-3), exactly(0.0), TRUTH)
    assert bounds is not None
    assert bounds[0][0] == pytest.approx(8e-3, rel=1e-3)
    least = rounding_bounds(programs(), exactly(0.0), TRUTH)
    assert least is not None
    assert least[1].tolist() == [8 * 8 * 2.0**-24] * 3
