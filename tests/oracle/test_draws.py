"""An answer key that another JAX made: accepted if both draw the same numbers, else refused with one line."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from grader.kit.problem_error import ProblemError
from grader.kit.software import SoftwareOrigin
from grader.oracle import draws
from grader.oracle.draws import Sample

HERE = SoftwareOrigin.of_this_process()
OLDER = replace(HERE, distributions={**HERE.distributions, "numpy": "0.0.1"})


@pytest.fixture(scope="module")
def made() -> Sample:
    return draws.sample(layers=False)


def never(layers: bool) -> Sample:
    raise AssertionError("the same software draws the same numbers: nothing should be computed")


@pytest.mark.slow
def test_a_sample_is_the_same_each_time_and_survives_json(made: Sample) -> None:
    assert draws.sample(layers=False) == made
    assert draws.from_json(json.loads(json.dumps(made))) == made
    assert all(made.values())


@pytest.mark.slow
def test_layers_are_sampled_where_asked_for() -> None:
    whole = draws.sample(layers=True)
    assert {name for name in whole if name.startswith(draws.LAYER)} >= {"nnx.Linear", "nnx.Embed", "nnx.LayerNorm"}


def test_nothing_is_computed_for_the_same_software(made: Sample, tmp_path: Path) -> None:
    draws.check(made, HERE, tmp_path, never)


def test_other_software_that_draws_the_same_passes_and_is_sampled_once(made: Sample, tmp_path: Path) -> None:
    asked: list[bool] = []

    def compute(layers: bool) -> Sample:
        asked.append(layers)
        return made

    for _ in range(3):
        draws.check(made, OLDER, tmp_path, compute)
    assert asked == [False]


def test_a_difference_in_the_last_bits_is_accepted(made: Sample, tmp_path: Path) -> None:
    moved = {name: [number * (1 + 1e-7) for number in numbers] for name, numbers in made.items()}
    draws.check(made, OLDER, tmp_path, lambda _: moved)


@pytest.mark.parametrize("name", ["normal", "permutation", "split"])
def test_another_draw_is_refused_and_named(name: str, made: Sample, tmp_path: Path) -> None:
    other = {**made, name: [number + 1 for number in made[name]]}
    with pytest.raises(ProblemError, match=rf"^{name} gives other numbers .*numpy 0\.0\.1, here"):
        draws.check(made, OLDER, tmp_path, lambda _: other)


def test_a_missing_draw_is_refused(made: Sample, tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match=r"^normal gives other numbers"):
        draws.check(made, OLDER, tmp_path, lambda _: {name: made[name] for name in made if name != "normal"})


@pytest.mark.parametrize("text", ["", "[]", "{", '{"normal": 3}', '{"normal": ["x"]}'])
def test_a_damaged_file_is_computed_again(text: str, made: Sample, tmp_path: Path) -> None:
    draws.check(made, OLDER, tmp_path, lambda _: made)
    (file,) = tmp_path.iterdir()
    file.write_text(text)
    draws.check(made, OLDER, tmp_path, lambda _: made)
    assert json.loads(file.read_text()) == made


def test_a_pipe_in_place_of_the_file_is_replaced_without_waiting(made: Sample, tmp_path: Path) -> None:
    draws.check(made, OLDER, tmp_path, lambda _: made)
    (file,) = tmp_path.iterdir()
    file.unlink()
    os.mkfifo(file)
    draws.check(made, OLDER, tmp_path, lambda _: made)
    assert json.loads(file.read_text()) == made


def test_a_folder_that_cannot_be_written_is_not_a_fault(made: Sample, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    draws.check(made, OLDER, tmp_path / "file" / "draws", lambda _: made)
