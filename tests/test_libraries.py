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


@pytest.mark.few(0, 1)
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


@pytest.mark.few(0, 1)
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


@pytest.mark.few(0, 1)
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


@pytest.mark.nightly
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


@pytest.mark.nightly
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


@pytest.mark.nightly
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


@pytest.mark.nightly
@pytest.mark.few(0, 1)
@pytest.mark.parametrize(("seed", "T", "d"), [(0, 6, 2), (1, 400, 1)])
def test_the_affine_scan_is_the_recurrence_step_by_step(seed: int, T: int, d: int) -> None:
    drawn, b, h = (np.asarray(one, np.float64) for one in given(seed, (T, d), (T, d), (d,)))
    rows = np.zeros((T, d))
    for t in range(T):
        rows[t] = h = h / (1 + np.exp(-drawn[t])) + b[t]
    assert_near(due("affine_scan", seed, T, d), rows)


@pytest.mark.nightly
@pytest.mark.few(0, 1)
@pytest.mark.parametrize(("seed", "T", "d", "n"), [(0, 7, 3, 2), (1, 40, 2, 4)])
def test_the_selective_scan_is_the_recurrence_step_by_step(seed: int, T: int, d: int, n: int) -> None:
    shapes = (T, d), (T, d), (d, n), (T, n), (T, n), (d,)
    u, raw, log_rate, B, C, D = (np.asarray(one, np.float64) for one in given(seed, *shapes))
    h, rows = np.zeros((d, n)), np.zeros((T, d))
    for t, c in np.ndindex(T, d):
        step = np.log1p(np.exp(raw[t, c]))
        h[c] = np.exp(-step * np.exp(log_rate[c])) * h[c] + step * B[t] * u[t, c]
        rows[t, c] = C[t] @ h[c] + D[c] * u[t, c]
    assert_near(due("selective_scan", seed, T, d, n), rows)


@pytest.mark.few(0, 1)
@pytest.mark.parametrize(
    ("seed", "N", "d", "steps", "first", "last"), [(0, 3, 4, 6, 0.02, 0.3), (1, 2, 2, 1, 0.1, 0.1)]
)
def test_a_step_from_noise_is_the_posterior_given_the_guessed_data(
    seed: int, N: int, d: int, steps: int, first: float, last: float
) -> None:
    """Equation 7 of Ho et al.: the mean is between the sample and the data that the guess of the noise implies."""
    x, W, noise = (np.asarray(one, np.float64) for one in given(seed, (N, d), (d, d), (steps, N, d)))
    beta, rows = np.linspace(first, last, steps), np.zeros((steps, N, d))
    for t in reversed(range(steps)):
        left, before = np.prod(1 - beta[: t + 1]), np.prod(1 - beta[:t])
        data = (x - np.sqrt(1 - left) * np.tanh(x @ W / np.sqrt(d) + (t + 1) / steps)) / np.sqrt(left)
        mean = (np.sqrt(before) * beta[t] * data + np.sqrt(1 - beta[t]) * (1 - before) * x) / (1 - left)
        rows[t] = x = mean + np.sqrt(beta[t] * (1 - before) / (1 - left)) * noise[t]
    assert_near(due("ddpm_step", seed, N, d, steps, first, last), rows, 1e-4)


@pytest.mark.few(0, 1)
@pytest.mark.parametrize(
    ("seed", "T", "V", "merges"),
    [(2, 5, 2, 3), (6, 24, 2, 4), (7, 5, 1, 1), (0, 60, 3, 6), (3, 200, 4, 12), (1, 9, 9, 9)],
)
def test_byte_pairs_equal_those_of_a_library_of_tokenizers(seed: int, T: int, V: int, merges: int) -> None:
    import jax

    models = pytest.importorskip("tokenizers.models", reason="tokenizers is not installed: pip install tokenizers")
    k1, k2 = jax.random.split(jax.random.key(seed))
    text = np.asarray(jax.random.randint(k1, (T,), 0, V))
    shares = np.asarray(jax.random.uniform(k2, (merges, 2)))
    spelled, rules = [chr(ord("a") + letter) for letter in range(V)], []
    for rank in range(merges):
        one, two = (spelled[int(share * (V + rank))] for share in shares[rank])
        rules.append((one, two))
        spelled.append(one + two)
    # Theirs knows a token by its letters, so two rules that spell the same are one token there.
    first = {word: token for token, word in reversed(list(enumerate(spelled)))}
    if any(first[a + b] != V + rules.index((a, b)) for a, b in rules):
        pytest.skip("two rules spell one word")
    model = models.BPE(vocab=first, merges=list(dict.fromkeys(rules)))
    theirs = [token.id for token in model.tokenize("".join(spelled[letter] for letter in text))]
    assert due("bpe_encode", seed, T, V, merges).tolist() == [len(theirs), *theirs, *[-1] * (T - len(theirs))]


@pytest.mark.few(0, 1)
@pytest.mark.parametrize(
    ("steps", "warmup", "peak", "floor"), [(1, 0, 1.0, 0.5), (10, 4, 0.5, 0.1), (100, 0, 3e-4, 3e-5), (7, 6, 2.0, 0.0)]
)
def test_the_schedule_equals_optaxs(steps: int, warmup: int, peak: float, floor: float) -> None:
    import optax

    theirs = optax.warmup_cosine_decay_schedule(0.0, peak, warmup, steps, floor)(np.arange(steps + 2))
    assert np.allclose(due("warmup_cosine", 0, steps, warmup, peak, floor), theirs, rtol=0, atol=1e-6 * peak)


@pytest.mark.few(0, 1)
@pytest.mark.parametrize(("seed", "L", "d", "limit", "decay"), [(0, 2, 3, 0.5, 0.1), (1, 3, 4, 1e3, 0.5)])
def test_a_step_with_clipping_and_decay_equals_optaxs(seed: int, L: int, d: int, limit: float, decay: float) -> None:
    import jax
    import optax

    draws = given(seed, *[(d, d), (d,)] * (2 * L))
    layers = [{"w": w, "b": b} for w, b in zip(draws[::2], draws[1::2], strict=True)]
    parameters, gradients = layers[:L], layers[L:]
    rule = optax.chain(
        optax.clip_by_global_norm(limit),
        optax.add_decayed_weights(decay, mask=[{"w": True, "b": False}] * L),
        optax.sgd(0.1),
    )
    updates, _ = rule.update(gradients, rule.init(parameters), parameters)
    new = np.concatenate([np.ravel(leaf) for leaf in jax.tree.leaves(optax.apply_updates(parameters, updates))])
    assert_near(due("tree_decay_step", seed, L, d, limit, decay), new)


@pytest.mark.nightly
@pytest.mark.few(0, 1)
@pytest.mark.parametrize(
    ("seed", "micro", "B", "T", "V", "limit"), [(0, 3, 2, 4, 5, 100.0), (1, 2, 3, 6, 4, 0.1), (2, 1, 1, 3, 3, 1.0)]
)
def test_micro_batches_give_the_step_of_the_whole_batch(
    seed: int, micro: int, B: int, T: int, V: int, limit: float
) -> None:
    import jax
    import optax

    k1, k2 = jax.random.split(jax.random.key(seed))
    texts = jax.random.randint(k1, (micro, B, T), 0, V).reshape(-1, T)
    weights = jax.random.normal(k2, (V, V), dtype="float32")

    def mean(weights: Any) -> Any:
        costs = optax.softmax_cross_entropy_with_integer_labels(weights[texts[:, :-1]], texts[:, 1:])
        return costs.mean(where=texts[:, 1:] != 0)

    rule = optax.chain(optax.clip_by_global_norm(limit), optax.sgd(0.5))
    loss, slopes = jax.value_and_grad(mean)(weights)
    updates, _ = rule.update(slopes, rule.init(weights))
    theirs = np.append(loss, optax.apply_updates(weights, updates))
    assert_near(due("accumulate_gradients", seed, micro, B, T, V, limit), theirs)


@pytest.mark.nightly
@pytest.mark.few(0, 1)
@pytest.mark.parametrize(
    ("seed", "T", "d", "block", "scale"), [(0, 7, 4, 3, 1.0), (1, 3, 2, 5, 2.0), (2, 40, 8, 8, 30.0)]
)
def test_attention_in_blocks_equals_jaxs_own(seed: int, T: int, d: int, block: int, scale: float) -> None:
    import jax

    q, k, v = (one[:, None, :] for one in given(seed, *[(T, d)] * 3))
    theirs = jax.nn.dot_product_attention(scale * q, k, v)
    assert_near(due("chunked_attention", seed, T, d, block, scale), theirs, atol=1e-4)


@pytest.mark.few(0, 1)
@pytest.mark.parametrize(("seed", "L", "T", "d", "d_ff"), [(0, 1, 2, 3, 4), (1, 5, 3, 2, 6)])
def test_the_gradient_through_layers_is_that_of_differences(seed: int, L: int, T: int, d: int, d_ff: int) -> None:
    x, w1, w2 = (np.asarray(one, np.float64) for one in given(seed, (T, d), (L, d, d_ff), (L, d_ff, d)))

    def loss(x: np.ndarray[Any, Any]) -> Any:
        for up, down in zip(w1 / d**0.5, w2 / d_ff**0.5, strict=True):
            x = x + np.tanh(x @ up) @ down
        return np.mean(x**2)

    steps = 1e-5 * np.eye(T * d).reshape(-1, T, d)
    slopes = [(loss(x + step) - loss(x - step)) / 2e-5 for step in steps]
    assert_near(due("remat_layers", seed, L, T, d, d_ff), slopes, atol=1e-5)


@pytest.mark.few(0, 1)
@pytest.mark.parametrize(("seed", "N", "V", "block"), [(0, 5, 4, 2), (1, 3, 7, 8), (2, 12, 3, 4)])
def test_the_softmax_of_a_kernel_equals_scipys(seed: int, N: int, V: int, block: int) -> None:
    from scipy.special import softmax

    theirs = softmax(4 * drawn(seed, N, V).astype(np.float64), axis=1)
    assert_near(due("pallas_softmax", seed, N, V, block), theirs)


@pytest.mark.nightly
@pytest.mark.few(0, 1)
@pytest.mark.parametrize(("seed", "docs", "T", "d"), [(0, 3, 12, 2), (1, 5, 8, 3), (2, 1, 4, 1)])
def test_packed_documents_are_those_of_rows_of_their_own(seed: int, docs: int, T: int, d: int) -> None:
    import jax

    keys = jax.random.split(jax.random.key(seed), 4)
    q, k, v = (np.asarray(jax.random.normal(key, (T, d)), np.float64) for key in keys[1:])
    rows, start = np.zeros((T, 3 + d)), 0
    rows[:, 0] = -1
    for document, length in enumerate(np.asarray(jax.random.randint(keys[0], (docs,), 1, 6))):
        end = min(start + int(length), T)
        for t in range(start, end):
            shares = np.exp(k[start : t + 1] @ q[t] / np.sqrt(d))
            rows[t] = document, t - start, t + 1 < end, *(shares @ v[start : t + 1] / shares.sum())
        start = end
    assert_near(due("pack_documents", seed, docs, T, d), rows)


@pytest.mark.nightly
@pytest.mark.few(0, 1)
@pytest.mark.parametrize(("seed", "N", "d", "before", "after"), [(0, 2, 3, 2, 3), (1, 4, 2, 5, 1), (2, 1, 1, 1, 4)])
def test_a_run_that_goes_on_equals_one_that_never_stopped(seed: int, N: int, d: int, before: int, after: int) -> None:
    """Adam by hand in float64, without a stop."""
    import jax

    k1, key = jax.random.split(jax.random.key(seed))
    target, losses, saved = np.asarray(jax.random.normal(k1, (d,)), np.float64), [], np.zeros(0)
    w = m = v = np.zeros(d)
    for t in range(1, before + after + 1):
        key, sub = jax.random.split(key)
        x = np.asarray(jax.random.normal(sub, (N, d)), np.float64)
        losses.append(np.mean((x @ (w - target)) ** 2))
        slope = 2 / N * x.T @ x @ (w - target)
        m, v = 0.9 * m + 0.1 * slope, 0.95 * v + 0.05 * slope**2
        w = w - 0.1 * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.95**t)) + 1e-8)
        if t == before:
            words = np.asarray(jax.random.key_data(key), np.int64)
            halves = np.stack([words // 65536, words % 65536], axis=1).ravel() / 65536
            saved = np.concatenate([w, m, v, [t / 100], halves])
    assert_near(due("resume_exactly", seed, N, d, before, after), np.append(saved, losses[before:]))


@pytest.mark.nightly
@pytest.mark.parametrize(("seed", "B", "T", "V", "d", "steps"), [(0, 2, 4, 3, 4, 3), (1, 3, 5, 4, 3, 2)])
def test_a_small_gpt_trains_as_with_the_attention_of_jax(seed: int, B: int, T: int, V: int, d: int, steps: int) -> None:
    """The draws, the attention and the costs by other functions, and momentum by hand in a loop."""
    import jax
    import jax.numpy as jnp
    import optax

    keys = jax.random.split(jax.random.key(seed), 5)
    table = 3 * jax.random.normal(keys[0], (V, V))
    words = [*jax.random.randint(keys[1], (2, steps + 1, B), 0, V)]
    for key in jax.random.split(keys[2], T - 1):
        words.append(jnp.argmax(table[words[-2]] + jax.random.gumbel(key, (steps + 1, B, V)), axis=-1))
    text = jnp.stack(words, axis=-1)
    rows = jax.random.normal(keys[3], (V + T, d)) / d**0.5
    weights = [rows[:V], rows[V:], *jax.random.normal(keys[4], (4, d, d)) / d**0.5]

    def norm(x: Any) -> Any:
        return x * jax.lax.rsqrt((x * x).mean(axis=-1, keepdims=True) + 1e-6)

    @jax.jit
    def loss(weights: Any, batch: Any) -> Any:
        E, places, Wq, Wk, Wv, Wo = weights
        h = E[batch[:, :-1]] + places
        q, k, v = (jnp.einsum("btd,de->bte", norm(h), W)[:, :, None] for W in (Wq, Wk, Wv))
        seen = jax.nn.dot_product_attention(q, k, v, is_causal=True)[:, :, 0]
        logits = norm(h + seen @ Wo) @ E.T
        return optax.softmax_cross_entropy_with_integer_labels(logits, batch[:, 1:]).mean()

    losses, velocity = [], [0.0] * 6
    for batch in text[:-1]:
        losses.append(loss(weights, batch))
        slopes = jax.grad(loss)(weights, batch)
        velocity = [0.9 * u + g for u, g in zip(velocity, slopes, strict=True)]
        weights = [w - 0.1 * u for w, u in zip(weights, velocity, strict=True)]
    assert_near(due("train_gpt", seed, B, T, V, d, steps), np.append(losses, loss(weights, text[-1])), 1e-4)


def torch_linear(torch: Any, layer: Any, kernel: Any) -> None:
    """Set the weights of a torch layer to the transpose of a Flax kernel, and its bias to zero."""
    with torch.no_grad():
        layer.weight.copy_(torch.tensor(np.asarray(kernel).T))
        layer.bias.zero_()


@pytest.mark.few(0, 1)
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


@pytest.mark.few(0, 1)
@pytest.mark.parametrize(("seed", "N", "V", "p"), [(0, 3, 8, 0.6), (1, 5, 12, 0.9)])
def test_the_nucleus_equals_that_of_a_transformers_library(seed: int, N: int, V: int, p: float) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed: pip install torch transformers")
    process = pytest.importorskip(
        "transformers.generation.logits_process", reason="transformers is not installed: pip install transformers"
    )
    kept = process.TopPLogitsWarper(p)(None, torch.tensor(drawn(seed, N, V)))
    assert_near(due("jit_safe_nucleus", seed, N, V, p), torch.softmax(kept, dim=-1).numpy())


@pytest.mark.few(0, 1)
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
