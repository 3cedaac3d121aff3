"""The one codec: a value of a declared type as the header and the arrays of a frame, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, ClassVar, TypeVar, cast

import numpy as np

from grader.values import frames
from grader.values.arrays import Array
from grader.values.decode import Decoder, Malformed, Misfit

T = TypeVar("T")

HERE = "array"
"""What stands in a header in the place of an array, or of bytes: these are sent as an array of uint8."""


def to_frame(value: Any) -> tuple[Any, list[Array]]:
    """A value as a header and arrays.

    It runs beside an answer too: it copies nothing and imports nothing, since an answer that listens to what Python does
    would hear that, and could stop it.
    """
    arrays: list[Array] = []
    return _header(value, arrays), arrays


def _header(value: Any, arrays: list[Array]) -> Any:
    if isinstance(value, bytes):
        value = np.frombuffer(value, np.uint8)
    if isinstance(value, np.ndarray):
        arrays.append(value)
        return HERE
    if isinstance(value, dict):
        return {name: _header(item, arrays) for name, item in cast("dict[Any, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_header(item, arrays) for item in cast("Sequence[Any]", value)]
    if is_dataclass(value):
        return {field.name: _header(getattr(value, field.name), arrays) for field in fields(value)}
    return value


def from_frame(kind: type[T], header: Any, arrays: Sequence[Array]) -> T:
    """The inverse of `to_frame`, for data that nobody needs to trust.

    Args:
        kind: the type of the value: one of those of `decode.decode`, with arrays and bytes in it.

    Raises:
        Malformed: if the header does not have the form of the type, or announces other arrays than there are.
    """
    decoder = _Decoder(arrays)
    value: T = decoder.whole(kind, header)
    if decoder.taken != len(arrays):
        raise Malformed("there are more arrays than its header announces")
    return value


class _Decoder(Decoder):
    known: ClassVar[Mapping[str, Any]] = {"Array": Array}

    def __init__(self, arrays: Sequence[Array]) -> None:
        self._arrays = arrays

    def other(self, kind: Any, data: Any) -> Any:
        # What `Array` consists of differs between versions of NumPy: in 2.5 it is an alias without an origin.
        if data != HERE or self.taken == len(self._arrays) or (kind is not bytes and kind != Array):
            raise Misfit
        array = self._arrays[self.taken]
        if kind is bytes and (array.dtype != np.uint8 or array.ndim != 1):
            raise Misfit("no bytes")
        self.taken += 1
        return array.tobytes() if kind is bytes else array


def encode(value: Any) -> bytes:
    """A value as the bytes of a frame for a pipe. Raises FrameError as `frames.encode`."""
    return frames.encode(*to_frame(value))


def read(kind: type[T], descriptor: int) -> T | None:
    """The value in the next frame of a stream, or None at its end. Raises Malformed if there is none of this type."""
    message = frames.read(descriptor)
    return None if message is None else from_frame(kind, *message)
