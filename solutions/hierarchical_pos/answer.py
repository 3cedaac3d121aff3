"""Hierarchical positions of a document, as a good learner would write it."""

import jax.numpy as jnp


def hierarchical_pos(seed, n_par, n_word, d_model):
    half = d_model // 2  # the dimensions that each counter gets
    omega = 10000.0 ** (-2 * jnp.arange(half // 2) / half)

    def encode(n):
        angles = jnp.arange(n)[:, None] * omega
        return jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(n, half)

    # A paragraph's row serves all its words; the words' rows begin again with every paragraph.
    paragraphs = jnp.repeat(encode(n_par), n_word, axis=0)
    words = jnp.tile(encode(n_word), (n_par, 1))
    return jnp.concatenate([paragraphs, words], axis=1).reshape(-1)
