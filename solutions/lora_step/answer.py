"""Low-rank adaptation of a linear layer (Hu et al., 2021, arXiv:2106.09685, section 4.1)."""

import jax
import jax.numpy as jnp
import optax
from flax import nnx

from grader import Problem, Real, Whole


class LoRALinear(nnx.Module):
    def __init__(self, W: jax.Array, A: jax.Array, B: jax.Array, scale: float):
        self.W = nnx.Param(W)
        #: base-trained-alone (alone): nnx.Param -> nnx.LoRAParam
        self.A = nnx.LoRAParam(A)
        #: base-trained-alone (alone): nnx.LoRAParam -> nnx.Param
        #: a-not-trained (not with base-trained-too): nnx.LoRAParam -> nnx.Param
        self.B = nnx.LoRAParam(B)
        #: base-trained-alone (alone): nnx.LoRAParam -> nnx.Param
        self.scale = scale

    def __call__(self, x: jax.Array) -> jax.Array:
        return x @ self.W[...] + self.scale * (x @ self.A[...] @ self.B[...])
        #: base-missing: x @ self.W[...] + self.scale -> self.scale


@nnx.jit
def train_step(model: LoRALinear, optimizer: nnx.Optimizer, x: jax.Array, y: jax.Array) -> None:
    def mean_squared_error(model):
        return jnp.mean((model(x) - y) ** 2)
        #: summed-loss: jnp.mean -> jnp.sum
        #: summed-loss: return jnp.mean(jnp.sum((model(x) - y) ** 2, axis=1))
        #: halved-loss: jnp.mean -> 0.5 * jnp.mean

    # A LoRAParam is a Param too, so the default of nnx.grad would take in the base as well.
    adapter = nnx.DiffState(0, nnx.LoRAParam)
    #: base-trained-too: nnx.LoRAParam -> nnx.Param
    gradients = nnx.grad(mean_squared_error, argnums=adapter)(model)
    optimizer.update(model, gradients)
    #: nothing-learned (not with base-trained-too, a-not-trained): -
    #: gradient-ascent: gradients -> jax.tree.map(jnp.negative, gradients)


def lora_step(seed, N, d_in, d_out, rank, alpha, steps):
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    x = jax.random.normal(k1, (N, d_in), dtype=jnp.float32)
    y = jax.random.normal(k2, (N, d_out), dtype=jnp.float32)
    W = jax.random.normal(k3, (d_in, d_out), dtype=jnp.float32) / d_in**0.5
    A = jax.random.normal(k4, (d_in, rank), dtype=jnp.float32) / d_in**0.5
    optimizer = optax.sgd(0.1)

    B = jnp.zeros((rank, d_out))
    #: zeros-in-a:
    #:     A = jnp.zeros((d_in, rank))
    #:     B = jax.random.normal(k4, (rank, d_out), dtype=jnp.float32) / d_in**0.5
    #: both-zero: A, B = jnp.zeros((d_in, rank)), jnp.zeros((rank, d_out))
    #: b-not-zero: B = jax.random.normal(k4, (rank, d_out), dtype=jnp.float32) / rank**0.5
    #: b-not-zero: B = jnp.ones((rank, d_out))
    model = LoRALinear(W, A, B, alpha / rank)
    #: alpha-only: alpha / rank -> alpha
    #: no-scale: alpha / rank -> 1.0
    #: root-of-the-rank: alpha / rank -> alpha / rank**0.5
    #: scale-on-both: alpha / rank -> (alpha / rank) ** 2
    #: alpha-missing: alpha / rank -> 1 / rank
    training = nnx.Optimizer(model, optimizer, wrt=nnx.LoRAParam)
    #: base-trained-too: nnx.LoRAParam -> nnx.Param
    for _ in range(steps):
        train_step(model, training, x, y)
    return jnp.concatenate([model.A[...].ravel(), model.B[...].ravel(), model(x).ravel()])
    #: output-first: model.B[...] -> model.B[...].T
    #: both-transposed (alone): return jnp.concatenate([model.A[...].T.ravel(), model.B[...].T.ravel(), model(x).ravel()])


problem = Problem(
    axes=("number",),
    arguments={
        "N": Whole(),
        "d_in": Whole(),
        "d_out": Whole(),
        "rank": Whole(),
        "alpha": Real(above=0.0),
        "steps": Whole(),
    },
    cases=[
        (4, 3, 5, 2, 1, 0.75, 4),
        (3, 2, 2, 3, 2, 0.05, 1),
        (2, 2, 3, 1, 4, 2.0, 2),
        (5, 2, 9, 2, 2, 0.05, 3),
        (4, 1, 2, 2, 4, 2.0, 9),
        (1, 9, 2, 3, 2, 3.0, 2),
        (5, 9, 1, 1, 10, 0.05, 5),
        (4, 2, 1, 4, 6, 1.5, 3),
        (2, 10, 1, 5, 1, 1.5, 1),
        (0, 1, 9, 10, 3, 0.05, 1),
        (5, 4, 5, 8, 6, 6.0, 3),
        (0, 3, 3, 9, 9, 0.75, 9),
    ],
)
