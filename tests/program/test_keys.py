"""Keys and bits in NumPy are those of `jax.random`."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import random

from grader.program import keys

SEEDS = [0, 1, 42, 2**31 - 1, -1, -7, -(2**31)]


def plain(key: Any) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Keys of JAX as this module holds them."""
    return keys.wrap(np.asarray(random.key_data(key)))


def some_keys() -> Any:
    return random.split(random.key(5), (2, 3))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_seed_of_32_bits_gives_the_key_of_jax(seed: int) -> None:
    assert keys.seed(np.asarray(seed, np.int32)) == plain(random.key(seed))


@pytest.mark.parametrize("seed", [*SEEDS, 2**32, 2**40 + 3, -(2**40), 2**63 - 1, -(2**63)])
def test_a_seed_of_64_bits_gives_the_key_of_jax(seed: int) -> None:
    with jax.enable_x64(True):
        assert keys.seed(np.asarray(seed, np.int64)) == plain(random.key(seed))


def test_several_seeds_give_several_keys() -> None:
    assert np.array_equal(keys.seed(np.array([3, 4, -1], np.int32)), plain(jax.vmap(random.key)(jnp.array([3, 4, -1]))))


def test_keys_and_their_words_are_the_same() -> None:
    data = np.asarray(random.key_data(some_keys()))
    assert np.array_equal(keys.unwrap(keys.wrap(data)), data)
    assert keys.unwrap(keys.wrap(data)).dtype == np.uint32


@pytest.mark.parametrize("number", [0, 1, 77, 2**31 - 1, 2**32 - 1])
def test_a_number_folded_in_gives_the_key_of_jax(number: int) -> None:
    for key in (random.key(0), random.key(-3)):
        assert keys.fold_in(plain(key), np.asarray(number, np.uint32)) == plain(random.fold_in(key, number))


def test_numbers_are_folded_into_keys_one_by_one() -> None:
    numbers = jnp.arange(6, dtype=jnp.uint32).reshape(2, 3)
    due = jax.vmap(jax.vmap(random.fold_in))(some_keys(), numbers)
    assert np.array_equal(keys.fold_in(plain(some_keys()), np.asarray(numbers)), plain(due))


@pytest.mark.parametrize("shape", [(2,), (7,), (1,), (2, 3), (0,), ()])
def test_a_split_gives_the_keys_of_jax(shape: tuple[int, ...]) -> None:
    got = keys.split(plain(random.key(11)), shape=shape)
    assert np.array_equal(got, plain(random.split(random.key(11), shape)))


def test_each_of_several_keys_is_split() -> None:
    due = jax.vmap(jax.vmap(lambda key: random.split(key, (4, 2))))(some_keys())
    assert np.array_equal(keys.split(plain(some_keys()), shape=(4, 2)), plain(due))


@pytest.mark.few(7)
@pytest.mark.parametrize("shape", [(), (5,), (3, 4), (0, 2)])
@pytest.mark.parametrize("width", [8, 16, 32])
def test_bits_are_those_of_jax(width: int, shape: tuple[int, ...]) -> None:
    got = keys.bits(plain(random.key(2)), bit_width=width, shape=shape)
    due = np.asarray(random.bits(random.key(2), shape, f"uint{width}"))
    assert (got.dtype, got.shape) == (due.dtype, due.shape)
    assert np.array_equal(got, due)


def test_bits_of_64_are_those_of_jax() -> None:
    with jax.enable_x64(True):
        due = np.asarray(random.bits(random.key(2), (3, 2), "uint64"))
    assert np.array_equal(keys.bits(plain(random.key(2)), bit_width=64, shape=(3, 2)), due)


def test_each_of_several_keys_gives_bits() -> None:
    due = jax.vmap(jax.vmap(lambda key: random.bits(key, (5,))))(some_keys())
    assert np.array_equal(keys.bits(plain(some_keys()), bit_width=32, shape=(5,)), np.asarray(due))


def test_no_draw_has_another_width() -> None:
    with pytest.raises(ValueError, match="bits"):
        keys.bits(plain(random.key(2)), bit_width=24, shape=(1,))


def test_the_block_is_that_of_the_authors() -> None:
    """A known answer of Random123, the authors' library: Threefry-2x32 of 20 rounds."""
    key = keys.join_words(np.asarray(0x13198A2E), np.asarray(0x03707344))
    count = keys.join_words(np.asarray(0x243F6A88), np.asarray(0x85A308D3))
    assert [int(word) for word in keys.key_words(keys.threefry(key, count))] == [0xC4923A9C, 0x483DF7A0]
