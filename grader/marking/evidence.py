"""All that is known of an answer: what is asked for, what it returned, and its programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from grader.marking.comparison import ALONE, Answered, Array, Expected, Judged, judge
from grader.marking.draws import Draw
from grader.marking.facts import Facts, Oracle, Truth
from grader.marking.judgement import Judgement, judgement_of
from grader.marking.program_comparison import EvaluatedPrograms, Exactness, ExactOracle, compare
from grader.marking.verdict import Named, smallest_failing
from grader.values.message import Message


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
    oracle: Oracle
    truth: Truth
    returned: Sequence[Answered]
    parts: tuple[Message, ...] = ()
    programs: EvaluatedPrograms | None = None
    value: EvaluatedPrograms | None = None
    compiled: bool = False
    plain: Mapping[int, Answered | None] = field(default_factory=dict[int, "Answered | None"])
    band: float = ALONE
    seed: int = 0

    def measure(self, returned: Answered, case: int) -> Judged:
        """Judge what one call returned by its form and its values alone."""
        return judge(returned, self.truth.expected[case], self.truth.dtypes[case])

    @cached_property
    def measured(self) -> Sequence[Judged]:
        """Each case by its form and its values alone."""
        return [self.measure(one, case) for case, one in enumerate(self.returned)]

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
        """The same with what plain calls on some cases gave."""
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
        """Those of each case, in one dimension: no rounding blurs those of programs."""
        if self.exact is not None:
            return tuple(self.exact.values)
        return tuple(case.flat for case in self.evidence.judged if case.flat is not None)

    @cached_property
    def mistakes(self) -> Oracle:
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
