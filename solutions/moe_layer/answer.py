"""A mixture of experts (Shazeer et al., 2017; Jiang et al., 2024, section 2.1): each token goes through the best few."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Whole


def moe_layer(seed, N, d, E, k):
    key = jax.random.key(seed)
    k1, k2, k3, k4 = jax.random.split(key, 4)
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    router = jax.random.normal(k2, (d, E), dtype=jnp.float32) / d**0.5
    W1 = jax.random.normal(k3, (E, d, 2 * d), dtype=jnp.float32) / d**0.5
    W2 = jax.random.normal(k4, (E, 2 * d, d), dtype=jnp.float32) / (2 * d) ** 0.5

    logits = x @ router
    shares = jax.nn.softmax(logits, axis=-1)
    #: softmax-over-tokens: axis=-1 -> axis=0
    best, chosen = jax.lax.top_k(shares, k)
    #: least-probable:
    #:     chosen = jnp.argsort(shares, axis=-1)[:, :k]
    #:     best = jnp.take_along_axis(shares, chosen, axis=-1)
    #: top-one: k) -> 1)
    #: all-experts: k) -> E)
    #: first-experts (alone): best, chosen = shares[:, :k], jnp.broadcast_to(jnp.arange(k), (N, k))
    #: chosen-by-the-first-token (alone):
    #:     chosen = jnp.broadcast_to(jax.lax.top_k(shares[0], k)[1], (N, k))
    #:     best = shares[:, chosen[0]]
    #: chosen-by-the-first-token (alone): =
    weights = best / best.sum(axis=-1, keepdims=True)
    #: not-renormalised: weights = best
    #: raw-logits: weights = jnp.take_along_axis(logits, chosen, axis=-1)
    #: unweighted: weights = jnp.ones_like(best) / best.shape[-1]
    #: unweighted: weights = jnp.ones_like(best)
    #: softmax-of-shares: weights = jax.nn.softmax(best, axis=-1)
    #: sigmoid-shares (alone):
    #:     gates = jax.nn.sigmoid(jnp.take_along_axis(logits, chosen, axis=-1))
    #:     weights = gates / gates.sum(axis=-1, keepdims=True)
    #: divided-by-k (alone): weights = best / best.sum(axis=-1, keepdims=True) / k
    #: normalised-over-tokens: axis=-1 -> axis=0
    # Which experts are chosen depends on values, so none is left out: the others weigh nothing.
    mixture = jnp.zeros((N, E)).at[jnp.arange(N)[:, None], chosen].set(weights)
    #: chosen-by-the-first-token: =
    #: chosen-by-the-first-token: chosen -> chosen[0]
    #: rank-for-expert: at[jnp.arange(N)[:, None], chosen] -> at[:, : best.shape[-1]]
    #: shares-exchanged (not with top-one, rank-for-expert): set(weights) -> set(weights[:, ::-1])

    hidden = jax.nn.relu(jnp.einsum("nd,edf->nef", x, W1))
    #: no-activation: hidden = jnp.einsum("nd,edf->nef", x, W1)
    #: other-activation: hidden = jax.nn.gelu(jnp.einsum("nd,edf->nef", x, W1), approximate=False)
    #: other-activation (alone): relu -> gelu, or silu
    #: activation-on-output (alone): hidden = jnp.einsum("nd,edf->nef", x, W1)
    outputs = jnp.einsum("nef,efd->ned", hidden, W2)
    #: rank-for-expert: =
    #: rank-for-expert (alone):
    #:     order = jnp.argsort(-shares, axis=-1)
    #:     outputs = jnp.einsum("nef,efd->ned", jnp.take_along_axis(hidden, order[:, :, None], axis=1), W2)
    mixed = jnp.einsum("ne,ned->nd", mixture, outputs)
    #: activation-on-output: mixed = jax.nn.relu(jnp.einsum("ne,ned->nd", mixture, outputs))
    #: residual-added (alone): mixed = x + jnp.einsum("ne,ned->nd", mixture, outputs)
    return mixed.reshape(-1)


problem = Problem(
    axes=("token", "dim"),
    picture=Heatmap("token", "dim"),
    contract="jit",
    arguments={"N": Whole(), "d": Whole(), "E": Whole(), "k": Whole()},
    legal=[lambda E, k: k <= E],
    # Seeds are chosen with care: no two shares of a token are near each other.
    cases=[
        (5, 2, 2, 9, 9),
        (4, 2, 1, 4, 3),
        (108, 3, 1, 4, 2),
        (3, 2, 9, 2, 2),
        (139, 4, 2, 3, 3),
        (0, 1, 9, 11, 9),
        (5, 4, 3, 6, 5),
        (2, 3, 6, 1, 1),
        (15, 11, 4, 3, 1),
        (0, 11, 4, 2, 2),
    ],
)
