"""Where an answer is: notes and lines come through, and whatever a hostile process writes instead does no harm."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import numpy as np
import psutil
import pytest

from grader.marking.attempt import Whereabouts
from grader.marking.verdict import Frame
from grader.run.answer.progress_notes import NOTES_CAP, ask, split, whereabouts
from grader.values import frames

TEXT = "import time\ndef toy(seed):\n    while True: pass\n"


def noted(step: str, case: int = -1, line: int = 0, **more: object) -> bytes:
    return frames.encode({"step": step, "case": case, "line": line, **more})


def dump(*threads: str) -> bytes:
    heads = ["Thread 0x00007f", *["Current thread 0x00007f"] * (len(threads) - 1)][-len(threads) :]
    pairs = zip(heads, threads, strict=True)
    return "\n".join(f"{head} (most recent call first):\n{body}" for head, body in pairs).encode()


def test_the_last_note_counts_and_the_values_follow_it() -> None:
    values = frames.encode({"values": []})
    notes = noted("load") + noted("call", 0) + noted("call", 1)
    assert split(notes + values).start == len(notes)
    assert (split(notes + values).step, split(notes + values).case) == ("call", 1)
    assert split(values).start == 0


def test_a_note_may_say_that_a_loop_has_no_end() -> None:
    assert split(noted("call", 0, 3, endless=True)).endless
    assert not split(noted("call", 0, 3, endless=1)).endless
    assert not split(noted("call", 0, 3, endless=True) + noted("call", 1)).endless


@pytest.mark.parametrize(
    "bad",
    [
        frames.encode({"step": "fly", "case": 0, "line": 0}),
        frames.encode({"step": "call", "case": "0", "line": 0}),
        frames.encode({"step": "call"}),
        b"GRD1\xff\xff\xff\xff",
        b"GR",
        b"",
    ],
)
def test_what_is_no_note_is_left_to_the_reader_of_values(bad: bytes) -> None:
    assert split(noted("load") + bad).start == len(noted("load"))


SENDING = """
import os
import sys
import threading
from grader.run.answer import progress_notes
sys.setswitchinterval(1e-6)
progress_notes.begin(os.dup(1))
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is printed
sender = threading.Thread(target=lambda: [progress_notes.note_endless(3) for _ in range(500)])
sender.start()
for case in range(500):
    progress_notes.note("call", case)
sender.join()
"""


def test_notes_that_two_threads_send_are_whole() -> None:
    done = subprocess.run([sys.executable, "-c", SENDING], capture_output=True, timeout=60, check=True)
    assert (split(done.stdout).case, split(done.stdout).start) == (499, len(done.stdout))


def test_the_innermost_line_of_the_answer_is_found() -> None:
    lines = '  File "/lib/jax.py", line 7 in apply\n  File "a.py", line 3 in toy\n  File "a.py", line 1 in <module>\n'
    was = whereabouts(noted("call", 1) + dump(lines), "a.py", TEXT, 2)
    assert was == Whereabouts("call", 1, Frame(3, "toy", "while True: pass"))


def test_the_main_thread_comes_last_and_counts_first() -> None:
    was = whereabouts(dump('  File "a.py", line 1 in other\n', '  File "a.py", line 3 in toy\n'), "a.py", TEXT, 1)
    assert was.frame == Frame(3, "toy", "while True: pass")
    was = whereabouts(dump('  File "a.py", line 1 in other\n', '  File "b.py", line 3 in toy\n'), "a.py", TEXT, 1)
    assert was.frame == Frame(1, "other", "import time")


def test_a_file_name_that_is_not_ascii_is_found_as_faulthandler_writes_it() -> None:
    was = whereabouts(dump('  File "pr\\xfcfung/a (1).py", line 1 in toy\n'), "prüfung/a (1).py", TEXT, 1)
    assert was.frame is not None


@pytest.mark.parametrize("line", ["0", "99", "9" * 40, "-1"])
def test_a_line_that_the_file_does_not_have_is_not_told(line: str) -> None:
    assert whereabouts(dump(f'  File "a.py", line {line} in toy\n'), "a.py", TEXT, 1).frame is None


def test_a_case_that_there_is_not_is_not_told() -> None:
    assert whereabouts(noted("call", 2), "a.py", TEXT, 2).case == -1
    assert whereabouts(noted("call", -5), "a.py", TEXT, 2).case == -1


def test_a_flood_of_notes_is_read_up_to_a_bound() -> None:
    assert 0 <= NOTES_CAP - split(noted("load") * 10_000).start < len(noted("load"))


def test_a_note_that_is_too_long_is_not_read() -> None:
    fits, long = (frames.encode({"step": "run", "case": 1, "line": 0, "more": "x" * size}) for size in (900, 1100))
    assert split(noted("load") + fits).step == "run"
    assert split(noted("load") + long).step == "load"


def test_what_was_read_before_is_not_read_again() -> None:
    programs = frames.encode({"programs": True}, [np.arange(9, dtype=np.uint8)])
    whole = noted("load") + programs + noted("call", 1) + b"rest"
    for cut in range(len(whole)):
        known = split(whole[:cut])
        hidden = b"\0" * known.start + whole[known.start :]
        assert split(hidden, known) == split(whole)


ANSWER = """
import os, sys
from grader.run.answer import progress_notes
progress_notes.begin(os.dup(1))
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is printed
def toy():
    [progress_notes.note("run", line=2)] and [0 for _ in iter(int, 1)]
toy()
"""


def test_a_process_in_an_endless_loop_shows_its_line() -> None:
    answer = subprocess.Popen([sys.executable, "-c", ANSWER], stdout=subprocess.PIPE)
    assert answer.stdout is not None
    result, noting = bytearray(), threading.Event()

    def collect() -> None:
        assert answer.stdout is not None
        while part := os.read(answer.stdout.fileno(), 1 << 16):
            result.extend(part)
            noting.set()

    reader = threading.Thread(target=collect)
    reader.start()
    try:
        assert noting.wait(60)
        ask(psutil.Process(answer.pid), result)
    finally:
        answer.kill()
        reader.join()
        answer.wait()
        answer.stdout.close()
    was = whereabouts(bytes(result), "<string>", ANSWER, 1)
    assert was == Whereabouts("run", -1, was.frame)
    assert was.frame is not None
    assert was.frame.line == 7


def test_a_process_that_is_gone_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: pytest.fail("the grader waited for lines that cannot come"))
    ask(None, bytearray())
