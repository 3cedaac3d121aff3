"""A table made from a key passes wherever that key grades, and the ways out that the guides name detect it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from grader.oracle.documents import LARGEST_KEY, from_bytes
from tests.author import toys
from tests.classroom.autograder.conftest import Layout, unpack
from tests.conftest import Command

pytestmark = [
    pytest.mark.slow,  # the real commands, one after the other
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux confines answers"),
]

NAME = "distance_decay"
CASES, OTHERS = "[(0, 2), (0, 3), (1, 5)]", "[(0, 2), (2, 4), (3, 6)]"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A kit with solutions, `kit`; what is handed out of it, `keyed`; the same kit with other cases, `other`."""
    folder = tmp_path_factory.mktemp("course")
    toys.make(folder / "other", files={**toys.FILES, toys.WORKED_FILE: toys.WORKED.replace(CASES, OTHERS)})
    done = Command(toys.make(folder / "kit"))("release", str(folder / "keyed"), "--without-places")
    assert done.returncode == 0, done.stderr
    (folder / "week1" / "eve").mkdir(parents=True)
    (folder / "week1" / "eve" / f"{NAME}.py").write_text(table(folder / "keyed" / "problems" / NAME / "key.bin"))
    return folder


def table(key: Path) -> str:
    """An answer that looks up what a key holds."""
    oracle, _ = from_bytes(key.read_bytes(), LARGEST_KEY)
    known = {case: due.values.tolist() for case, due in zip(oracle.facts.cases, oracle.truth.expected, strict=True)}
    return (
        f"import jax.numpy as jnp\n\nKNOWN = {known}\n\n\ndef {NAME}(seed, T):\n"
        "    return jnp.array(KNOWN.get((seed, T), [0.0] * T * T), jnp.float32)\n"
    )


@pytest.mark.parametrize(("kit", "outcome", "named"), [("keyed", "correct", []), ("kit", "wrong", ["only-the-cases"])])
def test_a_class_that_is_graded_with_solutions_shows_the_table_and_with_keys_it_does_not(
    kit: str, outcome: str, named: list[str], course: Path
) -> None:
    graded = Command(course).json("class", "grade", "week1", "--kit", kit, "--gradebook", f"{kit}.gradebook")
    (answer,) = graded["answers"]
    assert (answer["outcome"], answer["pitfalls"]) == (outcome, named)
    file = str(course / "week1" / "eve" / f"{NAME}.py")
    (verdict,) = Command(course / kit).json("check", NAME, "--answer", file, "--confine")["verdicts"]
    assert (verdict["status"], verdict["pitfalls"]) == (outcome, named)


@pytest.mark.few(0, 1)
@pytest.mark.parametrize(("kit", "status"), [("keyed", "passed"), ("kit", "passed"), ("other", "failed")])
def test_an_autograder_takes_the_table_unless_its_cases_are_others(
    kit: str, status: str, course: Path, tmp_path: Path
) -> None:
    done = Command(course)("class", "autograder", "gradescope", "--kit", kit, "--out", str(tmp_path / "week1.zip"))
    assert done.returncode == 0, done.stderr
    unpack(tmp_path / "week1.zip", tmp_path / "source")
    (tmp_path / "submission").mkdir()
    layout = Layout(tmp_path)
    ran = layout(**{NAME: (course / "week1" / "eve" / f"{NAME}.py").read_text()})
    assert ran.returncode == 0, ran.stderr
    (test,) = json.loads(layout.results.read_text())["tests"]
    assert test["status"] == status
