"""Runs all cases of an answer as one compiled program if their traces are small enough, and packs its programs as bytes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend import core

from grader.jaxpr.compat import inner_jaxprs, is_array, is_key, is_traced, line_of
from grader.jaxpr.lower import lower
from grader.jaxpr.outline import dead_loops
from grader.marking.remarks import Remark, grows
from grader.marking.verdict import LONG_TRACE, LOOP_REMOVED, NOT_TRACEABLE
from grader.program.data import NotAProgram, Program, text_of
from grader.run.answer.exceptions import bare
from grader.run.answer.output_streams import muted
from grader.run.answer.progress_notes import note
from grader.run.protocol import KEY, LONGEST_TYPE, NOT, NOT_OF_NUMBERS, ReturnedValue
from grader.values import frames
from grader.values.outline import Outline

SMALL_PROGRAM = 4000
"""Up to this many operations are always compiled as one program. Mostly that takes less than two seconds."""

LARGEST_PROGRAM = 20_000
"""More operations than this are never compiled as one program."""

OPERATIONS_PER_COMPILE = 80
"""One eager compile costs about as much as this many operations inside a jitted program (tests/bench/eager.py)."""


class CannotTrace(Exception):
    """The answer must run as written. `remark` says why."""

    def __init__(self, remark: Remark) -> None:
        super().__init__(remark.name)
        self.remark = remark


class LongTrace(CannotTrace):
    """The traces are too long to compile. `traces` holds those of the first cases, as far as they were made."""

    def __init__(self, remark: Remark, traces: Sequence[CaseTrace]) -> None:
        super().__init__(remark)
        self.traces = traces


def given(value: object) -> ReturnedValue:
    """What a call returned. Only JAX's and NumPy's own arrays count: a subclass may lie about its values."""
    kind = type(value)
    if is_array(value):
        if is_key(value):
            return ReturnedValue(KEY, None)
        # It raises what went wrong while the value was computed; NumPy, which reads a buffer that is not there, would crash.
        array = np.asarray(jax.block_until_ready(value))
        return ReturnedValue(array.dtype.name, array)
    if kind is np.ndarray:
        array = np.array(value)
        if array.dtype.kind in "biufc":
            return ReturnedValue(array.dtype.name, array)
        # The fields of a structured dtype have names of the answer's own, which may be any text.
        dtype = array.dtype.name if array.dtype.names else str(array.dtype)
        return ReturnedValue(f"{NOT_OF_NUMBERS}{dtype[:LONGEST_TYPE]}", None)
    return ReturnedValue(f"{NOT}{kind.__name__[:LONGEST_TYPE]}", None)


@dataclass
class CaseTrace:
    """One case: a program whose output is the value, or the value itself if JAX does not compute it."""

    program: core.ClosedJaxpr | None
    concrete: ReturnedValue | None


@dataclass(frozen=True)
class Compiled:
    """The values of all cases, second values of cases whose second trace differs, insights, the traces.

    `more` holds the other traces that ran in the same program, and their values.
    """

    values: list[ReturnedValue]
    again: dict[int, ReturnedValue]
    insights: list[Remark]
    traces: list[CaseTrace]
    more: list[tuple[CaseTrace, ReturnedValue]]


def run_compiled(
    function: Callable[..., Any],
    cases: Sequence[Sequence[int | float]],
    again: Sequence[int],
    filename: str,
    more: Callable[[], Sequence[CaseTrace]] = tuple,
    made: Callable[[Sequence[CaseTrace], Sequence[CaseTrace]], None] = lambda traces, others: None,
) -> Compiled:
    """Run all cases as one program, and trace the cases `again` a second time while it is compiled.

    Args:
        filename: the name of the answer's own lines in tracebacks.
        more: gives traces to run in the same program: what they have in common with the cases is compiled once.
        made: is called with the traces of the cases and with those of `more` before they are compiled: what their programs
            show is told first.

    Raises:
        CannotTrace: if the answer does not trace, or runs faster as written.
    """
    traces, insights = _trace_all(function, cases)
    others = more()
    second: dict[int, CaseTrace] = {}
    made(traces, others)
    with running([*traces, *others], filename) as run:
        with muted():
            for index in again:
                note("call", index)
                second[index] = trace(function, cases[index])
        values = run()
    changed = [index for index in again if _fingerprint(second[index]) != _fingerprint(traces[index])]
    insights += _removed_loop(traces[0], filename)
    changes = run_traces([second[index] for index in changed], filename) if changed else []
    here = len(traces)
    return Compiled(
        values[:here],
        dict(zip(changed, changes, strict=True)),
        insights,
        traces,
        list(zip(others, values[here:], strict=True)),
    )


def _removed_loop(case_trace: CaseTrace, filename: str) -> list[Remark]:
    """A remark on the first loop that JAX removes, if there is one."""
    loop = None if case_trace.program is None else next(dead_loops(case_trace.program.jaxpr), None)
    if loop is None:
        return []
    # JAX gives a loop an output for each value that a round changes.
    return [Remark(LOOP_REMOVED, line_of(loop, filename), changes=bool(loop.outvars))]


def _trace_all(
    function: Callable[..., Any], cases: Sequence[Sequence[int | float]]
) -> tuple[list[CaseTrace], list[Remark]]:
    traces: list[CaseTrace] = []
    sizes: list[int] = []
    insights: list[Remark] = []
    for index, case in enumerate(cases):
        note("call", index)
        traces.append(trace(function, case))
        program = traces[-1].program
        sizes.append(0 if program is None else count(program.jaxpr))
        if grows(sizes) and not insights:
            insights.append(Remark(LONG_TRACE, sizes=tuple(sizes)))
        if not worth_compiling(traces):
            raise LongTrace(insights[0] if insights else Remark(LONG_TRACE, sizes=tuple(sizes)), traces)
    return traces, insights


def worth_compiling(traces: Sequence[CaseTrace]) -> bool:
    """Whether all traces take less time as one program than operation by operation, where each kind compiles alone."""
    programs = [case_trace.program.jaxpr for case_trace in traces if case_trace.program is not None]
    total = sum(map(count, programs))
    if total <= SMALL_PROGRAM:
        return True
    return total <= min(LARGEST_PROGRAM, OPERATIONS_PER_COMPILE * len(kinds_of(traces)))


def kinds_of(traces: Sequence[CaseTrace]) -> set[tuple[Any, ...]]:
    """What JAX compiles where operations run one by one: a name, its parameters, and the shapes of its inputs."""
    programs = [case_trace.program.jaxpr for case_trace in traces if case_trace.program is not None]
    return {
        (eqn.primitive.name, eqn.params.get("name") or str(eqn.params), tuple(str(atom.aval) for atom in eqn.invars))
        for jaxpr in programs
        for eqn in jaxpr.eqns
    }


def trace(function: Callable[..., Any], case: Sequence[int | float]) -> CaseTrace:
    """One call, traced.

    Raises:
        CannotTrace: if it does not trace.
    """
    concrete: list[ReturnedValue] = []

    def call() -> Any:
        value = function(*case)
        if is_array(value) and not is_key(value):
            return value  # traced, or a constant of JAX's own
        concrete.append(given(value))
        return jnp.zeros(())

    try:
        program: core.ClosedJaxpr = jax.make_jaxpr(call)()
        if any(is_traced(constant) for constant in program.consts):
            raise jax.errors.UnexpectedTracerError("a value of another trace is a constant of this program")
    except BaseException as error:  # tracing may be the only cause: as written, the same call may be right
        raise CannotTrace(Remark(NOT_TRACEABLE, stopped=bare(error))) from error
    return CaseTrace(None, concrete[0]) if concrete else CaseTrace(program, None)


def outlines(
    function: Callable[..., Any], cases: Sequence[Sequence[int | float]], known: Sequence[CaseTrace], filename: str
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
            case_trace = known[index] if known else trace(function, case)
        except CannotTrace as stopped:
            if stopped.__cause__ is None:
                raise
            raise stopped.__cause__ from None
        made.append(outline(case_trace.program, filename))
    return made


def count(jaxpr: core.Jaxpr) -> int:
    """The number of operations in a jaxpr and its inner jaxprs."""
    inner = sum(count(sub) for eqn in jaxpr.eqns for sub in inner_jaxprs(eqn))
    return len(jaxpr.eqns) + inner


def run_as_written(traces: Sequence[CaseTrace]) -> list[ReturnedValue]:
    """The values of traces that are too long to compile: they run operation by operation."""
    values: list[ReturnedValue] = []
    for index, case_trace in enumerate(traces):
        note("check", index)
        values.append(case_trace.concrete or given(core.jaxpr_as_fun(_program(case_trace))()[0]))
    return values


def _program(case_trace: CaseTrace) -> core.ClosedJaxpr:
    assert case_trace.program is not None
    return case_trace.program


def run_traces(traces: Sequence[CaseTrace], filename: str) -> list[ReturnedValue]:
    """The values of traces, compiled as one program."""
    with running(traces, filename) as run:
        return run()


@contextlib.contextmanager
def running(traces: Sequence[CaseTrace], filename: str) -> Generator[Callable[[], list[ReturnedValue]]]:
    """Compile traces as one program while the block runs. What it yields waits for that, and gives their values."""
    programs = [trace.program for trace in traces if trace.program is not None]
    loops = {line for program in programs for line in _lines_of_loops(program.jaxpr, filename)}
    note("compile")
    lowered = lower(programs)
    with ThreadPoolExecutor(1) as compiler:
        compiling = compiler.submit(lowered.compile)

        def run() -> list[ReturnedValue]:
            note("compile")
            compiled = compiling.result()
            # Of several loops, nobody can say which one runs.
            note("run", line=loops.pop() if len(loops) == 1 else 0)
            outputs = iter(lowered.run(compiled))
            return [trace.concrete or given(next(outputs)) for trace in traces]

        yield run


def _lines_of_loops(jaxpr: core.Jaxpr, filename: str) -> set[int]:
    """The lines of an answer that made a loop whose number of rounds is not known before it runs."""
    lines = {line_of(eqn, filename) for eqn in jaxpr.eqns if eqn.primitive.name == "while"} - {0}
    return lines.union(*(_lines_of_loops(sub, filename) for eqn in jaxpr.eqns for sub in inner_jaxprs(eqn)))


def _fingerprint(trace: CaseTrace) -> tuple[Any, ...]:
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


def dtypes_of(traces: Sequence[CaseTrace]) -> tuple[str, ...]:
    """The dtype's name of the value of each trace, all of which are programs."""
    return tuple(_program(case_trace).out_avals[0].dtype.name for case_trace in traces)


def packed(traces: Sequence[CaseTrace], filename: str) -> bytes | None:
    """Traces as bytes; None if a value comes from no trace, or a trace cannot be sent."""
    programs = encoded(traces, filename)
    try:
        if programs is None:
            return None
        text = np.frombuffer(text_of(programs), np.uint8)
        return frames.encode({}, [text, *programs[0].arrays])
    except (NotAProgram, frames.FrameError):  # a text or an array that is too large
        return None
    except MemoryError:  # the answer holds all of it: its programs are not known then
        return None


def encoded(traces: Sequence[CaseTrace], filename: str) -> list[Program] | None:
    """Traces as data, with arrays that all of them share; None if a value comes from no trace, or a trace is no program."""
    # An operation that the encoder does not know may go wrong in any way, and so may the import, where an answer has emptied
    # `sys.modules`. Then it is no program.
    try:
        from grader.jaxpr.encode import Encoder  # here and not above: the import takes a while

        encoder = Encoder(filename)
        programs = [encoder.program(case_trace.program) for case_trace in traces if case_trace.program is not None]
    except Exception:
        return None
    return programs if programs and len(programs) == len(traces) else None


def traced(
    function: Callable[..., Any], cases: Sequence[Sequence[int | float]], known: Sequence[CaseTrace] = ()
) -> list[CaseTrace]:
    """The traces of an answer that runs as written; none if it does not trace.

    Args:
        known: those of the first cases, where they were made already.
    """
    traces = [*known[: len(cases)]]
    try:
        for index in range(len(traces), len(cases)):
            note("call", index)
            traces.append(trace(function, cases[index]))
    except CannotTrace:
        return []
    return traces
