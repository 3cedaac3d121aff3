"""The outputs of a worked answer with mistakes: whether they are far from the truth, or the same as others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from grader.kit.mistakes import Form
from grader.kit.problem import Problem
from grader.marking.comparison import IMPRECISE, Answered, Array, Expected, difference, excess
from grader.marking.detectors import diagnose
from grader.marking.evidence import Evidence
from grader.marking.verdict import Diagnosis
from grader.oracle.expect import trace_once
from grader.oracle.mistakes import MIN_DISTANCE
from grader.oracle.oracle import Oracle


class Outputs(Sequence[Array]):
    """The outputs of the worked answer with some mistakes, each computed when it is first read."""

    def __init__(self, problem: Problem, forms: tuple[Form, ...]) -> None:
        self._problem, self._forms = problem, forms
        self._known: dict[int, Array] = {}

    def __len__(self) -> int:
        return len(self._problem.cases)

    def __getitem__(self, index: Any) -> Any:
        if index >= len(self):
            raise IndexError(index)
        if index not in self._known:
            self._known[index] = trace_once(self._problem, self._problem.cases[index], self._forms).exact
        return self._known[index]


def _screening_case_first(oracle: Oracle) -> list[tuple[int, Expected]]:
    """The cases with their expected values, the screening case first, because it decides most often."""
    return sorted(enumerate(oracle.truth().expected), key=lambda one: one[0] != oracle.screening_case)


def far_from_truth(outputs: Sequence[Array], oracle: Oracle) -> bool:
    """Whether the outputs differ from the truth by `MIN_DISTANCE` tolerances on some case."""
    for index, due in _screening_case_first(oracle):
        values = outputs[index]
        if values.size != due.values.size:
            return True
        if excess(values, due.values, due) >= MIN_DISTANCE:
            return True
    return False


def same(outputs: Sequence[Array], others: Sequence[Array], oracle: Oracle) -> bool:
    """Whether two mistakes give the same numbers on every case, up to rounding."""
    for index, due in _screening_case_first(oracle):
        values = outputs[index]
        if values.size != others[index].size:
            return False
        if values.size != due.values.size:
            if difference(values, others[index]) > IMPRECISE * due.largest_tolerance:
                return False
        elif excess(values, others[index], due) > IMPRECISE:
            return False
    return True


def diagnosis_of(outputs: Sequence[Array], oracle: Oracle) -> Diagnosis | None:
    """The diagnosis of these outputs, one array for each case; None if they are right."""
    returned = [Answered(output, np.asarray(output).dtype.name) for output in outputs]
    evidence = Evidence(oracle.facts(), oracle, oracle.truth(), returned, band=IMPRECISE)
    return None if evidence.failing is None else diagnose(evidence)
