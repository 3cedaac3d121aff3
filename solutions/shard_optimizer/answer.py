"""Training whose momentum is cut over devices (ZeRO, Rajbhandari et al., 2019, section 5)."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

from grader import Problem, Real, Trace, Whole


def shard_optimizer(seed, N, d, devices, steps, limit):
    k1, k2 = jax.random.split(jax.random.key(seed))
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    y = 3 * jax.random.normal(k2, (N,), dtype=jnp.float32)
    size = -(-d // devices)  # the weights of one device; the last of them may stand for no feature
    x = jnp.pad(x, ((0, 0), (0, size * devices - d)))
    mesh = jax.make_mesh((devices,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))

    def local(x, y):
        def loss(w):
            return jnp.mean((x @ w - y) ** 2)

        def step(carry, _):
            w, momentum = carry
            # The copy of one device: JAX would add up the gradients of a `w` that all devices share.
            copy = jax.lax.pcast(w, "i", to="varying")
            gradient = jax.grad(loss)(copy)
            #: clips-before-the-mean (not with clips-each-slice, norm-of-replicas, norm-not-rooted, sum-of-norms):
            #:     gradient = jax.grad(loss)(copy)
            #:     gradient = gradient * jnp.minimum(1.0, limit / jnp.linalg.norm(gradient))
            mean = jax.lax.psum_scatter(gradient, "i", tiled=True) / devices
            #: summed-gradient: / devices ->
            #: own-rows-only: jax.lax.psum_scatter(gradient, "i", tiled=True) / devices -> part_of(gradient)
            length = jnp.sqrt(jax.lax.psum(jnp.sum(mean**2), "i"))
            #: clips-each-slice: jax.lax.psum(jnp.sum(mean**2), "i") -> jnp.sum(mean**2)
            #: norm-of-replicas: jax.lax.psum(jnp.sum(mean**2), "i") -> devices * jax.lax.psum(jnp.sum(mean**2), "i")
            #: norm-not-rooted: jnp.sqrt(jax.lax.psum(jnp.sum(mean**2), "i")) -> jax.lax.psum(jnp.sum(mean**2), "i")
            #: sum-of-norms: length = jax.lax.psum(jnp.sqrt(jnp.sum(mean**2)), "i")
            clipped = mean * jnp.minimum(1.0, limit / length)
            #: clips-before-the-mean: * jnp.minimum(1.0, limit / length) ->
            #: never-clips (not with clips-each-slice, norm-of-replicas, norm-not-rooted, sum-of-norms):
            #:     clipped = mean
            #: clip-to-limit-always: jnp.minimum(1.0, limit / length) -> limit / length
            momentum = 0.9 * momentum + clipped
            #: fresh-momentum: 0.9 * momentum + clipped -> clipped
            #: momentum-clipped (alone):
            #:     momentum = 0.9 * momentum + mean
            #:     momentum = momentum * jnp.minimum(1.0, limit / jnp.sqrt(jax.lax.psum(jnp.sum(momentum**2), "i")))
            #: momentum-before-the-step: before, momentum = momentum, 0.9 * momentum + clipped
            #: momentum-clipped (alone):
            #:     momentum = 0.9 * momentum + mean
            #:     length = jnp.sqrt(jax.lax.psum(jnp.sum(momentum**2), "i"))
            mine = part_of(w) - 0.1 * momentum
            #: momentum-clipped: =
            #: momentum-before-the-step: - 0.1 * momentum -> - 0.1 * before
            #: momentum-clipped: - 0.1 * momentum -> - 0.1 * momentum * jnp.minimum(1.0, limit / length)
            # All devices get the same weights: "invarying" tells JAX so.
            w = jax.lax.all_gather(mine, "i", tiled=True, to="invarying")
            #: gathered-in-another-order: w = jax.lax.all_gather(mine, "i", to="invarying").T.reshape(-1)
            #: stale-slices: w = jax.lax.dynamic_update_slice(w, mine, (jax.lax.axis_index("i") * size,))
            return (w, momentum), None

        def part_of(w):
            return jax.lax.dynamic_slice(w, (jax.lax.axis_index("i") * size,), (size,))

        # Each device has another momentum, and the same weights.
        start = jnp.zeros(size * devices), jax.lax.pcast(jnp.zeros(size), "i", to="varying")
        (w, _), _ = jax.lax.scan(step, start, length=steps)
        return w

    run = jax.shard_map(local, mesh=mesh, in_specs=(P("i"), P("i")), out_specs=P())
    #: stale-slices: out_specs=P() -> out_specs=P(), check_vma=False
    return run(x, y)[:d]


problem = Problem(
    axes=("weight",),
    contract="trace",
    trace=Trace(needs=["shard_map", "psum_scatter", "all_gather"], grows="no", size="steps"),
    arguments={
        "N": Whole(),
        "d": Whole(),
        "devices": Whole(most=4),
        "steps": Whole(),
        "limit": Real(above=0.0),
    },
    legal=[lambda N, devices: N % devices == 0],
    cases=[
        (0, 2, 2, 2, 1, 100.0),
        (1, 4, 3, 2, 2, 1.0),
        (2, 4, 4, 4, 3, 0.5),
        (3, 8, 5, 4, 3, 2.0),
        (3, 8, 5, 4, 12, 2.0),
        (4, 3, 1, 1, 2, 100.0),
        (5, 8, 6, 4, 3, 100.0),
        (7, 2, 1, 2, 2, 100.0),
        (8, 1, 3, 1, 3, 0.5),
        (9, 9, 9, 3, 3, 0.5),
        (10, 2, 3, 2, 3, 0.05),
        (11, 3, 1, 3, 3, 0.5),
        (12, 3, 2, 3, 3, 0.5),
        (13, 3, 3, 3, 1, 0.5),
        (14, 3, 3, 3, 2, 0.05),
        (15, 3, 3, 1, 3, 0.5),
    ],
)
