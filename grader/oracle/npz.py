"""Reads the arrays of an untrusted `.npz` file: few dtypes, one dimension, no pickle, a limited size."""

from __future__ import annotations

import io
import re
import zipfile

import numpy as np

from grader.kit.decode import Malformed
from grader.marking.judge import Array

MEMBERS = 100
"""The most arrays that a file may hold."""

_ENTRY = b"PK\x01\x02"
"""The first bytes of every entry in the directory of a zip file."""

_START = re.compile(
    rb"\x93NUMPY\x01\x00(?:..)"
    rb"\{'descr': '(<f8|<f4|<i8|\|b1|\|u1)', 'fortran_order': False, 'shape': \((\d{1,12}),\), \} *\n",
    re.DOTALL,
)
"""The header that NumPy writes before an array of one dimension, for the dtypes that an oracle may have."""


def arrays_of(data: bytes, limit: int) -> dict[str, Array]:
    """All arrays by name.

    Args:
        limit: the most bytes that all members of the file together may unpack to.

    Raises:
        Malformed: if the bytes are not an `.npz` file of this form.
    """
    return {name.removesuffix(".npy"): _array(member) for name, member in _members(data, limit).items()}


def _members(data: bytes, limit: int) -> dict[str, bytes]:
    # zipfile makes an object for every entry before this function can limit their number.
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
                    # Not `read()`: a member may unpack to more bytes than the directory states.
                    found[info.filename] = stream.read(info.file_size)
    except Exception as error:  # zipfile and zlib do not document what they raise for bytes that are not a zip file
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
