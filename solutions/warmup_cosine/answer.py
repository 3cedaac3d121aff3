"""A warmup along a line, then half a wave of the cosine (Loshchilov and Hutter, 2016, arXiv:1608.03983, equation 5)."""

import jax.numpy as jnp

from grader import Curve, Problem, Real, Whole


def warmup_cosine(seed, steps, warmup, peak, floor):
    step = jnp.arange(steps + 2)
    #: one-step-ahead: jnp.arange(steps + 2) -> jnp.arange(1, steps + 3)
    # Without a warmup no step rises, and the divisor only must not be zero.
    rising = peak * step / max(warmup, 1)
    #: never-zero: step / -> (step + 1) /
    #: peak-one-step-early: max(warmup, 1) -> max(warmup - 1, 1)
    #: starts-at-floor: peak * -> floor + (peak - floor) *

    # From 0 at the end of the warmup to 1 after the last step, and no further.
    done = (step - warmup) / (steps - warmup)
    #: decays-from-the-start: (step - warmup) / (steps - warmup) -> step / steps
    #: decay-after-all-steps: (steps - warmup) -> steps
    #: floor-one-step-early: (steps - warmup) -> max(steps - warmup - 1, 1)
    done = jnp.minimum(done, 1.0)
    #: rises-again (not with decay-after-all-steps): -
    wave = (1 + jnp.cos(jnp.pi * done)) / 2
    #: quarter-wave: (1 + jnp.cos(jnp.pi * done)) / 2 -> jnp.cos(jnp.pi * done / 2)
    #: whole-cosine: (1 + jnp.cos(jnp.pi * done)) / 2 -> jnp.cos(jnp.pi * done)
    #: straight-line: (1 + jnp.cos(jnp.pi * done)) / 2 -> 1 - done
    falling = floor + (peak - floor) * wave
    #: floor-as-a-cut: floor + (peak - floor) * wave -> jnp.maximum(peak * wave, floor)
    #: floor-forgotten: floor + (peak - floor) * wave -> peak * wave
    #: floor-added: (peak - floor) -> peak
    return jnp.where(step < warmup, rising, falling)


problem = Problem(
    axes=("step",),
    picture=Curve("step"),
    arguments={"steps": Whole(), "warmup": Whole(least=0), "peak": Real(above=0.0), "floor": Real(0.0)},
    legal=[lambda warmup, steps: warmup < steps, lambda floor, peak: floor < peak],
    cases=[
        (0, 4, 2, 1.0, 0.0),
        (0, 1, 0, 1.0, 0.25),
        (0, 2, 1, 0.5, 0.1),
        (0, 10, 4, 0.5, 0.1),
        (0, 6, 0, 0.3, 0.05),
        (0, 7, 2, 0.4, 0.1),
        (0, 9, 3, 0.5, 0.0),
        (0, 8, 5, 0.05, 0.01),
        (0, 12, 1, 2.0, 0.5),
        (0, 14, 9, 3.0, 1.0),
    ],
)
