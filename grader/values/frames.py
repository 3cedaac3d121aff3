"""Frames: a JSON header of capped length, then the raw bytes of arrays, in pipes and in files. Never a pickle."""

from __future__ import annotations

import json
import math
import os
import struct
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from grader.values.arrays import Array
from grader.values.decode import Malformed

MAGIC, MAGIC_OF_FILE = b"GRD1", b"GRDF"
HEADER_CAP, HEADER_OF_FILE_CAP = 1 << 20, 1 << 23
BODY_CAP = 1 << 28

# NumPy has no bfloat16. Its two bytes are the upper half of a float32, so such an array arrives as float32.
DTYPES = frozenset(
    {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}
    | {"float16", "bfloat16", "float32", "float64", "complex64", "complex128"}
)


class FrameError(Malformed):
    """Bytes that are not one whole frame."""


def pack(header: dict[str, Any], arrays: Sequence[Array] = (), *, level: int = 0) -> bytes:
    """One frame as the bytes of a file, with a checksum, compressed from `level` 1 on. Raises FrameError as `encode`."""
    frame = encode(header, arrays, most=HEADER_OF_FILE_CAP)
    checked = struct.pack("<QI", len(frame), zlib.crc32(frame))
    return b"".join([MAGIC_OF_FILE, checked, zlib.compress(frame, level) if level else frame])


def unpack(data: bytes, limit: int) -> tuple[dict[str, Any], list[Array]]:
    """The inverse of `pack`. Raises FrameError for any other bytes, and for a frame of more than `limit` bytes."""
    start = len(MAGIC_OF_FILE) + 12
    if len(data) < start or not data.startswith(MAGIC_OF_FILE):
        raise FrameError("not a file of the grader")
    size, checksum = struct.unpack("<QI", data[len(MAGIC_OF_FILE) : start])
    if size > limit:
        raise FrameError(f"more than {limit >> 20} MiB when unpacked")
    if not data.startswith(MAGIC, start):
        data, start = _decompressed(data[start:], size), 0
    if len(data) - start != size or zlib.crc32(memoryview(data)[start:]) != checksum:
        raise FrameError("other bytes than were written")
    return decode(data, start, most=HEADER_OF_FILE_CAP)


def _decompressed(data: bytes, size: int) -> bytes:
    stream = zlib.decompressobj()
    try:
        frame = stream.decompress(data, size + 1)  # it may hold more bytes than it says
    except zlib.error as error:
        raise FrameError("other bytes than were written") from error
    if not stream.eof or stream.unused_data:
        raise FrameError("other bytes than were written")
    return frame


def encode(header: dict[str, Any], arrays: Sequence[Array] = (), *, most: int = HEADER_CAP) -> bytes:
    """One frame as bytes, with what JSON has as a header of at most `most` bytes.

    Raises:
        FrameError: for an array whose dtype cannot be sent, or a header that is too long.
    """
    layout: list[dict[str, Any]] = []
    bodies: list[bytes] = []
    for array in arrays:
        name = array.dtype.name
        if name not in DTYPES:
            raise FrameError(f"an array of dtype {name} cannot be sent")
        layout.append({"dtype": name, "shape": list(array.shape)})
        bodies.append(np.ascontiguousarray(array).tobytes())
    head = json.dumps({**header, "arrays": layout}).encode()
    if len(head) > most:
        raise FrameError(f"a header of {len(head)} bytes is too long to send")
    return b"".join([MAGIC, struct.pack("<I", len(head)), head, *bodies])


def header(data: bytes | bytearray, start: int = 0, *, most: int = HEADER_CAP) -> tuple[dict[str, Any] | None, int]:
    """The header, of at most `most` bytes, of the frame at `start`, and where its arrays begin; None if there is none."""
    try:
        return _header(data, start, most)
    except FrameError:
        return None, start


def end_of(data: bytes | bytearray, start: int) -> int:
    """Where the frame ends that begins at `start`; 0 if no whole frame begins there."""
    try:
        announced, end = _header(data, start, HEADER_CAP)
        end += sum(size for _, _, size in _layout(announced))
    except FrameError:
        return 0
    return end if end <= len(data) else 0


def decode(data: bytes | bytearray, start: int = 0, *, most: int = HEADER_CAP) -> tuple[dict[str, Any], list[Array]]:
    """The header, of at most `most` bytes, and arrays of one frame from `start` on. Raises FrameError for other bytes."""
    header, start = _header(data, start, most)
    arrays: list[Array] = []
    view = memoryview(data)
    for dtype, shape, size in _layout(header):
        if start + size > len(data):
            raise FrameError("the frame is cut short")
        arrays.append(_array(view[start : start + size], dtype, shape))
        start += size
    if start != len(data):
        raise FrameError("there is more after the frame")
    del header["arrays"]
    return header, arrays


def read(descriptor: int) -> tuple[dict[str, Any], list[Array]] | None:
    """The next frame of a trusted stream, or None at its end. Raises FrameError if there is no whole frame."""
    prefix = _exactly(descriptor, len(MAGIC) + 4, at_start=True)
    if prefix is None:
        return None
    (length,) = struct.unpack("<I", prefix[len(MAGIC) :])
    if prefix[: len(MAGIC)] != MAGIC or length > HEADER_CAP:
        raise FrameError("not a frame")
    head = prefix + (_exactly(descriptor, length) or b"")
    header, _ = _header(head)
    body = _exactly(descriptor, sum(size for _, _, size in _layout(header))) or b""
    return decode(head + body)


def can_be(array: Array, dtype: str) -> bool:
    """Whether an array can have been sent with the dtype of this name. A bfloat16 arrives as a float32 without low bits."""
    if dtype != "bfloat16":
        return array.dtype.name == dtype
    return array.dtype == np.float32 and not (array.view(np.uint32) & 0xFFFF).any()


def write(descriptor: int, data: bytes) -> None:
    """Write all of `data`: one system call may write only a part of it."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _exactly(descriptor: int, size: int, *, at_start: bool = False) -> bytes | None:
    parts: list[bytes] = []
    left = size
    while left:
        part = os.read(descriptor, min(left, 1 << 20))
        if not part:
            if at_start and left == size:
                return None
            raise FrameError("the frame is cut short")
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _header(data: bytes | bytearray, begin: int = 0, most: int = HEADER_CAP) -> tuple[dict[str, Any], int]:
    start = begin + len(MAGIC) + 4
    if len(data) < start or data[begin : begin + len(MAGIC)] != MAGIC:
        raise FrameError("not a frame")
    (length,) = struct.unpack("<I", data[begin + len(MAGIC) : start])
    if length > most or start + length > len(data):
        raise FrameError("the header is too long or cut short")
    try:
        header = json.loads(data[start : start + length])
    except (ValueError, RecursionError) as error:
        raise FrameError("the header is not JSON") from error
    if not isinstance(header, dict):
        raise FrameError("the header is not an object")
    return header, start + length


def _layout(header: dict[str, Any]) -> list[tuple[str, tuple[int, ...], int]]:
    """(dtype, shape, bytes) of each array that the header announces."""
    announced = header.get("arrays")
    if not isinstance(announced, list):
        raise FrameError("the header announces no arrays")
    layout: list[tuple[str, tuple[int, ...], int]] = []
    total = 0
    for entry in announced:
        match entry:
            case {"dtype": str(dtype), "shape": list(shape)} if dtype in DTYPES and len(entry) == 2:
                sizes: list[Any] = shape
            case _:
                raise FrameError("the header announces something that is not an array")
        # NumPy makes no array whose lengths multiply to too much, though one of them be zero.
        possible = len(sizes) <= 16 and all(type(size) is int and size >= 0 for size in sizes)
        if not possible or math.prod(filter(None, sizes)) > BODY_CAP:
            raise FrameError("the header announces an impossible shape")
        nbytes = math.prod(sizes) * (2 if dtype == "bfloat16" else np.dtype(dtype).itemsize)
        total += nbytes
        if total > BODY_CAP:
            raise FrameError(f"the header announces more than {BODY_CAP >> 20} MiB")
        layout.append((dtype, tuple(sizes), nbytes))
    return layout


def _array(data: memoryview, dtype: str, shape: tuple[int, ...]) -> Array:
    if dtype == "bfloat16":
        halves = np.frombuffer(data, np.uint16).astype(np.uint32)
        halves <<= 16
        return halves.view(np.float32).reshape(shape)
    if dtype == "bool" and np.frombuffer(data, np.uint8).max(initial=0) > 1:
        raise FrameError("a truth value is neither true nor false")
    return np.frombuffer(data, dtype).reshape(shape)
