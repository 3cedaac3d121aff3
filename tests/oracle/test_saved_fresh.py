"""Fresh inputs that are kept: the same again for the same software, and none from a damaged or foreign file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader.kit.kit import Kit
from grader.kit.state import take_warnings
from grader.marking.facts import Fresh, Truth
from grader.oracle import messages
from grader.oracle.client import OracleClient
from grader.oracle.saved_fresh import beside, load, save
from grader.oracle.store import SavedOracle, remove_stale
from tests.oracle.conftest import assert_same, client_of, header, with_arrays, with_header
from tests.oracle.fake_child import FakeLauncher


@pytest.fixture
def fresh(oracle: SavedOracle) -> Fresh:
    truth = oracle.truth
    due = [*truth.expected[:2], replace(truth.expected[2], tolerance=np.full(truth.expected[2].values.size, 1e-5))]
    return Fresh(((7, 1), (8, 3), (9, 4)), Truth(due, [(1,), (3,), (4,)], ["float32"] * 3, [{}] * 3))


@pytest.fixture
def kept(fresh: Fresh, oracle: SavedOracle, tmp_path: Path) -> Path:
    path = beside(tmp_path / "ramp-cpu-0123.npz", 7)
    save(path, fresh, oracle.origin)
    return path


def test_what_was_saved_comes_back_whole(fresh: Fresh, kept: Path, oracle: SavedOracle) -> None:
    assert_same(load(kept, oracle.facts), fresh)


def test_there_may_be_no_file(tmp_path: Path, oracle: SavedOracle) -> None:
    assert load(tmp_path / "none.npz", oracle.facts) is None


def test_a_file_of_other_software_is_not_used_and_stays(kept: Path, oracle: SavedOracle) -> None:
    with_header(kept, lambda read: read["origin"].update(python="2.7"))
    assert load(kept, oracle.facts) is None
    assert (kept.exists(), take_warnings()) == (True, [])


@pytest.mark.parametrize(
    "change",
    [
        lambda read: read.pop("cases"),
        lambda read: read.update(format=1),
        lambda read: read.update(cases=[[7], [8], [9]]),
        lambda read: read.update(cases=read["cases"][:2]),
        lambda read: read.update(shapes=[[1], [3], [5]]),
        lambda read: read.update(dtypes=["float32", "float32", "object"]),
    ],
)
def test_parts_that_do_not_fit_together_are_damage(change: Any, kept: Path, oracle: SavedOracle) -> None:
    with_header(kept, change)
    assert load(kept, oracle.facts) is None
    (line,) = take_warnings()
    assert f"{kept} is damaged (" in line


@pytest.mark.parametrize("part", [0.0, 0.5, 0.99])
def test_a_file_that_is_cut_short_is_damage(part: float, kept: Path, oracle: SavedOracle) -> None:
    data = kept.read_bytes()
    kept.write_bytes(data[: int(len(data) * part)])
    assert load(kept, oracle.facts) is None
    assert not kept.exists()


def test_other_arrays_than_it_should_hold_are_damage(kept: Path, oracle: SavedOracle) -> None:
    with_arrays(kept, {"more": header({})})
    assert load(kept, oracle.facts) is None


def test_it_is_removed_with_its_oracle_and_not_before(kept: Path) -> None:
    remove_stale(kept.parent, "ramp", kept.parent / "ramp-cpu-0123.npz")
    assert kept.exists()
    remove_stale(kept.parent, "ramp", kept.parent / "ramp-cpu-4567.npz")
    assert not kept.exists()


def asked(launcher: FakeLauncher) -> int:
    return sum(isinstance(one, messages.AskFresh) for listed in launcher.asked for one in listed)


def test_a_client_keeps_a_seed_if_it_is_told_to(client: OracleClient, launcher: FakeLauncher, kit: Kit) -> None:
    client.keep_fresh(7)
    first = client.fresh(7)
    client.close()
    again = client_of(kit, launcher)
    assert_same(again.fresh(7), first)
    assert asked(launcher) == 1
    again.fresh(8)
    again.close()
    assert [path.name.partition(".")[2] for path in sorted(kit.state.glob("oracles/*fresh*"))] == ["fresh-7.npz"]


def test_what_cannot_be_kept_is_drawn_again(client: OracleClient, launcher: FakeLauncher, kit: Kit) -> None:
    kit.state.write_text("in the way")
    client.keep_fresh(7)
    assert client.fresh(7) is client.fresh(7)
