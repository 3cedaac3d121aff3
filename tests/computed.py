"""An oracle that computes in this process, with its problem: what tests and benches ask about a reference."""

from __future__ import annotations

from grader.kit.problem import Problem
from grader.oracle.oracle import InThisProcess, Oracle


class Computed(Oracle):
    """The oracle of a problem that is loaded here. Nothing of it is saved."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(source=InThisProcess(problem))
        self.problem = problem
