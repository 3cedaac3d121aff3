"""The evidence of one call of an answer, and the judgement of it: by its values, by its programs, and by plain calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from grader.marking.comparison import MOST_TOLERANCES_OF_VALUES, MOST_TOLERANCES_WITH_PROGRAM, Judged, judge
from grader.marking.facts import ExpectedValues, Facts, Truth
from grader.marking.program_comparison import EvaluatedPrograms, Exactness, ExactOracle, compare, rounding_bounds
from grader.marking.verdict import Named, smallest_failing
from grader.values.arrays import CALLS_ALIKE, Answered, Array, Expected, differences, largest_magnitude
from grader.values.message import Message
from grader.values.outline import Draw


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
    alone = [measured.at_tolerances(evidence.band) for measured in evidence.measured]
    failing = smallest_failing(alone)
    if failing is None or not evidence.compiled or alone[failing].faults:
        return Judgement(alone, evidence.returned)
    if failing not in evidence.plain:
        needed = () if _wrong_as_its_program_is(evidence, failing) else (failing,)
        return Judgement(alone, evidence.returned, to_call=needed)
    once = evidence.plain[failing]
    if once is None or not evidence.measure(once, failing).at_tolerances(evidence.band).passed:
        return Judgement(alone, evidence.returned)
    if others := tuple(index for index in range(len(alone)) if index not in evidence.plain):
        return Judgement(alone, evidence.returned, to_call=others)
    plain = [evidence.plain[index] or returned for index, returned in enumerate(evidence.returned)]
    judged = [evidence.measure(answered, index).at_tolerances(evidence.band) for index, answered in enumerate(plain)]
    called = [index for index, outcome in enumerate(judged) if outcome.passed != alone[index].passed]
    return Judgement(judged, plain, called=tuple(called))


def _wrong_as_its_program_is(evidence: Evidence, case: int) -> bool:
    """Whether a wrong value is what its program gives, with draws of its own, so that a plain call would give it too."""
    flat, due = evidence.measured[case].flat, evidence.truth.expected[case].values
    programs = [] if evidence.programs is None else evidence.programs.approximate()
    if not programs or flat is None or programs[case].size != flat.size or flat.size != due.size:
        return False
    apart = CALLS_ALIKE * largest_magnitude(programs[case])
    near, far = differences(flat, programs[case]), differences(flat, due)
    return bool(np.all(near <= apart)) and bool(np.any(far > 2 * apart))


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
            [
                {**self.as_program, **self.called}.get(index, returned)
                for index, returned in enumerate(self.evidence.returned)
            ],
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
        larger = max(
            1.0, largest_magnitude(exact) / (largest_magnitude(due.values) or 1.0)
        )  # what is larger is rounded by more
        if np.all(gaps <= MOST_TOLERANCES_WITH_PROGRAM * larger * due.tolerance):
            return True
        return bool(self.explains) and bool(np.all(gaps <= self.explains[index]))

    def _unlike(self, cases: Sequence[int]) -> set[int]:
        """The cases, among some, on which a plain call does not give what the program gives.

        A call compiles each operation for each shape, which takes long. Once a call of a wrong program gives what it gives,
        this settles the verdict: on the other cases where the program is wrong, its numbers stand for a call.
        """
        wrong = [index for index in cases if self.exact.differs[index] and self.exact.known[index]]
        unlike = self._call(wrong[:1])
        settled = [] if unlike else wrong[1:]
        for index in settled:
            answered = self._answered_by_program(index)
            self.as_program[index], self.judged[index] = answered, self.evidence.measure(answered, index)
        return unlike | self._call([index for index in cases if index not in (*wrong[:1], *settled)])

    def _answered_by_program(self, index: int) -> Answered:
        given = self.evidence.returned[index]
        assert given.array is not None
        with np.errstate(all="ignore"):
            return replace(given, array=self.exact.values[index].astype(given.array.dtype).reshape(given.array.shape))

    def _call(self, cases: Sequence[int]) -> set[int]:
        """The cases, among some, on which a plain call does not give what the program gives, as far as it is known."""
        if not self.evidence.compiled:
            return set(cases)  # what ran was a call
        plain = self.evidence.plain
        self.to_call.update(index for index in cases if index not in plain)
        unlike = {index for index in cases if index in plain and plain[index] is None}
        for index, plain_answer in ((index, plain.get(index)) for index in cases):
            if plain_answer is None:
                continue
            judged = self.evidence.measure(plain_answer, index)
            before = self.judged[index].flat
            if before is None or judged.flat is None or before.shape != judged.flat.shape:
                unlike.add(index)
                continue
            far = (
                differences(judged.flat, before)
                > 2 * MOST_TOLERANCES_WITH_PROGRAM * self.truth.expected[index].tolerance
            )
            if bool(np.any(far)):
                self.called[index], self.judged[index] = plain_answer, judged
            if not self._close(index, judged):
                unlike.add(index)
        return unlike

    def _final(self, index: int, same: bool) -> Judged:
        """One case. `same` says whether the values are those of the program, so that the program counts too."""
        judged, differs = self.judged[index], self.exact.differs[index]
        if same and differs and self.exact.known[index] and not judged.faults:
            return self._by_program(index)
        if differs:
            return judged.at_tolerances(MOST_TOLERANCES_OF_VALUES)
        return replace(judged, imprecise=judged.imprecise and self._explained(index, judged))

    def _by_program(self, index: int) -> Judged:
        """A case whose program is wrong. Its numbers are those of float64 where float32 cannot show the difference."""
        judged = self.judged[index]
        if judged.ratio > MOST_TOLERANCES_WITH_PROGRAM:
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


@dataclass(frozen=True)
class Evidence:
    """All that is known of an answer that was called in one way: as written, or as a contract asks.

    Attributes:
        truth: what is expected of these calls.
        returned: what each of them returned.
        parts: the names of arrays that are stacked before the axes of the problem: a value and its derivative.
        programs: its programs, evaluated by another process; None if there are none of these calls.
        value: the programs of the value alone, where `programs` are those of a value and its derivative; else None.
        compiled: whether the values come from one compiled program, and not from calls.
        plain: what plain calls returned on some cases, with JAX's default options; None where one gave nothing.
        band: how many tolerances off the values may be where there are no programs.
        seed: chooses the values that are kept of an answer that nothing explains.
    """

    facts: Facts
    oracle: ExpectedValues
    truth: Truth
    returned: Sequence[Answered]
    parts: tuple[Message, ...] = ()
    programs: EvaluatedPrograms | None = None
    value: EvaluatedPrograms | None = None
    compiled: bool = False
    plain: Mapping[int, Answered | None] = field(default_factory=dict[int, "Answered | None"])
    band: float = MOST_TOLERANCES_OF_VALUES
    seed: int = 0

    def measure(self, returned: Answered, case: int) -> Judged:
        """Judge what one call returned by its form and its values alone."""
        return judge(returned, self.truth.expected[case], self.truth.dtypes[case])

    @cached_property
    def measured(self) -> Sequence[Judged]:
        """Each case by its form and its values alone."""
        return [self.measure(returned, case) for case, returned in enumerate(self.returned)]

    @cached_property
    def comparison(self) -> Exactness | None:
        """The programs compared with the truth; None if they cannot be compared, or if the values cannot."""
        whole = all(case.flat is not None and "wrong-length" not in case.faults for case in self.measured)
        return None if self.programs is None or not whole else compare(self.programs, self.truth)

    @cached_property
    def judgement(self) -> Judgement:
        """The verdict on each case, by values and programs."""
        return judgement_of(self)

    @property
    def judged(self) -> Sequence[Judged]:
        """The verdict on each case."""
        return self.judgement.cases

    @property
    def failing(self) -> int | None:
        """The failing case that a report shows; None if no case fails."""
        return smallest_failing(self.judged)

    @property
    def comparable(self) -> bool:
        """Whether every call returned numbers."""
        return all(case.flat is not None for case in self.judged)

    @property
    def numbers(self) -> Numbers:
        """The numbers in which mistakes are looked for: those of the programs where these count."""
        return Numbers(self, self.judgement.exact)

    def draws(self, case: int) -> Sequence[Draw]:
        """The draws of the answer on a case, with their lines; none if they are not known."""
        programs = self.value or self.programs
        return () if programs is None else programs.draws(case)

    def with_calls(self, cases: Iterable[int], given: Mapping[int, Answered]) -> Evidence:
        """This evidence, and also what plain calls on some cases gave."""
        return replace(self, plain={**self.plain, **{case: given.get(case) for case in cases}})


@dataclass(frozen=True)
class Numbers:
    """The numbers of an answer, each of whose calls returned some, and what is known of mistakes in the same precision.

    Attributes:
        exact: the programs that give them; None where they are what the calls returned.
        undone: mistakes that were taken out of the programs, so that others can be looked for.
    """

    evidence: Evidence
    exact: Exactness | None
    undone: tuple[Named, ...] = ()

    @cached_property
    def values(self) -> tuple[Array, ...]:
        """The numbers of each case, in one dimension: no rounding blurs those of programs."""
        if self.exact is not None:
            return tuple(self.exact.values)
        return tuple(case.flat for case in self.evidence.judged if case.flat is not None)

    @cached_property
    def mistakes(self) -> ExpectedValues:
        """What is known of mistakes."""
        return self.evidence.oracle if self.exact is None else ExactOracle(self.evidence.oracle, self.exact)

    @cached_property
    def truth(self) -> Truth:
        """What is expected."""
        return self.evidence.truth if self.exact is None else self.mistakes.truth()

    @property
    def cases(self) -> list[tuple[Array, Expected]]:
        """The numbers of each case beside what is expected of them."""
        return list(zip(self.values, self.truth.expected, strict=True))
