"""Token embedding times sqrt(d_model), plus sinusoidal positions, padding blanked (Vaswani et al., 2017, section 3.4)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Whole, any_of


def embed_tokens(
    seed,
    B,
    T,
    V,
    d_model,
    *,
    scale="tokens",
    counted="per sequence",
    first=0,
    layout="interleaved",
    joined="added",
    padding="blank",
    most=None,
):
    """The `(B, T, d_model)` input of a transformer: `table[tokens] * sqrt(d_model) + PE`, zeros where the token is 0."""
    B, T, V, d_model = int(B), int(T), int(V), int(d_model)
    k1, k2 = jax.random.split(jax.random.key(seed))
    tokens = jax.random.randint(k1, (B, T), 0, V, dtype=jnp.int32)
    table = jax.random.normal(k2, (V, d_model), dtype=jnp.float32)
    is_padding = tokens == 0
    if padding == "after the last word":
        is_padding = jnp.cumsum(tokens[:, ::-1] != 0, axis=1)[:, ::-1] == 0
    elif padding == "as many at the end":
        is_padding = jnp.arange(T) >= (tokens != 0).sum(axis=1, keepdims=True)
    elif padding == "from the first on":
        is_padding = jnp.cumsum(is_padding, axis=1) > 0
    is_padding = is_padding[..., None]

    if counted == "per sequence":
        position = jnp.arange(T)
    elif counted == "batch":
        position = jnp.arange(B)[:, None]
    elif counted == "run on":
        position = jnp.arange(B * T).reshape(B, T)
    elif counted == "real tokens":
        position = jnp.cumsum(tokens != 0, axis=1) - 1
    if first:
        position = position + first
    if most == "words":
        position = jnp.minimum(position, jnp.maximum((tokens != 0).sum(axis=1, keepdims=True) - 1, 0))
    elif most is not None:
        position = jnp.minimum(position, {"V": V, "d_model": d_model}.get(most, most) - 1)
    angle = position[..., None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    axis = -1 if layout == "interleaved" else -2
    encoding = jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=axis).reshape(*position.shape, d_model)

    embedded = table[tokens]
    if padding == "blank before positions":
        embedded = jnp.where(is_padding, 0.0, embedded)
    elif padding == "only positions blank":
        encoding = jnp.where(is_padding, 0.0, encoding)
    root = d_model**0.5
    if scale == "tokens":
        embedded = embedded * root
    elif scale == "positions":
        encoding = encoding * root
    elif scale == "divided":
        embedded = embedded / root
    elif scale in ("root, rounded down", "root, rounded"):
        embedded = embedded * (int(root) if scale == "root, rounded down" else round(root))
    elif scale == "width":
        embedded = embedded * d_model
    if joined == "added":
        x = embedded + encoding
    elif joined == "cut":
        x = embedded
    elif joined == "halves":
        half = d_model // 2
        encoding = jnp.broadcast_to(encoding, embedded.shape)
        x = jnp.concatenate([embedded[..., :half], encoding[..., :half]], axis=-1)
    if scale == "sum":
        x = x * root
    if padding in ("blank", "after the last word", "as many at the end", "from the first on"):
        x = jnp.where(is_padding, 0.0, x)
    elif padding == "inverted":
        x = jnp.where(is_padding, x, 0.0)
    return x.reshape(-1)


problem = Problem(
    reference=embed_tokens,
    axes=("sequence", "position", "dim"),
    picture=Heatmap("position", "dim"),
    arguments={"B": Whole(), "T": Whole(reach=300), "V": Whole(2), "d_model": Whole(2, step=2)},
    cases=[
        (2, 1, 3, 2, 2),
        (5, 3, 2, 4, 2),
        (0, 1, 4, 3, 4),
        (3, 11, 1, 3, 4),
        (0, 4, 3, 5, 6),
        (3, 5, 2, 30, 32),
        (0, 2, 40, 9, 16),
        (5, 6, 300, 2, 4),
    ],
    pitfalls=[
        Pitfall(
            "missing-scale",
            why="The token vectors are added as the table holds them: beside the position they are too weak.",
            hint="What does the formula do to a row of the table before the position joins it?",
            scale=None,
        ),
        Pitfall(
            "scaled-positions",
            why="The positions have been scaled up, and not the tokens alone: the two grow together or the wrong one does.",
            hint="Whose strength is the factor meant to raise against whose?",
            scale=any_of("sum", "positions"),
        ),
        Pitfall(
            "divided-by-root",
            why="The token vectors have been made weaker, as attention does with its scores, where they should grow.",
            hint="Should a token be heard more or less beside its position?",
            scale="divided",
        ),
        Pitfall(
            "scaled-by-width",
            why="The token vectors have been multiplied by d_model itself: the positions hardly count beside them.",
            hint="How does the length of a vector grow with the number of its entries?",
            scale="width",
        ),
        Pitfall(
            "whole-root",
            why="The token vectors have been multiplied by a whole number near the square root of d_model.",
            hint="What is your factor where d_model is 2?",
            scale=any_of(alone=["root, rounded down", "root, rounded"]),
        ),
        Pitfall(
            "positions-over-batch",
            why="The position counts sequences: all tokens of one sequence share a row of the encoding.",
            hint="Along which axis of the batch does a sentence run?",
            counted="batch",
        ),
        Pitfall(
            "positions-run-on",
            why="The positions run on from one sequence into the next, where each sequence should start afresh.",
            hint="Which position has the first token of the second sequence?",
            counted="run on",
        ),
        Pitfall(
            "positions-skip-padding",
            why="The positions count real tokens only: after a padding token every position is too small.",
            hint="Does a padding token take up a place in the row of positions?",
            counted="real tokens",
        ),
        Pitfall(
            "one-based-positions",
            why="The first token of a sequence has the encoding of position 1: every position is one too far.",
            hint="From which number does the encoding of this track count?",
            first=1,
        ),
        Pitfall(
            "positions-clamped",
            why="In some sequences the positions grow up to some place and then stay the same.",
            hint="Do the last two places of the longest sequence have different positions?",
            # An index beyond a table's end reads its last row.
            most=any_of(alone=["words", "V", "d_model", 10, 16, 32]),
        ),
        Pitfall(
            "stacked-layout",
            why="The encoding stacks its halves: all sines come before all cosines.",
            hint="Which dimension should stand beside the sine of a pair?",
            layout="stacked",
        ),
        Pitfall(
            "concatenated-first-half",
            why="Tokens and positions are not added: half the numbers of each stand side by side.",
            hint="Which operation makes one vector of width d_model out of two such vectors, and drops no part of either?",
            joined="halves",
        ),
        Pitfall(
            "positions-lost",
            why="No position has entered the result: the numbers are those of the tokens alone.",
            hint="Which step brings the positions in, and is anything of them left at the end?",
            joined="cut",
        ),
        Pitfall(
            "padding-leak",
            why="The table's row for token 0 is still there at padding, as if padding were a word.",
            hint="What should the model receive where there is no word?",
            padding=any_of("kept", "only positions blank"),
        ),
        Pitfall(
            "positions-in-padding",
            why="At padding the token is gone, but its position is still there.",
            hint="What happens to a zero if something is added to it afterwards?",
            padding="blank before positions",
        ),
        Pitfall(
            "mask-inverted",
            why="The words are blanked and the padding is kept.",
            hint="Which of the two branches of `where` is taken where the condition holds?",
            padding="inverted",
        ),
        Pitfall(
            "padding-only-at-end",
            why="The blanked places of each sequence are its last ones, as if padding stood nowhere else.",
            hint="May a word follow a padding token?",
            padding=any_of(alone=["after the last word", "as many at the end", "from the first on"]),
        ),
    ],
)
