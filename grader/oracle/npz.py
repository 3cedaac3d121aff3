"""The arrays of an `.npz` file, read with care: few dtypes, one dimension, no pickle, never more than a limit."""

from __future__ import annotations

import io
import re
import zipfile

import numpy as np

from grader.kit.decode import Malformed
from grader.marking.judge import Array

MEMBERS = 100
"""Arrays that a file may hold."""

_ENTRY = b"PK\x01\x02"
"""What every entry of a zip file's directory begins with."""

_START = re.compile(
    rb"\x93NUMPY\x01\x00(?:..)"
    rb"\{'descr': '(<f8|<f4|<i8|\|b1|\|u1)', 'fortran_order': False, 'shape': \((\d{1,12}),\), \} *\n",
    re.DOTALL,
)
"""How NumPy begins an array of one dimension, of a dtype that an oracle may have."""


def arrays_of(data: bytes, limit: int) -> dict[str, Array]:
    """All arrays by name; together they hold at most `limit` bytes.

    Raises:
        Malformed: where the bytes are no such file.
    """
    return {name.removesuffix(".npy"): _array(member) for name, member in _members(data, limit).items()}


def _members(data: bytes, limit: int) -> dict[str, bytes]:
    # zipfile makes an object of every entry before anything can be asked of it.
    if data.count(_ENTRY) > MEMBERS:
        raise Malformed("more arrays than an oracle has")
    found: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
            if sum(info.file_size for info in infos) > limit:
                raise Malformed(f"more than {limit} bytes when unpacked")
            for info in infos:
                with archive.open(info) as stream:
                    # Never `read()`: a member may unpack to more than it says.
                    found[info.filename] = stream.read(info.file_size)
    except Exception as error:  # zipfile and zlib say nowhere what they raise over bytes that are no zip file
        raise error if isinstance(error, Malformed) else Malformed("no whole .npz file") from error
    if len(found) != len(infos):
        raise Malformed("one name for two arrays")
    return found


def _array(member: bytes) -> Array:
    start = _START.match(member)
    if start is None:
        raise Malformed("no array that an oracle has")
    dtype, size = np.dtype(start[1].decode()), int(start[2])
    if len(member) - start.end() != size * dtype.itemsize:
        raise Malformed("an array is cut short")
    if dtype.kind == "b" and member[start.end() :].translate(None, b"\0\1"):
        raise Malformed("a truth value that is neither")
    return np.frombuffer(member, dtype, offset=start.end())
