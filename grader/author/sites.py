"""Where a program can be changed, and the changed program, evaluated from the change onwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jax.extend import core

from grader.author.mutate import Change
from grader.judge import Array
from grader.oracle.binding import is_draw, line_of
from grader.oracle.replay import CALLS, CHANGED, Arithmetic, Exact, constant, look_up, step
from grader.oracle.rules import quiet

Path = tuple[int, ...]
"""Where an equation is: its index, then, for each level inside, the index of the inner program and its own index."""

_BODIES = {"scan": ("jaxpr",), "while": ("cond_jaxpr", "body_jaxpr"), "cond": ("branches",)}


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
        name, path = equation.primitive.name, (*prefix, index)
        line = called_at or line_of(equation, file)
        if name in CALLS and is_draw(equation):
            continue
        yield Site(path, equation, line, called_at is not None)
        # What a compiled library function holds was traced once for all its callers: only the call tells the line.
        inner_line = line if name in CALLS else None
        for number, body in enumerate(_bodies(equation)):
            yield from _sites(getattr(body, "jaxpr", body), file, (*path, number), inner_line)


def _keys(name: str) -> tuple[str, ...]:
    return (CALLS[name],) if name in CALLS else _BODIES.get(name, ())


def _bodies(equation: Any) -> list[Any]:
    bodies: list[Any] = []
    for key in _keys(equation.primitive.name):
        value = equation.params[key]
        bodies += value if isinstance(value, (tuple, list)) else [value]
    return bodies


def _put(equation: Any, path: Path, change: Change) -> Any:
    """The equation with a change at a path inside it; the empty path is the equation itself."""
    if not path:
        return _Changed(equation, change)
    number, index, *rest = path
    params, count = dict(equation.params), 0
    for key in _keys(equation.primitive.name):
        value = params[key]
        listed = list(value) if isinstance(value, (tuple, list)) else [value]
        if count <= number < count + len(listed):
            listed[number - count] = _put_in_body(listed[number - count], index, tuple(rest), change)
            params[key] = tuple(listed) if isinstance(value, (tuple, list)) else listed[0]
        count += len(listed)
    return equation.replace(params=params)


def _put_in_body(body: Any, index: int, rest: Path, change: Change) -> Any:
    jaxpr = getattr(body, "jaxpr", body)
    equations = list(jaxpr.eqns)
    equations[index] = _put(equations[index], rest, change)
    changed = _Body(jaxpr.constvars, jaxpr.invars, jaxpr.outvars, equations)
    return _Closed(changed, body.consts, body.out_avals) if hasattr(body, "consts") else changed


@dataclass(frozen=True)
class _Body:
    constvars: Sequence[Any]
    invars: Sequence[Any]
    outvars: Sequence[Any]
    eqns: Sequence[Any]


@dataclass(frozen=True)
class _Closed:
    jaxpr: _Body
    consts: Sequence[Any]
    out_avals: Sequence[Any]


class Evaluated:
    """A program with the exact value of every variable: a changed one needs only what depends on the change."""

    def __init__(self, program: core.ClosedJaxpr) -> None:
        self._jaxpr = program.jaxpr
        self._values: dict[Any, Any] = dict(
            zip(program.jaxpr.constvars, [constant(const) for const in program.consts], strict=True)
        )
        with quiet():
            for equation in program.jaxpr.eqns:
                step(equation, self._values, Exact())

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
                    step(replaced[index], values, Exact())
                elif any(not isinstance(atom, core.Literal) and atom in dirty for atom in equation.invars):
                    step(equation, values, Exact())
                else:
                    continue
                dirty.update(equation.outvars)
        (output,) = self._jaxpr.outvars
        return np.asarray(look_up(output, values, Exact()))
