"""The kit that comes with the grader: a copy is ready to be filled in, from a checkout or from an installed package."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from grader.kit import shipped_kit
from grader.kit.kit import Kit, KitError, is_bare
from tests.conftest import FLAGSHIP, ROOT, copy_kit


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kit:
    """The kit of an installed package; its stub is filled in, and has an older text beside it."""
    monkeypatch.setattr(shipped_kit, "PACKAGE", tmp_path / "grader")
    kit = Kit(copy_kit(tmp_path / "grader" / shipped_kit.DATA, FLAGSHIP))
    kit.stub(FLAGSHIP).with_name("stub.2026-01-01-000000.py").write_text("mine\n")
    return kit


def test_a_copy_has_every_problem_of_the_checkout_with_a_stub_that_is_not_filled_in(tmp_path: Path) -> None:
    made = shipped_kit.copy(tmp_path / "kit")
    assert made.names == Kit(ROOT).names
    assert all(is_bare(made.stub(name).read_text(), name) for name in made.names)
    assert all(made.reference(name).is_file() and made.statement(name).is_file() for name in made.names)


def test_an_installed_package_has_the_kit_in_its_data(installed: Kit, tmp_path: Path) -> None:
    made = shipped_kit.copy(tmp_path / "mine")
    assert made.names == (FLAGSHIP,)
    assert sorted(path.name for path in made.stub(FLAGSHIP).parent.iterdir()) == ["README.md", "stub.py"]
    assert "stub.*.py" in (made.root / ".gitignore").read_text()


def test_a_file_that_is_read_only_in_the_package_can_be_written_in_the_copy(installed: Kit, tmp_path: Path) -> None:
    installed.statement(FLAGSHIP).chmod(0o444)
    assert shipped_kit.copy(tmp_path / "mine").statement(FLAGSHIP).stat().st_mode & 0o200


def test_the_wheel_holds_what_is_copied() -> None:
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    folders = ("problems", "solutions")
    assert wheel["force-include"] == {folder: f"grader/{shipped_kit.DATA}/{folder}" for folder in folders}


def test_a_folder_that_holds_something_is_refused_and_left_alone(installed: Kit, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes").write_text("")
    with pytest.raises(KitError, match="is not empty"):
        shipped_kit.copy(tmp_path / "mine")
    with pytest.raises(KitError, match="cannot be written"):
        shipped_kit.copy(tmp_path / "mine" / "notes")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes"]


def test_a_grader_without_problems_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped_kit, "PACKAGE", tmp_path / "grader")
    with pytest.raises(KitError, match="installed without problems"):
        shipped_kit.copy(tmp_path / "mine")
