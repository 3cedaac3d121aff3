"""Every Python that the grader starts is started by one function, which no file of a stranger can reach."""

from __future__ import annotations

import ast
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.run import python
from tests.conftest import ROOT

STARTS = ("subprocess", "multiprocessing", "pty")
CALLS = (
    "Popen",
    "create_subprocess_exec",
    "create_subprocess_shell",
    "system",
    "popen",
    "startfile",
    "ProcessPoolExecutor",
)
FAMILIES = ("exec", "spawn", "posix_spawn")
KNOWN = {
    "run/python.py": "every Python of the grader",
    "kit/repository.py": "git, which only reads",
    "serve/editor_bundle.py": "npm, which builds the editor in a checkout",
}
"""What starts a program, by module. The rest of the grader asks `run.python.start`."""
SAYS = """
import json, os, sys
print(json.dumps([sys.flags.safe_path, sys.path, os.getcwd(), dict(os.environ)]))
"""


def started(path: Path) -> Iterator[str]:
    """Each call in a module that starts a program."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name)):
                family = module == "os" and name.startswith(FAMILIES)
                if family or name in CALLS or (module in STARTS and name not in ("TimeoutExpired", "SubprocessError")):
                    yield f"{module}.{name}"
            case ast.Call(func=ast.Name(id=name)) if name in CALLS:
                yield name
            case _:
                pass


def test_nothing_else_in_the_grader_starts_a_program() -> None:
    package = ROOT / "grader"
    # The templates run where no grader is installed yet; what builds a wheel runs there alone.
    left_out = ("classroom/autograder/templates/", "serve/editor/")
    modules = {path.relative_to(package).as_posix(): path for path in package.rglob("*.py")}
    found = {name for name, path in modules.items() if not name.startswith(left_out) and [*started(path)]}
    assert found == KNOWN.keys()


def said(**options: object) -> tuple[bool, list[str], str, dict[str, str]]:
    with python.start(("-c", SAYS), stdout=subprocess.PIPE, text=True, **options) as process:  # type: ignore[arg-type]
        return tuple(json.loads(process.communicate()[0]))  # type: ignore[return-value]


@pytest.mark.parametrize("clean", [False, True])
def test_a_file_of_the_current_folder_is_neither_a_module_nor_a_program_nor_a_library(
    clean: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("PATH", "LD_LIBRARY_PATH", "PYTHONPATH"):
        monkeypatch.setenv(name, os.pathsep.join(["", ".", "sub", str(tmp_path / "own"), os.environ.get(name, "")]))
    safe, path, folder, variables = said(clean=clean)
    assert safe
    assert folder == os.path.abspath(os.sep)
    assert all(os.path.isabs(one) for one in path)
    assert str(tmp_path) not in path
    for name in ("PATH", "LD_LIBRARY_PATH", "PYTHONPATH"):
        entries = variables.get(name, "").split(os.pathsep)
        assert all(map(os.path.isabs, filter(None, entries))), name
        assert "" not in entries[1:], name
    assert variables["PYTHONSAFEPATH"] == "1"
    assert clean == (python.FOLDER not in variables)


def test_an_answer_that_is_not_confined_works_in_the_folder_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(python.FOLDER, raising=False)
    assert python.environment()[python.FOLDER] == str(tmp_path)
    # A process that the grader started keeps the folder of the user for those that it starts in its turn.
    monkeypatch.setenv(python.FOLDER, "/home")
    assert python.environment()[python.FOLDER] == "/home"
    monkeypatch.setenv(python.FOLDER, str(tmp_path / "removed"))
    python.to_users_folder()
    assert os.getcwd() == str(tmp_path)
