"""The feed-forward layer of a transformer (Vaswani et al., 2017, section 3.3), with gelu."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Whole, any_of

ACTIVATIONS = {
    "gelu": lambda h: jax.nn.gelu(h, approximate=False),
    "tanh form": jax.nn.gelu,
    "sigmoid form": lambda h: h * jax.nn.sigmoid(1.702 * h),
    "erf of h": lambda h: h * (1 + jax.lax.erf(h)) / 2,
    "gate": lambda h: (1 + jax.lax.erf(h / 2**0.5)) / 2,
    "silu": jax.nn.silu,
    "relu": jax.nn.relu,
    "none": lambda h: h,
}


def feed_forward(
    seed,
    N,
    d_model,
    d_ff,
    *,
    activation="gelu",
    bent="hidden",
    biases="both",
    residual=False,
):
    """`(N, d_model)`: every row through two linear maps, with an activation between them."""
    N, d_model, d_ff = int(N), int(d_model), int(d_ff)
    key = jax.random.key(seed)
    k1, k2, k3, k4, k5 = jax.random.split(key, 5)
    x = jax.random.normal(k1, (N, d_model), dtype=jnp.float32)
    W1 = jax.random.normal(k2, (d_model, d_ff), dtype=jnp.float32) / d_model**0.5
    b1 = jax.random.normal(k3, (d_ff,), dtype=jnp.float32)
    W2 = jax.random.normal(k4, (d_ff, d_model), dtype=jnp.float32) / d_ff**0.5
    b2 = jax.random.normal(k5, (d_model,), dtype=jnp.float32)
    act = ACTIVATIONS[activation]

    hidden = x @ W1
    if biases in ("both", "first"):
        hidden = hidden + b1
    if bent in ("hidden", "both"):
        hidden = act(hidden)
    if biases == "first too late":
        hidden = hidden + b1
    output = hidden @ W2
    if biases not in ("first", "neither"):
        output = output + b2
    if bent in ("output", "both"):
        output = act(output)
    return (x + output if residual else output).reshape(-1)


problem = Problem(
    reference=feed_forward,
    axes=("row", "dim"),
    picture=Heatmap("row", "dim"),
    arguments={"N": Whole(), "d_model": Whole(), "d_ff": Whole()},
    cases=[
        (0, 1, 2, 3),
        (5, 3, 2, 2),
        (0, 2, 3, 5),
        (3, 1, 9, 2),
        (2, 10, 1, 9),
        (2, 3, 4, 1),
        (1, 4, 3, 5),
    ],
    pitfalls=[
        Pitfall(
            "tanh-gelu",
            why="The activation is the form of gelu that is made with tanh: near, but up to half a thousandth off.",
            hint="Which form does your library take if you say nothing?",
            activation="tanh form",
        ),
        Pitfall(
            "sigmoid-gelu",
            why="The activation is the rough form of gelu that is made with a sigmoid: up to two hundredths off.",
            hint="With which function is the exact form written?",
            activation="sigmoid form",
        ),
        Pitfall(
            "silu",
            why="The activation is silu, which multiplies by a sigmoid: a near relative, with a deeper and wider dip.",
            hint="Which curve opens the door in gelu?",
            activation="silu",
        ),
        Pitfall(
            "relu",
            why="The activation is relu: nothing is left of what is negative in the middle.",
            hint="What does the activation that is asked for make of a number a little below zero?",
            activation="relu",
        ),
        Pitfall(
            "erf-unscaled",
            why="The activation opens too fast: it takes the error function of the number itself.",
            hint="The error function belongs to a normal distribution: how wide is that one?",
            activation="erf of h",
        ),
        Pitfall(
            "gate-alone",
            why="The activation gives numbers between 0 and 1: how far the door opens, not what goes through it.",
            hint="What does gelu make of a very large number?",
            activation="gate",
        ),
        Pitfall(
            "no-activation",
            why="Nothing bends between the two maps: together they are one linear map.",
            hint="Which step stands between the two products?",
            activation="none",
            bent="hidden",
        ),
        Pitfall(
            "activation-on-output",
            why="What comes out of the layer went through an activation: it should be free to take any value.",
            hint="How often does the formula bend, and where?",
            bent=any_of("output", "both"),
        ),
        Pitfall(
            "bias-after-activation",
            why="The first bias was added after the activation: it moves the numbers, but not the place where they "
            "bend.",
            hint="Does the activation see the first bias?",
            biases="first too late",
            bent="hidden",
        ),
        Pitfall(
            "missing-bias",
            why="One of the biases, or both, has not been added.",
            hint="Which of the arrays that were drawn has your code not used?",
            biases=any_of("first", "second", "neither"),
        ),
        Pitfall(
            "residual-added",
            why="The rows that went in have been added to those that come out: that is a step of the block around it.",
            hint="Does the formula hold the rows a second time?",
            residual=True,
        ),
    ],
)
