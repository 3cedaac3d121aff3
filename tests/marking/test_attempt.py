"""An attempt at the cases and at inputs beyond them is split into both."""

from __future__ import annotations

import numpy as np

from grader.marking.attempt import Attempt
from grader.values.arrays import Answered

ONE, TWO, THREE = (Answered(np.full(2, value, np.float32), "float32") for value in (1.0, 2.0, 3.0))


def test_the_cases_come_first_and_the_graded_values_of_the_others_are_apart() -> None:
    attempt = Attempt(answered=[ONE, TWO, THREE], again={0: ONE, 2: THREE}, compiled=True)
    first, beyond = attempt.split(2)
    assert (first.answered, first.again, first.compiled) == ([ONE, TWO], {0: ONE}, True)
    assert beyond == [THREE]


def test_under_a_contract_its_values_are_the_graded_ones() -> None:
    first, beyond = Attempt(answered=[ONE, TWO], transformed=[TWO, THREE]).split(1)
    assert (first.answered, first.transformed, beyond) == ([ONE], [TWO], [THREE])
