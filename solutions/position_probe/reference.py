"""A linear probe for positions (Alain and Bengio, 2016): can a straight line tell early from late?"""

import jax
import jax.numpy as jnp

from grader import Pitfall, Problem, Trace, Whole, any_of


def position_probe(
    seed,
    N,
    T,
    d_model,
    steps,
    *,
    step=2,
    layout="interleaved",
    middle="T / 2",
    one_for="late",
    squared=False,
    descent="of the mean",
    bias=True,
    short=0,
    output="probability",
    rate=0.5,
    noisy="features",
):
    """The `N` probabilities of "late" after descending the gradient of the logistic loss, written out by hand."""
    N, T, d_model, steps = int(N), int(T), int(d_model), int(steps)
    k1, k2 = jax.random.split(jax.random.key(seed), 2)
    positions = jax.random.randint(k1, (N,), 0, T, dtype=jnp.int32)
    noise = 0.1 * jax.random.normal(k2, (N, d_model), dtype=jnp.float32)
    angles = positions[:, None] * 10000.0 ** (-step * jnp.arange(d_model // 2) / d_model)
    if layout == "stacked":
        encoding = jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=1)
    else:
        encoding = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(N, d_model)
    if noisy == "scaled twice":
        noise = 0.1 * noise
    # By mistake, the probe is trained without noise, asked without, or both.
    asked = encoding if noisy in ("nowhere", "training only") else encoding + noise
    features = encoding if noisy in ("nowhere", "question only") else encoding + noise
    if middle == "T / 2":
        labels = 2 * positions >= T
    elif middle == "past T / 2":
        labels = 2 * positions > T
    else:
        labels = positions >= T // 2
    if one_for == "early":
        labels = ~labels

    def descend(weights_and_bias, _):
        weights, b = weights_and_bias
        scores = features @ weights + b
        slopes = jax.nn.sigmoid(scores) - labels
        if squared:
            slopes = 2 * slopes * jax.nn.sigmoid(scores) * jax.nn.sigmoid(-scores)
        if descent != "of the sum":
            slopes = slopes / N
        signed = -rate if descent == "upwards" else rate
        weights = weights - signed * slopes @ features
        if bias:
            b = b - signed * jnp.sum(slopes)
        return (weights, b), None

    def adam(carry, t):
        parameters, mean, square = carry
        slopes = (jax.nn.sigmoid(features @ parameters[0] + parameters[1]) - labels) / N
        slopes = slopes @ features, jnp.sum(slopes)
        mean = jax.tree.map(lambda m, slope: 0.9 * m + 0.1 * slope, mean, slopes)
        square = jax.tree.map(lambda v, slope: 0.999 * v + 0.001 * slope**2, square, slopes)
        parameters = jax.tree.map(
            lambda p, m, v: p - rate * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8),
            parameters,
            mean,
            square,
        )
        return (parameters, mean, square), None

    start = jnp.zeros(d_model), jnp.zeros(())
    if descent == "by Adam":
        ((weights, b), _, _), _ = jax.lax.scan(adam, (start, start, start), jnp.arange(1, steps + 1))
    else:
        (weights, b), _ = jax.lax.scan(descend, start, length=steps - short)
    scores = asked @ weights + b
    if output == "score":
        return scores.reshape(-1)
    return jax.nn.sigmoid(scores).reshape(-1)


problem = Problem(
    reference=position_probe,
    axes=("example",),
    contract="trace",
    trace=Trace(grows="no", size="steps"),
    arguments={"N": Whole(), "T": Whole(2), "d_model": Whole(2, step=2), "steps": Whole()},
    cases=[
        (4, 1, 5, 4, 10),
        (1, 2, 2, 4, 3),
        (2, 2, 3, 8, 1),
        (1, 2, 11, 12, 2),
        (0, 3, 4, 2, 2),
        (2, 4, 3, 2, 3),
        (0, 7, 8, 6, 10),
        (4, 10, 2, 6, 1),
        (4, 1, 5, 4, 40),
    ],
    pitfalls=[
        Pitfall(
            "labels-flipped",
            why="The probabilities belong to the other class: early positions are called late.",
            hint="For which positions should the probability approach 1?",
            one_for="early",
        ),
        Pitfall(
            "floored-middle",
            why="The middle was rounded down: where T is odd, the position just under T / 2 counts as late.",
            hint="With T odd, is the position in the very middle below T / 2 or above it?",
            middle="T // 2",
        ),
        Pitfall(
            "middle-left-out",
            why="A position that lies exactly on the border counts as early.",
            hint="On which side of the border does the definition put the border itself?",
            middle="past T / 2",
        ),
        Pitfall(
            "squared-loss",
            why="A squared error was descended where the logistic loss is due.",
            hint="What does a probability cost that is sure and wrong: at most 1, or without limit?",
            squared=True,
        ),
        Pitfall(
            "summed-loss",
            why="The loss was summed over the examples: every step is N times too long.",
            hint="Should the length of a step grow with the number of examples?",
            descent="of the sum",
        ),
        Pitfall(
            "gradient-ascent",
            why="The steps go up the gradient: every one makes the loss larger.",
            hint="In which direction does the gradient of a loss point, and which way should you walk?",
            # Upwards on the sum runs away beyond all numbers: an alternative of the other.
            descent="upwards",
        ),
        Pitfall(
            "no-bias",
            why="The bias stayed at zero: the weights alone were trained.",
            hint="Which numbers besides the weights does the probe learn?",
            bias=False,
        ),
        Pitfall(
            "one-step-short",
            why="The probe was trained for one step fewer than asked for.",
            hint="How many times does your loop run when it is asked for one step?",
            short=1,
        ),
        Pitfall(
            "scores-for-probabilities",
            why="These are the scores before the sigmoid: some are below 0 or above 1.",
            hint="Which function turns a score into a probability?",
            output="score",
        ),
        Pitfall(
            "half-exponent",
            why="The positions turn with the numbers of 1 / 10000^(i/d): every pair but the first turns too fast.",
            hint="By how much does the exponent grow from one sin/cos pair to the next?",
            step=1,
        ),
        Pitfall(
            "stacked-layout",
            why="In the encodings all sines come before all cosines, and so each meets the noise of another dimension.",
            hint="Which dimension should stand beside dimension 0 of a pair?",
            layout="stacked",
        ),
        Pitfall(
            "noise-scaled-twice",
            why="The noise is ten times too small.",
            hint="What has already been done to the noise when the stub hands it over?",
            noisy=any_of(alone=["scaled twice"]),
        ),
        Pitfall(
            "noise-left-out",
            why="Encodings without their noise were used, in training or for the probabilities at the end or for both.",
            hint="Which features is the probe trained on, and which is it asked about at the end?",
            noisy=any_of(alone=["nowhere", "question only", "training only"]),
        ),
        Pitfall(
            "wrong-rate",
            why="The steps go the right way, but each is longer or shorter than it should be by one factor, that "
            "of the rate or of the loss.",
            hint="Which numbers multiply a slope on its way to the weights, in your code and in the formula?",
            rate=any_of(alone=[1.0, 0.1, 0.05, 0.01, 0.001, 0.25, 0.2, 2.0]),
        ),
        Pitfall(
            "adam",
            why="The steps are those of Adam: they have nearly the same length for each parameter, however large its slope "
            "is.",
            hint="By what is a slope multiplied or divided before a step of plain gradient descent?",
            descent=any_of(alone=["by Adam"]),
            rate=any_of(0.5, 0.1, 0.01, 0.001),
        ),
    ],
)
