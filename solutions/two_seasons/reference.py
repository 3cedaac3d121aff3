"""Known periods as sines and cosines (Hyndman and Athanasopoulos, Forecasting: Principles and Practice, section 7.4)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Whole, any_of


def two_seasons(
    seed,
    N,
    day,
    week,
    harmonics,
    *,
    turn="radians",
    weekday="whole",
    numbered=(0, 0),
    lengths="given",
    lowest=1,
    pair="sine first",
    layout="halves",
    seasons="day first",
    periods="own",
):
    """The `(N, 4 * harmonics)` waves of the hour of the day and of the day of the week."""
    N, day, week, harmonics = int(N), int(day), int(week), int(harmonics)
    hours = jax.random.randint(jax.random.key(seed), (N,), 0, 1000, dtype=jnp.int32)

    if lengths == "24 and 7":
        day, week = 24, 7
    hour = (hours % day + numbered[0]).astype(jnp.float32)
    days = hours if weekday == "hours" else hours // day if weekday == "whole" else hours / day
    of_week = (days % week + numbered[1]).astype(jnp.float32)

    def waves(part, period):
        rounds = jnp.arange(lowest, lowest + harmonics)
        turns = part[:, None] * rounds / period
        angles = {"radians": 2 * jnp.pi, "plain": 1.0, "half": jnp.pi, "degrees": 360.0}[turn] * turns
        first, second = jnp.sin(angles), jnp.cos(angles)
        if pair == "cosine first":
            first, second = second, first
        if layout == "interleaved":
            return [jnp.stack([first, second], axis=2).reshape(N, 2 * harmonics)]
        return [first, second]

    one = waves(hour, week if periods == "exchanged" else day - 1 if periods == "one less" else day)
    other = waves(of_week, day if periods == "exchanged" else week - 1 if periods == "one less" else week)
    blocks = one + other if seasons == "day first" else other + one
    if layout == "seasons alternate":
        blocks = blocks[::2] + blocks[1::2]
    return jnp.concatenate(blocks, axis=1).reshape(-1)


problem = Problem(
    reference=two_seasons,
    axes=("moment", "wave"),
    picture=Heatmap("moment", "wave"),
    arguments={"N": Whole(), "day": Whole(2), "week": Whole(2), "harmonics": Whole()},
    cases=[
        (0, 2, 24, 7, 1),
        (0, 2, 3, 3, 2),
        (1, 4, 2, 6, 1),
        (4, 1, 4, 5, 6),
        (2, 3, 10, 5, 2),
        (3, 4, 24, 7, 3),
        (3, 2, 2, 11, 10),
        (0, 11, 5, 2, 4),
    ],
    pitfalls=[
        Pitfall(
            "not-a-whole-turn",
            why="A period is not a whole turn: the angle at its end is not the angle at its beginning.",
            hint="By how much does an angle grow in one turn, in radians?",
            turn=any_of("plain", "half", alone=["degrees"]),
        ),
        Pitfall(
            "weekday-with-a-fraction",
            why="The hours count in the day of the week too: it moves on through the day, and should be a whole number.",
            hint="Which weekday is it on a Tuesday at noon, in whole days?",
            weekday="fraction",
        ),
        Pitfall(
            "hours-for-days",
            why="The waves of the week go round once in `week` hours, and not in `week` days: the division by `day` is "
            "missing.",
            hint="How many whole days have passed after 31 hours?",
            weekday="hours",
        ),
        Pitfall(
            "counted-from-one",
            why="Hours and days are counted from 1: every wave is shifted.",
            hint="What is the first hour of a day called in this lesson?",
            numbered=(1, 1),
        ),
        Pitfall(
            "days-from-one",
            why="The days of the week are counted from 1: the waves of the week are shifted.",
            hint="Which number has the first day of a week in this lesson?",
            numbered=(0, 1),
        ),
        Pitfall(
            "hours-from-one",
            why="The hours of the day are counted from 1: the waves of the day are shifted.",
            hint="What is the first hour of a day called in this lesson?",
            numbered=(1, 0),
        ),
        Pitfall(
            "fixed-lengths",
            why="A day always has 24 hours and a week 7 days here, whatever `day` and `week` say.",
            hint="Which arguments tell how long a day and a week are?",
            lengths=any_of(alone=["24 and 7"]),
        ),
        Pitfall(
            "harmonics-from-zero",
            why="The harmonics begin with 0, which is no wave: its sine is always 0, and its cosine 1.",
            hint="How often does the first harmonic go round in a period?",
            lowest=0,
        ),
        Pitfall(
            "cosines-first",
            why="The cosines stand before the sines in each season.",
            hint="Which of the two comes first in the row of the lesson?",
            pair="cosine first",
        ),
        Pitfall(
            "interleaved",
            why="Sine and cosine of a harmonic stand side by side: here the sines of a season come before its cosines.",
            hint="Where does the second sine of a season stand?",
            layout="interleaved",
        ),
        Pitfall(
            "seasons-alternate",
            why="The waves of the two seasons alternate: those of the day should all stand before those of the week.",
            hint="Which four parts does a row have, and in which order?",
            layout="seasons alternate",
        ),
        Pitfall(
            "week-first",
            why="The waves of the week stand before those of the day.",
            hint="Which season comes first in the row of the lesson?",
            seasons="week first",
        ),
        Pitfall(
            "periods-exchanged",
            why="The hour is divided by the days of the week, and the day by the hours of the day.",
            hint="After how many hours does the hour of the day begin again?",
            periods="exchanged",
        ),
        Pitfall(
            "period-one-less",
            why="The periods are too short by one: the last hour of a day gets the angle of the first.",
            hint="How many different hours does a day have, and which angle belongs to the last of them?",
            periods="one less",
        ),
    ],
)
