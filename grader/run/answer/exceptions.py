"""Describes an exception of an answer as plain data. Describing never raises, whatever the exception's class does."""

from __future__ import annotations

import builtins
import difflib
import itertools
import linecache
import re
import sys
import textwrap
from collections import Counter
from dataclasses import replace
from pathlib import Path
from traceback import walk_tb
from types import TracebackType

from grader.marking.verdict import Cause, Described, Frame

MESSAGE_CAP = 4000

LONGEST_MESSAGE_READ = 64 * MESSAGE_CAP
"""The most characters of a message that are read: more could take longer than the answer may."""

NAME_CAP = 100
FRAMES, LINEAGE = 4, 10

DETAILS = ("name", "functions", "type", "call", "error")
"""What may be told of the cause of an exception."""

TEXT_CAP = 200
"""The most characters of a line of an answer that are shown."""

_NO_DERIVATIVE = re.compile(r"Reverse-mode differentiation does not work|Linearization failed|Differentiation rule for")
"""How the messages begin by which JAX says that it cannot differentiate an operation."""


def describe(error: BaseException, filename: str) -> Described:
    """An exception that an answer raised; `filename` is the name of the learner's own lines."""
    try:
        return _described(error, filename)
    except BaseException:  # a class of the answer's own may raise in any method
        return Described("Exception", "", (), ("Exception",), Cause.INDESCRIBABLE)


def bare(error: BaseException) -> Described:
    """An exception without lines, and with its message as it is."""
    message, cause, details = said_by(error)
    lineage = tuple(str(base.__name__)[:NAME_CAP] for base in type(error).__mro__)[:LINEAGE]
    return Described(str(type(error).__name__)[:NAME_CAP], message[:MESSAGE_CAP], (), lineage, cause, details)


def _described(error: BaseException, filename: str) -> Described:
    frames = [_of_traceback(traceback, filename) for traceback in _own(error, filename)]
    if isinstance(error, SyntaxError) and error.filename == filename:
        frames = _of_syntax(error, filename)
    described = replace(bare(error), frames=tuple(frames[-FRAMES:]))
    if described.cause is not None:
        return described
    message = _without_the_grader(said_by(error)[0]) + _suggestion(error)
    return replace(described, message=message[:MESSAGE_CAP])


def _own(error: BaseException, filename: str) -> list[TracebackType]:
    """The parts of the traceback that are in the learner's own file, one for each line that calls the next."""
    own = _in_file(error.__traceback__, filename)
    if error.__cause__ is not None and _NO_DERIVATIVE.match(said_by(error)[0]):
        # JAX raises this on the way back. The traceback of the cause leads to the operation.
        lines = {entry.tb_lineno for entry in own}
        own += [one for one in _in_file(error.__cause__.__traceback__, filename) if one.tb_lineno not in lines]
    if isinstance(error, RecursionError):
        # The limit is reached at an arbitrary line. The line that is there most often is the call without an end.
        often = Counter(entry.tb_lineno for entry in own).most_common(1)
        return [next(entry for entry in own if entry.tb_lineno == line) for line, _ in often]
    # A comprehension has a frame of its own, with the same line number.
    return [
        entry
        for before, entry in zip([None, *own], own, strict=False)
        if not before or before.tb_lineno != entry.tb_lineno
    ]


def _in_file(traceback: TracebackType | None, filename: str) -> list[TracebackType]:
    own: list[TracebackType] = []
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == filename:
            own.append(traceback)
        traceback = traceback.tb_next
    return own


def _of_traceback(traceback: TracebackType, filename: str) -> Frame:
    line = linecache.getline(filename, traceback.tb_lineno)
    return _frame(traceback.tb_lineno, traceback.tb_frame.f_code.co_name, line, *_columns(traceback, line))


def _frame(number: int, function: str, line: str, start: int = 0, end: int = 0) -> Frame:
    """A line of the learner's file; `start` and `end` are the columns in it that failed, equal if they are not known."""
    indent = len(line) - len(line.lstrip())
    text = line.strip()[:TEXT_CAP]
    start, end = max(0, start - indent), min(len(text) + 1, end - indent)
    # An underline below the whole line says nothing.
    known = start < end and (start, end) != (0, len(text))
    return Frame(number, function, text, *((start, end) if known else (0, 0)))


def _columns(traceback: TracebackType, line: str) -> tuple[int, int]:
    """The columns of the expression that failed; (0, 0) if it is not on one line."""
    positions = itertools.islice(traceback.tb_frame.f_code.co_positions(), traceback.tb_lasti // 2, None)
    first, last, start, end = next(positions, (None,) * 4)
    if first is None or first != last or start is None or end is None:
        return 0, 0
    data = line.encode()  # Python counts bytes
    return len(data[:start].decode(errors="replace")), len(data[:end].decode(errors="replace"))


def _of_syntax(error: SyntaxError, filename: str) -> list[Frame]:
    try:
        # Python takes the line from the file of that name, which may hold more than the answer: a notebook.
        compile("".join(linecache.getlines(filename)), "<answer>", "exec", dont_inherit=True)
    except SyntaxError as same:
        error = same
    number = error.lineno or 0
    line = error.text or linecache.getline(filename, number)
    if isinstance(error, IndentationError) and number > 1:
        # Both lines with their own indentation: the difference is the fault. Blank lines have none.
        before = [earlier for earlier in range(1, number) if linecache.getline(filename, earlier).strip()]
        shown = [*before[-1:], number]
        lines = [*(linecache.getline(filename, earlier) for earlier in before[-1:]), line]
        both = textwrap.dedent("\n".join(text.rstrip()[:TEXT_CAP] for text in lines)).split("\n")
        pairs = zip(shown, both, strict=True)
        return [Frame(pair, "<module>", text) for pair, text in pairs]
    start = (error.offset or 1) - 1
    end = start + 1 if error.end_lineno != number else max(start + 1, (error.end_offset or 0) - 1)
    return [_frame(number, "<module>", line, start, end)]


def _suggestion(error: BaseException) -> str:
    """A near name for one that is not there, as Python prints it: ". Did you mean: 'arange'?"."""
    name, known = _unknown_name(error)
    if f"self.{name}" in known:
        return f". Did you mean: 'self.{name}'?"
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.7) if name else []
    return f". Did you mean: '{close[0]}'?" if close else ""


def _unknown_name(error: BaseException) -> tuple[str, list[str]]:
    """The name that Python did not find, and the names that it could have found."""
    if isinstance(error, NameError) and error.name and error.__traceback__:
        *_, (frame, _) = walk_tb(error.__traceback__)
        own = dir(frame.f_locals["self"]) if "self" in frame.f_locals else []
        return error.name, [
            *frame.f_locals,
            *frame.f_globals,
            *dir(builtins),
            *(f"self.{attribute}" for attribute in own),
        ]
    if isinstance(error, AttributeError) and error.name:
        return error.name, dir(error.obj)
    # Modules of JAX look up their attributes themselves, and leave out the module and the name.
    if missing := re.match(r"module '([\w.]+)' has no attribute '(\w+)'", said_by(error)[0]):
        return missing[2], dir(sys.modules.get(missing[1]))
    return "", []


def _without_the_grader(message: str) -> str:
    """The message without the lines in which JAX describes a traced function of the grader."""
    here = str(Path(__file__).parents[1])
    return "\n".join(line for line in message.splitlines() if here not in line)


def said_by(error: BaseException) -> tuple[str, Cause | None, dict[str, str]]:
    """The message of any exception, its first `LONGEST_MESSAGE_READ` characters, or why it has none. It never raises."""
    try:
        text = str(error.msg if isinstance(error, SyntaxError) else error)
    except BaseException as second:
        return "", Cause.NO_MESSAGE, {"error": str(type(second).__name__)}
    if type(text) is not str:
        return "", Cause.NO_TEXT, {}
    return text[:LONGEST_MESSAGE_READ].encode("utf-8", "backslashreplace").decode(), None, {}  # no half of a character
