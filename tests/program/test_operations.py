"""Every operation of a program gives what JAX gives. An operation of the table without a case fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax, random

from grader.program.operations import OPERATIONS
from grader.program.rules import RULES
from tests.program import test_moves
from tests.program.sent import Case, compare, operations, programs

X = np.array([[0.5, -1.25, 2.0, 0.125], [0.25, 3.5, -0.75, 7.0], [-2.5, 1.5, 0.0625, -4.0]], np.float32)
P = np.array([[0.5, 0.25, 0.75, 0.9375], [0.125, 0.875, 0.0625, 0.03125]], np.float32)
HOLES = np.array([[0.5, np.nan, 2.0, -np.inf], [np.nan, 3.5, -0.75, 3.5], [np.inf, 1.5, -0.0, 0.0]], np.float32)
N = np.array([[5, -7, 3, 100], [0, 12, -1, 2]], np.int32)
I = np.array([2, 0, 0, 1], np.int32)  # noqa: E741
OUTSIDE = np.array([2, -1, 5, 0, -9, 3], np.int32)
BITS = np.array([0, 1, 0x80000000, 0xFFFFFFFF, 0x12345678], np.uint32)
BY = np.array([0, 1, 31, 32, 33], np.uint32)


def key_words(make: Callable[[Any], Any]) -> Case:
    return (lambda: random.key_data(make(random.key(7))),)


CASES: dict[str, list[Case]] = {
    "tile": [
        (lambda x: jnp.tile(x, (2, 3)), X),
        (lambda x: jnp.tile(x, (2, 1, 1)), X),
        (lambda x: lax.tile(x, (2, 1)), X),
    ],
    "complex": [(lambda x, p: lax.complex(x[:2], p) ** 2, X, P), (lambda x: jnp.abs(jnp.exp(1j * x)), X)],
    "lt_to": [(lambda x: jnp.searchsorted(jnp.sort(x[1]), x, method="compare_all"), HOLES)],
    "le_to": [(lambda x: jnp.searchsorted(jnp.sort(x[1]), x, side="right", method="compare_all"), HOLES)],
    "erf": [(lax.erf, X), (lax.erf, HOLES)],
    "erfc": [(lax.erfc, X * 3), (lax.erfc, HOLES)],
    "erf_inv": [(lax.erf_inv, np.array([0.0, -0.0, 1e-9, -0.5, 0.25, 0.9999, -1.0, 1.0, 1.5, np.nan], np.float32))],
    "lgamma": [(lax.lgamma, X), (lax.lgamma, np.array([1.0, 0.5, 100.0, 0.0, -1.0, -2.5, np.inf, np.nan], np.float32))],
    "one_minus_square": [(lambda x: jax.jvp(jnp.tanh, (x,), (x,))[1], X)],
    "asinh": [(lax.asinh, X)],
    "acosh": [(lambda x: lax.acosh(1 + x * x), X)],
    "atanh": [(lax.atanh, P)],
    "nextafter": [(lambda x, p: jnp.nextafter(x[:2], p), X, P)],
    "cumlogsumexp": [
        (lambda x: lax.cumlogsumexp(x, 1), X),
        (lambda x: lax.cumlogsumexp(x, 0, reverse=True), X),
        (lambda x: lax.cumlogsumexp(x, 0), np.array([-np.inf, -np.inf, 1.0, 2.0], np.float32)),
    ],
    "shift_left": [(lax.shift_left, BITS, BY), (lambda n: n << 3, N), (lambda n: n << 40, N)],
    "shift_right_logical": [
        (lax.shift_right_logical, BITS, BY),
        (lambda n: lax.shift_right_logical(n, 3 + 0 * n), N),
        (lambda n: lax.shift_right_logical(n, 32 + 0 * n), N),
    ],
    "shift_right_arithmetic": [
        (lambda n: n >> 1, N),
        (lambda n: n >> 40, N),
        (lambda n: lax.shift_right_arithmetic(n, -1 + 0 * n), N),
        (lambda n: n.astype(jnp.int8) >> jnp.int8(9), N),
        (lax.shift_right_arithmetic, BITS.astype(np.int32), BY.astype(np.int32)),
        (lax.shift_right_arithmetic, BITS, BY),
    ],
    "bitcast_convert_type": [
        (lambda n: lax.bitcast_convert_type(n, jnp.uint32), N),
        (lambda n: lax.bitcast_convert_type(n, jnp.uint8), N),
        (lambda n: lax.bitcast_convert_type(n.astype(jnp.uint16).reshape(2, 2, 2), jnp.uint32), N),
        (lambda n: lax.bitcast_convert_type(n.astype(jnp.int8), jnp.uint8), N),
    ],
    "random_seed": [key_words(lambda key: random.key(jnp.int32(-5)))],
    "random_wrap": [key_words(lambda key: random.fold_in(random.wrap_key_data(jnp.array([1, 2], jnp.uint32)), 3))],
    "random_unwrap": [key_words(lambda key: key)],
    "random_split": [key_words(lambda key: random.split(key, (2, 3)))],
    "random_clone": [key_words(random.clone)],
    "random_fold_in": [key_words(lambda key: random.fold_in(key, 9))],
    "random_bits": [
        (lambda: random.bits(random.key(3), (4, 2), "uint32"),),
        (lambda: random.bits(random.key(3), (4, 2), "uint8"),),
    ],
}
"""Programs that hold an operation, each with its inputs."""

NOT_MADE_BY_EVERY_JAX = {"one_minus_square"}
"""Operations of newer versions of JAX: older ones make others of the same program."""


@pytest.mark.parametrize("name", [name for name in OPERATIONS if name not in RULES])
def test_every_operation_has_a_case(name: str) -> None:
    cases = {**test_moves.CASES, **CASES}[name]
    made = {operation for case in cases for one in programs(case) for operation in operations(one)}
    assert name in made | NOT_MADE_BY_EVERY_JAX


@pytest.mark.parametrize(("name", "index"), [(name, index) for name in CASES for index in range(len(CASES[name]))])
def test_an_operation_gives_what_jax_gives_in_float64(name: str, index: int) -> None:
    compare(CASES[name][index])
