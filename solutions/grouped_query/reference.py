"""Causal attention in which groups of query heads share keys and values (Ainslie et al., 2023, section 2.2)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Whole, any_of


def grouped_query(
    seed,
    T,
    d_model,
    H,
    G,
    *,
    served=("side by side", "side by side"),
    queries="each its own",
    width="head",
    power=0.5,
    heads="slices",
    merged="in order",
    mask="before softmax",
    over="keys",
    project=True,
    scores_of="queries with keys",
    tokens_added=False,
):
    """`(T, d_model)`: query head `h` attends to the keys and values of key head `h // (H / G)`; `Wo` mixes the answers."""
    T, d_model, H, G = int(T), int(d_model), int(H), int(G)
    key = jax.random.key(seed)
    k1, k2, k3, k4, k5 = jax.random.split(key, 5)
    d_head = d_model // H
    x = jax.random.normal(k1, (T, d_model), dtype=jnp.float32)
    Wq = jax.random.normal(k2, (d_model, d_model), dtype=jnp.float32) / d_model**0.5
    Wk = jax.random.normal(k3, (d_model, G * d_head), dtype=jnp.float32) / d_model**0.5
    Wv = jax.random.normal(k4, (d_model, G * d_head), dtype=jnp.float32) / d_model**0.5
    Wo = jax.random.normal(k5, (d_model, d_model), dtype=jnp.float32) / d_model**0.5

    def split(rows, count):
        """`(T, count * d_head)` to `(count, T, d_head)`."""
        if heads == "interleaved" or (heads == "keys interleaved" and rows is not asked):
            return rows.reshape(T, d_head, count).transpose(2, 0, 1)
        if heads == "not transposed" or (heads == "keys not transposed" and rows is not asked):
            return rows.reshape(count, T, d_head)
        return rows.reshape(T, count, d_head).transpose(1, 0, 2)

    def serve(rows, how):
        """For each query head, what its key head holds: `(G, T, d_head)` to `(H, T, d_head)`."""
        each = jnp.broadcast_to(rows[:, None], (G, H // G, T, d_head)).reshape(H, T, d_head)
        if how == "repeated along positions":
            return jnp.repeat(rows, H // G, axis=1).reshape(H, T, d_head)
        if how == "in turn":
            return jnp.tile(rows, (H // G, 1, 1))
        if how == "repeated within a row":
            flat = rows.transpose(1, 0, 2).reshape(T, G * d_head)
            return jnp.repeat(flat, H // G, axis=1).reshape(T, H, d_head).transpose(1, 0, 2)
        if how == "the first":
            return jnp.broadcast_to(rows[:1], each.shape)
        if how == "the last beyond":
            return jnp.concatenate([rows, *[rows[-1:]] * (H - G)])
        if how == "divided by groups":
            return jnp.stack([rows[min(h // G, G - 1)] for h in range(H)])
        return each

    asked = x @ Wq
    q, k, v = split(asked, H), split(x @ Wk, G), split(x @ Wv, G)
    k, v = serve(k, served[0]), serve(v, served[1])
    if queries == "mean of the group":
        q = jnp.repeat(q.reshape(G, H // G, T, d_head).mean(axis=1), H // G, axis=0)
    if scores_of == "keys with queries":
        q, k = k, q
    wide = {"head": d_head, "model": d_model, "all key heads": G * d_head, "heads": H}[width]
    scores = q @ k.swapaxes(1, 2) / wide**power
    place = jnp.arange(T)
    seen = place[:, None] >= place if mask != "flipped" else place[:, None] <= place
    if mask in ("before softmax", "flipped"):
        scores = jnp.where(seen, scores, -jnp.inf)
    shares = jax.nn.softmax(scores, axis=-1 if over == "keys" else -2)
    if mask == "after softmax":
        shares = jnp.where(seen, shares, 0.0)
    answers = shares @ v
    if merged == "groups inside":
        answers = answers.reshape(G, H // G, T, d_head).swapaxes(0, 1).reshape(H, T, d_head)
    mixed = (answers if merged == "not transposed" else answers.transpose(1, 0, 2)).reshape(T, d_model)
    if project:
        mixed = mixed @ (Wo.T if project == "transposed" else Wo)
    if tokens_added:
        mixed = x + mixed
    return mixed.reshape(-1)


problem = Problem(
    reference=grouped_query,
    axes=("position", "dim"),
    picture=Heatmap("position", "dim"),
    arguments={"T": Whole(), "d_model": Whole(), "H": Whole(), "G": Whole()},
    legal=[lambda d_model, H: d_model % H == 0, lambda H, G: H % G == 0],
    cases=[
        (5, 1, 3, 3, 1),
        (3, 1, 3, 3, 3),
        (0, 1, 4, 4, 2),
        (0, 2, 3, 1, 1),
        (2, 3, 2, 2, 2),
        (0, 2, 4, 2, 1),
        (5, 9, 1, 1, 1),
        (2, 2, 24, 12, 12),
        (1, 5, 12, 6, 3),
    ],
    pitfalls=[
        Pitfall(
            "tiled",
            why="The key heads are dealt out in turn: query heads that stand side by side use different keys and values.",
            hint="Which key head do query heads 0 and 1 use by the formula, with six query heads and three key heads?",
            served=("in turn", "in turn"),
        ),
        Pitfall(
            "one-of-two-tiled",
            why="Keys and values are dealt out differently: a query head weighs the keys of one key head, and adds up the "
            "values of another.",
            hint="Print which key head each query head gets, once for the keys and once for the values.",
            served=any_of(alone=[("side by side", "in turn"), ("in turn", "side by side")]),
        ),
        Pitfall(
            "repeated-along-positions",
            why="Positions were repeated, and not heads: the heads of a group see different stretches of the text, each "
            "token several times over.",
            hint="Along which axis do you make copies, and what does that axis count?",
            served=("repeated along positions", "repeated along positions"),
        ),
        Pitfall(
            "numbers-repeated",
            why="Each number of the keys and values stands several times side by side: the numbers were repeated, and "
            "not the heads.",
            hint="Which axis do you repeat along, and what lies along it: heads, positions, or the numbers of a head?",
            served=any_of(alone=[("repeated within a row", "repeated within a row")]),
        ),
        Pitfall(
            "first-head-for-all",
            why="All query heads use the keys and values of the first key head.",
            hint="How many key heads do the query heads use in your code, and how many are there?",
            served=("the first", "the first"),
        ),
        Pitfall(
            "beyond-the-last-head",
            why="Each query head asks for the key head of its own number, and the query heads whose number is too large "
            "all got the last one.",
            hint="What does JAX give for an index past the end?",
            served=any_of(alone=[("the last beyond", "the last beyond")]),
        ),
        Pitfall(
            "group-size-for-groups",
            why="The number of a query head was divided by the number of key heads, where the size of a group belongs.",
            hint="How many query heads share a key head if there are six query heads and two key heads?",
            served=any_of(alone=[("divided by groups", "divided by groups")]),
        ),
        Pitfall(
            "group-mean",
            why="The queries of a group were averaged: all its heads ask the same question, and get the same answer.",
            hint="Which things does a group share, and which does each of its heads keep?",
            queries="mean of the group",
        ),
        Pitfall(
            "scaled-by-model-width",
            why="The scores are divided by the root of more dimensions than one head has, those of the model or of all key "
            "heads: they are too small, and the weights too even.",
            hint="How many terms does the dot product of one head sum?",
            width=any_of("model", alone=["all key heads"]),
        ),
        Pitfall(
            "scaled-by-heads",
            why="The scores are divided by the root of the number of heads.",
            hint="How many terms does the dot product of one head sum, and what do you divide by?",
            width=any_of(alone=["heads"]),
        ),
        Pitfall(
            "scaled-by-width",
            why="The scores are divided by a number of dimensions itself: they are too small, and the weights too even.",
            hint="By how much does the spread of a sum of d random terms grow with d?",
            # By the width of a head or of the model: the missing root is what shows.
            power=1,
            width=any_of("head", alone=["model"]),
        ),
        Pitfall(
            "unscaled-scores",
            why="The dot products are not divided by anything: the weights are too sharp.",
            hint="Which factor keeps the spread of a dot product the same, however many dimensions it sums over?",
            power=0,
            width="head",
        ),
        Pitfall(
            "heads-interleaved",
            why="A head of the queries, of the keys, or of both was given dimensions that lie apart: neighbours went "
            "to different heads.",
            hint="Which dimension stands beside dimension 0 in the first head of your queries, and in the first head "
            "of your keys?",
            heads=any_of(alone=["interleaved", "keys interleaved"]),
        ),
        Pitfall(
            "reshape-without-transpose",
            why="An array was reshaped where two of its axes had to change places: numbers of one position landed in the "
            "row of another.",
            hint="If each number told its position and its dimension, what would your heads hold?",
            heads=any_of("not transposed", alone=["keys not transposed"]),
        ),
        Pitfall(
            "answers-out-of-order",
            why="Each query head attends as it should, but the answers do not stand in the order of the heads, or their "
            "positions are mixed, when the last matrix is applied.",
            hint="In a row that goes into the last matrix, what stands beside the answer of head 0?",
            merged=any_of(alone=["groups inside", "not transposed"]),
        ),
        Pitfall(
            "sees-the-future",
            why="Every query sees every key, also those that come after it.",
            hint="What may the first token know of the second?",
            mask="none",
        ),
        Pitfall(
            "mask-flipped",
            why="Each query sees its own key and those after it: the mask is the wrong way round.",
            hint="In your mask, do the rows stand for queries or for keys, and how many keys may the first query see?",
            mask=any_of(alone=["flipped"]),
        ),
        Pitfall(
            "masked-after-softmax",
            why="The weights of hidden keys were set to zero after the softmax: those that are left do not add up to 1.",
            hint="Do the weights of the first query add up to 1?",
            mask=any_of(alone=["after softmax"]),
        ),
        Pitfall(
            "softmax-over-queries",
            why="The softmax ran over the queries: the weights of one query do not add up to 1.",
            hint="Along which axis of the scores should the weights add up to 1?",
            over=any_of(alone=["queries"]),
        ),
        Pitfall(
            "no-output-projection",
            why="These are the answers of the heads, side by side: no matrix has mixed them.",
            hint="Which of the given matrices have you not used?",
            project=False,
        ),
        Pitfall(
            "transposed-scores",
            why="Queries and keys have changed places: row i of a head's scores belongs to key i.",
            hint="In your scores, does a row hold what one query asks of all keys?",
            scores_of=any_of(alone=["keys with queries"]),
        ),
        Pitfall(
            "tokens-added",
            why="The tokens themselves were added to the result, as a block does around its attention.",
            hint="What is left of your result if Wo is all zeros?",
            tokens_added=any_of(alone=[True]),
        ),
        Pitfall(
            "output-matrix-transposed",
            why="The answers were multiplied by the transpose of `Wo`.",
            hint="Which axis of `Wo` should meet the answers of the heads?",
            project=any_of(alone=["transposed"]),
        ),
    ],
)
