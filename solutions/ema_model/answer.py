"""An average of the weights beside the model, as a good learner would write it."""

import jax
import jax.numpy as jnp
import optax
from flax import nnx


@nnx.jit
def train_step(
    model: nnx.Linear, average: nnx.Linear, optimizer: nnx.Optimizer, x: jax.Array, y: jax.Array, decay: float
):
    grads = nnx.grad(lambda model: jnp.mean((model(x) - y) ** 2))(model)
    optimizer.update(model, grads)
    old, new = nnx.state(average, nnx.Param), nnx.state(model, nnx.Param)
    nnx.update(average, jax.tree.map(lambda old, new: decay * old + (1 - decay) * new, old, new))


def ema_model(seed, N, d, steps, decay):
    k1, k2 = jax.random.split(jax.random.key(seed))
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    y = jax.random.normal(k2, (N, 1), dtype=jnp.float32)
    model = nnx.Linear(d, 1, rngs=nnx.Rngs(jax.random.key(seed)))
    optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
    # A state or a merge would share its variables with the model.
    average = nnx.clone(model)
    for _ in range(steps):
        train_step(model, average, optimizer, x, y, decay)
    return average(x).reshape(-1)
