"""The kit that comes with the grader: a copy is ready to be filled in, from a checkout or from what is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.kit import shipped_kit
from grader.kit.kit import EDITOR_TASKS, SHARE, Kit, KitError, installed_folders, is_bare
from grader.locale.language import language_of_kit, speaking
from grader.sandbox.confine import readable
from tests.conftest import FLAGSHIP, ROOT, copy_kit


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kit:
    """The kit of an installed grader, with a text beside its stub that somebody moved there."""
    monkeypatch.setattr("grader.kit.kit.CHECKOUT", tmp_path)
    monkeypatch.setattr("sysconfig.get_path", lambda _: str(tmp_path / "prefix"))
    kit = Kit(copy_kit(tmp_path / "prefix" / SHARE, FLAGSHIP))
    kit.stub(FLAGSHIP).with_name("stub.2026-01-01-000000.py").write_text("mine\n")
    return kit


def test_a_copy_has_every_problem_of_the_checkout_with_a_stub_that_is_not_filled_in(tmp_path: Path) -> None:
    made = shipped_kit.copy_kit(tmp_path / "kit")
    assert made.names == Kit(ROOT).names
    assert all(is_bare(made.stub(name).read_text(), name) for name in made.names)
    assert all(made.answer(name).is_file() and made.statement(name).is_file() for name in made.names)


def test_an_installed_grader_has_a_kit_to_copy(installed: Kit, tmp_path: Path) -> None:
    made = shipped_kit.copy_kit(tmp_path / "mine")
    assert made.names == (FLAGSHIP,)
    files = sorted(path.name for path in made.stub(FLAGSHIP).parent.iterdir())
    assert files == ["README.es.md", "README.md", "figure.py", "stub.py"]
    assert "stub.*.py" in (made.root / ".gitignore").read_text()
    assert (made.root / EDITOR_TASKS).read_bytes() == (ROOT / EDITOR_TASKS).read_bytes()


def test_a_spanish_kit_has_spanish_stubs_and_says_its_language(tmp_path: Path) -> None:
    with speaking("es"):
        made = shipped_kit.copy_kit(tmp_path / "mine")
    assert language_of_kit(made.root) == "es"
    for name in (FLAGSHIP, "mini_gpt"):
        assert made.stub(name).read_text() == (ROOT / "problems" / name / "stub.es.py").read_text()


def test_a_file_that_is_read_only_where_it_installed_folders_can_be_written_in_the_copy(
    installed: Kit, tmp_path: Path
) -> None:
    installed.statement(FLAGSHIP).chmod(0o444)
    assert shipped_kit.copy_kit(tmp_path / "mine").statement(FLAGSHIP).stat().st_mode & 0o200


def test_no_confined_answer_can_read_the_solutions_of_an_installed_grader() -> None:
    for folder in installed_folders():
        assert not any(folder.is_relative_to(path) for path in readable())


def test_a_folder_that_holds_something_is_refused_and_left_alone(installed: Kit, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes").write_text("")
    with pytest.raises(KitError, match="is not empty"):
        shipped_kit.copy_kit(tmp_path / "mine")
    with pytest.raises(KitError, match="cannot be written"):
        shipped_kit.copy_kit(tmp_path / "mine" / "notes")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes"]


def test_a_grader_without_problems_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.kit.kit.CHECKOUT", tmp_path)
    monkeypatch.setattr("grader.kit.kit.installed_folders", lambda: [])
    with pytest.raises(KitError, match="installed without a kit of problems"):
        shipped_kit.copy_kit(tmp_path / "mine")
