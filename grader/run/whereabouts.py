"""Where an answer is: its process notes what it begins, and shows its line when a time limit is about to end it.

The notes go to the result before the values do, and so do the programs of the answer, as soon as they are known. The answer
shares the process, so it can write notes and lines too. They serve the report alone, and a false one misleads nobody but its
author.
"""

from __future__ import annotations

import contextlib
import faulthandler
import re
import signal
import threading
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from grader.kit import frames
from grader.marking.expressions import lines_of
from grader.marking.judge import Array
from grader.marking.verdict import Frame
from grader.marking.whereabouts import STEPS, Whereabouts
from grader.run.raised import TEXT_CAP

if TYPE_CHECKING:
    import psutil

NOTE_CAP, NOTES_CAP = 1 << 10, 100 << 10
"""The most bytes of one note, and of all that are read. The grader makes a few of some 70 bytes for each call."""
DUMP_CAP = 1 << 16
PATIENCE, QUIET = 1.0, 0.04
"""Seconds to wait for the lines of a process. They are complete if nothing more comes for QUIET seconds."""

_result = -1
_writing = threading.Lock()
_last: dict[str, Any] = {"step": "call", "case": -1, "line": 0}


def begin(result: int) -> None:
    """In the answer's process: write notes to the descriptor `result`, and lines too when the signal comes."""
    global _result
    _result = result
    faulthandler.register(signal.SIGUSR1, result, all_threads=True)


def note(step: str, case: int = -1, line: int = 0) -> None:
    """In the answer's process: say which step begins, with which case, and the line of a loop that it may never leave.

    Nothing is written before `begin`, so that the same functions can be used in other processes.
    """
    global _last
    if _result >= 0:
        _last = {"step": step, "case": case, "line": line}
        _write(frames.encode(_last))


def note_endless(line: int) -> None:
    """In the answer's process: say that it is in the loop of a line, which only an error could end."""
    if _result >= 0:
        _write(frames.encode({**_last, "line": line, "endless": True}))


def hand_over(programs: Array) -> None:
    """In the answer's process: send its programs, which nobody has to wait for then. It may be called once."""
    if _result >= 0:
        _write(frames.encode({"programs": True}, [programs]))


def _write(frame: bytes) -> None:
    with _writing:  # programs are sent by another thread than notes
        frames.write(_result, frame)


def ask(process: psutil.Process | None, result: bytearray) -> None:
    """Have a process write its lines to its result, which another thread reads. Wait for them, but not for long."""
    if process is None:
        return
    import psutil  # here and not above: an answer's process does without

    size = len(result)
    with contextlib.suppress(psutil.Error):
        process.send_signal(signal.SIGUSR1)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        before = len(result)
        time.sleep(QUIET)
        if size < before == len(result):
            return


@dataclass(frozen=True)
class Split:
    """A result: the last note, and where the bytes after the notes begin. `endless` says that the line is a loop's.

    `programs` says where the frame of the programs begins and ends; None as long as it is not whole. `left` is how many
    bytes of notes may still be read.
    """

    step: str = ""
    case: int = -1
    line: int = 0
    start: int = 0
    endless: bool = False
    programs: tuple[int, int] | None = None
    left: int = NOTES_CAP


_NOTHING = Split()


def split(result: bytes | bytearray, known: Split = _NOTHING) -> Split:
    """Read the notes at the start of a result, and find its programs among them.

    Args:
        known: what was read of a part of the result before: the rest alone is read.
    """
    last = known
    while True:
        header, end = frames.header(result, last.start, most=NOTE_CAP)
        left = last.left - (end - last.start)
        match header:
            case {"step": str(step), "case": int(case), "line": int(line)} if step in STEPS and left >= 0:
                last = Split(step, case, line, end, header.get("endless") is True, last.programs, left)
            case {"programs": True, "arrays": [_]} if len(header) == 2 and last.programs is None:
                end = frames.end(result, last.start)
                if end is None:
                    return last
                last = replace(last, start=end, programs=(last.start, end))
            case _:
                return last


def programs_in(result: bytes | bytearray, known: Split | None = None) -> Array | None:
    """The programs at the start of a result: bytes that nobody has read. None as long as they are not whole.

    Args:
        known: what `split` read of it, if that was done.

    Raises:
        ValueError: if they are no bytes.
    """
    found = (known or split(result)).programs
    if found is None:
        return None
    header, (programs,) = frames.decode(result[slice(*found)])
    if header["arrays"][0]["dtype"] != "uint8" or programs.ndim != 1:
        raise ValueError("its programs are no bytes")
    return programs


def whereabouts(result: bytes, filename: str, text: str, cases: int) -> Whereabouts:
    """Where the notes and the lines in a result say that an answer is.

    Args:
        filename, text: of the answer. The text of the line is taken from here.
        cases: how many cases it is called with.
    """
    last = split(result)
    dump = result[last.start : last.start + DUMP_CAP].decode("ascii", "replace")
    shown = re.escape(filename.encode("ascii", "backslashreplace").decode())
    line, function = last.line, ""
    # The main thread comes last. In each thread, the innermost call comes first.
    for thread in reversed(re.split(r"^(?:Current t|T)hread ", dump, flags=re.MULTILINE)):
        if found := re.search(rf'^  File "{shown}", line (\d{{1,9}}) in ([\w.<>]{{1,100}})', thread, re.MULTILINE):
            line, function = int(found[1]), found[2]
            break
    lines = lines_of(text)
    frame = Frame(line, function, lines[line - 1].strip()[:TEXT_CAP]) if 1 <= line <= len(lines) else None
    return Whereabouts(last.step, last.case if 0 <= last.case < cases else -1, frame)
