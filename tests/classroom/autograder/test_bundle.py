"""What an autograder carries: the same bytes for the same files, programs that can run, and no more than is fetched."""

from __future__ import annotations

import io
import shutil
import subprocess
from importlib.metadata import version
from zipfile import ZipFile

import pytest

from grader.classroom.autograder.bundle import TEMPLATES, bundle, for_classroom50, for_gradescope, packed, requirements
from grader.classroom.autograder.settings import Settings
from grader.kit.kit import KitError

SCRIPTS = ("setup.sh", "run_autograder")


def test_the_order_of_files_changes_no_byte() -> None:
    files = {"b/x": b"1", "a": b"2"}
    assert packed(files) == packed(dict(reversed(files.items())))


def test_the_scripts_lie_in_the_root_and_are_executable() -> None:
    with ZipFile(io.BytesIO(for_gradescope({"kit/README.md": b""}))) as archive:
        modes = {info.filename: info.external_attr >> 16 & 0o777 for info in archive.infolist()}
    assert modes == {"kit/README.md": 0o644, "run_autograder": 0o755, "setup.sh": 0o755}


def test_what_classroom_50_does_not_fetch_is_not_made() -> None:
    import os

    with pytest.raises(KitError, match="10 MB at most"):
        for_classroom50({"kit/large": os.urandom(11 << 20)})


def test_the_packages_have_the_versions_that_are_installed_here() -> None:
    assert f"jax=={version('jax').partition('+')[0]}" in requirements()
    assert not [line for line in requirements() if line.startswith(("pytest", "ruff"))]


def test_the_grader_is_carried_whole_and_without_what_python_compiled(tmp_path: object) -> None:
    files = bundle(Settings(("rope",)), TEMPLATES)
    assert {"package/grader/__init__.py", "package/grader/schemas/verdict-2.json", "kit/setup.sh"} < set(files)
    assert not [name for name in files if "__pycache__" in name]


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_scripts_are_sound_for_bash(name: str) -> None:
    assert subprocess.run(["bash", "-n", str(TEMPLATES / name)], check=False).returncode == 0
    if shutil.which("shellcheck"):
        assert subprocess.run(["shellcheck", str(TEMPLATES / name)], check=False).returncode == 0


def test_no_script_names_a_place_to_download_from() -> None:
    for path in TEMPLATES.iterdir():
        if path.is_file():
            assert "http" not in path.read_text(encoding="utf-8"), path.name
