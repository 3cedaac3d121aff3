"""Gradient descent with momentum (Polyak, 1964) on the weights of two fresh layers of Flax."""

import jax
import jax.numpy as jnp
import optax
from flax import nnx

from grader import Curve, Problem, Whole


class Model(nnx.Module):
    def __init__(self, d_in: int, d_hidden: int, *, rngs: nnx.Rngs):
        self.first = nnx.Linear(d_in, d_hidden, rngs=rngs)
        #: layers-out-of-order:
        #:     self.second = nnx.Linear(d_hidden, 1, rngs=rngs)
        #:     self.first = nnx.Linear(d_in, d_hidden, rngs=rngs)
        #: stream-restarted: rngs=rngs -> rngs=nnx.clone(rngs)
        #: no-biases: rngs=rngs -> use_bias=False, rngs=rngs
        self.second = nnx.Linear(d_hidden, 1, rngs=rngs)
        #: layers-out-of-order: -
        #: no-biases: rngs=rngs -> use_bias=False, rngs=rngs

    def __call__(self, x: jax.Array) -> jax.Array:
        # One number for each row, so that it has the shape of the targets.
        return self.second(jnp.tanh(self.first(x)))[:, 0]
        #: no-activation: jnp.tanh(self.first(x)) -> self.first(x)
        #: relu: jnp.tanh -> nnx.relu


@nnx.jit
def train_step(model: Model, optimizer: nnx.Optimizer, x: jax.Array, y: jax.Array) -> jax.Array:
    def mean_squared_error(model):
        return jnp.mean((model(x) - y) ** 2)
        #: summed-loss: return jnp.sum((model(x) - y) ** 2)
        #: halved-loss: return jnp.mean((model(x) - y) ** 2) / 2
        #: shape-broadcast: return jnp.mean((model(x)[:, None] - y) ** 2)
        #: absolute-error: return jnp.mean(jnp.abs(model(x) - y))

    loss, grads = nnx.value_and_grad(mean_squared_error)(model)
    #: part-of-the-weights: (mean_squared_error) -> (mean_squared_error, argnums=nnx.DiffState(0, optimizer.wrt))
    optimizer.update(model, grads)
    #: nothing-learned (not with loss-after-update): -
    #: gradient-ascent: grads -> jax.tree.map(jnp.negative, grads)
    return loss
    #: loss-after-update: return mean_squared_error(model)


def nnx_train(seed, N, d_in, d_hidden, steps):
    k1, k2 = jax.random.split(jax.random.key(seed))
    x = jax.random.normal(k1, (N, d_in), dtype=jnp.float32)
    y = jax.random.normal(k2, (N,), dtype=jnp.float32)
    rngs = nnx.Rngs(jax.random.key(seed))
    rule = optax.sgd(0.1, momentum=0.9)
    #: fresh-momentum: momentum=0.9 -> momentum=None
    #: nesterov (alone): momentum=0.9 -> momentum=0.9, nesterov=True
    #: other-rate (alone): 0.1 -> 0.01, or 0.001, or 0.05, or 0.2, or 1.0
    model = Model(d_in, d_hidden, rngs=rngs)
    optimizer = nnx.Optimizer(model, rule, wrt=nnx.Param)
    #: part-of-the-weights: nnx.Param -> nnx.PathContains("second")
    #: part-of-the-weights (alone): nnx.Param -> nnx.PathContains("first")
    #: part-of-the-weights (alone): nnx.Param -> nnx.PathContains("kernel"), or nnx.PathContains("bias")
    return jnp.stack([train_step(model, optimizer, x, y) for _ in range(steps)])


problem = Problem(
    axes=("step",),
    picture=Curve("step"),
    arguments={"N": Whole(), "d_in": Whole(), "d_hidden": Whole(), "steps": Whole(reach=4)},
    cases=[
        (5, 1, 5, 4, 1),
        (0, 11, 2, 10, 1),
        (5, 3, 1, 4, 2),
        (5, 2, 9, 9, 2),
        (2, 1, 2, 2, 3),
        (1, 3, 2, 3, 3),
        (1, 6, 4, 5, 3),
        (1, 3, 1, 1, 4),
        (4, 9, 3, 2, 4),
        (3, 2, 4, 1, 4),
    ],
)
