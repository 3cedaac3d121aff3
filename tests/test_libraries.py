"""References compared with public libraries that were written independently, if they are installed.

`pip install transformers torch timm` installs them. The tests are marked `library`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from grader.oracle.server import load
from tests.test_problems import KIT

pytestmark = [pytest.mark.library, pytest.mark.slow]


def due(name: str, *case: float) -> np.ndarray[Any, Any]:
    """The output of the reference in float32."""
    return np.asarray(load(KIT.answer(name)).reference(*case))


def drawn(seed: int, *shape: int) -> np.ndarray[Any, Any]:
    import jax

    return np.asarray(jax.random.normal(jax.random.key(seed), shape, dtype="float32"))


@pytest.mark.parametrize(("T", "H", "d_head"), [(5, 2, 4), (9, 3, 10), (33, 1, 64)])
def test_rope_equals_a_transformers_library_with_interleaved_pairs(T: int, H: int, d_head: int) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed: pip install torch transformers")
    gptj = pytest.importorskip(
        "transformers.models.gptj.modeling_gptj", reason="transformers is not installed: pip install transformers"
    )
    table = gptj.create_sinusoidal_positions(T, d_head)
    sin, cos = table[:, : d_head // 2], table[:, d_head // 2 :]
    x = torch.tensor(drawn(0, T, H, d_head))[None]
    theirs = gptj.apply_rotary_pos_emb(x, sin[None], cos[None])[0].numpy()
    assert np.allclose(due("rope", 0, T, H, d_head), theirs.reshape(-1), atol=1e-5)


@pytest.mark.parametrize("H", [1, 2, 3, 6, 8, 12])
def test_alibi_has_the_slopes_of_a_transformers_library(H: int) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed: pip install torch transformers")
    bloom = pytest.importorskip(
        "transformers.models.bloom.modeling_bloom", reason="transformers is not installed: pip install transformers"
    )
    T = 7
    # Theirs is slope * j. It differs from -slope * (i - j) by slope * i, and a softmax over j ignores that.
    theirs = bloom.build_alibi_tensor(torch.ones(1, T), H, torch.float32).reshape(H, 1, T).numpy()
    ours = due("alibi_bias", 0, H, T).reshape(H, T, T)
    for i in range(T):
        seen = slice(0, i + 1)
        assert np.allclose(ours[:, i, seen], theirs[:, 0, seen] - theirs[:, 0, i : i + 1], atol=1e-5)
        assert np.all(np.isneginf(ours[:, i, i + 1 :]))


@pytest.mark.parametrize(("T", "H", "buckets", "distance"), [(6, 2, 8, 16), (40, 3, 32, 128)])
def test_t5_buckets_equal_a_transformers_library(T: int, H: int, buckets: int, distance: int) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed: pip install torch transformers")
    t5 = pytest.importorskip(
        "transformers.models.t5.modeling_t5", reason="transformers is not installed: pip install transformers"
    )
    places = torch.arange(T)
    bucket = t5.T5Attention._relative_position_bucket(
        places[None, :] - places[:, None], bidirectional=True, num_buckets=buckets, max_distance=distance
    )
    theirs = drawn(0, buckets, H)[bucket.numpy()].transpose(2, 0, 1)
    assert np.allclose(due("t5_relative_bias", 0, T, H, buckets, distance), theirs.reshape(-1), atol=1e-6)


@pytest.mark.parametrize(("height", "width", "d_model"), [(2, 3, 8), (5, 4, 32)])
def test_sincos_2d_holds_the_values_of_a_vision_library(height: int, width: int, d_model: int) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed: pip install torch timm")
    timm = pytest.importorskip("timm.layers.pos_embed_sincos", reason="timm is not installed: pip install timm")
    theirs = timm.build_sincos2d_pos_embed([height, width], dim=d_model, dtype=torch.float32).numpy()
    ours = due("sincos_2d", 0, height, width, d_model).reshape(height * width, d_model)
    # Only the order of the dimensions differs, so every row holds the same numbers.
    assert np.allclose(np.sort(ours, axis=1), np.sort(theirs.reshape(height * width, d_model), axis=1), atol=1e-5)


def given(seed: int, *shapes: tuple[int, ...]) -> list[Any]:
    """Normal draws, one for each shape, from the keys that `jax.random.split` makes of a seed, as in the stubs."""
    import jax

    keys = jax.random.split(jax.random.key(seed), len(shapes))
    return [jax.random.normal(key, shape, dtype="float32") for key, shape in zip(keys, shapes, strict=True)]


def assert_near(ours: np.ndarray[Any, Any], theirs: Any, atol: float = 2e-5) -> None:
    assert np.allclose(ours, np.asarray(theirs).reshape(-1), rtol=1e-5, atol=atol)


@pytest.mark.few(0, 1)
@pytest.mark.parametrize(("seed", "T", "d"), [(0, 1, 4), (1, 7, 6), (2, 20, 16)])
def test_attention_equals_jaxs_own_with_and_without_a_causal_mask(seed: int, T: int, d: int) -> None:
    import jax

    q, k, v = (one[:, None, :] for one in given(seed, *[(T, d)] * 3))
    assert_near(due("scaled_dot_product", seed, T, d), jax.nn.dot_product_attention(q, k, v))
    assert_near(due("causal_attention", seed, T, d), jax.nn.dot_product_attention(q, k, v, is_causal=True))


@pytest.mark.few(0, 1)
@pytest.mark.parametrize(("seed", "B", "T", "d"), [(0, 2, 5, 4), (3, 4, 9, 6)])
def test_attention_with_padding_equals_jaxs_own_over_each_length(seed: int, B: int, T: int, d: int) -> None:
    import jax

    keys = jax.random.split(jax.random.key(seed), 4)
    q, k, v = (jax.random.normal(key, (B, T, d), dtype="float32")[:, :, None, :] for key in keys[:3])
    lengths = jax.random.randint(keys[3], (B,), 1, T + 1)
    theirs = jax.nn.dot_product_attention(q, k, v, query_seq_lengths=lengths, key_value_seq_lengths=lengths)
    real = np.arange(T) < np.asarray(lengths)[:, None]
    assert_near(due("padded_attention", seed, B, T, d), np.where(real[:, :, None], np.asarray(theirs)[:, :, 0], 0.0))


def projected(seed: int, T: int, d: int, H: int) -> tuple[list[Any], Any]:
    """Queries, keys and values of shape (T, H, d / H), and the matrix of the output projection, of shape (d, d)."""
    import jax

    keys = jax.random.split(jax.random.key(seed), 5)
    x = jax.random.normal(keys[0], (T, d), dtype="float32")
    *inner, out = (jax.random.normal(key, (d, d), dtype="float32") / d**0.5 for key in keys[1:])
    return [(x @ one).reshape(T, H, d // H) for one in inner], out


@pytest.mark.few(0, 1)
@pytest.mark.parametrize(("seed", "T", "d", "H"), [(0, 5, 8, 2), (1, 9, 12, 3), (2, 4, 6, 6)])
def test_heads_equal_jaxs_own_with_and_without_bias_and_rotation(seed: int, T: int, d: int, H: int) -> None:
    import jax

    (q, k, v), out = projected(seed, T, d, H)
    causal = jax.nn.dot_product_attention(q, k, v, is_causal=True).reshape(T, d) @ out
    assert_near(due("multi_head_attention", seed, T, d, H), causal)
    assert_near(due("kv_cache_decode", seed, T, d, H), causal)
    bias = due("alibi_bias", 0, H, T).reshape(1, H, T, T)
    biased = jax.nn.dot_product_attention(q, k, v, bias=jax.numpy.maximum(bias, -1e30), is_causal=True)
    assert_near(due("mha_alibi", seed, T, d, H), biased.reshape(T, d) @ out)
    if d // H % 2 == 0:
        turned = [turn(one) for one in (q, k)]
        rotated = jax.nn.dot_product_attention(*turned, v, is_causal=True).reshape(T, d) @ out
        assert_near(due("mha_rope", seed, T, d, H), rotated)


def turn(x: Any) -> Any:
    """Rotate pairs of numbers by their position: as complex numbers. `x` has shape (T, heads, width)."""
    T, _, width = x.shape
    z = np.asarray(x)[..., 0::2] + 1j * np.asarray(x)[..., 1::2]
    z = z * np.exp(1j * np.arange(T)[:, None, None] * 10000.0 ** (-np.arange(0, width, 2) / width))
    return np.stack([z.real, z.imag], axis=-1).reshape(x.shape).astype(np.float32)


@pytest.mark.few(0, 1)
@pytest.mark.parametrize(("seed", "N", "d"), [(0, 3, 4), (1, 6, 10)])
def test_norms_equal_those_of_flax(seed: int, N: int, d: int) -> None:
    from flax import nnx

    rows = np.where(np.arange(N) % 2 == 0, 1.0, 0.001)[:, None].astype(np.float32)
    x, gain, bias = given(seed, (N, d), (d,), (d,))
    norm = nnx.LayerNorm(d, epsilon=1e-5, use_fast_variance=False, rngs=nnx.Rngs(0))
    assert norm.scale is not None
    assert norm.bias is not None
    norm.scale[...], norm.bias[...] = gain, bias
    assert_near(due("layer_norm", seed, N, d), norm(x * rows), 1e-4)
    x, gain = given(seed, (N, d), (d,))
    root = nnx.RMSNorm(d, epsilon=1e-6, rngs=nnx.Rngs(0))
    assert root.scale is not None
    root.scale[...] = gain
    assert_near(due("rms_norm", seed, N, d), root(x * rows), 1e-4)


@pytest.mark.few(0, 1)
@pytest.mark.parametrize(("seed", "N", "d", "ff"), [(0, 3, 4, 9), (1, 5, 8, 3)])
def test_the_feed_forward_layer_equals_that_of_flax(seed: int, N: int, d: int, ff: int) -> None:
    import jax
    from flax import nnx

    x, W1, b1, W2, b2 = given(seed, (N, d), (d, ff), (ff,), (ff, d), (d,))
    up, down = nnx.Linear(d, ff, rngs=nnx.Rngs(0)), nnx.Linear(ff, d, rngs=nnx.Rngs(0))
    assert up.bias is not None
    assert down.bias is not None
    up.kernel[...], up.bias[...], down.kernel[...], down.bias[...] = W1 / d**0.5, b1, W2 / ff**0.5, b2
    assert_near(due("feed_forward", seed, N, d, ff), down(jax.nn.gelu(up(x), approximate=False)))


@pytest.mark.few(0, 1)
@pytest.mark.parametrize(("seed", "B", "T", "V"), [(0, 2, 6, 5), (1, 3, 9, 11)])
def test_the_loss_equals_optaxs(seed: int, B: int, T: int, V: int) -> None:
    import jax
    import optax

    k1, k2 = jax.random.split(jax.random.key(seed))
    logits, tokens = jax.random.normal(k1, (B, T, V), dtype="float32"), jax.random.randint(k2, (B, T), 0, V)
    costs = optax.softmax_cross_entropy_with_integer_labels(logits[:, :-1], tokens[:, 1:])
    assert_near(due("next_token_loss", seed, B, T, V), costs.mean(where=tokens[:, 1:] != 0))


@pytest.mark.few(0, 1)
@pytest.mark.parametrize(("seed", "N", "d", "steps"), [(0, 5, 3, 4), (1, 12, 4, 20)])
def test_training_equals_optaxs(seed: int, N: int, d: int, steps: int) -> None:
    import jax
    import optax

    X, true, noise = given(seed, (N, d), (d,), (N,))
    y, weights, adam = X @ true + 0.1 * noise, np.zeros(d, np.float32), optax.adam(0.1, eps=0.1)
    state = adam.init(weights)
    for _ in range(steps):
        slopes = jax.grad(lambda w: ((X @ w - y) ** 2).mean())(weights)
        change, state = adam.update(slopes, state)
        weights = optax.apply_updates(weights, change)
    assert_near(due("train_step", seed, N, d, steps), weights, 1e-4)


def torch_linear(torch: Any, layer: Any, kernel: Any) -> None:
    """Set the weights of a torch layer to the transpose of a Flax kernel, and its bias to zero."""
    with torch.no_grad():
        layer.weight.copy_(torch.tensor(np.asarray(kernel).T))
        layer.bias.zero_()


@pytest.mark.parametrize(("seed", "T", "d", "H"), [(0, 5, 8, 2), (1, 7, 12, 3)])
def test_the_block_equals_torchs_encoder_layer_with_norms_first(seed: int, T: int, d: int, H: int) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed: pip install torch")
    from flax import nnx

    rngs = nnx.Rngs(seed)
    nnx.LayerNorm(d, rngs=rngs)
    attn = nnx.MultiHeadAttention(num_heads=H, in_features=d, decode=False, rngs=rngs)
    nnx.LayerNorm(d, rngs=rngs)
    up, down = nnx.Linear(d, 4 * d, rngs=rngs), nnx.Linear(4 * d, d, rngs=rngs)
    theirs = torch.nn.TransformerEncoderLayer(
        d, H, 4 * d, dropout=0.0, activation="gelu", layer_norm_eps=1e-6, batch_first=True, norm_first=True
    ).eval()
    inner = [np.asarray(one.kernel[...]).reshape(d, d) for one in (attn.query, attn.key, attn.value)]
    with torch.no_grad():
        theirs.self_attn.in_proj_weight.copy_(torch.tensor(np.concatenate([one.T for one in inner])))
        theirs.self_attn.in_proj_bias.zero_()
    torch_linear(torch, theirs.self_attn.out_proj, np.asarray(attn.out.kernel[...]).reshape(d, d))
    torch_linear(torch, theirs.linear1, up.kernel[...])
    torch_linear(torch, theirs.linear2, down.kernel[...])
    mask = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
    with torch.no_grad():
        output = theirs(torch.tensor(drawn(seed, T, d))[None], src_mask=mask)[0].numpy()
    assert_near(due("transformer_block", seed, T, d, H), output)


@pytest.mark.parametrize(("seed", "N", "V", "p"), [(0, 3, 8, 0.6), (1, 5, 12, 0.9)])
def test_the_nucleus_equals_that_of_a_transformers_library(seed: int, N: int, V: int, p: float) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed: pip install torch transformers")
    process = pytest.importorskip(
        "transformers.generation.logits_process", reason="transformers is not installed: pip install transformers"
    )
    kept = process.TopPLogitsWarper(p)(None, torch.tensor(drawn(seed, N, V)))
    assert_near(due("jit_safe_nucleus", seed, N, V, p), torch.softmax(kept, dim=-1).numpy())


@pytest.mark.parametrize(
    ("d_head", "base", "factor", "original"),
    [(4, 100.0, 4.0, 1600.0), (8, 10000.0, 1.5, 131072.0), (12, 10.0, 8.0, 442.0), (128, 1000000.0, 4.0, 32768.0)],
)
def test_yarn_equals_that_of_a_transformers_library(d_head: int, base: float, factor: float, original: float) -> None:
    pytest.importorskip("torch", reason="torch is not installed: pip install torch transformers")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed: pip install transformers")
    rope = pytest.importorskip("transformers.modeling_rope_utils")
    config = transformers.LlamaConfig(
        hidden_size=2 * d_head,
        num_attention_heads=2,
        max_position_embeddings=int(factor * original),
        rope_theta=base,
        rope_scaling={
            "rope_type": "yarn",
            "rope_theta": base,
            "factor": factor,
            "original_max_position_embeddings": int(original),
        },
    )
    frequencies, attention_factor = rope.ROPE_INIT_FUNCTIONS["yarn"](config, "cpu")
    theirs = np.append(frequencies.numpy(), attention_factor)
    assert np.allclose(due("yarn_frequencies", 0, d_head, base, factor, original), theirs, rtol=2e-5, atol=0)
