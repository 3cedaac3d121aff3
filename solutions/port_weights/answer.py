"""Weights from PyTorch, as a good learner would load them."""

import jax
import jax.numpy as jnp
from flax import nnx


def load(attn: nnx.MultiHeadAttention, checkpoint: dict[str, jax.Array]) -> None:
    d_model, heads, d_head = attn.query.kernel.shape
    parts = zip(
        (attn.query, attn.key, attn.value),
        jnp.split(checkpoint["in_proj_weight"], 3),
        jnp.split(checkpoint["in_proj_bias"], 3),
        strict=True,
    )
    for layer, weight, bias in parts:
        # PyTorch has a row for each output, Flax a column.
        layer.kernel[...] = weight.T.reshape(d_model, heads, d_head)
        layer.bias[...] = bias.reshape(heads, d_head)
    attn.out.kernel[...] = checkpoint["out_proj.weight"].T.reshape(heads, d_head, d_model)
    attn.out.bias[...] = checkpoint["out_proj.bias"]


def port_weights(seed, T, d_model, H):
    keys = jax.random.split(jax.random.key(seed), 5)
    x = jax.random.normal(keys[0], (T, d_model), dtype=jnp.float32)
    checkpoint = {
        "in_proj_weight": jax.random.normal(keys[1], (3 * d_model, d_model), dtype=jnp.float32) / d_model**0.5,
        "in_proj_bias": jax.random.normal(keys[2], (3 * d_model,), dtype=jnp.float32),
        "out_proj.weight": jax.random.normal(keys[3], (d_model, d_model), dtype=jnp.float32) / d_model**0.5,
        "out_proj.bias": jax.random.normal(keys[4], (d_model,), dtype=jnp.float32),
    }
    rngs = nnx.Rngs(jax.random.key(seed))
    attn = nnx.MultiHeadAttention(num_heads=H, in_features=d_model, decode=False, rngs=rngs)
    load(attn, checkpoint)
    return attn(x, mask=nnx.make_causal_mask(jnp.ones(T))).reshape(-1)
