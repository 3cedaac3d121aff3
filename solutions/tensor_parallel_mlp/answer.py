"""A feed-forward layer whose hidden units are cut over devices (Megatron-LM, Shoeybi et al., 2019, section 3)."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

from grader import Heatmap, Problem, Trace, Whole


def tensor_parallel_mlp(seed, N, d, d_ff, devices):
    k1, k2, k3, k4, k5 = jax.random.split(jax.random.key(seed), 5)
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    w1 = jax.random.normal(k2, (d, d_ff), dtype=jnp.float32) / d**0.5
    b1 = jax.random.normal(k3, (d_ff,), dtype=jnp.float32)
    w2 = jax.random.normal(k4, (d_ff, d), dtype=jnp.float32) / d_ff**0.5
    b2 = jax.random.normal(k5, (d,), dtype=jnp.float32)
    mesh = jax.make_mesh((devices,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))

    def local(x, w1, b1, w2, b2):
        hidden = jax.nn.gelu(x @ w1 + b1, approximate=False)
        #: approximate-gelu: approximate=False -> approximate=True
        #: first-bias-of-one-shard: b1 -> b1[: w1.shape[1]]
        #: shards-misaligned: hidden = jax.nn.gelu(x @ w1 + b1, approximate=False)[:, ::-1]
        # This device has a part of the sum over all hidden units.
        part = hidden @ w2
        whole = jax.lax.psum(part, "i")
        #: mean-for-sum (not with bias-in-every-shard, residual-in-every-shard): psum -> pmean
        #: partial-sum (not with bias-in-every-shard, residual-in-every-shard): jax.lax.psum(part, "i") -> part
        return x + whole + b2
        #: residual-missing: x + whole -> whole
        #: residual-in-every-shard: x + whole -> devices * x + whole
        #: bias-in-every-shard: b2 -> devices * b2
        #: bias-divided: b2 -> b2 / devices

    specs = (P(), P(None, "i"), P("i"), P("i"), P())
    #: first-bias-of-one-shard: P("i"), P("i"), P()) -> P(), P("i"), P())
    run = jax.shard_map(local, mesh=mesh, in_specs=specs, out_specs=P())
    #: partial-sum: out_specs=P() -> out_specs=P(), check_vma=False
    return run(x, w1, b1, w2, b2).reshape(-1)
    #: activates-partial-sums (alone):
    #:     rows = (P(None, "i"), P("i"), P(), P(), P())
    #:
    #:     def summed(part, w1, b1, w2, b2):
    #:         return x + jax.lax.psum(jax.nn.gelu(part @ w1 + b1, approximate=False) @ w2, "i") + b2
    #:
    #:     run = jax.shard_map(summed, mesh=mesh, in_specs=rows, out_specs=P(), check_vma=False)
    #:     return run(x, w1, b1, w2, b2).reshape(-1)
    #: activates-partial-sums (alone):
    #:     rows = (P(None, "i"), P("i"), P(), P(), P())
    #:
    #:     def summed(part, w1, b1, w2, b2):
    #:         hidden = jax.lax.psum(jax.nn.gelu(part @ w1 + b1 / devices, approximate=False), "i")
    #:         return x + hidden @ w2 + b2
    #:
    #:     run = jax.shard_map(summed, mesh=mesh, in_specs=rows, out_specs=P(), check_vma=False)
    #:     return run(x, w1, b1, w2, b2).reshape(-1)


problem = Problem(
    axes=("row", "feature"),
    picture=Heatmap("row", "feature"),
    contract="trace",
    trace=Trace(needs=["shard_map", "psum"], forbids=["all_gather"]),
    arguments={"N": Whole(), "d": Whole(), "d_ff": Whole(), "devices": Whole(most=4)},
    legal=[lambda d, devices: d % devices == 0, lambda d_ff, devices: d_ff % devices == 0],
    cases=[
        (0, 1, 2, 2, 2),
        (1, 2, 4, 4, 4),
        (2, 3, 4, 12, 2),
        (3, 5, 8, 16, 4),
        (4, 2, 3, 5, 1),
        (5, 2, 1, 3, 1),
        (6, 9, 9, 9, 3),
        (7, 4, 2, 1, 1),
        (8, 1, 6, 3, 3),
        (9, 3, 1, 5, 1),
        (10, 3, 2, 4, 2),
        (11, 5, 3, 1, 1),
        (12, 4, 4, 2, 2),
        (13, 2, 6, 3, 3),
    ],
)
