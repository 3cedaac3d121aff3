"""The equations of a program that can be changed, and the output of the changed program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jax.extend import core

from grader.jaxpr import compat
from grader.jaxpr.interpret import Evaluate, Interpreter, OnEqn, constant
from grader.marking.judge import Array
from grader.program.arithmetic import Exact
from grader.program.rules import quiet

Path = tuple[Any, ...]
"""Where an equation is: the equations that hold it, from the outermost inwards, and the equation itself at the end."""

_CONTROL_FLOW = frozenset(("scan", "while", "cond"))


@dataclass(frozen=True)
class MutationPoint:
    """One equation: where it is, the line of the reference that made it, and whether a library function holds it."""

    path: Path
    line: int
    inside: bool

    @property
    def eqn(self) -> Any:
        return self.path[-1]


def mutation_points(program: core.ClosedJaxpr, file: str) -> Iterator[MutationPoint]:
    """Every equation of a program and of its inner programs, except the draws of `jax.random`.

    Args:
        file: the path of the reference.
    """
    yield from _sites(program, file, (), None)


def _sites(program: Any, file: str, holders: Path, called_at: int | None) -> Iterator[MutationPoint]:
    jaxpr, _ = compat.open_program(program)
    for eqn in jaxpr.eqns:
        if compat.sampler(eqn):
            continue
        path = (*holders, eqn)
        line = called_at or compat.line_of(eqn, file)
        yield MutationPoint(path, line, called_at is not None)
        is_call = compat.is_call(eqn)
        # The interpreter enters these programs; those of other operations (scatter, for example) are not mutation_points.
        if is_call or eqn.primitive.name in _CONTROL_FLOW:
            for _, body in compat.inner_programs(eqn):
                # A library function is traced once for all its callers, so only the call has the line of the reference.
                yield from _sites(body, file, path, line if is_call else None)


def _change_at(paths: Sequence[Path], change: OnEqn) -> OnEqn:
    """The hook that changes the equations at some paths."""

    def on_eqn(eqn: Any, arguments: list[Any], evaluate: Evaluate) -> Sequence[Any]:
        inside = [rest for first, *rest in paths if first is eqn]
        if not inside:
            return evaluate(eqn, arguments)
        if [] in inside:
            return change(eqn, arguments, evaluate)
        # Two calls may share one inner program, so the change is made only while the call of the path is evaluated.
        return Interpreter(Exact(), _change_at([tuple(rest) for rest in inside], change)).evaluate(eqn, arguments)

    return on_eqn


class Evaluated:
    """A program with the exact value of every variable: a changed program needs only what depends on the change."""

    def __init__(self, program: core.ClosedJaxpr) -> None:
        self._jaxpr = program.jaxpr
        self._env: dict[Any, Any] = dict(zip(program.jaxpr.constvars, map(constant, program.consts), strict=True))
        interpreter = Interpreter(Exact())
        with quiet():
            for eqn in self._jaxpr.eqns:
                interpreter.step(eqn, self._env, self._jaxpr)

    def changed(self, paths: Sequence[Path], change: OnEqn) -> Array:
        """The output with a change at each of the paths.

        Raises:
            ProblemError: where an operation cannot take the shapes or indices that a change gives it.
        """
        env = dict(self._env)
        interpreter = Interpreter(Exact(), _change_at(paths, change))
        outermost = {id(path[0]) for path in paths}
        dirty: set[Any] = set()
        with quiet():
            for eqn in self._jaxpr.eqns:
                reads_dirty = any(not isinstance(atom, core.Literal) and atom in dirty for atom in eqn.invars)
                if reads_dirty or id(eqn) in outermost:
                    interpreter.step(eqn, env, self._jaxpr)
                    dirty.update(eqn.outvars)
        (output,) = self._jaxpr.outvars
        return np.asarray(interpreter.read(output, env))
