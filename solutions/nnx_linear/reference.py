"""Two linear layers on fresh weights, with the keys that a stream of Flax hands out (flax.nnx.Rngs)."""

from functools import cache
from itertools import permutations

import jax
import jax.numpy as jnp
from flax import nnx

from grader import Heatmap, Pitfall, Problem, Whole, any_of

LISTED = (0, 1, 2, 3)
"""Which number of the stream each draw takes: kernel and bias of the first layer, then of the second."""
BIAS_FIRST, SECOND_LAYER_FIRST = (1, 0, 3, 2), (2, 3, 0, 1)
ONE_KEY_EACH, RESTARTED = (0, 0, 1, 1), (0, 1, 0, 1)
OTHER_ORDERS = [order for order in permutations(LISTED) if order not in (LISTED, BIAS_FIRST, SECOND_LAYER_FIRST)]


@cache
def keys(seed):
    """The keys that `nnx.Rngs` hands out for a seed, computed once: the reference holds them as constants."""
    with jax.ensure_compile_time_eval():
        rngs = nnx.Rngs(jax.random.key(seed))
        return [rngs.params() for _ in LISTED]


def nnx_linear(
    seed,
    N,
    d_in,
    d_hidden,
    d_out,
    *,
    taken=LISTED,
    drawn_with="the stream",
    bias="added",
    kernel_scale="1 / sqrt(d_in)",
    kernel_drawn="(d_in, d_out)",
    bias_scale=0.1,
    activation="between",
):
    """`(N, d_out)`: `tanh(x K1 + b1) K2 + b2`, with fresh weights."""
    seed, N, d_in, d_hidden, d_out = (int(number) for number in (seed, N, d_in, d_hidden, d_out))
    key = jax.random.key(seed)
    x = jax.random.normal(key, (N, d_in), dtype=jnp.float32)
    own = [keys(seed)[number] for number in taken] if drawn_with == "the stream" else [key] * 4
    if bias == "not made":
        own = [own[0], own[0], own[1], own[1]]

    def layer(x, kernel_key, bias_key, d_out):
        d_in = x.shape[-1]
        if kernel_scale == "as nnx.Linear":
            kernel = jax.nn.initializers.lecun_normal()(kernel_key, (d_in, d_out), jnp.float32)
        else:
            shape = (d_in, d_out) if kernel_drawn == "(d_in, d_out)" else (d_out, d_in)
            kernel = jax.random.normal(kernel_key, shape, dtype=jnp.float32)
            if kernel_drawn == "transposed":
                kernel = kernel.T
            divisor = {"1 / sqrt(d_in)": d_in**0.5, "none": 1.0, "1 / d_in": d_in, "1 / sqrt(d_out)": d_out**0.5}
            kernel = kernel / divisor[kernel_scale]
        y = x @ kernel
        if bias == "added" and kernel_scale != "as nnx.Linear":
            y = y + bias_scale * jax.random.normal(bias_key, (d_out,), dtype=jnp.float32)
        return y

    h = layer(x, own[0], own[1], d_hidden)
    if activation in ("between", "after both"):
        h = jnp.tanh(h)
    elif activation == "relu":
        h = jnp.maximum(h, 0.0)
    y = layer(h, own[2], own[3], d_out)
    if activation in ("after both", "after the second"):
        y = jnp.tanh(y)
    return y.reshape(-1)


problem = Problem(
    reference=nnx_linear,
    axes=("row", "dim"),
    picture=Heatmap("row", "dim"),
    arguments={"N": Whole(), "d_in": Whole(), "d_hidden": Whole(), "d_out": Whole()},
    cases=[
        (5, 1, 1, 3, 1),
        (0, 2, 3, 2, 1),
        (1, 3, 1, 2, 1),
        (1, 2, 4, 2, 2),
        (8, 1, 5, 2, 4),
        (1, 3, 2, 4, 3),
        (0, 2, 1, 4, 5),
        (1, 10, 1, 11, 2),
        (5, 4, 3, 3, 3),
        (2, 5, 11, 1, 9),
    ],
    by_row=True,
    pitfalls=[
        Pitfall(
            "bias-first",
            why="Each layer drew its bias before its kernel. The numbers of the stream are handed out in the order in "
            "which they are asked for.",
            hint="Which of the two parameters of a layer does your module draw first?",
            taken=BIAS_FIRST,
        ),
        Pitfall(
            "layers-made-in-other-order",
            why="The layer that is called second was made first, and drew the first numbers of the stream.",
            hint="In which order does your code make the two layers?",
            taken=SECOND_LAYER_FIRST,
        ),
        Pitfall(
            "draws-out-of-order",
            why="The four parameters are drawn from the right stream, but not in the order that the task states.",
            hint="Write down the four draws in the order in which your code reaches them. Which order does the task state?",
            taken=any_of(alone=OTHER_ORDERS),
        ),
        Pitfall(
            "same-key-twice",
            why="In each layer, kernel and bias were drawn with one and the same key, so they are not independent.",
            hint="How many arrays does your module draw, and how often does it ask the stream for a key?",
            taken=any_of(ONE_KEY_EACH, alone=[(0, 0, 2, 2), (0, 0, 0, 0)]),
        ),
        Pitfall(
            "stream-restarted",
            why="The second layer drew the same keys as the first: it was given a new stream of the same seed.",
            hint="How often does your code make an `nnx.Rngs`?",
            taken=RESTARTED,
        ),
        Pitfall(
            "seed-key-for-weights",
            why="The weights were drawn with the key of the seed itself, which has drawn x already.",
            hint="What does a call of the stream give, and is it the key that you gave to the stream?",
            drawn_with="the seed",
            taken=LISTED,
        ),
        Pitfall(
            "bias-missing",
            why="The biases add nothing: a row of zeros would stay a row of zeros.",
            hint="What does your layer give for x = 0, and what does the formula give?",
            bias=any_of("not added", "not made"),
            bias_scale=0.1,
        ),
        Pitfall(
            "unscaled-bias",
            why="The bias is ten times as large as the task states.",
            hint="Which factor does the task name beside the numbers of the bias?",
            bias_scale=1.0,
        ),
        Pitfall(
            "unscaled-kernel",
            why="The kernel holds normal numbers that were not divided: the wider the input, the larger the sums.",
            hint="What is the variance of a sum of d_in products, if no number was scaled?",
            kernel_scale="none",
        ),
        Pitfall(
            "divided-by-the-width",
            why="The kernel is divided by d_in itself, and not by its square root.",
            hint="How many products does one output add up, and which power of that number keeps the variance?",
            kernel_scale="1 / d_in",
        ),
        Pitfall(
            "scale-of-the-output",
            why="The kernel is divided by the square root of d_out, the width that goes out.",
            hint="How many products does one output add up: as many as go in, or as many as come out?",
            kernel_scale="1 / sqrt(d_out)",
        ),
        Pitfall(
            "kernel-transposed",
            why="Each kernel was drawn with the shape (d_out, d_in) and then transposed: its draws stand in other places.",
            hint="Which shape has a kernel in this lesson, and which shape does your code draw?",
            kernel_drawn="transposed",
        ),
        Pitfall(
            "library-layer",
            why="These are weights of `nnx.Linear`: its kernel has another distribution, and its bias is zero.",
            hint="Whose `__init__` draws the weights of your layers, and from which distribution?",
            kernel_scale="as nnx.Linear",
            kernel_drawn="(d_in, d_out)",
            bias="added",
            bias_scale=0.1,
        ),
        Pitfall(
            "no-activation",
            why="Nothing stands between the two layers, so together they are one linear map.",
            hint="Which function stands between the two layers?",
            activation="none",
        ),
        Pitfall(
            "activation-after-all",
            why="The tanh came after the second layer, so no number that comes out is larger than 1.",
            hint="How often does the formula apply the tanh, and to what?",
            activation=any_of("after both", "after the second"),
        ),
        Pitfall(
            "relu",
            why="Between the layers, negative numbers became zero: that is a relu.",
            hint="Which function does the task name for the values between the layers?",
            activation="relu",
        ),
    ],
)
