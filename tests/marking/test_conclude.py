"""Verdicts on what answers gave: contracts, fresh inputs, exceptions, and large answers that cost the judge little."""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from grader.marking.answer_evidence import AnswerEvidence
from grader.marking.attempt import OUTSIDE, Attempt, Traced, Whereabouts
from grader.marking.conclude import conclude
from grader.marking.facts import Facts, Fresh, MistakeSet, ProgramRequirements, Truth
from grader.marking.verdict import Cause, Described, Frame, Insight, Printed, Status, Verdict
from grader.values.arrays import Answered, Expected
from grader.values.message import Message
from grader.values.outline import Outline
from tests.conftest import FLAGSHIP
from tests.marking.evidence import Confirming
from tests.marking.places import place
from tests.marking.test_judgement import Programs
from tests.test_problems import computed

HUGE = 32 << 20
"""Elements of an array that is much longer than expected."""


@pytest.mark.few(1)
@pytest.mark.parametrize("dtype", ["bool", "float32", "int8"])
def test_a_much_longer_array_is_not_compared(dtype: str) -> None:
    oracle = computed(FLAGSHIP)
    arrays = [np.zeros(due.values.size, np.float32) for due in oracle.truth().expected]
    arrays[1] = np.zeros(HUGE, dtype)
    answered = [Answered(array, array.dtype.name) for array in arrays]
    given = Attempt(answered=answered, again={1: Answered(np.ones(HUGE, dtype), dtype)})
    tracemalloc.start()
    verdict = conclude(AnswerEvidence(given, oracle.facts(), oracle))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert verdict.status is Status.WRONG
    assert "wrong-length" in verdict.diagnosis.names
    assert peak < HUGE / 4, "a quarter of a byte for each element: the array was not compared"


class Doubled(Confirming):
    """The oracle of a problem whose values are 1 to 3 and, on the second case, 2 to 6. It knows no mistakes."""

    screening_case = 0

    def truth(self) -> Truth:
        return truth_of([1.0, 2.0])

    def level(self, size: int) -> Sequence[MistakeSet]:
        return []

    def confirm(self, mistake: MistakeSet) -> Sequence[Expected]:
        raise AssertionError("there is no mistake to confirm")


def truth_of(scales: Sequence[float]) -> Truth:
    expected = [Expected(scale * np.arange(1.0, 4.0), 1e-6) for scale in scales]
    return Truth(expected, [(3,)] * len(scales), ["float32"] * len(scales), [{}] * len(scales))


def gives(*scales: float) -> list[Answered]:
    return [Answered(np.float32(scale) * np.arange(1, 4, dtype=np.float32), "float32") for scale in scales]


FACTS = Facts("doubled", ("seed",), ((0,), (1,)), (), ())


def test_values_that_are_wrong_as_written_are_wrong_even_if_they_are_right_under_the_contract() -> None:
    attempt = Attempt(answered=gives(1.0, 3.0), transformed=gives(1.0, 2.0))
    verdict = conclude(AnswerEvidence(attempt, replace(FACTS, contract="jit"), Doubled()))
    assert (verdict.status, [case.passed for case in verdict.cases]) == (Status.WRONG, [True, False])


TWO = replace(FACTS, parameters=("seed", "n"), cases=((0, 3), (0, 9)))
"""Two cases, with their names in messages: n=3 and n=9."""


@pytest.mark.parametrize(
    ("attempt", "shown"),
    [
        (Attempt(answered=gives(1.0, 3.0)), {"n=9": "second"}),
        (Attempt(answered=gives(7.0, 3.0)), {"n=3": "first"}),
        (Attempt(answered=gives(1.0, 2.0)), {"n=3": "first"}),
        (Attempt(answered=gives(1.0), raised=Described("ValueError", "", (), ())), {"n=9": "second"}),
        (Attempt(Status.TIMEOUT, was=Whereabouts("call", 1)), {"n=9": "second"}),
        (Attempt(Status.TIMEOUT, was=Whereabouts("compile")), {"n=3": "first"}),
    ],
)
def test_a_verdict_shows_what_was_printed_in_the_call_that_it_tells_of(attempt: Attempt, shown: dict[str, str]) -> None:
    attempt = replace(attempt, printed={OUTSIDE: Printed("", ""), 0: Printed("", "first"), 1: Printed("", "second")})
    verdict = conclude(AnswerEvidence(attempt, TWO, Doubled()))
    assert verdict.printed == tuple(Printed(call, text) for call, text in shown.items())


def test_a_call_that_printed_nothing_is_shown_if_it_is_the_one_and_others_printed() -> None:
    attempt = Attempt(
        answered=gives(1.0, 3.0), printed={OUTSIDE: Printed("", "loaded"), 0: Printed("", "first"), 1: Printed("", "")}
    )
    printed = conclude(AnswerEvidence(attempt, TWO, Doubled())).printed
    assert printed == (Printed("", "loaded"), Printed("n=9", ""))
    attempt = replace(attempt, answered=gives(1.0, 2.0), printed={0: Printed("", ""), 1: Printed("", "second")})
    assert conclude(AnswerEvidence(attempt, TWO, Doubled())).printed == (Printed("n=9", "second"),)
    attempt = replace(attempt, printed={OUTSIDE: Printed("", "\n"), 0: Printed("", ""), 1: Printed("", "")})
    assert conclude(AnswerEvidence(attempt, TWO, Doubled())).printed == ()


def test_of_an_answer_that_fails_on_fresh_inputs_alone_the_prints_there_are_shown() -> None:
    attempt = Attempt(
        answered=gives(1.0, 2.0, 4.0),
        printed={0: Printed("", "first"), 1: Printed("", "second"), 2: Printed("", "third")},
    )
    fresh = Fresh(((0, 70),), truth_of([3.0]))
    verdict = conclude(AnswerEvidence(attempt, TWO, Doubled(), fresh))
    assert (verdict.status, verdict.printed) == (Status.WRONG, (Printed("n=70", "third"),))


@pytest.mark.parametrize(("third", "status"), [(3.0, Status.CORRECT), (4.0, Status.WRONG)])
def test_an_answer_that_is_right_on_all_cases_must_be_right_on_fresh_inputs(third: float, status: Status) -> None:
    fresh = Fresh(((7,),), truth_of([3.0]))
    attempt = Attempt(answered=gives(1.0, 2.0, third), again=dict(enumerate(gives(1.0, 2.0, third))))
    verdict = conclude(AnswerEvidence(attempt, FACTS, Doubled(), fresh))
    assert verdict.status is status
    assert verdict.diagnosis.names == (() if status is Status.CORRECT else ("only-the-cases",))
    assert len(verdict.cases) == len(FACTS.cases)


def test_an_exception_on_a_fresh_input_names_the_input() -> None:
    raised = Described("ValueError", "no", (), ("ValueError",))
    attempt = Attempt(answered=gives(1.0, 2.0), raised=raised)
    verdict = conclude(AnswerEvidence(attempt, FACTS, Doubled(), Fresh(((7,),), truth_of([3.0]))))
    assert str(verdict.message) == "It raises ValueError at seed=7."


@pytest.mark.parametrize(("scale", "names"), [(2.0, ["loop-removed", "long-trace"]), (5.0, ["loop-removed"])])
def test_a_removed_loop_is_told_of_right_and_wrong_answers(scale: float, names: list[str]) -> None:
    insights = [Insight("loop-removed", Message("The loop at line 3.")), Insight("long-trace", Message("It is long."))]
    verdict = conclude(AnswerEvidence(Attempt(answered=gives(1.0, scale), insights=insights), FACTS, Doubled()))
    assert [insight.name for insight in verdict.insights] == names


@pytest.mark.parametrize(
    "allowed", [{"asked": ProgramRequirements(grows="log", size="seed", pair=(0, 1))}, {"repeats": True}]
)
def test_of_a_program_that_may_grow_nobody_says_that_it_grows(allowed: dict[str, Any]) -> None:
    asking = replace(FACTS, **allowed)
    attempt = Attempt(
        answered=gives(1.0, 2.0),
        insights=[Insight("long-trace", Message("It is long."))],
        traced=Traced([Outline(), Outline()]),
    )
    verdict = conclude(AnswerEvidence(attempt, asking, Doubled()))
    assert (verdict.status, list(verdict.insights)) == (Status.CORRECT, [])


@pytest.mark.parametrize(
    ("values", "told"), [([9.0, 1.0, 7.0], True), ([2.0, 4.0, 6.0], False), ([4.0, 8.0, 12.0], False)]
)
def test_an_exclusive_or_is_told_of_a_wrong_answer_that_nothing_explains_alone(values: list[float], told: bool) -> None:
    answered = [*gives(1.0), Answered(np.array(values, np.float32), "float32")]
    attempt = Attempt(answered=answered, insights=[Insight("xor", Message("The code at line 3 uses `^`."))])
    verdict = conclude(AnswerEvidence(attempt, FACTS, Doubled()))
    assert (bool(verdict.insights), verdict.status is Status.WRONG and not verdict.diagnosis.explained) == (told, told)


UNDER_GRAD = replace(FACTS, parameters=("scale",), cases=((0.5,), (1.0,)), contract="grad", wrt="scale")


class WithDerivative(Doubled):
    def truth(self) -> Truth:
        both = [Expected(np.arange(1.0, 7.0) * scale, np.full(6, 1e-6)) for scale in (1.0, 2.0)]
        return Truth(both, [(2, 3)] * 2, ["float32"] * 2, [{}] * 2)


def rows(off: float, length: int) -> list[Answered]:
    return [Answered(np.arange(1.0, 1.0 + length) * scale + off, "float32") for scale in (1.0, 2.0)]


def test_the_values_under_a_derivative_may_be_as_imprecise_as_before() -> None:
    attempt = Attempt(answered=rows(5e-6, 3), transformed=rows(0.0, 6))
    assert conclude(AnswerEvidence(attempt, UNDER_GRAD, WithDerivative())).status is Status.CORRECT


def test_where_only_float64_shows_a_difference_the_values_are_not_said_to_be_right() -> None:
    attempt = Attempt(answered=rows(0.0, 3), transformed=rows(0.0, 6))
    off = Programs([one.array for one in rows(1e-5, 6) if one.array is not None])
    off.constants = lambda: [np.zeros(6)] * 2
    verdict = conclude(AnswerEvidence(attempt, UNDER_GRAD, WithDerivative(), derivatives=off))
    assert verdict.status is Status.WRONG
    assert "as written" not in str(verdict.message)


@pytest.mark.parametrize(("wrong", "named"), [(slice(0, 3), False), (slice(3, 6), True)])
def test_only_a_derivative_that_is_wrong_is_said_to_be_wrong(wrong: slice, named: bool) -> None:
    """The values may be as imprecise as written, and too far off where a derivative is taken of them."""
    under = rows(0.0, 6)
    for one in under:
        assert one.array is not None
        one.array[wrong] += 5e-6
    told = conclude(AnswerEvidence(Attempt(answered=rows(5e-6, 3), transformed=under), UNDER_GRAD, WithDerivative()))
    assert told.status is Status.WRONG
    assert ("its derivative is not right" in str(told.message)) == named


def test_a_file_without_the_function_is_told_how_to_begin_it() -> None:
    described = Described("AttributeError", "", (), (), Cause.NO_FUNCTION, {"name": "'toy'"})
    facts = replace(FACTS, name="toy", parameters=("seed", "T"), cases=((0, 1), (0, 2)))
    verdict = conclude(AnswerEvidence(Attempt(raised=described), facts, Doubled()))
    assert str(verdict.message) == "The file has no `def toy(seed, T)`."


@pytest.mark.parametrize(
    ("frames", "unattempted"),
    [
        ([("doubled", "raise NotImplementedError")], True),
        ([("doubled", 'if seed: raise NotImplementedError("later")')], True),
        ([("doubled", 'return y.ravel(order="K")')], False),
        ([("doubled", "return helper(seed)"), ("helper", "raise NotImplementedError")], False),
        ([], False),
    ],
)
def test_only_the_statement_of_a_stub_in_the_function_itself_is_not_begun(
    frames: list[tuple[str, str]], unattempted: bool
) -> None:
    listed = tuple(Frame(3 + at, function, text) for at, (function, text) in enumerate(frames))
    raised = Described("NotImplementedError", "", listed, ("NotImplementedError", "RuntimeError"))
    verdict = conclude(AnswerEvidence(Attempt(raised=raised), replace(FACTS, name="doubled"), Doubled()))
    assert (verdict.status is Status.UNATTEMPTED, verdict.status is Status.ERROR) == (unattempted, not unattempted)


@pytest.mark.parametrize(
    ("again", "why"),
    [
        (np.float32([1, 2, 4]), "Two calls with the same arguments differ by 1."),
        (np.float32([1, 2, np.inf]), "Two calls with the same arguments differ in which values are finite."),
        (np.float32([1, 2]), "Two calls with the same arguments give arrays of different shapes, (3,) and (2,)."),
        (None, "Two calls with the same arguments give an array once, and no array once."),
    ],
)
def test_two_calls_that_differ_are_told_how(again: Any, why: str) -> None:
    attempt = Attempt(
        answered=gives(1.0, 2.0), again={0: Answered(again, "float32", "" if again is not None else "list")}
    )
    verdict = conclude(AnswerEvidence(attempt, FACTS, Doubled()))
    assert (verdict.status, [str(named.why) for named in verdict.diagnosis.named]) == (Status.WRONG, [why])


THERE = place(3, 0, 3, 1, "x")


def placed(
    answered: Sequence[Answered], programs: Sequence[Answered] | None = None, *, facts: Facts = FACTS, **options: Any
) -> tuple[Verdict, bool]:
    """The verdict on an answer with programs, and whether these are worth a search, which finds a place then."""
    given = None if programs is None else Programs([one.array for one in programs if one.array is not None])
    answer = AnswerEvidence(Attempt(answered=answered, **options), facts, Doubled(), programs=given)
    return conclude(answer, [THERE] if answer.to_locate else ()), answer.to_locate is not None


def test_of_an_answer_whose_programs_are_wrong_the_place_is_told() -> None:
    verdict, searched = placed(gives(1.0, 3.0), gives(1.0, 3.0))
    assert (verdict.status, verdict.where, searched) == (Status.WRONG, (THERE,), True)


@pytest.mark.parametrize(
    ("answered", "programs"),
    [
        (gives(1.0, 2.0), gives(1.0, 2.0)),  # right
        (gives(1.0, 3.0), None),  # without programs
        (gives(1.0, 3.0), gives(1.0, 2.0)),  # right programs, which lose precision
        (gives(1.0, 3.0), gives(1.0, 4.0)),  # programs that are not what ran
        ([gives(1.0)[0], Answered(np.arange(1.0, 4.0) * 3, "float64")], gives(1.0, 3.0)),  # another dtype
        ([gives(1.0)[0], Answered(np.ones(2, np.float32), "float32")], gives(1.0, 3.0)),  # another number of values
    ],
)
def test_of_any_other_answer_no_place_is_searched_for(
    answered: Sequence[Answered], programs: Sequence[Answered] | None
) -> None:
    verdict, searched = placed(answered, programs)
    assert (verdict.where, searched) == ((), False)


@pytest.mark.parametrize("transformed", [gives(1.0, 3.0), gives(1.0, 2.0)])
def test_under_a_contract_the_place_is_that_of_the_answer_as_written(transformed: Sequence[Answered]) -> None:
    jitted = replace(FACTS, contract="jit")
    verdict, searched = placed(gives(1.0, 3.0), gives(1.0, 3.0), facts=jitted, transformed=transformed)
    assert (verdict.status, verdict.where, searched) == (Status.WRONG, (THERE,), True)


def test_an_answer_that_is_wrong_under_its_contract_alone_has_no_place() -> None:
    jitted = replace(FACTS, contract="jit")
    verdict, searched = placed(gives(1.0, 2.0), gives(1.0, 2.0), facts=jitted, transformed=gives(1.0, 3.0))
    assert (verdict.status, verdict.where, searched) == (Status.WRONG, (), False)


def test_a_wrong_derivative_has_a_place_in_its_own_program() -> None:
    wrong = [*rows(0.0, 6)]
    wrong[1] = Answered(np.array([2.0, 4.0, 6.0, 8.0, 10.0, 99.0]), "float32")
    programs = Programs([one.array for one in wrong if one.array is not None])
    programs.constants = lambda: [np.zeros(6)] * 2
    attempt = Attempt(answered=rows(0.0, 3), transformed=wrong)
    answer = AnswerEvidence(attempt, UNDER_GRAD, WithDerivative(), derivatives=programs)
    assert answer.to_locate is not None
    verdict = conclude(answer, [THERE])
    assert (verdict.status, verdict.where) == (Status.WRONG, (THERE,))
    assert verdict.diagnosis.names == ("wrong-gradient",)
