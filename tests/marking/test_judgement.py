"""The two judgements of an answer, by its values and by its programs, and which of them counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from grader.marking.comparison import MOST_TOLERANCES_OF_VALUES
from grader.marking.evidence import Evidence
from grader.marking.facts import Truth
from grader.marking.program_comparison import Widened, compare
from grader.values.arrays import Answered, Array, Expected
from grader.values.outline import Draw
from tests.marking.evidence import Calls, evidence_of

TOLERANCE = 1e-6
DUE = [np.array([1.0, 2.0, 4.0]), np.array([3.0, 5.0, 8.0])]
TRUTH = Truth(
    [Expected(due, TOLERANCE) for due in DUE],
    [(3,), (3,)],
    ["float32", "float32"],
    [{"float16": 0.01, "bfloat16": 0.1}] * 2,
    numbers=[{}, {}],
    uncertain=[np.zeros(3), np.zeros(3)],
)


@dataclass
class Programs:
    """Programs whose values are known. `asked` lists what was asked beyond the values."""

    exact: Sequence[Array] | None
    by_constants: float = 0.0
    by_rounding: float = 0.0
    asked: list[str] = field(default_factory=list[str])
    wide: Widened | None = None
    history: bool = True
    drawn: Sequence[Draw] = ()
    roughly: Sequence[Array] = ()

    def approximate(self) -> Sequence[Array]:
        return self.roughly

    def values(self) -> Sequence[Array] | None:
        return self.exact

    def constants(self) -> Sequence[Array]:
        self.asked.append("constants")
        return [np.full(3, self.by_constants)] * 2

    def known(self) -> Sequence[bool]:
        return [self.history] * 2

    def rounding(self) -> Sequence[Array]:
        self.asked.append("rounding")
        return [np.full(3, self.by_rounding)] * 2

    def draws(self, case: int) -> Sequence[Draw]:
        return self.drawn

    def widened(self, case: int) -> Widened | None:
        return self.wide

    def outlines(self) -> None:
        return None  # nothing is asked of them

    def reused(self) -> None:
        return None

    def worst_line(self, case: int, index: int) -> int:
        return 7


def calls(off: float) -> Calls:
    """Plain calls that give values that are off by so much."""
    return Calls(lambda case: answered(off)[case])


def answered(off: float, case: int = 1) -> list[Answered]:
    """The truth in float64, where one value of a case is off."""
    values = [due.copy() for due in DUE]
    values[case][1] += off
    return [Answered(one, "float32") for one in values]


def programs(off: float = 0.0, **noise: float) -> Programs:
    return Programs([one.array for one in answered(off) if one.array is not None], **noise)


def evidence(
    given: Sequence[Answered], evaluated: Programs | None, plain: Calls | None = None, **more: object
) -> Evidence:
    """The evidence of an answer that was compiled, if there are plain calls of it."""
    known = {"programs": evaluated, "compiled": plain is not None, "band": MOST_TOLERANCES_OF_VALUES, **more}
    seen = replace(evidence_of(TRUTH, DUE), returned=given, **known)  # pyright: ignore[reportArgumentType]
    return seen if plain is None else plain.settled(seen)


def looked(off: float, evaluated: Programs | None, plain: Calls | None = None) -> Evidence:
    return evidence(answered(off), evaluated, plain)


def passed(seen: Evidence) -> list[bool]:
    return [case.passed for case in seen.judged]


def test_a_right_answer_is_asked_for_nothing_but_its_exact_values() -> None:
    evaluated, plain = programs(), calls(0.0)
    seen = looked(0.5 * TOLERANCE, evaluated, plain)
    assert passed(seen) == [True, True]
    assert not any(case.imprecise for case in seen.judged)
    assert (evaluated.asked, plain.of) == ([], [])


@pytest.mark.parametrize(("tolerances", "right"), [(1.9, True), (2.1, False)])
def test_of_an_answer_without_programs_the_values_decide_within_two_tolerances(tolerances: float, right: bool) -> None:
    for evaluated in (None, Programs(None)):
        assert passed(looked(tolerances * TOLERANCE, evaluated)) == [True, right]


def test_a_program_that_differs_is_wrong_where_rounding_hides_it_in_the_values() -> None:
    seen = looked(0.5 * TOLERANCE, programs(0.5 * TOLERANCE))
    assert passed(seen) == [True, False]
    assert seen.judged[1].error == pytest.approx(0.5 * TOLERANCE)
    assert seen.judgement.exact is not None
    assert seen.judgement.exact.differs == [False, True]
    assert not seen.judgement.lost


@pytest.mark.parametrize(
    ("of_program", "of_values", "right"),
    [(0.5, 0.5, True), (2.5, 1.9, True), (3.0, 3.0, False), (1.9, 10.0, True)],
    ids=["both within", "the values within", "neither within", "the rounding of what follows"],
)
def test_a_program_with_a_number_of_no_known_history_overrules_no_values(
    of_program: float, of_values: float, right: bool
) -> None:
    table = programs(of_program * TOLERANCE, by_rounding=10 * TOLERANCE)
    table.history = False
    seen = looked(of_values * TOLERANCE, table)
    assert passed(seen) == [True, right]
    assert seen.judgement.exact is not None
    assert not any(seen.judgement.exact.overrules(case, judged) for case, judged in enumerate(seen.judged))


@pytest.mark.parametrize(("off", "right"), [(8 * 2.0**-26, True), (8 * 2.0**-24, False)])
def test_a_program_that_differs_by_less_than_float32_can_show_is_right(off: float, right: bool) -> None:
    assert passed(looked(0.0, programs(off))) == [True, right]


def test_constants_that_float32_rounds_explain_a_difference_of_programs() -> None:
    assert passed(looked(0.5 * TOLERANCE, programs(0.5 * TOLERANCE, by_constants=0.2 * TOLERANCE))) == [True, True]
    assert passed(looked(0.5 * TOLERANCE, programs(0.5 * TOLERANCE, by_constants=0.05 * TOLERANCE))) == [True, False]


@pytest.mark.parametrize(("rounding", "imprecise"), [(0.01, False), (1.0, True)])
def test_values_of_a_right_program_are_imprecise_only_if_its_own_rounding_explains_them(
    rounding: float, imprecise: bool
) -> None:
    seen = looked(5 * TOLERANCE, programs(by_rounding=rounding * TOLERANCE))
    assert passed(seen) == [True, True]
    assert [case.imprecise for case in seen.judged] == [False, imprecise]


def test_values_of_a_right_program_that_are_far_off_are_lost_in_float32() -> None:
    seen = looked(1e-3, programs(by_rounding=1e-3), calls(1e-3))
    assert passed(seen) == [True, False]
    assert seen.judgement.lost


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_values_that_are_not_finite_where_float64_is_are_lost_in_float32(value: float) -> None:
    seen = looked(value, programs(), calls(value))
    assert passed(seen) == [True, False]
    assert seen.judgement.lost


def test_where_the_compiled_program_differs_from_a_call_the_call_counts() -> None:
    for wrong in (np.nan, 1.0):
        plain = calls(0.0)
        seen = looked(wrong, programs(), plain)
        assert passed(seen) == [True, True]
        assert (seen.judgement.called, plain.of) == ((1,), [1])


def test_a_call_that_is_wrong_makes_a_compiled_right_answer_wrong() -> None:
    seen = looked(0.0, programs(np.nan), calls(np.nan))
    assert passed(seen) == [True, False]
    assert seen.judgement.called == (1,)
    assert not seen.judgement.lost


def test_where_a_call_is_not_like_its_program_values_that_are_not_finite_are_called_too() -> None:
    plain = Calls(lambda case: Answered(DUE[case], "float32"))
    seen = looked(np.nan, Programs([due + np.nan for due in DUE]), plain)
    assert (passed(seen), plain.of, seen.judgement.called) == ([True, True], [0, 1], (1,))
    plain = calls(0.0)
    assert passed(looked(np.nan, programs(np.nan), plain)) == [True, False]
    assert plain.of == [], "two evaluations agree"


@pytest.mark.parametrize(("off", "right", "asked"), [(np.nan, False, [0]), (0.0, True, [0, 1])])
def test_once_a_call_gives_what_a_wrong_program_gives_the_other_cases_need_none(
    off: float, right: bool, asked: list[int]
) -> None:
    plain = Calls(lambda case: Answered(DUE[case] + off, "float32"))
    seen = evidence([Answered(due, "float32") for due in DUE], Programs([due + np.nan for due in DUE]), plain)
    assert (passed(seen), plain.of) == ([right, right], asked)
    returned = seen.judgement.returned
    assert all(np.isnan(one.array).all() != right for one in returned if one.array is not None)


def test_a_program_that_is_not_what_a_call_gives_does_not_count() -> None:
    seen = looked(0.0, programs(1.0), calls(0.0))
    assert passed(seen) == [True, True]
    assert seen.judgement.called == ()


def test_without_programs_a_plain_call_of_the_failing_case_can_save_a_compiled_answer() -> None:
    plain = calls(0.0)
    seen = looked(1.0, None, plain)
    assert passed(seen) == [True, True]
    assert plain.of == [1, 0]
    assert passed(looked(1.0, None, calls(1.0))) == [True, False]


def test_what_a_program_gives_with_draws_of_its_own_needs_no_call_to_be_wrong() -> None:
    for off, called in ((1.0, []), (0.0, [1, 0]), (0.5, [1, 0])):
        plain = calls(0.0)
        seen = looked(1.0, Programs(None, roughly=programs(off).exact or ()), plain)
        assert (passed(seen), plain.of) == ([True, bool(called)], called)


def test_of_larger_values_rounding_may_explain_more_without_a_question() -> None:
    larger = Programs([1e6 * due for due in DUE])
    off = [Answered(1e6 * due + 1e5 * TOLERANCE, "float32") for due in DUE]
    seen = evidence(off, larger, compiled=True)
    assert (passed(seen), seen.judgement.exact is not None, "rounding" in larger.asked) == ([False, False], True, False)


def test_of_calls_that_save_an_answer_only_those_that_changed_a_case_are_named() -> None:
    assert looked(1.0, None, calls(0.3 * TOLERANCE)).judgement.called == (1,)


def test_programs_that_their_constants_leave_vague_are_not_compared() -> None:
    vague = programs(0.5, by_constants=1.0)
    assert compare(vague, TRUTH) is None
    assert not looked(0.5, vague).judgement.lost


def test_programs_of_another_form_are_not_compared() -> None:
    assert compare(Programs([np.zeros(3), np.zeros(4)]), TRUTH) is None
    assert compare(Programs([np.zeros(3)]), TRUTH) is None
    assert compare(Programs([np.zeros(3), np.zeros(3, complex)]), TRUTH) is None


def test_rows_with_tolerances_of_their_own_have_noise_of_their_own() -> None:
    due = Expected(np.array([1.0, 1.0, 1000.0, 1000.0]), np.array([1e-7, 1e-7, 1e-4, 1e-4]))
    truth = Truth([due], [(2, 2)], ["float32"], [{}], uncertain=[np.array([0.0, 0.0, 1e-3, 1e-3])])

    class Off(Programs):
        def constants(self) -> Sequence[Array]:
            return [np.zeros(4)]

    off = {row: compare(Off([due.values + 2e-3 * (np.arange(4) == 2 * row)]), truth) for row in (0, 1)}
    assert {row: one is not None and not any(one.differs) for row, one in off.items()} == {0: False, 1: True}
