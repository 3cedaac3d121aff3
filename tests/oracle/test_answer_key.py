"""Reading an answer key: it answers in place of a reference, and one that does not fit is refused in one line."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from grader.kit.kit import Kit
from grader.kit.problem_error import ProblemError
from grader.marking.verdict import Pictured
from grader.oracle import store
from grader.oracle.answer_key import is_current, is_there, opened, read, text_mark
from grader.oracle.draws import Sample
from grader.oracle.store import Mark, SavedOracle, to_bytes
from grader.where.steps import Packed
from tests.conftest import ROOT
from tests.oracle.conftest import with_header

STATEMENT = "# Ramp\n\nText.\n"
SAMPLE: Sample = {"normal": [0.25, 0.5]}


def never(layers: bool) -> Sample:
    raise AssertionError("the same software draws the same numbers: nothing is computed")


@pytest.fixture
def kit(for_key: SavedOracle, tmp_path: Path) -> Kit:
    """A kit with one problem, whose key stands in place of its reference."""
    kit = Kit(tmp_path / "kit")
    kit.statement("ramp").parent.mkdir(parents=True)
    kit.statement("ramp").write_text(STATEMENT)
    mark = Mark(text_mark(kit.statement("ramp")), "0" * 16, "1" * 16, SAMPLE)
    kit.key("ramp").write_bytes(to_bytes(for_key, mark))
    return kit


def refusal(kit: Kit, name: str = "ramp") -> str:
    """The line that refuses the key: it names the file and the command that makes a new key."""
    with pytest.raises(ProblemError) as raised:
        opened(kit, name, never)
    line = str(raised.value)
    assert line.startswith(f"problems/{name}/key.bin: ")
    assert f"python -m grader release --keys {name}" in line
    assert "\n" not in line
    return line


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda data: data[: len(data) // 2], "damaged, or not a key"),
        (lambda data: b"", "damaged, or not a key"),
        (lambda data: b"noise" * 100, "damaged, or not a key"),
    ],
)
def test_a_damaged_key_is_refused(damage: Callable[[bytes], bytes], reason: str, kit: Kit) -> None:
    path = kit.key("ramp")
    path.write_bytes(damage(path.read_bytes()))
    assert reason in refusal(kit)


def test_a_key_of_another_version_of_the_grader_is_refused(kit: Kit) -> None:
    with_header(kit.key("ramp"), lambda read: read.update(format=store.FORMAT - 1))
    assert "made by another version of the grader" in refusal(kit)


def test_a_key_in_the_form_of_earlier_versions_is_refused(kit: Kit) -> None:
    assert is_there(kit, "ramp")
    kit.key("ramp").unlink()
    assert not is_there(kit, "ramp")
    kit.key("ramp").with_suffix(".npz").write_bytes(b"PK")
    with pytest.raises(
        ProblemError, match=r"^problems/ramp/key\.npz: the key of this version of the grader is key\.bin: make it"
    ):
        is_there(kit, "ramp")


def test_a_key_holds_the_pictures_of_its_problem(kit: Kit) -> None:
    assert opened(kit, "ramp", never).facts.pictures == (Pictured("curve", ("position",)),)


@pytest.mark.parametrize("picture", [["globe", ["position"]], ["curve", ["time"]], ["heatmap", ["position"]]])
def test_a_key_with_a_picture_that_does_not_fit_is_refused(kit: Kit, picture: list[Any]) -> None:
    kind, axes = picture
    with_header(kit.key("ramp"), lambda read: read["facts"].update(pictures=[{"kind": kind, "axes": axes}]))
    assert "its facts" in refusal(kit)


def test_a_saved_oracle_is_not_a_key(kit: Kit, oracle: SavedOracle) -> None:
    kit.key("ramp").write_bytes(to_bytes(oracle))
    assert "this is not a key of ramp" in refusal(kit)


def test_the_key_of_another_problem_is_refused(kit: Kit) -> None:
    os.rename(kit.key("ramp").parent, kit.key("another").parent)
    assert "this is not a key of another" in refusal(kit, "another")


@pytest.mark.parametrize("text", [STATEMENT + "More.\n", None])
def test_a_key_of_another_statement_is_refused(text: str | None, kit: Kit) -> None:
    kit.statement("ramp").unlink()
    if text is not None:
        kit.statement("ramp").write_text(text)
    assert "made for another text of problems/ramp/README.md" in refusal(kit)


def test_a_key_of_another_reference_is_refused(kit: Kit) -> None:
    kit.answer("ramp").parent.mkdir(parents=True)
    kit.answer("ramp").write_text("problem = 1\n")
    assert "made for another text of solutions/ramp/answer.py" in refusal(kit)


def current(kit: Kit) -> bool:
    return is_current(kit, "ramp", "cpu", kit.key("ramp"))


def test_a_key_is_current_until_a_text_or_the_software_changes(kit: Kit, for_key: SavedOracle) -> None:
    path = kit.answer("ramp")
    assert not current(kit)
    path.parent.mkdir(parents=True)
    path.write_text("problem = 1\n")
    assert not current(kit)
    texts = text_mark(kit.statement("ramp")), text_mark(path)
    mark = Mark(*texts, store.fingerprint(path, "cpu"), SAMPLE)
    kit.key("ramp").write_bytes(to_bytes(for_key, mark))
    assert current(kit)
    assert not is_current(kit, "ramp", "gpu", kit.key("ramp"))
    (path.parent.parent / "shared.py").write_text("x = 1\n")
    assert not current(kit)
    (path.parent.parent / "shared.py").unlink()
    assert current(kit)
    with_header(kit.key("ramp"), of_older_jax)
    assert not current(kit)
    kit.key("ramp").write_bytes(b"noise")
    assert not current(kit)
    kit.key("ramp").unlink()
    assert not current(kit)


@pytest.mark.parametrize(
    ("steps", "places"),
    [({False: Packed(b"steps", (0,))}, True), ({False: Packed(b"", ())}, True), ({}, False)],
    ids=["steps", "steps that cannot be computed", "none"],
)
def test_a_key_with_places_is_not_current_where_none_is_wanted_and_the_other_way_round(
    steps: dict[bool, Packed], places: bool, kit: Kit, for_key: SavedOracle
) -> None:
    path = kit.answer("ramp")
    path.parent.mkdir(parents=True)
    path.write_text("problem = 1\n")
    mark = Mark(text_mark(kit.statement("ramp")), text_mark(path), store.fingerprint(path, "cpu"), SAMPLE)
    kit.key("ramp").write_bytes(to_bytes(replace(for_key, steps=steps), mark))
    assert read(kit, "ramp")[0].steps == steps
    key = kit, "ramp", "cpu", kit.key("ramp")
    assert (is_current(*key, places=places), is_current(*key, places=not places)) == (True, False)


def test_a_key_fits_whatever_the_line_ends_of_the_statement_are(kit: Kit) -> None:
    kit.statement("ramp").write_bytes(STATEMENT.replace("\n", "\r\n").encode())
    assert read(kit, "ramp")[0].facts.name == "ramp"


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(10 << 30)


@pytest.mark.parametrize(
    ("make", "reason"), [(os.mkfifo, "not a regular file"), (sparse, "10 GB, of"), (Path.mkdir, "a folder, not a file")]
)
def test_a_key_that_is_not_a_regular_file_of_some_size_is_refused(
    make: Callable[[Path], None], reason: str, kit: Kit
) -> None:
    kit.key("ramp").unlink()
    make(kit.key("ramp"))
    assert reason in refusal(kit)


def test_the_draws_of_the_software_that_made_the_key_are_not_computed_again(kit: Kit) -> None:
    assert opened(kit, "ramp", never).facts.name == "ramp"


def of_older_jax(read: dict[str, Any]) -> None:
    read["origin"]["distributions"]["jax"] = "0.0.1"


def test_a_key_of_another_jax_is_used_if_that_draws_the_same_numbers(kit: Kit) -> None:
    with_header(kit.key("ramp"), of_older_jax)
    opened(kit, "ramp", lambda layers: SAMPLE)


def test_a_key_of_another_jax_is_refused_if_that_draws_other_numbers(kit: Kit) -> None:
    with_header(kit.key("ramp"), of_older_jax)
    with pytest.raises(ProblemError) as raised:
        opened(kit, "ramp", lambda layers: {"normal": [0.25, 0.75]})
    line = str(raised.value)
    assert line.startswith("problems/ramp/key.bin: normal gives other numbers than where this was made")
    assert f"jax 0.0.1, here {version('jax')}" in line
    assert "python -m grader release --keys ramp" in line


def test_this_kit_ships_no_stale_key() -> None:
    kit = Kit(ROOT)
    keyed = [name for name in kit.names if kit.key(name).exists()]
    assert [read(kit, name)[0].facts.name for name in keyed] == keyed
