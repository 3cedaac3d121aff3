"""A mean and its gradient over the rows of several devices (Goyal et al., 2017, section 3)."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

from grader import Problem, Trace, Whole


def data_parallel_grad(seed, N, d, devices):
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    y = jax.random.normal(k2, (N,), dtype=jnp.float32)
    w = jax.random.normal(k3, (d,), dtype=jnp.float32)
    keep = jax.random.bernoulli(k4, 0.6, (N,)).at[0].set(True)
    mesh = jax.make_mesh((devices,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))

    def total(w, x, y, keep):
        return jnp.sum(jnp.where(keep, (x @ w - y) ** 2, 0.0))
        #: counts-all-rows (not with divides-by-rows): jnp.where(keep, (x @ w - y) ** 2, 0.0) -> (x @ w - y) ** 2

    def local(w, x, y, keep):
        # The copy of one device: JAX would add up the gradients of a `w` that all devices share.
        w = jax.lax.pcast(w, "i", to="varying")
        #: summed-twice: -
        loss, gradient = jax.value_and_grad(total)(w, x, y, keep)
        count = keep.sum()
        #: mean-of-means/without-guard:
        #:     count = keep.sum()
        #:     loss, gradient, count = loss / count, gradient / count, 1.0
        #: mean-of-means:
        #:     count = jnp.maximum(keep.sum(), 1)
        #:     loss, gradient, count = loss / count, gradient / count, 1.0
        #: sum-of-means:
        #:     count = keep.sum()
        #:     loss, gradient, count = loss / count, gradient / count, 1 / devices
        #: sum-of-means:
        #:     count = jnp.maximum(keep.sum(), 1)
        #:     loss, gradient, count = loss / count, gradient / count, 1 / devices
        #: divides-by-rows: keep.sum() -> keep.size
        loss, gradient, count = jax.lax.psum((loss, gradient, count), "i")
        #: own-count (not with mean-of-means, sum-of-means, divides-by-rows):
        #:     loss, gradient = jax.lax.psum((loss, gradient), "i")
        #: loss-of-one-device (not with mean-of-means, sum-of-means, divides-by-rows):
        #:     loss, gradient, count = loss / count, *jax.lax.psum((gradient, count), "i")
        #:     loss = loss * count
        #: gradient-of-one-device (not with own-count, loss-of-one-device, mean-of-means, sum-of-means, divides-by-rows):
        #:     loss, count = jax.lax.psum((loss, count), "i")
        #: psum-in-an-unchecked-loss (not with own-count, loss-of-one-device, mean-of-means, sum-of-means, divides-by-rows):
        #:     loss, count = jax.lax.psum((loss, count), "i")
        #:     gradient = devices * gradient
        return jnp.append(loss, gradient) / count
        #: gradient-of-the-sum: jnp.append(loss, gradient) / count -> jnp.append(loss / count, gradient)

    run = jax.shard_map(local, mesh=mesh, in_specs=(P(), P("i"), P("i"), P("i")), out_specs=P())
    #: own-count: out_specs=P() -> out_specs=P(), check_vma=False
    #: loss-of-one-device: out_specs=P() -> out_specs=P(), check_vma=False
    #: gradient-of-one-device: out_specs=P() -> out_specs=P(), check_vma=False
    #: psum-in-an-unchecked-loss: out_specs=P() -> out_specs=P(), check_vma=False
    return run(w, x, y, keep)


problem = Problem(
    axes=("number",),
    contract="trace",
    trace=Trace(needs=["shard_map", "psum"]),
    arguments={"N": Whole(), "d": Whole(), "devices": Whole(most=4)},
    legal=[lambda N, devices: N % devices == 0],
    cases=[
        (0, 2, 1, 2),
        (1, 4, 3, 2),
        (2, 8, 2, 4),
        (3, 4, 2, 1),
        (5, 12, 5, 4),
        (6, 1, 3, 1),
        (7, 9, 9, 3),
        (8, 2, 3, 1),
        (11, 2, 3, 2),
        (9, 3, 1, 3),
        (10, 3, 2, 3),
    ],
)
