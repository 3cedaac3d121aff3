"""Causal attention of many heads (Vaswani et al., 2017, section 3.2) with weights laid out as PyTorch has them."""

from functools import cache

import jax
import jax.numpy as jnp
from flax import nnx

from grader import Heatmap, Pitfall, Problem, Whole, any_of

LEAST = -3.4e38
"""The score of a key that a query may not see: its share is zero, unless all keys are hidden."""
OTHER_ORDERS = ["kvq", "vqk", "vkq"]


@cache
def keys(seed):
    """The keys that `nnx.Rngs` hands out for a seed, computed once: the reference holds them as constants."""
    with jax.ensure_compile_time_eval():
        rngs = nnx.Rngs(jax.random.key(seed))
        return [rngs.params() for _ in range(8)]


def fresh(seed, d_model):
    """The kernels that `nnx.MultiHeadAttention` draws for query, key, value and out. Its biases take keys too."""
    draw = jax.nn.initializers.lecun_normal()
    return [draw(key, (d_model, d_model), jnp.float32) for key in keys(seed)[::2]]


def rounded(seed, d_model, dtype):
    """The arrays of the checkpoint, rounded to a dtype: made beforehand, since a reference is evaluated without rounding."""
    with jax.ensure_compile_time_eval():
        drawn = jax.random.split(jax.random.key(seed), 5)
        arrays = (
            jax.random.normal(drawn[1], (3 * d_model, d_model), dtype=jnp.float32) / d_model**0.5,
            jax.random.normal(drawn[2], (3 * d_model,), dtype=jnp.float32),
            jax.random.normal(drawn[3], (d_model, d_model), dtype=jnp.float32) / d_model**0.5,
            jax.random.normal(drawn[4], (d_model,), dtype=jnp.float32),
        )
        return [array.astype(dtype).astype(jnp.float32) for array in arrays]


def port_weights(
    seed,
    T,
    d_model,
    H,
    *,
    weights="loaded",
    inputs="transposed",
    output="transposed",
    order="qkv",
    heads="blocks",
    biases="loaded",
    cut="blocks",
    scaled="by the head",
    mask="causal",
    read="float32",
):
    """`(T, d_model)`: causal attention with the weights of the checkpoint."""
    seed, T, d_model, H = int(seed), int(T), int(d_model), int(H)
    d_head = d_model // H
    drawn = jax.random.split(jax.random.key(seed), 5)
    x = jax.random.normal(drawn[0], (T, d_model), dtype=jnp.float32)
    rows = jax.random.normal(drawn[1], (3, d_model, d_model), dtype=jnp.float32) / d_model**0.5
    offsets = jax.random.normal(drawn[2], (3, d_model), dtype=jnp.float32)
    out_rows = jax.random.normal(drawn[3], (d_model, d_model), dtype=jnp.float32) / d_model**0.5
    out_offset = jax.random.normal(drawn[4], (d_model,), dtype=jnp.float32)

    if read != "float32":
        rows, offsets, out_rows, out_offset = rounded(seed, d_model, read)
        rows, offsets = rows.reshape(3, d_model, d_model), offsets.reshape(3, d_model)
    if cut == "in turn":
        rows = rows.reshape(d_model, 3, d_model).transpose(1, 0, 2)
        offsets = offsets.reshape(d_model, 3).T
    part = jnp.array([order.index(letter) for letter in "qkv"])
    rows, offsets = rows[part], offsets[part]
    kernels = rows.transpose(0, 2, 1) if inputs == "transposed" else rows
    out_kernel = out_rows.T if output == "transposed" else out_rows
    if weights != "loaded":
        *in_kernels, own_out = fresh(seed, d_model)
        kernels = jnp.stack(in_kernels) if weights in ("fresh", "fresh inputs", "fresh input kernels") else kernels
        out_kernel = own_out if weights in ("fresh", "fresh output", "fresh output kernel") else out_kernel
    if biases in ("none", "out only") or weights in ("fresh", "fresh inputs"):
        offsets = jnp.zeros_like(offsets)
    elif biases in ("without query", "without value"):
        offsets = offsets.at[0 if biases == "without query" else 2].set(0.0)
    if biases in ("none", "in only") or weights in ("fresh", "fresh output"):
        out_offset = jnp.zeros_like(out_offset)

    def by_head(value):
        """The last axis of `value`, one block for each head: `(..., H, d_head)`."""
        if heads in ("interleaved", "inputs interleaved"):
            return jnp.moveaxis(value.reshape(*value.shape[:-1], d_head, H), -1, -2)
        return value.reshape(*value.shape[:-1], H, d_head)

    q, k, v = (by_head(x @ kernel + offset) for kernel, offset in zip(kernels, offsets, strict=True))
    scores = jnp.einsum("ihe,jhe->hij", q, k) / (d_head if scaled == "by the head" else d_model) ** 0.5
    i, j = jnp.arange(T)[:, None], jnp.arange(T)
    if mask != "none":
        may = {"causal": j <= i, "future": j >= i, "hidden": j > i}[mask]
        scores = jnp.where(may, scores, LEAST)
    share = jnp.exp(scores - scores.max(axis=-1, keepdims=True))
    share = share / share.sum(axis=-1, keepdims=True)
    seen = jnp.einsum("hij,jhe->ihe", share, v)
    if heads in ("interleaved", "output interleaved"):
        seen = jnp.moveaxis(seen, -1, -2)
    return (seen.reshape(T, d_model) @ out_kernel + out_offset).reshape(-1)


problem = Problem(
    reference=port_weights,
    axes=("position", "dim"),
    picture=Heatmap("position", "dim"),
    arguments={"T": Whole(), "d_model": Whole(), "H": Whole()},
    legal=[lambda d_model, H: d_model % H == 0],
    cases=[
        (5, 3, 2, 2),
        (0, 2, 3, 3),
        (1, 2, 4, 2),
        (0, 9, 1, 1),
        (5, 1, 9, 9),
        (4, 5, 4, 1),
        (3, 4, 6, 3),
    ],
    pitfalls=[
        Pitfall(
            "not-transposed",
            why="The matrices of query, key and value were loaded as they stand in the checkpoint. They are square, so "
            "no error is raised.",
            hint="Which axis of a weight of PyTorch belongs to the outputs, and which axis of a kernel of Flax?",
            inputs="as they are",
        ),
        Pitfall(
            "out-not-transposed",
            why="The matrix of the output was loaded as it stands in the checkpoint. It is square, so no error is raised.",
            hint="Which axis of a weight of PyTorch belongs to the outputs, and which axis of a kernel of Flax?",
            output="as it is",
        ),
        Pitfall(
            "qkv-order",
            why="Two of the three parts of the input projection, or all of them, were loaded into the wrong layers.",
            hint="In which order does PyTorch put query, key and value below each other?",
            order=any_of("kqv", "qvk", alone=OTHER_ORDERS),
        ),
        Pitfall(
            "cut-in-turn",
            why="The rows of the input projection were dealt out to query, key and value in turn: each of them should get a "
            "block.",
            hint="Which rows of `in_proj_weight` make the query?",
            cut=any_of(alone=["in turn"]),
        ),
        Pitfall(
            "heads-interleaved",
            why="The dimensions were dealt out to the heads in turn, on the way in, on the way out, or both. In "
            "PyTorch each head has a block of its own.",
            hint="To which head do the first d_model / H numbers of a query belong?",
            heads=any_of("interleaved", "inputs interleaved", "output interleaved"),
        ),
        Pitfall(
            "biases-left",
            why="The biases are still zero, some of them or all.",
            hint="How many arrays do the four layers hold, and into how many of them does your code write?",
            biases=any_of("none", "out only", "in only", alone=["without query", "without value"]),
        ),
        Pitfall(
            "fresh-weights",
            why="The layer still has the weights that it drew when it was made, in all of its parts or in some.",
            hint="Does your code write into the variables of the layer, or does it give a new name to an array?",
            weights=any_of(
                "fresh", alone=["fresh inputs", "fresh output", "fresh input kernels", "fresh output kernel"]
            ),
        ),
        Pitfall(
            "rounded-weights",
            why="The weights of the checkpoint were rounded to 16 bits on the way into the layer.",
            hint="Which dtype do the arrays have that you load, and which dtype do the kernels hold afterwards?",
            read=any_of(alone=["float16", "bfloat16"]),
        ),
        Pitfall(
            "root-of-d-model",
            why="The scores were divided by the root of d_model: each head has only d_model / H dimensions.",
            hint="How many products does one score of a head add up?",
            scaled="by d_model",
        ),
        Pitfall(
            "not-causal",
            why="Every position sees all others, also those that come after it.",
            hint="What does the layer know of the order of the tokens, unless you tell it?",
            mask="none",
        ),
        Pitfall(
            "mask-flipped",
            why="The mask is the wrong way round: each position sees those after it, with itself or without.",
            hint="What does True mean in a mask of Flax, and do its rows stand for queries or for keys?",
            mask=any_of("future", alone=["hidden"]),
        ),
    ],
)
