"""From what came back of an answer to its verdict: a large answer costs the judge little."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from grader.grade import conclude
from grader.marking.judge import Answered
from grader.marking.verdict import Status
from grader.run.returned import Attempt
from tests.conftest import FLAGSHIP
from tests.test_problems import computed

HUGE = 32 << 20
"""Elements of an array that is much longer than what is due."""


@pytest.mark.parametrize("dtype", ["bool", "float32", "int8"])
def test_an_array_of_another_length_is_counted_and_not_compared(dtype: str) -> None:
    oracle = computed(FLAGSHIP)
    arrays = [np.zeros(due.values.size, np.float32) for due in oracle.truth().expected]
    arrays[1] = np.zeros(HUGE, dtype)
    answered = [Answered(array, array.dtype.name) for array in arrays]
    given = Attempt(answered=answered, again={1: Answered(np.ones(HUGE, dtype), dtype)})
    tracemalloc.start()
    verdict = conclude(given, oracle.facts, oracle)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert verdict.status is Status.WRONG
    assert "wrong-length" in verdict.diagnosis.names
    assert peak < HUGE / 4, "a quarter of a byte for each element: it was not looked at"
