"""The Gaussian kernel of all pairs (Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006, equation 4.9)."""

import jax
import jax.numpy as jnp

from grader import Matrix, Pitfall, Problem, Real, Whole, any_of


def vmap_pairwise(
    seed,
    N,
    M,
    d,
    length,
    *,
    order="first set first",
    two=2.0,
    scale="squared",
    distance="squared",
    over="sum",
    sign=-1.0,
    taken="exponential",
):
    """The `(N, M)` kernel, by broadcasting."""
    N, M, d, length = int(N), int(M), int(d), float(length)
    k1, k2 = jax.random.split(jax.random.key(seed), 2)
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    y = jax.random.normal(k2, (M, d), dtype=jnp.float32)

    differences = x[:, None, :] - y[None, :, :]
    parts = jnp.abs(differences) if distance == "absolute" else differences**2
    far = parts.mean(axis=2) if over == "mean" else parts.sum(axis=2)
    if distance == "not squared":
        far = jnp.sqrt(far)
    scaled = {"squared": length**2, "plain": length, "multiplied": 1 / length**2, "left out": 1.0}[scale]
    exponent = sign * far / (two * scaled)
    kernel = jnp.exp(exponent) if taken == "exponential" else exponent
    return (kernel.T if order == "second set first" else kernel).reshape(-1)


problem = Problem(
    reference=vmap_pairwise,
    axes=("first", "second"),
    picture=Matrix("first", "second"),
    contract="vmap",
    arguments={"N": Whole(), "M": Whole(), "d": Whole(), "length": Real(0.5)},
    cases=[
        (1, 4, 1, 3, 1.5),
        (0, 2, 3, 3, 1.5),
        (5, 2, 3, 3, 1.5),
        (3, 1, 7, 6, 2.5),
        (1, 3, 3, 1, 0.75),
        (2, 3, 2, 4, 1.5),
        (1, 3, 5, 2, 1.25),
        (2, 5, 4, 9, 3.0),
        (25, 10, 9, 3, 0.5),
    ],
    pitfalls=[
        Pitfall(
            "maps-exchanged",
            why="The two maps are nested the other way round: each row belongs to a point of the second set.",
            hint="Which of the two maps runs outside, and along which axis does it stack what the inner one gives?",
            order="second set first",
        ),
        Pitfall(
            "missing-two",
            why="The 2 before the square of the length is missing: the kernel falls off too fast.",
            hint="What stands below the fraction, beside the length?",
            two=1.0,
        ),
        Pitfall(
            "two-above",
            why="The 2 multiplies the exponent, and should divide it: the kernel falls off four times too fast.",
            hint="In `a / b * c`, does c stand above the line or below it?",
            two=any_of(alone=[0.5]),
        ),
        Pitfall(
            "length-not-squared",
            why="The length enters as it is, and not as its square.",
            hint="A distance is squared in this formula. What has to happen to the length that it is compared with?",
            scale="plain",
        ),
        Pitfall(
            "length-above",
            why="The square of the length multiplies the exponent, and should divide it: a larger length makes the "
            "kernel fall off faster.",
            hint="In `a / b * c`, does c stand above the line or below it?",
            scale=any_of(alone=["multiplied"]),
        ),
        Pitfall(
            "length-left-out",
            why="The length has no effect on the result.",
            hint="Which of the arguments does your code never use?",
            scale=any_of(alone=["left out"]),
        ),
        Pitfall(
            "distance-not-squared",
            why="The distance itself stands in the exponent, and not its square: points that are nearer than 1 lose too "
            "much, and others too little.",
            hint="Is the square root of the sum needed here?",
            distance="not squared",
        ),
        Pitfall(
            "absolute-differences",
            why="Absolute differences are added, and not squares: this is another distance.",
            hint="What does the formula do with each difference before it adds them?",
            distance="absolute",
        ),
        Pitfall(
            "mean-over-dims",
            why="The squares are averaged over the coordinates: with more coordinates, points look nearer than they are.",
            hint="Does the formula divide by the number of coordinates?",
            over="mean",
        ),
        Pitfall(
            "sign-forgotten",
            why="The exponent is positive: the kernel grows with the distance.",
            hint="What should the kernel of two points be that are far apart?",
            sign=1.0,
        ),
        Pitfall(
            "exponential-forgotten",
            why="These are the exponents: the exponential function was not applied.",
            hint="What is the kernel of a point with itself? Which function makes that of a zero?",
            taken="exponent",
        ),
    ],
)
