"""What each detector says is so: its sentence is checked against the arrays that it was given, on answers at random."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, find, given, settings

from grader.marking.answer_evidence import AnswerEvidence
from grader.marking.attempt import Attempt
from grader.marking.comparison import MOST_TOLERANCES_WITH_PROGRAM
from grader.marking.conclude import conclude
from grader.marking.diagnosis import DETECTED_MISTAKES, DETECTORS, diagnose
from grader.marking.evidence import Evidence
from grader.marking.excerpt import arguments_text
from grader.marking.facts import Fresh, MistakeSet, Truth
from grader.marking.program_comparison import Widened
from grader.marking.verdict import Named
from grader.values.arrays import Answered, Array, Expected
from grader.values.message import Line, Message
from grader.values.outline import Draw
from tests.marking.evidence import Calls, Unmistaken, evidence_of, facts_of
from tests.marking.test_judgement import Programs

TOLERANCE = 1e-6
NUMBER = r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
Change = Callable[[Array, tuple[int, ...], np.random.Generator], Array]


@dataclass(frozen=True)
class Given:
    """An answer at random: what is expected, and what it returned."""

    truth: Truth
    returned: Sequence[Answered]

    @property
    def evidence(self) -> Evidence:
        arrays = [due.values for due in self.truth.expected]
        facts = facts_of(self.truth, axes=AXES[: len(self.truth.shapes[0])], pitfalls=(SHIFTED, SIGNED))
        oracle = WithPitfalls(self.truth)
        return evidence_of(self.truth, arrays, returned=self.returned, facts=facts, oracle=oracle)

    def named(self) -> tuple[Named, ...]:
        """What is named of it; nothing where it is right."""
        evidence = self.evidence
        return () if evidence.failing is None else diagnose(evidence).named

    def failing(self) -> list[tuple[Array, Array]]:
        """What each failing case returned, and what is due there."""
        judged = zip(self.evidence.judged, self.pairs(), strict=True)
        return [pair for case, pair in judged if not case.passed]

    def pairs(self) -> list[tuple[Array, Array]]:
        """What each case returned in one row, and what is due there."""
        flats = [np.zeros(0) if one.array is None else np.ravel(one.array).astype(float) for one in self.returned]
        return [(flat, due.values) for flat, due in zip(flats, self.truth.expected, strict=True)]

    def told_of(self, fault: str) -> tuple[str, Answered, Array]:
        """The case that the sentence of a fault is about: its name there, what it returned, and what is expected."""
        evidence = self.evidence
        having = [index for index, case in enumerate(evidence.judged) if fault in case.faults]
        index = evidence.failing if evidence.failing in having else having[0]
        where = "" if index == evidence.failing else f"At {arguments_text(evidence.facts, index)}: "
        return where, self.returned[index], self.truth.expected[index].values


AXES = "row", "column"
SHIFTED, SIGNED = (
    Named("shifted", Message("Why."), Message("Hint?")),
    Named("signed", Message("Why."), Message("Hint?")),
)
MADE: Mapping[str, Callable[[Array], Array]] = {
    "shifted": lambda flat: np.roll(flat, 1),
    "signed": lambda flat: np.where(np.arange(flat.size) % 3, flat, -flat),
}


@dataclass
class WithPitfalls(Unmistaken):
    """An oracle with two pitfalls, and both together."""

    def outputs(self, names: Sequence[str]) -> list[Expected]:
        made: list[Expected] = []
        for due in self.known.expected:
            flat = due.values
            for name in names:
                flat = MADE[name](flat)
            made.append(Expected(flat, np.full(flat.shape, TOLERANCE)))
        return made

    def level(self, size: int) -> Sequence[MistakeSet]:
        sets = {0: [], 1: [("shifted",), ("signed",)], 2: [("shifted", "signed")]}.get(size, [])
        return [MistakeSet(names, (0,) * len(names), self.outputs(names)[self.screening_case]) for names in sets]

    def confirm(self, mistake: MistakeSet) -> Sequence[Expected]:
        return self.outputs(mistake.names)


def rounded_to(dtype: str) -> Change:
    return lambda flat, shape, rng: flat.astype(dtype).astype(np.float32)


def strange(flat: Array, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    return np.where(rng.random(flat.size) < 0.4, rng.choice([np.nan, np.inf, -np.inf]), flat)


def without_an_axis(flat: Array, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    axis = int(rng.integers(len(shape)))
    return np.broadcast_to(flat.reshape(shape).take([0], axis), shape).reshape(-1)


CHANGES: Sequence[Change] = (
    lambda flat, shape, rng: flat,
    lambda flat, shape, rng: flat * rng.choice([2.0, -1.0, 0.5, 1 + 4e-5, 3.25]),
    lambda flat, shape, rng: flat + rng.choice([1.0, -2.5, 1e-7, 1e-4]),
    lambda flat, shape, rng: flat + rng.normal(size=flat.size) * 10.0 ** rng.integers(-7, 1),
    lambda flat, shape, rng: flat.round(int(rng.integers(1, 5))),
    lambda flat, shape, rng: 0 * flat,
    lambda flat, shape, rng: 0 * flat + rng.normal(),
    lambda flat, shape, rng: flat.reshape(shape).T.reshape(-1),
    lambda flat, shape, rng: MADE["shifted"](flat),
    lambda flat, shape, rng: MADE["signed"](flat),
    rounded_to("float16"),
    strange,
    without_an_axis,
)
"""What may happen to the right values of a case, in one row."""

FORMS: Sequence[Callable[[Array, tuple[int, ...]], Answered]] = (
    lambda flat, shape: Answered(flat.astype(np.float32).reshape(shape), "float32"),
    lambda flat, shape: Answered(flat.astype(np.float64), "float64"),
    lambda flat, shape: Answered(np.trunc(np.nan_to_num(flat)).astype(np.int32), "int32"),
    lambda flat, shape: Answered(flat.astype(np.float32)[:-1], "float32"),
    lambda flat, shape: Answered(np.resize(flat.astype(np.float32), flat.size + 2), "float32"),
    lambda flat, shape: Answered(None, instead="list"),
    lambda flat, shape: Answered(None, instead="NoneType"),
)
"""Forms of what a call returns, all of them wrong."""


@st.composite
def answers(draw: st.DrawFn) -> Given:
    """One to three cases; changes of all or of some of them, one after the other; and a form."""
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    rank, count = draw(st.integers(1, 2)), draw(st.integers(1, 3))
    shapes = [tuple(draw(st.integers(1, 4)) for _ in range(rank)) for _ in range(count)]
    due = [rng.normal(size=int(np.prod(shape))).astype(np.float32).astype(float) for shape in shapes]
    truth = Truth([Expected(one, TOLERANCE) for one in due], shapes, ["float32"] * count, [{"float16": 0.01}] * count)
    changes = draw(st.lists(st.sampled_from(CHANGES), min_size=1, max_size=2))
    some = draw(st.booleans()) and count > 1
    form = draw(st.none() | st.sampled_from(FORMS))
    returned: list[Answered] = []
    for index, (flat, shape) in enumerate(zip(due, shapes, strict=True)):
        with np.errstate(all="ignore"):
            if not some or index:
                for change in changes:
                    flat = change(flat, shape, rng)
            whole = Answered(flat.astype(np.float32), "float32")
            returned.append(whole if form is None or (some and not index) else form(flat, shape))
    return Given(truth, returned)


def numbers_of(text: str) -> list[float]:
    return [float(one) for one in re.findall(NUMBER, text)]


def of_failing_cases(given: Given, why: str) -> list[tuple[Array, Array]]:
    """The cases of which a sentence speaks that begins with how many fail."""
    failing = given.failing()
    if len(failing) == len(given.returned):
        assert why.startswith("Every value")
    elif len(failing) == 1:
        assert why.startswith("In the case that fails, every value")
    else:
        assert why.startswith(f"In the {len(failing)} cases that fail, every value")
    return failing


def is_a_factor(given: Given, why: str) -> None:
    failing = of_failing_cases(given, why)
    factors = numbers_of(why.split(" is ", 1)[1])
    for flat, due in failing:
        near = [np.allclose(flat, factor * due, rtol=1e-3, atol=1e-4) for factor in factors]
        assert any(near) or "..." in why
        assert not np.allclose(flat, due, rtol=0, atol=MOST_TOLERANCES_WITH_PROGRAM * TOLERANCE)


def is_an_offset(given: Given, why: str) -> None:
    failing = of_failing_cases(given, why)
    offsets = numbers_of(why.split("number: ", 1)[1])
    for flat, due in failing:
        assert any(np.allclose(flat - due, offset, rtol=1e-3, atol=1e-4) for offset in offsets) or "..." in why


def is_rounded(given: Given, why: str) -> None:
    decimals = int(numbers_of(why)[0]) if "decimal" in why else None
    for flat, due in given.pairs():
        if decimals is None:
            assert np.array_equal(flat, flat.astype(np.float16).astype(float))
            assert np.all(np.abs(flat - due) <= 0.01)
        else:
            assert np.allclose(flat, flat.round(decimals), rtol=0, atol=1e-6)
            assert np.all(np.abs(flat - due) <= 0.5 * 10.0**-decimals + MOST_TOLERANCES_WITH_PROGRAM * TOLERANCE)


def is_all_zero(given: Given, why: str) -> None:
    assert all(not flat.any() for flat, _ in given.pairs())


def is_all_equal(given: Given, why: str) -> None:
    told = numbers_of(why)
    for flat, due in given.pairs():
        assert np.all(flat == flat[0])
        assert due.size == 1 or "..." in why or np.any(np.isclose(told, flat[0], rtol=1e-3))


def is_the_same_along(given: Given, why: str) -> None:
    found = re.search(r"axis (\d)(?: \((\w+)\))?", why)
    assert found is not None
    axis = int(found[1])
    assert found[2] == AXES[axis]
    for (flat, due), shape in zip(given.pairs(), given.truth.shapes, strict=True):
        rows = np.moveaxis(flat.reshape(shape), axis, 0)
        expected = np.moveaxis(due.reshape(shape), axis, 0)
        assert np.allclose(rows, rows[:1], rtol=1e-5, atol=1e-5) or np.allclose(expected, expected[:1])


def is_not_finite(given: Given, why: str) -> None:
    pairs = given.pairs()
    if why.startswith("Every value of every case is NaN."):
        assert all(np.isnan(flat).all() for flat, _ in pairs)
        return
    count, size = map(int, numbers_of(why)[:2])
    shown = given.evidence.failing
    told = [index for index in range(len(pairs)) if (index == shown) is ("another case" not in why)]
    kinds = [np.isnan if "NaN" in why else np.isinf]
    assert any(
        flat.size == due.size == size and np.sum(~np.isfinite(flat)) == count and kinds[0](flat).any()
        for flat, due in (pairs[index] for index in told)
    )


def is_made_so(given: Given, why: str) -> None:
    """The pitfalls and the exchange of axes that are named, made one after the other, give the numbers of each case."""
    names = [named.name for named in given.named()]
    assert "columns come before its rows" in why or why == str(SIGNED.why)
    for (flat, due), shape in zip(given.pairs(), given.truth.shapes, strict=True):
        for name in (*MADE,):
            due = MADE[name](due) if name in names else due
        due = due.reshape(shape).T.reshape(-1) if "transposed" in names else due
        assert "not-finite" in names or np.allclose(flat, due, rtol=0, atol=1e-3)


def is_of_that_shape(given: Given, why: str) -> None:
    where, returned, due = given.told_of("not-flattened")
    assert returned.array is not None
    assert why == f"{where}The array has shape {returned.array.shape}. It should have shape ({due.size},)."


def is_of_that_length(given: Given, why: str) -> None:
    where, returned, due = given.told_of("wrong-length")
    assert returned.array is not None
    size = returned.array.size
    assert why == f"{where}The array holds {size} value{'s' * (size != 1)}. It should hold {due.size}."


def is_of_that_dtype(given: Given, why: str) -> None:
    where, returned, _ = given.told_of("wrong-dtype")
    assert why == f"{where}The values are {returned.dtype}. They should be float32."


def is_no_array(given: Given, why: str) -> None:
    _, returned, _ = given.told_of("not-an-array")
    assert returned.array is None
    assert ("None" if returned.instead == "NoneType" else "a list") in why


CHECKS: Mapping[str, Callable[[Given, str], None]] = {
    "constant-factor": is_a_factor,
    "constant-offset": is_an_offset,
    "low-precision": is_rounded,
    "all-zeros": is_all_zero,
    "all-equal": is_all_equal,
    "same-along-axis": is_the_same_along,
    "not-finite": is_not_finite,
    **dict.fromkeys(("transposed", "shifted", "signed"), is_made_so),
    "not-flattened": is_of_that_shape,
    "wrong-length": is_of_that_length,
    "wrong-dtype": is_of_that_dtype,
    "not-an-array": is_no_array,
}
"""What the sentence of each mistake says, that shows in what was returned."""


def names(given: Given) -> set[str]:
    return {named.name for named in given.named()}


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(answers())
def test_what_is_said_of_an_answer_is_so(given: Given) -> None:
    for named in given.named():
        CHECKS[named.name](given, str(named.why))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(CHECKS))
def test_some_answer_is_told_each_mistake(name: str) -> None:
    found = find(
        answers(),
        lambda given: name in names(given),
        settings=settings(max_examples=4000, database=None, phases=[Phase.generate]),
    )
    assert name in names(found)


def drawing(*counts: int) -> Truth:
    """The truth of one case, whose inputs are drawn from the keys a, b, c, so many numbers from each."""
    due = Expected(np.array([0.3, 0.9, 2.1]), TOLERANCE)
    draws = [Draw(key, count) for key, count in zip("abc", counts, strict=True)]
    return Truth([due], [(3,)], ["float32"], [{}], draws=[draws])


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(
    st.tuples(*[st.integers(4, 6)] * 3),
    st.lists(st.builds(Draw, st.sampled_from("abcde"), st.integers(4, 6), st.integers(0, 9)), min_size=1, max_size=4),
)
def test_what_is_said_of_draws_is_so(counts: tuple[int, int, int], drawn: list[Draw]) -> None:
    truth = drawing(*counts)
    evidence = evidence_of(truth, [np.array([1.0, 5.0, 5.5])], programs=Programs(None, drawn=drawn))
    due = {one.key: one.count for one in truth.draws[0]}
    for named in diagnose(evidence).named:
        assert named.name == "other-inputs"
        told = [one for one in drawn if not (lines := named.why.lines) or Line(one.line) in lines[0]]
        if "with a key that is not the statement's" in str(named.why):
            assert any(one.key not in due for one in told)
            assert due.keys() - {one.key for one in drawn}
        elif "with the same key" in str(named.why):
            assert max(Counter(one.key for one in told).values()) > 1
            assert due.keys() - {one.key for one in drawn}
        elif "each other's arrays" in str(named.why):
            assert sum(due.get(one.key, one.count) != one.count for one in told) > 1
        else:
            count, of_statement = numbers_of(str(named.why).replace("Line ", "").split("draws ", 1)[1])
            assert any((one.count, due.get(one.key)) == (count, of_statement) for one in told)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([0.0, 1e-7, 1e-4, 3e-2, np.inf, np.nan]), min_size=3, max_size=3))
def test_what_is_said_of_lost_digits_is_so(off: list[float]) -> None:
    due = np.array([1.0, 2.0, 4.0])
    truth = Truth([Expected(due, TOLERANCE)], [(3,)], ["float32"], [{}], uncertain=[np.zeros(3)])
    programs, plain = Programs([due], by_rounding=0.05), Calls(lambda _: Answered(due + off, "float32"))
    programs.constants = lambda: [np.zeros(3)]
    programs.rounding = lambda: [np.full(3, 0.05)]
    evidence = plain.settled(evidence_of(truth, [due + off], programs=programs, compiled=True))
    for named in () if evidence.failing is None else diagnose(evidence).named:
        assert named.name == ("loses-precision" if np.isfinite(off).all() else "overflow")
        if named.name == "loses-precision":
            error, times = re.search(rf"({NUMBER}) off at n=3, ({NUMBER}) times", str(named.why)).groups()  # pyright: ignore
            assert float(error) == pytest.approx(max(off), rel=0.06)
            assert float(times) == pytest.approx(max(off) / TOLERANCE, rel=0.06)


@pytest.mark.parametrize(("dtype", "bits"), [("float16", 11), ("bfloat16", 8)])
def test_what_is_said_of_rounding_on_the_way_is_so(dtype: str, bits: int) -> None:
    due = np.array([1.0, 2.0, 4.0])
    truth = Truth([Expected(due, TOLERANCE)], [(3,)], ["float32"], [{dtype: 0.1}], uncertain=[np.zeros(3)])
    programs = Programs([due + 0.01], wide=Widened([due], [np.zeros(3)], [True], 9, dtype))
    programs.constants = lambda: [np.zeros(3)]
    programs.known = lambda: [True]
    (named,) = diagnose(evidence_of(truth, [due + 0.01], programs=programs)).named
    assert (named.name, named.why.lines) == ("low-precision", ((Line(9),),))
    assert (
        str(named.why) == f"Line 9 rounds numbers to {dtype}, which has {bits} significant bits where float32 has 24."
    )


@pytest.mark.parametrize("by", [0.25, 1e-3])
def test_what_is_said_of_two_calls_and_of_fresh_inputs_is_so(by: float) -> None:
    due = np.array([1.0, 2.0, 4.0])
    truth = Truth([Expected(due, TOLERANCE)], [(3,)], ["float32"], [{}])
    right, wrong = (Answered((due + off).astype(np.float32), "float32") for off in (0.0, by))
    facts, oracle = facts_of(truth), Unmistaken(truth)
    (twice,) = conclude(AnswerEvidence(Attempt(answered=[right], again={0: wrong}), facts, oracle)).diagnosis.named
    assert (twice.name, numbers_of(str(twice.why))) == ("not-deterministic", [pytest.approx(by, rel=1e-2)])
    fresh = Fresh(((0, 9),), truth)
    verdict = conclude(AnswerEvidence(Attempt(answered=[right, wrong]), facts, oracle, fresh))
    assert (verdict.diagnosis.names, [case.passed for case in verdict.cases]) == (("only-the-cases",), [True])


def test_each_detector_has_a_test_of_its_sentence() -> None:
    elsewhere = {"other-inputs", "loses-precision", "overflow", "not-deterministic", "only-the-cases"}
    assert elsewhere.isdisjoint(CHECKS)
    assert elsewhere | CHECKS.keys() - MADE.keys() == DETECTED_MISTAKES
    assert {name for detector in DETECTORS for name in detector.names} <= DETECTED_MISTAKES
