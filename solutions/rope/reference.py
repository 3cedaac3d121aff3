"""Rotary position embedding (Su et al., 2021, section 3.2.2), in interleaved pairs."""

import jax
import jax.numpy as jnp
import numpy as np

from grader import Heatmap, Pitfall, Problem, Whole, any_of


def rope(
    seed,
    T,
    H,
    d_head,
    *,
    position="token",
    first=0,
    step=2,
    width="head",
    base=10000.0,
    layout="interleaved",
    turn="forwards",
    part=None,
    rounded=False,
):
    """The `(T, H, d_head)` array x, each pair of its last axis turned by position times `base ** (-2k/d_head)`."""
    T, H, d_head = int(T), int(H), int(d_head)
    key = jax.random.key(seed)
    x = jax.random.normal(key, (T, H, d_head), dtype=jnp.float32)
    k = jnp.arange(d_head // 2)
    omega = base ** (-step * k / (d_head if width == "head" else H * d_head))
    if part:
        share, frequencies = part
        pairs = int(share * d_head / 2)
        if frequencies == "of the part":
            omega = base ** (-2 * k / max(2 * pairs, 1))
        omega = jnp.where(k < pairs, omega, 0.0)
    # Of shape (T, 1, 1), or, by mistake, (H, 1): both broadcast against (T, H, d_head / 2).
    p = jnp.arange(first, T + first)[:, None, None] if position == "token" else jnp.arange(first, H + first)[:, None]
    if rounded:
        # A table made beforehand, since the interpreter rounds nothing to bfloat16.
        p = np.arange(T).astype(jnp.bfloat16).astype(np.float32)[:, None, None]
    angle = p * omega
    evens, odds = slice(0, None, 2), slice(1, None, 2)
    halves = slice(None, d_head // 2), slice(d_head // 2, None)
    one, other = halves if layout in ("half-split", "halves of x, pairs of angles") else (evens, odds)
    a, b = x[..., one], x[..., other]
    early = late = angle
    if layout == "pairs of x, halves of angles":
        both = jnp.concatenate([angle, angle], axis=-1)
        early, late = both[..., one], both[..., other]
    if layout == "halves of x, pairs of angles":
        both = jnp.repeat(angle, 2, axis=-1)
        early, late = both[..., one], both[..., other]
    if turn == "backwards":
        early, late = -early, -late
    if turn == "cosine only":
        turned = [a * jnp.cos(early), b * jnp.cos(late)]
    elif turn == "no minus":
        turned = [a * jnp.cos(early) + b * jnp.sin(early), a * jnp.sin(late) + b * jnp.cos(late)]
    elif turn == "minus at the last product":
        turned = [a * jnp.cos(early) + b * jnp.sin(early), a * jnp.sin(late) - b * jnp.cos(late)]
    elif turn == "minus at the first product":
        turned = [b * jnp.sin(early) - a * jnp.cos(early), a * jnp.sin(late) + b * jnp.cos(late)]
    elif turn == "a second minus":
        turned = [a * jnp.cos(early) - b * jnp.sin(early), a * jnp.sin(late) - b * jnp.cos(late)]
    elif turn == "first overwritten":
        a = a * jnp.cos(early) - b * jnp.sin(early)
        turned = [a, a * jnp.sin(late) + b * jnp.cos(late)]
    elif turn == "second overwritten":
        b = a * jnp.sin(late) + b * jnp.cos(late)
        turned = [a * jnp.cos(early) - b * jnp.sin(early), b]
    else:
        turned = [a * jnp.cos(early) - b * jnp.sin(early), a * jnp.sin(late) + b * jnp.cos(late)]
    if layout in ("interleaved", "pairs of x, halves of angles"):
        return jnp.stack(turned, axis=-1).reshape(T, H, d_head).reshape(-1)
    return jnp.concatenate(turned, axis=-1).reshape(-1)


problem = Problem(
    reference=rope,
    axes=("position", "head", "dim"),
    picture=Heatmap("position", "dim"),
    arguments={"T": Whole(reach=300), "H": Whole(), "d_head": Whole(2, step=2)},
    cases=[
        (0, 2, 3, 4),
        (1, 4, 3, 2),
        (1, 4, 2, 6),
        (5, 1, 9, 10),
        (0, 5, 3, 10),
        (2, 33, 4, 16),
        (0, 700, 1, 6),
    ],
    pitfalls=[
        Pitfall(
            "half-split",
            why="Dimension k was turned together with dimension k + d/2: the pairs are those of the two halves.",
            hint="Which dimension stands beside dimension 0 in the pairs that are asked for?",
            layout="half-split",
        ),
        Pitfall(
            "stacked-output",
            why="The pairs are turned as they should be, but written in another order: all their first members, then "
            "all their second ones.",
            hint="From which dimension did the second member of a pair come, and where does it go back to?",
            layout="stacked output",
        ),
        Pitfall(
            "mixed-conventions",
            why="The two dimensions of a pair turn by different angles: x is paired by one convention, the angles "
            "are laid out by the other.",
            hint="Write down the angle of each dimension: are the two of a pair the same?",
            layout=any_of("pairs of x, halves of angles", "halves of x, pairs of angles"),
        ),
        Pitfall(
            "rotates-backwards",
            why="Every pair is turned by the right angle in the wrong direction.",
            hint="Where does a turn by a small positive angle take a point of the first axis: up or down?",
            turn="backwards",
        ),
        Pitfall(
            "no-second-term",
            why="Every value is multiplied by a cosine and nothing is added: the pairs shrink, they do not turn.",
            hint="What does the second member of a pair give to the first when the two are turned?",
            # With the pairs that are asked for, or with the halves paired: neither member sees the other.
            turn="cosine only",
            layout=any_of("interleaved", "half-split"),
        ),
        Pitfall(
            "minus-forgotten",
            why="Both members of a pair gain the sine's term: the pairs grow and shrink, a rotation keeps their "
            "length.",
            hint="Is a^2 + b^2 of a pair the same before and after?",
            turn="no minus",
        ),
        Pitfall(
            "minus-misplaced",
            why="At position 0, where nothing turns, one member of each pair changes its sign: a minus stands at a "
            "product that should have a plus.",
            hint="What do your four products give where the cosine is 1 and the sine is 0?",
            turn=any_of(alone=["minus at the last product", "minus at the first product", "a second minus"]),
        ),
        Pitfall(
            "heads-for-positions",
            why="The angle grows with the index of the head; all positions are turned alike.",
            hint="Along which axis of x does the position change?",
            position="head",
        ),
        Pitfall(
            "one-based-positions",
            why="The first position is turned too: every position is one step too far.",
            hint="By which angle does the formula turn the very first token?",
            first=1,
        ),
        Pitfall(
            "half-exponent",
            why="The frequencies are those of 10000^(-k/d), the same as a base of 100: every pair but the first "
            "turns too fast.",
            hint="By how much does the exponent grow from one pair to the next?",
            step=1,
        ),
        Pitfall(
            "double-exponent",
            why="The frequencies are those of 10000^(-4k/d): an index that already steps by two was doubled once "
            "more, and every pair but the first turns too slowly.",
            hint="Does your index count pairs, or dimensions?",
            step=4,
        ),
        Pitfall(
            "model-width-exponent",
            why="The exponent is divided by the width of all heads together: with several heads, every pair but the "
            "first turns too fast.",
            hint="How many dimensions are there to be turned within one head?",
            width="all heads",
        ),
        Pitfall(
            "wrong-base",
            why="The frequencies have the right form, but fall from pair to pair by another base than the one in the "
            "formula.",
            hint="Did a base from a newer model's code slip in?",
            base=any_of(1000.0, 100000.0, 500000.0, 1000000.0),
            step=2,  # half the exponent of a base is another base: one or the other
        ),
        Pitfall(
            "overwritten-half",
            why="One member of each pair was replaced before the other was computed, which then took the new number for "
            "the old.",
            hint="When the second of the two new members is computed, do both old ones still hold what was drawn?",
            turn=any_of(alone=["first overwritten", "second overwritten"]),
        ),
        Pitfall(
            "turned-in-part",
            why="Only the first pairs of a head are turned, and the others are left as they were.",
            hint="How many of a head's dimensions change from position 0 to position 1?",
            part=any_of(alone=[(share, of) for share in (0.5, 0.25) for of in ("of the part", "of the head")]),
        ),
        Pitfall(
            "rounded-positions",
            why="Large positions are rounded: neighbours far from the start are turned by the same angle.",
            hint="Which whole numbers can the type of your positions hold?",
            rounded=any_of(alone=[True]),
        ),
    ],
)
