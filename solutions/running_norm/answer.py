"""Batch normalisation with running statistics (Ioffe and Szegedy, 2015, algorithms 1 and 2), as flax has it."""

import jax
import jax.numpy as jnp
from flax import nnx

from grader import Heatmap, Problem, Real, Whole


class RunningNorm(nnx.Module):
    def __init__(self, d: int, momentum: float):
        self.gain = nnx.Param(jnp.ones(d))
        self.mean = nnx.BatchStat(jnp.zeros(d))
        self.var = nnx.BatchStat(jnp.ones(d))
        #: variance-from-zero: ones -> zeros
        self.momentum = momentum
        #: momentum-swapped: momentum = momentum -> momentum = 1 - momentum
        #: last-batch-only: momentum = momentum -> momentum = 0.0
        # train() and eval() set attributes of this name.
        self.use_running_average = False
        #: always-evaluates (alone): False -> True

    def __call__(self, x: jax.Array) -> jax.Array:
        mean = x.mean(axis=0)
        #: one-mean-for-all: axis=0 -> axis=None
        #: mean-of-each-row: axis=0 -> axis=1, keepdims=True
        var = x.var(axis=0)
        #: one-mean-for-all: axis=0 -> axis=None
        #: mean-of-each-row: axis=0 -> axis=1, keepdims=True
        #: unbiased-variance (not with unbiased-running-variance): x.var -> len(x) / (len(x) - 1) * x.var
        if not self.use_running_average:
            self.mean[...] = self.momentum * self.mean[...] + (1 - self.momentum) * mean
            #: one-statistic-updated: =
            #: one-statistic-updated: self.mean[...] = -> forgotten =
            #: share-added: self.momentum * self.mean[...] -> self.mean[...]
            #: mean-of-each-row: * mean -> * mean.mean()
            self.var[...] = self.momentum * self.var[...] + (1 - self.momentum) * var
            #: one-statistic-updated: self.var[...] = -> forgotten =
            #: one-statistic-updated: =
            #: share-added: self.momentum * self.var[...] -> self.var[...]
            #: mean-of-each-row: * var -> * var.mean()
            #: unbiased-running-variance: (1 - self.momentum) -> len(x) / (len(x) - 1) * (1 - self.momentum)
            #: deviation-for-variance (not with unbiased-running-variance): * var -> * jnp.sqrt(var)
            #: deviations-averaged (alone):
            #:     self.var[...] = (self.momentum * jnp.sqrt(self.var[...]) + (1 - self.momentum) * jnp.sqrt(var)) ** 2
        else:
            mean, var = self.mean[...], self.var[...]
            #: batch-statistics-in-eval:
            #:     if not self.use_running_average:
            #:         mean, var = self.mean[...], self.var[...]
        #: normalised-by-running: else: -> if True:
        #: normalised-by-running (alone):
        #:     before = self.mean[...], self.var[...]
        #:     if not self.use_running_average:
        #:         self.mean[...] = self.momentum * self.mean[...] + (1 - self.momentum) * mean
        #:         self.var[...] = self.momentum * self.var[...] + (1 - self.momentum) * var
        #:     mean, var = before
        return self.gain[...] * (x - mean) / jnp.sqrt(var + 1e-5)
        #: eps-outside: jnp.sqrt(var + 1e-5) -> (jnp.sqrt(var) + 1e-5)
        #: no-epsilon: var + 1e-5 -> var
        #: other-epsilon: 1e-5 -> 1e-3
        #: other-epsilon (alone): 1e-5 -> 1e-2
        #: variance-for-deviation: jnp.sqrt(var + 1e-5) -> (var + 1e-5)


@nnx.jit
def forward(layer: RunningNorm, x: jax.Array) -> jax.Array:
    return layer(x)


def running_norm(seed, steps, N, d, momentum):
    batches = 3 * jax.random.normal(jax.random.key(seed), (steps + 1, N, d), dtype=jnp.float32) + 2
    *training, last = batches
    #: one-batch-too-many: training, last = batches, batches[-1]
    #: evaluated-on-training:
    #:     *training, _ = batches
    #:     last = training[-1]
    layer = RunningNorm(d, momentum)
    #: first-batch-as-start (alone):
    #:     layer = RunningNorm(d, momentum)
    #:     layer.mean[...], layer.var[...] = batches[0].mean(axis=0), batches[0].var(axis=0)
    results = [forward(layer, batch) for batch in training]
    #: never-updated (not with one-statistic-updated, share-added, normalised-by-running, batch-statistics-in-eval):
    #:     results = [forward(nnx.clone(layer), batch) for batch in training]
    layer.eval()
    #: updated-before-evaluation (not with never-updated, batch-statistics-in-eval):
    #:     forward(layer, last)
    #:     layer.eval()
    return jnp.stack([results[-1], forward(layer, last)]).reshape(-1)


problem = Problem(
    axes=("call", "row", "dim"),
    picture=Heatmap("row", "dim"),
    arguments={"steps": Whole(reach=6), "N": Whole(2), "d": Whole(), "momentum": Real(0.0, 1.0)},
    cases=[
        (3, 3, 2, 1, 0.2),
        (3, 2, 3, 1, 0.2),
        (723, 2, 2, 3, 0.75),  # two rows are near each other in one column, so that the epsilon shows
        (0, 2, 3, 2, 0.5),
        (5, 3, 4, 2, 0.9),
        (3, 5, 4, 3, 0.0),
        (5, 5, 4, 3, 0.99),
        (2, 1, 5, 3, 0.99),
        (5, 6, 9, 10, 1.0),
    ],
)
