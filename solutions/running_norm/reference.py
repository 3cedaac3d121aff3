"""Batch normalisation with running statistics (Ioffe and Szegedy, 2015, algorithms 1 and 2), as flax has it."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Real, Whole, any_of


def running_norm(
    seed,
    steps,
    N,
    d,
    momentum,
    *,
    updates="each call",
    keeps="momentum",
    training="by the batch",
    evaluation="by the running",
    variance="biased",
    start="zeros and ones",
    eps="inside",
    along="rows",
    batch="next",
):
    """`(2, N, d)`: batch `steps - 1` by its own mean and variance, then batch `steps` by the running ones."""
    seed, steps, N, d, momentum = int(seed), int(steps), int(N), int(d), float(momentum)
    batches = 3 * jax.random.normal(jax.random.key(seed), (steps + 1, N, d), dtype=jnp.float32) + 2
    keep = {"momentum": momentum, "1 - momentum": 1 - momentum, "nothing": 0.0}[keeps]
    share = momentum if keeps == "1 - momentum" else 1 - momentum
    if keeps == "nothing":
        share = 1.0

    def unbiased(var):
        count = d if along == "columns" else N
        return var * count / max(count - 1, 1)

    def statistics(x):
        if along == "all":
            mean, var = jnp.full((d,), x.mean()), jnp.full((d,), x.var())
        elif along == "columns":
            mean, var = x.mean(axis=1, keepdims=True), x.var(axis=1, keepdims=True)
        else:
            mean = x.mean(axis=0)
            var = ((x - mean) ** 2).mean(axis=0)
        return mean, unbiased(var) if variance == "unbiased" else var

    def taken_in(mean, var):
        """What the running statistics take in of those of a batch."""
        if variance == "unbiased running":
            var = unbiased(var)
        elif variance == "deviation running":
            var = jnp.sqrt(var)
        return (mean.mean(), var.mean()) if along == "columns" else (mean, var)

    def normal(x, mean, var):
        if eps == "outside":
            scale = jnp.sqrt(var) + 1e-5
        elif eps == "none":
            scale = jnp.sqrt(var)
        elif eps == "variance for deviation":
            scale = var + 1e-5
        else:
            scale = jnp.sqrt(var + {"inside": 1e-5, "0.001": 1e-3, "0.01": 1e-2}[eps])
        return (x - mean) / scale

    first = {"zeros": 0.0}.get(start, 1.0)
    mean, var = jnp.zeros(d), jnp.full((d,), first)
    for step in range(steps + 1 if batch == "trained on" else steps):
        x = batches[step]
        own = statistics(x)
        new_mean, new_var = taken_in(*own)
        if start == "first batch" and step == 0:
            mean, var = new_mean, new_var
        before = mean, var
        if updates == "each call":
            mean = keep * mean + share * new_mean
            if variance == "deviations averaged":
                var = (keep * jnp.sqrt(var) + share * jnp.sqrt(new_var)) ** 2
            else:
                var = keep * var + share * new_var
        elif updates == "mean only":
            mean = keep * mean + share * new_mean
        elif updates == "variance only":
            var = keep * var + share * new_var
        elif updates == "added up":
            mean, var = mean + share * new_mean, var + share * new_var
        if training == "by the running":
            trained = normal(x, mean, var)
        elif training == "by the running before":
            trained = normal(x, *before)
        else:
            trained = normal(x, *own)
    last = batches[steps - 1 if batch == "last of training" else steps]
    own = statistics(last)
    if evaluation == "by the batch":
        mean, var = own
    elif evaluation == "updated first":
        new_mean, new_var = taken_in(*own)
        mean, var = keep * mean + share * new_mean, keep * var + share * new_var
    return jnp.stack([trained, normal(last, mean, var)]).reshape(-1)


problem = Problem(
    reference=running_norm,
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
    pitfalls=[
        Pitfall(
            "never-updated",
            why="In evaluation, the running mean is still zero and the running variance still one: no batch was counted.",
            hint="After a call of training has returned, what do the running statistics of your module hold?",
            updates="none",
            training="by the batch",
            evaluation="by the running",
        ),
        Pitfall(
            "one-statistic-updated",
            why="In the evaluation, one of the two running statistics has the value from the start.",
            hint="How many arrays does a call of training change, and how many should it change?",
            updates=any_of("mean only", "variance only"),
        ),
        Pitfall(
            "share-added",
            why="The share of each batch was added to all of the old value: the weights add up to more than 1.",
            hint="If all batches were equal, what should the running mean come to?",
            updates="added up",
        ),
        Pitfall(
            "momentum-swapped",
            why="The momentum was used as the share of the new batch, as PyTorch does. Here it is the share that stays.",
            hint="With the momentum 0.99, should one batch change the running mean a lot or a little?",
            keeps="1 - momentum",
        ),
        Pitfall(
            "last-batch-only",
            why="The running statistics are those of the last batch: nothing of the earlier ones was kept.",
            hint="Which two numbers does each update weigh against each other?",
            keeps="nothing",
        ),
        Pitfall(
            "batch-statistics-in-eval",
            why="The evaluation was normalised by the mean and the variance of its own batch.",
            hint="What does `eval()` change in your module, and who looks at it?",
            evaluation="by the batch",
        ),
        Pitfall(
            "updated-before-evaluation",
            why="The batch of the evaluation was counted in the running statistics before they were used.",
            hint="Which calls may change the running statistics?",
            evaluation="updated first",
        ),
        Pitfall(
            "normalised-by-running",
            why="In training, the batch was normalised by the running statistics, and not by its own.",
            hint="In training, which mean should a column have after it was normalised?",
            training=any_of("by the running", alone=["by the running before"]),
        ),
        Pitfall(
            "unbiased-running-variance",
            why="The running variance takes in sums divided by N - 1, as in PyTorch. Here it takes in the variance of the "
            "batch as it is.",
            hint="By which number does your variance divide, and is it the same in both places?",
            variance="unbiased running",
        ),
        Pitfall(
            "unbiased-variance",
            why="All variances were divided by N - 1.",
            hint="By which number does the formula divide the sum of squares?",
            variance="unbiased",
        ),
        Pitfall(
            "deviation-for-variance",
            why="The running variance takes in standard deviations, the roots of the variances of the batches.",
            hint="Of which of the two, the variance or its root, does the formula keep an average?",
            variance="deviation running",
        ),
        Pitfall(
            "deviations-averaged",
            why="The running average is one of standard deviations: it is smaller than the root of the average "
            "variance.",
            hint="Is the mean of two roots the root of the mean?",
            variance=any_of(alone=["deviations averaged"]),
        ),
        Pitfall(
            "variance-from-zero",
            why="The running variance began at zero.",
            hint="With which values does the task make the three arrays?",
            start="zeros",
        ),
        Pitfall(
            "first-batch-as-start",
            why="The running statistics began with those of the first batch, and not with zeros and ones.",
            hint="With which values does the task make the three arrays?",
            start=any_of(alone=["first batch"]),
        ),
        Pitfall(
            "eps-outside",
            why="The small constant was added to the standard deviation, after the root.",
            hint="Does the constant stand under the root of the formula, or beside it?",
            eps="outside",
        ),
        Pitfall(
            "no-epsilon",
            why="The small constant under the root is missing.",
            hint="What stands under the root beside the variance?",
            eps="none",
        ),
        Pitfall(
            "other-epsilon",
            why="The small constant under the root is larger than the one of the task.",
            hint="Which number does the formula add to the variance?",
            eps=any_of("0.001", alone=["0.01"]),
        ),
        Pitfall(
            "variance-for-deviation",
            why="The difference to the mean was divided by the variance, and not by its root.",
            hint="If a column were measured in metres, in which unit is its variance?",
            eps="variance for deviation",
        ),
        Pitfall(
            "one-mean-for-all",
            why="One mean and one variance were taken of the whole batch: the columns share them.",
            hint="How many means has a batch with d columns?",
            along="all",
        ),
        Pitfall(
            "mean-of-each-row",
            why="The mean and the variance were taken of each row, as in a layer norm, and not of each column.",
            hint="How many means has a batch with N rows and d columns, and along which axis are they taken?",
            along="columns",
        ),
        Pitfall(
            "one-batch-too-many",
            why="Training went one batch further: it counted the batch that belongs to the evaluation.",
            hint="How many batches does the stub draw, and how many of them are for training?",
            batch="trained on",
        ),
        Pitfall(
            "evaluated-on-training",
            why="The evaluation took the last batch of training again, and not the next one.",
            hint="Which number has the batch of the evaluation, and which had the last one of training?",
            batch="last of training",
        ),
    ],
)
