"""Reads what an answer's process sent back. The answer may be hostile, so every byte is checked before use."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from grader.kit import frames
from grader.kit.decode import LARGEST_INT
from grader.marking.asked import FAMILIES, Outline
from grader.marking.attempt import Attempt
from grader.marking.contracts import CONTRACTS, Broken
from grader.marking.judge import Answered
from grader.marking.verdict import LONG_TRACE, LOOP_REMOVED, NOT_TRACEABLE, PRINTS, X64, XOR, Insight, Status
from grader.marking.where import told_lines
from grader.run.raised import FRAMES, MESSAGE_CAP
from grader.run.whereabouts import split

WORDS = 500
"""The most characters of one text that an answer's process may send."""


@dataclass(frozen=True)
class Task:
    """All that an answer's process learns. With `as_written`, the answer is not compiled as one program.

    `contract` names what the problem asks beyond the values (see `grader.marking.contracts`). `argnum` is the index of the
    parameter that a derivative is taken with respect to. The programs of the first `programs` cases are sent with the
    values. With `plain`, JAX has its default options, and compiles with all its optimisations. With `outlined`, the outline
    of each case's program is sent too.
    """

    text: str
    filename: str
    function: str
    parameters: tuple[str, ...]
    cases: tuple[tuple[int | float, ...], ...]
    as_written: bool = False
    contract: str = ""
    argnum: int = 0
    programs: int = 0
    plain: bool = False
    outlined: bool = False


INSIGHTS = (LONG_TRACE, NOT_TRACEABLE, LOOP_REMOVED, PRINTS, XOR, X64)
"""The remarks that an answer's process may make."""

DIMENSIONS = 32
"""A shape is cut to this many sizes. JAX has no larger one."""

UNREADABLE = (
    *(frames.FrameError, KeyError, TypeError, ValueError, StopIteration, AttributeError, OverflowError, RecursionError),
)
"""Exceptions of a reader whose bytes are not a result of an answer's process."""


def read(
    result: bytes, status: int | None, task: Task, output: str, seconds: float, *, may_lack_device: bool
) -> Attempt:
    """The attempt that the bytes of a result describe. Bytes of any other form are a failed attempt, not an exception.

    Args:
        result: all bytes that the process sent.
        status: the exit status of the process; negative for a signal, None if it is unknown.
        task: what the process was asked to do.
        output: what the answer printed.
        seconds: how long the process took.
        may_lack_device: whether the process may report that its device is missing.
    """
    start = split(result).start
    if start == len(result):
        return Attempt(Status.CRASH, ended_text(status), output=output, seconds=seconds)
    try:
        header, arrays = frames.decode(result, start)
        if "no-device" in header and may_lack_device:
            return Attempt(no_device=str(header["no-device"])[:WORDS], output=output, seconds=seconds)
        attempt = _from_frame(header, arrays, task)
        return replace(attempt, output=output, seconds=seconds)
    except UNREADABLE as error:
        message = f"What its process sent back is not one whole result ({str(error)[:WORDS]})."
        return Attempt(Status.ERROR, message, output=output, seconds=seconds)


def _from_frame(header: Mapping[str, Any], arrays: Sequence[frames.Array], task: Task) -> Attempt:
    dtypes = [str(one["dtype"]) for one in header["arrays"]]
    remaining, cases = zip(dtypes, arrays, strict=True), len(task.cases)
    answered = [_answered(str(kind), remaining) for kind in header["values"]]
    again = {int(index): _answered(str(kind), remaining) for index, kind in header["again"]}
    transformed = [_answered(str(kind), remaining) for kind in header["transformed"]]
    programs = _bytes(*next(remaining)) if header.get("programs") else None
    derivatives = _bytes(*next(remaining)) if header.get("derivatives") else None
    raised, broken, stopped = header["raised"], header["broken"], header["stopped"]
    outlines = [_outline(one) for one in header["outlines"]]
    in_range = all(0 <= index < cases for index in again)
    if next(remaining, None) is not None or len(answered) > cases or len(transformed) not in (0, cases) or not in_range:
        raise ValueError("its arrays do not fit its cases")
    if not task.programs and (programs is not None or derivatives is not None):
        raise ValueError("programs that nobody asked for")
    if derivatives is not None and not (task.contract and CONTRACTS[task.contract].derivative):
        raise ValueError("programs of a derivative, and the problem asks for none")
    if raised is None and len(answered) != cases:
        raise ValueError("cases are missing")
    if (broken is not None or transformed) and not task.contract:
        raise ValueError("values under a contract, and the problem has none")
    whole = raised is None and broken is None and all(one.array is not None for one in answered)
    if whole and task.contract and CONTRACTS[task.contract].compares and len(transformed) != cases:
        raise ValueError("the values under the contract are missing")
    if len(outlines) != (cases if whole and task.outlined and stopped is None else 0):
        raise ValueError("its outlines do not fit its cases")
    insights = [
        Insight(str(name), str(message)[:WORDS], told_lines(map(int, lines)))
        for name, message, *lines in header["insights"]
    ]
    if len(insights) > len(INSIGHTS) or any(insight.name not in INSIGHTS for insight in insights):
        raise ValueError("an unknown insight")
    return Attempt(
        answered=answered,
        again=again,
        raised=None if raised is None else _described(raised),
        transformed=transformed,
        broken=None if broken is None else Broken(_described(broken)),
        outlines=outlines,
        stopped=None if stopped is None or not task.outlined else _described(stopped),
        insights=insights,
        programs=programs,
        derivatives=derivatives,
        compiled=bool(header.get("compiled")),
        device=str(header["device"])[:80],
    )


def _bytes(dtype: str, array: frames.Array) -> frames.Array:
    """Bytes that nobody reads here.

    Raises:
        ValueError: if they are none.
    """
    if dtype != "uint8" or array.ndim != 1:
        raise ValueError("its programs are no bytes")
    return array


def _described(raised: Any) -> dict[str, Any]:
    """An exception as an answer's process describes it, checked and cut to length.

    Raises:
        KeyError, TypeError, ValueError: if it is not the description of an exception.
    """
    lines = [
        {
            "line": int(one["line"]),
            "function": _name(one["function"]),
            "text": str(one["text"]),
            "start": int(one.get("start", 0)),
            "end": int(one.get("end", 0)),
        }
        for one in raised["frames"][:FRAMES]
    ]
    return {
        "kind": _name(raised["kind"]),
        "message": str(raised["message"])[:MESSAGE_CAP],
        "frames": lines,
        "lineage": [_name(one) for one in raised["lineage"][:10]],
    }


def _name(name: Any) -> str:
    """The name of a class or a function. Characters that no name has (a space, a line feed) become question marks."""
    return re.sub(r"[^\w.<>]", "?", str(name))[:100]


def _outline(found: Any) -> Outline:
    """The outline of a program.

    Raises:
        KeyError, TypeError, ValueError: if it is none.
    """
    holds = {name: int(found["holds"][name]) for name in FAMILIES if name in found["holds"]}
    shape = tuple(int(one) for one in found["shape"][:DIMENSIONS])
    outline = Outline(int(found["length"]), holds, shape, int(found["line"]))
    if not all(0 <= one < LARGEST_INT for one in (outline.length, outline.line, *holds.values(), *shape)):
        raise ValueError("a number that no outline has")
    return outline


def _answered(kind: str, arrays: Iterator[tuple[str, frames.Array]]) -> Answered:
    if kind.startswith("not:"):
        return Answered(None, instead=kind[4:64])
    dtype, array = next(arrays)
    if kind != dtype:
        raise ValueError(f"it says {kind} of an array of {dtype}")
    return Answered(array, dtype=dtype)


def ended_text(status: int | None) -> str:
    """A sentence about how a process ended; `status` is its exit status, or the negative number of a signal."""
    if status is None:
        return "Its process ended, and the reason is not known."
    if status < 0:
        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = f"signal {-status}"
        meaning = {"SIGSEGV": " (a segmentation fault)", "SIGABRT": " (it aborted)", "SIGKILL": " (it was killed)"}
        return f"Its process was ended by {name}{meaning.get(name, '')} before it returned a value."
    return f"Its process exited with status {status} before it returned a value."
