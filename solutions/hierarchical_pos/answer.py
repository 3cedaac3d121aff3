"""Hierarchical positions of a document: one half of the dimensions for the paragraph, one for the word within it."""

import jax.numpy as jnp

from grader import Heatmap, Problem, Waves, Whole


def hierarchical_pos(seed, n_par, n_word, d_model):
    width = d_model // 2  # the dimensions that each counter gets
    #: summed-halves: width = d_model
    #: paragraphs-ignored: width = d_model
    omega = 10000.0 ** (-2 * jnp.arange(width // 2) / width)
    #: full-width-frequencies: -2 -> -1
    #: double-exponent: -2 -> -4

    def encode(position):
        angles = position[:, None] * omega
        #: one-based-positions: position[:, None] -> (position[:, None] + 1)
        return jnp.stack([jnp.sin(angles), jnp.cos(angles)], axis=-1).reshape(-1, width)
        #: cos-first: jnp.sin(angles), jnp.cos(angles) -> jnp.cos(angles), jnp.sin(angles)
        #: stacked-layout: axis=-1 -> axis=-2

    # The number of a paragraph stays for all its words; the words are counted anew in every paragraph.
    paragraph = jnp.repeat(jnp.arange(n_par), n_word)
    #: word-major: paragraph = jnp.tile(jnp.arange(n_par), n_word)
    #: sizes-swapped:
    #:     n_par, n_word = n_word, n_par
    #:     paragraph = jnp.repeat(jnp.arange(n_par), n_word)
    word = jnp.tile(jnp.arange(n_word), n_par)
    #: word-major: word = jnp.repeat(jnp.arange(n_word), n_par)
    halves = [encode(paragraph), encode(word)]
    #: global-word-index: encode(word) -> encode(paragraph * n_word + word)
    #: paragraphs-ignored (not with word-major, sizes-swapped, halves-swapped):
    #:     halves = [encode(jnp.arange(n_par * n_word))]
    return jnp.concatenate(halves, axis=1).reshape(-1)
    #: halves-swapped (not with word-major, sizes-swapped): halves -> halves[::-1]
    #: summed-halves: jnp.concatenate(halves, axis=1) -> sum(halves)


problem = Problem(
    axes=("word", "dim"),
    picture=[Heatmap("word", "dim"), Waves("word", "dim")],
    arguments={"n_par": Whole(), "n_word": Whole(reach=300), "d_model": Whole(4, step=4)},
    cases=[
        (0, 4, 1, 4),
        (0, 2, 1, 8),
        (0, 2, 3, 4),
        (0, 3, 2, 8),
        (0, 1, 5, 12),
        (0, 2, 300, 8),
        (0, 10, 10, 64),
    ],
)
