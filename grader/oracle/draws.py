"""A sample of draws and fresh layers in an answer key: it detects a JAX that draws other numbers than the key's own."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from grader.kit.files import write_atomically
from grader.kit.problem_error import ProblemError
from grader.kit.software import SoftwareOrigin
from grader.kit.state import read_or_set_aside
from grader.values.arrays import DRAWS_CLOSE
from grader.values.decode import decode, parse

Sample = dict[str, list[float]]
"""Numbers, by the name of the function or layer that draws them."""

LARGEST_SAMPLE_FILE = 1 << 20
"""Bytes of the largest sample file that is read."""

LAYER = "nnx."
"""The prefix of the names of layers."""


def sample(*, layers: bool) -> Sample:
    """Draws of `jax.random` and, with `layers`, the weights of fresh layers of `flax.nnx`. Runs JAX."""
    import jax
    import jax.numpy as jnp

    key = jax.random.key(2026)

    def draws() -> dict[str, jax.Array]:
        drawn = {
            "bits": jax.random.bits(key, (4,)) % 1000,
            "split": jax.random.key_data(jax.random.split(key, 2)).reshape(-1) % 1000,
            "fold_in": jax.random.key_data(jax.random.fold_in(key, 7)) % 1000,
            "normal": jax.random.normal(key, (4,)),
            "uniform": jax.random.uniform(key, (4,)),
            "truncated_normal": jax.random.truncated_normal(key, -2, 2, (4,)),
            "randint": jax.random.randint(key, (4,), 0, 1000),
            "bernoulli": jax.random.bernoulli(key, 0.5, (8,)),
            "permutation": jax.random.permutation(key, 8),
            "categorical": jax.random.categorical(key, jnp.zeros(50), shape=(4,)),
        }
        return {**drawn, **(_layers() if layers else {})}

    return {name: [float(number) for number in np.ravel(drawn)] for name, drawn in jax.jit(draws)().items()}


def _layers() -> dict[str, Any]:
    import jax.numpy as jnp
    from flax import nnx

    rngs = nnx.Rngs(2026)
    x = jnp.arange(4.0).reshape(1, 2, 2)
    attention = nnx.MultiHeadAttention(num_heads=1, in_features=2, decode=False, rngs=rngs)
    return {
        "nnx.Embed": nnx.Embed(2, 2, rngs=rngs).embedding[...],
        "nnx.Linear": nnx.Linear(2, 2, rngs=rngs)(x),
        "nnx.LayerNorm": nnx.LayerNorm(2, rngs=rngs)(x / 1000),
        "nnx.Dropout": nnx.Dropout(0.5, deterministic=False, rngs=rngs)(x + 1),
        "nnx.MultiHeadAttention": attention(x),
    }


def check(made: Sample, origin: SoftwareOrigin, folder: Path, compute: Callable[[bool], Sample]) -> None:
    """Compare the sample in an answer key with a sample of the software that is installed here.

    Args:
        made: the sample in the answer key.
        origin: the software that made the key. If the same software is installed here, nothing is computed.
        folder: holds the sample of this software, which is computed once.
        compute: computes the sample of this software, with layers or without.

    Raises:
        ProblemError: where a draw differs.
    """
    different = origin.differences()
    if not different:
        return
    here = _once(folder, origin, any(name.startswith(LAYER) for name in made), compute)
    if others := [name for name, numbers in made.items() if not _same(numbers, here.get(name, []))]:
        raise ProblemError(f"{', '.join(others)} gives other numbers than where this was made ({'; '.join(different)})")


def _same(numbers: Sequence[float], here: Sequence[float]) -> bool:
    return len(numbers) == len(here) and np.allclose(numbers, here, rtol=DRAWS_CLOSE, atol=DRAWS_CLOSE)


def _once(folder: Path, origin: SoftwareOrigin, layers: bool, compute: Callable[[bool], Sample]) -> Sample:
    """The sample of this software, read from a file named after it, or computed and kept there."""
    digest = hashlib.sha256(json.dumps([asdict(origin.here()), layers]).encode()).hexdigest()[:16]
    file = folder / f"{digest}.json"
    kept = read_or_set_aside(file, LARGEST_SAMPLE_FILE, lambda data: from_json(parse(data)))
    if kept is not None:
        return kept
    computed = compute(layers)
    with contextlib.suppress(OSError):  # grading needs no file in the kit
        write_atomically(file, json.dumps(computed).encode())
    return computed


def from_json(data: Any) -> Sample:
    """The sample in a JSON document.

    Raises:
        Malformed: where the document is not a sample.
    """
    return decode(Sample, data)
