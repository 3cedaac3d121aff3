"""Rotary frequencies for longer texts: YaRN (Peng et al., 2023, arXiv:2309.00071), as the code of its authors has it."""

import math

import jax.numpy as jnp

from grader import Pitfall, Problem, Real, Whole, any_of


def yarn_frequencies(
    seed,
    d_head,
    base,
    factor,
    original,
    *,
    first=0,
    exponent=2,
    base_used="the given one",
    length="original",
    counted="turns per pair",
    turns=(32, 1),
    rounded=("down", "up"),
    bounds=("zero", "last dimension"),
    ramp="by pair",
    blends="frequencies",
    attention="0.1 ln(factor) + 1",
    scales="nothing here",
    order="factor last",
):
    """`(d_head / 2 + 1,)`: of each pair its frequency, or that over `factor`, or a blend; then the attention factor."""
    d_head, base, factor, original = int(d_head), float(base), float(factor), float(original)
    k = jnp.arange(d_head // 2)
    if first:
        k = k + first
    own, known = {
        "the given one": (base, base),
        "ten thousand": (10000.0, 10000.0),
        "ten thousand in the edges": (base, 10000.0),
        "raised": (base * factor ** (d_head / (d_head - 2)), base),
        "multiplied": (base * factor, base),
    }[base_used]
    f = own ** (-exponent * k / d_head)

    around = 1.0 if counted == "radians per pair" else 2 * math.pi
    pair = 1 if counted == "turns per dimension" else 2
    seen = original * factor if length == "extended" else original

    def edge(number):
        """The index at which a pair makes this many turns within the original length, not rounded."""
        return d_head * jnp.log(seen / (around * number)) / (pair * jnp.log(known))

    low, high = (whole(edge(number), how) for number, how in zip(turns, rounded, strict=True))
    if bounds[0] == "zero":
        low = jnp.maximum(low, 0)
    if bounds[1] != "none":
        high = jnp.minimum(high, {"last dimension": d_head - 1, "last pair": d_head // 2 - 1}[bounds[1]])
    share = share_of(ramp, k, low, high, original * f / (2 * math.pi))

    if blends == "periods":
        blended = f / (1 + share * (factor - 1))
    elif blends == "powers of a larger base":
        blended = f + share * ((own * factor) ** (-exponent * k / d_head) - f)
    else:
        # Written as a difference, because a right answer may be as inexact as that.
        blended = f + share * ((f * factor if blends == "multiples" else f / factor) - f)
    last = attention_factor(factor, attention)
    if scales == "frequencies":
        blended = last * blended
    return jnp.concatenate([last, blended] if order == "factor first" else [blended, last])


def whole(edge, how):
    """An edge as a whole number, or as it is."""
    return {"down": jnp.floor, "up": jnp.ceil, "nearest": jnp.round, "not": lambda one: one}[how](edge)


def share_of(ramp, k, low, high, made):
    """How far each pair is interpolated, from 0 to 1; `made` are the turns that it makes within the original length."""
    return {
        "by pair": lambda: jnp.clip((k - low) / (high - low), 0, 1),
        "by dimension": lambda: jnp.clip((2 * k - low) / (high - low), 0, 1),
        "other way": lambda: 1 - jnp.clip((k - low) / (high - low), 0, 1),
        "by turns": lambda: 1 - jnp.clip((made - 1) / 31, 0, 1),
        "a step at one turn": lambda: jnp.where(made < 1, 1.0, 0.0),
        "a step at 32 turns": lambda: jnp.where(made < 32, 1.0, 0.0),
        "a step before the ramp": lambda: jnp.where(k < low, 0.0, 1.0),
        "a step after the ramp": lambda: jnp.where(k > high, 1.0, 0.0),
        "without bounds": lambda: (k - low) / (high - low),
        "without a lower bound": lambda: jnp.minimum((k - low) / (high - low), 1),
        "without an upper bound": lambda: jnp.maximum((k - low) / (high - low), 0),
        "everywhere": lambda: jnp.ones(k.shape),
        "nowhere": lambda: jnp.zeros(k.shape),
    }[ramp]()


def attention_factor(factor, how):
    """`0.1 ln(factor) + 1`, of shape `(1,)`, or what a mistake makes of it."""
    log = jnp.log(jnp.full(1, factor))
    right = 0.1 * log + 1
    return {
        "0.1 ln(factor) + 1": lambda: right,
        "one": lambda: jnp.ones(1),
        "squared": lambda: right**2,
        "formula of itself": lambda: 0.1 * right * log + 1,
        "formula of its value": lambda: 0.1 * jnp.log(right) + 1,
        "base two": lambda: 0.1 * log / math.log(2) + 1,
        "base ten": lambda: 0.1 * log / math.log(10) + 1,
        "without one": lambda: 0.1 * log,
        "without a tenth": lambda: log + 1,
        "without logarithm": lambda: 0.1 * factor + jnp.ones(1),
        "inverted": lambda: 1 / right,
        "inverted square": lambda: 1 / right**2,
    }[how]()


PLAIN_EDGES = {
    "length": "original",
    "counted": "turns per pair",
    "turns": (32, 1),
    "rounded": ("down", "up"),
    "bounds": ("zero", "last dimension"),
}
"""For mistakes that use no edges: mistakes in them would change nothing, so they are not combined."""


def edges_are_clear(d_head, base, original):
    """Whether the lower edge is below the upper one, and neither is near a whole number."""
    edges = [d_head * math.log(original / (2 * math.pi * turns)) / (2 * math.log(base)) for turns in (32, 1)]
    low, high = max(math.floor(edges[0]), 0), min(math.ceil(edges[1]), d_head - 1)
    return low < high and all(0.02 < edge % 1 < 0.98 for edge in edges)


# No edge of a case comes nearer than 0.03 to a whole number. And no factor is 40: one over its attention factor is 0.73052
# in float32. These are so few digits that a constant in an answer is taken to mean just them.
problem = Problem(
    reference=yarn_frequencies,
    axes=("entry",),
    by_row=True,  # every entry is a row: the slowest frequencies are hundreds of thousands of times smaller than the first
    arguments={
        "d_head": Whole(4, step=2),
        "base": Real(above=1.0),
        "factor": Real(above=1.0),
        "original": Real(100.0),
    },
    legal=[edges_are_clear],
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
    pitfalls=[
        Pitfall(
            "interpolates-all",
            why="Every frequency is divided by `factor`, also those of the fast pairs: neighbours look more alike than in "
            "the training.",
            hint="Which pairs have shown the model every angle already, and need no change?",
            ramp="everywhere",
            blends="frequencies",
            **PLAIN_EDGES,
        ),
        Pitfall(
            "interpolates-none",
            why="These are the frequencies of plain RoPE: no pair is slowed down.",
            hint="Which angles does the slowest pair reach in a longer text, and has the model seen them?",
            ramp="nowhere",
            blends="frequencies",
            **PLAIN_EDGES,
        ),
        Pitfall(
            "ntk-base",
            why="The frequencies are those of a larger base, as in the NTK-aware method: every pair but the first is slowed "
            "down, each one more than the pair before it.",
            hint="How many pairs should keep their own frequency exactly?",
            base_used=any_of("raised", alone=["multiplied"]),
            ramp="nowhere",
            blends="frequencies",
            **PLAIN_EDGES,
        ),
        Pitfall(
            "ramp-inverted",
            why="The blend is the wrong way round: the fastest pair is slowed down by the whole `factor`, and slow pairs by "
            "less.",
            hint="Which pairs come to angles that the model never saw, the fast or the slow ones?",
            ramp="other way",
        ),
        Pitfall(
            "ramp-in-turns",
            why="Between the edges, the share follows the number of turns, as the formula of the paper has it, and not the "
            "index of the pair.",
            hint="From one pair to the next, by how much does the share grow in the formula of this lesson?",
            ramp="by turns",
            **PLAIN_EDGES,
        ),
        Pitfall(
            "no-ramp",
            why="Every pair either keeps its frequency or is divided by `factor`: there is nothing in between.",
            hint="What becomes of a pair that lies between the two edges?",
            ramp=any_of(
                alone=["a step at one turn", "a step at 32 turns", "a step before the ramp", "a step after the ramp"]
            ),
        ),
        Pitfall(
            "ramp-not-clipped",
            why="The share goes below 0 before the ramp or above 1 after it: those pairs turn faster than they did, or more "
            "slowly than `factor` makes them.",
            hint="Which share of interpolation has a pair that lies before the ramp, and one that lies after it?",
            ramp=any_of(alone=["without bounds", "without a lower bound", "without an upper bound"]),
        ),
        Pitfall(
            "dims-for-pairs",
            why="The ramp counts dimensions and not pairs: it begins and ends at half the index that it should, and slow "
            "pairs are slowed down too much.",
            hint="The ramp has a value for each pair. Which numbers do the pairs have?",
            ramp=any_of(alone=["by dimension"]),
        ),
        Pitfall(
            "periods-blended",
            why="Between the edges, the periods were blended and not the frequencies: these pairs turn too slowly.",
            hint="Is the frequency of a mean period the mean of the frequencies?",
            blends="periods",
        ),
        Pitfall(
            "multiplied-by-factor",
            why="Slow pairs turn faster than before: their frequency is multiplied by `factor`.",
            hint="In a longer text, must a slow pair turn faster or more slowly to show no new angle?",
            blends=any_of(alone=["multiples"]),
        ),
        Pitfall(
            "factor-in-the-power",
            why="Slow pairs come to the frequencies of a larger base, `factor` times `base`: they are not divided by "
            "`factor`.",
            hint="In your code, is `factor` raised to a power together with `base`?",
            blends=any_of(alone=["powers of a larger base"]),
        ),
        Pitfall(
            "edges-not-rounded",
            why="An edge was not rounded: the ramp begins or ends between two pairs.",
            hint="What does the formula make of an edge that is no whole number?",
            rounded=any_of(("not", "not"), alone=[("not", "up"), ("down", "not")]),
        ),
        Pitfall(
            "edges-rounded-inwards",
            why="An edge was rounded towards the other one: the ramp is shorter than it should be.",
            hint="The ramp should hold all that lies between the edges. Which way has each edge to move for that?",
            rounded=any_of(("down", "down"), alone=[("nearest", "nearest"), ("up", "up"), ("up", "down")]),
        ),
        Pitfall(
            "betas-swapped",
            why="The two numbers of turns were exchanged, so the blend is the wrong way round: the fast pairs are slowed "
            "down.",
            hint="Which pair makes more turns, the one where the ramp begins or the one where it ends?",
            turns=(1, 32),
        ),
        Pitfall(
            "extended-length",
            why="The edges are those of the longer texts, `factor` times `original`: they lie too far back, and slow pairs "
            "are not slowed down enough.",
            hint="In which texts were the turns made that the model knows?",
            length="extended",
        ),
        Pitfall(
            "radians-for-turns",
            why="The edges count radians where they should count turns: they lie too far back, and slow pairs are not "
            "slowed down enough.",
            hint="By how many radians has a pair turned when it comes round once?",
            counted=any_of(alone=["radians per pair"]),
        ),
        Pitfall(
            "edges-in-dimensions",
            why="Before they are rounded, the edges are twice as large as they should be: they count dimensions, and the "
            "ramp counts pairs.",
            hint="In the exponent, what stands before k?",
            counted=any_of(alone=["turns per dimension"]),
        ),
        Pitfall(
            "pairs-for-dims",
            why="The upper edge was held back at the last pair: if all pairs made more than one turn in the training, slow "
            "ones are slowed down too much.",
            hint="If even the slowest pair made more than one turn in the training, must the ramp end within the head?",
            bounds=("zero", "last pair"),
        ),
        Pitfall(
            "edges-not-bounded",
            why="An edge lies below zero or beyond the last dimension, and the ramp begins or ends there.",
            hint="What does the formula make of an edge that is negative, or larger than `d_head`?",
            bounds=any_of(alone=[("none", "none"), ("none", "last dimension"), ("zero", "none")]),
        ),
        Pitfall(
            "half-exponent",
            why="Before they are blended, the frequencies are the square roots of what they should be: the exponent of the "
            "base is -k/d.",
            hint="By how much does the exponent grow from one pair to the next?",
            exponent=any_of(alone=[1]),
        ),
        Pitfall(
            "one-based-pairs",
            why="The pairs are counted from 1: each has the frequency of the pair after it.",
            hint="How fast does the very first pair turn?",
            first=any_of(alone=[1]),
        ),
        Pitfall(
            "positive-exponent",
            why="The base was raised to a positive power: every pair but the first turns far too fast.",
            hint="Which sign must an exponent have, if a power of a large number is to be small?",
            exponent=any_of(alone=[-2]),
        ),
        Pitfall(
            "fixed-base",
            why="The number 10000 stands for the base, whatever `base` says, in the edges at least.",
            hint="Where does the argument `base` enter, besides the frequencies?",
            base_used=any_of("ten thousand", alone=["ten thousand in the edges"]),
        ),
        Pitfall(
            "factor-forgotten",
            why="The last entry is 1, as if longer texts changed nothing about the attention.",
            hint="More tokens share one softmax. What makes up for that?",
            attention="one",
        ),
        Pitfall(
            "factor-squared",
            why="The last entry is the square of the attention factor: what a score is multiplied by in the end.",
            hint="If queries and keys are both multiplied by a number, how often is it in their dot product?",
            attention="squared",
        ),
        Pitfall(
            "logarithm-twice",
            why="The attention factor was put into its own formula once more.",
            hint="Once the formula has given the attention factor, what is left to do with it?",
            attention=any_of("formula of itself", alone=["formula of its value"]),
        ),
        Pitfall(
            "other-logarithm",
            why="The logarithm of the attention factor is not the natural one: its base is 2 or 10.",
            hint="What is the logarithm of e?",
            attention=any_of(alone=["base two", "base ten"]),
        ),
        Pitfall(
            "one-forgotten",
            why="The last entry is too small by 1.",
            hint="If texts did not get longer at all, `factor` would be 1. What would your formula give then?",
            attention=any_of(alone=["without one"]),
        ),
        Pitfall(
            "tenth-forgotten",
            why="The last entry grows ten times as fast with the logarithm of `factor` as it should.",
            hint="Which number stands before the logarithm?",
            attention=any_of(alone=["without a tenth"]),
        ),
        Pitfall(
            "logarithm-forgotten",
            why="The last entry grows with `factor` itself, and not with its logarithm.",
            hint="If `factor` doubles, what happens to the attention factor in the formula?",
            attention=any_of(alone=["without logarithm"]),
        ),
        Pitfall(
            "attention-inverted",
            why="The last entry is smaller than 1: scores would be made smaller, and the shares of a softmax more alike.",
            hint="In a longer text, should the highest score stand out more or less?",
            attention=any_of(alone=["inverted square", "inverted"]),
        ),
        Pitfall(
            "factor-on-frequencies",
            why="The frequencies were multiplied by the attention factor.",
            hint="What is multiplied by the attention factor, an angle or a score?",
            scales=any_of(alone=["frequencies"]),
        ),
        Pitfall(
            "factor-first",
            why="The attention factor stands before the frequencies.",
            hint="Which entry of the array is the last one?",
            order=any_of(alone=["factor first"]),
        ),
        Pitfall(
            "double-exponent",
            why="Before they are blended, the frequencies are the squares of what they should be: the exponent of the base "
            "is -4k/d.",
            hint="By how much does the exponent grow from one pair to the next?",
            exponent=any_of(alone=[4]),
        ),
    ],
)
