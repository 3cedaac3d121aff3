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
from grader.kit import frames
from grader.marking.comparison import Array
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
from grader.run.result import Opening, Result
from grader.run.tracing import (
    CannotTrace,
    Given,
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
    opening = frames.read(0)
    if opening is None or not _confined(opening[0]):
        return
    device = _ready(opening[0])
    if isinstance(device, NoDevice):
        frames.write(1, frames.encode(vars(Opening(missing=str(device)))))
        return
    frames.write(1, frames.encode(vars(Opening(_name_of(device)))))
    request = frames.read(0)
    result = os.dup(1)
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    if request is None:
        return
    progress_notes.begin(result)
    watch(request[0]["endless"], request[0]["filename"])
    open_streams()
    # An answer is one file. Without this line, it could import other files of a kit where the kit is on the search path.
    sys.modules.update(dict.fromkeys(OF_A_KIT, cast(types.ModuleType, None)))
    show_lines_of(request[0]["filename"])
    task = {**request[0], "text": request[1][0].tobytes().decode("utf-8", "surrogatepass")}
    frame = _serve(device, task)
    settle()
    frames.write(result, frame)
    os._exit(0)


def _confined(opening: dict[str, Any]) -> bool:
    """Confine this process as the first frame asks, and report the tier in force. Returns whether it may go on."""
    wanted = opening["confine"]
    if not wanted:
        limit_answer()
        to_users_folder()
        return True
    from grader.sandbox.confine import Refused, confine

    try:
        done = confine(wanted, opening["memory"])
    except Refused as error:
        frames.write(1, frames.encode({"tier": "", "refused": [str(error)]}))
        return False
    frames.write(1, frames.encode({"tier": done.tier, "refused": done.refused}))
    return True


def _ready(opening: dict[str, Any]) -> Any:
    """The device, with its backend started. With `warm`, its compiler is started too."""
    try:
        device = choose(opening["device"])
    except NoDevice as error:
        return error
    if opening["warm"]:
        with jax.default_device(device):
            jax.jit(lambda: jnp.arange(2.0) + 1)().block_until_ready()
    return device


def _name_of(device: Any) -> str:
    return "cpu" if device.platform == "cpu" else f"{device.platform} ({device.device_kind})"


def _serve(device: Any, request: dict[str, Any]) -> bytes:
    if request["plain"]:
        optimise(fully=True)
    with jax.default_device(device), jax.default_matmul_precision("highest"):
        outcome = _answer(request)
    given_back = (*outcome.values, *outcome.again.values(), *outcome.contract.values)
    of_value, derivatives = _packed(request, outcome)
    arrays = [*(one.array for one in given_back), of_value, derivatives]
    result = Result(
        values=tuple(one.kind for one in outcome.values),
        again=tuple((index, one.kind) for index, one in outcome.again.items()),
        transformed=tuple(one.kind for one in outcome.contract.values),
        programs=of_value is not None,
        derivatives=derivatives is not None,
        raised=outcome.raised,
        broken=outcome.contract.broken,
        outlines=tuple(outcome.outlines),
        stopped=outcome.stopped,
        insights=tuple(outcome.insights),
        compiled=outcome.compiled,
    )
    try:
        return frames.encode(vars(result), [one for one in arrays if one is not None])
    except frames.FrameError as error:
        raised = Described("TypeError", str(error), (), ("TypeError",))
        return frames.encode(vars(Result(raised=raised, insights=result.insights)))


def _packed(request: dict[str, Any], outcome: Outcome) -> tuple[Array | None, Array | None]:
    """The programs of the first cases, as many as are asked for, and those of the derivative if that is graded."""
    whole = outcome.raised is None and all(one.array is not None for one in outcome.values)
    if not request["programs"] or not whole or not _traceable(outcome):
        return None, None
    count, filename = request["programs"], request["filename"]
    of_value = programs.packed(outcome.traces[:count], filename)
    return of_value, programs.packed(outcome.contract.traces[:count], filename) if _derivative(request) else None


def _traceable(outcome: Outcome) -> bool:
    return not any(one.name == NOT_TRACEABLE for one in outcome.insights)


def _answer(request: dict[str, Any]) -> Outcome:
    filename, text, cases = request["filename"], request["text"], request["cases"]
    outcome = Outcome()
    turn_off_x64()  # a setting of the environment is not the answer's
    progress_notes.note("load")
    try:
        function = load(text, filename, request["function"], request["parameters"])
    except Unfit as unfit:
        outcome.raised = unfit.described
        return outcome
    except BaseException as error:  # an answer may raise SystemExit and KeyboardInterrupt too
        outcome.raised = describe(error, filename)
        return outcome
    if turn_off_x64():
        outcome.insights.append(Remark(X64))
    _call(request, function, outcome)
    if not outcome.traces and _traceable(outcome) and outcome.raised is None:
        _trace(request, function, outcome)
    if len(outcome.values) != len(cases) or any(one.array is None for one in outcome.values):
        outcome.contract = ContractResult()
        return outcome
    if request["contract"] and not outcome.contract.values:
        with muted():
            called = CONTRACTS[request["contract"]], request["argnum"], function, cases, filename
            outcome.contract = check_contract(*called, plain=request["plain"], known=outcome.values)
    if request["outlined"] and outcome.contract.broken is None:
        with muted():
            try:
                outcome.outlines = outlines(function, cases, outcome.traces if outcome.compiled else (), filename)
            except BaseException as error:  # an answer may raise SystemExit and KeyboardInterrupt too
                outcome.stopped = describe(error, filename)
    return outcome


def _call(request: dict[str, Any], function: Function, outcome: Outcome) -> None:
    cases = request["cases"]
    # An answer that prints runs as written: then it prints numbers and no tracers, and it is known in which call.
    if not (request["as_written"] or prints(request["text"])):
        try:
            more = partial(_derivatives, request, function)
            compiled = run_compiled(function, cases, range(len(cases))[AGAIN], request["filename"], more)
        except CannotTrace as reason:
            outcome.insights.append(reason.remark)
            if isinstance(reason, LongTrace):  # its operations run one by one, which takes long
                _trace(request, function, outcome, reason.traces)
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
    _run_as_written(function, cases, request["filename"], outcome)


def _trace(request: dict[str, Any], function: Function, outcome: Outcome, known: Sequence[Trace] = ()) -> None:
    """The traces of an answer that runs as written, where its programs are asked for."""
    if request["programs"]:
        with muted():
            outcome.traces = traced(function, request["cases"][: request["programs"]], known)


def _derivative(request: dict[str, Any]) -> bool:
    return bool(request["contract"]) and CONTRACTS[request["contract"]].derivative


def _derivatives(request: dict[str, Any], function: Function) -> Sequence[Trace]:
    """The traces of the derivative that a contract asks for; none where it cannot be compiled with the values."""
    if not _derivative(request):
        return ()
    contract = CONTRACTS[request["contract"]]
    with muted():
        traces, broken = trace_under(contract, request["argnum"], function, request["cases"], request["filename"])
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
