"""The outputs of a reference with knobs turned, beside the truth and beside each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.author.outputs import Outputs, far_from_truth, same, shown
from grader.oracle.in_process import InProcessOracle
from grader.oracle.server import load
from tests.author import toys

KNOBS = {"width": 2.0}


@pytest.fixture
def oracle(tmp_path: Path) -> InProcessOracle:
    return InProcessOracle(load(toys.make(tmp_path) / toys.REFERENCE_FILE))


def test_a_mistake_is_far_from_the_truth_and_the_truth_is_not(oracle: InProcessOracle) -> None:
    assert far_from_truth(Outputs(oracle.problem, KNOBS), oracle)
    assert not far_from_truth(Outputs(oracle.problem, {}), oracle)


def test_outputs_are_the_same_up_to_rounding(oracle: InProcessOracle) -> None:
    wrong = Outputs(oracle.problem, KNOBS)
    assert same(wrong, [one * (1 + 1e-7) for one in wrong], oracle)
    assert not same(wrong, Outputs(oracle.problem, {}), oracle)
    assert not same(wrong, [one[:-1] for one in wrong], oracle)


def test_a_setting_is_shown_as_it_is_written() -> None:
    assert shown({"width": 2.0, "mask": "none"}) == "width=2.0, mask='none'"
