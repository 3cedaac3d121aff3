"""The one way in which the grader starts a Python.

No module comes from the current folder, from a kit or from a submission: Python runs with `-P`, in a folder where only an
administrator can write, and no path that it searches depends on the current folder.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.locale.language import VARIABLE, language
from grader.run.search_path import absolute, python_path

PACKAGE = Path(__file__).resolve().parents[1]
"""The folder of the grader's own modules."""
NEUTRAL = os.path.abspath(os.sep)
"""The folder in which processes start: the root, where only an administrator can write."""
FOLDER = "GRADER_FOLDER"
"""The variable with the current folder of the user: an answer that is not confined reads and writes files there."""

HARMLESS = re.compile(
    r"LANG|LC_\w+|TZ|LD_LIBRARY_PATH|PYTHONHOME|PYTHONDONTWRITEBYTECODE|JAX_(?!COMPILATION_CACHE)\w+|XLA_\w+"
)
"""The variables that processes of confined answers start with. None of them can hold a secret or name a shared cache."""

MANAGER = ("XDG_RUNTIME_DIR",)
"""The variable that `systemd-run --user` needs. It is not secret: its path follows from the user's number."""

SEARCHED = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH")
"""Variables that list folders in which programs and libraries are looked for."""


def environment(*, clean: bool = False, manager: bool = False) -> dict[str, str]:
    """The environment of a process that the grader starts.

    Args:
        clean: whether answers are confined: only harmless variables are passed on then.
        manager: whether the process needs the user's systemd.
    """
    kept = MANAGER if manager else ()
    folder = {} if clean else {FOLDER: os.environ.get(FOLDER) or _here()}
    given = {name: value for name, value in os.environ.items() if not clean or name in kept or HARMLESS.fullmatch(name)}
    return {
        **given,
        **folder,
        **{name: absolute(given[name]) for name in SEARCHED if name in given},
        VARIABLE: language(),
        "OPENBLAS_NUM_THREADS": "1",  # otherwise `import numpy` starts threads, and a template needs exactly one
        "PYTHONPATH": python_path(),
        "PYTHONSAFEPATH": "1",  # for what the process starts in its turn
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "XLA_PYTHON_CLIENT_PREALLOCATE": "false",  # oracle and answers share a GPU
    }


def _here() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:  # it was removed
        return NEUTRAL


def to_users_folder() -> None:
    """Go to the user's current folder, once nothing is searched in the current folder any more."""
    with contextlib.suppress(OSError):  # it was removed
        os.chdir(os.environ.get(FOLDER, NEUTRAL))


def module(name: str, *arguments: str, package: Path = PACKAGE) -> tuple[str, ...]:
    """What follows `python -P` to run `main` of a module of the grader (see `start.py`).

    Args:
        name: the module: `template` stands for `grader.run.template`, `notebooks.judge` for `grader.notebooks.judge`.
        package: the folder of the grader's modules.
    """
    return (str(package / "run" / "start.py"), name, *arguments)


def start(
    program: Sequence[str],
    *,
    before: Sequence[str] = (),
    clean: bool = False,
    variables: Mapping[str, str] | None = None,
    folder: str = NEUTRAL,
    **options: Any,
) -> subprocess.Popen[Any]:
    """Start a Python.

    Args:
        program: what it runs: a `module`, or `-c` and a text.
        before: a command that starts it in its turn, such as `systemd-run`.
        clean: whether answers are confined (see `environment`).
        variables: more variables of its environment.
        folder: its current folder, in which nobody else may write.
        options: as for `subprocess.Popen`.
    """
    command = [*before, sys.executable, "-P", *program]
    variables = {**environment(clean=clean, manager=bool(before)), **(variables or {})}
    return subprocess.Popen(command, cwd=folder, env=variables, **options)
