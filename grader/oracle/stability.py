"""Finds values that rounding alone can change a lot: the order of equal values, the floor of a whole number."""

from __future__ import annotations

import numpy as np

from grader.marking.judge import Array, differences
from grader.oracle.expect import Traced
from grader.program.arithmetic import Noisy

UNSTABLE = 0.01
"""An element is unstable if rounding noise alone moves it by more than this fraction of the largest value."""

NOISES = 16


def unstable(traced: Traced, exact: Array) -> int | None:
    """The index of the first unstable element (see UNSTABLE; an integer must not change at all); None if there is none."""
    finite = np.abs(exact[np.isfinite(exact)]) if exact.dtype.kind == "f" else np.abs(exact)
    limit = UNSTABLE * float(finite.max(initial=0.0)) if exact.dtype.kind == "f" else 0.0
    for seed in range(NOISES):
        moved = differences(traced.evaluate(Noisy(1000 + seed)), exact) > limit
        if moved.any():
            return int(np.flatnonzero(moved)[0])
    return None
