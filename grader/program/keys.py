"""PRNG keys in NumPy, and the names of the draws from them. A key is one uint64: its first word is the upper half."""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grader.values.arrays import Array
from grader.values.decode import Malformed

KEEPS_KEY = frozenset(("fold_in", "key_data", "key_impl", "wrap_key_data", "clone"))
"""Functions of `jax.random` that take a key and do not consume it."""

_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
_PARITY = np.uint32(0x1BD11BDA)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


def key_words(key: Array) -> tuple[Array, Array]:
    """The two words of each key or each count, as uint32."""
    return (key >> _HALF).astype(np.uint32), (key & _LOW).astype(np.uint32)


def join_words(upper: Array, lower: Array) -> Array:
    """The inverse of `words`."""
    return (upper.astype(np.uint64) << _HALF) | lower.astype(np.uint64)


def key_data(key: int) -> str:
    """The data of a key in hexadecimal: its two words, as `jax.random.key_data` gives them."""
    return np.array(key_words(np.asarray(key, np.uint64)), np.uint32).tobytes().hex()


def of_key_data(data: str) -> int:
    """The inverse of `key_data`."""
    upper, lower = np.frombuffer(bytes.fromhex(data), np.uint32)
    return int(join_words(upper, lower))


def threefry(key: Array, count: Array) -> Array:
    """The block of each key and count, uint64 arrays that broadcast against each other."""
    k0, k1 = key_words(np.asarray(key, np.uint64))
    x0, x1 = key_words(np.asarray(count, np.uint64))
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
    return join_words(x0, x1)


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
    upper, lower = key_words(block)
    return (upper ^ lower).astype(f"uint{bit_width}")


def wrap(data: Array) -> Array:
    """`random_wrap`: keys from their words, which are along the last axis."""
    return join_words(data[..., 0], data[..., 1])


def unwrap(key: Array) -> Array:
    """`random_unwrap`: the words of keys, along a new last axis, as uint32."""
    return np.stack(key_words(key), axis=-1)


def _counts(shape: Sequence[int]) -> Array:
    return np.arange(math.prod(shape), dtype=np.uint64).reshape(tuple(shape))


def draw_name(sampler: str, key: int, size: int, bounds: Sequence[Array] = ()) -> str:
    """The name of a draw of numbers from one key: the same key gives other numbers to another sampler or other bounds."""
    digest = hashlib.sha256()
    for bound in bounds:
        digest.update(np.ascontiguousarray(bound, np.float32 if bound.dtype.kind == "f" else np.int64).tobytes())
    return f"{sampler}:{key:016x}:{size}" + (f":{digest.hexdigest()[:24]}" if bounds else "")


def half_name(uniform: Array) -> str:
    """The name of a normal draw in two halves: the bytes of its first half, a uniform draw in float32."""
    return f"half:{hashlib.sha256(np.ascontiguousarray(uniform, np.float32).tobytes()).hexdigest()[:24]}"


@dataclass(frozen=True)
class PackedDraws:
    """What draws give, case by case and by their names, in four arrays: there may be thousands of draws.

    Attributes:
        names: all names in UTF-8, one a line.
        counts: how many draws each case has, int64.
        sizes: how many numbers each draw gives, int64.
        numbers: all numbers, float32.
    """

    names: bytes
    counts: Array
    sizes: Array
    numbers: Array

    @staticmethod
    def of(numbers: Sequence[Mapping[str, Array]]) -> PackedDraws:
        """What draws give, by their names, for each case."""
        given = [array for case in numbers for array in case.values()]
        return PackedDraws(
            "\n".join(name for case in numbers for name in case).encode(),
            np.array([len(case) for case in numbers], np.int64),
            np.array([array.size for array in given], np.int64),
            np.concatenate([np.zeros(0, np.float32), *given]),
        )

    def parted(self) -> list[dict[str, Array]]:
        """The inverse of `of`.

        Raises:
            Malformed: if the arrays do not fit together.
        """
        arrays = self.counts, self.sizes, self.numbers
        if [f"{array.ndim}{array.dtype}" for array in arrays] != ["1int64", "1int64", "1float32"]:
            raise Malformed("not the arrays of draws")
        try:
            names = self.names.decode().split("\n") if self.names else []
        except UnicodeDecodeError as error:
            raise Malformed("the names of draws are no text") from error
        # Sum as Python integers: NumPy integers may overflow.
        counts, sizes = self.counts.tolist(), self.sizes.tolist()
        if sum(counts) != len(names) or len(names) != len(sizes) or sum(sizes) != self.numbers.size:
            raise Malformed("the names of draws and their numbers do not fit together")
        if min((*counts, *sizes), default=0) < 0:
            raise Malformed("a draw of fewer than no numbers")
        parts = (self.numbers[end - size : end] for size, end in zip(sizes, itertools.accumulate(sizes), strict=True))
        given = iter(zip(names, parts, strict=True))
        return [dict(itertools.islice(given, count)) for count in counts]
