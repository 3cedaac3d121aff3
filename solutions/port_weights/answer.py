"""Causal attention of many heads (Vaswani et al., 2017, section 3.2) with weights laid out as PyTorch has them."""

import jax
import jax.numpy as jnp
from flax import nnx

from grader import Heatmap, Problem, Whole


def load(attn: nnx.MultiHeadAttention, checkpoint: dict[str, jax.Array]) -> None:
    d_model, heads, d_head = attn.query.kernel.shape
    layers = (attn.query, attn.key, attn.value)
    #: qkv-order: (attn.query, attn.key, attn.value) -> (attn.key, attn.query, attn.value)
    #: qkv-order: (attn.query, attn.key, attn.value) -> (attn.query, attn.value, attn.key)
    #: qkv-order (alone): (attn.query, attn.key, attn.value) -> (attn.key, attn.value, attn.query)
    #: qkv-order (alone): (attn.query, attn.key, attn.value) -> (attn.value, attn.query, attn.key)
    #: qkv-order (alone): (attn.query, attn.key, attn.value) -> (attn.value, attn.key, attn.query)
    weights = jnp.split(checkpoint["in_proj_weight"], 3)
    #: cut-in-turn (alone): weights = [checkpoint["in_proj_weight"][row::3] for row in range(3)]
    biases = jnp.split(checkpoint["in_proj_bias"], 3)
    #: cut-in-turn (alone): biases = [checkpoint["in_proj_bias"][row::3] for row in range(3)]
    for layer, weight, bias in zip(layers, weights, biases, strict=True):
        # PyTorch has a row for each output, Flax a column.
        layer.kernel[...] = weight.T.reshape(d_model, heads, d_head)
        #: not-transposed: weight.T -> weight
        #: heads-interleaved: (d_model, heads, d_head) -> (d_model, d_head, heads).swapaxes(1, 2)
        #: heads-interleaved: (d_model, heads, d_head) -> (d_model, d_head, heads).swapaxes(1, 2)
        #: heads-interleaved: =
        layer.bias[...] = bias.reshape(heads, d_head)
        #: heads-interleaved: (heads, d_head) -> (d_head, heads).T
        #: heads-interleaved: (heads, d_head) -> (d_head, heads).T
        #: heads-interleaved: =
        #: biases-left: -
        #: biases-left: -
        #: biases-left: =
        #: biases-left (alone):
        #:     if layer is not attn.query:
        #:         layer.bias[...] = bias.reshape(heads, d_head)
        #: biases-left (alone):
        #:     if layer is not attn.value:
        #:         layer.bias[...] = bias.reshape(heads, d_head)
    attn.out.kernel[...] = checkpoint["out_proj.weight"].T.reshape(heads, d_head, d_model)
    #: out-not-transposed: checkpoint["out_proj.weight"].T -> checkpoint["out_proj.weight"]
    #: heads-interleaved: (heads, d_head, d_model) -> (d_head, heads, d_model).swapaxes(0, 1)
    #: heads-interleaved: =
    #: heads-interleaved: (heads, d_head, d_model) -> (d_head, heads, d_model).swapaxes(0, 1)
    attn.out.bias[...] = checkpoint["out_proj.bias"]
    #: biases-left: -
    #: biases-left: =
    #: biases-left: -
    #: biases-left: =
    #: biases-left: =


def port_weights(seed, T, d_model, H):
    keys = jax.random.split(jax.random.key(seed), 5)
    x = jax.random.normal(keys[0], (T, d_model), dtype=jnp.float32)
    checkpoint = {
        "in_proj_weight": jax.random.normal(keys[1], (3 * d_model, d_model), dtype=jnp.float32) / d_model**0.5,
        "in_proj_bias": jax.random.normal(keys[2], (3 * d_model,), dtype=jnp.float32),
        "out_proj.weight": jax.random.normal(keys[3], (d_model, d_model), dtype=jnp.float32) / d_model**0.5,
        "out_proj.bias": jax.random.normal(keys[4], (d_model,), dtype=jnp.float32),
    }
    #: rounded-weights (alone):
    #:     def rounded(dtype):
    #:         # Made beforehand, since a traced program is evaluated without rounding.
    #:         with jax.ensure_compile_time_eval():
    #:             keys = jax.random.split(jax.random.key(seed), 5)
    #:             checkpoint = {
    #:                 "in_proj_weight": jax.random.normal(keys[1], (3 * d_model, d_model)) / d_model**0.5,
    #:                 "in_proj_bias": jax.random.normal(keys[2], (3 * d_model,)),
    #:                 "out_proj.weight": jax.random.normal(keys[3], (d_model, d_model)) / d_model**0.5,
    #:                 "out_proj.bias": jax.random.normal(keys[4], (d_model,)),
    #:             }
    #:             return {name: array.astype(dtype).astype(jnp.float32) for name, array in checkpoint.items()}
    rngs = nnx.Rngs(jax.random.key(seed))
    attn = nnx.MultiHeadAttention(num_heads=H, in_features=d_model, decode=False, rngs=rngs)
    #: root-of-d-model:
    #:     def attend(q, k, v, **others):
    #:         return nnx.dot_product_attention(q / H**0.5, k, v, **others)
    #:     attn = nnx.MultiHeadAttention(num_heads=H, in_features=d_model, attention_fn=attend, decode=False, rngs=rngs)
    load(attn, checkpoint)
    #: rounded-weights (alone): checkpoint -> rounded(jnp.float16), or rounded(jnp.bfloat16)
    #: fresh-weights (not with not-transposed, out-not-transposed, qkv-order, heads-interleaved, biases-left): -
    #: fresh-weights (alone):
    #:     fresh = nnx.clone(attn)
    #:     load(attn, checkpoint)
    #:     attn.query, attn.key, attn.value = fresh.query, fresh.key, fresh.value
    #: fresh-weights (alone):
    #:     fresh = nnx.clone(attn)
    #:     load(attn, checkpoint)
    #:     attn.out = fresh.out
    #: fresh-weights (alone):
    #:     fresh = nnx.clone(attn)
    #:     load(attn, checkpoint)
    #:     attn.query.kernel, attn.key.kernel, attn.value.kernel = fresh.query.kernel, fresh.key.kernel, fresh.value.kernel
    #: fresh-weights (alone):
    #:     fresh = nnx.clone(attn)
    #:     load(attn, checkpoint)
    #:     attn.out.kernel = fresh.out.kernel
    mask = nnx.make_causal_mask(jnp.ones(T))
    #: mask-flipped: mask = nnx.make_causal_mask(jnp.ones(T)).swapaxes(-1, -2)
    #: mask-flipped (alone): mask = nnx.make_causal_mask(jnp.ones(T)) == 0
    #: not-causal: mask = None
    return attn(x, mask=mask).reshape(-1)


problem = Problem(
    axes=("position", "dim"),
    picture=Heatmap("position", "dim"),
    arguments={"T": Whole(), "d_model": Whole(), "H": Whole()},
    legal=[lambda d_model, H: d_model % H == 0],
    cases=[
        (5, 9, 2, 2),
        (0, 2, 9, 9),
        (1, 2, 4, 2),
        (0, 9, 1, 1),
        (5, 1, 9, 9),
        (4, 5, 4, 1),
        (3, 4, 6, 3),
    ],
)
