"""Which way children are started here: forked from a template, or in fresh interpreters."""

from __future__ import annotations

import os
from collections.abc import Callable

from grader.run.child import Launcher
from grader.run.forking import Forking
from grader.run.spawning import Spawning
from grader.sandbox.limits import LINUX, guard_memory

_early: Forking | None = None


def start_early(*, clean: bool = False) -> Callable[[], None]:
    """Start the template now, so that it imports jax while this process imports the rest.

    Returns:
        a function to call at the end: it ends the template if no launcher has taken it.
    """
    global _early
    if can_fork() and (_early is None or _early.clean != clean):
        _abandon_early()
        _early = Forking(clean=clean)
    return _abandon_early


def launcher(*, clean: bool = False) -> Launcher:
    """A launcher that works on this machine. The first call takes the template that `start_early` started, if it fits.

    From here on no other process may read or write the memory of this process, which judges what its children send.

    Args:
        clean: whether answers are confined.
    """
    global _early
    guard_memory()
    if not can_fork():
        return Spawning(clean=clean)
    if _early is not None and _early.clean == clean:
        early, _early = _early, None
        return early
    return Forking(clean=clean)


def _abandon_early() -> None:
    global _early
    early, _early = _early, None
    if early is not None:
        early.close()


def can_fork() -> bool:
    """Whether children are forked: on Linux, unless GRADER_START=spawn is set."""
    return LINUX and os.environ.get("GRADER_START", "fork") != "spawn"
