"""Two linear layers on fresh weights, with the keys that a stream of Flax hands out (flax.nnx.Rngs)."""

import jax
import jax.numpy as jnp
from flax import nnx

from grader import Heatmap, Problem, Whole


class MyLinear(nnx.Module):
    def __init__(self, d_in: int, d_out: int, *, rngs: nnx.Rngs):
        # Each call of the stream gives another key: the kernel takes the first.
        kernel_key, bias_key = rngs.params(), rngs.params()
        #: bias-first: kernel_key, bias_key -> bias_key, kernel_key
        #: same-key-twice: rngs.params(), rngs.params() -> [rngs.params()] * 2
        #: same-key-twice (alone):
        #:     kernel_key, _ = rngs.params(), rngs.params()
        #:     bias_key = kernel_key
        #: same-key-twice (alone): rngs.params(), rngs.params() -> [rngs.params()] * 2
        #: seed-key-for-weights: rngs.params(), rngs.params() -> [rngs.params.key[...]] * 2
        #: draws-out-of-order (alone): rngs.params(), rngs.params() -> next(rngs), next(rngs)
        #: bias-missing: =
        #: bias-missing: rngs.params(), rngs.params() -> [rngs.params()] * 2
        self.kernel = nnx.Param(jax.random.normal(kernel_key, (d_in, d_out)) / d_in**0.5)
        #: kernel-transposed: (d_in, d_out)) -> (d_out, d_in)).T
        #: unscaled-kernel: d_in**0.5 -> 1
        #: divided-by-the-width: d_in**0.5 -> d_in
        #: scale-of-the-output: d_in**0.5 -> d_out**0.5
        self.bias = nnx.Param(0.1 * jax.random.normal(bias_key, (d_out,)))
        #: unscaled-bias: 0.1 -> 1

    def __call__(self, x: jax.Array) -> jax.Array:
        return x @ self.kernel[...] + self.bias[...]
        #: bias-missing (not with unscaled-bias): x @ self.kernel[...] + self.bias[...] -> x @ self.kernel[...]


#: library-layer: MyLinear = nnx.Linear


def nnx_linear(seed, N, d_in, d_hidden, d_out):
    x = jax.random.normal(jax.random.key(seed), (N, d_in), dtype=jnp.float32)
    rngs = nnx.Rngs(jax.random.key(seed))
    #: draws-out-of-order (alone): nnx.Rngs(jax.random.key(seed)) -> (0, 1, 3, 2), or (0, 2, 1, 3), or (0, 2, 3, 1)
    #: draws-out-of-order (alone): nnx.Rngs(jax.random.key(seed)) -> (0, 3, 1, 2), or (0, 3, 2, 1), or (1, 0, 2, 3)
    #: draws-out-of-order (alone): nnx.Rngs(jax.random.key(seed)) -> (1, 2, 0, 3), or (1, 2, 3, 0), or (1, 3, 0, 2)
    #: draws-out-of-order (alone): nnx.Rngs(jax.random.key(seed)) -> (1, 3, 2, 0), or (2, 0, 1, 3), or (2, 0, 3, 1)
    #: draws-out-of-order (alone): nnx.Rngs(jax.random.key(seed)) -> (2, 1, 0, 3), or (2, 1, 3, 0), or (2, 3, 1, 0)
    #: draws-out-of-order (alone): nnx.Rngs(jax.random.key(seed)) -> (3, 0, 1, 2), or (3, 0, 2, 1), or (3, 1, 0, 2)
    #: draws-out-of-order (alone): nnx.Rngs(jax.random.key(seed)) -> (3, 1, 2, 0), or (3, 2, 0, 1), or (3, 2, 1, 0)
    first = MyLinear(d_in, d_hidden, rngs=rngs)
    #: layers-made-in-other-order: first = MyLinear(d_in, d_hidden -> second = MyLinear(d_hidden, d_out
    #: draws-out-of-order (alone):
    #:     stream = nnx.Rngs(jax.random.key(seed))
    #:     keys = [stream.params() for _ in rngs]
    #:     rngs = iter([keys[number] for number in rngs])
    #:     first = MyLinear(d_in, d_hidden, rngs=rngs)
    second = MyLinear(d_hidden, d_out, rngs=rngs)
    #: layers-made-in-other-order: second = MyLinear(d_hidden, d_out -> first = MyLinear(d_in, d_hidden
    #: stream-restarted (not with layers-made-in-other-order): rngs=rngs -> rngs=nnx.Rngs(jax.random.key(seed))
    #: same-key-twice: =
    #: same-key-twice (alone): =
    #: same-key-twice (alone): rngs=rngs -> rngs=nnx.Rngs(jax.random.key(seed))
    hidden = jnp.tanh(first(x))
    #: no-activation: jnp.tanh(first(x)) -> first(x)
    #: relu: jnp.tanh -> jax.nn.relu
    #: activation-after-all: =
    #: activation-after-all: jnp.tanh(first(x)) -> first(x)
    return second(hidden).reshape(-1)
    #: activation-after-all: second(hidden) -> jnp.tanh(second(hidden))


problem = Problem(
    axes=("row", "dim"),
    picture=Heatmap("row", "dim"),
    arguments={"N": Whole(), "d_in": Whole(), "d_hidden": Whole(), "d_out": Whole()},
    cases=[
        (5, 1, 1, 3, 1),
        (0, 2, 3, 2, 1),
        (1, 3, 1, 2, 1),
        (1, 2, 9, 2, 2),
        (8, 1, 5, 2, 4),
        (1, 3, 2, 9, 9),
        (0, 2, 1, 4, 5),
        (1, 10, 1, 11, 2),
        (5, 9, 3, 3, 3),
        (2, 5, 11, 1, 9),
    ],
    by_row=True,
)
