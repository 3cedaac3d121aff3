"""A step whose weights, velocity and rows are cut over devices (FSDP: Zhao et al., 2023, arXiv:2304.11277, section 3)."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

from grader import Problem, Whole


def global_sharding(seed, N, d, devices):
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    y = jax.random.normal(k2, (N, d), dtype=jnp.float32)
    W = jax.random.normal(k3, (d, d), dtype=jnp.float32)
    U = jax.random.normal(k4, (d, d), dtype=jnp.float32)
    mesh = jax.make_mesh((devices,), ("i",), axis_types=(jax.sharding.AxisType.Explicit,))

    def part(array):
        """The shape of what one device holds of an array: its type says so."""
        return jax.typeof(array).sharding.shard_shape(array.shape)

    cut, whole = jax.NamedSharding(mesh, P("i")), jax.NamedSharding(mesh, P())
    x, y = jax.device_put((x, y), cut)
    #: batch-whole (not with whole-shapes): cut -> whole
    #: batch-columns (not with whole-shapes): cut -> jax.NamedSharding(mesh, P(None, "i"))
    W = jax.device_put(W, cut)
    #: weights-whole: cut -> whole
    #: weights-columns: cut -> jax.NamedSharding(mesh, P(None, "i"))
    U = jax.device_put(U, cut)
    #: velocity-whole: cut -> whole
    #: weights-columns: cut -> jax.NamedSharding(mesh, P(None, "i"))

    def loss(W):
        # Each device gets all weights for the product, and keeps its own rows alone.
        prediction = x @ jax.reshard(W, whole)
        #: weights-transposed: whole) -> whole).T
        return jnp.mean((prediction - y) ** 2)
        #: summed-loss: jnp.mean((prediction - y) ** 2) -> jnp.sum((prediction - y) ** 2)
        #: summed-over-targets: jnp.mean((prediction - y) ** 2) -> jnp.sum((prediction - y) ** 2) / N
        #: divided-by-its-rows: jnp.mean((prediction - y) ** 2) -> devices * jnp.mean((prediction - y) ** 2)
        #: halved-loss: jnp.mean((prediction - y) ** 2) -> jnp.mean((prediction - y) ** 2) / 2

    cost, G = jax.jit(jax.value_and_grad(loss))(W)
    #: gathered-outside (not with weights-whole, weights-columns): (loss))(W) -> (loss))(jax.reshard(W, whole))
    velocity = 0.9 * U + G
    #: averaged-again: 0.9 * U + G -> 0.9 * U + G / devices
    #: summed-again: 0.9 * U + G -> 0.9 * U + devices * G
    #: no-velocity: 0.9 * U + G -> G
    #: gradient-scaled: 0.9 * U + G -> 0.9 * U + 0.1 * G
    #: rate-in-the-velocity (alone): 0.9 * U + G -> 0.9 * U - 0.1 * G
    new = W - 0.1 * velocity
    #: rate-in-the-velocity (alone): W - 0.1 * velocity -> W + velocity
    #: gradient-ascent: W - 0.1 -> W + 0.1
    #: new-whole: new = jax.reshard(W - 0.1 * velocity, whole)
    shapes = jnp.array([part(array) for array in (x, W, U, G, new)], jnp.float32)
    #: whole-shapes (not with weights-whole, weights-columns, velocity-whole, gathered-outside, new-whole):
    #:     shapes = jnp.array([array.shape for array in (x, W, U, G, new)], jnp.float32)
    return jnp.concatenate([cost[None], jax.reshard(new, whole).reshape(-1), shapes.reshape(-1)])
    #: old-weights (not with no-velocity, gradient-ascent, averaged-again, summed-again): jax.reshard(new -> jax.reshard(W
    #: loss-after-the-step (alone): cost[None] -> loss(new)[None]


problem = Problem(
    axes=("number",),
    arguments={"N": Whole(), "d": Whole(), "devices": Whole(most=4)},
    legal=[lambda N, devices: N % devices == 0, lambda d, devices: d % devices == 0],
    cases=[
        (0, 2, 2, 2),
        (1, 4, 2, 2),
        (2, 8, 4, 4),
        (3, 3, 6, 3),
        (4, 1, 3, 1),
        (5, 9, 1, 1),
        (6, 9, 3, 3),
        (7, 3, 9, 3),
        (8, 2, 4, 2),
        (9, 4, 4, 4),
        (10, 3, 2, 1),
    ],
)
