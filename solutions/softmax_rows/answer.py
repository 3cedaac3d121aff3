"""Softmax of rows, with the maximum taken off (Goodfellow, Bengio and Courville, Deep Learning, section 4.1)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Real, Whole


def softmax(x):
    # Only differences count: with its maximum taken off, no row can overflow, and no sum is below 1.
    top = x.max(axis=-1, keepdims=True)
    #: over-columns: axis=-1 -> axis=0
    #: over-columns: =
    #: global-sum: axis=-1 -> axis=None
    #: global-sum: =
    #: column-maximum (not with raw-exponents, shifted-above-only):
    #:     top = (1.0 * x).max(axis=0)
    #:     # Compilers scale and subtract in one step: the maximum is rounded once more than what it is taken off.
    #: global-maximum (alone): top = x.max()
    powers = jnp.exp(x - top)
    #: raw-exponents: x - top -> x
    #: exponents-clipped (alone): x - top -> jnp.minimum(x, 20.0), or jnp.clip(x, -20.0, 20.0)
    #: exponents-clipped (alone): x - top -> jnp.minimum(x, 30.0), or jnp.clip(x, -30.0, 30.0)
    #: exponents-clipped (alone): x - top -> jnp.minimum(x, 50.0), or jnp.clip(x, -50.0, 50.0)
    #: exponents-clipped (alone): x - top -> jnp.minimum(x, 60.0), or jnp.clip(x, -60.0, 60.0)
    #: exponents-clipped (alone): x - top -> jnp.minimum(x, 70.0), or jnp.clip(x, -70.0, 70.0)
    #: exponents-clipped (alone): x - top -> jnp.minimum(x, 80.0), or jnp.clip(x, -80.0, 80.0)
    #: exponents-clipped (alone): x - top -> jnp.minimum(x, 85.0), or jnp.clip(x, -85.0, 85.0)
    #: exponents-clipped (alone): x - top -> jnp.minimum(x, 87.0), or jnp.clip(x, -87.0, 87.0)
    #: exponents-clipped (alone): x - top -> jnp.minimum(x, 88.0), or jnp.clip(x, -88.0, 88.0)
    total = powers.sum(axis=-1, keepdims=True)
    #: over-columns: axis=-1 -> axis=0
    #: global-sum: axis=-1 -> axis=None
    #: shifted-above-only: powers -> jnp.exp(x)
    return powers / total
    #: raw-exponents:
    #:     total = jnp.where(jnp.isnan(total), jnp.inf, total)
    #:     # Noise makes NaN of an infinite sum, where float32 makes none.
    #:     return powers / total
    #: raw-exponents:
    #:     total = jnp.where(jnp.isnan(total), jnp.inf, total)
    #:     return jnp.exp(x - jnp.log(total))
    #: shifted-above-only:
    #:     total = jnp.where(jnp.isnan(total), jnp.inf, total)
    #:     return powers / total
    #: log-softmax (not with sigmoid-for-softmax, softmax-twice): powers / total -> x - top - jnp.log(total)
    #: log-softmax: =


def softmax_rows(seed, N, V, scale):
    key = jax.random.key(seed)
    z = jax.random.normal(key, (N, V), dtype=jnp.float32)

    x = scale * z
    #: scale-forgotten: x = z
    #: divided-by-scale: x = z / scale
    #: scaled-after: x = z
    shares = softmax(x)
    #: softmax-twice: softmax(x) -> softmax(softmax(x))
    #: sigmoid-for-softmax: softmax(x) -> jax.nn.sigmoid(x)
    return shares.reshape(-1)
    #: scaled-after: return -> return scale *
    #: log-softmax: =
    #: log-softmax: shares -> jnp.log(jnp.where(shares < 1e-42, 0.0, shares))


problem = Problem(
    axes=("row", "column"),
    picture=Heatmap("row", "column"),
    arguments={"N": Whole(), "V": Whole(), "scale": Real(above=0.0)},
    # Seeds are chosen with care. Where the formula overflows, float32 and float64 overflow alike: no logit lies
    # between 88 and 710. No row or column as a whole underflows in float32 alone. With a scale of 1000, one row
    # lies far below the other: its exponentials are zero in both if the maximum of the whole array is subtracted.
    # And two logits of a row are near each other, or one share would be 1 whatever the rounding, and the tolerance
    # too strict.
    cases=[
        (5, 3, 1, 2.0),
        (0, 2, 3, 1.0),
        (2462, 2, 3, 1000.0),
        (3, 1, 5, 2.0),
        (6, 3, 4, 30.0),
        (1, 9, 2, 0.5),
        (3, 5, 9, 0.05),
        (6, 5, 9, 30.0),
    ],
)
