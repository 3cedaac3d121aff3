"""Reads what an answer's process sent back. The answer may be hostile, so every byte is checked before use.

The form is that of `Result`. What is checked here is what no form says.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from grader.marking.attempt import Attempt, Traced
from grader.marking.remarks import Remark, of_process, of_text
from grader.marking.requirements import CONTRACTS
from grader.marking.verdict import LONG_TRACE, LOOP_REMOVED, NOT_TRACEABLE, X64, Described, Frame, Insight, Status
from grader.program.data import MOST_AXES
from grader.run.answer.exceptions import DETAILS, FRAMES, LINEAGE, MESSAGE_CAP, NAME_CAP, TEXT_CAP
from grader.run.answer.progress_notes import PROGRAMS, Split, split
from grader.run.protocol import KEY, LONGEST_TYPE, NOT, NOT_OF_NUMBERS, Result, ReturnedValue, Task, TracedPrograms
from grader.values import frames
from grader.values.arrays import Answered, Array
from grader.values.codec import from_frame
from grader.values.decode import Malformed
from grader.values.message import Message, message, verbatim
from grader.values.outline import FAMILIES, Outline
from grader.values.places import lines_of


def read(result: bytes, status: int | None, task: Task) -> Attempt:
    """The attempt that the bytes of a result describe. Bytes of any other form are a failed attempt, not an exception.

    Args:
        result: all bytes that the process sent.
        status: the exit status of the process; negative for a signal, None if it is unknown.
        task: what the process was asked to do.
    """
    before = split(result)
    if before.start == len(result):
        return Attempt(Status.CRASH, ended_text(status))
    try:
        sent = _decoded(*frames.decode(result, before.start))
        return _attempt(sent, programs_of(result, before, task), task)
    except Malformed as error:
        said = message("What its process sent back is not one whole result ({reason}).", reason=str(error))
        return Attempt(Status.ERROR, said)


def programs_of(result: bytes | bytearray, before: Split, task: Task) -> TracedPrograms | None:
    """The programs that came before a result; None if there are none.

    Raises:
        Malformed: if they have another form, or do not fit the task.
    """
    begin, end = before.programs
    if not end:
        return None
    header, arrays = frames.decode(result[begin:end])
    try:
        sent = from_frame(TracedPrograms, header.get(PROGRAMS), arrays)
    except Malformed:
        raise Malformed("its programs have another form") from None
    contract = CONTRACTS.get(task.contract)
    if not task.programs:
        raise Malformed("programs that nobody asked for")
    if sent.derivatives is not None and not (contract and contract.derivative):
        raise Malformed("programs of a derivative, and the problem asks for none")
    if not _outlines_fit(sent.outlines, task):
        raise Malformed("outlines that no programs have")
    return sent


def _decoded(header: dict[str, Any], arrays: Sequence[Array]) -> Result:
    """The result in a frame.

    Raises:
        Malformed: if there is none. The message quotes nothing of it: it stands in a sentence of the grader.
    """
    try:
        return from_frame(Result, header, arrays)
    except Malformed:
        raise Malformed("its header has another form") from None


def _attempt(sent: Result, programs: TracedPrograms | None, task: Task) -> Attempt:
    """The attempt that a result and its programs describe. Programs count where every call gave numbers.

    Raises:
        Malformed: if its parts do not fit each other, or the task.
    """
    answered = [_answered(value) for value in sent.values]
    again = {index: _answered(value) for index, value in sent.again}
    transformed = [_answered(value) for value in sent.transformed]
    if wrong := next(_misfits(sent, task), None):
        raise Malformed(wrong)
    whole = sent.raised is None and all(value.array is not None for value in sent.values)
    return Attempt(
        answered=answered,
        again=again,
        raised=sent.raised and _bounded(sent.raised),
        transformed=transformed,
        broken=sent.broken and _bounded(sent.broken),
        traced=Traced(
            sent.outlines,
            _bounded(sent.stopped) if sent.stopped and task.outlined else None,
            programs.programs if programs and whole else None,
            programs.derivatives if programs and whole else None,
        ),
        insights=[*(_insight(insight, task) for insight in sent.insights), *of_text(task.text)],
        compiled=sent.compiled,
    )


def _misfits(sent: Result, task: Task) -> Iterator[str]:
    """What of a result does not fit its other parts, or the task."""
    cases, contract = len(task.cases), CONTRACTS.get(task.contract)
    lines = len(lines_of(task.text))
    whole = sent.raised is None and sent.broken is None and all(value.array is not None for value in sent.values)
    if not all(0 <= index < cases for index, _ in sent.again) or len(sent.values) > cases:
        yield "cases that there are not"
    if len(sent.transformed) not in (0, cases) or (sent.raised is None and len(sent.values) != cases):
        yield "cases are missing"
    if (sent.broken is not None or sent.transformed) and not contract:
        yield "values under a contract, and the problem has none"
    if whole and contract and contract.compares and not sent.transformed:
        yield "the values under the contract are missing"
    if len(sent.outlines) != (cases if whole and task.outlined and sent.stopped is None else 0):
        yield "its outlines do not fit its cases"
    if not all(_is_outline(outline, lines) for outline in sent.outlines):
        yield "an outline that no program has"
    names = [insight.name for insight in sent.insights]
    if len({*names}) < len(names):
        yield "a remark that is made twice"
    if not all(_is_remark(insight, lines, cases) for insight in sent.insights):
        yield "a remark that nobody can make"


def _outlines_fit(outlines: Sequence[Outline], task: Task) -> bool:
    """Whether outlines can be those of the programs of a task; none are where they are not made yet."""
    lines = len(lines_of(task.text))
    fit = all(_is_outline(outline, lines) for outline in outlines)
    return fit and len(outlines) in (0, len(task.cases) if task.outlined else 0)


def _is_outline(outline: Outline, lines: int) -> bool:
    """Whether it can be that of a program; `lines` is how many the answer has."""
    at = outline.line, *outline.holds.values()
    return (
        outline.holds.keys() <= FAMILIES.keys()
        and len(outline.shape) <= MOST_AXES
        and min(outline.length, *outline.shape, *at) >= 0
        and max(at) <= lines
    )


def _is_remark(remark: Remark, lines: int, cases: int) -> bool:
    """Whether it says what its sentence needs, and no more; `lines` and `cases` are how many there are."""
    bare = Remark(remark.name)
    if remark.name == LOOP_REMOVED:
        return remark == replace(bare, line=remark.line, changes=remark.changes) and 0 <= remark.line <= lines
    if remark.name == LONG_TRACE:
        return (
            remark == replace(bare, sizes=remark.sizes) and 1 <= len(remark.sizes) <= cases and min(remark.sizes) >= 0
        )
    if remark.name == NOT_TRACEABLE:
        return remark == replace(bare, stopped=remark.stopped) and remark.stopped is not None
    return remark == Remark(X64)


def _insight(remark: Remark, task: Task) -> Insight:
    return of_process(replace(remark, stopped=remark.stopped and _bounded(remark.stopped)), task.parameters, task.cases)


def _bounded(described: Described) -> Described:
    """An exception with names that are names, and texts of bounded length."""
    return Described(
        _name(described.kind),
        described.message[:MESSAGE_CAP],
        tuple(map(_line, described.frames[:FRAMES])),
        tuple(map(_name, described.lineage[:LINEAGE])),
        described.cause,
        {name: said[:MESSAGE_CAP] for name, said in described.details.items() if name in DETAILS},
    )


def _line(frame: Frame) -> Frame:
    text = frame.text[:TEXT_CAP]
    known = 0 <= frame.start < frame.end <= len(text) + 1
    return Frame(frame.line, _name(frame.function), text, *((frame.start, frame.end) if known else (0, 0)))


def _name(name: str) -> str:
    """The name of a class, a function or a dtype. What no name has (a space, a line feed) becomes a question mark."""
    return re.sub(r"[^\w.<>|\[\]]", "?", name[:NAME_CAP])


def _answered(given: ReturnedValue) -> Answered:
    """What one call gave.

    Raises:
        Malformed: if its kind and its array do not fit each other.
    """
    kind, array = given.kind, given.array
    if (array is not None) == kind.startswith((NOT, NOT_OF_NUMBERS, KEY)):
        raise Malformed("its arrays do not fit its values")
    if array is not None:
        if not frames.can_be(array, kind):
            raise Malformed(f"it says {_name(kind)} of an array of {array.dtype.name}")
        return Answered(array, dtype=kind)
    if kind == KEY:
        return Answered(None, instead=message("PRNG key"))
    if kind.startswith(NOT_OF_NUMBERS):
        return Answered(None, instead=message("{dtype} array", dtype=_type(kind, NOT_OF_NUMBERS)))
    return Answered(None, instead=verbatim(_type(kind, NOT)))


def _type(kind: str, begins: str) -> str:
    return _name(kind.removeprefix(begins))[:LONGEST_TYPE]


def ended_text(status: int | None) -> Message:
    """A sentence about how a process ended; `status` is its exit status, or the negative number of a signal."""
    if status is None:
        return message("Its process ended, and the reason is not known.")
    if status >= 0:
        return message("Its process exited with status {status} before it returned a value.", status=status)
    try:
        name = signal.Signals(-status).name
    except ValueError:
        return message("Its process was ended by signal {number} before it returned a value.", number=-status)
    match name:
        case "SIGSEGV":
            said = message("Its process was ended by {signal} (a segmentation fault) before it returned a value.")
        case "SIGABRT":
            said = message("Its process was ended by {signal} (it aborted) before it returned a value.")
        case "SIGKILL":
            said = message("Its process was ended by {signal} (it was killed) before it returned a value.")
        case _:
            said = message("Its process was ended by {signal} before it returned a value.")
    return said.with_fields(signal=name)
