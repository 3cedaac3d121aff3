"""Known periods as sines and cosines (Hyndman and Athanasopoulos, Forecasting: Principles and Practice, section 7.4)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Whole


def two_seasons(seed, N, day, week, harmonics):
    hours = jax.random.randint(jax.random.key(seed), (N,), 0, 1000, dtype=jnp.int32)

    def waves(part, period):
        """The sines and cosines of a place in a period, (N,) -> (N, 2 * harmonics)."""
        turns = part[:, None] * jnp.arange(1, harmonics + 1) / period
        #: harmonics-from-zero: 1, harmonics + 1 -> harmonics
        #: period-one-less (not with periods-exchanged): / period -> / (period - 1)
        angles = 2 * jnp.pi * turns
        #: not-a-whole-turn: 2 * jnp.pi * turns -> turns, or jnp.pi * turns
        #: not-a-whole-turn (alone): 2 * jnp.pi -> 360.0
        pair = [jnp.sin(angles), jnp.cos(angles)]
        #: cosines-first: pair = [jnp.cos(angles), jnp.sin(angles)]
        return jnp.concatenate(pair, axis=1)
        #: interleaved: return jnp.stack(pair, axis=2).reshape(N, 2 * harmonics)

    hour = hours % day
    #: hours-from-one (not with days-from-one): % day -> % day + 1
    #: counted-from-one: % day -> % day + 1
    #: fixed-lengths (alone):
    #:     day, week = 24, 7
    #:     hour = hours % day
    # Whole days: all hours of a Monday are the same day of the week.
    weekday = hours // day % week
    #: weekday-with-a-fraction: hours // day -> hours / day
    #: hours-for-days: hours // day -> hours
    #: days-from-one: % week -> % week + 1
    #: counted-from-one: % week -> % week + 1
    of_day = waves(hour, day)
    #: periods-exchanged: day) -> week)
    of_week = waves(weekday, week)
    #: periods-exchanged: week) -> day)
    seasons = [of_day, of_week]
    #: week-first: seasons = [of_week, of_day]
    return jnp.concatenate(seasons, axis=1).reshape(-1)
    #: seasons-alternate (not with interleaved):
    #:     halves = [season.reshape(N, 2, harmonics) for season in seasons]
    #:     return jnp.stack(halves, axis=2).reshape(-1)


problem = Problem(
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
)
