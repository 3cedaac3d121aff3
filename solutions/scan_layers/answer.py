"""Layers with a residual (He et al., 2015, equation 1), their weights drawn as `nnx.split_rngs` and `nnx.vmap` draw them."""

import jax
import jax.numpy as jnp
from flax import nnx

from grader import Heatmap, Problem, Trace, Whole


class Layer(nnx.Module):
    def __init__(self, d: int, *, rngs: nnx.Rngs):
        self.linear = nnx.Linear(d, d, rngs=rngs)

    def __call__(self, x: jax.Array) -> jax.Array:
        hidden = self.linear(x)
        #: residual-in-the-tanh: self.linear(x) -> x + self.linear(x)
        return x + jnp.tanh(hidden)
        #: missing-residual: return x + -> return
        #: first-input-added: return x + -> return
        #: residual-in-the-tanh: return x + -> return
        #: no-activation (not with residual-in-the-tanh): jnp.tanh(hidden) -> hidden
        #: relu: jnp.tanh -> jax.nn.relu
        #: gelu: jnp.tanh -> jax.nn.gelu


def scan_layers(seed, L, T, d):
    x = jax.random.normal(jax.random.key(seed), (T, d), dtype=jnp.float32)
    rngs = nnx.Rngs(jax.random.key(seed))

    # Without the split, all layers would draw the same weights.
    @nnx.split_rngs(splits=L)
    @nnx.vmap(in_axes=0, out_axes=0)
    def make(rngs):
        return Layer(d, rngs=rngs)
        #: identical-layers (not with made-one-by-one, split-by-hand, reversed-layers):
        #:     return Layer(d, rngs=nnx.Rngs(jax.random.key(seed)))

    @nnx.scan(in_axes=(nnx.Carry, 0), out_axes=nnx.Carry)
    def forward(h, layer):
        return layer(h)
        #: one-layer-only: layer(h) -> layer(x)
        #: one-layer-only (alone): =
        #: first-input-added: return layer(h) -> return x + layer(h)
        #: each-layer-twice: layer(h) -> layer(layer(h))

    layers = make(rngs)
    #: made-one-by-one:
    #:     made = [Layer(d, rngs=rngs) for _ in range(L)]
    #:     layers = jax.tree.map(lambda *weights: jnp.stack(weights), *made)
    #: split-by-hand:
    #:     keys = jax.random.split(jax.random.key(seed), L)
    #:     layers = nnx.vmap(lambda key: Layer(d, rngs=nnx.Rngs(key)))(keys)
    #: one-layer-short: make(rngs) -> jax.tree.map(lambda weights: weights[: L - 1], make(rngs))
    #: one-layer-only: =
    #: one-layer-only (alone): make(rngs) -> jax.tree.map(lambda weights: weights[:1], make(rngs))
    return forward(x, layers).reshape(-1)
    #: reversed-layers: layers -> jax.tree.map(lambda weights: weights[::-1], layers)
    #: averaged-layers (not with one-layer-only, first-input-added, each-layer-twice):
    #:     each = jax.vmap(lambda layer: layer(x))(layers)
    #:     return each.mean(axis=0).reshape(-1)
    #: averaged-layers (not with one-layer-only, first-input-added, each-layer-twice):
    #:     each = jax.vmap(lambda layer: layer(x))(layers)
    #:     return each.sum(axis=0).reshape(-1)


problem = Problem(
    axes=("position", "dim"),
    picture=Heatmap("position", "dim"),
    contract="trace",
    trace=Trace(needs=["scan"], grows="no", size="L"),
    arguments={"L": Whole(), "T": Whole(), "d": Whole()},
    cases=[
        (2, 4, 3, 1),
        (4, 9, 2, 2),
        (2, 1, 2, 3),
        (5, 10, 1, 9),
        (3, 4, 9, 3),
        (3, 2, 4, 9),
        (2, 1, 9, 2),
        (2, 16, 3, 1),
    ],
    by_row=True,
)
