"""Gathers, scatters, sorts, pads and cuts give what JAX gives, beyond the edges too."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from tests.program.sent import Case, compare

X = np.array([[0.5, -1.25, 2.0, 0.125], [0.25, 3.5, -0.75, 7.0], [-2.5, 1.5, 0.0625, -4.0]], np.float32)
P = np.array([[0.5, 0.25, 0.75, 0.9375], [0.125, 0.875, 0.0625, 0.03125]], np.float32)
HOLES = np.array([[0.5, np.nan, 2.0, -np.inf], [np.nan, 3.5, -0.75, 3.5], [np.inf, 1.5, -0.0, 0.0]], np.float32)
N = np.array([[5, -7, 3, 100], [0, 12, -1, 2]], np.int32)
I = np.array([2, 0, 0, 1], np.int32)  # noqa: E741
OUTSIDE = np.array([2, -1, 5, 0, -9, 3], np.int32)
BITS = np.array([0, 1, 0x80000000, 0xFFFFFFFF, 0x12345678], np.uint32)
BY = np.array([0, 1, 31, 32, 33], np.uint32)


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
}
"""Programs that hold an operation, each with its inputs."""


@pytest.mark.few(9)
@pytest.mark.parametrize(("name", "index"), [(name, index) for name in CASES for index in range(len(CASES[name]))])
def test_a_move_gives_what_jax_gives_in_float64(name: str, index: int) -> None:
    compare(CASES[name][index])
