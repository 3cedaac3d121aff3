"""The answer's process: it loads one answer from its text, calls it on the cases, sends the arrays, and exits.

It receives the text, the function's name and the cases. It has no reference, no expected values and no verdict.
"""

from __future__ import annotations

import inspect
import linecache
import os
import sys
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import jax
import jax.numpy as jnp

from grader.jaxpr.compat import optimise, turn_off_x64
from grader.kit import codec, frames
from grader.marking.contracts import CONTRACTS
from grader.marking.expressions import lines_of
from grader.marking.program_requirements import Outline
from grader.marking.remarks import Remark, prints
from grader.marking.verdict import NOT_TRACEABLE, X64, Cause, Described
from grader.run import programs, progress_notes
from grader.run.contracts import ContractResult, check_contract, trace_under
from grader.run.devices import NoDevice, choose
from grader.run.exceptions import describe
from grader.run.loop_watcher import watch
from grader.run.output_streams import muted, open_streams, settle, show_lines_of
from grader.run.programs import traced
from grader.run.python import to_users_folder
from grader.run.result import Given, Opening, Result, Setup, Task
from grader.run.tracing import (
    CannotTrace,
    LongTrace,
    Trace,
    given,
    outlines,
    run_compiled,
    worth_compiling,
)
from grader.sandbox.limits import become_subreaper, guard_memory, limit_answer

AGAIN = slice(1, 4)
"""The cases that are called a second time, to see whether the answer changes: small, but not the very smallest."""

OF_A_KIT = ("problems", "solutions")
"""Folders of a kit: no answer can import from them."""

OF_TYPE = tuple(one.__name__ for one in TypeError.__mro__)

Function = Callable[..., Any]
Cases = Sequence[Sequence[int | float]]


class Unfit(Exception):
    """An answer's text has no function that can be called as the problem asks. It is told as an exception of Python."""

    def __init__(self, kind: str, cause: Cause, **details: str) -> None:
        self.described = Described(kind, "", (), (kind,), cause, details)


@dataclass
class Outcome:
    """What the answer gave: the value of each case, second values of some cases, or an exception."""

    values: list[Given] = field(default_factory=list[Given])
    again: dict[int, Given] = field(default_factory=dict[int, Given])
    raised: Described | None = None
    insights: list[Remark] = field(default_factory=list[Remark])
    contract: ContractResult = field(default_factory=ContractResult)
    outlines: list[Outline] = field(default_factory=list[Outline])
    stopped: Described | None = None
    traces: list[Trace] = field(default_factory=list[Trace])
    compiled: bool = False


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
    from grader.sandbox.confine import Confined, Refused, confine

    try:
        done = confine(setup.confine, setup.memory)
    except Refused as error:
        done = Confined("", [str(error)])
    frames.write(1, codec.encode(done))
    return bool(done.tier)


def _ready(setup: Setup) -> Any:
    """The device, with its backend started. With `warm`, its compiler is started too."""
    try:
        device = choose(setup.device)
    except NoDevice as error:
        return error
    if setup.warm:
        with jax.default_device(device):
            jax.jit(lambda: jnp.arange(2.0) + 1)().block_until_ready()
    return device


def _name_of(device: Any) -> str:
    return "cpu" if device.platform == "cpu" else f"{device.platform} ({device.device_kind})"


def _serve(device: Any, task: Task) -> bytes:
    if task.plain:
        optimise(fully=True)
    with jax.default_device(device), jax.default_matmul_precision("highest"):
        outcome = _answer(task)
    of_value, derivatives = _packed(task, outcome)
    result = Result(
        values=tuple(outcome.values),
        again=tuple(outcome.again.items()),
        transformed=tuple(outcome.contract.values),
        programs=of_value,
        derivatives=derivatives,
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


def _packed(task: Task, outcome: Outcome) -> tuple[bytes | None, bytes | None]:
    """The programs of the first cases, as many as are asked for, and those of the derivative if that is graded."""
    whole = outcome.raised is None and all(one.array is not None for one in outcome.values)
    if not task.programs or not whole or not _traceable(outcome):
        return None, None
    of_value, of_derivative = (traces[: task.programs] for traces in (outcome.traces, outcome.contract.traces))
    derivatives = programs.packed(of_derivative, task.filename) if _derivative(task) else None
    return programs.packed(of_value, task.filename), derivatives


def _traceable(outcome: Outcome) -> bool:
    return not any(one.name == NOT_TRACEABLE for one in outcome.insights)


def _answer(task: Task) -> Outcome:
    filename, text, cases = task.filename, task.text, task.cases
    outcome = Outcome()
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
    if len(outcome.values) != len(cases) or any(one.array is None for one in outcome.values):
        outcome.contract = ContractResult()
        return outcome
    if task.contract and not outcome.contract.values:
        with muted():
            called = CONTRACTS[task.contract], task.argnum, function, cases, filename
            outcome.contract = check_contract(*called, plain=task.plain, known=outcome.values)
    if task.outlined and outcome.contract.broken is None:
        with muted():
            try:
                outcome.outlines = outlines(function, cases, outcome.traces if outcome.compiled else (), filename)
            except BaseException as error:  # an answer may raise SystemExit and KeyboardInterrupt too
                outcome.stopped = describe(error, filename)
    return outcome


def _call(task: Task, function: Function, outcome: Outcome) -> None:
    cases = task.cases
    # An answer that prints runs as written: then it prints numbers and no tracers, and it is known in which call.
    if not (task.as_written or prints(task.text)):
        try:
            more = partial(_derivatives, task, function)
            compiled = run_compiled(function, cases, range(len(cases))[AGAIN], task.filename, more)
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
                [value for _, value in compiled.more], traces=[one for one, _ in compiled.more]
            )
            return
    _run_as_written(function, cases, task.filename, outcome)


def _trace(task: Task, function: Function, outcome: Outcome, known: Sequence[Trace] = ()) -> None:
    """The traces of an answer that runs as written, where its programs are asked for."""
    if task.programs:
        with muted():
            outcome.traces = traced(function, task.cases[: task.programs], known)


def _derivative(task: Task) -> bool:
    return bool(task.contract) and CONTRACTS[task.contract].derivative


def _derivatives(task: Task, function: Function) -> Sequence[Trace]:
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


def _run_as_written(function: Function, cases: Cases, filename: str, outcome: Outcome) -> None:
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
