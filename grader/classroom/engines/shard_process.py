"""The process that grades a shard on a worker: a document in, a line of JSON out for each answer.

Its input is one line, and stays open as long as the sender waits for results. The end of the input ends this process.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
from collections.abc import Sequence

from grader.classroom.engines.worker import REFUSED
from grader.classroom.grading import Measuring, MemoryBudget, grade_work
from grader.classroom.shard import LARGEST_DOCUMENT, head_line, line_of_outcome, options_of, read_shard, work_of
from grader.kit.kit import KitError, find
from grader.kit.problem_error import ProblemError
from grader.options import NoSuchDevice, Unconfined
from grader.run.child import LaunchError
from grader.run.judge.cores import EVALUATOR_MEMORY, cores_here, memory_for_answers, shared
from grader.run.launch import start_early

GONE = 3
"""The exit status if the sender of the shard has ended."""


def main(arguments: Sequence[str]) -> int:
    """Grade the shard of standard input. Returns the exit status; where nothing can be graded, one line says why."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int)
    jobs: int | None = parser.parse_args(arguments).jobs
    end = start_early(clean=True)
    try:
        grade_shard(sys.stdin.buffer.readline(LARGEST_DOCUMENT), jobs or cores_here())
    except (KitError, ProblemError, LaunchError, Unconfined, NoSuchDevice) as error:
        print(error, file=sys.stderr)
        return REFUSED
    finally:
        end()
    return 0


def grade_shard(data: bytes, at_once: int) -> None:
    """Print a line that says who grades, a line for each outcome as soon as it is known, and a last line.

    Raises:
        KitError: the shard is none, or it would be judged otherwise here.
    """
    shard = read_shard(data)
    options = options_of(shard, find(None))
    work = work_of(shard, options)
    of = options.kit, options.device, options.limits, options.policy
    with Measuring(*of, cores=shared(at_once)) as session:
        threading.Thread(target=_end_with_input, daemon=True).start()
        session.prepare(())
        _print(head_line(shard, session.tier, at_once))
        room = MemoryBudget(memory_for_answers(), options.limits.memory + EVALUATOR_MEMORY)
        # Other shards may run on this machine.
        grade_work(
            session,
            work,
            at_once,
            room,
            lambda identity, outcome: _print(line_of_outcome(identity, outcome)),
            shared=True,
        )
    _print(f'{{"end": {len(work)}}}')


def _end_with_input() -> None:
    while sys.stdin.buffer.read(1 << 16):
        pass
    # At once, so that no answer that is ended with this process is told as a crash. All processes end with this one.
    os._exit(GONE)


def _print(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    ended = main(sys.argv[1:])
    sys.stderr.flush()
    os._exit(ended)  # the thread that reads the input holds a lock of it, for which the interpreter would not wait
