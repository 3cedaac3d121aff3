"""Writing a saved oracle: packed without loss, replaced in one step, named after its sources."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from grader.oracle import store
from grader.oracle.documents import load
from grader.oracle.store import SAMPLED, PackedExpected, SavedOracle, fingerprint, remove_stale, sample, sampled, save
from grader.values.arrays import Expected, SampledExpected
from grader.values.outline import Draw
from tests.oracle.conftest import assert_same


def test_saving_again_replaces_the_file_and_leaves_no_other(oracle: SavedOracle, saved: Path) -> None:
    save(saved, dataclasses.replace(oracle, screening_case=0))
    again = load(saved)
    assert again is not None
    assert again.screening_case == 0
    assert list(saved.parent.iterdir()) == [saved]


def test_an_oracle_that_is_too_large_to_be_read_again_is_not_saved(
    oracle: SavedOracle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "LARGEST_ORACLE", 1000)
    with pytest.raises(OSError, match="too large"):
        save(tmp_path / "some.oracle", oracle)
    assert list(tmp_path.iterdir()) == []


def test_an_oracle_whose_header_is_too_long_to_be_read_again_is_not_saved(oracle: SavedOracle, tmp_path: Path) -> None:
    known = dataclasses.replace(oracle.truth, draws=[[Draw("0" * 9_000_000, 1)]])
    with pytest.raises(OSError, match="too large"):
        save(tmp_path / "some.oracle", dataclasses.replace(oracle, truth=known))


VALUES = st.one_of(
    hnp.arrays(np.float64, st.integers(0, 4)), hnp.arrays(np.int64, st.integers(0, 4), elements=st.integers(-99, 2**31))
)


@given(st.lists(VALUES, max_size=4), st.booleans(), st.floats(0, 1))
def test_expected_values_are_packed_without_loss(values: list[Any], by_value: bool, tolerance: float) -> None:
    expected = [Expected(one, np.full(one.shape, tolerance) if by_value else tolerance) for one in values]
    assert_same(PackedExpected.of(expected).expected(len(expected)), expected)


@pytest.mark.parametrize("size", [0, 1, SAMPLED, SAMPLED + 1, 12000, 20001])
def test_a_sample_is_spread_over_all_of_the_values(size: int) -> None:
    at = sample(size)
    assert at.size == min(size, at.size) <= SAMPLED
    assert np.all(np.diff(at) > 0)
    if size > SAMPLED:
        assert at.size > 0.8 * SAMPLED
        assert np.diff(at).max() < 8 * size / SAMPLED
        assert {int(index) % 6 for index in at} == set(range(6))


def test_a_sampled_mistake_keeps_its_size_and_comes_back_from_a_file() -> None:
    whole = Expected(np.arange(1000.0), np.full(1000, 0.25))
    kept = sampled(whole)
    (again,) = PackedExpected.of([kept]).expected(1)
    for one in (kept, again):
        assert one.size == 1000
        assert np.array_equal(one.pick(whole.values), one.values)
        assert isinstance(one, SampledExpected)
        assert np.array_equal(one.places, sample(1000))


@pytest.fixture
def reference(tmp_path: Path) -> Path:
    path = tmp_path / "solutions" / "ramp" / "answer.py"
    path.parent.mkdir(parents=True)
    path.write_text("problem = 1\n")
    (path.parents[1] / "shared.py").write_text("x = 1\n")
    return path


@pytest.mark.parametrize(
    ("file", "changes"),
    [
        ("ramp/answer.py", True),
        ("shared.py", True),
        ("new_and_shared.py", True),
        ("ramp/mistakes.md", True),
        ("ramp/other.py", False),
        ("other/answer.py", False),
    ],
)
def test_the_fingerprint_changes_with_the_files_that_the_oracle_depends_on(
    reference: Path, file: str, changes: bool
) -> None:
    before = fingerprint(reference, "cpu")
    assert fingerprint(reference, "cpu") == before
    changed = reference.parents[1] / file
    changed.parent.mkdir(exist_ok=True)
    changed.write_text("problem = 2\n")
    assert (fingerprint(reference, "cpu") != before) is changes


def test_the_fingerprint_changes_with_platform_versions_and_format(
    reference: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = fingerprint(reference, "cpu")
    assert fingerprint(reference, "gpu") != before
    monkeypatch.setattr(store, "FORMAT", store.FORMAT + 1)
    assert fingerprint(reference, "cpu") != before
    monkeypatch.undo()
    for package in ("jax", "grader"):
        monkeypatch.setattr(store, "installed_version", lambda name, other=package: "other" if name == other else "0.1")
        assert fingerprint(reference, "cpu") != before
    assert before.isalnum()


def test_moving_text_from_one_file_to_the_next_changes_the_fingerprint(reference: Path) -> None:
    before = fingerprint(reference, "cpu")
    reference.write_text("problem = 1\nx")
    (reference.parents[1] / "shared.py").write_text(" = 1\n")
    assert fingerprint(reference, "cpu") != before


def test_only_stale_oracles_of_this_problem_and_platform_are_removed(tmp_path: Path) -> None:
    stays = {f"{name}.oracle" for name in ("ramp-cpu-new", "ramp-gpu-old", "ramp_two-cpu-old", "other-cpu-old")}
    stays |= {"ramp-cpu-new.steps", "ramp-cpu-new.value.steps", "ramp-gpu-old.steps", "ramp-cpu-old.oracle.damaged"}
    stale = [f"ramp-cpu-old.{kind}" for kind in ("oracle", "steps", "value.steps", "fresh-7", "npz")]
    for name in (*stays, *stale, "ramp-cpu-older.oracle", "notes.txt"):
        (tmp_path / name).touch()
    remove_stale(tmp_path / "ramp-cpu-new.oracle")
    assert {path.name for path in tmp_path.iterdir()} == {*stays, "notes.txt"}
