"""An exponential moving average of the weights in training (Polyak and Juditsky, 1992; Tarvainen and Valpola, 2017)."""

import jax
import jax.numpy as jnp
import optax
from flax import nnx

from grader import Problem, Real, Whole


@nnx.jit
def train_step(
    model: nnx.Linear, average: nnx.Linear, optimizer: nnx.Optimizer, x: jax.Array, y: jax.Array, decay: float
):
    def loss(model):
        return jnp.mean((model(x) - y) ** 2)
        #: summed-loss: return jnp.sum((model(x) - y) ** 2)
        #: halved-loss: return jnp.mean((model(x) - y) ** 2) / 2
        #: shape-broadcast: return jnp.mean((model(x)[:, 0] - y) ** 2)
        #: absolute-error: return jnp.mean(jnp.abs(model(x) - y))

    grads = nnx.grad(loss)(model)
    #: trains-the-average: (model) -> (average)
    optimizer.update(model, grads)
    #: before-the-step:
    #:     before = nnx.clone(model)
    #:     optimizer.update(model, grads)
    old, new = nnx.state(average, nnx.Param), nnx.state(model, nnx.Param)
    #: before-the-step: (model, -> (before,
    nnx.update(average, jax.tree.map(lambda old, new: decay * old + (1 - decay) * new, old, new))
    #: decay-swapped: decay * old + (1 - decay) * new -> (1 - decay) * old + decay * new


def ema_model(seed, N, d, steps, decay):
    k1, k2 = jax.random.split(jax.random.key(seed))
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    y = jax.random.normal(k2, (N, 1), dtype=jnp.float32)
    model = nnx.Linear(d, 1, rngs=nnx.Rngs(jax.random.key(seed)))
    optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
    #: gradient-ascent: 0.1 -> -0.1
    # A state or a merge would share its variables with the model.
    average = nnx.clone(model)
    #: aliased (not with first-step-as-start, decay-swapped, before-the-step, averaged-once, trains-the-average):
    #:     average = model
    #: from-zero:
    #:     average = nnx.clone(model)
    #:     nnx.update(average, jax.tree.map(jnp.zeros_like, nnx.state(average)))
    for _step in range(steps):
        train_step(model, average, optimizer, x, y, decay)
        #: first-step-as-start (not with from-zero): decay) -> decay); average = nnx.clone(model) if _step == 0 else average
        #: averaged-once (not with before-the-step): average -> average if _step == steps - 1 else nnx.clone(average)
        #: decay-warmed-up (alone): decay -> min(decay, (2 + _step) / (11 + _step))
        #: decay-warmed-up (alone): decay -> min(decay, (1 + _step) / (10 + _step))
        #: decay-overwritten (alone): decay -> min(decay, 2 / 11), or min(decay, 1 / 10)
    #: nothing-learned (not with before-the-step, trains-the-average, from-zero, part-of-the-average): -
    return average(x)[:, 0]
    #: from-zero: =
    #: from-zero (not with part-of-the-average): [:, 0] -> [:, 0] / (1 - decay**steps)
    #: part-of-the-average: return -> average.bias = model.bias; return, or average.kernel = model.kernel; return
    #: part-of-the-average: average(x) -> (x @ average.kernel)
    #: part-of-the-average (alone):
    #:     average.kernel = nnx.Linear(d, 1, rngs=nnx.Rngs(jax.random.key(seed))).kernel
    #:     return average(x)[:, 0]


problem = Problem(
    axes=("example",),
    arguments={"N": Whole(), "d": Whole(), "steps": Whole(reach=6), "decay": Real(0.0, 1.0)},
    cases=[
        (5, 1, 4, 3, 0.2),
        (0, 2, 1, 2, 0.5),
        (3, 2, 9, 3, 1.0),
        (0, 2, 2, 4, 0.2),
        (3, 2, 3, 6, 0.0),
        (0, 3, 2, 1, 0.6),
        (4, 3, 1, 6, 0.0),
        (1, 3, 4, 5, 0.4),
        (2, 9, 3, 2, 0.9),
        (2, 10, 11, 1, 1.0),
    ],
)
