"""Evidence of answers that never ran, for tests of what is made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from grader.marking.draws import Draw
from grader.marking.evidence import Evidence, Places, nowhere
from grader.marking.exact import Exactness
from grader.marking.facts import Facts, Mistake, Truth
from grader.marking.judge import IMPRECISE, Answered, Array, Expected


@dataclass
class Unmistaken:
    """An oracle that knows no mistake."""

    known: Truth
    screening_case = 0
    precision = 0.0

    def truth(self) -> Truth:
        return self.known

    def level(self, size: int) -> Sequence[Mistake]:
        return []

    def confirm(self, mistake: Mistake) -> Sequence[Expected | None]:
        raise AssertionError("there is no mistake to confirm")


@dataclass
class Asked:
    """A process that answers with what is known. `draws_of` and `calls_of` list the cases that it was asked for."""

    drawn: Sequence[Draw] = ()
    called: Callable[[int], Answered] | None = None
    found: Callable[[Exactness, Truth], Places] | None = None
    draws_of: list[int] = field(default_factory=list[int])
    calls_of: list[int] = field(default_factory=list[int])

    def draws(self, case: int) -> Sequence[Draw]:
        self.draws_of.append(case)
        return self.drawn

    def calls(self, cases: Sequence[int]) -> Mapping[int, Answered]:
        self.calls_of += cases
        return {} if self.called is None else {case: self.called(case) for case in cases}

    def places(self, exact: Exactness, truth: Truth) -> Places:
        return nowhere if self.found is None else self.found(exact, truth)


def facts_of(truth: Truth, **more: Any) -> Facts:
    """The facts of a problem whose cases differ in `n`, which is the number of their values."""
    cases = tuple((0, due.size) for due in truth.expected)
    return replace(Facts("toy", ("seed", "n"), cases, (), ()), **more)


def evidence_of(truth: Truth, arrays: Sequence[Array], **more: Any) -> Evidence:
    """The evidence of an answer that returned these arrays, judged by their values alone unless more is known."""
    returned = [Answered(one, dtype) for one, dtype in zip(arrays, truth.dtypes, strict=True)]
    known = {"facts": facts_of(truth), "oracle": Unmistaken(truth), "band": IMPRECISE, "returned": returned, **more}
    return Evidence(truth=truth, **known)
