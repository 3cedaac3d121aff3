"""Compares the reference as JAX runs it, compiled and in float32 on the chosen device, with its expected values."""

from __future__ import annotations

from collections.abc import Sequence

import jax
import numpy as np

from grader.jaxpr.lower import lower
from grader.kit.problem import Problem, ProblemError
from grader.marking.judge import Expected, excess
from grader.oracle.expect import trace_once
from grader.run.devices import choose


def check_reference(problem: Problem, expected: Sequence[Expected], device: str) -> None:
    """Compare the compiled reference with its own expected values.

    Raises:
        ProblemError: if a difference exceeds the tolerance. That is a fault of the kit on this device, not of the learner.
    """
    with jax.default_device(choose(device)), jax.default_matmul_precision("highest"):
        outputs = lower([trace_once(problem, case, {}).jaxpr for case in problem.cases]).compile()()
    for case, output, due in zip(problem.cases, outputs, expected, strict=True):
        ratio = excess(np.asarray(output), due.values, due)
        if ratio > 1.0:
            raise ProblemError(
                f"the reference of {problem.name}{case}, compiled on {device}, is {ratio:.3g} tolerances off its own "
                f"expected values: this kit cannot grade {problem.name} on this device"
            )
