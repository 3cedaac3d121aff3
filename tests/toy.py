"""Small problems made of a function: its text is the worked answer, and the comments below its statements are mistakes."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from grader.kit.mistakes import MistakeForm, pitfall_sets, read_forms
from grader.kit.problem import Problem
from grader.kit.solution import Solution, read

IMPORTS = "import jax; import jax.numpy as jnp; import numpy as np; from jax import random; from typing import Any"


@dataclass(frozen=True, eq=False)
class Called(Solution):
    """A worked answer without mistakes whose function is there already, with all that it closes over."""

    called: Callable[..., Any] = field(default=lambda: None)

    def _made(self, forms: tuple[MistakeForm, ...]) -> Callable[..., Any]:
        return self.called


def solution_of(function: Callable[..., Any], words: Mapping[str, tuple[str, str]] | None = None) -> Solution:
    """A function as a worked answer. Its lines are those of the file that it is in.

    Args:
        words: `why` and `hint` of mistakes by their names; the others have some.
    """
    file, first = inspect.unwrap(function).__code__.co_filename, inspect.unwrap(function).__code__.co_firstlineno
    source = textwrap.dedent(inspect.getsource(function)) if function.__name__ != "<lambda>" else ""
    if "#:" not in source:
        return Called(function.__name__, file, "", (), function)
    text = IMPORTS + "\n" * (first - 1) + source
    said = {
        **(words or {}),
        **{name: ("These numbers.", "Which ones?") for name in read_forms(text) if name not in (words or {})},
    }
    sections = "\n".join(f"## {name}\n{why}\n\n> {hint}\n" for name, (why, hint) in said.items())
    return read(function.__name__, file, text, sections)


def problem_of(
    function: Callable[..., Any], words: Mapping[str, tuple[str, str]] | None = None, **declared: Any
) -> Problem:
    """A problem whose worked answer is a function (see `solution_of`)."""
    return Problem(solution=solution_of(function, words), **declared)


def forms(problem: Problem, *names: str, number: int = 0) -> tuple[MistakeForm, ...]:
    """The n-th forms of a set of mistakes."""
    return [made for listed, made in pitfall_sets(problem.pitfalls, len(names)) if listed == names][number]
