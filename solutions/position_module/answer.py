"""A positional encoding as a module, as a good learner would write it."""

import jax
import jax.numpy as jnp
import optax
from flax import nnx


class Table(nnx.Variable):
    """Numbers that are saved with the model, and not trained."""


class Positions(nnx.Module):
    def __init__(self, d_model: int, max_len: int, rate: float, *, rngs: nnx.Rngs):
        angles = jnp.arange(max_len)[:, None] * 10000.0 ** (-jnp.arange(0, d_model, 2) / d_model)
        waves = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1)
        self.gain = nnx.Param(jnp.ones(d_model))
        self.table = Table(waves.reshape(max_len, d_model))
        self.rate = rate
        self.rngs = rngs
        self.deterministic = False

    def __call__(self, x: jax.Array) -> jax.Array:
        summed = x * self.gain[...] + self.table[: x.shape[0]]
        if self.deterministic:
            return summed
        keep = jax.random.bernoulli(self.rngs.dropout(), 1 - self.rate, summed.shape)
        return jnp.where(keep, summed / (1 - self.rate), 0.0)


@nnx.jit
def train_step(model: Positions, optimizer: nnx.Optimizer, x: jax.Array) -> None:
    grads = nnx.grad(lambda model: jnp.mean(model(x) ** 2))(model)
    optimizer.update(model, grads)


def position_module(seed, T, d_model, max_len, rate):
    x = jax.random.normal(jax.random.key(seed), (T, d_model), dtype=jnp.float32)
    model = Positions(d_model, max_len, rate, rngs=nnx.Rngs(dropout=jax.random.key(seed + 1)))
    optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
    trained = model(x)
    train_step(model, optimizer, x)
    model.eval()
    return jnp.concatenate([trained, model(x), model.table[...]]).reshape(-1)
