"""Gradient descent with momentum (Polyak, 1964) on the weights of two fresh layers of Flax."""

from functools import cache

import jax
import jax.numpy as jnp
from flax import nnx

from grader import Curve, Pitfall, Problem, Whole, any_of

LISTED, SECOND_FIRST, RESTARTED, NO_BIAS_KEYS = (0, 2), (2, 0), (0, 0), (0, 1)
"""Which number of the stream each of the two kernels takes. A layer takes one more for its bias, which is zero."""


@cache
def keys(seed):
    """The keys that `nnx.Rngs` hands out for a seed, computed once: the reference holds them as constants."""
    with jax.ensure_compile_time_eval():
        rngs = nnx.Rngs(jax.random.key(seed))
        return [rngs.params() for _ in range(max(LISTED) + 1)]


def nnx_train(
    seed,
    N,
    d_in,
    d_hidden,
    steps,
    *,
    taken=LISTED,
    learns=True,
    momentum="kept",
    rate=0.1,
    direction="down",
    told="before",
    error="mean",
    trained="all",
    activation="tanh",
):
    """`(steps,)`: the loss before each step."""
    seed, N, d_in, d_hidden, steps = (int(number) for number in (seed, N, d_in, d_hidden, steps))
    k1, k2 = jax.random.split(jax.random.key(seed))
    x = jax.random.normal(k1, (N, d_in), dtype=jnp.float32)
    y = jax.random.normal(k2, (N,), dtype=jnp.float32)
    draw = jax.nn.initializers.lecun_normal()
    first, second = (keys(seed)[number] for number in taken)
    biases = (0.0, 0.0) if taken == NO_BIAS_KEYS else (1.0, 1.0)
    weights = {
        "first kernel": draw(first, (d_in, d_hidden), jnp.float32),
        "first bias": jnp.zeros(d_hidden),
        "second kernel": draw(second, (d_hidden, 1), jnp.float32)[:, 0],
        "second bias": jnp.zeros(()),
    }
    learning = {
        "all": lambda name: True,
        "last layer": lambda name: name.startswith("second"),
        "first layer": lambda name: name.startswith("first"),
        "kernels": lambda name: name.endswith("kernel"),
        "biases": lambda name: name.endswith("bias"),
    }[trained]
    bend = {"tanh": jnp.tanh, "relu": jax.nn.relu, "none": lambda h: h}[activation]

    def loss_of(weights):
        h = bend(x @ weights["first kernel"] + biases[0] * weights["first bias"])
        predicted = h @ weights["second kernel"] + biases[1] * weights["second bias"]
        if error == "each with each":
            return jnp.mean((predicted[:, None] - y) ** 2)
        if error == "absolute":
            return jnp.mean(jnp.abs(predicted - y))
        squares = (predicted - y) ** 2
        return {"mean": squares.mean, "sum": squares.sum, "half": lambda: squares.mean() / 2}[error]()

    def step(carry, _):
        weights, velocity = carry
        loss, slopes = jax.value_and_grad(loss_of)(weights)
        moved, kept = {}, {}
        for name, value in weights.items():
            slope = -slopes[name] if direction == "up" else slopes[name]
            before = velocity[name] if momentum in ("kept", "nesterov") else jnp.zeros_like(value)
            kept[name] = slope + 0.9 * before
            ahead = slope + 0.9 * kept[name] if momentum == "nesterov" else kept[name]
            moved[name] = value - rate * ahead if learns and learning(name) else value
        if told == "after":
            loss = loss_of(moved)
        return (moved, kept), loss

    start = {name: jnp.zeros_like(value) for name, value in weights.items()}
    _, losses = jax.lax.scan(step, (weights, start), length=steps)
    return losses.reshape(-1)


problem = Problem(
    reference=nnx_train,
    axes=("step",),
    picture=Curve("step"),
    arguments={"N": Whole(), "d_in": Whole(), "d_hidden": Whole(), "steps": Whole(reach=4)},
    cases=[
        (5, 1, 5, 4, 1),
        (0, 11, 2, 10, 1),
        (5, 3, 1, 4, 2),
        (5, 2, 9, 6, 2),
        (2, 1, 2, 2, 3),
        (1, 3, 2, 3, 3),
        (1, 6, 4, 5, 3),
        (1, 3, 1, 1, 4),
        (4, 5, 3, 2, 4),
        (3, 2, 4, 1, 4),
    ],
    pitfalls=[
        Pitfall(
            "nothing-learned",
            why="The loss is the same before every step: the weights of the model stayed as they were.",
            hint="What does the update of your step change: your model, a copy of it, or the gradients?",
            learns=False,
            told="before",
        ),
        Pitfall(
            "fresh-momentum",
            why="Each step is one of plain gradient descent: there is no momentum, or nothing was left of it after a step.",
            hint="Which momentum has the rule of the stub, and how often does your code make an optimizer of it?",
            momentum="fresh",
        ),
        Pitfall(
            "nesterov",
            why="The step looks ahead along the momentum: that is Nesterov's variant.",
            hint="Which arguments of `optax.sgd` does the task name?",
            momentum=any_of(alone=["nesterov"]),
        ),
        Pitfall(
            "loss-after-update",
            why="The losses were computed after each step: the loss of the fresh model is missing.",
            hint="What is the first number that the task asks for?",
            told="after",
            learns=True,
        ),
        Pitfall(
            "summed-loss",
            why="The squared errors were summed, so the loss and its gradient are N times too large.",
            hint="What should stay the same if every example stood there twice?",
            error="sum",
        ),
        Pitfall(
            "halved-loss",
            why="The loss is half of the mean squared error, and so is its gradient.",
            hint="Which factor stands before the sum in the formula?",
            error="half",
        ),
        Pitfall(
            "shape-broadcast",
            why="Each prediction was compared with all targets: a column minus a row is a whole matrix.",
            hint="Which shape has the difference that you square?",
            error="each with each",
        ),
        Pitfall(
            "absolute-error",
            why="The loss is the mean of the absolute errors: no error was squared.",
            hint="What does the task ask you to do with each error before the mean?",
            error="absolute",
        ),
        Pitfall(
            "gradient-ascent",
            why="The weights move along the gradient, and not against it.",
            hint="Which sign do the gradients have that the optimizer expects?",
            direction="up",
        ),
        Pitfall(
            "part-of-the-weights",
            why="Only some of the weights are trained: one layer, the kernels, or the biases. The others stay.",
            hint="Which weights does your filter give to the optimizer or to the gradient?",
            trained=any_of("last layer", alone=["first layer", "kernels", "biases"]),
        ),
        Pitfall(
            "other-rate",
            why="The learning rate is not the one that the stub holds.",
            hint="With which number does your code make the optimizer?",
            rate=any_of(alone=[0.01, 0.001, 0.05, 0.2, 1.0]),
        ),
        Pitfall(
            "no-activation",
            why="Nothing stands between the two layers, so together they are one linear map.",
            hint="Which function stands between the two layers?",
            activation="none",
        ),
        Pitfall(
            "relu",
            why="Between the layers, negative numbers became zero: that is a relu.",
            hint="Which function does the task name for the values between the layers?",
            activation="relu",
        ),
        Pitfall(
            "layers-out-of-order",
            why="The layer that is called second was made first, and drew the first numbers of the stream.",
            hint="In which order does your code make the two layers?",
            taken=SECOND_FIRST,
        ),
        Pitfall(
            "stream-restarted",
            why="The second layer drew from the beginning of the stream: it was given a new one of the same seed.",
            hint="How often does your code make an `nnx.Rngs`?",
            taken=RESTARTED,
        ),
        Pitfall(
            "no-biases",
            why="The layers have no biases, so they draw other weights, and nothing can move the predictions up or down.",
            hint="Which arguments do the two lines of the stub give to `nnx.Linear`?",
            taken=NO_BIAS_KEYS,
        ),
    ],
)
