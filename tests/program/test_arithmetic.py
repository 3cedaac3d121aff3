"""Which constants mean a decimal and which were rounded before; and noise that is as large as rounding, and no larger."""

from __future__ import annotations

import numpy as np
import pytest

from grader.program.arithmetic import HALVES, Arithmetic, Exact, Noisy, NoisyConstants, quiet
from grader.values.arrays import UNIT_ROUNDOFF, Array

DECIMALS = [0.0, 1.0, -1.0, 0.1, 0.999, 0.044715, 1e-5, -1e-6, 10000.0, 1e30, 3.14159, 123456.0, 1e-30, np.inf, -np.inf]
ROUNDED = [1.4142135, 13.287712, 0.33333334, 0.7978846, 3.1415927, 9.2103404, 1.0000001, 10000.001, 2.7182817e-7]


def shortest(value: float) -> Array:
    """A literal: the shortest decimal that float32 rounds to the same number."""
    return np.asarray(float(str(np.float32(value))))


def samples(value: Array, kind: str) -> Array:
    with quiet():
        return np.stack([getattr(NoisyConstants(seed), kind)(value) for seed in range(20)])


@pytest.mark.parametrize("number", DECIMALS)
def test_a_number_of_few_digits_means_that_decimal(number: float) -> None:
    for kind, value in (("literal", shortest(number)), ("constant", np.float32(number).astype(np.float64))):
        np.testing.assert_allclose(samples(np.asarray(value), kind), number, rtol=1e-15)


@pytest.mark.parametrize("number", ROUNDED)
def test_a_number_of_many_digits_is_as_uncertain_as_its_rounding(number: float) -> None:
    for kind, value in (("literal", shortest(number)), ("constant", np.float32(number).astype(np.float64))):
        errors = np.abs(samples(np.asarray(value), kind) / value - 1)
        assert 0.3 * UNIT_ROUNDOFF < errors.max() <= UNIT_ROUNDOFF
        assert len(set(errors)) > 10


@pytest.mark.parametrize("number", [2.0**-10, 2.0**24, 1 + 2.0**-6])
def test_a_literal_that_float32_holds_exactly_does_not_move(number: float) -> None:
    assert set(samples(shortest(number), "literal")) == {shortest(number).item()}


@pytest.mark.parametrize("number", [0.125, -0.75, 10.0, 0.0, np.inf, -np.inf])
def test_a_literal_of_16_bits_with_few_of_them_does_not_move(number: float) -> None:
    assert NoisyConstants(0).literal(np.asarray(number), HALVES["bfloat16"]) == number


@pytest.mark.parametrize("dtype", list(HALVES))
def test_another_literal_of_16_bits_is_as_uncertain_as_its_rounding(dtype: str) -> None:
    value = np.asarray(0.353515625)
    errors = [abs(NoisyConstants(seed).literal(value, HALVES[dtype]) / value - 1) for seed in range(20)]
    assert 0.3 * HALVES[dtype] < max(errors) <= HALVES[dtype]


def test_not_a_number_stays() -> None:
    assert np.isnan(samples(np.asarray(np.nan), "literal")).all()
    assert np.isnan(samples(np.array([np.nan, 1.5]), "constant")[:, 0]).all()


def test_only_the_rounded_numbers_of_an_array_move() -> None:
    moved = samples(np.array([0.1, 1 / 3, 5.0, 2 / 3], np.float32).astype(np.float64), "constant")
    assert (np.ptp(moved, axis=0) > 0).tolist() == [False, True, False, True]
    assert moved[0, 0] == 0.1


def test_a_seed_gives_the_same_noise_again() -> None:
    values = np.linspace(0, 1, 7, dtype=np.float32).astype(np.float64)
    for kind in (Noisy, NoisyConstants):
        one, again, other = kind(3), kind(3), kind(4)
        step = "rounded" if kind is Noisy else "constant"
        arguments = (values, None) if kind is Noisy else (values,)
        assert np.array_equal(getattr(one, step)(*arguments), getattr(again, step)(*arguments))
        assert not np.array_equal(getattr(one, step)(*arguments), getattr(other, step)(*arguments))


@pytest.mark.parametrize("arithmetic", [Exact(), NoisyConstants(0)])
def test_operations_are_exact_unless_rounding_is_asked_for(arithmetic: Arithmetic) -> None:
    value = np.array([0.1, 1 / 3])
    assert arithmetic.exact
    assert arithmetic.rounded(value, np.abs(value)) is value


def test_exact_constants_are_what_float32_holds() -> None:
    value = np.float32(0.1).astype(np.float64)
    assert Exact().constant(value) == value
    assert Exact().literal(np.asarray(0.1)) == 0.1


def test_the_noise_of_an_operation_is_one_unit_roundoff() -> None:
    value = np.full(2000, 3.0)
    errors = np.abs(Noisy(0).rounded(value, None) / value - 1)
    assert 0.99 * UNIT_ROUNDOFF < errors.max() <= UNIT_ROUNDOFF
    assert np.abs(Noisy(0, unit=2.0**-8).rounded(value, None) / value - 1).max() > 2.0**-9


def test_the_noise_of_a_sum_is_that_of_its_terms() -> None:
    value, terms = np.zeros(2000), np.full(2000, 1e6)
    noise = np.abs(Noisy(0).rounded(value, terms))
    assert 0.99e6 * UNIT_ROUNDOFF < noise.max() <= 1e6 * UNIT_ROUNDOFF


def test_a_sum_of_infinite_terms_stays() -> None:
    value = np.array([np.inf, np.nan, 2.0])
    with quiet():
        np.testing.assert_array_equal(Noisy(0).rounded(value, np.array([np.inf, np.inf, np.inf])), value)


def test_rounding_moves_a_literal_that_float32_does_not_hold() -> None:
    assert Noisy(0).literal(np.asarray(0.5)) == 0.5
    assert 0 < abs(Noisy(0).literal(np.asarray(0.1)) - 0.1) <= 0.1 * UNIT_ROUNDOFF
