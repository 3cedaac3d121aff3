"""What the tests of saved oracles and of answer keys share: one small oracle, its file, and ways to change the file."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from grader.kit.kit import Kit
from grader.kit.problem import Curve
from grader.kit.software import SoftwareOrigin
from grader.marking.facts import MistakeSet
from grader.oracle import mistakes
from grader.oracle.calls import facts
from grader.oracle.expect import truth_of
from grader.oracle.oracle import Oracle, of_reference
from grader.oracle.store import LARGEST_ORACLE, SavedOracle, on_cases, roughly, sampled, save
from grader.values import frames
from grader.where.steps import Packed
from tests.oracle.fake_child import NAME, FakeLauncher
from tests.toy import problem_of


def ramp(seed: int, n: int) -> Any:
    values = jnp.sin(jnp.arange(n) / 3)
    #: faster: (n) / 3 -> (n) / 3 * 2.0, or (n) / 3 * 3.0
    #: shifted: sin( -> sin(0.0) + 1.0 + jnp.sin(
    return values
    #: backwards: values -> jnp.flip(values)


PROBLEM = problem_of(
    ramp,
    {
        "faster": ("Too fast — é.", "How fast?"),
        "backwards": ("Turned round.", "Which end?"),
        "shifted": ("Too large.", "Where does it begin?"),
    },
    cases=[(0, 1), (0, 3), (0, 4)],
    axes=("position",),
    picture=Curve("position"),
)


FEW = (1, 2)


@pytest.fixture(scope="session")
def oracle() -> SavedOracle:
    truth = truth_of(PROBLEM)[1]
    screening_case = mistakes.screening_case(PROBLEM, truth.expected)
    levels = {size: list(mistakes.outputs(PROBLEM, size, screening_case)) for size in (1, 2)}
    keys = [(mistake.names, mistake.forms) for mistake in (*levels[1], levels[2][0])]
    confirmed = {key: mistakes.confirm(PROBLEM, *key) for key in keys}
    return SavedOracle(facts(PROBLEM), truth, screening_case, levels, confirmed, SoftwareOrigin.of_this_process())


@pytest.fixture(scope="session")
def for_key(oracle: SavedOracle) -> SavedOracle:
    """What an answer key holds: sets of one and two on all cases, sets of three on some, and no path of this machine."""
    every = range(len(PROBLEM.cases))
    confirmed = {
        key: on_cases(map(sampled, outputs), cases, len(every))
        for size, cases in ((1, every), (2, every), (3, FEW))
        for key, outputs in mistakes.for_key(PROBLEM, size, cases)
    }
    levels = {
        size: [
            MistakeSet(*key, roughly(one))
            for key, outputs in confirmed.items()
            if len(key[0]) == size and (one := outputs[oracle.screening_case])
        ]
        for size in (1, 2, 3)
    }
    origin = dataclasses.replace(oracle.origin, files={})
    held = {False: Packed(b"of the program", (0, 2)), True: Packed(b"of the value", FEW)}
    return dataclasses.replace(oracle, levels=levels, confirmed=confirmed, few=FEW, origin=origin, steps=held)


@pytest.fixture
def saved(oracle: SavedOracle, tmp_path: Path) -> Path:
    path = tmp_path / "oracles" / "ramp-cpu-0123.oracle"
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


def with_arrays(path: Path, change: Callable[[list[Any]], object]) -> None:
    """Change the list of arrays of a file; its checksum is right."""
    header, arrays = frames.unpack(path.read_bytes(), LARGEST_ORACLE)
    change(arrays)
    path.write_bytes(frames.pack(header, arrays))


def with_header(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the header of a file; its checksum is right."""
    header, arrays = frames.unpack(path.read_bytes(), LARGEST_ORACLE)
    change(header)
    path.write_bytes(frames.pack(header, arrays))


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    kit = Kit(tmp_path / "kit")
    for path, text in ((kit.answer(NAME), "problem = 1\n"), (kit.statement(NAME), "# Ramp\n")):
        path.parent.mkdir(parents=True)
        path.write_text(text)
    return kit


@pytest.fixture
def launcher(for_key: SavedOracle) -> FakeLauncher:
    return FakeLauncher(for_key)


def opened(kit: Kit, launcher: FakeLauncher) -> Oracle:
    return of_reference(kit, NAME, "cpu", lambda: launcher)


@pytest.fixture
def asking(kit: Kit, launcher: FakeLauncher) -> Oracle:
    """An oracle of which nothing is saved: it asks the process of the reference."""
    return opened(kit, launcher)
