"""Sinusoidal positions (Vaswani et al., 2017, section 3.5) that are saved and not trained, dropout after the sum (5.4)."""

import jax
import jax.numpy as jnp
import optax
from flax import nnx

from grader import Heatmap, Problem, Real, Whole


class Table(nnx.Variable):
    """Numbers that are saved with the model, and not trained."""


class Positions(nnx.Module):
    def __init__(self, d_model: int, max_len: int, rate: float, *, rngs: nnx.Rngs):
        position = jnp.arange(max_len)[:, None]
        #: one-based-positions: jnp.arange(max_len) -> jnp.arange(1, max_len + 1)
        angles = position * 10000.0 ** (-jnp.arange(0, d_model, 2) / d_model)
        waves = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1)
        #: halves: stack -> concatenate
        self.gain = nnx.Param(jnp.ones(d_model))
        self.table = Table(waves.reshape(max_len, d_model))
        #: table-trained: Table -> nnx.Param
        self.rate = rate
        self.rngs = rngs
        #: library-dropout (alone): self.rngs = nnx.Rngs(dropout=rngs.dropout())
        self.deterministic = False

    def __call__(self, x: jax.Array) -> jax.Array:
        tokens = x * self.gain[...]
        #: gain-on-the-sum: tokens = x
        #: gain-on-the-table: tokens = x
        rows = self.table[: x.shape[0]]
        #: last-rows: [: x.shape[0]] -> [-x.shape[0] :]
        #: one-row-for-all (alone): x.shape[0] -> 1
        #: gain-on-the-table: rows = -> rows = self.gain[...] *
        summed = tokens + rows
        #: dropout-before-the-sum: tokens + rows -> self.drop(tokens) + rows
        #: dropout-on-the-table: tokens + rows -> tokens + self.drop(rows)
        return self.drop(summed)
        #: dropout-before-the-sum: self.drop(summed) -> summed
        #: dropout-on-the-table: self.drop(summed) -> summed
        #: gain-on-the-sum (not with gain-on-the-table): return -> return self.gain[...] *

    def drop(self, values: jax.Array) -> jax.Array:
        """The values after dropout; in evaluation, the values themselves."""
        if self.deterministic:
            return values
            #: rescaled-in-eval (alone): return values / (1 - self.rate)
            #: rescaled-in-eval (alone): return values * (1 - self.rate)
            #: scaled-in-eval-only (not with dropout-in-eval): return values * (1 - self.rate)
        key = self.rngs.dropout()
        #: same-mask-twice: self.rngs.dropout() -> nnx.clone(self.rngs).dropout()
        keep = jax.random.bernoulli(key, 1 - self.rate, values.shape)
        #: rate-for-keep: 1 - self.rate -> self.rate
        #: mask-of-drops: keep = ~jax.random.bernoulli(key, self.rate, values.shape)
        return jnp.where(keep, values / (1 - self.rate), 0.0)
        #: missing-rescale: values / (1 - self.rate) -> values
        #: scaled-in-eval-only: values / (1 - self.rate) -> values


@nnx.jit
def train_step(model: Positions, optimizer: nnx.Optimizer, x: jax.Array) -> None:
    grads = nnx.grad(lambda model: jnp.mean(model(x) ** 2))(model)
    #: summed-loss: jnp.mean -> jnp.sum
    #: gradient-ascent: jnp.mean -> -jnp.mean
    optimizer.update(model, grads)


def position_module(seed, T, d_model, max_len, rate):
    x = jax.random.normal(jax.random.key(seed), (T, d_model), dtype=jnp.float32)
    rngs = nnx.Rngs(dropout=jax.random.key(seed + 1))
    optimizer = optax.sgd(0.1)
    model = Positions(d_model, max_len, rate, rngs=rngs)
    optimizer = nnx.Optimizer(model, optimizer, wrt=nnx.Param)
    trained = model(x)
    train_step(model, optimizer, x)
    #: nothing-learned (not with table-trained, gain-on-the-sum, gain-on-the-table, summed-loss, gradient-ascent): -
    model.eval()
    #: dropout-in-eval: -
    return jnp.concatenate([trained, model(x), model.table[...]]).reshape(-1)


problem = Problem(
    axes=("row", "dim"),
    picture=Heatmap("row", "dim"),
    arguments={"T": Whole(reach=300), "d_model": Whole(2, step=2), "max_len": Whole(), "rate": Real(0.0, below=1.0)},
    legal=[lambda T, max_len: max_len >= T],
    cases=[
        (5, 1, 4, 1, 0.25),
        (0, 2, 2, 3, 0.5),
        (4, 2, 6, 2, 0.25),
        (1, 3, 4, 5, 0.25),
        (1, 2, 10, 2, 0.0),
        (1, 3, 4, 6, 0.96),
        (4, 1, 12, 9, 0.96),
        (0, 300, 2, 300, 0.0),
    ],
)
