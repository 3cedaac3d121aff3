"""An answer in a loop that only an error could end is seen there; one that computes, or grows, goes on."""

from __future__ import annotations

import subprocess
import sys

import pytest

from grader.run.answer.process import SECONDS_BETWEEN_LOOKS
from grader.run.answer.progress_notes import split

ENDS = 8 * SECONDS_BETWEEN_LOOKS
"""Seconds after which the answers below are ended."""

PROCESS = f"""
import os, sys, threading, time
from grader.run.answer import process, progress_notes
progress_notes.begin(os.dup(1))
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is printed
threading.Timer({ENDS}, os._exit, [0]).start()
progress_notes.note("call", 2)
loops, text = eval(sys.argv[1]), sys.argv[2]
process.watch(loops, "a.py")
exec(compile(text, "a.py", "exec"), {{"__name__": "answer"}})
os._exit(0)
"""


def noted(text: str, *loops: tuple[int, int]) -> tuple[int, int] | None:
    """The case and the line of the note of an endless loop that an answer's process writes; None without one."""
    # A process that is started by this large one counts its memory as its own, and a child of a shell does not.
    command = ["sh", "-c", '"$@"; :', "sh", sys.executable, "-c", PROCESS, repr(loops), text]
    done = subprocess.run(command, capture_output=True, check=True)
    assert b"Error" not in done.stderr
    last = split(done.stdout)
    return (last.case, last.line) if last.endless else None


CALLED = "\n    pass\nf()\n"


@pytest.mark.few(1, 1)
@pytest.mark.parametrize(
    ("text", "loops"),
    [
        ("def f():\n  while True:" + CALLED, [(2, 3)]),
        ("def f():\n  k = 0\n  while k < 3:\n    sorted(range(9))\nf()\n", [(3, 4)]),
        ("def g(): return [*range(99)]\ndef f():\n  while True:\n    g()\nf()\n", [(3, 4)]),
    ],
)
def test_a_call_that_stays_in_a_loop_is_seen(text: str, loops: list[tuple[int, int]]) -> None:
    assert noted(text, *loops) == (2, loops[0][0])


@pytest.mark.few(0, 2)
@pytest.mark.parametrize(
    "text",
    [
        "def f():\n  while n:\n    pass\nn = 0\nfor _ in iter(int, 1):\n  f()\n",  # each call is another one
        "import time\ndef f():\n  while True:\n    time.sleep(9)\nf()\n",
        "def f():\n  kept = []\n  while True:\n    kept.append(bytearray(b'x') * (1 << 20)); sum(range(99999))\nf()\n",
        "import threading, time\ndef f():\n  while True: pass\n"
        "threading.Thread(target=f, daemon=True).start()\ntime.sleep(9)\n",
    ],
    ids=["called again and again", "waits", "grows", "in another thread"],
)
def test_other_answers_go_on(text: str) -> None:
    last = text.count("\n")
    first = next(line for line, one in enumerate(text.splitlines(), 1) if "while" in one)
    assert noted(text, (first, min(first + 1, last))) is None


@pytest.mark.slow
def test_without_a_loop_there_is_no_watch() -> None:
    assert noted("def f():\n  while True:" + CALLED) is None
