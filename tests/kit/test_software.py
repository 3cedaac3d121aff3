"""The origin of an oracle: the software that was imported when it was made, and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import distributions, version
from pathlib import Path

import pytest

from grader.kit import software
from grader.kit.software import ABSENT, SoftwareOrigin, installed_version
from grader.values.decode import decode
from tests.conftest import ROOT, clean_environment

SHOWN = """
import dataclasses, json, sys
sys.path.insert(0, sys.argv[1])
import {imported}
from grader.values.decode import decode
from grader.kit import software
from grader.kit.software import SoftwareOrigin
print(json.dumps(dataclasses.asdict(SoftwareOrigin.of_this_process())))
"""


def of_a_process(imported: str, folder: Path, **environment: str) -> SoftwareOrigin:
    done = subprocess.run(
        [sys.executable, "-c", SHOWN.format(imported=imported), str(folder)],
        capture_output=True,
        text=True,
        check=True,
        env={**clean_environment(), **environment},
    )
    return decode(SoftwareOrigin, json.loads(done.stdout))


@pytest.mark.nightly
@pytest.mark.slow
def test_every_distribution_that_was_imported_is_known_by_its_version(tmp_path: Path) -> None:
    plain, whole = of_a_process("jax", tmp_path), of_a_process("flax.nnx, optax", tmp_path)
    names = ("jax", "jaxlib", "numpy", "ml_dtypes")
    assert {name: plain.distributions[name] for name in names} == {name: version(name) for name in names}
    assert not {"flax", "optax", "pytest", "json"} & {*plain.distributions}
    assert {"flax", "optax"} <= {*whole.distributions}
    assert whole.differences() == []


@pytest.mark.few(0, 1)
@pytest.mark.parametrize("package", ["flax", "optax", "numpy", "jaxlib"])
def test_an_upgrade_is_a_difference_that_says_both_versions(package: str, tmp_path: Path) -> None:
    made = of_a_process("flax.nnx, optax", tmp_path)
    older = SoftwareOrigin(made.python, {**made.distributions, package: "0.0.1"}, made.files, made.settings)
    assert older.differences() == [f"{package} 0.0.1, here {version(package)}"]


def test_what_is_no_longer_installed_is_a_difference() -> None:
    assert SoftwareOrigin(SoftwareOrigin.of_this_process().python, {"no-such-thing": "1.0"}).differences() == [
        "no-such-thing 1.0, here not installed"
    ]


def test_another_python_is_a_difference() -> None:
    assert SoftwareOrigin("3.1.4").differences() == [f"Python 3.1.4, here {SoftwareOrigin.of_this_process().python}"]


def test_the_text_of_a_module_that_is_not_installed_counts(tmp_path: Path) -> None:
    (tmp_path / "course_tools").mkdir()
    helper = tmp_path / "course_tools/layers.py"
    (tmp_path / "course_tools/__init__.py").write_text("")
    helper.write_text("EPSILON = 1e-6\n")
    made = of_a_process("course_tools.layers", tmp_path)
    assert made.differences() == []
    helper.write_text("EPSILON = 1e-5\n")
    (difference,) = made.differences()
    assert difference.startswith(str(helper))
    helper.unlink()
    (difference,) = made.differences()
    assert difference.endswith("here not there")


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("name", "counts"),
    [("JAX_DEFAULT_PRNG_IMPL", True), ("XLA_FLAGS", True), ("JAX_COMPILATION_CACHE_DIR", False), ("HOME", False)],
)
def test_settings_that_change_numbers_count(
    name: str, counts: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = of_a_process("json", tmp_path)
    monkeypatch.setenv(name, "other")
    assert made.differences() == ([f"{name} not set, here other"] if counts else [])
    assert of_a_process("json", tmp_path, **{name: "other"}).differences() == []


def test_in_a_clone_the_command_for_serve_is_that_of_the_first_page_and_elsewhere_it_names_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = tmp_path / "my clone"
    clone.mkdir()
    monkeypatch.setattr(software, "CHECKOUT", clone)
    monkeypatch.setattr(software, "missing_for", lambda _: ["starlette", "uvicorn"])
    assert software.install_for("web") == "pip install starlette uvicorn"
    (clone / "pyproject.toml").touch()
    assert software.install_for("web") == f"pip install -e '{clone}[web]'"
    monkeypatch.chdir(clone)
    assert software.install_for("web") in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_version_of_each_installed_distribution_is_the_one_that_it_states() -> None:
    first: dict[str, str] = {}
    for one in distributions():
        first.setdefault(one.metadata["Name"], one.version)
    assert "jax" in first
    assert {name: installed_version(name) for name in first} == first


@pytest.fixture
def nothing_known() -> Iterator[None]:
    """What is known of installed versions is forgotten before a test, and after it."""
    known = software._versions, software.installed_version
    for one in known:
        one.cache_clear()
    yield
    for one in known:
        one.cache_clear()


@pytest.mark.usefixtures("nothing_known")
def test_what_is_installed_in_another_form_is_found_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "jax.egg-info").mkdir()
    (tmp_path / "jax.egg-info" / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: jax\nVersion: 3.5\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert installed_version("jax") == version("jax") == "3.5"
    assert installed_version("nowhere-at-all") == ABSENT
