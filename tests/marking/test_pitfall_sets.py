"""Diagnosis of mistakes made by hand: the smallest set is named, layouts are undone, and no mistake is named wrongly."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from grader.marking.diagnosis import diagnose
from grader.marking.evidence import Evidence
from grader.marking.facts import ExpectedValues, MistakeSet, Truth
from grader.marking.verdict import Diagnosis, Named
from grader.values.arrays import Answered, Expected
from grader.values.message import Message
from grader.values.outline import Draw
from tests.marking.evidence import Confirming, evidence_of, facts_of
from tests.marking.test_judgement import Programs

SHAPES = [(1, 2), (2, 3), (4, 5)]
Table = np.ndarray[Any, Any]


def truth_of(shape: tuple[int, int]) -> Table:
    rows, columns = np.indices(shape)
    return np.sin(rows + 1.7 * columns) + 0.1 * columns


CHANGES = {
    "shifted": lambda table: np.roll(table, 1, axis=1),
    "doubled": lambda table: table * (1 + np.arange(table.shape[0]))[:, None],
    "signed": lambda table: np.where(np.arange(table.shape[1]) % 2, -table, table),
    "noise": lambda table: table * 0 + 3.0,
}


def expected(table: Table, tolerance: float = 1e-6) -> Expected:
    flat = table.reshape(-1)
    return Expected(flat, np.full(flat.shape, tolerance))


class ByHand(Confirming):
    """The changes above as mistakes, applied in order. The values of `noise` are too sensitive to rounding to compare."""

    screening_case = 2

    def truth(self) -> Truth:
        return TRUTH

    def outputs(self, names: Sequence[str]) -> list[Expected]:
        made: list[Expected] = []
        for shape in SHAPES:
            table = truth_of(shape)
            for name in names:
                table = CHANGES[name](table)
            made.append(expected(table, 10.0 if "noise" in names else 1e-6))
        return made

    def level(self, size: int) -> Sequence[MistakeSet]:
        sets = itertools.combinations(CHANGES, size)
        return [MistakeSet(names, (0,) * len(names), self.outputs(names)[self.screening_case]) for names in sets]

    def confirm(self, mistake: MistakeSet) -> Sequence[Expected]:
        return self.outputs(mistake.names)


TRUTH = Truth([expected(truth_of(shape)) for shape in SHAPES], SHAPES, ["float32"] * 3, [{}] * 3)
PITFALLS = {name: Named(name, Message("Why."), Message("Hint?")) for name in CHANGES}


def seen(tables: Sequence[Table], oracle: ExpectedValues | None = None, truth: Truth = TRUTH, **more: Any) -> Evidence:
    """The evidence of an answer that returned these tables in the dtype that is due, on a problem with these mistakes."""
    arrays = [table.astype(dtype) for table, dtype in zip(tables, truth.dtypes, strict=True)]
    facts = facts_of(truth, pitfalls=tuple(PITFALLS.values()))
    return evidence_of(truth, arrays, **{"oracle": oracle or ByHand(), "facts": facts, **more})


def diagnosis_of(tables: Sequence[Table], oracle: ExpectedValues | None = None) -> Diagnosis:
    evidence = seen(tables, oracle)
    assert evidence.failing is not None
    return diagnose(evidence)


def changed(*names: str) -> list[Table]:
    return [one.values.reshape(shape) for one, shape in zip(ByHand().outputs(names), SHAPES, strict=True)]


def flat(tables: Sequence[Table]) -> list[Table]:
    return [table.reshape(-1) for table in tables]


def test_a_single_mistake_is_named() -> None:
    diagnosis = diagnosis_of(flat(changed("signed")))
    assert (diagnosis.names, diagnosis.explained) == (("signed",), True)


def test_right_values_that_were_cut_to_integers_have_one_mistake() -> None:
    cut = [np.trunc(7.3 * one.values) for one in TRUTH.expected]
    truth = replace(TRUTH, expected=[Expected(7.3 * one.values, one.tolerance) for one in TRUTH.expected])
    returned = [Answered(one.astype(np.int32), "int32") for one in cut]
    diagnosis = diagnose(seen(cut, truth=truth, returned=returned))
    assert (diagnosis.names, diagnosis.explained) == (("wrong-dtype",), True)


def test_two_and_three_mistakes_are_named_in_declared_order() -> None:
    assert diagnosis_of(flat(changed("shifted", "signed"))).names == ("shifted", "signed")
    assert diagnosis_of(flat(changed("shifted", "doubled", "signed"))).names == ("shifted", "doubled", "signed")


def test_where_a_case_is_not_finite_the_others_show_the_mistake() -> None:
    tables = flat(changed("signed"))
    tables[0][:] = np.nan
    diagnosis = diagnosis_of(tables)
    assert (diagnosis.names, diagnosis.explained) == (("signed", "not-finite"), True)
    assert str(diagnosis.named[1].why).endswith("The other cases show what is named before.")


def test_values_that_are_not_finite_and_fit_no_mistake_elsewhere_are_not_explained() -> None:
    tables = flat([table + 0.3 for table in changed("signed")])
    tables[0][:] = np.nan
    diagnosis = diagnosis_of(tables)
    assert (diagnosis.names, diagnosis.explained) == (("not-finite",), False)


def test_where_no_value_is_finite_no_set_of_several_is_tried() -> None:
    class OnlySingle(ByHand):
        def level(self, size: int) -> Sequence[MistakeSet]:
            assert size < 2
            return super().level(size)

    found = diagnosis_of([np.full(int(np.prod(shape)), np.nan) for shape in SHAPES], OnlySingle())
    assert found.names == ("not-finite",)
    assert not found.explained


def test_a_mistake_that_gives_fewer_values_explains_their_number() -> None:
    class Shorter(ByHand):
        def outputs(self, names: Sequence[str]) -> list[Expected]:
            return [Expected(one.values[:1], np.full(1, 1e-6)) for one in super().outputs(names)]

    diagnosis = diagnosis_of([one.values[0] for one in ByHand().outputs(["signed"])], Shorter())
    assert (diagnosis.explained, "wrong-length" in diagnosis.names, "not-flattened" in diagnosis.names) == (
        *(True, False, False),
    )


def test_mistakes_that_the_worst_case_rules_out_are_not_confirmed() -> None:
    """To confirm one takes noisy evaluations of all cases, and an answer that is nearly right is near many."""

    class RightWhereScreened(ByHand):
        def level(self, size: int) -> Sequence[MistakeSet]:
            due = TRUTH.expected[self.screening_case]
            return [MistakeSet((name,), (0,), due) for name in ("shifted", "doubled")] if size == 1 else []

        def on_case(self, mistakes: Sequence[MistakeSet], case: int) -> Sequence[Expected | None]:
            assert case == 1
            return [self.outputs(mistake.names)[case] for mistake in mistakes]

        def confirm(self, mistake: MistakeSet) -> Sequence[Expected]:
            raise AssertionError(f"{mistake.names} gives other numbers on the case 1")

    tables = flat(changed())
    tables[1] = tables[1] + 5.0 * np.arange(tables[1].size)
    assert not diagnosis_of(tables, RightWhereScreened()).explained


class OnTwoCases(ByHand):
    """An answer key: it holds sets of three on two cases only."""

    def confirm(self, mistake: MistakeSet) -> Sequence[Expected | None]:
        few = len(mistake.names) == 3
        return [None if few and case == 0 else one for case, one in enumerate(super().confirm(mistake))]


def test_a_set_of_three_is_named_from_the_cases_that_the_oracle_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.ByHand", OnTwoCases)
    tables = flat(changed("shifted", "doubled", "signed"))
    assert diagnosis_of(tables).names == ("shifted", "doubled", "signed")
    tables[0] = tables[0] + 0.25  # a case that is not held
    assert diagnosis_of(tables).names == ("shifted", "doubled", "signed")
    tables[1] = tables[1] + 0.25
    assert not diagnosis_of(tables).explained


def test_exchanged_axes_are_undone_before_values_are_compared() -> None:
    transposed = [table.T for table in changed()]
    assert diagnosis_of(flat(transposed)).names == ("transposed",)
    assert diagnosis_of(flat([table.T for table in changed("signed")])).names == ("signed", "transposed")


def test_an_array_that_is_not_flat_is_named_after_the_pitfall() -> None:
    assert diagnosis_of(changed("signed")).names == ("signed", "not-flattened")
    assert diagnosis_of(changed()).names == ("not-flattened",)


def test_a_constant_factor_is_preferred_to_two_pitfalls() -> None:
    diagnosis = diagnosis_of(flat([3 * table for table in changed()]))
    assert diagnosis.names == ("constant-factor",)
    assert "3 times" in str(diagnosis.named[0].why)


def test_no_mistake_is_named_if_none_explains_the_values() -> None:
    diagnosis = diagnosis_of(flat([table**2 + 0.3 for table in changed()]))
    assert (diagnosis.names, diagnosis.explained) == ((), False)


def test_an_answer_that_is_wrong_in_one_case_is_not_explained_by_a_mistake_that_shows_in_all() -> None:
    right, wrong = flat(changed()), flat(changed("signed"))
    assert diagnosis_of([right[0], right[1], wrong[2]]).names == ()


def test_a_mistake_that_is_too_sensitive_to_rounding_is_never_named() -> None:
    for number in (0.0, 1.0, 3.0):
        diagnosis = diagnosis_of(flat([np.full(shape, number) for shape in SHAPES]))
        assert "noise" not in diagnosis.names


def test_equal_sets_are_listed_as_alternatives() -> None:
    class Twins(ByHand):
        def level(self, size: int) -> Sequence[MistakeSet]:
            return [
                MistakeSet(("doubled",), (0,), m.expected) for m in super().level(1) if m.names == ("signed",)
            ] + list(super().level(size))

        def confirm(self, mistake: MistakeSet) -> Sequence[Expected]:
            return self.outputs(("signed",)) if mistake.names == ("doubled",) else super().confirm(mistake)

    diagnosis = diagnosis_of(flat(changed("signed")), Twins())
    assert diagnosis.names == ("doubled",)
    assert diagnosis.alternatives == (("signed",),)


def test_an_answer_that_is_not_an_array_has_no_other_mistake() -> None:
    diagnosis = diagnose(seen(changed(), returned=[Answered(None, instead="list")] * 3))
    assert diagnosis.names == ("not-an-array",)
    assert "a list" in str(diagnosis.named[0].why)


DRAWN = replace(TRUTH, draws=[[Draw("aa", 6), Draw("bb", 6)]] * 3)


class Exchangeable(ByHand):
    """By hand, and with the two keys exchanged every value has another sign and one more."""

    def outputs(self, names: Sequence[str]) -> list[Expected]:
        return super().outputs(names) if names else [expected(1 - truth_of(shape) ** 2) for shape in SHAPES]

    def level(self, size: int) -> Sequence[MistakeSet]:
        return [MistakeSet((), (0,), self.outputs(())[self.screening_case])] if size == 0 else super().level(size)


def with_draws(tables: Sequence[Table], *draws: Draw) -> Diagnosis:
    """The diagnosis of an answer with these draws."""
    return diagnose(seen(flat(tables), Exchangeable(), DRAWN, programs=Programs(None, drawn=draws)))


def test_nothing_is_said_of_draws_from_the_right_keys() -> None:
    unknown = [table**2 + 0.3 for table in changed()]
    assert with_draws(unknown, *DRAWN.draws[2]) == Diagnosis()
    assert with_draws(unknown, *DRAWN.draws[2], *DRAWN.draws[2]) == Diagnosis()


def test_other_inputs_explain_values_that_nothing_else_explains() -> None:
    diagnosis = with_draws([table**2 + 0.3 for table in changed()], Draw("aa", 6, 3), Draw("cc", 6, 4))
    assert (diagnosis.names, diagnosis.explained) == (("other-inputs",), True)
    assert "Line 4 draws with a key that is not the statement's" in str(diagnosis.named[0].why)


class DrawnByCase(Programs):
    def draws(self, case: int) -> Sequence[Draw]:
        return self.drawn[2 * case : 2 * case + 2]


@pytest.mark.parametrize(
    ("shown", "why"),
    [
        (["cc", "dd"], "Line 4 draws 2 arrays with a key that is not the statement's"),
        (["aa", "cc"], "Line 4 draws with a key that is not the statement's"),
        (["aa", "bb"], "This happens at n=20. Line 4 draws 2 arrays with a key that is not the statement's"),
    ],
)
def test_draws_are_counted_in_the_case_that_is_shown_or_the_case_is_named(shown: list[str], why: str) -> None:
    tables = flat([table**2 + 0.3 for table in changed()])
    drawn = [Draw(key, 6, 4) for key in (*shown, "aa", "bb", "ee", "ff")]
    evidence = seen(tables, Exchangeable(), DRAWN, programs=DrawnByCase(None, drawn=drawn))
    assert evidence.failing == 0 != evidence.oracle.screening_case
    assert str(diagnose(evidence).named[0].why).startswith(why)


def test_beside_other_inputs_a_value_that_is_not_finite_is_told_and_nothing_of_other_cases() -> None:
    tables = [table**2 + 0.3 for table in changed()]
    tables[0][0, 0] = np.nan
    diagnosis = with_draws(tables, Draw("aa", 6, 3), Draw("cc", 6, 4))
    assert diagnosis.names == ("other-inputs", "not-finite")
    assert "other cases" not in str(diagnosis.named[1].why)


def test_a_pitfall_that_explains_the_values_comes_before_other_inputs() -> None:
    assert with_draws(changed("signed"), Draw("aa", 6, 3), Draw("cc", 6, 4)).names == ("signed",)


def test_exchanged_keys_are_named_only_if_they_give_the_values() -> None:
    draws = Draw("bb", 6, 3), Draw("aa", 6, 4)
    diagnosis = with_draws([1 - table**2 for table in changed()], *draws)
    assert (diagnosis.names, diagnosis.explained) == (("other-inputs",), True)
    assert "Two of the arrays, drawn at lines 3 and 4, have changed places" in str(diagnosis.named[0].why)
    assert with_draws([table**2 + 0.3 for table in changed()], *draws) == Diagnosis()
    assert with_draws([1 - table**2 for table in changed()]) == Diagnosis(), "draws that are not known"


def test_values_that_are_all_one_number_are_not_explained_by_a_set_of_pitfalls() -> None:
    class Emptying(ByHand):
        def outputs(self, names: Sequence[str]) -> list[Expected]:
            return [expected(0 * truth_of(shape)) for shape in SHAPES] if len(names) == 2 else super().outputs(names)

    zeros = [np.zeros(shape).reshape(-1) for shape in SHAPES]
    assert diagnosis_of(zeros, Emptying()).names == ("all-zeros",)


DUE, MOVED = (expected(np.sin(np.arange(1000) + offset)) for offset in (0.0, 1.0))


class Large(ByHand):
    """One mistake, on one case of many values."""

    screening_case = 0

    def level(self, size: int) -> Sequence[MistakeSet]:
        return [MistakeSet(("shifted",), (0,), MOVED)] if size == 1 else []

    def confirm(self, mistake: MistakeSet) -> Sequence[Expected]:
        return [MOVED]


@pytest.mark.parametrize("place", [None, 0, 1, 500, 998, 999])
def test_of_many_values_each_one_counts(place: int | None) -> None:
    values = MOVED.values.copy()
    if place is not None:
        values[place] += 0.1
    diagnosis = diagnose(seen([values], Large(), Truth([DUE], [(1000,)], ["float64"], [{}])))
    assert diagnosis.explained is (place is None)
    assert [named.name for named in diagnosis.named] == (["shifted"] if place is None else [])
