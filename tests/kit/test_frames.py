"""Frames: arrays arrive unchanged, and bytes that are not exactly one whole frame are refused."""

from __future__ import annotations

import json
import os
import struct
import zlib
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from grader.values import frames

DTYPES = ["bool", "int8", "int32", "uint16", "uint64", "float16", "float32", "float64", "complex64"]


@given(hnp.arrays(st.sampled_from(DTYPES), hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)))
def test_an_array_arrives_unchanged(array: np.ndarray[Any, Any]) -> None:
    header, (again,) = frames.decode(frames.encode({"case": 1}, [array]))
    assert header["case"] == 1
    assert (again.dtype, again.shape) == (array.dtype, array.shape)
    assert again.tobytes() == array.tobytes()


def test_bfloat16_arrives_as_the_float32_of_the_same_value() -> None:
    array = np.array([1.5, -2.0, np.inf], ml_dtypes.bfloat16)
    header, (again,) = frames.decode(frames.encode({}, [array]))
    assert header == {}
    assert again.tolist() == [1.5, -2.0, np.inf]
    assert frames.can_be(again, "bfloat16")
    assert not frames.can_be(again + np.float32(2**-10), "bfloat16")
    assert not frames.can_be(again.astype(np.float64), "bfloat16")


FRAME = frames.encode({"a": 1}, [np.arange(6.0).reshape(2, 3)])


@given(st.integers(0, len(FRAME) - 1))
def test_a_frame_that_is_cut_anywhere_is_refused(length: int) -> None:
    with pytest.raises(frames.FrameError):
        frames.decode(FRAME[:length])


@pytest.mark.parametrize("more", [b"x", FRAME])
def test_anything_after_the_frame_is_refused(more: bytes) -> None:
    with pytest.raises(frames.FrameError, match="more after"):
        frames.decode(FRAME + more)


@given(st.binary(max_size=200))
def test_random_bytes_are_refused(data: bytes) -> None:
    for candidate in (data, frames.MAGIC + data, frames.MAGIC + struct.pack("<I", len(data)) + data):
        with pytest.raises(frames.FrameError):
            frames.decode(candidate)


@pytest.mark.parametrize(
    "arrays",
    [
        [{"dtype": "object", "shape": [1]}],
        [{"dtype": "V8", "shape": [1]}],
        [{"dtype": "float32", "shape": [-1]}],
        [{"dtype": "float32", "shape": [1 << 40]}],
        [{"dtype": "float32", "shape": [1 << 20, 1 << 20]}],
        [{"dtype": "float32", "shape": [1.0]}],
        [{"dtype": "float32", "shape": [True]}],
        [{"dtype": "float32", "shape": [0] + [1 << 28] * 8}],
        [{"dtype": "float32", "shape": [1] * 40}],
        [{"dtype": "float32", "shape": [1], "more": 1}],
        [["float32", [1]]],
        {"dtype": "float32"},
        None,
    ],
)
def test_a_header_with_an_impossible_array_is_refused(arrays: Any) -> None:
    head = json.dumps({"arrays": arrays}).encode()
    with pytest.raises(frames.FrameError):
        frames.decode(frames.MAGIC + struct.pack("<I", len(head)) + head)


@pytest.mark.parametrize("head", [b"[" * 100000, b"[]", b"\xff", b"{" + b" " * (frames.HEADER_CAP + 1) + b"}"])
def test_a_header_that_is_not_a_small_object_is_refused(head: bytes) -> None:
    with pytest.raises(frames.FrameError):
        frames.decode(frames.MAGIC + struct.pack("<I", len(head)) + head)


def test_a_truth_value_that_is_neither_true_nor_false_is_refused() -> None:
    frame = frames.encode({}, [np.array([True, False])])
    with pytest.raises(frames.FrameError, match="neither true nor false"):
        frames.decode(frame[:-1] + b"\2")


def test_objects_cannot_be_sent() -> None:
    with pytest.raises(frames.FrameError, match="dtype object"):
        frames.encode({}, [np.array([None])])


def test_frames_are_read_one_after_another_until_the_end() -> None:
    reading, writing = os.pipe()
    frames.write(writing, FRAME + frames.encode({"b": 2}))
    os.close(writing)
    first, second = frames.read(reading), frames.read(reading)
    assert first is not None
    assert second is not None
    assert (first[0]["a"], first[1][0].shape, second[0]["b"]) == (1, (2, 3), 2)
    assert frames.read(reading) is None
    os.close(reading)


@pytest.mark.parametrize("level", [0, 9])
def test_a_file_comes_back_as_it_was_packed(level: int) -> None:
    header, (again,) = frames.unpack(frames.pack({"a": 1}, [np.arange(6.0).reshape(2, 3)], level=level), 1 << 20)
    assert header == {"a": 1}
    assert np.array_equal(again, np.arange(6.0).reshape(2, 3))


def test_a_compressed_file_is_small() -> None:
    assert len(frames.pack({}, [np.zeros(1 << 17)], level=9)) < 1 << 13 < len(frames.pack({}, [np.zeros(1 << 17)]))


PACKED = frames.pack({"a": 1}, [np.arange(6.0)])


@pytest.mark.parametrize(
    "data", [b"", b"noise", b"PK\3\4", FRAME, PACKED[:-1], PACKED + b"x", PACKED + PACKED, zlib.compress(FRAME)]
)
def test_other_bytes_than_a_file_are_refused(data: bytes) -> None:
    with pytest.raises(frames.FrameError):
        frames.unpack(data, 1 << 20)


@given(st.integers(0, len(PACKED) - 1), st.integers(0, 7))
def test_a_file_with_a_flipped_bit_is_refused(place: int, bit: int) -> None:
    changed = bytearray(PACKED)
    changed[place] ^= 1 << bit
    with pytest.raises(frames.FrameError):
        frames.unpack(bytes(changed), 1 << 20)


def test_a_file_that_unpacks_to_more_than_the_limit_is_refused() -> None:
    data = frames.pack({}, [np.zeros(1 << 17)], level=9)
    with pytest.raises(frames.FrameError, match="when unpacked"):
        frames.unpack(data, 1 << 20)
    assert frames.unpack(data, (1 << 20) + 200)[1][0].size == 1 << 17


@pytest.mark.parametrize("size", [0, 100, 1 << 19])
def test_a_file_that_unpacks_to_another_size_than_it_says_is_refused(size: int) -> None:
    data = frames.pack({}, [np.zeros(1 << 17)], level=9)
    with pytest.raises(frames.FrameError, match="other bytes"):
        frames.unpack(data[:4] + struct.pack("<Q", size) + data[12:], 1 << 30)


def test_the_header_of_a_file_may_be_longer_than_that_of_a_frame_in_a_pipe() -> None:
    long = {"a": "x" * frames.HEADER_CAP}
    assert frames.unpack(frames.pack(long), 1 << 24)[0] == long
    with pytest.raises(frames.FrameError, match="too long"):
        frames.encode(long)
    with pytest.raises(frames.FrameError, match="too long"):
        frames.pack({"a": "x" * frames.HEADER_OF_FILE_CAP})
