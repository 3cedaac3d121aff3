"""The second judgement: the programs of an answer, and plain calls where a compiled program is not what a call gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from grader.marking.draws import AskDraws, no_draws
from grader.marking.exact import AskCall, Exactness, Replayed, compare, rounding_bounds, top
from grader.marking.facts import Truth
from grader.marking.judge import ALONE, IMPRECISE, Answered, Array, Judged, differences, judge, smallest_failure
from grader.marking.verdict import Where

Places = Callable[[int], tuple[Where, ...]]
"""Gives the places where the programs of a wrong answer go wrong, nothing if none is found, once the search has ended.

It is told how many mistakes are named: what follows one place is not all right if two mistakes are known.
"""
AskPlaces = Callable[[Exactness, Truth], Places]
"""Starts that search. It needs the programs, compared with the truth."""


def nowhere(mistakes: int) -> tuple[Where, ...]:
    """No place."""
    return ()


def no_places(exact: Exactness, truth: Truth) -> Places:
    """For an answer whose places nobody looks for."""
    return nowhere


def no_call(cases: Sequence[int]) -> Mapping[int, Answered]:
    """For an answer that nobody can call again."""
    return {}


@dataclass(frozen=True)
class Inquiry:
    """What can be asked about an answer beyond its values.

    Attributes:
        draws: gives the draws of the answer on a case.
        replayed: the programs of the answer; None if it has none.
        call: gives what plain calls return, with JAX's default options.
        compiled: whether the values come from one compiled program, and not from calls.
        band: how many tolerances off the values may be where there are no programs.
        places: starts the search for the places where the programs go wrong.
        seed: chooses the values that are kept of an answer that nothing explains.
    """

    draws: AskDraws = no_draws
    replayed: Replayed | None = None
    call: AskCall = no_call
    compiled: bool = False
    band: float = ALONE
    places: AskPlaces = no_places
    seed: int = 0


@dataclass(frozen=True)
class Look:
    """What the second judgement says of an answer.

    Attributes:
        judged: the verdict on each case. Where the program alone is wrong, error and tolerance are those of float64.
        exact: the programs, if the diagnosis can compare them with mistakes.
        called: the cases on which a plain call gave other values than the compiled program. The call counts.
        lost: whether every failing case is right in float64, so that float32 is what makes it wrong.
    """

    judged: list[Judged]
    answered: Sequence[Answered]
    exact: Exactness | None = None
    called: tuple[int, ...] = ()
    lost: bool = False


def look(answered: Sequence[Answered], judged: list[Judged], truth: Truth, inquiry: Inquiry) -> Look:
    """Judge an answer by its values and by its programs.

    Args:
        judged: the values alone, in the wide band of `IMPRECISE` tolerances.
    """
    whole = all(case.flat is not None and "wrong-length" not in case.faults for case in judged)
    exact = None if inquiry.replayed is None or not whole else compare(inquiry.replayed, truth)
    if exact is None or inquiry.replayed is None:
        return _by_values(answered, judged, truth, inquiry)
    return _Both(answered, judged, truth, inquiry, inquiry.replayed, exact).look()


def _by_values(answered: Sequence[Answered], judged: list[Judged], truth: Truth, inquiry: Inquiry) -> Look:
    alone = _judged_all(answered, truth, inquiry.band)
    failing = smallest_failure(alone)
    if failing is None or not inquiry.compiled or judged[failing].faults:
        return Look(alone, answered)
    once = inquiry.call([failing]).get(failing)
    if once is None or not _judged(once, truth, failing, inquiry.band).passed:
        return Look(alone, answered)
    calls = inquiry.call(range(len(answered)))
    plain = [calls.get(index, one) for index, one in enumerate(answered)]
    judged = _judged_all(plain, truth, inquiry.band)
    called = [index for index in calls if judged[index].passed != alone[index].passed]
    return Look(judged, plain, called=tuple(sorted(called)))


def _judged(answered: Answered, truth: Truth, index: int, band: float) -> Judged:
    return judge(answered, truth.expected[index], truth.dtypes[index], band)


def _judged_all(answered: Sequence[Answered], truth: Truth, band: float) -> list[Judged]:
    # Nobody knows why values alone are further off than others.
    return [replace(_judged(one, truth, index, band), imprecise=False) for index, one in enumerate(answered)]


@dataclass
class _Both:
    """Both judgements at once, case by case."""

    answered: Sequence[Answered]
    judged: list[Judged]
    truth: Truth
    inquiry: Inquiry
    replayed: Replayed
    exact: Exactness
    called: dict[int, Answered] = field(default_factory=dict[int, Answered])
    as_program: dict[int, Answered] = field(default_factory=dict[int, Answered])

    @cached_property
    def explains(self) -> Sequence[Array]:
        """How far rounding explains each value to be from its program; nothing if nobody can say."""
        return rounding_bounds(self.replayed, self.exact, self.truth) or []

    def look(self) -> Look:
        """The verdict on each case."""
        cases = range(len(self.judged))
        doubted = [index for index in cases if not self._close(index, self.judged[index])]
        unlike = self._unlike(doubted)
        if unlike:  # JAX may turn `mask * -inf` into a choice in every call, and only in some cases of one program
            unlike |= self._call([index for index in cases if index not in doubted and self._not_finite(index)])
        final = [self._final(index, index not in unlike) for index in cases]
        failing = [index for index in cases if not final[index].passed]
        usable = not any(index in unlike for index in failing)
        return Look(
            final,
            [{**self.as_program, **self.called}.get(index, one) for index, one in enumerate(self.answered)],
            self.exact if usable else None,
            tuple(sorted(self.called)),
            bool(failing) and not any(self.exact.differs[index] or final[index].faults for index in failing),
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
            self.as_program[index], self.judged[index] = one, _judged(one, self.truth, index, IMPRECISE)
        return unlike | self._call([index for index in cases if index not in (*wrong[:1], *settled)])

    def _answered_by_program(self, index: int) -> Answered:
        given = self.answered[index]
        assert given.array is not None
        with np.errstate(all="ignore"):
            return replace(given, array=self.exact.values[index].astype(given.array.dtype).reshape(given.array.shape))

    def _call(self, cases: Sequence[int]) -> set[int]:
        """Call the answer on these cases. Returns those on which it does not give what its program gives."""
        given = self.inquiry.call(cases) if cases and self.inquiry.compiled else {}
        unlike = set(cases) - set(given)
        for index, one in given.items():
            judged = _judged(one, self.truth, index, IMPRECISE)
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
            return replace(judged, passed=judged.passed and judged.ratio <= ALONE, imprecise=False)
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
