"""An oracle that computes in this process, from the reference itself, and saves nothing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from grader.kit.problem import Problem
from grader.marking.detectors import diagnose
from grader.marking.evidence import Evidence
from grader.marking.facts import Mistake, Truth
from grader.marking.judge import IMPRECISE, Answered, Array, Expected
from grader.marking.verdict import Diagnosis
from grader.oracle import mistakes
from grader.oracle.expect import SAMPLES, truth_of
from grader.oracle.server import facts


class InProcessOracle:
    """Truth and mistakes of a problem. A mistake is computed when it is first needed.

    Args:
        samples: from how many noisy replays the tolerances of a mistake come.
    """

    precision = 0.0

    def __init__(self, problem: Problem, samples: int = SAMPLES) -> None:
        self.problem = problem
        self.traced, self._truth = truth_of(problem)
        self.screening_case = mistakes.screening_case(problem, self._truth.expected)
        self.facts = facts(problem)
        self.pitfalls = {pitfall.name: pitfall for pitfall in self.facts.pitfalls}
        self._level = cache(lambda size: list(mistakes.outputs(problem, size, self.screening_case)))
        self._confirm = cache(lambda names, setting: mistakes.confirm(problem, names, setting, samples))

    def truth(self) -> Truth:
        return self._truth

    def level(self, size: int) -> Sequence[Mistake]:
        return self._level(size)

    def confirm(self, mistake: Mistake) -> list[Expected]:
        return self._confirm(mistake.names, mistake.setting)

    def diagnose(self, outputs: Sequence[Array]) -> Diagnosis | None:
        """The diagnosis of these outputs, one array for each case; None if they are right."""
        returned = [Answered(output, np.asarray(output).dtype.name) for output in outputs]
        evidence = Evidence(self.facts, self, self._truth, returned, band=IMPRECISE)
        return None if evidence.failing is None else diagnose(evidence)
