"""What the server knows of each problem, and the browser tabs that it sends each change to."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from grader.commands import run, trace
from grader.commands.learner import (
    catalogue,
    current_problem,
    in_force_line,
    kept_verdict,
    problem_rows,
    shown_to_learner,
    sound,
    with_openable_file,
)
from grader.commands.lesson import one_more
from grader.commands.practice import Practice, PracticeRequest, print_taken, take
from grader.commands.run import RanAnswer
from grader.commands.site import lesson_of
from grader.commands.stub_grading import (
    GRADING,
    PRACTISING,
    BackgroundWork,
    GradedStub,
    GradingFault,
    PrintedExercise,
    PrintedText,
    StubGrading,
    ToldEarly,
    WatchSession,
)
from grader.commands.trace import TracedAnswer
from grader.kit import progress as progress_file
from grader.kit import statement
from grader.kit.files import text_if_readable
from grader.kit.kit import KitError
from grader.kit.kit_files import KitFiles
from grader.kit.problem_error import ProblemError
from grader.kit.progress import Progress
from grader.kit.state import take_warnings
from grader.kit.statement import Heading
from grader.kit.text import clean
from grader.locale.language import gettext, language
from grader.marking.verdict import Drawable, Status, Verdict
from grader.options import NoSuchDevice, Options, Unconfined
from grader.page.site import Lesson
from grader.page.words import page_words
from grader.practice import record
from grader.report.html import picture_of, report
from grader.report.terminal import as_text, device_text, outcome_word, right_so_far, status_word
from grader.report.trace import remarks
from grader.run.child import LaunchError
from grader.serve import verdict_parts
from grader.serve.texts import StubText, Texts, digest_of

SETTLE_MS, LOOK_MS = 5, 500
"""As in `watch`: a save is over when nothing has changed for so long, and stubs are compared at least this often."""

FEWEST_COLUMNS, MOST_COLUMNS = 40, 160
"""The room for the words of a call or a walk, in columns, is between these."""

SECONDS_BETWEEN_PHASES = 0.5
"""Seconds between two messages on work under way."""

Event = dict[str, Any]


@dataclass(frozen=True)
class ShownExercise(PrintedExercise):
    """What was printed of an exercise, and the text of its file; None once it has ended."""

    exercise: str | None


@dataclass(frozen=True)
class Tab:
    """A tab of the browser: the problem that it shows, empty for the list, its id, and what it is still to be told."""

    name: str
    id: str
    events: asyncio.Queue[Event]


class LiveLessons:
    """Reads and writes stubs, grades one at a time, and tells every tab. Used by one event loop alone."""

    def __init__(self, options: Options, session: WatchSession) -> None:
        self._options, self._session, self._kit = options, session, options.kit
        self._ended: asyncio.Queue[BackgroundWork | ToldEarly] = asyncio.Queue()
        self._tabs: list[Tab] = []
        self._seen: dict[str, StubText] = {}
        self._missing: set[str] = set()
        self._verdicts: dict[str, tuple[str, Event]] = {}
        self._rows: list[dict[str, Any]] = []
        self._awaiting: Callable[[], None] | None = None
        self._columns = FEWEST_COLUMNS
        self._loop = asyncio.get_running_loop()
        self.texts = Texts(options.kit)
        self._lessons: dict[str, tuple[tuple[tuple[int, int], ...], Lesson]] = {}
        self.say_again()
        first = next(iter(sound(self.listed)), "")
        if not first:
            said = gettext("There is no sound problem in {folder}: {fault}")
            raise KitError(said.format(folder=self._kit.root / "problems", fault=self.listed[0].fault))
        self._grading = StubGrading(options, session, first, self._put)

    def say_again(self) -> None:
        """Read the titles of the lessons, and forget the words that were made: the language may be another one."""
        self.listed = catalogue(self._kit)
        self.sound = [problem for problem in self.listed if not problem.fault]
        self._lessons.clear()
        self._verdicts.clear()

    # Tabs

    @contextmanager
    def tab(self, name: str, id: str = "") -> Generator[asyncio.Queue[Event]]:
        """What a tab is told while it is open: first what is so now, then each event."""
        tab = Tab(name, id, asyncio.Queue())
        self._tabs.append(tab)
        with self._telling(name):
            for event in self._now(name):
                tab.events.put_nowait(event)
        if name and not self._grading.busy:
            self._turn_to(name)
            self._grading.get_ready()
        try:
            yield tab.events
        finally:
            self._tabs.remove(tab)

    def _now(self, name: str) -> Iterator[Event]:
        yield {"kind": "progress", "rows": self.rows()}
        if not name:
            return
        yield self._text(name)
        with self._telling(name):
            yield self.hints(name)
        if (known := self._known(name)) is not None:
            yield known
        if self._grading.busy and self._grading.name == name:
            yield self._running()

    def _tell(self, event: Event) -> None:
        for tab in self._tabs:
            if event.get("name", tab.name) in ("", tab.name):
                tab.events.put_nowait(event)

    # Texts

    def save(self, name: str, text: str, match: str, tab: str) -> tuple[StubText, str]:
        """Put a text into a stub (see `Texts.save`), and grade it.

        Returns:
            what the stub holds now, and the path of what is kept, to be shown; empty if nothing is.
        """
        before = self.texts.held(name)
        aside = self.texts.save(name, text, match)
        self.texts.forget(name, tab)
        self._look(name)
        with self._telling(name):  # the text is saved, whatever stands against grading it
            self.grade(name, saved=self.texts.held(name) != before)
        return self.texts.held(name), aside

    def reset(self, name: str) -> tuple[StubText, str]:
        """Put the shipped stub back (see `Texts.reset`), and end what is under way. Returns the same as `save`."""
        self.stop()
        aside = self.texts.reset(name)
        self._look(name)
        self.grade(name)
        return self.texts.held(name), aside

    def _text(self, name: str) -> Event:
        held = self._seen[name] = self.texts.held(name)
        draft = self.texts.drafted(name, {tab.id for tab in self._tabs})
        return {"kind": "text", "name": name, **asdict(held), "draft": draft}

    def _look(self, name: str, *, patient: bool = False) -> bool:
        """Tell of a stub that has changed. Returns whether it has.

        Args:
            patient: whether to wait for the next look where there is no file: some editors remove it first.
        """
        missed = name in self._missing
        if patient and not missed and not os.path.lexists(self._kit.stub(name)):
            self._missing.add(name)
            return False
        self._missing.discard(name)
        if self.texts.held(name) == self._seen.get(name):
            return False
        self._tell(self._text(name))
        return True

    # Grading

    def grade(self, name: str, *, saved: bool = False) -> None:
        """Grade a stub as it is now. What is known of this text is told at once.

        Args:
            saved: whether its text was changed while the page was open, so that it is the learner's own.
        """
        held = self.texts.held(name)
        here = self._grading.busy and self._grading.name == name
        grading = here and self._doing == GRADING
        if grading and self._grading.text in (held.text, held.fault):
            return
        if (known := self._known(name)) is not None:
            if here:
                self._grading.stop()
            self._tell(known)
            return
        if self._grading.busy and not grading:
            self._tell({"kind": "stopped", "name": self._grading.name, "doing": self._doing})
        self._grading.open(name)
        self._grading.grade(saved=saved)
        self._tell(self._running())

    def stop(self) -> None:
        """End what is under way of an answer, and what waits for it."""
        name, self._awaiting = self._grading.name, None
        if doing := self._grading.stop():
            self._tell({"kind": "stopped", "name": name, "doing": doing})

    @property
    def _doing(self) -> str:
        """What is under way, or was last."""
        return self._grading.work.doing if self._grading.work is not None else ""

    def _turn_to(self, name: str) -> None:
        if self._grading.name != name:
            self._grading.open(name)

    def _known(self, name: str) -> Event | None:
        """The verdict on a stub as it is now, if it is known without a run."""
        fingerprint = progress_file.fingerprint(self._kit, name, self._options.device)
        graded = self._verdicts.get(name)
        if graded is not None and graded[0] == fingerprint:
            return graded[1]
        progress = progress_file.load(self._kit)
        verdict = kept_verdict(KitFiles(self._kit), progress, name, fingerprint)
        if verdict is None:
            return None
        (shown,) = shown_to_learner(self._options, [verdict])
        held = self.texts.held(name)
        return self._verdict(held.digest, held.text, verdict, shown, progress)

    def _verdict(self, digest: str, text: str, whole: Verdict, shown: Verdict, progress: Progress) -> Event:
        said = in_force_line(self._options, [whole])
        html = report(
            with_openable_file(self._kit, shown),
            device=device_text(self._options.device),
            below=[said] if said else [],
        )
        solved = shown.status is Status.CORRECT and not right_so_far(shown)
        following = progress.next_problem(sound(self.listed), after=whole.problem)
        return {
            "kind": "verdict",
            "name": whole.problem,
            "digest": digest,
            "status": shown.status.value,
            "called": outcome_word(shown),
            "says": clean(str(shown.message)),
            "html": html,
            "marks": list(verdict_parts.marks(shown, text)),
            "cases": verdict_parts.cases(shown),
            "printed": verdict_parts.printed(shown),
            "picture": None,
            "provisional": whole.awaited is not None,
            "passed": self._passed(whole.problem, following, progress) if solved else None,
            "solution": self.solution_is_open(whole.problem, progress),
        }

    def _passed(self, name: str, following: str | None, progress: Progress) -> Event:
        """What is told of a problem that is solved: the end of its lesson, what it leads to, and the end of its track."""
        lesson = self.lesson(name)
        track = [problem for problem in self.sound if problem.track == lesson.track]
        done = all(problem.name in progress.solved for problem in track)
        leads = [problem.name for problem in self.sound if name in problem.after]
        return {
            "end": "".join(str(part.html) for part in lesson.body.parts if part.name == Heading.END),
            "leads": list(map(self._link, leads)),
            "next": self._link(following) if following != name else None,
            "track": lesson.track if done else "",
            "learned": [problem.title for problem in track] if done else [],
        }

    def _link(self, name: str | None) -> dict[str, str] | None:
        found = next((problem for problem in self.listed if problem.name == name), None)
        return None if found is None else {"name": found.name, "title": found.title}

    def _running(self) -> Event:
        work = self._grading.work
        assert work is not None
        seconds = int(asyncio.get_running_loop().time() - work.started)
        event: Event = {"kind": "running", "name": work.problem, "doing": work.doing}
        return {**event, "phase": self._session.phase, "seconds": seconds}

    def _put(self, work: BackgroundWork | ToldEarly) -> None:
        """Take work that has ended or told something early, in a thread. After the end of the loop nobody waits for it."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._ended.put_nowait, work)

    # What an answer makes

    def run_answer(self, name: str, typed: str, given: Sequence[str], columns: int) -> None:
        """Call a text that was typed for a stub, after a grading that is under way; `columns` is the room for the words."""
        self._begin(name, columns, lambda: self._grading.run(given, typed))

    def trace_answer(self, name: str, typed: str, case: int | None, columns: int) -> None:
        """Walk through a text that was typed for a stub, on a case from 1, or on one that `trace` chooses."""
        self._begin(name, columns, lambda: self._grading.trace(typed, case))

    def practise(self, name: str, asked: PracticeRequest, typed: str | None, match: str, columns: int) -> None:
        """Take a step of the exercise on a problem.

        Args:
            typed: the text that was typed for its file, which is written first; None for none.
            match: the text of the file as the page knows it.
        """

        def practised(session: WatchSession, name: str) -> ShownExercise:
            practice = Practice(self._options, session)
            notes = [] if typed is None else practice.write(name, typed, match)
            taken = take(practice, asked)
            taken = replace(taken, step=replace(taken.step, notes=(*notes, *taken.step.notes)))
            said = as_text(lambda terminal: print_taken(terminal, self._options, taken, commands=False), columns)
            under_way = text_if_readable(self._kit.practice(name)) if taken.under_way else None
            return ShownExercise(said, taken.under_way, under_way)

        columns = max(FEWEST_COLUMNS, min(columns, MOST_COLUMNS))
        self._begin(name, columns, lambda: self._grading.look(PRACTISING, practised))

    def exercise(self, name: str) -> Event:
        """What is under way: the text of the exercise on a problem, None if there is none."""
        under_way = name in record.load(self._kit).exercises
        return {"text": text_if_readable(self._kit.practice(name)) if under_way else None}

    def _begin(self, name: str, columns: int, begin: Callable[[], None]) -> None:
        def now() -> None:
            self._turn_to(name)
            self._columns = max(FEWEST_COLUMNS, min(columns, MOST_COLUMNS))
            begin()
            self._tell(self._running())

        self._awaiting = now
        if not self._grading.busy:
            self._go_on()

    def _walked(self, found: RanAnswer | TracedAnswer, name: str, columns: int) -> Event:
        """What a call or a walk shows: the words of the terminal, and what the window draws beside them."""
        if isinstance(found, TracedAnswer):
            text = as_text(lambda terminal: trace.show(terminal, found), columns)
            beside = [] if found.walk is None else remarks(found.walk)
            said = [{"line": line, "text": text} for line, text in beside]
            return {"kind": "traced", "name": name, "text": text, "remarks": said}
        call = found.call
        arguments = None if call is None else {key: str(value) for key, value in call.arguments.items()}
        text = as_text(lambda terminal: run.show(terminal, found), columns)
        event: Event = {"kind": "ran", "name": name, "text": text, "arguments": arguments}
        if call is None or call.compared is None or not call.facts.pictures or call.compared.given is None:
            return {**event, "picture": None}
        drawn = picture_of(Drawable(call.facts.pictures, (call.compared,)), wrong=False)
        return {**event, "picture": None if drawn is None else asdict(drawn)}

    # What is taken of a lesson

    def hints(self, name: str, *, one: bool = False) -> Event:
        """The hints that were taken; with `one`, one more."""
        hints = self.lesson(name).body.hints
        taken = one_more(self._options, name, len(hints)) if one and hints else 0
        taken = taken or min(progress_file.load(self._kit).hints.get(name, 0), len(hints))
        event: Event = {"kind": "hints", "name": name, "html": list(map(str, hints[:taken])), "all": len(hints)}
        if one:
            self._tell(event)
            self._tell_again(name)
            self._warn()
        return event

    def _tell_again(self, name: str) -> None:
        """Tell the last verdict anew: the last hint opens what a report held back."""
        graded = self._verdicts.pop(name, None)
        if graded is None or graded[0] != progress_file.fingerprint(self._kit, name, self._options.device):
            return  # it was on another text
        if (known := self._known(name)) is not None:
            known["picture"] = graded[1]["picture"]
            self._verdicts[name] = graded[0], known
            self._tell(known)

    def current(self) -> str | None:
        """The problem to work on now (see `current_problem`)."""
        progress = progress_file.load(self._kit)
        return current_problem(KitFiles(self._kit), sound(self.listed), progress, self._options.device)

    def solution_is_open(self, name: str, progress: Progress | None = None) -> str:
        """Whether the worked answer may be read: `open`, `spoils` if only on request, or empty if it is not here."""
        if not self._kit.answer(name).is_file():
            return ""
        return "open" if name in (progress or progress_file.load(self._kit)).solved else "spoils"

    def lesson(self, name: str) -> Lesson:
        """The lesson of a problem, as its statement is now.

        Raises:
            ProblemError: where the statement cannot be read.
        """
        english = self._kit.statement(name)
        read = [path.stat() for path in (english, statement.translation_path(english, language())) if path.is_file()]
        version = tuple((status.st_mtime_ns, status.st_size) for status in read)
        made = self._lessons.get(name)
        if made is None or made[0] != version:
            listed = next(problem for problem in self.listed if problem.name == name)
            if listed.fault:
                raise ProblemError(listed.fault)
            made = self._lessons[name] = version, lesson_of(self._kit, listed, self.sound, page_words())
        return made[1]

    def statements(self) -> dict[str, str]:
        """The texts of the statements, by problem.

        Raises:
            ProblemError: where one cannot be read.
        """
        return {problem.name: statement.read(self._kit.statement(problem.name)).body for problem in self.sound}

    def rows(self, progress: Progress | None = None) -> list[dict[str, Any]]:
        """What is known of each problem, as documents."""
        files = KitFiles(self._kit)
        table = problem_rows(self._options, files, self.listed, progress or progress_file.load(self._kit))
        files.save()
        return [
            {
                "name": row.name,
                "status": row.status,
                "called": status_word(row.status),
                "remark": row.remark,
                "solved": row.solved or row.status == "correct",
            }
            for row in table
        ]

    # What goes on meanwhile

    async def run(self) -> None:
        """Follow the files, tell of work that has ended and of its phase. Ends when it is cancelled."""
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._follow())
                tasks.create_task(self._finish())
                tasks.create_task(self._say_phases())
        finally:
            self._grading.close()

    async def _follow(self) -> None:
        from watchfiles import awatch

        folders = [self._kit.root / "problems", *filter(Path.is_dir, [self._kit.state])]
        async for changes in awatch(
            *folders, debounce=10 * SETTLE_MS, step=SETTLE_MS, rust_timeout=LOOK_MS, yield_on_timeout=True
        ):
            paths = [Path(path) for _, path in changes]
            for name in dict.fromkeys(tab.name for tab in self._tabs if tab.name):
                with self._telling(name):
                    if self._look(name, patient=True):
                        self.grade(name, saved=True)
            # After a grading its verdict tells of progress anyway, and to look at all stubs would slow it down.
            if any(path.name in ("stub.py", "progress.json") for path in paths) and not self._grading.busy:
                with self._telling(""):
                    self._progressed(await asyncio.to_thread(self.rows))

    @contextmanager
    def _telling(self, name: str) -> Generator[None]:
        """Tell of what goes wrong beside an answer, and go on: a page that shows it can be used to mend it."""
        try:
            yield
        except (KitError, ProblemError, OSError, Unconfined, LaunchError, NoSuchDevice) as error:
            self._tell({"kind": "fault", "name": name, "text": str(error)})

    def _progressed(self, found: list[dict[str, Any]]) -> None:
        if found != self._rows:
            self._rows = found
            self._tell({"kind": "progress", "rows": found})

    async def _finish(self) -> None:
        while True:
            work = await self._ended.get()
            with self._telling(work.work.problem if isinstance(work, ToldEarly) else work.problem):
                doing = "" if isinstance(work, ToldEarly) else work.doing
                await self._on_end(self._grading.ended(work), doing)
            self._warn()

    async def _on_end(
        self, event: GradedStub | TracedAnswer | RanAnswer | PrintedText | GradingFault | None, doing: str
    ) -> None:
        match event:
            case GradedStub():
                await self._tell_verdict(event)
                if event.provisional:
                    return
                self._go_on()
                self._progressed(self.rows(event.progress))
            case RanAnswer() | TracedAnswer():
                self._tell(await asyncio.to_thread(self._walked, event, self._grading.name, self._columns))
                self._go_on()
            case ShownExercise():
                name = self._grading.name
                self._tell({"kind": "practised", "name": name, "says": event.text, "text": event.exercise})
                self._go_on()
            case GradingFault():
                self._tell({"kind": "fault", "name": event.problem, "text": event.text, "doing": doing})
                self._go_on()
            case _:
                pass

    def _go_on(self) -> None:
        """Begin what waits for the end of a grading, or get ready for the next."""
        awaiting, self._awaiting = self._awaiting, None
        if awaiting is not None:
            awaiting()
        elif not self._grading.busy:
            self._grading.get_ready()

    async def _tell_verdict(self, graded: GradedStub) -> None:
        """Tell the words, and then the picture: to make and to draw that takes longer than all else."""
        digest = digest_of(f"- {graded.text}" if graded.whole.unread else graded.text)
        verdict = self._verdict(digest, graded.text, graded.whole, graded.shown, graded.progress)
        if graded.provisional:
            self._tell(verdict)
            return
        self._verdicts[graded.problem] = graded.fingerprint, verdict
        self._tell(dict(verdict))
        drawn = graded.shown.drawable
        if graded.shown.status is Status.WRONG and drawn is not None and self._options.pictures:
            found = await asyncio.to_thread(picture_of, drawn)
            if found is not None:
                verdict["picture"] = asdict(found)
                self._tell({"kind": "picture", "name": graded.problem, "digest": digest, "picture": verdict["picture"]})

    async def _say_phases(self) -> None:
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_PHASES)
            if self._grading.busy:
                self._tell(self._running())

    def _warn(self) -> None:
        for line in take_warnings():
            self._tell({"kind": "fault", "text": line})
