"""Learn a decay one step ahead, then let the model run on its own predictions."""

import jax
import jax.numpy as jnp

from grader import Curve, Pitfall, Problem, Real, Trace, Whole


def decay_rollout(
    seed,
    T,
    d_model,
    dt,
    steps,
    horizon,
    *,
    clock="places",
    step=2,
    target="next",
    constant=True,
    descent="of the mean",
    short=0,
    start="last input",
    hand="advances",
    feedback="prediction",
    given_back="prediction",
):
    """The `(horizon,)` predictions, with the gradient of the mean squared error written out by hand."""
    T, d_model, dt, steps, horizon = int(T), int(d_model), float(dt), int(steps), int(horizon)

    places = jnp.arange(T + horizon + 1)
    values = jnp.exp(-dt * places)
    moments = dt * places if clock == "seconds" else places
    angles = moments[:, None] * 10000.0 ** (-step * jnp.arange(d_model // 2) / d_model)
    positions = jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=1)

    ones = jnp.ones((T, 1)) if constant else jnp.zeros((T, 1))
    features = jnp.concatenate([ones, values[:T, None], positions[:T]], axis=1)
    targets = values[1 : T + 1] if target == "next" else values[:T]

    rate = {"of half the mean": 0.1, "upwards": -0.2}.get(descent, 0.2)

    def descend(weights, _):
        slopes = rate * (features @ weights - targets) @ features
        return weights - (slopes if descent == "of the sum" else slopes / T), None

    weights, _ = jax.lax.scan(descend, jnp.zeros(2 + d_model), length=steps - short)

    first = T - 1 if start == "last input" else T
    if hand == "frozen":
        hands = jnp.broadcast_to(positions[first], (horizon, d_model))
    else:
        ahead = first + 1 if hand == "one ahead" else first
        hands = positions[ahead : ahead + horizon]
    ticks = weights[0] + hands @ weights[2:]

    last = values[first]
    seen = values[first : first + horizon] if feedback == "truth" else ticks

    def roll(carried, tick_and_truth):
        tick, truth = tick_and_truth
        y = {"prediction": carried, "truth": truth, "nothing": last}[feedback]
        prediction = tick + weights[1] * y
        return prediction, prediction if given_back == "prediction" else carried

    _, rolled = jax.lax.scan(roll, last, (ticks, seen))
    return rolled.reshape(-1)


problem = Problem(
    reference=decay_rollout,
    axes=("prediction",),
    picture=Curve("prediction"),
    contract="trace",
    trace=Trace(grows="no", size="steps"),
    arguments={"T": Whole(2), "d_model": Whole(2, step=2), "dt": Real(above=0.0), "steps": Whole(), "horizon": Whole()},
    cases=[
        (0, 2, 2, 0.4, 4, 1),
        (0, 3, 4, 0.05, 3, 1),
        (0, 3, 6, 0.05, 1, 2),
        (0, 3, 12, 0.5, 2, 2),
        (0, 5, 2, 0.4, 60, 2),
        (0, 2, 4, 0.3, 2, 3),
        (0, 4, 6, 1.0, 5, 3),
        (0, 12, 6, 0.05, 5, 4),
        (0, 2, 2, 0.3, 1, 9),
        (0, 2, 2, 0.4, 16, 1),
    ],
    pitfalls=[
        Pitfall(
            "gradient-ascent",
            why="The steps go up the gradient: every one makes the error larger, and the predictions run away.",
            hint="In which direction does the gradient of a loss point, and which way should you walk?",
            # Both of them run away: upwards on the sum, beyond all numbers. So they are alternatives.
            descent="upwards",
        ),
        Pitfall(
            "summed-loss",
            why="The loss was summed over the pairs: every step is T times too long.",
            hint="Should the length of a step grow with the number of pairs?",
            descent="of the sum",
        ),
        Pitfall(
            "half-loss",
            why="The loss is half the mean squared error: every step is half as long as it should be.",
            hint="Which number stands before the mean of the squares?",
            descent="of half the mean",
        ),
        Pitfall(
            "one-step-short",
            why="The weights were trained for one step fewer than asked for.",
            hint="How many times does your loop run when it is asked for one step?",
            short=1,
        ),
        Pitfall(
            "no-shift",
            why="The model learnt to repeat the value that it is given: input and target are the same moment.",
            hint="How far apart are the moments of an input and its target?",
            target="same",
        ),
        Pitfall(
            "constant-left-out",
            why="The model has no constant feature: values and positions have to make up for it.",
            hint="How many features stand before those of the position, and what is the first of them?",
            constant=False,
        ),
        Pitfall(
            "time-in-seconds",
            why="The positions were encoded in the unit of t, where the clock counts steps: its hands turn too slowly.",
            hint="Which position has the second training moment?",
            clock="seconds",
        ),
        Pitfall(
            "time-frozen",
            why="The clock stopped at the last training moment: every prediction was made with the same position.",
            hint="Besides the value, what else should move on from one prediction to the next?",
            hand="frozen",
        ),
        Pitfall(
            "clock-one-ahead",
            why="In the rollout, each value was given the position of the moment to be predicted, one after its own.",
            hint="In the training pairs, to which moment does the position belong: the input's or the target's?",
            hand="one ahead",
        ),
        Pitfall(
            "teacher-forced",
            why="Every prediction but the first was made from the true value: the model never met its own errors.",
            hint="Once training has ended, which values does the model know?",
            feedback="truth",
        ),
        Pitfall(
            "value-frozen",
            why="Every prediction was made from the last training value: none was fed back.",
            hint="What does the second prediction see of the first?",
            feedback="nothing",
        ),
        Pitfall(
            "starts-one-late",
            why="The rollout begins at the last target, one moment later than the last input.",
            hint="From which moment does the first prediction set out?",
            start="last target",
        ),
        Pitfall(
            "start-included",
            why="The first number is the value that the rollout sets out from: the predictions come one place late.",
            hint="Does your scan give back what goes into a step, or what comes out of it?",
            given_back="input",
        ),
        Pitfall(
            "half-exponent",
            why="The positions turn with the numbers of 1 / 10000^(i/d): every pair but the first turns too fast.",
            hint="By how much does the exponent grow from one sin/cos pair to the next?",
            step=1,
        ),
    ],
)
