"""Every Python that the grader starts is started by one function, which no file of a stranger can reach."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from grader.run import python
from tests.conftest import ROOT

STARTING = ("subprocess", "multiprocessing", "pty", "webbrowser", "concurrent.futures.process", "asyncio.subprocess")
"""Modules of Python that start programs."""
OF_OS = re.compile(r"exec|spawn|posix_spawn|system$|popen$|startfile$|fork")
NAMES = {
    "subprocess": {"PIPE", "DEVNULL", "TimeoutExpired", "SubprocessError", "Popen"},
}
"""What may be read of these modules without a start: constants, errors, and the type of a process that others started."""
CALLS = ("create_subprocess_exec", "create_subprocess_shell", "ProcessPoolExecutor")
KNOWN = {
    "run/python.py": {"subprocess.Popen"},  # every Python of the grader
    "kit/repository.py": {"subprocess.run"},  # git, which only reads
    "serve/editor_bundle.py": {"subprocess.run"},  # npm, which builds the editor in a checkout
    "serve/looks.py": {"subprocess.run"},  # ruff, which lays a text out
    "serve/command.py": {"webbrowser.open"},  # the browser of the user
    "run/template.py": {"os.fork"},  # a copy of the process itself
    "run/spawning.py": {"os.fork"},
    "sandbox/confine.py": {"os.fork"},
}
"""What starts a program, or forks, by module. The rest of the grader asks `run.python.start`."""
SAYS = """
import json, os, sys
print(json.dumps([sys.flags.safe_path, sys.path, os.getcwd(), dict(os.environ)]))
"""


def started(path: Path) -> set[str]:
    """What in a module starts a program."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                found |= {
                    f"{one.name} as {one.asname}" for one in names if one.asname and one.name in (*STARTING, "os")
                }
            case ast.ImportFrom(module=str(module), names=names):
                found |= {f"{module}.{one.name}" for one in names if module in STARTING or one.name in CALLS}
                found |= {f"os.{one.name}" for one in names if module == "os" and OF_OS.match(one.name)}
            case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name)) if module in STARTING:
                found |= {f"{module}.{name}"} if name not in NAMES.get(module, set()) or name == "Popen" else set()
            case ast.Attribute(value=ast.Name(id=module), attr=name):
                start = (module == "os" and OF_OS.match(name)) or name in CALLS
                start = start or (module in STARTING and name not in NAMES.get(module, set()))
                found |= {f"{module}.{name}"} if start else set()
            case _:
                pass
    return found


@pytest.mark.parametrize(
    "text",
    [
        "import subprocess\nsubprocess.run([])", "from subprocess import run", "import subprocess as sp", "import os as o",
        "from os import execv", "import os\nos.system('')", "import os\nstart = os.popen",
        "import webbrowser\nwebbrowser.open('')",
        "from multiprocessing import Process", "import asyncio\nasyncio.create_subprocess_exec('')",
        "import subprocess\nsubprocess.Popen([])", "from concurrent.futures import ProcessPoolExecutor",
    ],
)  # fmt: skip
def test_each_way_to_start_a_program_is_seen(text: str, tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text(text)
    assert started(tmp_path / "one.py")


def test_nothing_else_in_the_grader_starts_a_program() -> None:
    package = ROOT / "grader"
    # The templates run where no grader is installed yet; what builds a wheel runs there alone.
    left_out = ("classroom/autograder/templates/", "serve/editor/")
    modules = {path.relative_to(package).as_posix(): path for path in package.rglob("*.py")}
    found = {name: of for name, path in modules.items() if not name.startswith(left_out) and (of := started(path))}
    assert found == KNOWN


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
