"""A mixture of experts (Shazeer et al., 2017; Jiang et al., 2024, section 2.1): each token goes through the best few."""

import jax
import jax.numpy as jnp

from grader import Heatmap, Pitfall, Problem, Whole, any_of

ACTIVATIONS = {
    "relu": lambda h: jnp.maximum(h, 0.0),
    "gelu": lambda h: jax.nn.gelu(h, approximate=False),
    "tanh gelu": jax.nn.gelu,
    "silu": jax.nn.silu,
    "none": lambda h: h,
}


def moe_layer(
    seed,
    N,
    d,
    E,
    k,
    *,
    axis="experts",
    chosen="most",
    worth="share",
    divided="by their sum",
    expert="own",
    activation="relu",
    bent="hidden",
    residual=False,
):
    """`(N, d)`: every token through its `k` experts, weighted."""
    N, d, E, k = int(N), int(d), int(E), int(k)
    key = jax.random.key(seed)
    k1, k2, k3, k4 = jax.random.split(key, 4)
    x = jax.random.normal(k1, (N, d), dtype=jnp.float32)
    router = jax.random.normal(k2, (d, E), dtype=jnp.float32) / d**0.5
    W1 = jax.random.normal(k3, (E, d, 2 * d), dtype=jnp.float32) / d**0.5
    W2 = jax.random.normal(k4, (E, 2 * d, d), dtype=jnp.float32) / (2 * d) ** 0.5
    act = ACTIVATIONS[activation]

    logits = x @ router
    shares = jax.nn.softmax(logits, axis=0 if axis == "tokens" else 1)
    rank = jnp.argsort(jnp.argsort(-shares, axis=1), axis=1)  # how many experts come before each
    kept = {
        "most": lambda: rank < k,
        "least": lambda: rank >= E - k,
        "one": lambda: rank < 1,
        "all": lambda: rank < E,
        "first": lambda: jnp.broadcast_to(jnp.arange(E) < k, (N, E)),
        "as the first token": lambda: jnp.broadcast_to(rank[0] < k, (N, E)),
        "as the first token, by rank": lambda: rank < k,
    }[chosen]()

    raw = {
        "share": lambda: shares,
        "logit": lambda: logits,
        "one": lambda: jnp.ones((N, E)),
        "softmax of shares": lambda: jnp.exp(shares),
        "sigmoid": lambda: jax.nn.sigmoid(logits),
    }[worth]()
    weights = jnp.where(kept, raw, 0.0)
    if divided == "over tokens":
        ranked = by_rank(weights, rank)
        weights = by_expert(ranked / jnp.where(ranked == 0, 1.0, ranked).sum(axis=0), rank)
    elif divided != "not":
        weights = weights / weights.sum(axis=1, keepdims=True)
    if divided == "twice":
        weights = weights / k

    if chosen == "as the first token, by rank":
        weights = by_expert(by_rank(weights, rank), jnp.broadcast_to(rank[0], rank.shape))
    if expert == "shares exchanged":
        weights = jnp.where(kept, by_expert(by_rank(weights, rank)[:, :k][:, ::-1], jnp.minimum(rank, k - 1)), 0.0)

    first, second = jnp.broadcast_to(W1, (N, *W1.shape)), jnp.broadcast_to(W2, (N, *W2.shape))
    if expert in ("by rank", "second by rank"):
        first = first if expert == "by rank" else by_rank(first, rank)
        weights = by_rank(weights, rank)

    hidden = jnp.einsum("nd,nedf->nef", x, first)
    if bent == "hidden":
        hidden = act(hidden)
    outputs = jnp.einsum("nef,nefd->ned", hidden, second)
    y = jnp.einsum("ne,ned->nd", weights, outputs)
    if bent == "output":
        y = act(y)
    return (x + y if residual else y).reshape(-1)


def by_rank(values, rank):
    """What belongs to the experts of a token, the first of them first."""
    order = jnp.argsort(rank, axis=1)
    return jnp.take_along_axis(values, order.reshape(order.shape + (1,) * (values.ndim - 2)), axis=1)


def by_expert(ranked, rank):
    """The way back: what belongs to each expert, from what belongs to each rank."""
    return jnp.take_along_axis(ranked, rank, axis=1)


# Seeds are chosen with care: no two shares of a token are near each other.
problem = Problem(
    reference=moe_layer,
    axes=("token", "dim"),
    picture=Heatmap("token", "dim"),
    contract="jit",
    arguments={"N": Whole(), "d": Whole(), "E": Whole(), "k": Whole()},
    legal=[lambda E, k: k <= E],
    cases=[
        (5, 2, 1, 4, 1),
        (4, 2, 1, 4, 3),
        (108, 3, 1, 4, 2),
        (3, 2, 3, 2, 2),
        (139, 4, 2, 3, 3),
        (0, 1, 9, 11, 9),
        (5, 4, 3, 6, 5),
        (2, 3, 6, 1, 1),
        (0, 11, 4, 2, 1),
    ],
    pitfalls=[
        Pitfall(
            "not-renormalised",
            why="The weights of the chosen experts add up to less than 1: they are shares among all experts.",
            hint="What do the weights of one token add up to, once the others are left out?",
            divided="not",
            worth="share",
        ),
        Pitfall(
            "raw-logits",
            why="The experts are weighted by their logits, as the router gives them: a logit may be negative, and they do "
            "not add up to 1.",
            hint="What turns the scores of the router into shares?",
            worth="logit",
            divided="not",
        ),
        Pitfall(
            "unweighted",
            why="The chosen experts all count alike: the router chooses them, but does not weigh them.",
            hint="If one expert has nine tenths of the shares of a token, how much should the other one count?",
            worth="one",
            divided=any_of("by their sum", "not"),
        ),
        Pitfall(
            "softmax-of-shares",
            why="A second softmax was taken, of the shares. It brings them nearer to each other.",
            hint="What makes a few shares add up to 1, and keeps their ratios?",
            worth="softmax of shares",
            divided="by their sum",
        ),
        Pitfall(
            "sigmoid-shares",
            why="Each score was turned into a weight by a sigmoid, and not by a softmax.",
            hint="Which function of the scores does the formula name?",
            worth=any_of(alone=["sigmoid"]),
        ),
        Pitfall(
            "divided-by-k",
            why="The weights of a token add up to 1 / k: after the division by their sum, a mean was taken as well.",
            hint="A sum of weighted outputs: what is still to be divided?",
            divided=any_of(alone=["twice"]),
            worth="share",
        ),
        Pitfall(
            "normalised-over-tokens",
            why="The chosen shares were divided by their sum over the tokens: the weights of one token do not add up to 1.",
            hint="Along which axis does your sum run, along the tokens or along the experts of a token?",
            divided="over tokens",
            worth="share",
        ),
        Pitfall(
            "softmax-over-tokens",
            why="The softmax ran over the tokens: what one token gives to an expert depends on the other tokens.",
            hint="Among whom does a token divide its shares?",
            axis="tokens",
        ),
        Pitfall(
            "least-probable",
            why="The experts that were chosen are those with the smallest shares.",
            hint="At which end of a sorted row do the largest numbers stand?",
            chosen="least",
        ),
        Pitfall(
            "top-one",
            why="Only the best expert of each token has a say.",
            hint="How many experts should each token have?",
            chosen="one",
        ),
        Pitfall(
            "all-experts",
            why="All experts have a say: none was left out.",
            hint="How many experts should each token have?",
            chosen="all",
        ),
        Pitfall(
            "first-experts",
            why="Every token goes through the same experts, the first ones: nothing was chosen by the shares.",
            hint="Which experts does a token go through, and who decides that?",
            chosen=any_of(alone=["first"]),
        ),
        Pitfall(
            "chosen-by-the-first-token",
            why="Every token goes through the experts that the first token chose.",
            hint="Whose shares decide which experts the second token goes through?",
            chosen=any_of(alone=["as the first token", "as the first token, by rank"]),
        ),
        Pitfall(
            "rank-for-expert",
            why="The place in the ranking was taken for the number of the expert: matrices of other experts were used.",
            hint="The second best expert of a token: is that expert number 1?",
            expert=any_of("by rank", alone=["second by rank"]),
        ),
        Pitfall(
            "shares-exchanged",
            why="The right experts have the shares of each other: the best of them got the least.",
            hint="Do the shares and the numbers of the experts stand in the same order?",
            expert="shares exchanged",
        ),
        Pitfall(
            "no-activation",
            why="Nothing bends between the two maps of an expert: together they are one linear map.",
            hint="Which step stands between the two products?",
            activation="none",
            bent="hidden",
        ),
        Pitfall(
            "other-activation",
            why="The activation of the experts is a smooth one, gelu or silu: something is left of what is negative.",
            hint="What does the activation that is asked for make of a number a little below zero?",
            activation=any_of("gelu", alone=["tanh gelu", "silu"]),
        ),
        Pitfall(
            "activation-on-output",
            why="The activation came after both maps: no number that comes out is negative.",
            hint="Where does the formula bend?",
            bent=any_of(alone=["output"]),
        ),
        Pitfall(
            "residual-added",
            why="The tokens that went in have been added to those that come out: that is a step of the block around it.",
            hint="Does the formula hold the tokens a second time?",
            residual=any_of(alone=[True]),
        ),
    ],
)
