"""An exponential moving average of the weights in training (Polyak and Juditsky, 1992; Tarvainen and Valpola, 2017)."""

from functools import cache

import jax
import jax.numpy as jnp
from flax import nnx

from grader import Pitfall, Problem, Real, Whole, any_of


@cache
def first_key(seed):
    """The first key that `nnx.Rngs` hands out for a seed, computed once: the reference holds it as a constant."""
    with jax.ensure_compile_time_eval():
        return nnx.Rngs(jax.random.key(seed)).params()


def ema_model(
    seed,
    N,
    d,
    steps,
    decay,
    *,
    keeps="decay",
    start="fresh weights",
    when="after the step",
    slope_at="model",
    averaged="all",
    loss="mean",
    direction="down",
    learns=True,
):
    """`(N,)`: predictions with the average of the weights."""
    seed, N, d, steps, decay = int(seed), int(N), int(d), int(steps), float(decay)
    k1, k2 = jax.random.split(jax.random.key(seed))
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    y = jax.random.normal(k2, (N, 1), dtype=jnp.float32)
    kernel = jax.nn.initializers.lecun_normal()(first_key(seed), (d, 1), jnp.float32)
    keep = {"decay": decay, "1 - decay": 1 - decay, "nothing": 0.0}.get(keeps, decay)

    def loss_of(kernel, bias):
        squares = (x @ kernel + bias - y) ** 2
        if loss == "absolute":
            return jnp.abs(x @ kernel + bias - y).mean()
        if loss == "each with each":
            return (((x @ kernel + bias)[:, 0] - y) ** 2).mean()
        return {"mean": squares.mean(), "sum": squares.sum(), "half": squares.mean() / 2}[loss]

    def mixed(old, new, number):
        warm = {"warmed up": number + 1, "warmed up from zero": number, "overwritten": 1, "overwritten from zero": 0}
        kept = jnp.minimum(keep, (1 + warm[keeps]) / (10 + warm[keeps])) if keeps in warm else keep
        return kept * old + (1 - kept) * new

    def step(carry, number):
        weights, average = carry
        slopes = jax.grad(loss_of, argnums=(0, 1))(*(average if slope_at == "average" else weights))
        rate = -0.1 if direction == "up" else 0.1
        moved = [value - rate * slope for value, slope in zip(weights, slopes, strict=True)]
        taken = weights if when == "before the step" else moved
        after = [mixed(old, new, number) for old, new in zip(average, taken, strict=True)]
        if start == "first step":
            after = [jnp.where(number == 0, new, mixed) for new, mixed in zip(moved, after, strict=True)]
        if when == "once at the end":
            after = [jnp.where(number == steps - 1, new, old) for old, new in zip(average, after, strict=True)]
        return (tuple(moved), tuple(after)), None

    fresh = weights = kernel, jnp.zeros(1)
    average = (jnp.zeros((d, 1)), jnp.zeros(1)) if start in ("zero", "zero, corrected") else weights
    (weights, average), _ = jax.lax.scan(step, (weights, average), jnp.arange(steps if learns else 0))
    if start == "zero, corrected":
        average = [value / (1 - keep**steps) for value in average]
    others = fresh if averaged in ("kernel, bias fresh", "bias, kernel fresh") else weights
    kernel = average[0] if averaged in ("all", "kernel", "kernel, bias fresh") else others[0]
    bias = average[1] if averaged in ("all", "bias", "bias, kernel fresh") else others[1]
    return (x @ kernel + bias)[:, 0]


problem = Problem(
    reference=ema_model,
    axes=("example",),
    arguments={"N": Whole(), "d": Whole(), "steps": Whole(reach=6), "decay": Real(0.0, 1.0)},
    cases=[
        (5, 1, 4, 3, 0.2),
        (0, 2, 1, 2, 0.5),
        (3, 2, 2, 3, 1.0),
        (0, 2, 2, 4, 0.2),
        (3, 2, 3, 6, 0.0),
        (0, 3, 2, 1, 0.6),
        (4, 3, 1, 6, 0.0),
        (1, 3, 4, 5, 0.4),
        (2, 4, 3, 2, 0.9),
        (2, 10, 11, 1, 1.0),
    ],
    pitfalls=[
        Pitfall(
            "aliased",
            why="These are the predictions of the model in training. Either the average shares its variables, or it "
            "does not predict.",
            hint="Which model predicts at the end, and does it stay as it is when you change a weight of the other one?",
            keeps="nothing",
            when="after the step",
            slope_at="model",
        ),
        Pitfall(
            "first-step-as-start",
            why="The average begins with the weights after the first step: those of the fresh model are lost.",
            hint="When the first step changes the model, does it change what you keep as the start of the average?",
            start="first step",
        ),
        Pitfall(
            "decay-swapped",
            why="The share `decay` was given to the new weights. It is the share of the average that stays.",
            hint="With a decay of 0.999, should one step change the average a lot or a little?",
            keeps="1 - decay",
        ),
        Pitfall(
            "decay-warmed-up",
            why="In the first steps a smaller share than `decay` stays, one that grows from step to step.",
            hint="Is the share that stays the same number in every step of the formula?",
            keeps=any_of(alone=["warmed up", "warmed up from zero"]),
        ),
        Pitfall(
            "decay-overwritten",
            why="In every step the same share of the average stays, and it is smaller than `decay`.",
            hint="Does your variable still hold the argument `decay` when the average is taken?",
            keeps=any_of(alone=["overwritten", "overwritten from zero"]),
        ),
        Pitfall(
            "before-the-step",
            why="The average takes in the weights before each step: it never sees those after the last one.",
            hint="Which of the two comes first in the formula, the step or the average?",
            when="before the step",
            learns=True,
        ),
        Pitfall(
            "averaged-once",
            why="The average took in the weights after the last step only, and not those after the other steps.",
            hint="How often should the average change, and where in your loop does it?",
            when="once at the end",
            learns=True,
        ),
        Pitfall(
            "from-zero",
            why="The average began with zeros, or was corrected for such a start. It begins with the fresh weights.",
            hint="With steps = 0, which predictions should the average give?",
            start=any_of("zero", "zero, corrected"),
        ),
        Pitfall(
            "trains-the-average",
            why="The gradients were taken at the average. They belong to the weights in training.",
            hint="Of which of the two models does your step compute the loss?",
            slope_at="average",
            learns=True,
        ),
        Pitfall(
            "part-of-the-average",
            why="Only the kernel or only the bias was averaged. The other one is as fresh, or as in the model in training.",
            hint="How many arrays does the layer hold, and how many of them does your average take in?",
            averaged=any_of("kernel", "bias", "kernel, bias fresh", alone=["bias, kernel fresh"]),
        ),
        Pitfall(
            "nothing-learned",
            why="These are the predictions of the fresh weights: nothing was learned, or the average was never updated.",
            hint="After a step has returned, which of your two models have changed, and were they copies?",
            learns=False,
            start="fresh weights",
            averaged="all",
        ),
        Pitfall(
            "summed-loss",
            why="The squared errors were summed, so each step is N times as long.",
            hint="What should stay the same if every example stood there twice?",
            loss="sum",
        ),
        Pitfall(
            "halved-loss",
            why="Each step is half as long as it should be: the loss or the rate has half its size.",
            hint="Which factor stands before the sum in the formula of the loss, and which rate does the stub hold?",
            loss="half",
        ),
        Pitfall(
            "shape-broadcast",
            why="Each prediction was compared with all targets: a column and a row make a whole matrix.",
            hint="Which shape has the difference that you square?",
            loss="each with each",
        ),
        Pitfall(
            "absolute-error",
            why="The loss is the mean of the absolute errors: no error was squared.",
            hint="What does the formula do with each error before the mean?",
            loss="absolute",
        ),
        Pitfall(
            "gradient-ascent",
            why="The weights move along the gradient, and not against it.",
            hint="Which sign do the gradients have that the optimizer expects?",
            direction="up",
        ),
    ],
)
