"""Evidence of answers that never ran, for tests of what is made of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from grader.marking.comparison import MOST_TOLERANCES_WITH_PROGRAM
from grader.marking.evidence import Evidence
from grader.marking.facts import Facts, MistakeSet, Truth
from grader.values.arrays import Answered, Array, Expected


class Confirming:
    """An oracle that gives the same values of a mistake on one case as on all."""

    def confirm(self, mistake: MistakeSet) -> Sequence[Expected | None]:
        raise NotImplementedError

    def on_case(self, mistakes: Sequence[MistakeSet], case: int) -> Sequence[Expected | None]:
        return [self.confirm(mistake)[case] for mistake in mistakes]


@dataclass
class Unmistaken(Confirming):
    """An oracle that knows no mistake."""

    known: Truth
    screening_case = 0
    precision = 0.0

    def truth(self) -> Truth:
        return self.known

    def level(self, size: int) -> Sequence[MistakeSet]:
        return []

    def confirm(self, mistake: MistakeSet) -> Sequence[Expected | None]:
        raise AssertionError("there is no mistake to confirm")


@dataclass
class Calls:
    """Plain calls, which return what is known. `of` lists the cases that were called."""

    returned: Callable[[int], Answered]
    of: list[int] = field(default_factory=list[int])

    def settled(self, evidence: Evidence) -> Evidence:
        """The evidence with all calls that its judgement needs."""
        while cases := evidence.judgement.to_call:
            self.of += cases
            evidence = evidence.with_calls(cases, {case: self.returned(case) for case in cases})
        return evidence


def facts_of(truth: Truth, **more: Any) -> Facts:
    """The facts of a problem whose cases differ in `n`, which is the number of their values."""
    cases = tuple((0, due.size) for due in truth.expected)
    return replace(Facts("toy", ("seed", "n"), cases, (), ()), **more)


def evidence_of(truth: Truth, arrays: Sequence[Array], **more: Any) -> Evidence:
    """The evidence of an answer that returned these arrays, judged by their values alone unless more is known."""
    returned = [Answered(one, dtype) for one, dtype in zip(arrays, truth.dtypes, strict=True)]
    known = {
        "facts": facts_of(truth),
        "oracle": Unmistaken(truth),
        "band": MOST_TOLERANCES_WITH_PROGRAM,
        "returned": returned,
        **more,
    }
    return Evidence(truth=truth, **known)
