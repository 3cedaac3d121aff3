"""A small GPT with fresh weights and a tied head (Vaswani et al., 2017, section 3.4; Radford et al., 2019, section 2.3)."""

from functools import cache, partial

import jax
import jax.numpy as jnp
from flax import nnx

from grader import Heatmap, Pitfall, Problem, Whole, any_of

BLOCK = ("ln1", "attn", "ln2", "up", "down")


def order_of(made, count):
    """The layers in the order in which they are made, as (kind, number of the block)."""
    blocks = [(kind, number) for number in range(count) for kind in BLOCK]
    if made == "kind by kind":
        blocks = [(kind, number) for kind in BLOCK for number in range(count)]
    first, last = [("embed", 0)], [("norm", 0)]
    if made == "norm before blocks":
        first, last = [*first, *last], []
    elif made == "embedding last":
        first, last = [], [*last, *first]
    elif made == "places after the embedding":
        first = [*first, ("places", 0)]
    elif made == "places last":
        last = [*last, ("places", 0)]
    return [*first, *blocks, *last, ("head", 0)]


@cache
def keys(seed, count):
    """The first keys that `nnx.Rngs` hands out for a seed, computed once: the reference holds them as constants."""
    with jax.ensure_compile_time_eval():
        rngs = nnx.Rngs(jax.random.key(seed))
        return [rngs.params() for _ in range(count)]


class Stream:
    """What the layers of nnx need of an `nnx.Rngs`: the next key."""

    def __init__(self, seed, count):
        self._keys = iter(keys(seed, count))

    def params(self):
        return next(self._keys)


@partial(jax.jit, static_argnums=range(9))  # so that the layers are traced once, and not for every mistake
def fresh(seed, T, V, d_model, H, L, made, blocks, head):
    """The embeddings of tokens and of positions, the head's `(d_model, V)` matrix, and the blocks' stacked kernels.

    Positions have an embedding by mistake only. Without it, the second array is zero.
    """
    count = 6 + 16 * L  # one for each embedding, two for each norm, linear layer or part of attention
    places = jnp.zeros((T, d_model))
    main, layer = Stream(seed, count), {}
    for kind, number in order_of(made, 1 if blocks == "one" else L):
        if kind == "ln1" and blocks == "the seed anew":
            stream = Stream(seed, count)
        elif kind not in BLOCK or blocks != "the seed anew":
            stream = main
        if kind == "embed":
            embedding = nnx.Embed(V, d_model, rngs=stream).embedding[...]
        elif kind == "places":
            places = nnx.Embed(T, d_model, rngs=stream).embedding[...]
        elif kind == "attn":
            attn = nnx.MultiHeadAttention(num_heads=H, in_features=d_model, decode=False, rngs=stream)
            layer.update({(role, number): getattr(attn, role) for role in ("query", "key", "value", "out")})
        elif kind == "up":
            layer[kind, number] = nnx.Linear(d_model, 4 * d_model, rngs=stream)
        elif kind == "down":
            layer[kind, number] = nnx.Linear(4 * d_model, d_model, rngs=stream)
        elif kind == "head":
            matrix = embedding.T if head != "linear" else nnx.Linear(d_model, V, rngs=stream).kernel[...]
        else:
            nnx.LayerNorm(d_model, rngs=stream)  # its gain is one and its bias zero, but it takes numbers too
    numbers = [0] * L if blocks == "one" else range(L)
    roles = ("query", "key", "value", "out", "up", "down")
    return (
        embedding,
        places,
        matrix,
        [jnp.stack([layer[role, number].kernel[...] for number in numbers]) for role in roles],
    )


def mini_gpt(
    seed,
    B,
    T,
    V,
    d_model,
    H,
    L,
    *,
    made="listed",
    blocks="each its own",
    scale="tokens",
    positions="before blocks",
    seen="past",
    activation="gelu",
    final_norm=True,
    head="tied",
    gives="logits",
    epsilon=1e-6,
    wiring="norms first",
):
    """`(B, T, V)` logits: embedded tokens and positions through L pre-norm blocks, a norm, and the embedding transposed."""
    B, T, V, d_model, H, L = int(B), int(T), int(V), int(d_model), int(H), int(L)
    tokens = jax.random.randint(jax.random.key(seed), (B, T), 0, V, dtype=jnp.int32)
    embedding, learned, matrix, kernels = fresh(int(seed), T, V, d_model, H, L, made, blocks, head)
    angle = jnp.arange(T)[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    places = jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1).reshape(T, d_model)
    if positions == "learned":
        places = learned
    i, j = jnp.arange(T)[:, None], jnp.arange(T)

    def norm(z):
        mean = z.mean(axis=-1, keepdims=True)
        # As nnx has it: it rounds more than the mean of squared differences, so the tolerance covers both.
        variance = (z * z).mean(axis=-1, keepdims=True) - mean * mean
        return (z - mean) / jnp.sqrt(variance + epsilon)

    def act(z):
        if activation == "gelu":
            return z * (1 + jax.lax.erf(z / 2**0.5)) / 2
        if activation == "tanh gelu":
            return jax.nn.gelu(z, approximate=True)
        if activation == "relu":
            return jnp.maximum(z, 0.0)
        return z * jax.nn.sigmoid(z if activation == "silu" else 1.702 * z)

    def block(x, kernels):
        query, key, value, out, up, down = kernels
        if positions == "before every block":
            x = x + places
        z = x if wiring == "norms last" else norm(x)
        q, k, v = (jnp.einsum("btd,dhe->bhte", z, kernel) for kernel in (query, key, value))
        weights = jnp.exp(jnp.einsum("bhie,bhje->bhij", q, k) / (d_model // H) ** 0.5)
        if seen == "past":
            weights = jnp.where(j <= i, weights, 0.0)
        weights = weights / weights.sum(axis=-1, keepdims=True)
        h = x + jnp.einsum("bhij,bhje,hed->bid", weights, v, out)
        if wiring == "norms last":
            h = norm(h)
            return norm(h + act(h @ up) @ down), None
        return h + act(norm(x if wiring == "parallel" else h) @ up) @ down, None

    x = embedding[tokens]
    if scale == "tokens":
        x = x * d_model**0.5
    if positions in ("before blocks", "learned"):
        x = x + places
    if scale == "both":
        x = x * d_model**0.5
    x, _ = jax.lax.scan(block, x, kernels)
    if positions == "after blocks":
        x = x + places
    if final_norm:
        x = norm(x)
    if positions == "after the norm":
        x = x + places
    logits = x @ matrix
    if head == "times root":
        logits = logits * d_model**0.5
    elif head == "by root":
        logits = logits / d_model**0.5
    if gives == "probabilities":
        logits = jax.nn.softmax(logits, axis=-1)
    elif gives == "log-probabilities":
        logits = jax.nn.log_softmax(logits, axis=-1)
    return logits.reshape(-1)


problem = Problem(
    reference=mini_gpt,
    axes=("sequence", "position", "token"),
    picture=Heatmap("position", "token"),
    arguments={
        "B": Whole(),
        "T": Whole(),
        "V": Whole(2),
        "d_model": Whole(2, step=2),
        "H": Whole(),
        "L": Whole(reach=3),
    },
    legal=[lambda d_model, H: d_model % H == 0],
    cases=[
        (1, 2, 2, 3, 2, 2, 2),
        (133418300, 1, 2, 3, 4, 2, 1),  # token and position nearly cancel: the norms' epsilon shows
        (3, 2, 1, 3, 12, 12, 2),
        (2, 1, 2, 3, 10, 10, 3),
        (2, 2, 2, 3, 18, 2, 3),
        (326, 1, 3, 5, 4, 1, 2),  # of many seeds, one that shows the approximate gelu well, in every version of JAX
        (4, 4, 2, 2, 12, 6, 3),
        (0, 3, 3, 2, 2, 2, 1),
        (2, 5, 2, 3, 10, 1, 2),
        (3, 9, 1, 4, 2, 1, 3),
        (0, 3, 5, 6, 12, 2, 2),
        (3, 6, 5, 9, 8, 4, 3),
        (1, 2, 16, 11, 12, 4, 1),
    ],
    pitfalls=[
        Pitfall(
            "untied-scale",
            why="The logits are all right but for one factor: the root of the width was let into the head as well.",
            hint="Two places share the embedding: in which of them does the formula multiply?",
            head=any_of("times root", "by root"),
        ),
        Pitfall(
            "untied-head",
            why="The logits come from a linear layer with weights of its own, made last.",
            hint="Which matrix of the model has a row for each token already?",
            head="linear",
        ),
        Pitfall(
            "missing-scale",
            why="The rows of the embedding went in as they are: beside them the positions are too loud.",
            hint="How long is a row of a fresh embedding, and how long is a row of the position table?",
            scale="none",
        ),
        Pitfall(
            "scaled-positions",
            why="The positions were multiplied by the root of the width together with the tokens.",
            hint="When you scale, what is in the vector already?",
            scale="both",
            positions="before blocks",
        ),
        Pitfall(
            "positions-after-blocks",
            why="The positions are added where the blocks are done: they have reached the logits, but no block knew them.",
            hint="Which layers need to know where a token stands?",
            positions=any_of("after blocks", "after the norm"),
        ),
        Pitfall(
            "missing-positions",
            why="No positions are added at all: the order of the earlier tokens is lost.",
            hint="What does attention know of the order of the tokens that it sees?",
            positions="none",
        ),
        Pitfall(
            "missing-final-norm",
            why="The sums go from the last block to the logits as they are: their size grows with every block.",
            hint="In a pre-norm model, which vectors have not passed through any norm?",
            final_norm=False,
        ),
        Pitfall(
            "not-causal",
            why="Every position sees those that come after it: the model reads the token that it should foretell.",
            hint="What may the logits of the first position depend on?",
            seen="all",
        ),
        Pitfall(
            "tanh-gelu",
            why="The numbers are off by a little, as those of the gelu that is approximated by a tanh are.",
            hint="What does the gelu that you call do unless it is told otherwise?",
            activation="tanh gelu",
        ),
        Pitfall(
            "blocks-alike",
            why="All blocks have the same weights: one of them is used again and again, or each begins the stream anew.",
            hint="How many different blocks does your model hold, and which numbers does the second one draw?",
            blocks=any_of("one", "the seed anew"),
        ),
        Pitfall(
            "layers-out-of-order",
            why="The model computes the right thing with other weights: those of layers made in another order.",
            hint="Which layer takes the first number of the stream, and which layers have taken theirs before the second "
            "block begins?",
            made=any_of("embedding last", "norm before blocks", "kind by kind"),
        ),
        Pitfall(
            "softmax-taken",
            why="In every position, these are the probabilities of the tokens or their logarithms, not logits.",
            hint="At which step does this problem stop?",
            gives=any_of("probabilities", "log-probabilities"),
        ),
        Pitfall(
            "post-norm",
            why="The norms come after the sums, not before attention and feed-forward layer: only normalised sums are "
            "handed on.",
            hint="What does each norm of a block read: what comes into the block, or a sum that was just made?",
            wiring=any_of(alone=["norms last"]),
            final_norm=any_of(True, False),
        ),
        Pitfall(
            "parallel-block",
            why="Attention and feed-forward layer of a block both read what came into the block: neither sees what "
            "the other adds.",
            hint="What has happened to the vector that the feed-forward layer of a block reads?",
            wiring=any_of(alone=["parallel"]),
        ),
        Pitfall(
            "repeated-positions",
            why="The positions are added before every block: with more than one block, they become too loud.",
            hint="How often should a token be told where it stands?",
            positions=any_of(alone=["before every block"]),
        ),
        Pitfall(
            "learned-positions",
            why="The positions come from an embedding of their own, not from the table of sines and cosines.",
            hint="Which of the layers in the list has weights for the positions?",
            positions=any_of(alone=["learned"]),
            made=any_of("places after the embedding", "places last"),
        ),
        Pitfall(
            "other-activation",
            why="The feed-forward layers have another activation than the exact gelu.",
            hint="Which function stands between the two linear layers of a block?",
            activation=any_of(alone=["relu", "silu", "gelu by a sigmoid"]),
        ),
        Pitfall(
            "other-epsilon",
            why="The numbers are those of layer norms with another epsilon: they are off most where a vector is short.",
            hint="What do your norms add to the variance, and what does the statement say of it?",
            epsilon=any_of(alone=[1e-5, 1e-3, 1e-8, 1e-12]),
        ),
    ],
)
