"""For which pitfalls a verdict can show the place: the worked answer with each mistake is searched as a wrong answer is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from grader.jaxpr.encode import Encoder
from grader.kit.mistakes import MistakeForm, Pitfall
from grader.kit.problem import Problem
from grader.marking.program_comparison import AGREEMENT
from grader.oracle.expect import drawn, trace_once
from grader.oracle.steps import steps_of
from grader.program.arithmetic import quiet
from grader.program.data import NotAProgram
from grader.values.places import FoundPlace
from grader.where.search import locate
from grader.where.steps import Steps
from grader.where.trial import SearchCase


def examine_places(problem: Problem, file: str) -> dict[str, Any]:
    """Look for the place of each pitfall, in its first form.

    An answer in another style may have a place where the reference has none, or none where the reference has one.

    Returns:
        a document for JSON: `places`, each `pitfall` and `lines`, those of the reference that were found.
    """
    asked = [_Asked(problem)]
    if problem.wrt:  # as for an answer, the value alone comes first
        asked.insert(0, _Asked(replace(problem, contract="", wrt=""), of_value=True))
    places: list[dict[str, Any]] = []
    for pitfall in problem.pitfalls:
        found = next((found for asked_problem in asked if (found := asked_problem.locate(pitfall))), [])
        places.append({"pitfall": pitfall.name, "lines": [place.place.line for place in found]})
    return {"places": places}


class _Asked:
    """A problem with its truth and the steps of its reference."""

    def __init__(self, problem: Problem, *, of_value: bool = False) -> None:
        self._problem = problem
        traced = [trace_once(problem, case) for case in problem.cases]
        self._due = [reference.exact for reference in traced]
        self._draws = [drawn(reference)[1] for reference in traced]
        self._steps: list[Steps] = steps_of(problem, of_value=of_value)
        self._file = traced[0].file

    def locate(self, pitfall: Pitfall) -> list[FoundPlace]:
        """The places of a pitfall; none if nothing is found, or the mistake leaves no program to search."""
        form = next((form for form in pitfall.forms if not form.alone), pitfall.forms[0])
        try:
            with quiet():
                return locate(self._cases((form,)))
        except NotAProgram:
            return []

    def _cases(self, forms: tuple[MistakeForm, ...]) -> Sequence[SearchCase]:
        encoder = Encoder(self._file)
        traced = [trace_once(self._problem, case, forms) for case in self._problem.cases]
        programs = [encoder.program(reference.jaxpr) for reference in traced]
        allowed = [AGREEMENT * np.max(np.abs(due), initial=0.0, where=np.isfinite(due)) for due in self._due]
        return [
            SearchCase(program, numbers, due, np.full(due.shape, bound), steps)
            for program, numbers, due, bound, steps in zip(
                programs, self._draws, self._due, allowed, self._steps, strict=True
            )
        ]
