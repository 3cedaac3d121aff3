"""Training a module of Flax, as a good learner would write it."""

import jax
import jax.numpy as jnp
import optax
from flax import nnx


class Model(nnx.Module):
    def __init__(self, d_in: int, d_hidden: int, *, rngs: nnx.Rngs):
        self.first = nnx.Linear(d_in, d_hidden, rngs=rngs)
        self.second = nnx.Linear(d_hidden, 1, rngs=rngs)

    def __call__(self, x: jax.Array) -> jax.Array:
        # One number for each row, so that it has the shape of the targets.
        return self.second(jnp.tanh(self.first(x)))[:, 0]


@nnx.jit
def train_step(model: Model, optimizer: nnx.Optimizer, x: jax.Array, y: jax.Array) -> jax.Array:
    def mean_squared_error(model):
        return jnp.mean((model(x) - y) ** 2)

    loss, grads = nnx.value_and_grad(mean_squared_error)(model)
    optimizer.update(model, grads)
    return loss


def nnx_train(seed, N, d_in, d_hidden, steps):
    k1, k2 = jax.random.split(jax.random.key(seed))
    x = jax.random.normal(k1, (N, d_in), dtype=jnp.float32)
    y = jax.random.normal(k2, (N,), dtype=jnp.float32)
    model = Model(d_in, d_hidden, rngs=nnx.Rngs(jax.random.key(seed)))
    optimizer = nnx.Optimizer(model, optax.sgd(0.1, momentum=0.9), wrt=nnx.Param)
    return jnp.stack([train_step(model, optimizer, x, y) for _ in range(steps)])
