"""What is said of imprecise answers: the line, the case and the numbers, and each sentence only where it is so."""

from __future__ import annotations

import numpy as np
import pytest

from grader.marking.precision import as_called, hidden_by_rounding, imprecise, lost
from tests.marking.test_judgement import TOLERANCE, Programs, calls, looked, programs


def test_an_imprecise_answer_has_its_line_and_its_case() -> None:
    evaluated = programs(by_rounding=TOLERANCE)
    (remark,) = imprecise(looked(5 * TOLERANCE, evaluated))
    assert remark.name == "imprecise"
    assert "at n=3 it is 5e-06 off, 5.0 times what float32 explains" in str(remark.message)
    assert "line 7" in str(remark.message)


def test_no_precision_is_said_to_be_lost_where_the_programs_do_not_explain_it() -> None:
    for evaluated, off in ((programs(), 5.0), (Programs(None), 1.5)):
        assert imprecise(looked(off * TOLERANCE, evaluated)) == ()


@pytest.mark.parametrize(
    ("off", "name", "said"),
    [(1e-3, "loses-precision", "1000 times what rounding explains"), (np.inf, "overflow", "infinite or NaN at n=3")],
)
def test_a_right_formula_that_float32_cannot_compute_is_named(off: float, name: str, said: str) -> None:
    evaluated = programs(by_rounding=off)
    named = lost(looked(off, evaluated, calls(off)))
    assert named.name == name
    assert said in str(named.why)
    assert ("line 7" in str(named.why)) is (name == "loses-precision")


@pytest.mark.parametrize(
    ("tolerances", "told"), [(0.5, "5e-07 off, and at most 2.4e-07"), (0.24, "2.4e-07 off, and at most 2.38e-07")]
)
def test_a_difference_that_only_float64_shows_is_told_with_its_size(tolerances: float, told: str) -> None:
    off = tolerances * TOLERANCE
    (remark,) = hidden_by_rounding(looked(off, programs(off)), 1)
    assert "At n=3" in str(remark.message)
    assert f"Computed in float64, this program is {told} is allowed there." in str(remark.message)


def test_nothing_is_said_of_float64_where_float32_shows_the_difference_or_there_is_none() -> None:
    assert hidden_by_rounding(looked(1.0, programs(1.0)), 1) == ()
    assert hidden_by_rounding(looked(0.0, programs()), 1) == ()


def test_a_call_that_differs_is_told_with_both_numbers() -> None:
    (remark,) = as_called(looked(np.nan, programs(), calls(0.0)))
    assert str(remark.message) == (
        "At n=3 a call alone gives 5. Compiled with the other cases, the same call gives nan. The call alone counts."
    )
    assert as_called(looked(0.0, programs())) == ()
