"""A causal transformer block with its norms before its layers (Xiong et al., 2020, figure 1b)."""

from functools import cache, partial
from itertools import permutations

import jax
import jax.numpy as jnp
from flax import nnx

from grader import Heatmap, Pitfall, Problem, Whole, any_of

LISTED = ("ln1", "attn", "ln2", "up", "down")
TAKES = {"ln1": 2, "attn": 8, "ln2": 2, "up": 2, "down": 2}  # how many keys of the stream each layer takes

# Both norms take as many keys, so exchanging them changes nothing. A norm after all other layers is as good as none.
OTHER_ORDERS = [
    order
    for order in permutations(LISTED)
    if order.index("ln1") < order.index("ln2") and order not in (LISTED, ("ln1", "attn", "up", "down", "ln2"))
]
USUAL_ORDERS = [
    ("ln1", "ln2", "attn", "up", "down"),
    ("attn", "ln1", "up", "down", "ln2"),
    ("attn", "up", "down", "ln1", "ln2"),
    ("up", "down", "ln1", "attn", "ln2"),
]


@cache
def keys(seed):
    """The keys that `nnx.Rngs` hands out for a seed, computed once: the reference holds them as constants."""
    with jax.ensure_compile_time_eval():
        rngs = nnx.Rngs(jax.random.key(seed))
        return [rngs.params() for _ in range(sum(TAKES.values()))]


class Stream:
    """What the layers of nnx need of an `nnx.Rngs`: the next key."""

    def __init__(self, keys):
        self._keys = iter(keys)

    def params(self):
        return next(self._keys)


@partial(jax.jit, static_argnums=(1, 2, 3))  # so that each layer is traced once, and not for every order
def kernels(keys, name, d_model, H):
    """The kernels of a fresh layer: query, key, value and out of attention, or the only one of a linear layer."""
    if name == "attn":
        attn = nnx.MultiHeadAttention(num_heads=H, in_features=d_model, decode=False, rngs=Stream(keys))
        layers = attn.query, attn.key, attn.value, attn.out
    elif name == "up":
        layers = (nnx.Linear(d_model, 4 * d_model, rngs=Stream(keys)),)
    else:
        layers = (nnx.Linear(4 * d_model, d_model, rngs=Stream(keys)),)
    return [layer.kernel[...] for layer in layers]


def fresh(seed, d_model, H, made, streams):
    """The kernels of fresh layers, made in this order: query, key, value, out, up, down. Their biases are zero."""
    layer, taken = {}, 0
    for name in made:
        if streams == "one each":
            taken = 0
        if name in ("attn", "up", "down"):  # the gain of a norm is one and its bias zero, but it takes keys as well
            layer[name] = kernels(keys(seed)[taken : taken + TAKES[name]], name, d_model, H)
        taken += TAKES[name]
    return [*layer["attn"], *layer["up"], *layer["down"]]


def transformer_block(
    seed,
    T,
    d_model,
    H,
    *,
    made=LISTED,
    streams="one",
    norms="before each layer",
    residual="both",
    seen="past",
    activation="gelu",
):
    """`(T, d_model)`: `h = x + attn(ln1(x))`, then `h + down(gelu(up(ln2(h))))`, with the weights of fresh nnx layers."""
    T, d_model, H = int(T), int(d_model), int(H)
    x = jax.random.normal(jax.random.key(seed), (T, d_model), dtype=jnp.float32)
    made = tuple(name for name in made if name != "ln2" or norms not in ("one layer", "one layer, one output"))
    query, key, value, out, up, down = fresh(int(seed), d_model, H, made, streams)

    def norm(z):
        mean = z.mean(axis=-1, keepdims=True)
        # As nnx has it: it rounds more than the mean of squared differences, so the tolerance covers both.
        variance = (z * z).mean(axis=-1, keepdims=True) - mean * mean
        return (z - mean) / jnp.sqrt(variance + 1e-6)

    def attend(z):
        q, k, v = (jnp.einsum("td,dhe->hte", z, kernel) for kernel in (query, key, value))
        scores = jnp.einsum("hie,hje->hij", q, k) / (d_model // H) ** 0.5
        i, j = jnp.arange(T)[:, None], jnp.arange(T)
        weights = jnp.exp(scores)
        if seen != "all":
            weights = jnp.where(j <= i if seen == "past" else j >= i, weights, 0.0)
        weights = weights / weights.sum(axis=-1, keepdims=True)
        return jnp.einsum("hij,hje,hed->id", weights, v, out)

    def feed_forward(z):
        wide = z @ up
        if activation == "gelu":
            wide = wide * (1 + jax.lax.erf(wide / 2**0.5)) / 2
        elif activation == "tanh gelu":
            wide = jax.nn.gelu(wide, approximate=True)
        elif activation == "relu":
            wide = jax.nn.relu(wide)
        return wide @ down

    first = x if norms in ("none", "second only", "after each sum") else norm(x)
    kept = {"feed-forward": 0.0, "none": 0.0, "normed": first}.get(residual, x)
    h = kept + attend(first)
    if norms == "after each sum":
        h = norm(h)
    if norms in ("one output", "one layer, one output"):
        second = first
    else:
        second = h if norms in ("none", "first only", "after each sum") else norm(h)
    kept = {"attention": 0.0, "none": 0.0, "normed": second, "x twice": x}.get(residual, h)
    y = kept + feed_forward(second)
    if norms == "after each sum":
        y = norm(y)
    return y.reshape(-1)


problem = Problem(
    reference=transformer_block,
    axes=("position", "dim"),
    picture=Heatmap("position", "dim"),
    arguments={"T": Whole(), "d_model": Whole(), "H": Whole()},
    legal=[lambda d_model, H: d_model % H == 0],
    cases=[
        (2, 1, 3, 3),
        (0, 1, 4, 2),
        (0, 3, 2, 2),
        (1794, 3, 1, 1),
        (1794, 3, 4, 1),  # one row of h is nearly constant, so that the epsilon of its norm shows
        (5, 2, 9, 9),
        (6, 17, 16, 4),
    ],
    by_row=True,
    pitfalls=[
        Pitfall(
            "post-norm",
            why="Each norm comes after a sum, so every row of the result has mean zero: that is the block of 2017.",
            hint="On the way from x to the result, does anything but sums touch the vectors that are handed on?",
            norms="after each sum",
        ),
        Pitfall(
            "one-norm-for-both",
            why="One norm serves both layers. Either the feed-forward layer reads the same normalised vectors as "
            "attention, or no second norm was made, and the layers that come after it drew other weights.",
            hint="What has changed between the first layer and the second, and who takes numbers from the stream?",
            norms=any_of("one output", "one layer", "one layer, one output"),
        ),
        Pitfall(
            "norm-skipped",
            why="Vectors reach attention, the feed-forward layer or both of them as they are, not normalised.",
            hint="Which of your layers are made, and never called?",
            norms=any_of("first only", "second only", "none"),
        ),
        Pitfall(
            "normed-residual",
            why="What is kept beside each layer is the normalised vector: the sums do not hold x itself.",
            hint="Of the two vectors at hand, the one before the norm and the one after it, which goes around the layer?",
            residual="normed",
            norms="before each layer",
        ),
        Pitfall(
            "missing-residual",
            why="Attention or the feed-forward layer, or each of them, replaces its input where it should be added to it.",
            hint="If a layer gave nothing but zeros, what should come out of the block?",
            residual=any_of("attention", "feed-forward", "none"),
        ),
        Pitfall(
            "stale-residual",
            why="The feed-forward layer's result is added to x, not to the sum that it read: what attention found is lost.",
            hint="Which vector stands beside the feed-forward layer in the second formula?",
            residual="x twice",
        ),
        Pitfall(
            "not-causal",
            why="Every position sees all others, also those that come after it.",
            hint="What does the attention layer know of the order of tokens, unless you tell it?",
            seen="all",
        ),
        Pitfall(
            "mask-flipped",
            why="Each position sees itself and those after it: the mask is the wrong way round.",
            hint="In your mask, do the rows stand for queries or for keys, and how many keys may the first query see?",
            seen="future",
        ),
        Pitfall(
            "tanh-gelu",
            why="The numbers are off in the fourth decimal, as those of the gelu that is approximated by a tanh are.",
            hint="What does the gelu that you call do unless it is told otherwise?",
            activation="tanh gelu",
        ),
        Pitfall(
            "relu",
            why="Between the two linear layers, what is negative is cut off: that is a relu.",
            hint="What does the activation of this block give for a number a little below zero?",
            activation="relu",
        ),
        Pitfall(
            "layers-out-of-order",
            why="The block computes the right thing with other weights: those of layers made in another order, or of "
            "norms that were not made at all.",
            hint="In which order does your code make the layers, and how many numbers has each taken before the next?",
            made=any_of(*USUAL_ORDERS, alone=[order for order in OTHER_ORDERS if order not in USUAL_ORDERS]),
        ),
        Pitfall(
            "stream-restarted",
            why="Every layer drew its weights from the beginning of the stream: each was given a new one of the same seed.",
            hint="How often is the stream of random numbers made in your code?",
            streams="one each",
            made=LISTED,  # then no order matters
        ),
    ],
)
