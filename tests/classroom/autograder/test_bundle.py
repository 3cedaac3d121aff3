"""What an autograder carries: the same bytes for the same files, programs that can run, and no more than is fetched."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, packages_distributions, requires, version
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from grader.author.key import make
from grader.classroom.autograder.bundle import (
    TEMPLATES,
    bundle,
    for_classroom50,
    for_gradescope,
    make_kit,
    packed,
    requirements,
)
from grader.classroom.autograder.student_grading import Settings
from grader.kit.kit import Kit, KitError
from grader.kit.problem_error import ProblemError
from grader.oracle import answer_key
from grader.session import Session
from tests.author import toys
from tests.conftest import ROOT
from tests.test_architecture import MODULES, imported

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


def pinned() -> dict[str, str]:
    return dict(line.split("==") for line in requirements())


def test_the_packages_have_the_versions_that_are_installed_here() -> None:
    assert pinned()["jax"] == version("jax").partition("+")[0]
    assert list(pinned()) == sorted(pinned())
    assert not {"grader", "pytest", "ruff", "distributed", "setuptools", "pip"} & pinned().keys()


def test_all_that_a_pinned_package_needs_is_pinned_in_a_version_that_it_takes() -> None:
    pins = pinned()
    for name in ("grader", *pins):
        for one in map(Requirement, requires(name) or ()):
            if one.marker is None or one.marker.evaluate({"extra": ""}):
                assert pins[canonicalize_name(one.name)] in one.specifier, f"{name} needs {one}"
    assert {"fsspec", "zipp"} <= pins.keys(), "extras: orbax-checkpoint needs etils[epath]"


def test_a_condition_on_the_system_is_decided_here_and_what_is_not_here_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    needs = {
        "grader": ["numpy>=1", 'jax; python_version < "3"', 'rich; python_version >= "3"', 'pytest; extra == "test"'],
        "rich": ["Flax[toys]", "not-at-all-here"],
        "flax": ['optax; extra == "toys"', 'click; extra == "docs"', "rich"],
    }
    monkeypatch.setattr("grader.classroom.autograder.bundle.requires", lambda name: needs.get(name, []))
    assert list(pinned()) == ["flax", "numpy", "optax", "rich"]


def test_a_grader_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> list[str]:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("grader.classroom.autograder.bundle.requires", missing)
    with pytest.raises(KitError, match="This grader is not installed"):
        requirements()


@pytest.mark.slow
def test_every_package_that_the_grader_imports_is_pinned() -> None:
    carried = [path for path in MODULES if not {"serve", "fronts"} & {*path.parts}]  # no autograder has them
    modules = {name.partition(".")[0] for path in carried for name in imported(path)} - {*sys.stdlib_module_names}
    optional = {"grader", "IPython", "marimo", "distributed", "dask"}  # no autograder has them
    known = packages_distributions()
    unpinned = {one for one in modules if not {*map(canonicalize_name, known.get(one, ()))} & pinned().keys()}
    assert {"numpy", "psutil", "yaml"} <= modules - unpinned
    assert unpinned <= optional


@pytest.mark.slow
def test_pip_takes_the_file_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_bytes(bundle(Settings(("rope",)), TEMPLATES)["requirements.txt"])
    pip = [sys.executable, "-m", "pip", "install", "--dry-run", "--no-index", "-r", str(tmp_path / "requirements.txt")]
    ran = subprocess.run(pip, capture_output=True, text=True, check=False)
    if "No module named pip" in ran.stderr:
        pytest.skip("there is no pip here")
    assert ran.returncode == 0, ran.stderr
    assert "Would install" not in ran.stdout


def test_the_grader_is_carried_whole_and_without_what_does_not_grade() -> None:
    files = bundle(Settings(("rope",)), TEMPLATES)
    carried = {name for name in files if name.startswith("package/")}
    assert {"package/grader/__init__.py", "package/grader/schemas/verdict-2.json"} < carried
    assert {f"package/{path.relative_to(ROOT)}" for path in MODULES} <= carried
    assert {Path(name).suffix for name in carried} == {".py", ".json", ".mo"}
    assert {"kit/setup.sh", "autograder.json", "requirements.txt"} < set(files)
    assert not [name for name in files if "__pycache__" in name]


NAME = "distance_decay"
HELD = [f"problems/{NAME}/README.md", f"problems/{NAME}/key.bin", f"problems/{NAME}/stub.py"]


@pytest.fixture
def strange(tmp_path: Path) -> Kit:
    """A stranger's kit of one problem with its key and without solutions. Links in it lead to a private file."""
    (tmp_path / "id_rsa").write_text("private")
    kit = Kit(toys.make(tmp_path / "kit"))
    with Session(kit) as session:
        kit.key(NAME).write_bytes(make(session, NAME, {}))
    shutil.rmtree(tmp_path / "kit" / "solutions")
    for name in ("id_rsa", "notes.txt", "figure.py", "README.es.md"):
        (kit.statement(NAME).parent / name).symlink_to(tmp_path / "id_rsa")
    return kit


@pytest.mark.slow
@pytest.mark.parametrize("places", [True, False])
def test_a_kit_in_a_bundle_has_three_files_for_each_problem_and_nothing_that_a_link_leads_to(
    places: bool, strange: Kit, tmp_path: Path
) -> None:
    make_kit(strange, [NAME], tmp_path / "made", places=places)
    assert sorted(str(one.relative_to(tmp_path / "made")) for one in (tmp_path / "made").rglob("*.*")) == HELD
    assert bool(answer_key.read(Kit(tmp_path / "made"), NAME)[0].steps) == places, "also where there are no solutions"
    files = bundle(Settings((NAME,)), tmp_path / "made")
    assert sorted(path for path in files if path.startswith("kit/")) == [f"kit/{path}" for path in HELD]
    assert b"private" not in [*files.values()]


@pytest.mark.slow
@pytest.mark.parametrize("path", HELD)
def test_a_link_in_the_place_of_a_file_of_a_bundle_is_told_and_not_followed(
    path: str, strange: Kit, tmp_path: Path
) -> None:
    (strange.root / path).rename(tmp_path / "elsewhere")
    (strange.root / path).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ProblemError, match=f"{path} cannot be handed out: a link, not a file: give the file itself"):
        make_kit(strange, [NAME], tmp_path / "made")


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_scripts_are_sound_for_bash(name: str) -> None:
    assert subprocess.run(["bash", "-n", str(TEMPLATES / name)], check=False).returncode == 0
    if shutil.which("shellcheck"):
        assert subprocess.run(["shellcheck", str(TEMPLATES / name)], check=False).returncode == 0


def test_no_script_names_a_place_to_download_from() -> None:
    for path in TEMPLATES.iterdir():
        if path.is_file():
            assert "http" not in path.read_text(encoding="utf-8"), path.name
