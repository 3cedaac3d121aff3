"""The four terms of a score of contents and positions (Dai et al., 2019, section 3.3; Ke et al., 2021, section 3.1)."""

import jax
import jax.numpy as jnp

from grader import Matrix, Problem, Whole


def score_terms(seed, T, d_model):
    k1, k2, k3 = jax.random.split(jax.random.key(seed), 3)
    contents = jax.random.normal(k1, (T, d_model), dtype=jnp.float32)
    Wq = jax.random.normal(k2, (d_model, d_model), dtype=jnp.float32) / d_model**0.5
    Wk = jax.random.normal(k3, (d_model, d_model), dtype=jnp.float32) / d_model**0.5
    angles = jnp.arange(T)[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    positions = jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(T, d_model)

    # A matrix acts on both parts of a sum, so a query has a part from the content and one from the position.
    query_content, query_position = contents @ Wq, positions @ Wq
    #: matrices-exchanged: query_content, query_position = contents @ Wk, positions @ Wk
    key_content, key_position = contents @ Wk, positions @ Wk
    #: matrices-exchanged: key_content, key_position = contents @ Wq, positions @ Wq
    content_content = query_content @ key_content.T
    content_position = query_content @ key_position.T
    position_content = query_position @ key_content.T
    #: mixed-term-mirrored: position_content = content_position.T
    position_position = query_position @ key_position.T
    terms = jnp.stack([content_content, content_position, position_content, position_position])
    #: mixed-terms-exchanged (not with mixed-term-mirrored, matrices-exchanged):
    #:     terms = jnp.stack([content_content, position_content, content_position, position_position])
    #: mixed-term-twice (not with mixed-term-mirrored): position_content -> content_position
    #: mixed-term-twice (not with mixed-term-mirrored): content_position -> position_content
    return (terms / jnp.sqrt(d_model)).reshape(-1)
    #: unscaled-scores: / jnp.sqrt(d_model) ->
    #: scaled-by-width: jnp.sqrt(d_model) -> d_model
    #: transposed-scores (not with matrices-exchanged, mixed-terms-exchanged): terms -> terms.swapaxes(1, 2)
    #: terms-last (not with transposed-scores): terms -> jnp.moveaxis(terms, 0, -1)


problem = Problem(
    axes=("term", "query", "key"),
    picture=Matrix("query", "key"),
    arguments={"T": Whole(), "d_model": Whole(2, step=2)},
    cases=[
        (0, 2, 4),
        (1, 1, 6),
        (2, 3, 2),
        (3, 5, 6),
        (4, 9, 10),
        (5, 12, 16),
    ],
)
