"""The outputs of a worked answer with mistakes, beside the truth and beside each other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from grader.author.calls import Outputs, diagnosis_of, far_from_truth, same_outputs
from grader.oracle.server import load
from tests.author import toys
from tests.computed import Computed
from tests.toy import forms


@pytest.fixture
def oracle(tmp_path: Path) -> Computed:
    return Computed(load(toys.make(tmp_path) / toys.WORKED_FILE))


def test_a_mistake_is_far_from_the_truth_and_the_truth_is_not(oracle: Computed) -> None:
    assert far_from_truth(Outputs(oracle.problem, forms(oracle.problem, "too-narrow")), oracle)
    assert not far_from_truth(Outputs(oracle.problem, ()), oracle)


def test_outputs_are_the_same_up_to_rounding(oracle: Computed) -> None:
    wrong = Outputs(oracle.problem, forms(oracle.problem, "too-narrow"))
    assert same_outputs(wrong, [one * (1 + 1e-7) for one in wrong], oracle)
    assert not same_outputs(wrong, Outputs(oracle.problem, ()), oracle)
    assert not same_outputs(wrong, [one[:-1] for one in wrong], oracle)


def test_the_outputs_of_a_mistake_are_diagnosed_and_those_of_the_truth_are_not(oracle: Computed) -> None:
    found = diagnosis_of(
        [np.float32(one) for one in Outputs(oracle.problem, forms(oracle.problem, "too-narrow"))], oracle
    )
    assert found is not None
    assert found.names == ("too-narrow",)
    assert diagnosis_of([np.float32(one) for one in Outputs(oracle.problem, ())], oracle) is None
