"""What pictures are drawn of: the values of each case, and those that are wrong by the verdict's own measure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from grader.marking.comparison import MOST_TOLERANCES_OF_VALUES, MOST_TOLERANCES_WITH_PROGRAM
from grader.marking.evidence import Evidence
from grader.marking.excerpt import drawable, due_of
from grader.marking.facts import Facts, Truth
from grader.marking.verdict import Pictured
from grader.values.arrays import Expected
from tests.marking.evidence import evidence_of

FACTS = Facts(
    "toy", ("seed", "n"), ((0, 2), (0, 3)), ("row", "dim"), (), pictures=(Pictured("heatmap", ("row", "dim")),)
)
TRUTH = Truth([Expected(np.zeros(4), 1e-6), Expected(np.ones(6), 1e-6)], [(2, 2), (3, 2)], ["float32"] * 2, [{}] * 2)


def looked(*arrays: np.ndarray, **more: Any) -> Evidence:
    return evidence_of(TRUTH, arrays, **{"facts": FACTS, "band": MOST_TOLERANCES_OF_VALUES, **more})


def test_wrong_values_are_marked_in_the_cases_that_fail() -> None:
    found = drawable(looked(np.zeros(4, np.float32), np.array([1, 1, 2, 1, 1, 1], np.float32)))
    assert found is not None
    right, wrong = found.cases
    assert right.wrong is not None
    assert not right.wrong.any()
    assert wrong.wrong is not None
    assert wrong.wrong.tolist() == [False, False, True, False, False, False]
    assert (wrong.case, wrong.arguments, wrong.shape) == (1, "n=3", (3, 2))


def test_values_that_cannot_be_compared_are_none() -> None:
    found = drawable(looked(np.zeros(5, np.float32), np.zeros(6, np.complex64)))
    assert found is not None
    assert [(one.given, one.wrong) for one in found.cases] == [(None, None)] * 2


def test_a_problem_without_a_picture_has_nothing_to_draw() -> None:
    seen = looked(np.zeros(4, np.float32), np.ones(6, np.float32), facts=replace(FACTS, pictures=()))
    assert drawable(seen) is None


def test_a_difference_of_few_tolerances_is_marked_where_it_is_what_fails() -> None:
    seen = looked(np.full(4, 5e-6, np.float32), np.ones(6, np.float32))
    assert due_of(seen, 0).tolerance == 1e-6 * MOST_TOLERANCES_OF_VALUES / MOST_TOLERANCES_WITH_PROGRAM
    found = drawable(seen)
    assert found is not None
    assert found.cases[0].wrong is not None
    assert found.cases[0].wrong.all()


def test_what_rounding_makes_of_zero_is_drawn_as_zero() -> None:
    truth = replace(TRUTH, expected=[Expected(np.array([0.0, 1e-15, -1e-15, 0.0]), 1e-6), TRUTH.expected[1]])
    given = [np.array([1e-7, 0, 0, 2], np.float32), np.ones(6, np.float32)]
    found = drawable(evidence_of(truth, given, facts=FACTS, band=MOST_TOLERANCES_OF_VALUES))
    assert found is not None
    assert found.cases[0].due is not None
    assert found.cases[0].given is not None
    assert (found.cases[0].due.tolist(), found.cases[0].given.tolist()) == ([0.0] * 4, [0.0, 0.0, 0.0, 2.0])
