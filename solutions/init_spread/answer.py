"""Weights that keep the spread of a deep network (He et al., 2015, arXiv:1502.01852, equations 7 to 10)."""

import jax
import jax.numpy as jnp

from grader import Curve, Problem, Real, Whole


def init_spread(seed, L, d, gain):
    k_x, k_w = jax.random.split(jax.random.key(seed))
    x = jax.random.normal(k_x, (16, d), dtype=jnp.float32)
    spreads = []
    for layer in range(L):
        fan_in = x.shape[1]
        fan_out = 4 * d if layer % 2 == 0 else d
        own = jax.random.fold_in(k_w, layer)
        #: one-key-for-all-layers: own = k_w
        #: one-key-for-all-layers: k_w, layer -> k_w, 0
        #: layers-from-one: layer) -> layer + 1)
        #: seed-key-for-weights: k_w -> jax.random.key(seed)
        w = jax.random.normal(own, (fan_in, fan_out), dtype=jnp.float32)
        #: drawn-transposed: (fan_in, fan_out), dtype=jnp.float32) -> (fan_out, fan_in), dtype=jnp.float32).T
        w = w * jnp.sqrt(gain / fan_in)
        #: variance-for-deviation: jnp.sqrt(gain / fan_in) -> (gain / fan_in)
        #: fan-out-for-fan-in: fan_in) -> fan_out)
        #: mean-of-both-fans: fan_in) -> ((fan_in + fan_out) / 2))
        #: divided-by-own-spread: w = w / w.std() * jnp.sqrt(gain / fan_in)
        #: gain-outside-the-root: jnp.sqrt(gain / fan_in) -> gain / jnp.sqrt(fan_in)
        #: gain-left-out: gain / -> 1 /
        #: gain-left-out: gain / -> 2 /
        #: not-scaled-by-width: jnp.sqrt(gain / fan_in) -> jnp.sqrt(gain)
        # The sum of fan_in products has fan_in times their variance, and the weights take that factor back.
        z = x @ w
        spreads.append(z.std())
        #: variance-for-spread: z.std() -> z.var()
        #: after-the-relu: z.std() -> jnp.maximum(z, 0.0).std()
        #: input-spread: z.std() -> x.std()
        #: weights-spread: z.std() -> w.std()
        #: mean-not-subtracted: z.std() -> jnp.sqrt((z**2).mean())
        #: one-less-than-all: z.std() -> z.std(ddof=1)
        #: mean-of-columns: z.std() -> z.std(axis=0).mean()
        x = jnp.maximum(z, 0.0)
        #: no-relu: x = z
    return jnp.stack(spreads)


problem = Problem(
    axes=("layer",),
    picture=Curve("layer"),
    by_row=True,
    arguments={"L": Whole(reach=6), "d": Whole(), "gain": Real(above=0.0)},
    cases=[
        (0, 3, 2, 2.0),
        (1, 1, 4, 1.0),
        (2, 2, 3, 0.5),
        (13, 4, 1, 2.0),
        (4, 6, 9, 2.0),
        (5, 5, 3, 3.0),
        (6, 3, 9, 0.05),
        (7, 1, 2, 3.0),
        (8, 2, 1, 1.5),
        (9, 3, 1, 1.5),
    ],
)
