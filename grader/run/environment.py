"""The environment of the processes that the grader starts."""

from __future__ import annotations

import os
import re

from grader.run.search_path import python_path

HARMLESS = re.compile(r"LANG|LC_\w+|TZ|LD_LIBRARY_PATH|PYTHONHOME|JAX_(?!COMPILATION_CACHE)\w+|XLA_\w+")
"""The variables that processes of confined answers start with. None of them can hold a secret or name a shared cache."""

MANAGER = ("XDG_RUNTIME_DIR",)
"""The variable that `systemd-run --user` needs. It is not secret: its path follows from the user's number."""


def environment(*, clean: bool = False, manager: bool = False) -> dict[str, str]:
    """The environment of the template and of spawned children.

    Args:
        clean: whether answers are confined: only harmless variables are passed on then.
        manager: whether the process needs the user's systemd.
    """
    kept = MANAGER if manager else ()
    return {
        **{name: value for name, value in os.environ.items() if not clean or name in kept or HARMLESS.fullmatch(name)},
        "OPENBLAS_NUM_THREADS": "1",  # otherwise `import numpy` starts threads, and a template needs exactly one
        "PYTHONPATH": python_path(),
        "PYTHONDONTWRITEBYTECODE": "1",
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "XLA_PYTHON_CLIENT_PREALLOCATE": "false",  # oracle and answers share a GPU
    }
