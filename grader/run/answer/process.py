"""The answer's process: it loads one answer from its text, calls it on the cases, sends the arrays, and exits."""

from __future__ import annotations

import contextlib
import inspect
import linecache
import os
import resource
import sys
import threading
import time
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import FrameType
from typing import Any, cast

import jax
import jax.numpy as jnp

from grader.jaxpr.compat import NoDevice, choose, optimise, turn_off_x64
from grader.jaxpr.lower import get_ready
from grader.marking.remarks import Remark, prints
from grader.marking.requirements import CONTRACTS
from grader.marking.verdict import NOT_TRACEABLE, X64, Cause, Described
from grader.run.answer import progress_notes, tracing
from grader.run.answer.contracts import ContractResult, check_contract, trace_under
from grader.run.answer.exceptions import describe
from grader.run.answer.output_streams import muted, open_streams, settle, show_lines_of
from grader.run.answer.tracing import (
    CannotTrace,
    CaseTrace,
    LongTrace,
    given,
    outlines,
    run_compiled,
    trace,
    traced,
    worth_compiling,
)
from grader.run.protocol import Likely, Opening, Result, ReturnedValue, Setup, Task, TracedPrograms
from grader.run.python import to_users_folder
from grader.sandbox.limits import become_subreaper, guard_memory, limit_answer
from grader.values import codec, frames
from grader.values.outline import Outline
from grader.values.places import lines_of

SECONDS_BETWEEN_LOOKS = 0.25
"""Seconds between two looks."""

SECONDS_IN_A_LOOP = 0.1
"""Seconds of processor time after which a call that is still at the same loop has been in it."""

MOST_BYTES_GROWN = 8 << 20
"""Bytes. An answer that takes more memory between two looks may reach its limit of memory first, and is left to that."""


def watch(loops: Sequence[Sequence[int]], filename: str) -> None:
    """Note the first of some loops of this thread that is seen running twice in a row in the same call.

    Args:
        loops: the first and the last line of each, from 1 (see `marking.endless_loops`).
        filename: of the answer.
    """
    if loops:
        arguments = threading.get_ident(), [(first, last) for first, last in loops], filename
        threading.Thread(target=_look, args=arguments, daemon=True).start()


def _look(thread: int, loops: Sequence[tuple[int, int]], filename: str) -> None:
    before: tuple[FrameType, int] | None = None
    since, held = 0.0, 0
    while True:
        time.sleep(SECONDS_BETWEEN_LOOKS)
        grown, held = _peak() - held, _peak()
        now = _in_a_loop(sys._current_frames().get(thread), loops, filename)  # pyright: ignore[reportPrivateUsage]
        if now is None or before is None or now[0] is not before[0] or now[1] != before[1] or grown > MOST_BYTES_GROWN:
            before, since = now, time.process_time()
        elif time.process_time() - since >= SECONDS_IN_A_LOOP:
            progress_notes.note_endless(now[1])
            return


def _peak() -> int:
    """The most bytes that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _in_a_loop(
    frame: FrameType | None, loops: Sequence[tuple[int, int]], filename: str
) -> tuple[FrameType, int] | None:
    """A call of the answer that is at one of the loops, and the first line of the loop."""
    while frame is not None:
        if frame.f_code.co_filename == filename:
            for first, last in loops:
                if first <= frame.f_lineno <= last:
                    return frame, first
        frame = frame.f_back
    return None


AGAIN = slice(1, 4)
"""The cases that are called a second time, to see whether the answer changes: small, but not the very smallest."""

OF_A_KIT = ("problems", "solutions")
"""Folders of a kit: no answer can import from them."""

Function = Callable[..., Any]
Cases = Sequence[Sequence[int | float]]


class Unfit(Exception):
    """An answer's text has no function that can be called as the problem asks. It is told as an exception of Python."""

    def __init__(self, kind: str, cause: Cause, **details: str) -> None:
        self.described = Described(kind, "", (), (kind,), cause, details)


@dataclass
class CallOutcome:
    """What the answer gave: the value of each case, second values of some cases, or an exception.

    `sent` says whether its programs were sent.
    """

    values: list[ReturnedValue] = field(default_factory=list[ReturnedValue])
    again: dict[int, ReturnedValue] = field(default_factory=dict[int, ReturnedValue])
    raised: Described | None = None
    insights: list[Remark] = field(default_factory=list[Remark])
    contract: ContractResult = field(default_factory=ContractResult)
    outlines: list[Outline] = field(default_factory=list[Outline])
    stopped: Described | None = None
    traces: list[CaseTrace] = field(default_factory=list[CaseTrace])
    compiled: bool = False
    sent: bool = False


def main() -> None:
    """Serve one request. Frames come in on descriptor 0 and go out on 1; what the answer prints goes to 2.

    The first frame names the device, so that the process can get ready before there is an answer to run. What it says of
    the device goes out before the answer comes in, so that no answer can say it.
    """
    guard_memory(guarded=False)  # processes of the same user measure its memory and set up its namespaces
    become_subreaper()  # orphans that it forks stay below it, so that they are measured with it
    setup = codec.read(Setup, 0)
    if setup is None or not _confined(setup):
        return
    device = _ready(setup)
    if isinstance(device, NoDevice):
        frames.write(1, codec.encode(Opening(missing=str(device))))
        return
    frames.write(1, codec.encode(Opening(_name_of(device))))
    task = codec.read(Task, 0)
    result = os.dup(1)
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    if task is None:
        return
    progress_notes.begin(result)
    watch(task.endless, task.filename)
    open_streams()
    # An answer is one file. Without this line, it could import other files of a kit where the kit is on the search path.
    sys.modules.update(dict.fromkeys(OF_A_KIT, cast(types.ModuleType, None)))
    show_lines_of(task.filename)
    frame = _serve(device, task)
    settle()
    frames.write(result, frame)
    os._exit(0)


def _confined(setup: Setup) -> bool:
    """Confine this process as the first frame asks, and report the tier in force. Returns whether it may go on."""
    if not setup.confine:
        limit_answer()
        to_users_folder()
        return True
    from grader.sandbox.confine import Confined, RefusedConfinement, confine

    try:
        done = confine(setup.confine, setup.memory)
    except RefusedConfinement as error:
        done = Confined("", [str(error)])
    frames.write(1, codec.encode(done))
    return bool(done.tier)


def _ready(setup: Setup) -> Any:
    """The device, with its backend started, and with all done that its answer is likely to do."""
    try:
        device = choose(setup.device)
    except NoDevice as error:
        return error
    if setup.likely is not None:
        with jax.default_device(device), jax.default_matmul_precision("highest"):
            _do(setup.likely)
    return device


def _do(likely: Likely) -> None:
    """Do what an answer is likely to do: start the compiler, compile draws, trace what the stub begins with."""
    square = jnp.ones((2, 2))
    jax.jit(jnp.matmul)(square, square).block_until_ready()
    for name in likely.draws:
        get_ready(name)
    if (stub := likely.stub) is None:
        return
    with muted(), contextlib.suppress(BaseException):  # what an instructor's stub raises is no matter of the answer
        function = load(stub.text, stub.filename, stub.function, stub.parameters)
        for case in stub.cases:
            with contextlib.suppress(CannotTrace):
                trace(function, case)
    sys.modules.pop("answer", None)


def _name_of(device: Any) -> str:
    return "cpu" if device.platform == "cpu" else f"{device.platform} ({device.device_kind})"


def _serve(device: Any, task: Task) -> bytes:
    if task.plain:
        optimise(fully=True)
    with jax.default_device(device), jax.default_matmul_precision("highest"):
        outcome = _answer(task)
    if not outcome.sent and _whole(outcome):
        _send(task, outcome, outcome.traces, outcome.contract.traces)
    result = Result(
        values=tuple(outcome.values),
        again=tuple(outcome.again.items()),
        transformed=tuple(outcome.contract.values),
        raised=outcome.raised,
        broken=outcome.contract.broken,
        outlines=tuple(outcome.outlines),
        stopped=outcome.stopped,
        insights=tuple(outcome.insights),
        compiled=outcome.compiled,
    )
    try:
        return codec.encode(result)
    except frames.FrameError as error:
        raised = Described("TypeError", str(error), (), ("TypeError",))
        return codec.encode(Result(raised=raised, insights=result.insights))


def _whole(outcome: CallOutcome) -> bool:
    """Whether an answer traces, and every call gave numbers."""
    numbers = outcome.raised is None and all(value.array is not None for value in outcome.values)
    return numbers and _traceable(outcome)


def _send(task: Task, outcome: CallOutcome, traces: Sequence[CaseTrace], derivatives: Sequence[CaseTrace]) -> None:
    """Send the programs of the first cases, as many as are asked for, and those of the derivative if that is graded."""
    of_value, of_derivative = traces[: task.programs], derivatives[: task.programs]
    programs = tracing.packed(of_value, task.filename) if of_value else None
    if programs is None:
        return
    under = tracing.packed(of_derivative, task.filename) if _derivative(task) else None
    outcome.sent = True
    # What cannot be sent is not known: the result says the rest.
    with contextlib.suppress(frames.FrameError):
        progress_notes.send_programs(
            TracedPrograms(tracing.dtypes_of(of_value), programs, under, tuple(outcome.outlines))
        )


def _traceable(outcome: CallOutcome) -> bool:
    return not any(insight.name == NOT_TRACEABLE for insight in outcome.insights)


def _answer(task: Task) -> CallOutcome:
    filename, text, cases = task.filename, task.text, task.cases
    outcome = CallOutcome()
    turn_off_x64()  # a setting of the environment is not the answer's
    progress_notes.note("load")
    try:
        function = load(text, filename, task.function, task.parameters)
    except Unfit as unfit:
        outcome.raised = unfit.described
        return outcome
    except BaseException as error:  # an answer may raise SystemExit and KeyboardInterrupt too
        outcome.raised = describe(error, filename)
        return outcome
    if turn_off_x64():
        outcome.insights.append(Remark(X64))
    _call(task, function, outcome)
    if not outcome.traces and _traceable(outcome) and outcome.raised is None:
        _trace(task, function, outcome)
    if len(outcome.values) != len(cases) or any(value.array is None for value in outcome.values):
        outcome.contract = ContractResult()
        return outcome
    if task.contract and not outcome.contract.values:
        with muted():
            called = CONTRACTS[task.contract], task.argnum, function, cases, filename
            outcome.contract = check_contract(*called, plain=task.plain, known=outcome.values)
    if task.outlined and outcome.contract.broken is None:
        with muted():
            try:
                made = outcome.outlines if outcome.compiled else []
                known = outcome.traces if outcome.compiled else ()
                outcome.outlines = made or outlines(function, cases, known, filename)
            except BaseException as error:  # an answer may raise SystemExit and KeyboardInterrupt too
                outcome.stopped = describe(error, filename)
    return outcome


def _call(task: Task, function: Function, outcome: CallOutcome) -> None:
    cases = task.cases
    # An answer that prints runs as written: then it prints numbers and no tracers, and it is known in which call.
    if not (task.as_written or prints(task.text)):
        try:
            more = partial(_derivatives, task, function)

            def made(traces: Sequence[CaseTrace], derivatives: Sequence[CaseTrace]) -> None:
                if len(derivatives) == (len(traces) if _derivative(task) else 0):
                    if task.outlined:
                        outcome.outlines = outlines(function, cases, traces, task.filename)
                    _send(task, outcome, traces, derivatives)

            compiled = run_compiled(function, cases, range(len(cases))[AGAIN], task.filename, more, made)
        except CannotTrace as reason:
            outcome.insights.append(reason.remark)
            if isinstance(reason, LongTrace):  # its operations run one by one, which takes long
                _trace(task, function, outcome, reason.traces)
        except Exception:
            pass  # the call as written raises it again, and then the line of the answer is known
        else:
            outcome.values, outcome.again, outcome.traces = compiled.values, compiled.again, compiled.traces
            outcome.compiled = True
            outcome.insights += compiled.insights
            outcome.contract = ContractResult(
                [value for _, value in compiled.more], traces=[case_trace for case_trace, _ in compiled.more]
            )
            return
    _run_as_written(function, cases, task.filename, outcome)


def _trace(task: Task, function: Function, outcome: CallOutcome, known: Sequence[CaseTrace] = ()) -> None:
    """The traces of an answer that runs as written, where its programs are asked for."""
    if task.programs and not outcome.sent:
        with muted():
            outcome.traces = traced(function, task.cases[: task.programs], known)


def _derivative(task: Task) -> bool:
    return bool(task.contract) and CONTRACTS[task.contract].derivative


def _derivatives(task: Task, function: Function) -> Sequence[CaseTrace]:
    """The traces of the derivative that a contract asks for; none where it cannot be compiled with the values."""
    if not _derivative(task):
        return ()
    contract = CONTRACTS[task.contract]
    with muted():
        traces, broken = trace_under(contract, task.argnum, function, task.cases, task.filename)
    return traces if broken is None and worth_compiling(traces) else ()


def load(text: str, filename: str, name: str, parameters: Sequence[str]) -> Function:
    """The function `name` out of the text of an answer.

    Raises:
        BaseException: whatever the text raises when it is compiled and run.
        Unfit: if the text has no function of that name, or it cannot be called with the parameters.
    """
    linecache.cache[filename] = (len(text), None, lines_of(text), filename)
    module = types.ModuleType("answer")
    module.__file__ = filename
    sys.modules["answer"] = module
    exec(compile(text, filename, "exec", dont_inherit=True), module.__dict__)
    function = module.__dict__.get(name)
    if function is None:
        others = [key for key, value in module.__dict__.items() if isinstance(value, types.FunctionType)]
        if not others:
            raise Unfit("AttributeError", Cause.NO_FUNCTION, name=repr(name))
        raise Unfit("AttributeError", Cause.OTHER_FUNCTIONS, name=repr(name), functions=", ".join(others[:5]))
    if not callable(function):
        raise Unfit("TypeError", Cause.NO_CALL, name=repr(name), type=type(function).__name__)
    try:
        inspect.signature(function).bind(*parameters)
    except TypeError as error:
        call = f"{name}({', '.join(parameters)})"
        raise Unfit("TypeError", Cause.OTHER_PARAMETERS, name=name, call=call, error=str(error)) from None
    except ValueError:
        pass  # some builtins have no signature: the call shows whether the arguments fit
    return function


def _run_as_written(function: Function, cases: Cases, filename: str, outcome: CallOutcome) -> None:
    try:
        for index, case in enumerate(cases):
            progress_notes.note("call", index)
            outcome.values.append(given(function(*case)))
        with muted():
            for index in range(len(cases))[AGAIN]:
                progress_notes.note("call", index)
                outcome.again[index] = given(function(*cases[index]))
    except BaseException as error:  # an answer may raise SystemExit and KeyboardInterrupt too
        outcome.raised = describe(error, filename)
