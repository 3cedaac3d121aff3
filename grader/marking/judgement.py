"""The judgement of an answer: by its values, by its programs, and by plain calls where they are not what was compiled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from grader.marking.comparison import ALONE, IMPRECISE, Answered, Array, Judged, differences
from grader.marking.program_comparison import EvaluatedPrograms, Exactness, rounding_bounds, top
from grader.marking.verdict import smallest_failing

if TYPE_CHECKING:
    from grader.marking.evidence import Evidence


@dataclass(frozen=True)
class Judgement:
    """What was decided about each case of an answer.

    Attributes:
        cases: the verdict on each case. Where the program alone is wrong, error and tolerance are those of float64.
        returned: the values that counted.
        exact: the programs, if the diagnosis can compare them with mistakes.
        called: the cases on which a plain call gave other values than the compiled program. The call counts.
        lost: whether every failing case is right in float64, so that float32 is what makes it wrong.
        to_call: the cases whose plain calls have to be known before the judgement counts.
    """

    cases: Sequence[Judged]
    returned: Sequence[Answered]
    exact: Exactness | None = None
    called: tuple[int, ...] = ()
    lost: bool = False
    to_call: tuple[int, ...] = ()


def judgement_of(evidence: Evidence) -> Judgement:
    """Judge an answer by its values and by its programs, if these can be compared with the truth."""
    programs, exact = evidence.programs, evidence.comparison
    return _by_values(evidence) if exact is None or programs is None else _Both(evidence, programs, exact).judgement()


def _by_values(evidence: Evidence) -> Judgement:
    alone = [one.within(evidence.band) for one in evidence.measured]
    failing = smallest_failing(alone)
    if failing is None or not evidence.compiled or alone[failing].faults:
        return Judgement(alone, evidence.returned)
    if failing not in evidence.plain:
        return Judgement(alone, evidence.returned, to_call=(failing,))
    once = evidence.plain[failing]
    if once is None or not evidence.measure(once, failing).within(evidence.band).passed:
        return Judgement(alone, evidence.returned)
    if others := tuple(index for index in range(len(alone)) if index not in evidence.plain):
        return Judgement(alone, evidence.returned, to_call=others)
    plain = [evidence.plain[index] or one for index, one in enumerate(evidence.returned)]
    judged = [evidence.measure(one, index).within(evidence.band) for index, one in enumerate(plain)]
    called = [index for index, one in enumerate(judged) if one.passed != alone[index].passed]
    return Judgement(judged, plain, called=tuple(called))


@dataclass
class _Both:
    """Both judgements at once, case by case."""

    evidence: Evidence
    programs: EvaluatedPrograms
    exact: Exactness
    called: dict[int, Answered] = field(default_factory=dict[int, Answered])
    as_program: dict[int, Answered] = field(default_factory=dict[int, Answered])
    to_call: set[int] = field(default_factory=set[int])

    def __post_init__(self) -> None:
        self.truth, self.judged = self.evidence.truth, list(self.evidence.measured)

    @cached_property
    def explains(self) -> Sequence[Array]:
        """How far rounding explains each value to be from its program; nothing if nobody can say."""
        return rounding_bounds(self.programs, self.exact, self.truth) or []

    def judgement(self) -> Judgement:
        """The verdict on each case."""
        cases = range(len(self.judged))
        doubted = [index for index in cases if not self._close(index, self.judged[index])]
        unlike = self._unlike(doubted)
        if unlike:  # JAX may turn `mask * -inf` into a choice in every call, and only in some cases of one program
            unlike |= self._call([index for index in cases if index not in doubted and self._not_finite(index)])
        final = [self._final(index, index not in unlike) for index in cases]
        failing = [index for index in cases if not final[index].passed]
        usable = not any(index in unlike for index in failing)
        return Judgement(
            final,
            [{**self.as_program, **self.called}.get(index, one) for index, one in enumerate(self.evidence.returned)],
            self.exact if usable else None,
            tuple(sorted(self.called)),
            bool(failing) and not any(self.exact.differs[index] or final[index].faults for index in failing),
            tuple(sorted(self.to_call)),
        )

    def _not_finite(self, index: int) -> bool:
        """Whether values are infinite or NaN where they should not be."""
        flat, due = self.judged[index].flat, self.truth.expected[index].values
        return flat is not None and bool(np.any(~np.isfinite(flat) & np.isfinite(due)))

    def _close(self, index: int, judged: Judged) -> bool:
        """Whether values are those of the program, as far as rounding explains."""
        if judged.flat is None:
            return False
        due, exact = self.truth.expected[index], self.exact.values[index]
        gaps = differences(judged.flat, exact)
        larger = max(1.0, top(exact) / (top(due.values) or 1.0))  # what is larger is rounded by more
        if np.all(gaps <= IMPRECISE * larger * due.tolerance):
            return True
        return bool(self.explains) and bool(np.all(gaps <= self.explains[index]))

    def _unlike(self, cases: Sequence[int]) -> set[int]:
        """Those of the cases on which a plain call does not give what the program gives.

        A call compiles each operation for each shape, which takes long. Once a call of a wrong program gives what it gives,
        this settles the verdict: on the other cases where the program is wrong, its numbers stand for a call.
        """
        wrong = [index for index in cases if self.exact.differs[index] and self.exact.known[index]]
        unlike = self._call(wrong[:1])
        settled = [] if unlike else wrong[1:]
        for index in settled:
            one = self._answered_by_program(index)
            self.as_program[index], self.judged[index] = one, self.evidence.measure(one, index)
        return unlike | self._call([index for index in cases if index not in (*wrong[:1], *settled)])

    def _answered_by_program(self, index: int) -> Answered:
        given = self.evidence.returned[index]
        assert given.array is not None
        with np.errstate(all="ignore"):
            return replace(given, array=self.exact.values[index].astype(given.array.dtype).reshape(given.array.shape))

    def _call(self, cases: Sequence[int]) -> set[int]:
        """Those of the cases on which a plain call does not give what the program gives, as far as it is known."""
        if not self.evidence.compiled:
            return set(cases)  # what ran was a call
        plain = self.evidence.plain
        self.to_call.update(index for index in cases if index not in plain)
        unlike = {index for index in cases if index in plain and plain[index] is None}
        for index, one in ((index, plain.get(index)) for index in cases):
            if one is None:
                continue
            judged = self.evidence.measure(one, index)
            before = self.judged[index].flat
            if before is None or judged.flat is None or before.shape != judged.flat.shape:
                unlike.add(index)
                continue
            far = differences(judged.flat, before) > 2 * IMPRECISE * self.truth.expected[index].tolerance
            if bool(np.any(far)):
                self.called[index], self.judged[index] = one, judged
            if not self._close(index, judged):
                unlike.add(index)
        return unlike

    def _final(self, index: int, same: bool) -> Judged:
        """One case. `same` says whether the values are those of the program, so that the program counts too."""
        judged, differs = self.judged[index], self.exact.differs[index]
        if same and differs and self.exact.known[index] and not judged.faults:
            return self._by_program(index)
        if differs:
            return judged.within(ALONE)
        return replace(judged, imprecise=judged.imprecise and self._explained(index, judged))

    def _by_program(self, index: int) -> Judged:
        """A case whose program is wrong. Its numbers are those of float64 where float32 cannot show the difference."""
        judged = self.judged[index]
        if judged.ratio > IMPRECISE:
            return replace(judged, passed=False, imprecise=False)
        values, due = self.exact.values[index], self.truth.expected[index].values
        gaps = differences(values, due)
        worst = int(np.argmax(gaps / np.maximum(self.exact.allowed[index], np.finfo(np.float64).tiny)))
        tolerance = float(self.exact.allowed[index][worst])
        return replace(
            judged,
            passed=False,
            imprecise=False,
            error=float(gaps[worst]),
            tolerance=tolerance,
            flat=values,
            worst=worst,
        )

    def _explained(self, index: int, judged: Judged) -> bool:
        """Whether the rounding of its own operations explains why the values are imprecise."""
        assert judged.flat is not None
        gaps = differences(judged.flat, self.exact.values[index])
        return bool(self.explains) and bool(np.all(gaps <= self.explains[index]))
