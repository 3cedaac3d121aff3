"""The lessons on several devices give what one device gives: compared with NumPy in float64, Optax, and JAX's own shards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.test_libraries import assert_near, due


def drawn(key: Any, *shape: int) -> np.ndarray[Any, Any]:
    import jax

    return np.asarray(jax.random.normal(key, shape, dtype="float32"), np.float64)


def keys(seed: int, count: int) -> Any:
    import jax

    return jax.random.split(jax.random.key(seed), count)


@pytest.mark.few(0, 1)
@pytest.mark.parametrize("case", [(0, 4, 2, 2, 2), (4, 8, 12, 2, 2), (2, 4, 8, 1, 4)])
def test_parts_are_those_that_jax_places(case: tuple[int, ...]) -> None:
    import jax
    from jax.sharding import PartitionSpec as P

    seed, N, M, a, b = case
    x = jax.random.normal(jax.random.key(seed), (N, M), dtype="float32")
    mesh = jax.make_mesh((a, b), ("x", "y"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
    placed = [jax.device_put(x, jax.NamedSharding(mesh, spec)) for spec in (P("x", "y"), P(("y", "x")), P(None, "x"))]
    parts = [
        np.asarray(next(one.data for one in array.addressable_shards if one.device == device)).reshape(-1)
        for array in placed
        for device in mesh.devices.flat
    ]
    assert np.array_equal(due("shard_layout", *case), np.concatenate(parts))


@pytest.mark.nightly
@pytest.mark.few(0, 1)
@pytest.mark.parametrize("case", [(1, 4, 3, 2), (5, 12, 5, 4)])
def test_a_gradient_over_devices_is_that_of_the_whole_batch(case: tuple[int, ...]) -> None:
    import jax

    seed, N, d, _ = case
    k = keys(seed, 4)
    x, y, w = drawn(k[0], N, d), drawn(k[1], N), drawn(k[2], d)
    keep = np.asarray(jax.random.bernoulli(k[3], 0.6, (N,)).at[0].set(True))
    error = (x @ w - y)[keep]
    expected = [np.mean(error**2), *(2 * error @ x[keep] / keep.sum())]
    assert_near(due("data_parallel_grad", *case), expected)


@pytest.mark.few(0, 1)
@pytest.mark.parametrize("case", [(2, 3, 4, 12, 2), (3, 5, 8, 16, 4)])
def test_a_layer_cut_over_devices_is_that_of_one_device(case: tuple[int, ...]) -> None:
    from scipy.special import erf

    seed, N, d, d_ff, _ = case
    k = keys(seed, 5)
    x, b1, b2 = drawn(k[0], N, d), drawn(k[2], d_ff), drawn(k[4], d)
    w1, w2 = drawn(k[1], d, d_ff) / d**0.5, drawn(k[3], d_ff, d) / d_ff**0.5
    z = x @ w1 + b1
    assert_near(due("tensor_parallel_mlp", *case), x + z * (1 + erf(z / 2**0.5)) / 2 @ w2 + b2)


@pytest.mark.nightly
@pytest.mark.few(0, 1)
@pytest.mark.parametrize("case", [(1, 3, 8, 4), (11, 4, 6, 2)])
def test_a_loss_over_a_cut_vocabulary_is_optaxs(case: tuple[int, ...]) -> None:
    import jax
    import optax

    seed, N, V, _ = case
    k1, k2 = keys(seed, 2)
    logits, targets = 4 * jax.random.normal(k1, (N, V)), jax.random.randint(k2, (N,), 0, V)
    losses = optax.softmax_cross_entropy_with_integer_labels(logits, targets)
    gradient = jax.nn.softmax(logits) - jax.nn.one_hot(targets, V)
    assert_near(due("vocab_parallel_loss", *case), np.append(losses, gradient), atol=1e-4)


@pytest.mark.nightly
@pytest.mark.few(0, 1)
@pytest.mark.parametrize("case", [(3, 8, 5, 4, 3, 2.0), (0, 2, 2, 2, 1, 100.0)])
def test_training_with_a_cut_momentum_is_optaxs(case: tuple[Any, ...]) -> None:
    import jax
    import jax.numpy as jnp
    import optax

    seed, N, d, _, steps, limit = case
    k1, k2 = keys(seed, 2)
    x, y = jax.random.normal(k1, (N, d)), 3 * jax.random.normal(k2, (N,))
    optimizer = optax.chain(optax.clip_by_global_norm(limit), optax.sgd(0.1, momentum=0.9))
    w = jnp.zeros(d)
    state = optimizer.init(w)
    for _ in range(steps):
        update, state = optimizer.update(jax.grad(lambda w: jnp.mean((x @ w - y) ** 2))(w), state)
        w = optax.apply_updates(w, update)
    assert_near(due("shard_optimizer", *case), w)
