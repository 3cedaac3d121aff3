"""Frequencies and wavelengths of the sinusoidal encoding (Vaswani et al., 2017, section 3.5)."""

import jax.numpy as jnp

from grader import Curve, Pitfall, Problem, Whole, any_of


def sinusoidal_freqs(
    seed,
    d_model,
    *,
    growth=(10000.0, 2),
    divisor="D",
    first=0,
    inverted="",
    wavelength="turn / omega",
    swapped=False,
):
    """The `(2, d_model / 2)` array, flattened: row 0 is omega_k = 10000 ** (-2k / d_model), row 1 is 2 pi / omega_k."""
    d_model = int(d_model)
    base, step = growth
    k = jnp.arange(d_model // 2)
    if first:
        k = k + first
    if divisor == "floor":
        omega = base ** (-(step * k // d_model).astype(jnp.float32))
    elif divisor == "floor of the negative":
        omega = base ** (-step * k // d_model).astype(jnp.float32)
    elif divisor in ("D, then one less", "D, then one more"):
        omega = base ** (-step * k / d_model + (1 if divisor == "D, then one less" else -1))
    elif divisor == "product":
        omega = 1.0 / (base * (step * k / d_model))
    elif divisor == "minus product":
        omega = base * (-step * k / d_model)
    else:
        width = {"D": d_model, "D - 1": d_model - 1, "D - 2": d_model - 2, "guarded": max(d_model - 2, 1)}[divisor]
        omega = base ** (-step * k / width)
    if inverted == "everywhere":
        omega = 1.0 / omega
    if wavelength in ("turn / omega", "cycles beside it"):
        length = 2.0 * jnp.pi / omega
    elif wavelength == "1 / omega":
        length = 1.0 / omega
    elif wavelength == "half turn / omega":
        length = jnp.pi / omega
    else:
        length = 2.0 * jnp.pi * omega
    if inverted == "row 0":
        omega = 1.0 / omega
    if wavelength == "cycles beside it":
        omega = omega / (2.0 * jnp.pi)
    rows = [length, omega] if swapped else [omega, length]
    return jnp.stack(rows).reshape(-1)


problem = Problem(
    reference=sinusoidal_freqs,
    axes=("row", "pair"),
    picture=Curve("pair"),
    by_row=True,  # frequencies and wavelengths are thousands of times apart
    arguments={"d_model": Whole(2, step=2)},
    cases=[(0, 2), (0, 4), (0, 6), (0, 8), (0, 10), (0, 64), (0, 512)],
    pitfalls=[
        Pitfall(
            "half-exponent",
            why="These are the numbers of 10000^(-k/d), the same as a base of 100: every pair but the first turns too "
            "fast.",
            hint="By how much does the exponent grow from one sin/cos pair to the next?",
            growth=(10000.0, 1),
        ),
        Pitfall(
            "double-exponent",
            why="These are the numbers of 10000^(-4k/d): an index that already steps by two was doubled once more, "
            "and every pair but the first turns too slowly.",
            hint="Does your index count pairs, or dimensions?",
            growth=(10000.0, 4),
        ),
        Pitfall(
            "wrong-base",
            why="The frequencies fall by equal factors, as they should, but grow from another base than the one in "
            "the formula.",
            hint="As d grows, how many times faster than the last pair does the first one come to turn?",
            growth=any_of((1000.0, 2), (100000.0, 2), (500000.0, 2), (1000000.0, 2)),
        ),
        Pitfall(
            "d-minus-one",
            why="The exponent is divided by d - 1: every pair but the first turns a little too slowly.",
            hint="By what does the formula divide the index?",
            divisor="D - 1",
        ),
        Pitfall(
            "endpoint-exponent",
            why="The exponent is divided by d - 2: the last pair reaches the end of the range, one step further than "
            "it should.",
            hint="Does the list of exponents include its end point?",
            # At D = 2 some people divide zero by zero, and some guard against it.
            divisor=any_of("D - 2", "guarded"),
        ),
        Pitfall(
            "integer-exponent",
            why="The exponent is rounded to a whole number: its fraction is lost.",
            hint="Which of Python's two division signs keeps the fraction?",
            # Rounded down, the index and what divides it hardly matter: those mistakes are not to be told beside it.
            growth=(10000.0, 2),
            divisor=any_of("floor", alone=["floor of the negative"]),
        ),
        Pitfall(
            "exponent-off-by-one",
            why="Every exponent is too small or too large by one, so every frequency is 10000 times too large or too "
            "small.",
            hint="In `a / b - 1`, is the 1 taken off below the line? What should the exponent of the first pair be?",
            divisor=any_of(alone=["D, then one less", "D, then one more"]),
        ),
        Pitfall(
            "power-forgotten",
            why="The base is multiplied by the exponent where it should be raised to it: the first pair stands still "
            "or turns infinitely fast.",
            hint="Is it `*` or `**` that raises to a power?",
            growth=(10000.0, 2),
            divisor=any_of("product", "minus product"),
        ),
        Pitfall(
            "one-based-pairs",
            why="The list begins with the second pair: every pair has the frequency of the one after it.",
            hint="What should the frequency of the very first pair be?",
            first=1,
        ),
        Pitfall(
            "inverted-frequency",
            why="The frequencies grow from pair to pair, where they should fall.",
            hint="Which sign must an exponent have for a power of a large number to be small?",
            inverted=any_of("everywhere", "row 0"),
        ),
        Pitfall(
            "missing-two-pi",
            why="The second row holds how many positions a pair takes to turn by one radian, not by one whole turn.",
            hint="How many radians are there in one whole turn?",
            wavelength="1 / omega",
        ),
        Pitfall(
            "half-turn",
            why="The second row holds how many positions a pair takes for half a turn: every wavelength is half as "
            "long as it should be.",
            hint="After how many radians does a sine begin to repeat itself, not only to cross zero?",
            wavelength="half turn / omega",
        ),
        Pitfall(
            "wavelength-multiplied",
            why="The wavelengths fall with the frequencies, where a slow pair should have a long wavelength.",
            hint="If a pair turns half as fast, does it take more positions to come round, or fewer?",
            wavelength="turn * omega",
        ),
        Pitfall(
            "cycles-for-radians",
            why="The first row counts whole turns per position, where radians per position are due.",
            hint="In which unit do sine and cosine read their argument?",
            # With 1 / omega in the second row, all would be off by one factor: a mistake of another name.
            wavelength="cycles beside it",
        ),
        Pitfall(
            "rows-swapped",
            why="The two rows have changed places: the wavelengths come before the frequencies.",
            hint="Which of the two should be read first?",
            swapped=True,
        ),
    ],
)
