"""Linear regression trained with Adam (Kingma and Ba, 2015, algorithm 1), written out by hand."""

import jax
import jax.numpy as jnp

from grader import Pitfall, Problem, Trace, Whole, any_of


def train_step(
    seed,
    N,
    d_model,
    steps,
    *,
    loss="mean",
    towards="down",
    rule="adam",
    eps=(0.1, "beside the root"),
    rate=0.1,
    short=0,
    decay=(0.9, 0.999),
    clip="nothing",
):
    """The `(d_model,)` weights after `steps` steps of Adam from zero on the mean squared error."""
    N, d_model, steps = int(N), int(d_model), int(steps)
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    X = jax.random.normal(k1, (N, d_model), dtype=jnp.float32)
    true_weights = jax.random.normal(k2, (d_model,), dtype=jnp.float32)
    y = X @ true_weights + 0.1 * jax.random.normal(k3, (N,), dtype=jnp.float32)
    if loss == "of all pairs":
        # Every prediction is compared with every target: the slope is that of comparing with their mean.
        y = jnp.full(N, jnp.mean(y))
    size, where = eps
    keep, keep_square = decay

    def gradient(weights):
        slopes = 2 * (X @ weights - y) @ X
        if loss != "sum":
            slopes = slopes / N
        if clip == "value":
            return jnp.clip(slopes, -1.0, 1.0)
        if clip == "norm":
            return slopes / jnp.maximum(1.0, jnp.sqrt(jnp.sum(slopes**2)))
        return slopes / 2 if loss == "half" else slopes

    def ratio(mean, square, t):
        """The step before the rate: the mean of the gradients by the root of the mean of their squares."""
        if rule == "corrected as if first":
            t = 1
        elif rule == "counted from two":
            t = t + 1
        elif rule == "counted from zero, at least one":
            t = jnp.maximum(t - 1, 1)
        mean_left, square_left = 1 - keep**t, 1 - keep_square**t
        if rule == "first step not corrected":
            mean_left, square_left = (jnp.where(t == 1, 1.0, 1 - k ** jnp.maximum(t - 1, 1)) for k in decay)
        if rule != "uncorrected":
            mean, square = mean / mean_left, square / square_left
        if where == "inside the root":
            return mean / jnp.sqrt(square + size)
        beside = size / jnp.sqrt(square_left) if where == "before the correction" else size
        return mean / (jnp.sqrt(square) + beside)

    def step(carry, t):
        weights, mean, square = carry
        slopes = gradient(weights)
        if rule == "fresh":
            move = ratio(0.1 * slopes, 0.001 * slopes**2, 1)
        elif rule == "plain":
            move = slopes
        else:
            mean = keep * mean + (1 - keep) * slopes
            square = keep_square * square + (1 - keep_square) * slopes**2
            ahead = mean
            if rule == "nesterov":
                # Dozat, 2016: the mean as the next step will see it, if its gradient were this one.
                ahead = keep * mean * (1 - keep**t) / (1 - keep ** (t + 1)) + (1 - keep) * slopes
            move = ratio(ahead, square, t)
            if rule == "corrected means handed on":
                mean, square = mean / (1 - keep**t), square / (1 - keep_square**t)
        weights = weights + rate * move if towards == "up" else weights - rate * move
        return (weights, mean, square), None

    start = jnp.zeros(d_model)
    (weights, _, _), _ = jax.lax.scan(step, (start, start, start), jnp.arange(1, steps - short + 1))
    return weights.reshape(-1)


OUTSIDE = (0.1, "beside the root")
DECAYS = [
    *((0.9, square) for square in (0.9, 0.95, 0.98, 0.99)),
    *((mean, 0.999) for mean in (0.5, 0.8, 0.85, 0.95, 0.99, 0.999)),
    (0.999, 0.9),
]
"""How much of themselves the two running means keep: values of other models, and the right ones exchanged."""

problem = Problem(
    reference=train_step,
    axes=("weight",),
    contract="trace",
    trace=Trace(grows="no", size="steps"),
    arguments={"N": Whole(), "d_model": Whole(), "steps": Whole()},
    cases=[
        (4, 3, 1, 2),
        (0, 6, 1, 4),
        (0, 3, 2, 1),
        (2, 2, 2, 3),
        (3, 1, 3, 1),
        (1, 2, 3, 2),
        (1, 1, 4, 3),
        (1, 20, 9, 14),
        (0, 6, 1, 16),
    ],
    pitfalls=[
        Pitfall(
            "gradient-ascent",
            why="The weights walk the wrong way: every step makes the loss larger.",
            hint="Which sign do the optimizer's updates already have?",
            towards="up",
        ),
        Pitfall(
            "summed-loss",
            why="The squared errors were summed: the gradient is N times too large, and the constant beside Adam's root "
            "weighs too little against it.",
            hint="Should the loss of a data set that is listed twice be twice as large?",
            loss="sum",
        ),
        Pitfall(
            "half-loss",
            why="The loss is half the mean squared error: the gradient is half as large, and the constant beside Adam's "
            "root weighs too much against it.",
            hint="Which number stands before the mean of the squares?",
            loss="half",
        ),
        Pitfall(
            "all-pairs",
            why="Every prediction was compared with every target: all predictions are drawn to the mean of the targets.",
            hint="How many differences does your loss take the mean of, and what is the shape of what you subtract?",
            loss="of all pairs",
        ),
        Pitfall(
            "fresh-state",
            why="Every step is made as if it were the first: what Adam remembers of the gradients before it is lost.",
            hint="Besides the weights, what must one step hand on to the next?",
            rule="fresh",
        ),
        Pitfall(
            "no-bias-correction",
            why="The two running means are used as they are: they start from zero, and in the first steps they have not yet "
            "caught up with the gradients.",
            hint="After one step, which part of the gradient does the one running mean hold, and which part of its square "
            "the other?",
            rule="uncorrected",
        ),
        Pitfall(
            "sgd",
            why="The weights follow the gradient itself, as in plain gradient descent: each step is as long as the "
            "gradient is large.",
            hint="By what does Adam divide the gradient before it takes a step?",
            rule="plain",
            eps=OUTSIDE,  # plain descent has none
        ),
        Pitfall(
            "default-eps",
            why="Adam's usual tiny constant was left as it is: every weight's first step has the full length of the rate.",
            hint="Which of Adam's numbers does this problem set for itself, and why?",
            eps=(1e-8, "beside the root"),
        ),
        Pitfall(
            "eps-inside-root",
            why="The constant was added to the mean of the squares before the root was taken: there it is measured "
            "against squares.",
            hint="Which comes first, the root or the sum?",
            eps=(0.1, "inside the root"),
        ),
        Pitfall(
            "eps-before-correction",
            why="The constant was added to the root of a mean that was not yet corrected: in the first steps it weighs "
            "far too much.",
            hint="At which moment is the mean of the squares divided by what it lacks, before the constant is added or "
            "after?",
            eps=(0.1, "before the correction"),
            rule="adam",  # without a correction there is no before
        ),
        Pitfall(
            "wrong-rate",
            why="The weights walk the right way, but in steps ten or a hundred times too short: the rate is another one.",
            hint="How far does the very first step go at most, and how far should it?",
            rate=any_of(0.001, 0.01),
        ),
        Pitfall(
            "one-step-short",
            why="The weights were trained for one step fewer than asked for.",
            hint="How many times does your loop run when it is asked for one step?",
            short=1,
        ),
        Pitfall(
            "correction-without-power",
            why="After the first step, the two running means are corrected as if it were still the first.",
            hint="After ten steps, what does each running mean still lack?",
            rule=any_of(alone=["corrected as if first"]),
        ),
        Pitfall(
            "steps-miscounted",
            why="The correction of the running means counts another number of steps than were made.",
            hint="When the means are corrected for the first time, how many gradients have they seen?",
            # A count from zero without a guard gives NaN at once.
            rule=any_of(alone=["counted from two", "counted from zero, at least one", "first step not corrected"]),
        ),
        Pitfall(
            "corrected-means-kept",
            why="Each step starts from running means that are corrected already, and corrects them once more.",
            hint="Which two means does the next step need, and which do you hand on?",
            rule=any_of(alone=["corrected means handed on"]),
        ),
        Pitfall(
            "wrong-decay",
            why="At least one of the two running means forgets at another speed than the formula says.",
            hint="How much of itself does each of the two means keep in a step?",
            decay=any_of(alone=DECAYS),
        ),
        Pitfall(
            "clipped-gradients",
            why="Large gradients are cut down before Adam sees them.",
            hint="What happens to a large gradient on its way from the loss to the optimizer?",
            clip=any_of(alone=["norm", "value"]),
        ),
        Pitfall(
            "nesterov",
            why="The newest gradient weighs more than its share in the running mean, as in Adam with Nesterov's momentum.",
            hint="Which momentum does the formula have, and which did you ask the optimizer for?",
            rule=any_of(alone=["nesterov"]),
        ),
    ],
)
