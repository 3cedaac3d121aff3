"""A budget counts work alike everywhere, gives a share of it, and ends."""

from __future__ import annotations

import pytest

from grader.program.operations import MOST_WORK
from grader.where.trial import ELEMENT, STEP, Budget, OutOfBudget


def test_an_evaluation_is_charged_by_its_steps_and_elements() -> None:
    budget = Budget(1000.0, 10.0)
    meter = budget.meter()
    meter.step(2)
    meter.spend("add", 1000)
    assert budget.left == pytest.approx(1000.0 - STEP - 1000 * ELEMENT)


def test_it_ends_when_nothing_is_left() -> None:
    with pytest.raises(OutOfBudget):
        Budget(ELEMENT * MOST_WORK / 2, 10.0).meter().spend("add", MOST_WORK)


def test_it_ends_at_its_deadline() -> None:
    with pytest.raises(OutOfBudget):
        Budget(1e9, 0.0).spend(1.0)


def test_a_part_takes_its_share_and_no_more() -> None:
    budget = Budget(100.0, 10.0)
    reached: list[str] = []
    with budget.part(0.25):
        budget.spend(20.0)
        reached.append("inside")
        budget.spend(10.0)
        reached.append("beyond")
    assert reached == ["inside"]
    assert budget.left == pytest.approx(75.0)
    with budget.part(0.5):
        budget.spend(10.0)
    assert budget.left == pytest.approx(65.0)


def test_more_work_may_be_allowed() -> None:
    budget = Budget(10.0, 0.0)
    with pytest.raises(OutOfBudget):
        budget.spend(20.0)
    budget.allow(30.0, 10.0)
    budget.spend(20.0)
    assert budget.left == pytest.approx(10.0)
    budget.allow(5.0, 10.0)
    assert budget.left == pytest.approx(10.0)
