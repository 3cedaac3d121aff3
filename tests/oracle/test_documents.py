"""Reading a saved oracle: the same oracle again, or none if the file is damaged, foreign, or of other software."""

from __future__ import annotations

import dataclasses
import pickle
import random
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader.kit.state import take_warnings
from grader.oracle import store
from grader.oracle.documents import LARGEST_KEY, OtherFormat, from_bytes, load
from grader.oracle.store import Mark, SavedOracle, save, to_bytes
from grader.values import frames
from grader.values.decode import Malformed
from tests.oracle.conftest import assert_same, with_arrays, with_header

MARK = Mark("1" * 16, "2" * 16, "3" * 16, {"normal": [0.5]})


def test_an_oracle_comes_back_whole(oracle: SavedOracle, saved: Path) -> None:
    assert_same(load(saved), oracle)


@pytest.mark.parametrize("empty", ["levels", "confirmed"])
def test_an_oracle_with_few_mistakes_comes_back_whole(oracle: SavedOracle, tmp_path: Path, empty: str) -> None:
    young = dataclasses.replace(oracle, **{empty: {}})
    save(tmp_path / "young.oracle", young)
    assert_same(load(tmp_path / "young.oracle"), young)


@pytest.mark.parametrize("part", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_truncated_file_gives_no_oracle(saved: Path, part: float) -> None:
    data = saved.read_bytes()
    saved.write_bytes(data[: int(len(data) * part)])
    assert load(saved) is None


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(4))
def test_a_file_with_a_flipped_bit_gives_no_oracle_or_the_same(oracle: SavedOracle, saved: Path, seed: int) -> None:
    data, chosen = saved.read_bytes(), random.Random(seed)
    edges = [*range(4), *range(len(data) - 4, len(data))]
    for place in [*edges, *(chosen.randrange(len(data)) for _ in range(100))]:
        bit = 1 << chosen.randrange(8)
        saved.write_bytes(data[:place] + bytes([data[place] ^ bit]) + data[place + 1 :])
        got = load(saved)
        if got is not None:
            assert_same(got, oracle)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not a frame",
        b"PK\x03\x04",
        pickle.dumps({"format": 2}),
        frames.encode({"format": store.FORMAT}),
        zlib.compress(b"{"),
        frames.pack({}),
        frames.pack({"format": store.FORMAT}, [np.arange(3)]),
        frames.pack({"format": store.FORMAT, "facts": "none"}),
    ],
)
def test_a_foreign_file_gives_no_oracle(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "oracle.oracle"
    path.write_bytes(data)
    assert load(path) is None


def test_a_missing_file_and_a_folder_give_no_oracle(tmp_path: Path) -> None:
    assert load(tmp_path / "none.oracle") is None
    assert load(tmp_path) is None


def test_a_damaged_file_is_set_aside_with_a_warning_and_a_file_of_other_software_is_not(saved: Path) -> None:
    with_header(saved, lambda read: read["origin"].update(python="2.7"))
    assert load(saved) is None
    assert (saved.exists(), take_warnings()) == (True, [])
    saved.write_bytes(b"noise")
    assert load(saved) is None
    assert not saved.exists()
    (line,) = take_warnings()
    assert f"{saved} is damaged (" in line


@pytest.mark.parametrize(
    "change",
    [
        lambda read: read.update(format=store.FORMAT + 1),
        lambda read: read.pop("screening_case"),
        lambda read: read.update(screening_case=3),
        lambda read: read["facts"].pop("cases"),
        lambda read: read["facts"].update(contract="unheard-of"),
        lambda read: read["facts"].update(wrt="n"),
        lambda read: read["facts"].update(parameters=["seed", "not a name"]),
        lambda read: read["facts"]["cases"][0].append(1),
        lambda read: read["facts"]["pitfalls"][0].update(more="than known"),
        lambda read: read["facts"]["pitfalls"][0].update(name="another"),
        lambda read: read["levels"][0]["keys"].pop(),
        lambda read: read["levels"][0]["keys"][0][0].append("backwards"),
        lambda read: read["levels"].append({"size": 3, "keys": []}),
        lambda read: read["levels"][0].update(size=2),
        lambda read: read["levels"][0].update(size=4),
        lambda read: read["levels"][0].update(size=-1),
        lambda read: read["truth"]["shapes"][0].append(2),
        lambda read: read["truth"]["dtypes"].__setitem__(0, "object"),
        lambda read: read["truth"]["coarse"][0].update(float16=-1.0),
        lambda read: read["truth"]["draws"].pop(),
        lambda read: read["truth"]["draws"][0].append({"key": "/etc/passwd", "count": 1, "line": 0}),
        lambda read: read["facts"]["asked"].update(needs=["no family"]),
        lambda read: read["facts"]["asked"].update(forbids=["no family"]),
        lambda read: read["facts"]["asked"].update(grows="sideways"),
        lambda read: read["facts"]["asked"].update(size="n"),
        lambda read: read["facts"]["asked"].update(pair=[99, -99]),
        lambda read: read["facts"]["asked"].update(needs=["scan"], idle={"scan": [99]}),
        lambda read: read["facts"]["asked"].update(idle={"scan": [0]}),
        lambda read: read["facts"]["asked"].update(largest=[1]),
        lambda read: read["truth"]["shapes"].__setitem__(0, [1] * 30 + read["truth"]["shapes"][0]),
        lambda read: read["levels"][0]["keys"].append([[], [0]]),
        lambda read: read.pop("origin"),
        lambda read: read["origin"].update(files=3),
        lambda read: read.update(steps={"data": "array", "cases": [0]}),
        lambda read: read["truth"].update(uncertain=None),
        lambda read: read["expected"].update(values="values"),
    ],
)
def test_a_header_that_does_not_fit_gives_no_oracle(saved: Path, change: Callable[[dict[str, Any]], object]) -> None:
    with_header(saved, change)
    assert load(saved) is None


# The arrays of the truth are, in order: values, lengths, tolerances, their lengths, which are integers, whole lengths,
# what is uncertain of a mistake and of each value, and of the draws names, counts, sizes and numbers. Those of what is
# confirmed come last, as this oracle holds no steps.
@pytest.mark.parametrize(
    ("array", "change"),
    [
        (0, lambda values: values[:-1]),
        (0, lambda values: values.astype(np.int64)),
        (0, lambda values: values.reshape(-1, 1)),
        (1, lambda lengths: lengths * -1),
        (1, lambda lengths: np.full_like(lengths, 2**62)),
        (1, lambda lengths: lengths[:-1]),
        (2, lambda tolerances: tolerances * np.nan),
        (2, lambda tolerances: tolerances - 1.0),
        (2, lambda tolerances: tolerances[:-1]),
        (3, lambda lengths: lengths + 5),
        (4, lambda integers: integers[:-1]),
        (5, lambda wholes: wholes + 1000),
        (7, lambda uncertain: uncertain - 1.0),
        (7, lambda uncertain: uncertain[:-1]),
        (9, lambda counts: counts + 1),
        (-2, lambda wholes: wholes - 1),
    ],
)
def test_arrays_that_do_not_fit_give_no_oracle(array: int, change: Callable[[Any], Any], saved: Path) -> None:
    with_arrays(saved, lambda arrays: arrays.__setitem__(array, change(arrays[array])))
    assert load(saved) is None


@pytest.mark.parametrize("change", [lambda arrays: arrays.pop(), lambda arrays: arrays.append(np.arange(3))])
def test_other_arrays_than_it_should_hold_give_no_oracle(change: Callable[[Any], Any], saved: Path) -> None:
    with_arrays(saved, change)
    assert load(saved) is None


@pytest.mark.parametrize("value", [np.nan, np.inf, -(2.0**63)])
def test_an_integer_that_is_too_large_or_not_a_number_gives_no_oracle(value: float, saved: Path) -> None:
    def whole(arrays: list[Any]) -> None:
        arrays[0], arrays[4] = np.round(arrays[0]), np.ones_like(arrays[4])

    with_arrays(saved, whole)
    assert load(saved) is not None
    with_arrays(saved, lambda arrays: arrays.__setitem__(0, np.concatenate([[value], arrays[0][1:]])))
    assert load(saved) is None


@pytest.mark.nightly
def test_an_oracle_that_other_software_made_is_not_used(oracle: SavedOracle, saved: Path) -> None:
    for name in oracle.origin.distributions:
        with_header(saved, lambda read, name=name: read["origin"]["distributions"].update({name: "0.0.1"}))
        assert load(saved) is None
        save(saved, oracle)
        assert load(saved) is not None


def test_a_key_comes_back_with_its_mark(for_key: SavedOracle) -> None:
    again, mark = from_bytes(to_bytes(for_key, MARK), LARGEST_KEY)
    assert mark == MARK
    assert (again.facts, again.screening_case, again.origin) == (for_key.facts, for_key.screening_case, for_key.origin)
    assert_same(again.truth, for_key.truth)
    assert (again.few, again.steps) == (for_key.few, for_key.steps)
    assert list(again.confirmed) == list(for_key.confirmed)
    for key, outputs in for_key.confirmed.items():
        held = [case for case, one in enumerate(again.confirmed[key]) if one is not None]
        assert held == [case for case, one in enumerate(outputs) if one is not None]
        assert held == (list(for_key.few) if len(key[0]) == 3 else [0, 1, 2])


def test_a_key_screens_with_wider_tolerances_than_it_confirms(for_key: SavedOracle) -> None:
    again, _ = from_bytes(to_bytes(for_key, MARK), LARGEST_KEY)
    assert {size: len(level) for size, level in again.levels.items()} == {1: 4, 2: 5, 3: 2}
    for level in again.levels.values():
        for mistake in level:
            close = again.confirmed[mistake.names, mistake.forms][again.screening_case]
            assert close is not None
            assert np.array_equal(mistake.expected.values, close.values)
            assert np.array_equal(mistake.expected.tolerance, store.WIDER * close.tolerance)


def test_a_key_of_another_format_is_reported_as_such(saved: Path) -> None:
    with_header(saved, lambda read: read.update(format=store.FORMAT - 1))
    with pytest.raises(OtherFormat):
        from_bytes(saved.read_bytes(), LARGEST_KEY)


@pytest.mark.parametrize("few", [[], [0, 2], [1, 1], [2, 1], [1, 9]])
def test_a_key_whose_mistakes_are_not_held_where_it_says_is_refused(
    few: list[int], for_key: SavedOracle, tmp_path: Path
) -> None:
    path = tmp_path / "key"
    path.write_bytes(to_bytes(for_key, MARK))
    assert for_key.screening_case == 1
    with_header(path, lambda read: read.update(few=few))
    with pytest.raises(Malformed, match=r"its (mistakes|cases|arrays|levels)"):
        from_bytes(path.read_bytes(), LARGEST_KEY)


@pytest.mark.parametrize(
    "change",
    [
        lambda read: read.update(steps_of_value=None),
        lambda read: read["steps_of_value"].update(cases=[9]),
        lambda read: read["steps"].update(cases=[2, 0]),
        lambda read: read["steps"].update(data=None),
        lambda read: read["steps"].update(more=[0]),
        lambda read: read.update(more=read["steps"]),
    ],
)
def test_a_key_whose_steps_are_not_held_where_it_says_is_refused(
    change: Callable[[dict[str, Any]], object], for_key: SavedOracle, tmp_path: Path
) -> None:
    path = tmp_path / "key"
    path.write_bytes(to_bytes(for_key, MARK))
    with_header(path, change)
    with pytest.raises(Malformed, match=r"its (cases|header)|steps|its top"):
        from_bytes(path.read_bytes(), LARGEST_KEY)


@pytest.mark.parametrize(
    "change",
    [
        lambda read: read["origin"]["files"].update({"/etc/passwd": "0"}),
        lambda read: read["origin"].update(python="3\x1b[2J"),
        lambda read: read["origin"]["distributions"].update({"": "1"}),
        lambda read: read["key"].update(statement="1\n2"),
        lambda read: read["facts"]["axes"].append("\u202e"),
        lambda read: read["facts"]["pitfalls"][0]["hint"].update(text="How\x1b[2J?"),
        lambda read: read["facts"]["pitfalls"][0]["hint"].update(translations={"es": "¿Cómo\x1b[2J?"}),
        lambda read: read["facts"]["pitfalls"][0]["hint"].update(fields={"how": "Now"}),
    ],
)
def test_a_key_with_a_path_or_with_text_that_is_not_printable_is_refused(
    change: Callable[[dict[str, Any]], object], for_key: SavedOracle, tmp_path: Path
) -> None:
    path = tmp_path / "key"
    path.write_bytes(to_bytes(for_key, MARK))
    with_header(path, lambda read: None)
    from_bytes(path.read_bytes(), LARGEST_KEY)
    with_header(path, change)
    with pytest.raises(Malformed, match="what it says of itself"):
        from_bytes(path.read_bytes(), LARGEST_KEY)
