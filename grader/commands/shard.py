"""`shard`: grades a part of a class for another process, and ends when that one is gone."""

from __future__ import annotations

import os
import stat
import sys
import threading
from pathlib import Path

from grader.classroom.grading import grade_work
from grader.classroom.measuring import Measuring, Room
from grader.classroom.shard import LARGEST, Refused, head, line, options_of, read, work_of
from grader.kit.files import Unreadable, read_regular
from grader.kit.kit import Kit
from grader.run.cores import shared
from grader.run.pool import EVALUATOR, cores, memory_for_answers

GONE = 3
"""The exit status if whoever asked is gone."""


def grade_shard(kit: Kit, source: str, jobs: int | None) -> int:
    """Print a line that says who grades, a line for each outcome as soon as it is known, and a last line.

    Args:
        source: a file, or `-` for standard input. If that is a pipe, the document is its first line, and its end ends this
            process and all that it started.
    """
    data, watched = _read(source)
    shard = read(data)
    options = options_of(shard, kit)
    work = work_of(shard, options)
    at_once = jobs or cores()
    of = options.kit, options.device, options.limits, options.policy
    with Measuring(*of, cores=shared(at_once)) as session:
        if watched:
            threading.Thread(target=_end_with_input, daemon=True).start()
        session.prepare(())
        _print(head(shard, session.tier, at_once))
        room = Room(memory_for_answers(), options.limits.memory + EVALUATOR)
        # Other shards may run on this machine.
        grade_work(session, work, at_once, room, lambda identity, outcome: _print(line(identity, outcome)), shared=True)
    _print(f'{{"end": {len(work)}}}')
    return 0


def _read(source: str) -> tuple[bytes, bool]:
    """The document, and whether the end of standard input has a meaning."""
    if source != "-":
        try:
            return read_regular(Path(source), LARGEST), False
        except Unreadable as error:
            raise Refused(f"{source}: {error}") from None
    if stat.S_ISREG(os.fstat(sys.stdin.fileno()).st_mode):
        return sys.stdin.buffer.read(LARGEST), False
    return sys.stdin.buffer.readline(LARGEST), True


def _end_with_input() -> None:
    while sys.stdin.buffer.read(1 << 16):
        pass
    # At once, so that no answer that is ended with this process is told as a crash. All processes end with this one.
    os._exit(GONE)


def _print(text: str) -> None:
    print(text, flush=True)
