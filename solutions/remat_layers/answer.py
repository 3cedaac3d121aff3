"""Layers whose hidden values are computed again for the gradient (Chen et al., 2016, arXiv:1604.06174)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Trace, Whole


def remat_layers(seed, L, T, d, d_ff):
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    x = jax.random.normal(k1, (T, d), dtype=jnp.float32)
    w1 = jax.random.normal(k2, (L, d, d_ff), dtype=jnp.float32) / d**0.5
    w2 = jax.random.normal(k3, (L, d_ff, d), dtype=jnp.float32) / d_ff**0.5

    # Around one layer: the backward pass keeps the input of each layer, and computes its hidden values again.
    @jax.checkpoint
    def layer(x, weights):
        up, down = weights
        hidden = jnp.tanh(x @ up)
        #: activation-missing: jnp.tanh(x @ up) -> x @ up
        return x + hidden @ down, None
        #: missing-residual: x + hidden -> hidden

    def loss(x):
        last, _ = jax.lax.scan(layer, x, (w1, w2))
        #: gradient-of-last-layer-only: (w1, w2) -> (w1[-1:], w2[-1:])
        return jnp.mean(last**2)
        #: summed-loss: jnp.mean -> jnp.sum
        #: loss-not-squared: last**2 -> last

    return jax.grad(loss)(x).reshape(-1)
    #: gradient-of-last-layer-only: (x) -> (jax.lax.scan(layer, x, (w1[:-1], w2[:-1]))[0])


problem = Problem(
    axes=("position", "dim"),
    picture=Heatmap("position", "dim"),
    contract="trace",
    trace=Trace(
        needs=["scan", "remat"],
        largest=lambda seed, L, T, d, d_ff: 2 * max(T * d_ff, L * T * d, L * d * d_ff),
    ),
    arguments={"L": Whole(), "T": Whole(), "d": Whole(), "d_ff": Whole()},
    cases=[
        (0, 2, 1, 2, 3),
        (1, 3, 2, 4, 5),
        (2, 1, 3, 5, 9),
        (3, 9, 4, 1, 3),
        (4, 4, 9, 3, 1),
        (5, 2, 5, 9, 2),
        (6, 3, 1, 4, 2),
        (7, 1, 4, 3, 2),
        (8, 6, 64, 4, 64),
        (9, 9, 3, 2, 4),
    ],
)
