"""Documents one after the other in a row, with attention inside of each (Krell et al., 2021, arXiv:2107.02027)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Problem, Whole


def pack_documents(seed, docs, T, d):
    k1, k2, k3, k4 = jax.random.split(jax.random.key(seed), 4)
    lengths = jax.random.randint(k1, (docs,), 1, 6)
    q = jax.random.normal(k2, (T, d), dtype=jnp.float32)
    k = jax.random.normal(k3, (T, d), dtype=jnp.float32)
    v = jax.random.normal(k4, (T, d), dtype=jnp.float32)

    place = jnp.arange(T)
    ends = jnp.cumsum(lengths)
    # How many documents have ended at this place or before it. If all have, this is padding.
    document = jnp.searchsorted(ends, place, side="right")
    #: boundary-one-late: side="right" -> side="left"
    #: padding-is-last-document: document = jnp.minimum(jnp.searchsorted(ends, place, side="right"), docs - 1)
    real = document < docs
    within = place - jnp.append(0, ends)[document]
    #: positions-run-on: within = place
    #: one-based-positions: place - -> 1 + place -
    #: later-documents-from-one: [document] -> [document] + (document > 0)
    follows = jnp.append(document[1:] == document[:-1], False)
    #: every-token-has-target: follows = jnp.ones(T, bool)
    #: target-in-next-document: document[1:] == document[:-1] -> real[1:]

    same = document[:, None] == document
    #: sees-other-documents: same = jnp.ones((T, T), bool)
    seen = same & (place[:, None] >= place)
    #: not-causal: & (place[:, None] >= place) ->
    #: sees-earlier-tokens-only: >= -> >
    #: sees-earlier-tokens-only: seen = same & ((place[:, None] > place) | (within[:, None] == 0))
    scores = jnp.where(seen, q @ k.T / jnp.sqrt(d), -jnp.inf)
    #: unscaled-scores: / jnp.sqrt(d) ->
    found = jax.nn.softmax(scores, axis=-1) @ v
    # A token of padding sees other padding, so no softmax runs over nothing. Its row becomes zeros.
    found = jnp.where(real[:, None], found, 0.0)
    #: padding-rows-kept (not with padding-is-last-document): -

    facts = jnp.stack([jnp.where(real, document, -1), jnp.where(real, within, 0), real & follows], axis=1)
    return jnp.concatenate([facts, found], axis=1).reshape(-1)


problem = Problem(
    axes=("place", "column"),
    picture=Heatmap("place", "column"),
    contract="jit",
    arguments={"docs": Whole(), "T": Whole(), "d": Whole()},
    cases=[
        (3, 2, 5, 1),  # lengths 3 and 1, and padding
        (0, 1, 4, 1),
        (1, 2, 5, 3),  # 3 and 2: no padding
        (4, 3, 9, 4),  # the last document is cut
        (3, 4, 20, 2),
        (2, 9, 12, 3),
        (1, 3, 2, 9),
        (5, 3, 1, 3),
        (6, 1, 7, 3),
        (10, 3, 10, 1),
    ],
)
