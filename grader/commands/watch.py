"""`watch`: grade on every save, move on when a problem is solved, single keys for the rest."""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
from collections.abc import Generator

from grader.commands import lesson
from grader.commands.check import catalogue, list_problems, next_step, remember
from grader.grade import grade
from grader.kit import progress as progress_file
from grader.kit.files import Missing, Unreadable, read_text
from grader.kit.kit import KitError
from grader.kit.problem import ProblemError
from grader.kit.state import take_warnings
from grader.marking.verdict import Status, Verdict
from grader.options import Options
from grader.report.terminal import Terminal, device_text
from grader.run.attempt import imports_of
from grader.session import Session

SETTLE_MS = 20
"""Editors save in several steps. A save is over when nothing has changed for this many milliseconds."""

SHORTCUTS = "h: hint   n: next problem   l: list   q: quit"


class Watch:
    """One run of `watch`: the current problem, and a queue of events: `save`, or a key that was pressed."""

    def __init__(self, options: Options, session: Session, name: str | None) -> None:
        self._options, self._session = options, session
        self._kit = options.kit
        self._terminal = Terminal.make(colour=options.colour)
        self._order = [one for one in catalogue(self._kit) if not one.fault]
        self._events: queue.Queue[str] = queue.Queue()
        self._text: str | None = None
        self._name = name or self._first_open() or self._order[0].name

    def _first_open(self) -> str | None:
        solved = progress_file.load(self._kit).solved
        return next((one.name for one in self._order if one.name not in solved), None)

    def run(self) -> int:
        """Grade on every save until q, the end of the input or Ctrl-C."""
        stop = threading.Event()
        saves = threading.Thread(target=self._follow_saves, args=(stop,), daemon=True)
        saves.start()
        try:
            with self._keys(stop):
                self._grade()
                while (event := self._events.get()) != "q":
                    self._on(event)
        finally:
            stop.set()
        return 0

    def _on(self, event: str) -> None:
        match event:
            case "save":
                if self._changed():
                    self._grade()
            case "h":
                lesson.hint(self._options, self._name, every=False)
            case "n":
                self._move_on()
                self._grade()
            case "l":
                list_problems(self._options)
                self._terminal.line(SHORTCUTS, "dim")
            case _:
                self._terminal.line(SHORTCUTS, "dim")

    def _follow_saves(self, stop: threading.Event) -> None:
        # Watch the whole folder: an editor may replace the file, and the current problem changes.
        folder = self._kit.root / "problems"
        from watchfiles import watch as watch_files

        for _ in watch_files(folder, debounce=10 * SETTLE_MS, step=SETTLE_MS, stop_event=stop, raise_interrupt=False):
            self._events.put("save")

    def _changed(self) -> bool:
        text = self._read()
        return text is not None and text != self._text

    def _read(self) -> str | None:
        """The text of the current stub, or why it cannot be read; None if it is missing, as between two steps of a save."""
        try:
            return read_text(self._kit.stub(self._name))
        except Missing:
            return None
        except Unreadable as error:
            return str(error)

    def _grade(self) -> None:
        self._text = self._read()
        try:
            verdict = grade(self._session, self._name)
        except ProblemError as error:
            self._terminal.fault(f"A fault of the kit, not of your answer: {error}")
            return
        progress = progress_file.load(self._kit)
        fingerprint = progress_file.fingerprint(self._kit, self._name, self._options.device)
        remember(self._options, progress, {self._name: verdict}, {self._name: fingerprint})
        if self._terminal.console.is_terminal:
            self._terminal.console.clear()
        for line in take_warnings():
            self._terminal.fault(line)
        self._terminal.verdict(verdict, device=device_text(self._options.device), following=self._following(verdict))
        self._terminal.line()
        self._terminal.line(SHORTCUTS, "dim")
        self._get_ready()

    def _following(self, verdict: Verdict) -> str:
        if verdict.status is not Status.CORRECT:
            return f"Watching problems/{self._name}/stub.py: save it, and it is graded again."
        solved = self._name
        self._move_on()
        if self._name == solved:
            return next_step(self._order, progress_file.load(self._kit), solved, verdict)
        return f"On to {self._name}: python -m grader show {self._name}, then fill in problems/{self._name}/stub.py"

    def _move_on(self) -> None:
        """Go to the next problem that is not solved, in the order of the table. After the last one comes the first."""
        names = [one.name for one in self._order]
        solved = progress_file.load(self._kit).solved
        here = names.index(self._name)
        for name in (*names[here + 1 :], *names[:here]):
            if name not in solved:
                self._name, self._text = name, None
                return

    def _get_ready(self) -> None:
        """Prepare the oracle and the process of the next answer while the learner thinks."""
        with contextlib.suppress(ProblemError):  # grading reports it
            source = self._session.oracle(self._name)
            source.truth()
            source.level(1)
            if note := source.keep():
                self._terminal.fault(note)
        self._session.prepare(imports_of(self._read() or ""))

    @contextlib.contextmanager
    def _keys(self, stop: threading.Event) -> Generator[None]:
        """Read single keys inside the block. Without a terminal, or on Windows, only saves are followed."""
        if not sys.stdin.isatty() or sys.platform == "win32":
            yield
            return
        import termios
        import tty

        descriptor = sys.stdin.fileno()
        before = termios.tcgetattr(descriptor)
        tty.setcbreak(descriptor)
        reader = threading.Thread(target=self._read_keys, args=(descriptor,), daemon=True)
        reader.start()
        try:
            yield
        finally:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)

    def _read_keys(self, descriptor: int) -> None:
        while key := os.read(descriptor, 1):
            self._events.put(key.decode("ascii", "replace"))
        self._events.put("q")


def watch(options: Options, name: str | None) -> int:
    """Grade on every save until the learner quits.

    Raises:
        KitError: if the kit has no problems.
    """
    if not options.kit.names:
        raise KitError(f"There is no problem in {options.kit.root / 'problems'}.")
    chosen = options.kit.resolve(name) if name else None
    with Session(options.kit, options.device, options.limits) as session:
        return Watch(options, session, chosen).run()
