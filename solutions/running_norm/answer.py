"""Batch normalisation as a module, as a good learner would write it."""

import jax
import jax.numpy as jnp
from flax import nnx


class RunningNorm(nnx.Module):
    def __init__(self, d: int, momentum: float):
        self.gain = nnx.Param(jnp.ones(d))
        self.mean = nnx.BatchStat(jnp.zeros(d))
        self.var = nnx.BatchStat(jnp.ones(d))
        self.momentum = momentum
        # train() and eval() set attributes of this name.
        self.use_running_average = False

    def __call__(self, x: jax.Array) -> jax.Array:
        if self.use_running_average:
            mean, var = self.mean[...], self.var[...]
        else:
            mean, var = x.mean(axis=0), x.var(axis=0)
            self.mean[...] = self.momentum * self.mean[...] + (1 - self.momentum) * mean
            self.var[...] = self.momentum * self.var[...] + (1 - self.momentum) * var
        return self.gain[...] * (x - mean) / jnp.sqrt(var + 1e-5)


@nnx.jit
def forward(layer: RunningNorm, x: jax.Array) -> jax.Array:
    return layer(x)


def running_norm(seed, steps, N, d, momentum):
    batches = 3 * jax.random.normal(jax.random.key(seed), (steps + 1, N, d), dtype=jnp.float32) + 2
    layer = RunningNorm(d, momentum)
    *training, last = batches
    results = [forward(layer, batch) for batch in training]
    layer.eval()
    return jnp.stack([results[-1], forward(layer, last)]).reshape(-1)
