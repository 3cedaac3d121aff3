"""`watch`: grade on every save, move on when a save solves a problem, single keys for the rest."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import termios
import threading
import time
import tty
from collections.abc import Callable, Generator
from pathlib import Path
from queue import Empty, SimpleQueue
from types import FrameType

import click

from grader.commands import lesson, run
from grader.commands.check import list_problems, print_in_force
from grader.commands.console import allow_stubs
from grader.commands.learner import catalogue, concise_lines, current_problem, sound, with_openable_file
from grader.commands.next_step import all_solved
from grader.commands.run import RanAnswer
from grader.commands.stub_grading import (
    DRAWING,
    GRADING,
    PRACTISING,
    READYING,
    RUNNING,
    TRACING,
    BackgroundWork,
    GradedStub,
    GradingFault,
    PrintedExercise,
    PrintedText,
    StubGrading,
    ToldEarly,
    WatchSession,
    stub_text,
)
from grader.commands.trace import TracedAnswer, show
from grader.kit import progress as progress_file
from grader.kit.files import text_if_readable
from grader.kit.kit import PRACTICE, KitError
from grader.kit.kit_files import KitFiles
from grader.kit.problem_error import ProblemError
from grader.kit.state import take_warnings
from grader.locale.language import N_, gettext
from grader.marking.verdict import Status, Verdict
from grader.options import Options
from grader.report.terminal import Terminal, device_text
from grader.run.child import start_thread

END = "\x04"
"""What Ctrl-D sends, and what stands for the end of the input."""

OTHER = "?"
"""What stands for a key that is no letter, such as an arrow."""

Lend = Callable[[], contextlib.AbstractContextManager[None]]
"""Gives the terminal to another program, as long as the block of `with` runs."""


@contextlib.contextmanager
def keys(pressed: Callable[[str], None], resumed: Callable[[], None]) -> Generator[Lend]:
    """Read single keys inside the block. Without a terminal, no key is read.

    Args:
        pressed: is called with each key, in a thread of its own: a lower-case letter, `END` or `OTHER`.
        resumed: is called in the main thread when this process goes on after Ctrl-Z.
    """
    if not sys.stdin.isatty():
        yield contextlib.nullcontext
        return
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    lent = threading.Lock()

    def go_on(_signal: int, _frame: FrameType | None) -> None:
        tty.setcbreak(descriptor)  # while this process was stopped, the shell used the terminal in its own mode
        resumed()

    @contextlib.contextmanager
    def lend() -> Generator[None]:
        with lent:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
            try:
                yield
            finally:
                tty.setcbreak(descriptor)

    tty.setcbreak(descriptor)
    handler = signal.signal(signal.SIGCONT, go_on)
    start_thread(_read, descriptor, lent, pressed)
    try:
        yield lend
    finally:
        signal.signal(signal.SIGCONT, handler)
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _read(descriptor: int, lent: threading.Lock, pressed: Callable[[str], None]) -> None:
    data = b"a key"
    while data:
        select.select([descriptor], [], [])
        with lent:  # once the terminal is back, that key may have been read
            if not select.select([descriptor], [], [], 0)[0]:
                continue
            data = os.read(descriptor, 64)
        for key in in_words(data):
            pressed(key)
    pressed(END)


def in_words(data: bytes) -> list[str]:
    """The keys that sent these bytes. An arrow or another special key sends several bytes, and is one key."""
    if data.startswith(b"\x1b"):
        return [OTHER]
    text = data.decode("utf-8", "replace").lower()
    return [key if key.isalpha() or key == END else OTHER for key in text]


SETTLE_MS = 5
"""Editors save in several steps. A save is over when nothing has changed for this many milliseconds."""

LOOK_MS = 500
"""The stub is compared again at least this often: its first save may come before the folder is followed."""

SECONDS_BETWEEN_LOOKS, SECONDS_WITHOUT_PHASE = 0.2, 1.0
"""Seconds between two looks at work under way. Seconds after which the phase of a grading is shown."""

LINES_AROUND_A_TEXT = 5
"""Lines of the screen that are not for a text: one above, one below, the keys, and the cursor."""

SAVED, MENDED, LOOK, RESUMED = "saved", "mended", "look", "resumed"
"""Events beside the keys: the stub or an exercise was saved, it is time to look at the stub, Ctrl-Z is over."""

BEGAN, ENDED = "grading {problem}", "graded {problem}: {status}"
"""Lines for editors, the same in every language: `.vscode/tasks.json` has patterns for them."""

SHORTCUTS = (
    N_("h: hint  s: statement  t: trace  d: draw  c: call  w: worked answer"),
    N_("n: next  p: back  r: reset  l: list  e: exercise  q: quit"),
)
UNDER_WAY = {
    GRADING: N_("Grading {problem}: {seconds} s"),
    TRACING: N_("Tracing {problem}: {seconds} s"),
    DRAWING: N_("Drawing {problem}: {seconds} s"),
    RUNNING: N_("Calling {problem}: {seconds} s"),
    PRACTISING: N_("Looking at an exercise: {seconds} s"),
}

STOPPED = {
    GRADING: N_("Grading {problem} was stopped. Save its stub, and it is graded again."),
    TRACING: N_("Tracing {problem} was stopped. Press t to trace it again."),
    DRAWING: N_("Drawing {problem} was stopped. Press d to draw it again."),
    RUNNING: N_("Calling {problem} was stopped. Press c to call it again."),
    PRACTISING: N_("The look at the exercise was stopped. Press e to go on."),
}
"""What is said of work under way, and of work that was stopped."""


class Watch:
    """One run of `watch`: the current problem, the work under way, and a queue of events.

    An event is a key, `SAVED`, `LOOK`, `RESUMED`, or work that has ended or told something early. This thread alone prints,
    so that a key is served at once, whatever an answer does.
    """

    def __init__(self, options: Options, session: WatchSession, name: str | None) -> None:
        self._options, self._session = options, session
        self._kit = options.kit
        self._terminal = Terminal.make(colour=options.colour, pictures=options.pictures)
        self._errors = Terminal.make(colour=options.colour, stderr=True)
        listed = catalogue(self._kit)
        self._problems = sound(listed)
        self._events: SimpleQueue[str | BackgroundWork | ToldEarly] = SimpleQueue()
        self._lend: Lend = contextlib.nullcontext
        self._missing = self._saved = False
        self._keys_shown = self._listed = False
        self._asked = self._practised = ""
        self._mended: str | None = None
        if not name and not self._problems:
            said = gettext("There is no sound problem in {folder}: {fault}")
            raise KitError(said.format(folder=self._kit.root / "problems", fault=listed[0].fault))
        first = name or self._current() or next(iter(self._problems))
        allow_stubs(options, [first])
        self._grading = StubGrading(options, session, first, self._events.put)

    def run(self) -> int:
        """Grade on every save until q, the end of the input or Ctrl-C."""
        stop = threading.Event()
        start_thread(self._follow_saves, stop)
        try:
            with keys(self._events.put, lambda: self._events.put(RESUMED)) as self._lend:
                self._grade()
                while (event := self._next()) not in ("q", END):
                    self._on(event)
        finally:
            stop.set()
            self._grading.close()
        return 0

    def _current(self) -> str | None:
        progress = progress_file.load(self._kit)
        return current_problem(KitFiles(self._kit), self._problems, progress, self._options.device)

    @property
    def _name(self) -> str:
        return self._grading.name

    def _next(self) -> str | BackgroundWork | ToldEarly:
        """Wait for the next event. On a terminal, a line shows what is graded, and for how long."""
        work = self._grading.work
        quiet = self._options.concise or not self._errors.console.is_terminal
        if work is None or work.doing == READYING or quiet:
            return self._events.get()
        spinner = "dots" if self._errors.unicode else "line"
        with self._errors.console.status("", spinner=spinner) as status:
            while work.is_alive():
                seconds = time.monotonic() - work.started
                said = gettext(UNDER_WAY[work.doing]).format(problem=work.problem, seconds=f"{seconds:.0f}")
                status.update(f"{said}, {self._session.phase}" if seconds > SECONDS_WITHOUT_PHASE else said)
                with contextlib.suppress(Empty):
                    return self._events.get(timeout=SECONDS_BETWEEN_LOOKS)
        return self._events.get()

    def _on(self, event: str | BackgroundWork | ToldEarly) -> None:
        if isinstance(event, BackgroundWork | ToldEarly):
            self._tell(self._grading.ended(event))
        elif event == SAVED:
            if self._grading.changed():
                self._grade(saved=True)
        elif event == MENDED:
            if self._practised and text_if_readable(self._kit.practice(self._practised)) != self._mended:
                self._look_at(self._practise)
        elif event == LOOK:
            self._look()
        elif event == RESUMED:
            self._show_keys()
        else:
            asked, self._asked = self._asked, ""
            self._on_key(event, again=event == asked)

    def _look(self) -> None:
        """Grade the stub if its text has changed. A stub may be missing for a moment: some editors remove it first."""
        missed, self._missing = self._missing, not os.path.lexists(self._kit.stub(self._name))
        if self._missing <= missed and stub_text(self._kit, self._name) != self._grading.text:
            self._grade(saved=True)

    def _on_key(self, key: str, *, again: bool) -> None:
        """Serve a key.

        Args:
            again: whether it was pressed just before, and was asked for once more.
        """
        match key:
            case "n":
                self._grading.open(self._following() or self._name)
                self._grade()
            case "p":
                names = list(self._problems) or [self._name]
                self._grading.open(names[names.index(self._name) - 1 if self._name in names else -1])
                self._grade()
            case "e":
                self._look_at(self._practise)
            case "h" if self._practised:
                self._look_at(lambda: self._practise("hint"))
            case "h":
                self._serve(lambda: lesson.show_hints(self._options, self._name, every=False))
            case "s":
                then = gettext("Fill in {stub}, and save it.").format(stub=self._kit.opened(self._kit.stub(self._name)))
                self._show(lambda terminal: lesson.print_statement(terminal, self._kit, self._name, then))
            case "t":
                self._look_at(self._grading.trace)
            case "d":
                self._look_at(lambda: self._grading.look(DRAWING, self._drawn))
            case "c":
                self._look_at(self._grading.run)
            case "w" if again or self._name in progress_file.load(self._kit).solved:
                self._show(self._print_worked_answer)
            case "w":
                self._asked = key
                said = gettext("{problem} is not solved yet. Press w once more to see the worked answer all the same.")
                self._terminal.line(said.format(problem=self._name))
            case "l":
                self._print(lambda: list_problems(self._options))
                self._listed = True
                self._show_keys()
            case "r" if again:
                self._serve(lambda: lesson.restore_stub(self._options, self._name))
            case "r":
                self._asked = key
                said = gettext("Press r once more to put the shipped stub back. Your text is kept beside it.")
                self._terminal.line(said)
            case _:
                if not self._keys_shown:
                    self._show_keys()
                self._keys_shown = True
                return
        self._keys_shown = False

    def _serve(self, command: Callable[[], object]) -> None:
        """Run a command that prints. Work under way is ended first: its report would clear the screen."""
        stopped = self._stop()
        self._print(command)
        if stopped:
            self._terminal.line(stopped)
        self._show_keys()

    def _stop(self) -> str:
        """End a grading or a trace that is under way. Returns what to say of it."""
        doing = self._grading.stop()
        if not doing:
            return ""
        if doing == GRADING:
            self._tell_editor(ENDED, self._name, "stopped")
        return gettext(STOPPED[doing]).format(problem=self._name)

    def _look_at(self, begin: Callable[[], None]) -> None:
        if stopped := self._stop():
            self._terminal.line(stopped)
        begin()

    def _drawn(self, session: WatchSession, name: str) -> PrintedText:
        from grader.commands.picture import PictureRequest, print_picture

        with self._terminal.console.capture() as made:
            print_picture(session, self._terminal, PictureRequest(name))
        return PrintedText(made.get())

    def _practise(self, move: str = "") -> None:
        """Take a step of the exercise under way; else begin one, as a bare `practice` does."""
        from grader.commands.practice import Move, Practice, PracticeRequest, print_taken, take

        def practised(session: WatchSession, name: str) -> PrintedExercise:
            taken = take(Practice(self._options, session), PracticeRequest(move=Move(move)))
            with self._terminal.console.capture() as made:
                print_taken(self._terminal, self._options, taken, commands=False)
            if taken.problem != name:
                session.release(taken.problem)  # the process of a reference holds memory
            return PrintedExercise(made.get(), taken.under_way)

        self._grading.look(PRACTISING, practised)

    def _print_call(self, terminal: Terminal, ran: RanAnswer) -> None:
        run.show(terminal, ran)
        said = gettext("To call it with other arguments: {command}")
        terminal.line()
        terminal.to_do(said.format(command=self._kit.command("run", self._name, "ARGUMENT=VALUE")))

    def _print_worked_answer(self, terminal: Terminal) -> None:
        lesson.print_worked_answer(terminal, lesson.worked_answer(self._kit, self._name))

    def _show(self, print_it: Callable[[Terminal], None]) -> None:
        """Show what a function prints: with the learner's pager if it is longer than the screen.

        The pager has the keys then. Work goes on meanwhile, and its report comes afterwards.
        """
        with self._terminal.console.capture() as made:
            self._print(lambda: print_it(self._terminal))
        text = made.get()
        if text.count("\n") + LINES_AROUND_A_TEXT <= self._terminal.console.height:
            self._serve(lambda: click.echo(f"\n{text}\n", nl=False, color=True))
            return
        with self._lend():
            try:
                click.echo_via_pager(text)  # most pagers leave the screen as it was, with the line of keys
            except ValueError as error:
                click.echo(text, color=True)
                said = gettext("PAGER={pager} is no command ({why}): set it to one, as `less`")
                self._errors.fault(said.format(pager=os.environ.get("PAGER", ""), why=error))

    def _print(self, command: Callable[[], object]) -> None:
        try:
            command()
        except (KitError, ProblemError, OSError) as error:
            self._errors.fault(str(error))
        self._warn()

    def _warn(self) -> None:
        for line in take_warnings():
            self._errors.fault(line)

    def _show_keys(self) -> None:
        for line in SHORTCUTS:
            self._terminal.line(gettext(line), "dim")

    def _follow_saves(self, stop: threading.Event) -> None:
        # Watch the whole folder: an editor may replace the file, and the current problem changes.
        folder = self._kit.root / "problems"
        from watchfiles import watch as watch_files

        for changes in watch_files(
            folder,
            debounce=10 * SETTLE_MS,
            step=SETTLE_MS,
            stop_event=stop,
            rust_timeout=LOOK_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
        ):
            saved = {Path(path).parts[-2:] for _, path in changes if os.path.lexists(path)}
            if self._practised and (self._practised, PRACTICE) in saved:
                self._events.put(MENDED)
            self._events.put(SAVED if (self._name, "stub.py") in saved else LOOK)

    def _grade(self, *, saved: bool = False) -> None:
        self._saved, self._listed = saved, False
        try:
            self._grading.grade(saved=saved)
            self._tell_editor(BEGAN, self._name)
        except KitError as error:
            self._errors.fault(str(error))

    def _tell(self, event: GradedStub | TracedAnswer | RanAnswer | PrintedText | GradingFault | None) -> None:
        match event:
            case GradedStub():
                self._report(event)
                if not event.provisional:
                    self._grading.get_ready()
            case TracedAnswer():
                self._show(lambda terminal: show(terminal, event))
                self._grading.get_ready()
            case RanAnswer():
                self._show(lambda terminal: self._print_call(terminal, event))
                self._grading.get_ready()
            case PrintedText():
                if isinstance(event, PrintedExercise):
                    self._practised = event.problem
                    self._mended = self._practised and text_if_readable(self._kit.practice(self._practised))
                self._show(lambda terminal: terminal.console.out(event.text, end="", highlight=False))
                self._grading.get_ready()
            case GradingFault():
                self._terminal.fault(event.text)
                self._tell_editor(ENDED, event.problem, "fault")
            case None:
                pass

    def _tell_editor(self, said: str, problem: str, status: str = "") -> None:
        """Print a line that says where the findings of a grading begin or end, if an editor reads them."""
        if self._options.concise:
            click.echo(said.format(problem=problem, status=status))

    def _report_concisely(self, graded: GradedStub) -> None:
        if graded.provisional:
            return
        self._warn()
        for line in concise_lines(self._options, graded.shown, graded.text):
            click.echo(line)
        self._tell_editor(ENDED, graded.problem, graded.shown.status.value)
        following = self._what_follows(graded.whole)
        if graded.whole.status is Status.CORRECT:
            self._terminal.to_do(following)
        print_in_force(self._options, [graded.whole])

    def _report(self, graded: GradedStub) -> None:
        if self._options.concise:
            self._report_concisely(graded)
            return
        if self._terminal.console.is_terminal and not self._listed:  # the list was asked for while this was graded
            self._terminal.console.clear()
        self._warn()
        following = "" if graded.provisional else self._what_follows(graded.whole)
        shown, device = with_openable_file(self._kit, graded.shown), device_text(self._options.device)
        self._terminal.verdict(shown, device=device, following=following)
        if graded.provisional:
            return
        print_in_force(self._options, [graded.whole])
        self._terminal.line()
        self._show_keys()

    def _what_follows(self, verdict: Verdict) -> str:
        """A line on what to do now. Where a save has solved the problem, the next one becomes the current one."""
        if verdict.status is not Status.CORRECT:
            said = gettext("Watching {stub}: save it, and it is graded again.")
            return said.format(stub=self._kit.opened(self._kit.stub(self._name)))
        following = self._following()
        if following in (None, self._name):  # the same, where progress cannot be saved
            return all_solved(len(self._problems))
        if not self._saved:
            return gettext("Solved. Press n to go on to {problem}.").format(problem=following)
        self._grading.open(following)
        said = gettext("On to {problem}: press s for its statement, then fill in {stub}")
        return said.format(problem=following, stub=self._kit.opened(self._kit.stub(following)))

    def _following(self) -> str | None:
        """The next problem that is not solved, or that is broken now; None if there is none."""
        return progress_file.load(self._kit).next_problem(self._problems, after=self._name)


def watch(options: Options, name: str | None) -> int:
    """Grade on every save until the learner quits.

    Raises:
        KitError: if the kit has no problems.
    """
    if not options.kit.names:
        raise KitError(gettext("There is no problem in {folder}.").format(folder=options.kit.root / "problems"))
    chosen = options.kit.resolve(name) if name else None
    with WatchSession(options.kit, options.device, options.limits, options.policy) as session:
        return Watch(options, session, chosen).run()
