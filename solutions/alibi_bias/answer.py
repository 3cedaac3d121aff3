"""ALiBi: attention with linear biases (Press et al., 2022), with the slopes of the paper's public code."""

import jax.numpy as jnp

from grader import Matrix, Problem, Whole


def alibi_bias(seed, H, T):

    def slopes(n):
        return 2.0 ** (-8 * jnp.arange(1, n + 1) / n)
        #: zero-based-slopes: 1, n + 1 -> n
        #: eight-heads-only: / n -> / 8

    P = 2 ** (H.bit_length() - 1)
    #: power-strictly-below (alone): H.bit_length() -> max(H - 1, 1).bit_length()
    # Every second slope of the longer list is one of the shorter: the others lie between them.
    m = jnp.concatenate([slopes(P), slopes(2 * P)[0::2][: H - P]])
    #: naive-slopes: m = slopes(H)
    #: eight-heads-only: m = slopes(H)
    #: next-power: m = slopes(P if H == P else 2 * P)[:H]
    #: further-slopes-in-order: [0::2][: H - P] -> [: H - P]
    #: further-slopes-repeated: [0::2] -> [1::2]
    i, j = jnp.arange(T)[:, None], jnp.arange(T)
    bias = m[:, None, None] * (j - i)
    #: slopes-sorted (alone): m[:, None, None] -> jnp.sort(m)[::-1, None, None], or jnp.sort(m)[:, None, None]
    #: positive-bias (not with key-position-only, key-minus-query): m[:, None, None] -> -m[:, None, None]
    #: key-position-only (not with blind-to-itself, masked-with-zero, finite-mask, future-not-masked):
    #:     bias = m[:, None, None] * jnp.broadcast_to(j, (T, T))
    #: key-minus-query: j - i -> i - j
    #: symmetric-distance: j - i -> -jnp.abs(j - i)
    #: distance-one-off (alone): j - i -> j - i - 1, or j - i + 1
    return jnp.where(j <= i, bias, -jnp.inf).reshape(-1)
    #: key-position-only: =
    #: key-position-only: return bias.reshape(-1)
    #: key-minus-query: return bias.reshape(-1)
    #: symmetric-distance: return bias.reshape(-1)
    #: future-not-masked: return bias.reshape(-1)
    #: blind-to-itself (not with masked-with-zero, finite-mask): <= -> <
    #: masked-with-zero: -jnp.inf -> 0.0
    #: finite-mask: -jnp.inf -> -1e4, or -1e9, or -1e10, or -1e30, or jnp.finfo(jnp.float32).min


problem = Problem(
    axes=("head", "query", "key"),
    picture=Matrix("query", "key"),
    arguments={"H": Whole(), "T": Whole()},
    cases=[
        (0, 5, 1),
        (0, 1, 3),
        (0, 2, 3),
        (0, 3, 3),
        (0, 8, 2),
        (0, 6, 4),
        (0, 12, 5),
        (0, 23, 13),
    ],
)
