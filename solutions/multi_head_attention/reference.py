"""Causal multi-head attention (Vaswani et al., 2017, section 3.2.2)."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Whole, any_of


def multi_head_attention(
    seed,
    T,
    d_model,
    H,
    *,
    width="head",
    power=0.5,
    heads=("slices", "slices"),
    along="positions",
    mask="before softmax",
    over="keys",
    weights="as given",
    project=True,
    scores_of="queries with keys",
    keys_of="each head",
    tokens_added=False,
):
    """`(T, d_model)`: each head attends with its slice of the dimensions, and `Wo` mixes what the heads give."""
    T, d_model, H = int(T), int(d_model), int(H)
    key = jax.random.key(seed)
    keys = jax.random.split(key, 5)
    x = jax.random.normal(keys[0], (T, d_model), dtype=jnp.float32)
    Wq, Wk, Wv, Wo = (jax.random.normal(k, (d_model, d_model), dtype=jnp.float32) / d_model**0.5 for k in keys[1:])
    if weights == "transposed":
        Wq, Wk, Wv, Wo = Wq.T, Wk.T, Wv.T, Wo.T
    elif weights == "last transposed":
        Wo = Wo.T
    elif weights == "all but the last transposed":
        Wq, Wk, Wv = Wq.T, Wk.T, Wv.T
    d_head = d_model // H
    into, back = heads

    def split(rows):
        """`(T, d_model)` to `(H, T, d_head)`."""
        if into == "one head":
            return rows[None]
        if into == "interleaved":
            return rows.reshape(T, d_head, H).transpose(2, 0, 1)
        if into == "not transposed":
            return rows.reshape(H, T, d_head)
        return rows.reshape(T, H, d_head).transpose(1, 0, 2)

    def merge(answers):
        """`(H, T, d_head)` to `(T, d_model)`."""
        if back == "interleaved":
            return answers.transpose(1, 2, 0).reshape(T, d_model)
        if back == "not transposed":
            return answers.reshape(T, d_model)
        return answers.transpose(1, 0, 2).reshape(T, d_model)

    q, k, v = split(x @ Wq), split(x @ Wk), split(x @ Wv)
    if scores_of == "keys with queries":
        q, k = k, q
    if keys_of == "the first head":
        k, v = k[:1], v[:1]
    if along == "heads":
        q, k, v = q.swapaxes(0, 1), k.swapaxes(0, 1), v.swapaxes(0, 1)
    scores = q @ k.swapaxes(1, 2) / {"head": d_head, "model": d_model, "heads": H}[width] ** power
    place = jnp.arange(q.shape[1])
    seen = place[:, None] >= place
    if mask == "before softmax":
        scores = jnp.where(seen, scores, -jnp.inf)
    shares = jax.nn.softmax(scores, axis=-1 if over == "keys" else -2)
    if mask == "after softmax":
        shares = jnp.where(seen, shares, 0.0)
    answers = shares @ v
    if along == "heads":
        answers = answers.swapaxes(0, 1)
    mixed = merge(answers)
    if project:
        mixed = mixed @ Wo
    if tokens_added:
        mixed = x + mixed
    return mixed.reshape(-1)


problem = Problem(
    reference=multi_head_attention,
    axes=("position", "dim"),
    picture=Heatmap("position", "dim"),
    arguments={"T": Whole(), "d_model": Whole(), "H": Whole()},
    legal=[lambda d_model, H: d_model % H == 0],
    cases=[
        (4, 3, 1, 1),
        (5, 1, 3, 3),
        (0, 1, 4, 2),
        (0, 9, 2, 2),
        (0, 4, 6, 1),
        (4, 2, 18, 9),
        (0, 5, 12, 4),
    ],
    pitfalls=[
        Pitfall(
            "scaled-by-model-width",
            why="The scores are divided by the root of the whole model's width: with several heads they are too small, "
            "and the weights too even.",
            hint="How many terms does the dot product of one head sum?",
            width="model",
        ),
        Pitfall(
            "scaled-by-heads",
            why="The scores are divided by the root of the number of heads.",
            hint="How many terms does the dot product of one head sum, and what do you divide by?",
            width=any_of(alone=["heads"]),
        ),
        Pitfall(
            "scaled-by-width",
            why="The scores are divided by a number of dimensions itself: they are too small, and the weights too "
            "even.",
            hint="By how much does the spread of a sum of d random terms grow with d?",
            # By the width of a head or of the model: the missing root is what shows.
            power=1,
            width=any_of("head", "model"),
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
            why="A head was given dimensions that lie apart: neighbours went to different heads.",
            hint="Which dimension stands beside dimension 0 in the first head?",
            heads=any_of(("interleaved", "interleaved"), ("interleaved", "slices")),
        ),
        Pitfall(
            "merged-interleaved",
            why="The heads have their own dimensions and attend as they should, but their answers are woven into each "
            "other: the first number of every head, then the second of every head.",
            hint="In a row that goes into the last matrix, which number stands beside the first one of head 0?",
            heads=("slices", "interleaved"),
        ),
        Pitfall(
            "reshape-without-transpose",
            why="An array was reshaped where two of its axes had to change places: numbers of one position landed in "
            "the row of another.",
            hint="If each number told its position and its dimension, what would your heads hold?",
            # On the way to the heads, on the way back, or both.
            heads=any_of(
                ("not transposed", "not transposed"),
                ("not transposed", "slices"),
                ("slices", "not transposed"),
            ),
        ),
        Pitfall(
            "one-head",
            why="All dimensions take part in one set of weights: there is a single head, whatever their number should "
            "be.",
            hint="Where does the number of heads enter your computation?",
            # Whose root it takes is then no second mistake.
            heads=("one head", "slices"),
            width=any_of("head", "model"),
        ),
        Pitfall(
            "attends-over-heads",
            why="Within each position the heads attend to each other: no position has seen another one.",
            hint="The scores of all queries and keys of a head: which shape should they have, and which have yours?",
            along="heads",
        ),
        Pitfall(
            "sees-the-future",
            why="Every query sees every key, also those that come after it.",
            hint="What may the first token know of the second?",
            mask="none",
        ),
        Pitfall(
            "masked-after-softmax",
            why="The weights of hidden keys were set to zero after the softmax: those that are left do not add up to "
            "1.",
            hint="Do the weights of the first query add up to 1?",
            mask="after softmax",
        ),
        Pitfall(
            "softmax-over-queries",
            why="The softmax ran over the queries: the weights of one query do not add up to 1.",
            hint="Along which axis of the scores should the weights add up to 1?",
            over="queries",
        ),
        Pitfall(
            "weights-transposed",
            why="Rows were multiplied by the transpose of a matrix, as layers do that keep their weights the other way "
            "round.",
            hint="Along which axis of a matrix is a row summed in the formula?",
            weights=any_of("transposed", alone=["last transposed", "all but the last transposed"]),
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
            "one-key-head",
            why="All heads see the same keys and values, those of the first head.",
            hint="How many different sets of keys should there be, and how many are there in your code?",
            keys_of=any_of(alone=["the first head"]),
        ),
        Pitfall(
            "tokens-added",
            why="The tokens themselves were added to the result, as a block does around its attention.",
            hint="What is left of your result if Wo is all zeros?",
            tokens_added=any_of(alone=[True]),
        ),
    ],
)
