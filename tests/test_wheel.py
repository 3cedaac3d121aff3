"""What `pip install .` installs from a clone in which somebody has worked: the lessons, and nothing that is theirs."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from grader.kit.kit import EDITOR_TASKS, SHARE
from grader.serve import editor_bundle
from tests.conftest import FLAGSHIP, ROOT, clean_environment, copy_kit
from tests.repositories import git

pytestmark = pytest.mark.slow

MINE = "# what I wrote"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone of two problems: the stub of one is filled in, and beside it lies all that a learner may leave there."""
    pytest.importorskip("hatchling", reason="the tests need the extra `test`")
    made = copy_kit(tmp_path / "clone", FLAGSHIP, "rope")
    shutil.copytree(ROOT / "grader", made / "grader", ignore=shutil.ignore_patterns("__pycache__", "assets"))
    for name in ("pyproject.toml", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, made)
    git(made, "init", "-q")
    git(made, "add", ".")
    git(made, "commit", "-qm", "as shipped")
    serve = made / "grader" / "serve"
    (serve / "assets").mkdir()  # an editor that is current: this test builds none
    (serve / "assets" / editor_bundle.BUNDLE).write_text(editor_bundle._mark(serve))  # pyright: ignore
    stub = made / "problems" / FLAGSHIP / "stub.py"
    stub.write_text(f"def {FLAGSHIP}(seed, T, d_model):\n    return 1  {MINE}\n")
    for name in ("stub.2026-01-01-000000.py", "notes.ipynb", "notes.md", "scratch.py", ".stub.py.swp", "stub.xx.py"):
        stub.with_name(name).write_text(MINE)
    (made / ".grader").mkdir()
    (made / ".grader" / "progress.json").write_text(MINE)
    return made


def built(clone: Path, target: str = "wheel") -> subprocess.CompletedProcess[str]:
    """Build a clone as pip does. What was built is the only file of `dist/`."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target]
    return subprocess.run(command, cwd=clone, env=clean_environment(), capture_output=True, text=True, check=False)


def files_of_wheel(clone: Path) -> dict[str, str]:
    (file,) = (clone / "dist").iterdir()
    with zipfile.ZipFile(file) as wheel:
        assert len(wheel.namelist()) == len({*wheel.namelist()})
        data = f"{file.name.rpartition('-py3')[0]}.data/data/{SHARE}/"
        names = [name for name in wheel.namelist() if name.startswith(data)]
        return {name.removeprefix(data): wheel.read(name).decode() for name in names}


def test_a_wheel_has_every_lesson_as_it_was_shipped_and_nothing_that_a_learner_wrote(clone: Path) -> None:
    assert (done := built(clone)).returncode == 0, done.stderr
    found = files_of_wheel(clone)
    shipped = [
        path.relative_to(ROOT).as_posix()
        for name in (FLAGSHIP, "rope")
        for folder in ("problems", "solutions")
        for path in (ROOT / folder / name).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not path.match("stub.[0-9]*.py")
    ]
    assert sorted(found) == sorted([*shipped, EDITOR_TASKS])
    assert found[f"problems/{FLAGSHIP}/stub.py"] == git(clone, "show", f"HEAD:problems/{FLAGSHIP}/stub.py")
    assert MINE not in "".join(found.values())


def test_a_source_distribution_has_the_stub_as_it_was_shipped(clone: Path) -> None:
    assert (done := built(clone, "sdist")).returncode == 0, done.stderr
    (file,) = (clone / "dist").iterdir()
    with tarfile.open(file) as archive:
        (stub,) = [entry for entry in archive if entry.name.endswith(f"/problems/{FLAGSHIP}/stub.py")]
        data = archive.extractfile(stub)
        assert data is not None
        assert MINE not in data.read().decode()


def test_the_file_that_a_statement_links_to_is_in_the_wheel(clone: Path) -> None:
    statement = clone / "problems" / FLAGSHIP / "README.md"
    statement.write_text(f"{statement.read_text()}\n![Waves](pictures/waves.svg)\n")
    (statement.parent / "pictures").mkdir()
    (statement.parent / "pictures" / "waves.svg").write_text("<svg/>")
    assert (done := built(clone)).returncode == 0, done.stderr
    assert files_of_wheel(clone)[f"problems/{FLAGSHIP}/pictures/waves.svg"] == "<svg/>"


def test_without_git_a_filled_stub_is_refused_in_one_line_that_says_how_to_go_on(clone: Path) -> None:
    shutil.rmtree(clone / ".git")
    done = built(clone)
    assert done.returncode != 0
    (line,) = done.stderr.strip().splitlines()
    assert f"problems/{FLAGSHIP}/stub.py is filled in" in line
    assert "pip install -e ." in line
    assert not (clone / "dist").exists() or not [*(clone / "dist").iterdir()]


def test_without_git_the_copy_of_the_stub_that_the_grader_saved_is_taken(clone: Path) -> None:
    shipped = git(clone, "show", f"HEAD:problems/{FLAGSHIP}/stub.py")
    shutil.rmtree(clone / ".git")
    (clone / ".grader" / "stubs").mkdir()
    (clone / ".grader" / "stubs" / f"{FLAGSHIP}.py").write_text(shipped)
    assert (done := built(clone)).returncode == 0, done.stderr
    assert files_of_wheel(clone)[f"problems/{FLAGSHIP}/stub.py"] == shipped


def test_an_editable_install_is_never_refused_and_copies_no_lesson(clone: Path) -> None:
    from grader.serve.editor.hatch_build import BuildHook

    shutil.rmtree(clone / ".git")
    data: dict[str, dict[str, str]] = {"shared_data": {}, "force_include": {}}
    hook: Any = BuildHook
    hook(str(clone), {}, None, None, str(clone / "dist"), "wheel").initialize("editable", data)
    assert data == {"shared_data": {}, "force_include": {}}
