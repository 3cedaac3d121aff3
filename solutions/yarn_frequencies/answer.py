"""Rotary frequencies for longer texts: YaRN (Peng et al., 2023, arXiv:2309.00071), as the code of its authors has it."""

import math

import jax.numpy as jnp

from grader import Problem, Real, Whole


def edge(turns, d_head, base, original):
    """The index at which a pair would make this many turns within the original length."""
    # It depends on sizes alone, so Python's own numbers will do.
    return d_head * math.log(original / (2 * math.pi * turns)) / (2 * math.log(base))
    #: radians-for-turns (alone): 2 * math.pi * turns -> turns
    #: edges-in-dimensions (alone): (2 * math.log(base)) -> math.log(base)
    #: fixed-base: base -> 10000.0


def yarn_frequencies(seed, d_head, base, factor, original):
    pairs = jnp.arange(d_head // 2)
    #: one-based-pairs (alone): d_head // 2 -> 1, d_head // 2 + 1
    frequencies = base ** (-2 * pairs / d_head)
    #: half-exponent (alone): -2 * pairs -> -pairs
    #: double-exponent (alone): -2 -> -4
    #: positive-exponent (alone): -2 -> 2
    #: fixed-base: base -> 10000.0
    #: fixed-base (alone): =
    #: ntk-base: base -> (base * factor ** (d_head / (d_head - 2)))
    #: ntk-base (alone): base -> (base * factor)

    low = max(math.floor(edge(32, d_head, base, original)), 0)
    #: betas-swapped (not with interpolates-all, interpolates-none, ntk-base, ramp-in-turns): 32 -> 1
    #: extended-length: original -> original * factor
    #: edges-not-rounded (not with interpolates-all, interpolates-none, ntk-base, ramp-in-turns): math.floor -> float
    #: edges-not-rounded (alone): math.floor -> float
    #: edges-not-rounded (alone): =
    #: edges-rounded-inwards: =
    #: edges-rounded-inwards (alone): math.floor -> round
    #: edges-rounded-inwards (alone): math.floor -> math.ceil
    #: edges-rounded-inwards (alone): math.floor -> math.ceil
    #: edges-not-bounded (alone): low = math.floor(edge(32, d_head, base, original))
    #: edges-not-bounded (alone): low = math.floor(edge(32, d_head, base, original))
    #: edges-not-bounded (alone): =
    high = min(math.ceil(edge(1, d_head, base, original)), d_head - 1)
    #: betas-swapped: edge(1 -> edge(32
    #: extended-length (not with interpolates-all, interpolates-none, ntk-base, ramp-in-turns): original -> original * factor
    #: edges-not-rounded: math.ceil -> float
    #: edges-not-rounded (alone): =
    #: edges-not-rounded (alone): math.ceil -> float
    #: edges-rounded-inwards (not with interpolates-all, interpolates-none, ntk-base, ramp-in-turns): math.ceil -> math.floor
    #: edges-rounded-inwards (alone): math.ceil -> round
    #: edges-rounded-inwards (alone): =
    #: edges-rounded-inwards (alone): math.ceil -> math.floor
    #: pairs-for-dims (not with interpolates-all, interpolates-none, ntk-base, ramp-in-turns): d_head - 1 -> d_head // 2 - 1
    #: edges-not-bounded (alone): high = math.ceil(edge(1, d_head, base, original))
    #: edges-not-bounded (alone): =
    #: edges-not-bounded (alone): high = math.ceil(edge(1, d_head, base, original))
    ramp = jnp.clip((pairs - low) / (high - low), 0, 1)
    #: interpolates-all (not with periods-blended): ramp = jnp.ones(d_head // 2)
    #: interpolates-none (not with periods-blended): ramp = jnp.zeros(d_head // 2)
    #: ntk-base (not with periods-blended): ramp = jnp.zeros(d_head // 2)
    #: ramp-inverted: jnp.clip( -> 1 - jnp.clip(
    #: ramp-in-turns: ramp = 1 - jnp.clip((original * frequencies / (2 * math.pi) - 1) / 31, 0, 1)
    #: no-ramp (alone): ramp = jnp.where(original * frequencies / (2 * math.pi) < 1, 1.0, 0.0)
    #: no-ramp (alone): ramp = jnp.where(original * frequencies / (2 * math.pi) < 32, 1.0, 0.0)
    #: no-ramp (alone): ramp = jnp.where(pairs < low, 0.0, 1.0)
    #: no-ramp (alone): ramp = jnp.where(pairs > high, 1.0, 0.0)
    #: ramp-not-clipped (alone): ramp = (pairs - low) / (high - low)
    #: ramp-not-clipped (alone): ramp = jnp.minimum((pairs - low) / (high - low), 1)
    #: ramp-not-clipped (alone): ramp = jnp.maximum((pairs - low) / (high - low), 0)
    #: dims-for-pairs (alone): pairs -> 2 * pairs
    # From its own frequency, each pair goes a share of the way to the slowed one.
    blended = frequencies + ramp * (frequencies / factor - frequencies)
    #: periods-blended: blended = frequencies / (1 + ramp * (factor - 1))
    #: multiplied-by-factor (alone): / factor -> * factor
    #: factor-in-the-power (alone): frequencies / factor -> (base * factor) ** (-2 * pairs / d_head)
    attention = 0.1 * math.log(factor) + 1
    #: factor-forgotten: attention = 1.0
    #: factor-squared: attention = (0.1 * math.log(factor) + 1) ** 2
    #: logarithm-twice: attention = 0.1 * (0.1 * math.log(factor) + 1) * math.log(factor) + 1
    #: logarithm-twice (alone): attention = 0.1 * math.log(0.1 * math.log(factor) + 1) + 1
    #: other-logarithm (alone): math.log -> math.log2, or math.log10
    #: one-forgotten (alone): attention = 0.1 * math.log(factor)
    #: tenth-forgotten (alone): attention = math.log(factor) + 1
    #: logarithm-forgotten (alone): math.log(factor) -> factor
    #: attention-inverted (alone): attention = 1 / (0.1 * math.log(factor) + 1) ** 2
    #: attention-inverted (alone): attention = 1 / (0.1 * math.log(factor) + 1)
    return jnp.append(blended, attention)
    #: factor-on-frequencies (alone): blended -> attention * blended
    #: factor-first (alone): blended, attention -> attention, blended


problem = Problem(
    axes=("entry",),
    by_row=True,  # every entry is a row: the slowest frequencies are hundreds of thousands of times smaller than the first
    arguments={
        "d_head": Whole(4, step=2),
        "base": Real(above=1.0),
        "factor": Real(above=1.0),
        "original": Real(100.0),
    },
    legal=[
        # The ramp begins before it ends, and neither edge is near a whole number.
        lambda d_head, base, original: (
            max(math.floor(edge(32, d_head, base, original)), 0)
            < min(math.ceil(edge(1, d_head, base, original)), d_head - 1)
        ),
        lambda d_head, base, original: all(0.02 < edge(turns, d_head, base, original) % 1 < 0.98 for turns in (32, 1)),
    ],
    # The blend is written as a difference, because a right answer may be as inexact as that.
    # No edge of a case comes nearer than 0.03 to a whole number. And no factor is 40: one over its attention factor is
    # 0.73052 in float32. These are so few digits that a constant in an answer is taken to mean just them.
    cases=[
        (0, 4, 100.0, 4.0, 1600.0),
        (0, 6, 10.0, 2.0, 100.0),
        (0, 6, 10.0, 1.05, 132.0),
        (0, 8, 1.05, 1.5, 132.0),
        (0, 8, 10000.0, 1.5, 131072.0),
        (0, 10, 10000.0, 4.0, 4096.0),
        (0, 12, 10.0, 8.0, 442.0),
        (0, 16, 500000.0, 8.0, 16384.0),
        (0, 64, 10000.0, 20.0, 4096.0),
    ],
)
