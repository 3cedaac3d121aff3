"""`watch` in a real terminal: every save is graded, and keys work."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

from grader.kit.kit import EDITOR_TASKS
from tests.commands.test_check import HALF, RIGHT
from tests.conftest import Command, clean_environment

pytestmark = pytest.mark.slow  # the real command, in a kit of its own

PAGER = """import sys
print(sys.stdin.read())
print("THE PAGER WAITS")
print("THE PAGER GOT", open("/dev/tty").readline())
"""


def watching(command: Command, *options: str, rows: int = 24, **variables: str) -> pexpect.spawn[str]:
    environment = {**clean_environment(), "TERM": "xterm", "PAGER": "cat", **variables}
    arguments = ["-m", "grader", "watch", "--no-color", *options]
    return pexpect.spawn(
        sys.executable,
        arguments,
        cwd=str(command.kit),
        env=environment,
        encoding="utf-8",
        timeout=60,
        dimensions=(rows, 80),
    )


@pytest.fixture
def terminal(own_kit: Command, nothing_left: None) -> Iterator[pexpect.spawn[str]]:
    child = watching(own_kit, rows=60)  # every text fits: a pager would have the keys
    child.stub = own_kit.kit / "problems/sinusoidal_pos/stub.py"
    yield child
    child.close(force=True)


def save(stub: Path, text: str) -> None:
    """Save as editors do: write another file, then move it into place."""
    beside = stub.with_suffix(".tmp")
    beside.write_text(text)
    os.replace(beside, stub)


def test_every_save_is_graded_and_keys_do_what_the_line_of_help_says(terminal: pexpect.spawn[str]) -> None:
    terminal.expect("unattempted")
    terminal.expect("q: quit")
    save(terminal.stub, HALF)
    terminal.expect("half-exponent")
    terminal.expect("q: quit")
    terminal.send("h")
    terminal.expect("Hint 1 of 3")
    terminal.send("t")
    terminal.expect("case 1 of 8: seed=0, T=3, d_model=4")
    terminal.expect("The first doubt")
    terminal.expect("q: quit")
    terminal.send("l")
    terminal.expect("0 of 1 solved")
    save(terminal.stub, RIGHT)
    terminal.expect("correct")
    terminal.expect("It was the only problem here")
    terminal.send("q")
    terminal.expect(pexpect.EOF)
    terminal.wait()
    assert terminal.exitstatus == 0


@pytest.mark.nightly
@pytest.mark.slow
def test_keys_draw_the_answer_call_it_and_show_the_worked_answer_once_it_is_asked_for_twice(
    terminal: pexpect.spawn[str],
) -> None:
    terminal.expect("q: quit")
    save(terminal.stub, HALF)
    terminal.expect("half-exponent")
    terminal.expect("q: quit")
    terminal.send("d")
    terminal.expect("sinusoidal_pos   case . of 8")
    terminal.expect("Lines go from")  # it is long, so the pager shows it
    terminal.send("c")
    terminal.expect(r"sinusoidal_pos\(seed=0, T=3, d_model=4\)")
    terminal.expect("It returned float32")
    terminal.expect("python -m grader run sinusoidal_pos ARGUMENT=VALUE")
    terminal.expect("q: quit")
    terminal.send("w")
    terminal.expect("Press w once more")
    terminal.send("hw")
    terminal.expect("Hint 1 of 3")
    terminal.expect("Press w once more")
    terminal.send("w")
    terminal.expect("frequencies = 1 / ")
    terminal.expect("q: quit")
    save(terminal.stub, RIGHT)
    terminal.expect("correct")
    terminal.expect("q: quit")
    terminal.send("w")
    assert terminal.expect(["frequencies = 1 / ", "Press w once more"]) == 0, "it is solved"


@pytest.mark.nightly
@pytest.mark.slow
def test_a_key_begins_an_exercise_and_each_save_of_its_file_grades_it(terminal: pexpect.spawn[str]) -> None:
    terminal.expect("q: quit")
    save(terminal.stub, RIGHT)
    terminal.expect("correct")
    terminal.expect("q: quit")
    terminal.send("e")
    terminal.expect("holds your right answer, with one")
    terminal.expect("q: quit")
    terminal.send("h")
    terminal.expect("Hint 1 of 4")
    broken = terminal.stub.with_name("practice.py")
    save(broken, HALF)
    terminal.expect("is not right yet")
    assert "half-exponent" not in terminal.before
    terminal.expect("q: quit")
    save(broken, RIGHT)
    terminal.expect("found")
    terminal.expect("comes back in")
    terminal.send("h")
    terminal.expect("Hint 1 of 3"), "of the problem again"


@pytest.mark.slow
def test_a_process_that_was_prepared_ahead_gives_the_right_verdict(terminal: pexpect.spawn[str]) -> None:
    terminal.expect("q: quit")
    for number in range(3):
        save(terminal.stub, f"{HALF}# {number}\n")
        terminal.expect("half-exponent")
        terminal.expect("q: quit")
        save(terminal.stub, f"{RIGHT}# {number}\n")
        terminal.expect("correct")
        terminal.expect("q: quit")
    assert terminal.isalive()


@pytest.mark.slow
def test_a_save_and_a_key_end_the_run_of_an_answer_that_loops(terminal: pexpect.spawn[str]) -> None:
    endless = RIGHT.replace("    positions =", "    for _ in iter(int, 1): pass\n    positions =")
    terminal.expect("q: quit")
    save(terminal.stub, endless)
    terminal.expect("Grading sinusoidal_pos: [0-9]+ s, running your answer")
    save(terminal.stub, HALF)
    terminal.expect("half-exponent", timeout=15)
    terminal.expect("q: quit")
    save(terminal.stub, endless)
    terminal.expect("running your answer")
    terminal.send("l")
    terminal.expect("0 of 1 solved")
    terminal.expect("running your answer")
    terminal.send("h")
    terminal.expect("Hint 1 of 3", timeout=5)
    terminal.expect("was stopped")
    save(terminal.stub, endless)
    terminal.expect("running your answer")
    terminal.send("q")
    terminal.expect(pexpect.EOF, timeout=5)
    terminal.wait()
    assert terminal.exitstatus == 0


@pytest.mark.slow
def test_a_stub_is_put_back_by_two_keys_and_one_that_vanishes_is_reported(terminal: pexpect.spawn[str]) -> None:
    terminal.expect("q: quit")
    save(terminal.stub, HALF)
    terminal.expect("half-exponent")
    terminal.expect("q: quit")
    terminal.send("r")
    terminal.expect("Press r once more")
    terminal.send("r")
    terminal.expect("Your text is kept in")
    terminal.expect("unattempted")
    terminal.expect("q: quit")
    terminal.stub.unlink()
    terminal.expect("there is no such file", timeout=15)


@pytest.mark.nightly
@pytest.mark.slow
def test_after_ctrl_z_and_fg_keys_work(terminal: pexpect.spawn[str]) -> None:
    terminal.expect("q: quit")
    cooked = termios.tcgetattr(terminal.child_fd)
    cooked[3] |= termios.ICANON | termios.ECHO
    terminal.kill(signal.SIGSTOP)
    termios.tcsetattr(terminal.child_fd, termios.TCSANOW, cooked)  # as a shell does
    terminal.kill(signal.SIGCONT)
    terminal.expect("q: quit")
    terminal.send("s")
    terminal.expect("Why it matters")
    terminal.expect("stub.py, and save it")
    terminal.send("\x1b[A")
    terminal.expect("h: hint")


@pytest.mark.nightly
@pytest.mark.slow
def test_a_long_text_is_read_in_a_pager_which_has_the_keys(own_kit: Command, nothing_left: None) -> None:
    (own_kit.kit / "pager.py").write_text(PAGER)
    stub = own_kit.kit / "problems/sinusoidal_pos/stub.py"
    terminal = watching(own_kit, rows=16, PAGER=f"{sys.executable} pager.py")
    terminal.expect("q: quit")
    terminal.send("s")
    terminal.expect("Why it matters")
    terminal.expect("stub.py, and save it")
    terminal.expect("THE PAGER WAITS")
    save(stub, HALF)  # it is graded once the pager has ended
    terminal.send("quit\n")
    terminal.expect("THE PAGER GOT quit")
    terminal.expect("half-exponent")
    terminal.expect("q: quit")
    terminal.send("t")
    terminal.expect("Tracing sinusoidal_pos")
    terminal.expect("case 1 of 8")
    terminal.expect("On this case, the result is wrong")
    terminal.expect("THE PAGER WAITS")
    terminal.sendintr()  # it is for the pager: watch goes on
    terminal.expect("KeyboardInterrupt")
    terminal.send("l")
    terminal.expect("0 of 1 solved")
    save(stub, RIGHT)
    terminal.expect("correct")
    terminal.expect("q: quit")
    terminal.send("q")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0


@pytest.mark.slow
def test_a_pager_that_is_no_command_is_a_line_and_watch_goes_on(own_kit: Command, nothing_left: None) -> None:
    terminal = watching(own_kit, rows=16, PAGER="less '")
    terminal.expect("q: quit")
    terminal.send("s")
    terminal.expect("Why it matters")
    terminal.expect("PAGER=less ' is no command")
    terminal.send("l")
    terminal.expect("0 of 1 solved")


@pytest.mark.nightly
@pytest.mark.slow
def test_a_trace_under_way_is_stopped_by_a_key_that_shows_something(own_kit: Command, nothing_left: None) -> None:
    terminal = watching(own_kit)
    terminal.expect("q: quit")
    terminal.send("t")
    terminal.expect("Not filled in yet. Fill in")
    endless = RIGHT.replace("    positions =", "    for _ in iter(int, 1): pass\n    positions =")
    save(own_kit.kit / "problems/sinusoidal_pos/stub.py", endless)
    terminal.expect("running your answer")
    terminal.send("t")
    terminal.expect("Grading sinusoidal_pos was stopped. Save its stub, and it is graded again.")
    terminal.expect("Tracing sinusoidal_pos: [0-9]+ s, running your answer")
    terminal.send("h")
    terminal.expect("Hint 1 of 3", timeout=5)
    terminal.expect("Tracing sinusoidal_pos was stopped. Press t to trace it again.")
    terminal.send("q")
    terminal.expect(pexpect.EOF)


@pytest.mark.slow
def test_an_answer_that_cannot_be_traced_is_a_line_and_watch_goes_on(own_kit: Command, nothing_left: None) -> None:
    terminal = watching(own_kit)
    terminal.expect("q: quit")
    (own_kit.kit / "problems/sinusoidal_pos/stub.py").unlink()
    terminal.expect("there is no such file")
    terminal.expect("q: quit")
    terminal.send("t")
    terminal.expect("stub.py: there is no such file")
    terminal.send("h")
    terminal.expect("Hint 1 of 3")


@pytest.mark.slow
def test_a_kit_without_a_sound_problem_is_one_line(own_kit: Command) -> None:
    statement = own_kit.kit / "problems/sinusoidal_pos/README.md"
    statement.write_text(statement.read_text().replace("after: []", "after: [nothing]"))
    done = own_kit("watch")
    assert done.returncode == 2
    (line,) = done.stderr.strip().splitlines()
    assert "There is no sound problem in" in line
    assert "`after` names 'nothing', which is no problem here" in line
    terminal = watching(own_kit, "sinusoidal_pos")
    terminal.expect("q: quit")
    terminal.send("p")
    terminal.expect("sinusoidal_pos.*unattempted")
    terminal.send("q")
    terminal.expect(pexpect.EOF)


@pytest.mark.slow
def test_ctrl_c_ends_it_and_leaves_the_terminal_as_it_was(terminal: pexpect.spawn[str]) -> None:
    terminal.expect("q: quit")
    terminal.sendintr()
    terminal.expect(pexpect.EOF)
    terminal.wait()
    assert terminal.exitstatus == 130, terminal.before


@pytest.mark.nightly
@pytest.mark.slow
def test_a_solved_problem_leads_on_to_the_next(own_kit: Command, nothing_left: None) -> None:
    for folder in ("problems", "solutions"):
        source, target = own_kit.kit / folder / "sinusoidal_pos", own_kit.kit / folder / "zeta"
        target.mkdir()
        for file in source.glob("*.*"):
            (target / file.name).write_text(file.read_text().replace("sinusoidal_pos", "zeta"))
    terminal = watching(own_kit)
    terminal.expect("sinusoidal_pos.*unattempted")
    terminal.expect("q: quit")
    save(own_kit.kit / "problems/sinusoidal_pos/stub.py", RIGHT)
    terminal.expect("On to zeta: press s for its statement")
    terminal.expect("q: quit")
    save(own_kit.kit / "problems/zeta/stub.py", HALF.replace("sinusoidal_pos", "zeta"))
    terminal.expect("zeta.*wrong")
    terminal.expect("half-exponent")
    terminal.expect("q: quit")
    terminal.send("p")  # back to the solved problem: nothing leads on before a save
    terminal.expect("sinusoidal_pos.*correct")
    terminal.expect("Solved. Press n to go on to zeta")
    terminal.expect("q: quit")
    terminal.send("n")
    terminal.expect("zeta.*wrong")
    terminal.expect("q: quit")
    terminal.send("q")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0


@pytest.mark.slow
def test_answers_are_confined_and_told_of_as_by_check(own_kit: Command, nothing_left: None) -> None:
    child = watching(own_kit, "--tier", "C", "--feedback", "verdict", "--seed", "7")
    stub = own_kit.kit / "problems/sinusoidal_pos/stub.py"
    child.expect("q: quit")
    save(stub, HALF)
    child.expect("Only the status is shown")
    child.expect("q: quit")
    assert "half-exponent" not in child.before
    save(stub, RIGHT)
    child.expect("correct")
    child.expect("Confined: tier C. The same fresh inputs again: --seed 7")
    child.send("q")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


class ProblemMatcher:
    """Reads lines as VS Code does, with the patterns of the task that the kit brings.

    Attributes:
        marked: file, line, column and name of what is marked now.
        graded: for each grading that has ended, what was marked then.
    """

    def __init__(self, kit: Path) -> None:
        (task,) = json.loads((kit / EDITOR_TASKS).read_text())["tasks"]
        self.command, matcher = task["command"], task["problemMatcher"]
        self._parts = matcher["pattern"]
        self._begins, self._ends = (matcher["background"][key] for key in ("beginsPattern", "endsPattern"))
        self.marked: list[tuple[str, ...]] = []
        self.graded: list[list[tuple[str, ...]]] = []

    def read(self, line: str) -> None:
        if re.search(self._begins, line):
            self.marked = []
        if re.search(self._ends, line):
            self.graded.append(self.marked)
        if found := re.search(self._parts["regexp"], line):
            self.marked.append(tuple(found[self._parts[key]] for key in ("file", "line", "column", "code")))


@pytest.mark.nightly
def test_the_task_of_vs_code_marks_what_each_save_makes_wrong(own_kit: Command, nothing_left: None) -> None:
    matcher = ProblemMatcher(own_kit.kit)
    stub = own_kit.kit / "problems/sinusoidal_pos/stub.py"
    program, *arguments = shlex.split(matcher.command)
    assert (program, arguments[:2]) == ("python", ["-m", "grader"])
    environment = {**clean_environment(), "TERM": "xterm"}  # VS Code gives its tasks a terminal
    child = pexpect.spawn(
        sys.executable, arguments, cwd=str(own_kit.kit), env=environment, encoding="utf-8", timeout=60
    )
    nothing: list[tuple[str, ...]] = []
    half = [("problems/sinusoidal_pos/stub.py", "9", "38", "half-exponent")]
    raises = [("problems/sinusoidal_pos/stub.py", "9", "14", "NameError")]
    steps = [("", half), (RIGHT.replace("positions *", "position *"), raises), (RIGHT, nothing)]
    texts = iter([HALF, *(text for text, _ in steps[1:])])
    while len(matcher.graded) <= len(steps):
        before = len(matcher.graded)
        line = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", child.readline()).rstrip("\r\n")  # as VS Code does
        matcher.read(line)
        if len(matcher.graded) > before and len(matcher.graded) <= len(steps):
            save(stub, next(texts))
    child.close(force=True)
    assert matcher.graded == [nothing, *(marked for _, marked in steps)]
