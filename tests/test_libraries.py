"""References against independent public libraries, where they are installed: nothing is installed for these tests.

`pip install transformers torch timm` makes them run; they are marked `library`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.test_problems import computed

pytestmark = pytest.mark.library


def due(name: str, *case: float) -> np.ndarray[Any, Any]:
    """What the reference gives in float32."""
    return np.asarray(computed(name).problem.reference(*case))


def drawn(seed: int, *shape: int) -> np.ndarray[Any, Any]:
    import jax

    return np.asarray(jax.random.normal(jax.random.key(seed), shape, dtype="float32"))


@pytest.mark.parametrize(("T", "H", "d_head"), [(5, 2, 4), (9, 3, 10), (33, 1, 64)])
def test_rope_is_that_of_a_transformers_library_with_interleaved_pairs(T: int, H: int, d_head: int) -> None:
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
    # Theirs is slope * j, which the softmax takes for the same bias as -slope * (i - j).
    theirs = bloom.build_alibi_tensor(torch.ones(1, T), H, torch.float32).reshape(H, 1, T).numpy()
    ours = due("alibi_bias", 0, H, T).reshape(H, T, T)
    for i in range(T):
        seen = slice(0, i + 1)
        assert np.allclose(ours[:, i, seen], theirs[:, 0, seen] - theirs[:, 0, i : i + 1], atol=1e-5)
        assert np.all(np.isneginf(ours[:, i, i + 1 :]))


@pytest.mark.parametrize(("T", "H", "buckets", "distance"), [(6, 2, 8, 16), (40, 3, 32, 128)])
def test_t5_buckets_are_those_of_a_transformers_library(T: int, H: int, buckets: int, distance: int) -> None:
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
    # Their order of the dimensions is another, and nothing else: every row holds the same numbers.
    assert np.allclose(np.sort(ours, axis=1), np.sort(theirs.reshape(height * width, d_model), axis=1), atol=1e-5)
