"""Positions that look alike in a sinusoidal encoding (Vaswani et al., 2017, section 3.5: wavelengths by base and size)."""

import jax.numpy as jnp

from grader import Problem, Real, Whole


def aliasing(seed, T, d_model, base, gap):
    omega = base ** (-2 * jnp.arange(d_model // 2) / d_model)
    #: half-exponent: -2 -> -1
    #: fixed-base: base -> 10000.0
    #: exponents-up-to-one: -2 * jnp.arange(d_model // 2) / d_model -> -jnp.linspace(0.0, 1.0, d_model // 2)
    angles = jnp.arange(T)[:, None] * omega
    rows = jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=1)
    #: one-wave-of-a-pair: rows = jnp.sin(angles)
    #: one-wave-of-a-pair: rows = jnp.cos(angles)

    # The distance of two rows depends on how far apart they are, so those from position 0 are all that there are.
    shifts = jnp.arange(gap, T)
    #: neighbours-too: gap -> 1
    #: gap-left-out: gap -> min(gap + 1, T - 1)
    distances = jnp.linalg.norm(rows[shifts] - rows[0], axis=1)
    #: squared-distance: distances = ((rows[shifts] - rows[0]) ** 2).sum(axis=1)
    #: mean-over-dims: distances = jnp.sqrt(((rows[shifts] - rows[0]) ** 2).mean(axis=1))
    #: absolute-values-added: distances = jnp.abs(rows[shifts] - rows[0]).sum(axis=1)
    nearest = distances.argmin()
    #: farthest-pair: argmin -> argmax
    shift = shifts[nearest]
    #: counted-from-the-gap: shift = nearest
    distance = distances[nearest]
    #: product-for-distance (not with squared-distance, mean-over-dims, absolute-values-added):
    #:     distance = rows[shifts[nearest]] @ rows[0]
    return jnp.stack([shift.astype(jnp.float32), distance])
    #: distance-first: return jnp.stack([distance, shift.astype(jnp.float32)])


problem = Problem(
    axes=("number",),
    by_row=True,
    arguments={"T": Whole(2, reach=300), "d_model": Whole(2, step=2), "base": Real(above=1.0), "gap": Whole()},
    legal=[lambda T, gap: gap < T],
    cases=[
        (0, 3, 4, 1.05, 1),
        (0, 2, 12, 100.0, 1),
        (0, 3, 10, 1.05, 2),
        (0, 7, 2, 10000.0, 2),
        (0, 50, 4, 10.0, 5),
        (0, 60, 4, 100.0, 6),
        (0, 300, 2, 1.05, 9),
    ],
)
