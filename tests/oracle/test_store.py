"""A saved oracle: the same again when read, nothing at all when damaged, no pickle, a name that follows its sources."""

from __future__ import annotations

import dataclasses
import io
import json
import pickle
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from grader.kit.origin import Origin
from grader.kit.problem import Pitfall, Problem, any_of
from grader.marking.judge import Expected
from grader.oracle import mistakes, store
from grader.oracle.expect import truth_of
from grader.oracle.saved import load
from grader.oracle.server import facts
from grader.oracle.store import SavedOracle, fingerprint, pack, remove_stale, save, unpack


def ramp(seed: int, n: int, *, factor: float = 1.0, backwards: bool = False) -> Any:
    values = jnp.sin(jnp.arange(n) / 3 * factor)
    return (jnp.flip(values) if backwards else values).reshape(-1)


PROBLEM = Problem(
    ramp,
    cases=[(0, 1), (0, 3), (0, 4)],
    pitfalls=[
        Pitfall("faster", why="Too fast — é.", hint="How fast?", factor=any_of(2.0, 3.0)),
        Pitfall("backwards", why="Turned round.", hint="Which end?", backwards=True),
    ],
    axes=("position",),
)


@pytest.fixture(scope="module")
def oracle() -> SavedOracle:
    truth = truth_of(PROBLEM)[1]
    screening_case = mistakes.screening_case(PROBLEM, truth.expected)
    levels = {size: list(mistakes.outputs(PROBLEM, size, screening_case)) for size in (1, 2)}
    keys = [(mistake.names, mistake.setting) for mistake in (*levels[1], levels[2][0])]
    confirmed = {key: mistakes.confirm(PROBLEM, *key) for key in keys}
    return SavedOracle(facts(PROBLEM), truth, screening_case, levels, confirmed, Origin.of_this_process())


@pytest.fixture
def saved(oracle: SavedOracle, tmp_path: Path) -> Path:
    path = tmp_path / "oracles" / "ramp-cpu-0123.npz"
    save(path, oracle)
    return path


def assert_same(got: Any, due: Any) -> None:
    """Equal in type and in every part, arrays by value and dtype."""
    assert type(got) is type(due)
    if isinstance(due, np.ndarray):
        assert got.dtype == due.dtype
        assert np.array_equal(got, due, equal_nan=due.dtype.kind in "fc")
    elif dataclasses.is_dataclass(due):
        for field in dataclasses.fields(due):
            assert_same(getattr(got, field.name), getattr(due, field.name))
    elif isinstance(due, dict):
        assert list(got) == list(due)
        for key in due:
            assert_same(got[key], due[key])
    elif isinstance(due, list | tuple):
        assert len(got) == len(due)
        for one, other in zip(got, due, strict=True):
            assert_same(one, other)
    else:
        assert got == due


def test_an_oracle_comes_back_whole(oracle: SavedOracle, saved: Path) -> None:
    assert_same(load(saved), oracle)


@pytest.mark.parametrize("empty", ["levels", "confirmed"])
def test_an_oracle_of_which_little_is_known_comes_back_whole(oracle: SavedOracle, tmp_path: Path, empty: str) -> None:
    young = dataclasses.replace(oracle, **{empty: {}})
    save(tmp_path / "young.npz", young)
    assert_same(load(tmp_path / "young.npz"), young)


def test_saving_again_replaces_the_file_and_leaves_no_other(oracle: SavedOracle, saved: Path) -> None:
    save(saved, dataclasses.replace(oracle, screening_case=0))
    again = load(saved)
    assert again is not None
    assert again.screening_case == 0
    assert list(saved.parent.iterdir()) == [saved]


VALUES = st.one_of(
    hnp.arrays(np.float64, st.integers(0, 4)), hnp.arrays(np.int64, st.integers(0, 4), elements=st.integers(-99, 2**31))
)


@given(st.lists(VALUES, max_size=4), st.booleans(), st.floats(0, 1))
def test_expected_values_are_packed_without_loss(values: list[Any], by_value: bool, tolerance: float) -> None:
    expected = [Expected(one, np.full(one.shape, tolerance) if by_value else tolerance) for one in values]
    assert_same(unpack(pack(expected)), expected)


@pytest.mark.parametrize("part", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_truncated_file_is_no_oracle(saved: Path, part: float) -> None:
    data = saved.read_bytes()
    saved.write_bytes(data[: int(len(data) * part)])
    assert load(saved) is None


@pytest.mark.parametrize("seed", range(4))
def test_a_file_with_a_flipped_bit_is_no_oracle_or_the_same(oracle: SavedOracle, saved: Path, seed: int) -> None:
    data, chosen = saved.read_bytes(), random.Random(seed)
    central = data.index(b"PK\x01\x02")
    # Half of the bits in the directory at the end, which no checksum covers.
    places = [chosen.randrange(central, len(data)) for _ in range(60)] + [chosen.randrange(central) for _ in range(60)]
    for place in places:
        bit = 1 << chosen.randrange(8)
        saved.write_bytes(data[:place] + bytes([data[place] ^ bit]) + data[place + 1 :])
        got = load(saved)
        if got is not None:
            assert_same(got, oracle)


def npz(**arrays: Any) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def header(data: Any) -> np.ndarray:
    return np.frombuffer(json.dumps(data).encode(), np.uint8)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not a zip file",
        b"PK\x03\x04",
        pickle.dumps({"format": 2}),
        npz(),
        npz(values=np.arange(3)),
        npz(header=np.frombuffer(b"{", np.uint8)),
        npz(header=np.frombuffer(b"\xff", np.uint8)),
        npz(header=header([])),
        npz(header=header({})),
        npz(header=header({"format": store.FORMAT})),
        npz(header=header({"format": store.FORMAT, "facts": "none"})),
    ],
)
def test_a_foreign_file_is_no_oracle(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "oracle.npz"
    path.write_bytes(data)
    assert load(path) is None


def test_no_file_and_a_folder_are_no_oracle(tmp_path: Path) -> None:
    assert load(tmp_path / "none.npz") is None
    assert load(tmp_path) is None


def with_header(saved: Path, change: Callable[[dict[str, Any]], None]) -> None:
    with np.load(saved) as stored:
        arrays = dict(stored)
    read = json.loads(arrays["header"].tobytes())
    change(read)
    saved.write_bytes(npz(**{**arrays, "header": header(read)}))


@pytest.mark.parametrize(
    "change",
    [
        lambda read: read.update(format=store.FORMAT + 1),
        lambda read: read.pop("screening_case"),
        lambda read: read["facts"].pop("cases"),
        lambda read: read["facts"]["pitfalls"][0].update(more="than known"),
        lambda read: read["levels"]["1"].pop(),
        lambda read: read["levels"].update({"3": []}),
        lambda read: read.pop("origin"),
        lambda read: read["origin"].update(files=3),
    ],
)
def test_an_oracle_of_another_form_is_none(saved: Path, change: Callable[[dict[str, Any]], None]) -> None:
    with_header(saved, change)
    assert load(saved) is None


def test_an_oracle_that_other_software_made_is_none(oracle: SavedOracle, saved: Path) -> None:
    for name in oracle.origin.distributions:
        with_header(saved, lambda read, name=name: read["origin"]["distributions"].update({name: "0.0.1"}))
        assert load(saved) is None
        save(saved, oracle)
        assert load(saved) is not None


def test_a_saved_oracle_holds_no_pickle(saved: Path) -> None:
    with zipfile.ZipFile(saved) as archive:
        for name in archive.namelist():
            with archive.open(name) as stream:
                assert np.lib.format.read_array(stream, allow_pickle=False).dtype.kind in "fiub"


class Trap:
    """Unpickling this makes a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return Path.touch, (self.path,)


def test_a_pickle_in_a_file_is_not_opened(saved: Path, tmp_path: Path) -> None:
    with np.load(saved) as stored:
        arrays = dict(stored)
    saved.write_bytes(npz(**{**arrays, "truth_0": np.array([Trap(tmp_path / "sprung")], object)}))
    assert load(saved) is None
    assert not (tmp_path / "sprung").exists()


@pytest.fixture
def reference(tmp_path: Path) -> Path:
    path = tmp_path / "solutions" / "ramp" / "reference.py"
    path.parent.mkdir(parents=True)
    path.write_text("problem = 1\n")
    (path.parents[1] / "shared.py").write_text("x = 1\n")
    return path


@pytest.mark.parametrize(
    ("file", "changes"),
    [
        ("ramp/reference.py", True),
        ("shared.py", True),
        ("new_and_shared.py", True),
        ("ramp/answer.py", False),
        ("other/reference.py", False),
    ],
)
def test_the_fingerprint_follows_what_the_oracle_depends_on(reference: Path, file: str, changes: bool) -> None:
    before = fingerprint(reference, "cpu")
    assert fingerprint(reference, "cpu") == before
    changed = reference.parents[1] / file
    changed.parent.mkdir(exist_ok=True)
    changed.write_text("problem = 2\n")
    assert (fingerprint(reference, "cpu") != before) is changes


def test_the_fingerprint_follows_platform_versions_and_format(reference: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint(reference, "cpu")
    assert fingerprint(reference, "gpu") != before
    monkeypatch.setattr(store, "FORMAT", store.FORMAT + 1)
    assert fingerprint(reference, "cpu") != before
    monkeypatch.undo()
    for package in ("jax", "grader"):
        monkeypatch.setattr(store, "installed", lambda name, other=package: "other" if name == other else "0.1")
        assert fingerprint(reference, "cpu") != before
    assert before.isalnum()


def test_moving_text_from_one_file_to_the_next_changes_the_fingerprint(reference: Path) -> None:
    before = fingerprint(reference, "cpu")
    reference.write_text("problem = 1\nx")
    (reference.parents[1] / "shared.py").write_text(" = 1\n")
    assert fingerprint(reference, "cpu") != before


def test_stale_oracles_of_this_problem_and_platform_go_and_nothing_else(tmp_path: Path) -> None:
    stays = {"ramp-cpu-new.npz", "ramp-gpu-old.npz", "ramp_two-cpu-old.npz", "other-cpu-old.npz", "notes.txt"}
    for name in (*stays, "ramp-cpu-old.npz", "ramp-cpu-older.npz"):
        (tmp_path / name).touch()
    remove_stale(tmp_path, "ramp", tmp_path / "ramp-cpu-new.npz")
    assert {path.name for path in tmp_path.iterdir()} == stays
