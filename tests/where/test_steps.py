"""Steps are chosen by name, and a value is known where it occurs in some form."""

from __future__ import annotations

import numpy as np
import pytest

from grader.where.steps import Occurring, StepPick, picks_of_many, picks_of_one, same_values

ROWS = np.arange(12.0).reshape(3, 4)
STEPS = {"loop": ROWS, "one": np.ones((1, 3, 2))}


def test_one_value_is_a_row_or_all_rows() -> None:
    values = [pick.of(STEPS, None) for pick in picks_of_one(STEPS)]
    assert [one[0].shape for one in values if one] == [(4,), (4,), (4,), (3, 4), (3, 2)]


def test_many_values_are_rows_or_shares_or_the_same_again() -> None:
    picks = list(picks_of_many(STEPS, 3))
    assert [(pick.step, pick.how) for pick in picks] == [("loop", "each"), ("one", "cut"), ("one", "same")]
    for pick, shape in zip(picks, ((4,), (2,), (3, 2)), strict=True):
        values = pick.of(STEPS, 3)
        assert values is not None
        assert [one.shape for one in values] == [shape] * 3


def test_the_rows_of_all_forms_of_an_operation_are_those_of_its_evaluations() -> None:
    forms = {"wide:0": np.ones((2, 3, 4)), "wide:1": np.zeros((1, 3)), "other:0": np.ones((3, 2))}
    picks = list(picks_of_many(forms, 3))
    assert [(pick.step, pick.how) for pick in picks if pick.how == "each"] == [("wide:0", "each"), ("other:0", "each")]
    values = picks[0].of(forms, 3)
    assert values is not None
    assert [one.shape for one in values] == [(3, 4), (3, 4), (3,)]
    assert picks[0].of(forms, 4) is None


@pytest.mark.parametrize(
    ("pick", "count"),
    [(StepPick("none", 0), None), (StepPick("loop", 3), None), (StepPick("loop", 0), 3), (StepPick("loop", "each"), 2)],
)
def test_a_case_may_not_have_what_is_chosen(pick: StepPick, count: int | None) -> None:
    assert pick.of(STEPS, count) is None


def test_a_value_occurs_up_to_rounding_its_sign_its_axes_and_halves() -> None:
    x = np.sin(np.arange(24.0)).reshape(1, 4, 6)
    known = Occurring({"step": x})
    assert all(map(known.holds, (x[0], x[0].T, -x[0], x[0] * (1 + 1e-9), x[0, :, ::2], x[0, 2:])))
    assert not any(map(known.holds, (x[0] * 1.001, x[0] + 1e-3, x[0, 1], np.cos(x[0]))))


def test_an_empty_value_has_no_other_order() -> None:
    known = Occurring({"step": np.ones((4, 0, 2))})
    assert known.holds(np.ones((4, 0, 2)))


def test_one_number_again_and_again_says_nothing() -> None:
    assert Occurring({}).holds(np.ones((3, 3)))
    assert not Occurring({}).holds(np.asarray(1.5))


def test_infinities_are_compared_by_how_many_there_are() -> None:
    one = np.array([1.0, 2.0, -np.inf])
    assert same_values(one, one[::-1])
    assert not same_values(one, np.array([1.0, 2.0, 3.0]))
