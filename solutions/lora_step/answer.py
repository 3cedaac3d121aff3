"""Low-rank adaptation, as a good learner would write it."""

import jax
import jax.numpy as jnp
import optax
from flax import nnx


class LoRALinear(nnx.Module):
    def __init__(self, W: jax.Array, A: jax.Array, alpha: float):
        rank = A.shape[1]
        self.W = nnx.Param(W)
        self.A = nnx.LoRAParam(A)
        self.B = nnx.LoRAParam(jnp.zeros((rank, W.shape[1])))
        self.scale = alpha / rank

    def __call__(self, x: jax.Array) -> jax.Array:
        return x @ self.W[...] + self.scale * (x @ self.A[...] @ self.B[...])


@nnx.jit
def train_step(model: LoRALinear, optimizer: nnx.Optimizer, x: jax.Array, y: jax.Array) -> None:
    def mean_squared_error(model):
        return jnp.mean((model(x) - y) ** 2)

    # A LoRAParam is a Param too, so the default of nnx.grad would take in the base as well.
    adapter = nnx.DiffState(0, nnx.LoRAParam)
    optimizer.update(model, nnx.grad(mean_squared_error, argnums=adapter)(model))


def lora_step(seed, N, d_in, d_out, rank, alpha, steps):
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    x = jax.random.normal(k1, (N, d_in), dtype=jnp.float32)
    y = jax.random.normal(k2, (N, d_out), dtype=jnp.float32)
    W = jax.random.normal(k3, (d_in, d_out), dtype=jnp.float32) / d_in**0.5
    A = jax.random.normal(k4, (d_in, rank), dtype=jnp.float32) / d_in**0.5
    model = LoRALinear(W, A, alpha)
    optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.LoRAParam)
    for _ in range(steps):
        train_step(model, optimizer, x, y)
    return jnp.concatenate([model.A[...].ravel(), model.B[...].ravel(), model(x).ravel()])
