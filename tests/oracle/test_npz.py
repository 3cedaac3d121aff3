"""Reading arrays from bytes of others: plain arrays of one dimension come back, and everything else is refused."""

from __future__ import annotations

import io
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader.kit.decode import Malformed
from grader.oracle.npz import MEMBERS, arrays_of
from tests.oracle.conftest import assert_same, npz

PLENTY = 1 << 20
START = b"\x93NUMPY\x01\x00v\x00"


class Trap:
    """Unpickling this makes a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return Path.touch, (self.path,)


def zipped(*members: tuple[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # zipfile warns of two members with one name
        for name, data in members:
            archive.writestr(name, data)
    return buffer.getvalue()


def member(array: Any) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.bool_, np.uint8])
@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_an_array_comes_back_as_it_was_saved(dtype: Any, save: Any) -> None:
    arrays = {"some": np.arange(5).astype(dtype), "none": np.zeros(0, dtype)}
    buffer = io.BytesIO()
    save(buffer, **arrays)
    assert_same(arrays_of(buffer.getvalue(), PLENTY), arrays)


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((2, 3)),
        np.float64(1.0),
        np.zeros(3, ">f8"),
        np.zeros(3, np.complex64),
        np.zeros(3, "U4"),
        np.zeros(3, [("a", "f8")]),
    ],
)
def test_an_array_of_another_form_is_refused(array: Any) -> None:
    with pytest.raises(Malformed):
        arrays_of(npz(one=array), PLENTY)


def test_a_pickle_is_refused_and_not_opened(tmp_path: Path) -> None:
    with pytest.raises(Malformed):
        arrays_of(npz(one=np.array([Trap(tmp_path / "sprung")], object)), PLENTY)
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize("data", [b"", b"noise", b"PK\x03\x04", npz(one=np.arange(9))[:-30], zipped(("one.npy", b""))])
def test_bytes_that_are_not_a_whole_file_are_refused(data: bytes) -> None:
    with pytest.raises(Malformed):
        arrays_of(data, PLENTY)


@pytest.mark.parametrize(
    "data",
    [
        member(np.arange(4.0))[:-1],
        member(np.arange(4.0)) + b"x",
        START + b"{'descr': '<f8', 'fortran_order': False, 'shape': (999999999999,), }".ljust(117) + b"\n",
        START + b"{'descr': '|b1', 'fortran_order': False, 'shape': (1,), }".ljust(117) + b"\n\2",
    ],
)
def test_an_array_whose_bytes_do_not_fit_its_header_is_refused(data: bytes) -> None:
    with pytest.raises(Malformed):
        arrays_of(zipped(("one.npy", data)), PLENTY)


def test_two_arrays_of_one_name_are_refused() -> None:
    with pytest.raises(Malformed, match="one name for two"):
        arrays_of(zipped(("one.npy", member(np.arange(2))), ("one.npy", member(np.arange(3)))), PLENTY)


def test_a_file_that_unpacks_to_more_than_the_limit_is_refused() -> None:
    data = zipped(("one.npy", member(np.zeros(1 << 17))))
    assert len(data) < 1 << 13
    with pytest.raises(Malformed, match="when unpacked"):
        arrays_of(data, PLENTY)
    assert arrays_of(data, PLENTY + 1024)["one"].size == 1 << 17


def test_a_member_that_unpacks_to_more_than_it_claims_is_refused() -> None:
    whole = member(np.zeros(1 << 17))
    data = zipped(("one.npy", whole))
    size = len(whole).to_bytes(4, "little")
    assert data.count(size) == 2
    with pytest.raises(Malformed):
        arrays_of(data.replace(size, (200).to_bytes(4, "little")), PLENTY)


def test_a_file_of_many_arrays_is_refused() -> None:
    few = {f"a{number}": np.zeros(0) for number in range(MEMBERS)}
    assert len(arrays_of(npz(**few), PLENTY)) == MEMBERS
    with pytest.raises(Malformed, match="more arrays"):
        arrays_of(npz(**few, more=np.zeros(0)), PLENTY)
