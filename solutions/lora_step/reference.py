"""Low-rank adaptation of a linear layer (Hu et al., 2021, arXiv:2106.09685, section 4.1)."""

import jax
import jax.numpy as jnp

from grader import Pitfall, Problem, Real, Whole, any_of


def lora_step(
    seed,
    N,
    d_in,
    d_out,
    rank,
    alpha,
    steps,
    *,
    trained="adapter",
    scale="alpha / rank",
    start="B zero",
    base="added",
    loss="mean",
    direction="down",
    rows="of the task",
):
    """`A`, `B` and `x W + (alpha / rank) x A B`, after `steps` steps of gradient descent on `A` and `B`."""
    seed, N, d_in, d_out, rank, steps = (int(number) for number in (seed, N, d_in, d_out, rank, steps))
    alpha = float(alpha)
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    x = jax.random.normal(k1, (N, d_in), dtype=jnp.float32)
    y = jax.random.normal(k2, (N, d_out), dtype=jnp.float32)
    W = jax.random.normal(k3, (d_in, d_out), dtype=jnp.float32) / d_in**0.5
    A = jax.random.normal(k4, (d_in, rank), dtype=jnp.float32) / d_in**0.5
    B = jnp.zeros((rank, d_out))
    if start == "A zero":
        A, B = jnp.zeros((d_in, rank)), jax.random.normal(k4, (rank, d_out), dtype=jnp.float32) / d_in**0.5
    elif start == "both zero":
        A = jnp.zeros((d_in, rank))
    elif start == "both drawn":
        B = jax.random.normal(k4, (rank, d_out), dtype=jnp.float32) / rank**0.5
    elif start == "B of ones":
        B = jnp.ones((rank, d_out))
    factor = {
        "alpha / rank": alpha / rank,
        "alpha": alpha,
        "none": 1.0,
        "alpha / sqrt(rank)": alpha / rank**0.5,
        "on both": (alpha / rank) ** 2,
        "1 / rank": 1 / rank,
    }[scale]

    def layer(W, A, B):
        adapted = factor * (x @ A @ B)
        return x @ W + adapted if base == "added" else adapted

    def loss_of(weights):
        squares = (layer(*weights) - y) ** 2
        return {
            "mean": squares.mean(),
            "sum": squares.sum(),
            "mean of row sums": squares.sum(axis=1).mean(),
            "half": squares.mean() / 2,
        }[loss]

    moving = {"adapter": (0, 1, 1), "all": (1, 1, 1), "B": (0, 0, 1), "base": (1, 0, 0), "none": (0, 0, 0)}

    def step(weights, _):
        slopes = jax.grad(loss_of)(weights)
        rate = -0.1 if direction == "up" else 0.1
        moved = [
            value - rate * slope if moves else value
            for value, slope, moves in zip(weights, slopes, moving[trained], strict=True)
        ]
        return tuple(moved), None

    weights, _ = jax.lax.scan(step, (W, A, B), length=steps)
    A, B = weights[1:]
    if rows != "of the task":
        A, B = (A.T if rows == "A and B by output" else A), B.T
    return jnp.concatenate([A.ravel(), B.ravel(), layer(*weights).ravel()])


problem = Problem(
    reference=lora_step,
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
        (5, 2, 5, 2, 2, 0.05, 3),
        (4, 1, 2, 2, 4, 2.0, 9),
        (1, 3, 2, 3, 2, 3.0, 2),
        (5, 9, 1, 1, 10, 0.05, 5),
        (4, 2, 1, 4, 6, 1.5, 3),
        (2, 10, 1, 5, 1, 1.5, 1),
        (0, 1, 9, 10, 3, 0.05, 1),
        (5, 4, 5, 8, 6, 6.0, 3),
    ],
    pitfalls=[
        Pitfall(
            "base-trained-too",
            why="The base W was trained as well. A `LoRAParam` is a kind of `Param`, so the filter `nnx.Param` takes in "
            "all three matrices.",
            hint="Which matrices does your filter pick, for the gradients and for the optimizer?",
            trained="all",
        ),
        Pitfall(
            "base-trained-alone",
            why="The base W was trained, and A and B stayed as they were.",
            hint="Which matrices does your filter pick, for the gradients and for the optimizer?",
            trained=any_of(alone=["base"]),
        ),
        Pitfall(
            "a-not-trained",
            why="Only B was trained. A stayed as it was.",
            hint="Of which kind is each of your variables?",
            trained="B",
        ),
        Pitfall(
            "nothing-learned",
            why="A and B are as they were at first. Either no step changed your model, or B was not trained: while B is "
            "zero, A has no gradient.",
            hint="Which variables do your filters pick, and does the step change your model or a copy of it?",
            trained="none",
            direction="down",
        ),
        Pitfall(
            "alpha-only",
            why="The adapter is scaled by alpha. The division by the rank is missing.",
            hint="What should stay the same if you double the rank?",
            scale="alpha",
        ),
        Pitfall(
            "no-scale",
            why="The adapter is not scaled at all.",
            hint="Which factor stands before x A B in the formula?",
            scale="none",
        ),
        Pitfall(
            "root-of-the-rank",
            why="The adapter is scaled by alpha and divided by the square root of the rank. That is another method, rsLoRA.",
            hint="By which power of the rank does the formula divide?",
            scale="alpha / sqrt(rank)",
        ),
        Pitfall(
            "scale-on-both",
            why="The scale counts twice: the adapter is multiplied by the square of alpha / rank.",
            hint="How often does the scale stand in the formula?",
            scale="on both",
        ),
        Pitfall(
            "alpha-missing",
            why="The adapter is divided by the rank. The factor alpha is missing.",
            hint="Which factor stands before x A B in the formula?",
            scale="1 / rank",
        ),
        Pitfall(
            "zeros-in-a",
            why="A began with zeros and B with the draws. The task has it the other way round.",
            hint="Which of the two matrices does the task begin with zeros?",
            start="A zero",
        ),
        Pitfall(
            "both-zero",
            why="Both matrices began with zeros. Then neither has a gradient, and nothing ever moves.",
            hint="What is the gradient of A while B is zero, and what is that of B while A is zero?",
            start="both zero",
        ),
        Pitfall(
            "b-not-zero",
            why="B did not begin with zeros, so the adapted layer differs from its base before the first step.",
            hint="Which result should the layer give before the first step?",
            start=any_of("both drawn", "B of ones"),
        ),
        Pitfall(
            "output-first",
            why="B stands there transposed, with a row for each output. PyTorch keeps it like that.",
            hint="Which shape does the task give for B?",
            rows="B by output",
        ),
        Pitfall(
            "both-transposed",
            why="A and B stand there transposed: A with a row for each number of the rank, B with a row for each "
            "output. PyTorch keeps them like that.",
            hint="Which shapes does the task give for A and B?",
            rows=any_of(alone=["A and B by output"]),
        ),
        Pitfall(
            "base-missing",
            why="The result is that of the adapter alone: the product with W is missing.",
            hint="Which two summands does the formula have?",
            base="left out",
        ),
        Pitfall(
            "summed-loss",
            why="The squared errors were summed: over all numbers, or over each row before the mean.",
            hint="By how many numbers should the sum be divided?",
            loss=any_of("sum", "mean of row sums"),
        ),
        Pitfall(
            "halved-loss",
            why="Each step is half as long as it should be: the loss or the rate has half its size.",
            hint="Which factor stands before the sum in the formula of the loss, and which rate does the stub hold?",
            loss="half",
        ),
        Pitfall(
            "gradient-ascent",
            why="The matrices move along the gradient, and not against it.",
            hint="Which sign do the gradients have that the optimizer expects?",
            direction="up",
        ),
    ],
)
