"""Hierarchical positions of a document: one half of the dimensions for the paragraph, one for the word within it."""

import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Waves, Whole


def hierarchical_pos(
    seed,
    n_par,
    n_word,
    d_model,
    *,
    order="paragraph by paragraph",
    word_index="within the paragraph",
    numerator=2,
    first=0,
    functions=("sin", "cos"),
    layout="interleaved",
    joined="side by side",
):
    """The `(n_par * n_word, d_model)` table, flattened: `PE(paragraph)`, then `PE(word in paragraph)`."""
    n_par, n_word, d_model = int(n_par), int(n_word), int(d_model)
    dims = d_model // 2 if joined == "side by side" else d_model
    k = jnp.arange(dims // 2)
    omega = 10000.0 ** (-numerator * k / dims)
    turn = {"sin": jnp.sin, "cos": jnp.cos}

    def encode(position):
        angle = (position + first if first else position)[:, None] * omega
        pair = [turn[name](angle) for name in functions]
        if layout == "stacked":
            return jnp.concatenate(pair, axis=1)
        return jnp.stack(pair, axis=2).reshape(len(position), dims)

    if order == "sizes swapped":
        n_par, n_word = n_word, n_par
    if order == "word by word":
        paragraph, word = jnp.tile(jnp.arange(n_par), n_word), jnp.repeat(jnp.arange(n_word), n_par)
    else:
        paragraph, word = jnp.repeat(jnp.arange(n_par), n_word), jnp.tile(jnp.arange(n_word), n_par)
    if word_index == "within the document":
        word = paragraph * n_word + word
    if order == "word first":
        paragraph, word = word, paragraph
    if joined == "row number":
        table = encode(jnp.arange(n_par * n_word))
    elif joined == "summed":
        table = encode(paragraph) + encode(word)
    else:
        table = jnp.concatenate([encode(paragraph), encode(word)], axis=1)
    return table.reshape(-1)


problem = Problem(
    reference=hierarchical_pos,
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
    pitfalls=[
        Pitfall(
            "global-word-index",
            why="The words are counted through the whole document: the count does not begin again with each paragraph.",
            hint="What do the first words of two paragraphs have in common?",
            word_index="within the document",
        ),
        Pitfall(
            "halves-swapped",
            why="The halves have changed places: the word stands in the first half of the dimensions, the paragraph in "
            "the second.",
            hint="Which of the two stays the same through the first rows, and in which half does it belong?",
            order="word first",
        ),
        Pitfall(
            "word-major",
            why="The first words of all paragraphs come first, then all second words: this is not the order "
            "of reading.",
            hint="In the order of reading, which of the two counters changes with every row?",
            order="word by word",
        ),
        # This is halves-swapped and word-major at once, by one slip: so the three share a knob.
        Pitfall(
            "sizes-swapped",
            why="The sizes have changed places: the document has `n_word` paragraphs of `n_par` words.",
            hint="After how many rows does a new paragraph begin?",
            order="sizes swapped",
        ),
        Pitfall(
            "full-width-frequencies",
            why="The exponents are half of what they should be: these are the first frequencies of a table of d_model "
            "dimensions, and the slow ones are missing.",
            hint="How many dimensions does the encoding of one counter have?",
            numerator=1,
        ),
        Pitfall(
            "double-exponent",
            why="The exponents are twice what they should be: the width was halved, or the index doubled, once too "
            "often.",
            hint="How many sin/cos pairs fit into one half, and which exponent does the last of them have?",
            numerator=4,
        ),
        Pitfall(
            "one-based-positions",
            why="Paragraphs and words are counted from 1: both halves are one position too far.",
            hint="Which sines and cosines belong to the very first word?",
            first=1,
        ),
        Pitfall(
            "cos-first",
            why="Sine and cosine have changed places: each pair begins with its cosine.",
            hint="What should dimension 0 hold for the first word?",
            functions=("cos", "sin"),
        ),
        Pitfall(
            "stacked-layout",
            why="Within each half, all sines come before all cosines.",
            hint="Which dimension should stand beside the sine of a pair?",
            layout="stacked",
        ),
        Pitfall(
            "summed-halves",
            why="The encodings of paragraph and word, each d_model wide, were added: word 2 of paragraph 1 looks like "
            "word 1 of paragraph 2.",
            hint="Which dimensions should tell of the paragraph alone, whatever the word may be?",
            joined="summed",
        ),
        Pitfall(
            "paragraphs-ignored",
            why="The words are encoded by their place in the document alone: nothing tells where a paragraph begins.",
            hint="Which dimensions should be alike for all words of one paragraph?",
            joined="row number",
            # The number of a row knows of no paragraphs and words: not to be combined with their order.
            order="paragraph by paragraph",
            word_index="within the paragraph",
        ),
    ],
)
