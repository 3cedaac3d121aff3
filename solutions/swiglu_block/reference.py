"""A feed-forward block with a SwiGLU (Shazeer, 2020, arXiv:2002.05202, equation 6), normalised first, with a residual."""

from functools import cache
from itertools import permutations

import jax
import jax.numpy as jnp
from flax import nnx

from grader import Heatmap, Pitfall, Problem, Whole, any_of

LISTED = (1, 2, 3)
"""Which number of the stream each of gate, up and down takes. The norm takes number 0, and its gain is one."""
EXCHANGED, NORM_LAST, RESTARTED, WITH_BIAS = (2, 1, 3), (0, 1, 2), (0, 0, 0), (1, 3, 5)
OTHER_ORDERS = [
    order for order in {order[:3] for order in permutations(range(4))} if order not in (LISTED, EXCHANGED, NORM_LAST)
]


@cache
def keys(seed):
    """The keys that `nnx.Rngs` hands out for a seed, computed once: the reference holds them as constants."""
    with jax.ensure_compile_time_eval():
        rngs = nnx.Rngs(jax.random.key(seed))
        return [rngs.params() for _ in range(max(WITH_BIAS) + 2)]


def swiglu_block(
    seed,
    T,
    d_model,
    d_ff,
    *,
    taken=LISTED,
    norm="root mean square",
    bend="silu",
    gating="bent gate times up",
    residual="x",
):
    """`(T, d_model)`: `x + (silu(n G) * n U) D` with `n` for the normalised `x`."""
    seed, T, d_model, d_ff = int(seed), int(T), int(d_model), int(d_ff)
    x = 1 + jax.random.normal(jax.random.key(seed), (T, d_model), dtype=jnp.float32)
    draw = jax.nn.initializers.lecun_normal()
    later = norm == "mean and deviation"  # that norm has a bias as well, and takes one more key
    shapes = (d_model, d_ff), (d_model, d_ff), (d_ff, d_model)
    G, U, D = (
        draw(keys(seed)[number + later], shape, jnp.float32) for number, shape in zip(taken, shapes, strict=True)
    )

    if norm == "none":
        n = x
    elif norm == "root mean square":
        n = x / jnp.sqrt((x * x).mean(axis=-1, keepdims=True) + 1e-6)
    else:
        centred = x - x.mean(axis=-1, keepdims=True)
        n = centred / jnp.sqrt((centred * centred).mean(axis=-1, keepdims=True) + 1e-6)

    bent = {
        "silu": lambda h: h / (1 + jnp.exp(-h)),
        "sigmoid": jax.nn.sigmoid,
        "gelu": lambda h: h * (1 + jax.lax.erf(h / 2**0.5)) / 2,
        "tanh gelu": jax.nn.gelu,
        "relu": jax.nn.relu,
        "none": lambda h: h,
    }[bend]
    gate, up = n @ G, n @ U
    inner = {
        "bent gate times up": lambda: bent(gate) * up,
        "product bent": lambda: bent(gate * up),
        "both bent": lambda: bent(gate) * bent(up),
        "gate alone": lambda: bent(gate),
        "up alone": lambda: bent(up),
        "sum": lambda: bent(gate) + up,
    }[gating]()
    kept = {"x": x, "normalised": n, "none": 0.0}[residual]
    return (kept + inner @ D).reshape(-1)


problem = Problem(
    reference=swiglu_block,
    axes=("position", "dim"),
    picture=Heatmap("position", "dim"),
    arguments={"T": Whole(), "d_model": Whole(), "d_ff": Whole()},
    cases=[
        (0, 1, 3, 4),
        (3, 2, 2, 3),
        (1, 2, 3, 2),
        (5, 3, 2, 2),
        (0, 10, 1, 9),
        (2, 3, 4, 5),
        (5, 3, 9, 1),
    ],
    by_row=True,
    pitfalls=[
        Pitfall(
            "gate-and-up-swapped",
            why="The silu was applied to `up`, or the two layers were made in the other order. The one that was made first "
            "should go through the silu.",
            hint="Which of the two layers is made first, and which of them goes through the silu?",
            taken=EXCHANGED,
        ),
        Pitfall(
            "silu-of-the-product",
            why="The product of both layers went through the silu. Only the gate should.",
            hint="Which of the two comes first in the formula, the silu or the product?",
            gating="product bent",
        ),
        Pitfall(
            "both-bent",
            why="Both layers went through the silu. Only the gate should.",
            hint="How often does the silu stand in the formula?",
            gating="both bent",
        ),
        Pitfall(
            "ungated",
            why="One of the two layers is not used: what comes out of the other goes straight into `down`.",
            hint="How many layers does your block make, and how many does it call?",
            gating=any_of("gate alone", "up alone"),
        ),
        Pitfall(
            "sum-for-product",
            why="The gate was added to `up`. It should multiply it.",
            hint="What does a gate that is zero do to a number?",
            gating="sum",
        ),
        Pitfall(
            "sigmoid-gate",
            why="The gate goes through a sigmoid. That is a GLU, and the task asks for a SwiGLU.",
            hint="What does the silu do with its argument beside the sigmoid?",
            bend="sigmoid",
        ),
        Pitfall(
            "gelu-gate",
            why="The gate goes through a gelu. That is a GEGLU, and the task asks for a SwiGLU.",
            hint="Which function does the formula apply to the gate?",
            bend=any_of("gelu", "tanh gelu"),
        ),
        Pitfall(
            "relu-gate",
            why="The gate goes through a relu. That is a ReGLU, and the task asks for a SwiGLU.",
            hint="Which function does the formula apply to the gate?",
            bend="relu",
        ),
        Pitfall(
            "no-activation",
            why="The gate is used as it comes out of its layer: no function was applied to it.",
            hint="Which function does the formula apply to the gate?",
            bend="none",
        ),
        Pitfall(
            "layer-norm",
            why="The norm subtracts the mean, as a layer norm does.",
            hint="What does the norm of this block leave as it is: the mean of a row, or its length?",
            norm=any_of("mean and deviation", "mean and deviation, no bias"),
        ),
        Pitfall(
            "norm-skipped",
            why="The layers got x as it is, and not the normalised x.",
            hint="Which of your layers is made, and never called?",
            norm="none",
        ),
        Pitfall(
            "missing-residual",
            why="The result is that of `down` alone: x was not added.",
            hint="If the kernel of `down` were zero, what should come out?",
            residual="none",
        ),
        Pitfall(
            "normed-residual",
            why="The normalised x was added. It should be x itself.",
            hint="Of the two vectors at hand, the one before the norm and the one after it, which goes around the layers?",
            residual="normalised",
            norm="root mean square",
        ),
        Pitfall(
            "norm-made-last",
            why="The weights are those of a block whose norm was made after the linear layers, or not made at all.",
            hint="In which order does your block make its layers, and does the norm take a number of the stream?",
            taken=NORM_LAST,
        ),
        Pitfall(
            "layers-out-of-order",
            why="The block computes the right thing with other weights: those of layers that were made in another order.",
            hint="In which order does your block make its four layers?",
            taken=any_of(alone=OTHER_ORDERS),
        ),
        Pitfall(
            "biases-made",
            why="The linear layers have biases. Each bias takes a number of the stream, so the layers got other weights.",
            hint="Which arguments does the stub give to `nnx.Linear`?",
            taken=WITH_BIAS,
        ),
        Pitfall(
            "stream-restarted",
            why="Each layer drew the first number of a stream: each was given a new `nnx.Rngs` of the same seed.",
            hint="How often does your code make an `nnx.Rngs`?",
            taken=RESTARTED,
        ),
    ],
)
