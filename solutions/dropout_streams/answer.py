"""Inverted dropout with the keys that a stream of Flax hands out (Srivastava et al., 2014; flax.nnx.Rngs)."""

import jax
import jax.numpy as jnp
from flax import nnx

from grader import Heatmap, Problem, Real, Whole


class Drop(nnx.Module):
    def __init__(self, rate: float, *, rngs: nnx.Rngs):
        self.rate = rate
        self.rngs = rngs
        #: key-taken-before (alone):
        #:     rngs.dropout()
        #:     self.rngs = rngs
        #: library-dropout (alone): self.rngs = nnx.Rngs(dropout=rngs.dropout())
        # train() and eval() set attributes of this name.
        self.deterministic = False

    def __call__(self, x: jax.Array) -> jax.Array:
        if self.deterministic:
            return x
            #: rescaled-in-eval: return x / (1 - self.rate)
            #: rescaled-in-eval: return x * (1 - self.rate)
            #: scaled-in-eval-only: return x * (1 - self.rate)
        #: dropout-in-eval: -
        key = self.rngs.dropout()
        #: same-mask-twice: self.rngs -> nnx.clone(self.rngs)
        #: wrong-stream: dropout -> params
        #: key-of-the-stream: key = self.rngs.dropout.key[...]
        keep = jax.random.bernoulli(key, 1 - self.rate, x.shape)
        #: rate-for-keep: 1 - self.rate -> self.rate
        #: mask-of-drops: 1 - self.rate -> self.rate
        #: one-mask-for-all-rows: x.shape -> x.shape[1:]
        #: whole-rows-dropped: x.shape -> (x.shape[0], 1)
        return jnp.where(keep, x / (1 - self.rate), 0.0)
        #: mask-inverted (not with rate-for-keep): keep -> ~keep
        #: mask-of-drops: keep -> ~keep
        #: missing-rescale: x / (1 - self.rate) -> x
        #: scaled-in-eval-only: x / (1 - self.rate) -> x
        #: rescale-multiplied: x / (1 - self.rate) -> x * (1 - self.rate)
        #: divided-by-rate: x / (1 - self.rate) -> x / self.rate


@nnx.jit
def forward(layer: Drop, x: jax.Array) -> jax.Array:
    return layer(x)


def dropout_streams(seed, N, d, rate):
    x = jax.random.normal(jax.random.key(seed), (N, d), dtype=jnp.float32)
    rngs = nnx.Rngs(params=jax.random.key(seed), dropout=jax.random.key(seed + 1))
    layer = Drop(rate, rngs=rngs)
    first, second = forward(layer, x), forward(layer, x)
    #: eval-one-call-early (not with same-mask-twice, key-of-the-stream, dropout-in-eval, rescaled-in-eval):
    #:     first = forward(layer, x)
    #:     layer.eval()
    #:     second = forward(layer, x)
    layer.eval()
    #: eval-one-call-early (not with scaled-in-eval-only): -
    last = forward(layer, x)
    return jnp.stack([first, second, last]).reshape(-1)
    #: eval-first: first, second, last -> last, first, second


problem = Problem(
    axes=("call", "row", "dim"),
    picture=Heatmap("row", "dim"),
    contract="keys",
    arguments={"N": Whole(), "d": Whole(), "rate": Real(0.0, below=1.0)},
    cases=[
        (3, 1, 3, 0.5),
        (2, 3, 1, 0.4),
        (2, 4, 2, 0.1),
        (5, 2, 5, 0.7),
        (3, 4, 3, 0.1),
        (3, 5, 3, 0.0),
        (3, 9, 11, 0.96),
    ],
)
