"""PRNG keys in NumPy: Threefry-2x32 as `jax.random` uses it. A key is one uint64: its first word is the upper half.

The generator is that of Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3 (SC 2011), with 20 rounds. Splits and
bits are those of `jax_threefry_partitionable`, JAX's default: the index of a number alone says what it is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from grader.marking.comparison import Array

KEEPS_KEY = frozenset(("fold_in", "key_data", "key_impl", "wrap_key_data", "clone"))
"""Functions of `jax.random` that take a key and do not consume it."""

_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
_PARITY = np.uint32(0x1BD11BDA)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


def words(key: Array) -> tuple[Array, Array]:
    """The two words of each key or each count, as uint32."""
    return (key >> _HALF).astype(np.uint32), (key & _LOW).astype(np.uint32)


def joined(upper: Array, lower: Array) -> Array:
    """The inverse of `words`."""
    return (upper.astype(np.uint64) << _HALF) | lower.astype(np.uint64)


def key_data(key: int) -> str:
    """The data of a key in hexadecimal: its two words, as `jax.random.key_data` gives them."""
    return np.array(words(np.asarray(key, np.uint64)), np.uint32).tobytes().hex()


def of_key_data(data: str) -> int:
    """The inverse of `key_data`."""
    upper, lower = np.frombuffer(bytes.fromhex(data), np.uint32)
    return int(joined(upper, lower))


def threefry(key: Array, count: Array) -> Array:
    """The block of each key and count, uint64 arrays that broadcast against each other."""
    k0, k1 = words(np.asarray(key, np.uint64))
    x0, x1 = words(np.asarray(count, np.uint64))
    schedule = (k0, k1, k0 ^ k1 ^ _PARITY)
    with np.errstate(over="ignore"):
        x0, x1 = x0 + schedule[0], x1 + schedule[1]
        for block in range(5):
            for rotation in _ROTATIONS[block % 2]:
                x0 = x0 + x1
                x1 = (x1 << np.uint32(rotation)) | (x1 >> np.uint32(32 - rotation))
                x1 = x0 ^ x1
            x0 = x0 + schedule[(block + 1) % 3]
            x1 = x1 + schedule[(block + 2) % 3] + np.uint32(block + 1)
    return joined(x0, x1)


def seed(number: Array) -> Array:
    """`random_seed`: the key of a seed. Its first word is zero for seeds of 32 bits and less."""
    number = np.asarray(number)
    whole = number.astype(np.int64).astype(np.uint64)
    return whole if number.dtype.itemsize == 8 else whole & _LOW


def fold_in(key: Array, number: Array) -> Array:
    """`random_fold_in`: a key and a number of 32 bits give another key."""
    return threefry(key, seed(number) & _LOW)


def split(key: Array, *, shape: Sequence[int]) -> Array:
    """`random_split`: `shape` keys from each key; the new axes come last."""
    return threefry(np.asarray(key)[(..., *[None] * len(shape))], _counts(shape))


def bits(key: Array, *, bit_width: int, shape: Sequence[int]) -> Array:
    """`random_bits`: `shape` unsigned integers from each key; the new axes come last.

    Raises:
        ValueError: for another width than 8, 16, 32 or 64 bits.
    """
    if bit_width not in (8, 16, 32, 64):
        raise ValueError(f"no draw has {bit_width} bits")
    block = threefry(np.asarray(key)[(..., *[None] * len(shape))], _counts(shape))
    if bit_width == 64:
        return block
    upper, lower = words(block)
    return (upper ^ lower).astype(f"uint{bit_width}")


def wrap(data: Array) -> Array:
    """`random_wrap`: keys from their words, which are along the last axis."""
    return joined(data[..., 0], data[..., 1])


def unwrap(key: Array) -> Array:
    """`random_unwrap`: the words of keys, along a new last axis, as uint32."""
    return np.stack(words(key), axis=-1)


def _counts(shape: Sequence[int]) -> Array:
    return np.arange(math.prod(shape), dtype=np.uint64).reshape(tuple(shape))
