"""Every operation of a program gives JAX's own result. The tests run over the table: an operation without a case fails."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax, random

from grader.program.data import Program
from grader.program.evaluate import Evaluation
from grader.program.operations import OPERATIONS
from grader.program.rules import RULES, promoted
from tests.program.sent import operations, same, sent

X = np.array([[0.5, -1.25, 2.0, 0.125], [0.25, 3.5, -0.75, 7.0], [-2.5, 1.5, 0.0625, -4.0]], np.float32)
P = np.array([[0.5, 0.25, 0.75, 0.9375], [0.125, 0.875, 0.0625, 0.03125]], np.float32)
HOLES = np.array([[0.5, np.nan, 2.0, -np.inf], [np.nan, 3.5, -0.75, 3.5], [np.inf, 1.5, -0.0, 0.0]], np.float32)
N = np.array([[5, -7, 3, 100], [0, 12, -1, 2]], np.int32)
I = np.array([2, 0, 0, 1], np.int32)  # noqa: E741
OUTSIDE = np.array([2, -1, 5, 0, -9, 3], np.int32)
BITS = np.array([0, 1, 0x80000000, 0xFFFFFFFF, 0x12345678], np.uint32)
BY = np.array([0, 1, 31, 32, 33], np.uint32)

Case = tuple[Callable[..., Any], *tuple[np.ndarray[Any, Any], ...]]


def key_words(make: Callable[[Any], Any]) -> Case:
    return (lambda: random.key_data(make(random.key(7))),)


CASES: dict[str, list[Case]] = {
    "gather": [
        (lambda x, i: x[i], X, I),
        (lambda x, i: x[:, i], X, I),
        (lambda x, i: x[i, i], X, I),
        (lambda x, i: x[i[:, None], i[None, :]], X, I),
        (lambda x, i: x[None, i, 1:3], X, I),
        (lambda x, i: x.reshape(3, 2, 2)[i, :, i % 2], X, I),
        (lambda x, i: x[i[0]], X, I),
        (lambda x, n: jnp.take_along_axis(x, n % 4, axis=1), X[:2], N),
        (lambda x, n: jnp.take_along_axis(x, n % 2, axis=0), X, N),
        *(
            (lambda x, i, mode=mode: jnp.take(x, i, axis=0, mode=mode), array, OUTSIDE)
            for mode in ("fill", "clip", "wrap")
            for array in (X, N.astype(np.int8), N.astype(np.uint8), N > 0)
        ),
        (lambda x, i: jnp.take(x, i, axis=1, mode="fill", fill_value=-3), X, OUTSIDE),
        (lambda x, i: x.at[i].get(mode="fill", fill_value=9), N, OUTSIDE),
        (lambda x, i: x.at[i].get(mode="promise_in_bounds"), X, I),
        (lambda x, i: x[i], X, OUTSIDE),
        (lambda x, i: jax.vmap(lambda row, one: row[one])(x, i[:3]), X, I),
        (lambda x, i: jax.vmap(lambda row, many: row[many])(x, jnp.stack([i, i + 1, i + 2])), X, I),
        (lambda x, i: jax.vmap(lambda column, one: column[one[None]], in_axes=(1, 0), out_axes=1)(x, i), X, I),
        (
            lambda x, i: jax.vmap(jax.vmap(lambda one, at: one[at]))(x.reshape(3, 2, 2), (i % 2)[:3, None] + 0 * i[:2]),
            X,
            I,
        ),
        (lambda x, i: jax.vmap(lambda one: lax.dynamic_slice(x, (one, one), (2, 3)))(i), X, OUTSIDE),
        (lambda x, i: jax.vmap(lambda row, one: lax.dynamic_slice(row, (one,), (2,)))(x, i[:3]), X, OUTSIDE),
    ],
    "scatter": [
        (lambda x, i: x.at[i[0]].set(1.5), X, I),
        (lambda x: x.at[jnp.array([2, 0])].set(x[:2] * 2), X),
        (lambda x: x.at[:, jnp.array([3, 1])].set(7.0), X),
        (lambda x: x.at[jnp.array([0, 2]), jnp.array([3, 1])].set(jnp.array([5.0, 6.0])), X),
        (lambda x, i: x.at[i].set(1.0), X, np.unique(OUTSIDE)),
        (lambda x, i: x.at[i].set(1.0, mode="clip"), X, np.array([7, -9], np.int32)),
        (lambda x, i: x.at[i].set(1.0, mode="drop"), X, np.array([7, 1], np.int32)),
        (lambda x, i: jax.vmap(lambda row, one: row.at[one].set(3.0))(x, i[:3]), X, I),
        (lambda x, i: jax.vmap(lambda one: lax.dynamic_update_slice(x, x[:1, :2], (one, one)))(i), X, OUTSIDE),
        (lambda x: x.at[1:, ::2].set(0.0), X),
        (lambda n, i: n.at[i].set(jnp.int32(4)), N, np.array([1], np.int32)),
    ],
    "scatter-add": [
        (lambda x, i: x.at[i].add(1.0), X, I),
        (lambda x, i: x.at[i].add(x[i] * 2), X, I),
        (lambda x, i: x.at[i, i].add(jnp.arange(4.0)), X, I),
        (lambda x, i: x.at[i].add(1.0), X, OUTSIDE),
        (lambda x, i: x.at[:, i].add(0.5, mode="clip"), X, OUTSIDE),
        (lambda x, i: jax.grad(lambda x: (x[i] ** 2).sum())(x), X, I),
        (lambda x, i: jax.vmap(lambda row, many: row.at[many].add(1.0))(x, jnp.stack([i, i + 1, i + 2])), X, I),
        (lambda x, i: jax.ops.segment_sum(x, i[:3], num_segments=4), X, I),
        (lambda n: jnp.bincount(jnp.abs(n).ravel(), length=9), N),
        (lambda x, n: jax.grad(lambda x: jnp.take_along_axis(x, n % 4, 1)[:, :2].sum())(x), X[:2], N),
    ],
    "scatter-mul": [(lambda x, i: x.at[i].multiply(2.0), X, I), (lambda x, i: x.at[i, 1].mul(x[i, 0]), X, I)],
    "scatter-min": [(lambda x, i: x.at[i].min(0.25), X, I), (lambda n, i: n.at[i].min(2), N, I)],
    "scatter-max": [(lambda x, i: x.at[i].max(0.25), X, I), (lambda x, i: x.at[:, i].max(0.0), HOLES, I)],
    "scatter-sub": [(lambda x, i: x.at[i].subtract(0.25), X, I)],
    "pad": [
        (lambda x: jnp.pad(x, ((1, 2), (0, 3)), constant_values=4), X),
        *(
            (lambda x, config=config: lax.pad(x, jnp.asarray(9, x.dtype), config), array)
            for config in (
                ((0, 0, 0), (1, 2, 3)),
                ((-1, 0, 0), (0, -2, 0)),
                ((-1, 2, 1), (-2, -1, 2)),
                ((1, 1, 2), (-3, 4, 1)),
                ((-2, -1, 0), (0, 0, 0)),
                ((-9, 8, 1), (20, -18, 1)),
                ((3, -5, 1), (-5, 3, 1)),
                ((2, -4, 1), (1, 0, 0)),
            )
            for array in (X, N)
            if all(
                low + high + n + (n - 1) * step >= 0 for n, (low, high, step) in zip(array.shape, config, strict=True)
            )
        ),
        (lambda x: lax.pad(x[:0], jnp.asarray(2, x.dtype), ((1, 1, 3), (0, 0, 0))), X),
    ],
    "sort": [
        (lambda x: jnp.sort(x, 0), X),
        (lambda x: jnp.sort(x, axis=1), HOLES),
        (lambda x: -jnp.sort(-x, axis=None), HOLES),
        (lambda x: jnp.sort(x, descending=True), HOLES),
        (lambda x: jnp.argsort(x, axis=1), HOLES),
        (lambda x: jnp.argsort(x), np.array([0.0, -0.0, 0.0, -1.0, -0.0], np.float32)),
        (lambda x: jnp.searchsorted(jnp.sort(x[1]), x, method="sort"), HOLES),
        (lambda x: jnp.searchsorted(jnp.sort(x[1]), x), HOLES),
        (lambda x: jnp.argsort(x, axis=0, descending=True), HOLES),
        (lambda x: jnp.argsort(jnp.array([3, 1, 3, 1, 2])) + 0 * x[0, 0], X),
        (lambda n: jnp.sort(n, axis=1), N),
        (lambda n: jnp.sort(n > 2, axis=1), N),
        (lambda n: jnp.sort(n.astype(jnp.uint8), axis=0), N),
        (lambda n, p: lax.sort((n % 3, p, n), dimension=1, num_keys=1), N, P),
        (lambda n, p: lax.sort((n % 3, p, n), dimension=1, num_keys=2), N, P),
        (lambda n, p: lax.sort((n % 2, n % 3, p), dimension=0, num_keys=3), N, P),
        (lambda x, n: lax.sort((x, n), dimension=1, num_keys=1), HOLES[:2], N),
        (lambda x: jnp.median(x, axis=1), X),
        (lambda x: jnp.unique(x[0] > 0, size=2).astype(float), X),
        (lambda x, p: jnp.lexsort((x[0], p[0])), X, P),
    ],
    "top_k": [
        (lambda x: lax.top_k(x, 2), X),
        (lambda x: lax.top_k(x, 3), HOLES),
        (lambda x: lax.top_k(x, 4), np.array([-0.0, 0.0, -0.0, -1.0, 0.0, -np.inf], np.float32)),
        (lambda n: lax.top_k(n, 4), N % 3),
        (lambda n: lax.top_k(n.astype(jnp.uint8), 2), N),
        (lambda n: lax.top_k(n.astype(jnp.uint32), 2), N),
        (lambda x: lax.top_k(x, 2, axis=0), X),
        (lambda n: lax.top_k(jnp.minimum(n, jnp.iinfo(jnp.int32).min + 5), 2), N),
    ],
    "split": [(lambda x: lax.split(x, (1, 2, 1), 1), X), (lambda x: jnp.split(x, 3), X)],
    "unstack": [(lambda x: tuple(jnp.unstack(x, axis=1)), X), (lambda x: sum(x * row for row in x), X)],
    "stack": [(lambda x: jnp.stack([x, x * 2], axis=1), X)],
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
    "random_fold_in": [key_words(lambda key: random.fold_in(key, 9))],
    "random_bits": [
        (lambda: random.bits(random.key(3), (4, 2), "uint32"),),
        (lambda: random.bits(random.key(3), (4, 2), "uint8"),),
    ],
}
"""Programs that hold an operation, each with its inputs."""


def leaves(function: Callable[..., Any], inputs: tuple[Any, ...]) -> list[Any]:
    return jax.tree.leaves(function(*(jnp.asarray(one) for one in inputs)))


@cache
def programs(name: str) -> list[list[Program]]:
    """For each case of an operation, the programs of its outputs."""

    def of(function: Callable[..., Any], *inputs: Any) -> list[Program]:
        count = len(jax.tree.leaves(jax.eval_shape(function, *inputs)))
        return [sent(lambda index=index: leaves(function, inputs)[index]) for index in range(count)]

    return [of(*case) for case in CASES[name]]


@pytest.mark.parametrize("name", [name for name in OPERATIONS if name not in RULES])
def test_every_operation_has_a_case(name: str) -> None:
    assert name in set().union(*(operations(one) for case in programs(name) for one in case))


@pytest.mark.parametrize(("name", "index"), [(name, index) for name in CASES for index in range(len(CASES[name]))])
def test_an_operation_gives_what_jax_gives_in_float64(name: str, index: int) -> None:
    function, *inputs = CASES[name][index]
    with jax.enable_x64(True):
        due = jax.tree.leaves(jax.jit(function)(*(one.astype(promoted(one.dtype)) for one in inputs)))
    got = [Evaluation(one).output() for one in programs(name)[index]]
    for one, other in zip(got, due, strict=True):
        same(one, other)
