"""A submission in the current folder with the name of a module is not imported by any process of the grader."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
import types
from pathlib import Path

import pytest

from tests.commands.test_check import HALF, RIGHT
from tests.conftest import FLAGSHIP, ROOT, Command, clean_environment, copy_kit, document

NAMES = (
    *("psutil", "numpy", "click", "rich", "yaml", "packaging", "watchfiles", "jax", "jaxlib", "flax", "pylatexenc"),
    *("json", "__future__", "ast", "dataclasses", "inspect", "pathlib", "random", "secrets", "socket", "subprocess"),
    *("tempfile", "threading", "typing", "sitecustomize", "usercustomize", "libtpu", "jax_plugins", "zstandard"),
)
"""Modules of Python, and modules that the grader and JAX import or would import if they were installed."""

SCRIPT = "import sys\nfrom grader.__main__ import main\nsys.exit(main())\n"
"""The script `grader`, as pip writes it."""


def submit(folder: Path, mark: Path) -> None:
    """Write a submission with each of the names; one that is imported writes to the file `mark`."""
    for name in NAMES:
        text = f"open({str(mark)!r}, 'a').write('{name}\\n')\nraise ImportError('{name} of a stranger')\n"
        (folder / f"{name}.py").write_text(text)


def start(way: str, folder: Path) -> list[str]:
    script = folder.parent / "bin" / "grader"
    script.parent.mkdir(exist_ok=True)
    script.write_text(SCRIPT)
    return {
        "module": [sys.executable, "-m", "grader"],
        "safe module": [sys.executable, "-P", "-m", "grader"],
        "script": [sys.executable, str(script)],
    }[way]


PATHS = {"": "", "empty entry": "{path}:", "dot": ".:{path}", "relative": "{path}:sub/..:sub", "itself": "{kit}:{path}"}


WAYS = [
    ("module", "", "fork"),
    ("script", "", "fork"),
    ("module", "", "spawn"),
    ("module", "dot", "fork"),
    ("safe module", "", "spawn"),
    ("safe module", "relative", "fork"),
    ("script", "empty entry", "fork"),
    ("script", "dot", "spawn"),
    ("script", "itself", "fork"),
]


@pytest.mark.few(0, 2)
@pytest.mark.parametrize(("way", "path", "started"), WAYS)
def test_a_submission_with_the_name_of_a_module_is_not_imported(
    way: str, path: str, started: str, own_kit: Command
) -> None:
    folder, mark = own_kit.kit, own_kit.kit.parent / "imported"
    (folder / "sub").mkdir()
    (folder / "sub" / "right.py").write_text(RIGHT)
    (folder / "sub" / "half.py").write_text(HALF)
    submit(folder, mark)
    if path:
        # Python imports these modules from that folder before the grader starts, and the grader cannot prevent that.
        for name in ("sitecustomize", "usercustomize", "__future__"):
            (folder / f"{name}.py").unlink()
        shutil.copy(folder / "psutil.py", folder / "sub" / "psutil.py")
    done = run(way, path, started, folder, "sub/right.py", "sub/half.py")
    assert not mark.exists(), mark.read_text()
    assert statuses(done) == ["correct", "wrong"]


def run(way: str, path: str, started: str, folder: Path, *answers: str) -> subprocess.CompletedProcess[str]:
    options = [part for answer in answers for part in ("--answer", answer)]
    own = os.environ.get("PYTHONPATH", str(ROOT))
    text = PATHS[path].replace(":", os.pathsep).format(path=own, kit=folder) or own
    return subprocess.run(
        [*start(way, folder), "check", FLAGSHIP, "--json", *options],
        cwd=folder,
        env={**clean_environment(), "GRADER_START": started, "PYTHONPATH": text},
        capture_output=True,
        text=True,
        timeout=300,
    )


def statuses(done: subprocess.CompletedProcess[str]) -> list[str]:
    assert done.stdout, done.stderr
    return [verdict["status"] for verdict in document(done.stdout)["verdicts"]]


@pytest.mark.slow
@pytest.mark.parametrize("started", ["fork", "spawn"])
def test_a_checkout_that_is_not_installed_grades_in_its_own_folder(started: str, tmp_path: Path) -> None:
    """Python finds the package itself in the current folder, but no other module. It keeps what it compiles of it alone."""
    folder, mark = copy_kit(tmp_path / "checkout", FLAGSHIP), tmp_path / "imported"
    shutil.copytree(ROOT / "grader", folder / "grader", ignore=shutil.ignore_patterns("__pycache__"))
    start_file = folder / "grader" / "__init__.py"
    start_file.write_text(start_file.read_text().replace('__version__ = "', '__version__ = "9.'))
    (folder / "right.py").write_text(RIGHT)
    submit(folder, mark)
    done = run("module", "", started, folder, "right.py")
    assert not mark.exists(), mark.read_text()
    assert statuses(done) == ["correct"]
    assert document(done.stdout)["versions"]["grader"].startswith("9.")
    assert [*folder.glob("grader/oracle/__pycache__/server.*")]
    assert [*folder.glob("[!g]*/**/__pycache__"), *folder.glob("__pycache__")] == []


@pytest.mark.slow
@pytest.mark.parametrize("way", ["script", "safe module"])
@pytest.mark.parametrize("file", ["grader.py", "grader/__init__.py"])
def test_nothing_is_graded_in_a_folder_with_another_grader(way: str, file: str, own_kit: Command) -> None:
    folder, mark = own_kit.kit, own_kit.kit.parent / "imported"
    (folder / file).parent.mkdir(exist_ok=True)
    (folder / file).write_text(f"open({str(mark)!r}, 'a')\nprint('correct')\n")
    (folder / "right.py").write_text(RIGHT)
    done = run(way, "", "fork", folder, "right.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert not mark.exists()
    (line,) = done.stderr.strip().splitlines()
    assert line.startswith(file)
    assert "Move it away" in line


@pytest.mark.slow
@pytest.mark.parametrize("module", [types, functools])
def test_a_module_that_python_imports_before_the_grader_starts_is_refused(
    module: types.ModuleType, own_kit: Command
) -> None:
    """By then the file has run, so this is no protection; it reports an honest mistake to the user."""
    mark = own_kit.kit.parent / "imported"
    name = module.__name__
    assert module.__file__
    text = Path(module.__file__).read_text()
    (own_kit.kit / f"{name}.py").write_text(f"{text}\nopen({str(mark)!r}, 'a')\n")
    (own_kit.kit / "right.py").write_text(RIGHT)
    done = run("module", "", "fork", own_kit.kit, "right.py")
    if mark.exists():
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"{name}.py lies in the current folder")
    mark.unlink(missing_ok=True)
    assert statuses(run("script", "", "fork", own_kit.kit, "right.py")) == ["correct"]
    assert not mark.exists()
