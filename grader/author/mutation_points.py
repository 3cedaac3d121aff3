"""Where a program can be changed, and the changed program, evaluated from the change onwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jax.extend import core

from grader.author.mutate import Change
from grader.jaxpr import compat
from grader.jaxpr.interpret import CHANGED, Arithmetic, Exact, constant, look_up, step
from grader.jaxpr.rules import quiet
from grader.marking.judge import Array

Path = tuple[int, ...]
"""Where an equation is: its index, then, for each level inside, the index of the inner program and its own index."""

_CONTROL_FLOW = frozenset(("scan", "while", "cond"))


@dataclass(frozen=True)
class Site:
    """One equation: where it is, the line of the reference that made it, and whether a library function holds it."""

    path: Path
    equation: Any
    line: int
    inside: bool


@dataclass(frozen=True)
class _Name:
    name: str


@dataclass(frozen=True)
class _Changed:
    """An equation that evaluates itself."""

    original: Any
    change: Change
    primitive: _Name = _Name(CHANGED)

    @property
    def params(self) -> Mapping[str, Any]:
        return self.original.params

    @property
    def invars(self) -> Sequence[Any]:
        return self.original.invars

    @property
    def outvars(self) -> Sequence[Any]:
        return self.original.outvars

    def outputs(self, arguments: list[Any], arithmetic: Arithmetic) -> Sequence[Any]:
        return self.change(self.original, arguments, arithmetic)


def sites(program: core.ClosedJaxpr, file: str) -> Iterator[Site]:
    """Every equation of a program, those of inner programs too, but for the draws of `jax.random`."""
    yield from _sites(program.jaxpr, file, (), None)


def _sites(jaxpr: Any, file: str, prefix: Path, called_at: int | None) -> Iterator[Site]:
    for index, equation in enumerate(jaxpr.eqns):
        path = (*prefix, index)
        line = called_at or compat.line_of(equation, file)
        if compat.sampler(equation):
            continue
        yield Site(path, equation, line, called_at is not None)
        # What a compiled library function holds was traced once for all its callers: only the call tells the line.
        inner_line = line if compat.is_call(equation) else None
        for number, (_, _, body) in enumerate(_bodies(equation)):
            yield from _sites(compat.open_program(body)[0], file, (*path, number), inner_line)


def _bodies(equation: Any) -> list[tuple[str, int | None, Any]]:
    """The inner programs that replay enters; those of other operations (a scatter's, say) stay as they are."""
    enters = compat.is_call(equation) or equation.primitive.name in _CONTROL_FLOW
    return list(compat.inner_programs(equation)) if enters else []


def _put(equation: Any, path: Path, change: Change) -> Any:
    """The equation with a change at a path inside it; the empty path is the equation itself."""
    if not path:
        return _Changed(equation, change)
    number, index, *rest = path
    name, place, body = _bodies(equation)[number]
    changed = _put_in_body(body, index, tuple(rest), change)
    return compat.replace_inner_program(equation, name, place, changed)


def _put_in_body(body: Any, index: int, rest: Path, change: Change) -> Any:
    jaxpr, consts = compat.open_program(body)
    equations = list(jaxpr.eqns)
    equations[index] = _put(equations[index], rest, change)
    return _Body(jaxpr.constvars, jaxpr.invars, jaxpr.outvars, equations, consts)


@dataclass(frozen=True)
class _Body:
    """A program with changed equations in it, for `compat.open_program`."""

    constvars: Sequence[Any]
    invars: Sequence[Any]
    outvars: Sequence[Any]
    eqns: Sequence[Any]
    consts: Sequence[Any]


class Evaluated:
    """A program with the exact value of every variable: a changed one needs only what depends on the change."""

    def __init__(self, program: core.ClosedJaxpr) -> None:
        self._jaxpr = program.jaxpr
        self._values: dict[Any, Any] = dict(
            zip(program.jaxpr.constvars, [constant(const) for const in program.consts], strict=True)
        )
        with quiet():
            for equation in program.jaxpr.eqns:
                step(equation, self._values, Exact(), program.jaxpr)

    def changed(self, paths: Sequence[Path], change: Change) -> Array:
        """The output with a change at each of the paths.

        Raises:
            Exception: whatever an operation raises that was given other shapes or indices than it can take.
        """
        values = dict(self._values)
        replaced: dict[int, Any] = {}
        for path in paths:
            index, *rest = path
            replaced[index] = _put(replaced.get(index, self._jaxpr.eqns[index]), tuple(rest), change)
        dirty: set[Any] = set()
        with quiet():
            for index, equation in enumerate(self._jaxpr.eqns):
                if index in replaced:
                    step(replaced[index], values, Exact(), self._jaxpr)
                elif any(not isinstance(atom, core.Literal) and atom in dirty for atom in equation.invars):
                    step(equation, values, Exact(), self._jaxpr)
                else:
                    continue
                dirty.update(equation.outvars)
        (output,) = self._jaxpr.outvars
        return np.asarray(look_up(output, values, Exact()))
