"""What comes before a result: notes of what the process of an answer begins, its programs, its line at a limit of time."""

from __future__ import annotations

import contextlib
import faulthandler
import re
import signal
import threading
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from grader.marking.attempt import OUTSIDE, STEPS, Whereabouts
from grader.marking.verdict import Frame
from grader.run.answer.exceptions import TEXT_CAP
from grader.run.answer.output_streams import mark
from grader.run.protocol import TracedPrograms
from grader.values import codec, frames
from grader.values.places import lines_of

if TYPE_CHECKING:
    import psutil


NOTE_CAP, NOTES_CAP = 1 << 10, 100 << 10
"""The most bytes of one note, and of all that are read. The grader makes a few of some 70 bytes for each call."""

DUMP_CAP = 1 << 16

SECONDS_FOR_LINES, SECONDS_OF_QUIET = 1.0, 0.04
"""Seconds to wait for the lines of a process. They are complete if nothing more comes for SECONDS_OF_QUIET."""

PROGRAMS = "programs"
"""What the header of the frame with the programs begins with."""

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
        mark(case if step == "call" else OUTSIDE)
        _last = {"step": step, "case": case, "line": line}
        _write(frames.encode(_last))


def note_endless(line: int) -> None:
    """In the answer's process: say that it is in the loop of a line, which only an error could end."""
    if _result >= 0:
        _write(frames.encode({**_last, "line": line, "endless": True}))


def send_programs(programs: TracedPrograms) -> None:
    """In the answer's process: send its programs.

    Raises:
        FrameError: if they are too large to be sent.
    """
    header, arrays = codec.to_frame(programs)
    frame = frames.encode({PROGRAMS: header}, arrays)
    if _result >= 0:
        _write(frame)


def _write(frame: bytes) -> None:
    with _writing:  # the note of an endless loop comes from another thread
        frames.write(_result, frame)


def ask(process: psutil.Process | None, result: bytearray) -> None:
    """Have a process write its lines to its result, which another thread reads. Wait for them, but not for long."""
    if process is None:
        return
    import psutil  # here and not above: an answer's process does without

    size = len(result)
    with contextlib.suppress(psutil.Error):
        process.send_signal(signal.SIGUSR1)
    end = time.monotonic() + SECONDS_FOR_LINES
    while time.monotonic() < end:
        before = len(result)
        time.sleep(SECONDS_OF_QUIET)
        if size < before == len(result):
            return


@dataclass(frozen=True)
class Split:
    """A result: the last note, and where the bytes after the notes begin. `endless` says that the line is a loop's.

    `left` is how many bytes of notes may still be read. `programs` is where the frame with the programs begins and ends.
    """

    step: str = ""
    case: int = -1
    line: int = 0
    start: int = 0
    endless: bool = False
    left: int = NOTES_CAP
    programs: tuple[int, int] = (0, 0)


_NOTHING = Split()


def split(result: bytes | bytearray, known: Split = _NOTHING) -> Split:
    """Read the notes at the start of a result, and find its programs, of which there is one frame.

    Args:
        known: what was read of a part of the result before: the rest alone is read.
    """
    last = known
    while True:
        header, end = frames.header(result, last.start, most=NOTE_CAP)
        left = last.left - (end - last.start)
        match header:
            case {"step": str(step), "case": int(case), "line": int(line)} if step in STEPS and left >= 0:
                last = replace(
                    last, step=step, case=case, line=line, start=end, endless=header.get("endless") is True, left=left
                )
            case _ if last.programs == (0, 0) and (end := _end_of_programs(result, last.start)):
                last = replace(last, start=end, programs=(last.start, end))
            case _:
                return last


def _end_of_programs(result: bytes | bytearray, start: int) -> int:
    """Where the frame with the programs ends that begins at `start`; 0 if none begins there, or not all of it is there."""
    found, _ = frames.header(result, start)
    return frames.end_of(result, start) if found is not None and PROGRAMS in found else 0


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
