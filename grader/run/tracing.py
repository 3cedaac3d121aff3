"""Runs all cases of an answer as one compiled program, if their traces are small enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend import core

from grader.jaxpr.compat import inner_jaxprs, is_array, is_key, line_of
from grader.jaxpr.live_equations import dead_loops
from grader.jaxpr.lower import lower
from grader.locale.language import gettext, ngettext
from grader.marking.comparison import Array
from grader.marking.error_advice import advice
from grader.marking.places import Line, in_lines
from grader.marking.program_requirements import Outline
from grader.marking.verdict import LONG_TRACE, LOOP_REMOVED, NOT_TRACEABLE
from grader.run.exceptions import NAME_CAP, message_of
from grader.run.output_streams import muted
from grader.run.progress_notes import note
from grader.run.result import NOT, Remark

SMALL_TRACE = 80
"""A trace of up to this many operations is never called long."""
GROWTH = 2.0
"""A trace that is longer than the first case's by this factor comes from a Python loop over a size."""
SMALL_PROGRAM = 4000
"""Up to this many operations are always compiled as one program. Mostly that takes less than two seconds."""
LARGEST_PROGRAM = 20_000
"""More operations than this are never compiled as one program."""
OPERATIONS_PER_COMPILE = 80
"""One eager compile costs about as much as this many operations inside a jitted program (tests/bench/eager.py)."""
LONGEST_REASON = 150
"""The most characters of the reason why an answer does not trace."""


@dataclass(frozen=True)
class Given:
    """What one call gave: an array with its dtype's name as kind, or no array and `NOT` with its type."""

    kind: str
    array: Array | None


class CannotTrace(Exception):
    """The answer must run as written. `remark` says why."""

    def __init__(self, remark: Remark) -> None:
        super().__init__(remark.message)
        self.remark = remark


class LongTrace(CannotTrace):
    """The traces are too long to compile. `traces` holds those of the first cases, as far as they were made."""

    def __init__(self, remark: Remark, traces: Sequence[Trace]) -> None:
        super().__init__(remark)
        self.traces = traces


def given(value: object) -> Given:
    """What a call returned. Only JAX's and NumPy's own arrays count: a subclass may lie about its values."""
    kind = type(value)
    if is_array(value):
        if is_key(value):
            return Given(NOT + gettext("PRNG key"), None)
        array = np.asarray(value)
        return Given(array.dtype.name, array)
    if kind is np.ndarray:
        array = np.array(value)
        if array.dtype.kind in "biufc":
            return Given(array.dtype.name, array)
        return Given(NOT + gettext("{dtype} array").format(dtype=array.dtype), None)
    return Given(f"{NOT}{kind.__name__[:60]}", None)


@dataclass
class Trace:
    """One case: a program whose output is the value, or the value itself if JAX does not compute it."""

    program: core.ClosedJaxpr | None
    concrete: Given | None


@dataclass(frozen=True)
class Compiled:
    """The values of all cases, second values of cases whose second trace differs, insights, the traces.

    `more` holds the other traces that ran in the same program, and their values.
    """

    values: list[Given]
    again: dict[int, Given]
    insights: list[Remark]
    traces: list[Trace]
    more: list[tuple[Trace, Given]]


def run_compiled(
    function: Callable[..., Any],
    cases: Sequence[Sequence[int | float]],
    again: Sequence[int],
    filename: str,
    parameters: Sequence[str],
    more: Callable[[], Sequence[Trace]] = tuple,
) -> Compiled:
    """Run all cases as one program, and trace the cases `again` a second time.

    Args:
        filename: the name of the answer's own lines in tracebacks.
        parameters: the names of the arguments.
        more: gives traces to run in the same program: what they have in common with the cases is compiled once.

    Raises:
        CannotTrace: if the answer does not trace, or runs faster as written.
    """
    traces, insights = _trace_all(function, cases, parameters)
    others = more()
    values = run_traces([*traces, *others], filename)
    second: dict[int, Trace] = {}
    with muted():
        for index in again:
            note("call", index)
            second[index] = trace(function, cases[index])
    changed = [index for index in again if _fingerprint(second[index]) != _fingerprint(traces[index])]
    insights += _removed_loop(traces[0], filename)
    changes = run_traces([second[index] for index in changed], filename)
    here = len(traces)
    return Compiled(
        values[:here],
        dict(zip(changed, changes, strict=True)),
        insights,
        traces,
        list(zip(others, values[here:], strict=True)),
    )


def _removed_loop(one: Trace, filename: str) -> list[Remark]:
    """An insight about the first loop that JAX removes, if there is one."""
    loop = None if one.program is None else next(dead_loops(one.program.jaxpr), None)
    if loop is None:
        return []
    line = line_of(loop, filename)
    match bool(line), bool(loop.outvars):
        case True, True:
            said = gettext(
                "The loop at {line} gives nothing that the result depends on: JAX removes such a loop, even an endless one."
            )
        case True, False:
            said = gettext(
                "The loop at {line} changes nothing that it carries: JAX removes such a loop, even an endless one."
            )
        case False, True:
            said = gettext(
                "A loop gives nothing that the result depends on: JAX removes such a loop, even an endless one."
            )
        case _:
            said = gettext("A loop changes nothing that it carries: JAX removes such a loop, even an endless one.")
    return [Remark(LOOP_REMOVED, said.format(line=in_lines([Line(line)])), line)]


def _trace_all(
    function: Callable[..., Any], cases: Sequence[Sequence[int | float]], parameters: Sequence[str]
) -> tuple[list[Trace], list[Remark]]:
    traces: list[Trace] = []
    sizes: list[int] = []
    insights: list[Remark] = []
    for index, case in enumerate(cases):
        note("call", index)
        traces.append(trace(function, case))
        program = traces[-1].program
        sizes.append(0 if program is None else count(program.jaxpr))
        grown = sizes[-1] > max(SMALL_TRACE, GROWTH * sizes[0])
        if grown and not insights:
            said = gettext(
                "Its trace grows with the sizes ({count} operations at {arguments}; {later_count} at {later_arguments}), "
                "as that of a Python loop or a recursion does. Operations on whole arrays compile in one piece."
            )
            first, later = (
                ", ".join(f"{name}={value}" for name, value in zip(parameters, one, strict=True))
                for one in (cases[0], case)
            )
            said = said.format(count=sizes[0], arguments=first, later_count=sizes[-1], later_arguments=later)
            insights.append(Remark(LONG_TRACE, said))
        if not worth_compiling(traces):
            long = ngettext(
                "Its trace is long ({operations} operations in the first case), so it runs operation by operation.",
                "Its trace is long ({operations} operations in the first {count} cases), so it runs operation by operation.",
                index + 1,
            ).format(operations=sum(sizes), count=index + 1)
            raise LongTrace(insights[0] if insights else Remark(LONG_TRACE, long), traces)
    return traces, insights


def worth_compiling(traces: Sequence[Trace]) -> bool:
    """Whether all traces take less time as one program than operation by operation, where each kind compiles alone."""
    programs = [one.program.jaxpr for one in traces if one.program is not None]
    total = sum(map(count, programs))
    if total <= SMALL_PROGRAM:
        return True
    return total <= min(LARGEST_PROGRAM, OPERATIONS_PER_COMPILE * len(kinds_of(traces)))


def kinds_of(traces: Sequence[Trace]) -> set[tuple[Any, ...]]:
    """What JAX compiles where operations run one by one: a name, its parameters, and the shapes of its inputs."""
    programs = [one.program.jaxpr for one in traces if one.program is not None]
    return {
        (eqn.primitive.name, eqn.params.get("name") or str(eqn.params), tuple(str(atom.aval) for atom in eqn.invars))
        for jaxpr in programs
        for eqn in jaxpr.eqns
    }


def trace(function: Callable[..., Any], case: Sequence[int | float]) -> Trace:
    """One call, traced.

    Raises:
        CannotTrace: if it does not trace.
    """
    concrete: list[Given] = []

    def call() -> Any:
        value = function(*case)
        if is_array(value) and not is_key(value):
            return value  # traced, or a constant of JAX's own
        concrete.append(given(value))
        return jnp.zeros(())

    try:
        program: core.ClosedJaxpr = jax.make_jaxpr(call)()
    except BaseException as error:  # tracing may be the only cause: as written, the same call may be right
        whole = message_of(error).strip()
        told = whole.partition("\n")[0].rstrip(".")
        reason = told if len(told) <= LONGEST_REASON else f"{told[:LONGEST_REASON]}..."
        known = advice([one.__name__ for one in type(error).__mro__], whole)
        said = gettext("It does not trace under jax.jit ({error}: {reason}).").format(
            error=type(error).__name__[:NAME_CAP], reason=reason
        )
        raise CannotTrace(Remark(NOT_TRACEABLE, f"{said} {known}".strip())) from error
    return Trace(None, concrete[0]) if concrete else Trace(program, None)


def outlines(
    function: Callable[..., Any], cases: Sequence[Sequence[int | float]], known: Sequence[Trace], filename: str
) -> list[Outline]:
    """What can be asked about the program of each case.

    Args:
        known: the traces; empty if the answer has not been traced.

    Raises:
        Exception: what stops the trace.
    """
    from grader.jaxpr.outline import outline  # here and not above: few problems ask for it

    made: list[Outline] = []
    for index, case in enumerate(cases):
        note("check", index)
        try:
            one = known[index] if known else trace(function, case)
        except CannotTrace as stopped:
            if stopped.__cause__ is None:
                raise
            raise stopped.__cause__ from None
        made.append(outline(one.program, filename))
    return made


def count(jaxpr: core.Jaxpr) -> int:
    """The number of operations in a jaxpr and its inner jaxprs."""
    inner = sum(count(sub) for eqn in jaxpr.eqns for sub in inner_jaxprs(eqn))
    return len(jaxpr.eqns) + inner


def run_as_written(traces: Sequence[Trace]) -> list[Given]:
    """The values of traces that are too long to compile: they run operation by operation."""
    values: list[Given] = []
    for index, one in enumerate(traces):
        note("check", index)
        values.append(one.concrete or given(core.jaxpr_as_fun(_program(one))()[0]))
    return values


def _program(one: Trace) -> core.ClosedJaxpr:
    assert one.program is not None
    return one.program


def run_traces(traces: Sequence[Trace], filename: str) -> list[Given]:
    """The values of traces, compiled as one program."""
    programs = [trace.program for trace in traces if trace.program is not None]
    outputs = iter(_run(programs, filename) if programs else ())
    return [trace.concrete or given(next(outputs)) for trace in traces]


def _run(programs: Sequence[core.ClosedJaxpr], filename: str) -> Sequence[jax.Array]:
    note("compile")
    compiled = lower(programs).compile()
    loops = {line for program in programs for line in _lines_of_loops(program.jaxpr, filename)}
    # Of several loops, nobody can say which one runs.
    note("run", line=loops.pop() if len(loops) == 1 else 0)
    return jax.block_until_ready(compiled())


def _lines_of_loops(jaxpr: core.Jaxpr, filename: str) -> set[int]:
    """The lines of an answer that made a loop whose number of rounds is not known before it runs."""
    lines = {line_of(eqn, filename) for eqn in jaxpr.eqns if eqn.primitive.name == "while"} - {0}
    return lines.union(*(_lines_of_loops(sub, filename) for eqn in jaxpr.eqns for sub in inner_jaxprs(eqn)))


def _fingerprint(trace: Trace) -> tuple[Any, ...]:
    """The operations, shapes and numbers of a trace. They differ between two traces of one call if the answer changes."""
    if trace.concrete is not None:
        array = trace.concrete.array
        return trace.concrete.kind, None if array is None else array.tobytes()
    assert trace.program is not None
    consts = tuple(np.asarray(const).tobytes() for const in trace.program.consts if not is_key(const))
    return consts, _operations(trace.program.jaxpr)


def _operations(jaxpr: core.Jaxpr) -> tuple[Any, ...]:
    listed: list[Any] = []
    for eqn in jaxpr.eqns:
        numbers = tuple(np.asarray(a.val).tobytes() for a in eqn.invars if isinstance(a, core.Literal))
        inner = tuple(_operations(sub) for sub in inner_jaxprs(eqn))
        shapes = tuple(str(variable.aval) for variable in eqn.outvars)
        listed.append((eqn.primitive.name, shapes, numbers, inner))
    return tuple(listed)
