"""The environment of the processes that the grader starts."""

from __future__ import annotations

import os
import re

from grader.run.search_path import python_path

HARMLESS = re.compile(r"LANG|LC_\w+|TZ|LD_LIBRARY_PATH|SYSTEMROOT|PYTHONHOME|JAX_(?!COMPILATION_CACHE)\w+|XLA_\w+")
"""Variables that confined answers' processes are started with: none that could hold a secret or a shared cache."""

MANAGER = ("XDG_RUNTIME_DIR",)
"""What `systemd-run --user` asks for. It holds a path that every user knows of every other."""


def environment(*, clean: bool = False, manager: bool = False) -> dict[str, str]:
    """The environment of the template and of spawned children.

    Args:
        clean: where answers are confined.
        manager: whether it is to find the user's systemd.
    """
    kept = MANAGER if manager else ()
    return {
        **{name: value for name, value in os.environ.items() if not clean or name in kept or HARMLESS.fullmatch(name)},
        "OPENBLAS_NUM_THREADS": "1",  # a process that has imported jax then has one thread
        "PYTHONPATH": python_path(),
        "PYTHONDONTWRITEBYTECODE": "1",
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "XLA_PYTHON_CLIENT_PREALLOCATE": "false",  # oracle and answers share a GPU
    }
