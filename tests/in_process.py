"""The command line in the process of the tests: what a user sees, without the start of Python and of JAX each time.

A command that runs answers takes a template that the commands before it used. Everything else is as in a process of its own.
"""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from unittest import mock

from grader import cli
from grader.kit.state import take_warnings
from grader.locale.language import ENGLISH, use_language
from grader.run import launch
from grader.run.child import Child, Launcher
from grader.run.forking import Forking

WIDTH = {"COLUMNS": "80"}
"""A command that is not on a terminal has this width; here it could find the terminal that the tests run on."""


class Lent(Launcher):
    """A template that outlives a command. Closing it ends the children that the command started."""

    def __init__(self, template: Forking) -> None:
        self.clean = template.clean
        self._template = template
        self._children: list[Child] = []

    def start(self, kind: str, imports: Sequence[str] = (), memory: int = 0) -> Child:
        self._children.append(self._template.start(kind, imports, memory))
        return self._children[-1]

    def uncounted(self) -> str:
        return self._template.uncounted()

    def close(self) -> None:
        for child in self._children:
            child.close()

    @property
    def alive(self) -> bool:
        return self._template.alive


@cache
def template(number: int, clean: bool) -> Forking:
    return Forking(clean=clean)


STARTED = {False: 0, True: 0}
"""How many templates of each kind an answer has ended: another one is started then."""


def lend(*, clean: bool = False) -> Callable[[], None]:
    """What `launch.start_early` does in a command, with a template that is there already."""
    if not template(STARTED[clean], clean).alive:
        STARTED[clean] += 1
    launch.__dict__["_early"] = lent = Lent(template(STARTED[clean], clean))
    return lent.close


def run(folder: Path, arguments: Sequence[str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run `python -m grader ARGUMENTS` in a folder, with this environment and nothing else in it."""
    encoding = environment.get("PYTHONIOENCODING", "utf-8")
    shown, told = (io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True) for _ in range(2))
    take_warnings()
    with (
        contextlib.chdir(folder),
        mock.patch.dict(os.environ, {**environment, **WIDTH}, clear=True),
        mock.patch.object(launch, "start_early", lend),
        mock.patch.object(launch, "_early", None),
        mock.patch.object(sys, "stdin", io.StringIO()),
        contextlib.redirect_stdout(shown),
        contextlib.redirect_stderr(told),
    ):
        try:
            status = cli.run(arguments)
        finally:
            use_language(ENGLISH)  # the next test reads English
    texts = [one.buffer.getvalue().decode() for one in (shown, told)]  # pyright: ignore
    return subprocess.CompletedProcess(arguments, status, *texts)
