"""`practice`: find a mistake in one's own right answer. A command begins an exercise, grades it, gives hints or ends it."""

from __future__ import annotations

import contextlib
import datetime
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from rich.text import Text

from grader.commands.console import allow_stubs
from grader.commands.learner import (
    catalogue,
    fingerprint,
    kept_verdict,
    numbers_alone,
    of_track,
    shown_to_learner,
    sound,
    with_openable_file,
)
from grader.grade import grade, grade_text, trusted
from grader.kit import ownership
from grader.kit import progress as progress_file
from grader.kit.files import Unreadable, free_names, move_to_new, text_if_readable, write_atomically
from grader.kit.kit import KitError
from grader.kit.kit_files import KitFiles
from grader.kit.notebook import read_answer
from grader.kit.shipped_stub import untouched
from grader.kit.text import clean
from grader.locale.language import N_, gettext, ngettext
from grader.marking.verdict import Status, Verdict
from grader.options import Options
from grader.practice import exercise as exercises
from grader.practice import hints, record
from grader.practice.exercise import is_good
from grader.practice.record import Exercise, Rating, Record, digest_of_numbers, rated
from grader.report.table import print_table
from grader.report.terminal import Terminal, device_text
from grader.session import Session

SECONDS_OF_A_SESSION = 600.0
"""A session on a track begins no exercise after these."""


class Outcome(StrEnum):
    """What a step of an exercise came to."""

    BEGUN = "begun"
    UNCHANGED = "unchanged"
    WRONG = "wrong"
    SAME = "same"
    FOUND = "found"
    HINTED = "hinted"
    GIVEN_UP = "given up"


RATINGS = {
    Rating.AGAIN: N_("given up"),
    Rating.HARD: N_("found with hints"),
    Rating.GOOD: N_("found"),
    Rating.EASY: N_("found at once"),
}


@dataclass(frozen=True)
class Step:
    """What is to be told of an exercise.

    Attributes:
        exercise: as it is now, or as it was when it ended.
        shown: the verdict on its file as far as it may be shown; None where nothing was graded.
        notes: what happened beside it, in a line each.
        days: until the problem is due again, once the exercise has ended.
    """

    outcome: Outcome
    exercise: Exercise
    shown: Verdict | None = None
    notes: tuple[str, ...] = ()
    days: int = 0

    @property
    def ended(self) -> bool:
        """Whether the exercise is over."""
        return self.outcome in (Outcome.FOUND, Outcome.GIVEN_UP)


@dataclass
class Practice:
    """The steps of exercises in one kit. Each saves what it did.

    `working` is called with the number of each change that is about to be graded.
    """

    options: Options
    session: Session
    working: Callable[[int], None] = field(default=lambda _: None)

    def step(self, name: str | None = None, *, worked: bool = False) -> Step:
        """Begin an exercise, or grade the one under way.

        Args:
            name: of the problem; None for the exercise under way, else for what is due.
            worked: whether a new one is made of the worked answer.

        Raises:
            KitError: where there is nothing to practise with; the message says what to do.
            NotSaved: where nothing can be kept.
        """
        kept = record.load(self.options.kit)
        if name is None and not kept.exercise:
            return self._waiting_one(worked=worked)
        name = self.options.kit.resolve(name) if name else kept.current
        under_way = kept.exercises.get(name)
        if under_way is None or worked:
            return self.begin(name, worked=worked)
        return self._graded(self._current(under_way, name), name)

    def begin(self, name: str, *, worked: bool = False) -> Step:
        """Begin an exercise on a problem. Raises as `step`."""
        kit, kept = self.options.kit, record.load(self.options.kit)
        text = exercises.worked_text(kit, name) if worked else self._right_text(name)
        made_before = progress_file.load(kit).made.get(name, ())
        made = exercises.make(
            self.session, name, text, kept, worked=worked, made_before=made_before, working=self.working
        )
        if made is None:
            said = gettext("No small change of this answer makes a good exercise on {problem}.")
            if kept.last_on(name) is not None:
                said = gettext("You have had all exercises on {problem} that this answer gives.")
            then = (
                ""
                if worked or not kit.answer(name).is_file()
                else gettext("Practise with the worked answer: {command}")
            )
            told = [said.format(problem=name), then.format(command=kit.command("practice", name, "--worked"))]
            raise KitError(" ".join(filter(None, told)))
        ownership.began_practice(kit, name)
        before = kept.exercises.get(name)
        notes = self._kept_aside(name, before, text)
        if before is not None:
            notes.append(gettext("The exercise on {problem} that was under way is dropped.").format(problem=name))

        def begin(into: Record) -> None:
            into.exercises[name], into.current = made, name

        record.update(kit, begin)
        exercises.write(kit, made)  # after it is kept: a file that is missing is written again
        return Step(Outcome.BEGUN, made, self._shown(made), tuple(notes))

    def write(self, name: str, text: str, match: str) -> list[str]:
        """Write what was typed into the file of an exercise.

        Args:
            match: the text of the file as it was when that was typed. If the file has another one by now, that is kept.

        Returns:
            notes for the learner.
        """
        path, kit = self.options.kit.practice(name), self.options.kit
        if kit.outside(path) or name not in record.load(kit).exercises or text_if_readable(path) == text:
            return []
        notes = self._kept_aside(name, None, match)
        write_atomically(path, text.encode("utf-8", "surrogatepass"))
        return notes

    def again(self, name: str | None) -> Step:
        """Write the file of an exercise as it was at its beginning."""
        kit, found = self.options.kit, self.under_way(name)
        notes = self._kept_aside(found.problem, found, "")
        exercises.write(kit, found)
        return Step(Outcome.UNCHANGED, found, self._shown(found), tuple(notes))

    def hint(self, name: str | None) -> Step:
        """Take one more hint. The last one tells the change, and ends the exercise."""
        found = self.under_way(name)
        if found.hints + 1 >= hints.COUNT:
            return self._ended(replace(found, hints=hints.COUNT), Rating.AGAIN)
        return Step(Outcome.HINTED, self._keep(replace(found, hints=found.hints + 1)), self._shown(found))

    def give_up(self, name: str | None) -> Step:
        """End an exercise: the change is told."""
        return self._ended(self.under_way(name), Rating.AGAIN)

    def under_way(self, name: str | None) -> Exercise:
        """The exercise under way on a problem; without a name, the one that was worked on last.

        Raises:
            KitError: if there is none.
        """
        kit, kept = self.options.kit, record.load(self.options.kit)
        name = kit.resolve(name) if name else kept.current
        if (found := kept.exercises.get(name)) is None:
            said = gettext("No exercise is under way. To begin one: {command}")
            raise KitError(said.format(command=kit.command("practice")))
        return found

    def begin_session(self, track: str) -> Step:
        """Begin a session on a track, with its first exercise."""
        kit = self.options.kit
        track = of_track(catalogue(kit), track)[0].track
        now = datetime.datetime.now(datetime.UTC).timestamp()
        on = record.load(kit).session
        step = self._waiting_one(track)
        if on is None or on.track != track or now - on.began > SECONDS_OF_A_SESSION:

            def begin(into: Record) -> None:
                into.session = record.Session(track, now)

            record.update(kit, begin)
        said = gettext("A session on {track}: after each exercise comes the next, for {count} minutes.")
        return replace(step, notes=(said.format(track=track, count=round(SECONDS_OF_A_SESSION / 60)), *step.notes))

    def following(self, ended: Step) -> Taken:
        """A step that ended an exercise, with what follows it."""
        kit = self.options.kit
        session = record.load(kit).session
        if session is None:
            return Taken(ended)
        left_out: Sequence[str] = ()
        if datetime.datetime.now(datetime.UTC).timestamp() - session.began < SECONDS_OF_A_SESSION:
            done = {name for name, _ in session.ratings}
            step, left_out = self._first_of([name for name in self._waiting(session.track) if name not in done])
            if step is not None:
                return Taken(ended, step, tuple(left_out))

        def end(into: Record) -> None:
            into.session = None

        record.update(kit, end)
        return Taken(ended, session, tuple(left_out))

    def _waiting_one(self, track: str = "", *, worked: bool = False) -> Step:
        """Go on with the first of the problems to practise now that gives an exercise.

        Raises:
            KitError: if there is none.
        """
        step, left_out = self._first_of(self._waiting(track), worked=worked)
        if step is not None:
            return replace(step, notes=(*left_out, *step.notes))
        raise KitError("\n".join(left_out)) if left_out else self._nothing(track)

    def _first_of(self, names: Sequence[str], *, worked: bool = False) -> tuple[Step | None, Sequence[str]]:
        """A step on the first problem that gives an exercise, and a line for each before it: why it gives none."""
        left_out: list[str] = []
        for name in names:
            try:
                return self.step(name, worked=worked), left_out
            except KitError as why:
                left_out.append(gettext("{problem} is left out: {why}").format(problem=name, why=why))
        return None, left_out

    def _waiting(self, track: str) -> list[str]:
        """The problems to practise now: first those under way, then what is due, then what was never practised."""
        kept = record.load(self.options.kit)
        problems, solved = self._solved(track)
        now = datetime.datetime.now(datetime.UTC)
        under_way = [name for name in (kept.current, *kept.exercises) if name in kept.exercises and name in problems]
        due = [name for name in kept.due(now) if name in solved]
        return list(dict.fromkeys([*under_way, *due, *(name for name in solved if name not in kept.schedules)]))

    def _solved(self, track: str) -> tuple[Sequence[str], Sequence[str]]:
        """The problems of a track, or all, and those of them that are solved, the one solved longest ago first."""
        listed = catalogue(self.options.kit)
        problems = sound(of_track(listed, track) if track else listed)
        return list(problems), [name for name in progress_file.load(self.options.kit).solved if name in problems]

    def _nothing(self, track: str) -> KitError:
        """Why there is nothing to practise now, and what to do."""
        kit, kept = self.options.kit, record.load(self.options.kit)
        _, solved = self._solved(track)
        if not solved:
            said = gettext("No problem is solved here yet: an exercise is made of an answer of yours that is right.")
            return KitError(said)
        name = min(solved, key=lambda name: kept.schedules[name].time)
        days = _days(kept.schedules[name].time - datetime.datetime.now(datetime.UTC))
        said = ngettext(
            "There is nothing to practise now. The next is {problem}, in {count} day. To practise it now: {command}",
            "There is nothing to practise now. The next is {problem}, in {count} days. To practise it now: {command}",
            days,
        )
        return KitError(said.format(problem=name, count=days, command=kit.command("practice", name)))

    def _right_text(self, name: str) -> str:
        """The learner's answer, which is right as it stands.

        Raises:
            KitError: if there is none.
        """
        kit = self.options.kit
        allow_stubs(self.options, [name])
        try:
            text, origin = read_answer(kit.stub(name), name, below=trusted(self.session, None))
        except Unreadable as error:
            raise KitError(f"{kit.opened(kit.stub(name))}: {error}") from None
        known = None
        if origin is None and not untouched(kit, name, text):
            files, progress = KitFiles(kit), progress_file.load(kit)
            known = kept_verdict(files, progress, name, fingerprint(files, name, self.options.device))
            known = known or grade(self.session, name)
        if known is None or known.status is not Status.CORRECT:
            said = gettext(
                "There is no right answer of yours to {problem}: solve it first, with {solve}, or practise with the worked "
                "answer: {worked}"
            )
            worked = kit.command("practice", name, "--worked")
            raise KitError(said.format(problem=name, solve=kit.command("show", name), worked=worked))
        return text

    def _current(self, found: Exercise, name: str) -> Exercise | None:
        """An exercise under way, graded again if the kit has changed; None if it is good no more."""
        now = exercises.fingerprint(self.options.kit, name, self.session.device)
        if found.print == now:
            return found
        self._allow(name)
        verdict = grade_text(self.session, name, found.text, self.options.kit.shown(self.options.kit.practice(name)))
        if not is_good(verdict):
            self._drop(name)
            return None
        return self._keep(replace(found, print=now, verdict=replace(verdict, sample="", drawable=None)))

    def _graded(self, found: Exercise | None, name: str) -> Step:
        if found is None:
            said = gettext(
                "The problem has changed, and its exercise does not give wrong numbers any more. The exercise is dropped. "
                "To begin another one: {command}"
            )
            raise KitError(said.format(command=self.options.kit.command("practice", name)))
        kit = self.options.kit
        path = kit.practice(name)
        notes = self._changes_beside(found)
        self._use(name)
        if not os.path.lexists(path):
            exercises.write(kit, found)
            said = gettext("{file} was missing: it is written again, with the mistake in it.")
            return Step(Outcome.UNCHANGED, found, self._shown(found), (*notes, said.format(file=kit.opened(path))))
        if text_if_readable(path) == found.text:
            return Step(Outcome.UNCHANGED, found, self._shown(found), tuple(notes))
        self._allow(name)
        verdict = grade(self.session, name, path)
        found = self._keep(replace(found, tries=found.tries + 1))
        if verdict.status is Status.CORRECT:
            mended = exercises.digest(text_if_readable(path) or "")
            return replace(self._ended(found, rated(found.hints, found.tries), mended), notes=tuple(notes))
        same = digest_of_numbers(verdict) == found.numbers
        outcome = Outcome.SAME if same and verdict.status is Status.WRONG else Outcome.WRONG
        return Step(outcome, found, self._shown_of(verdict), tuple(notes))

    def _allow(self, name: str) -> None:
        if not self.options.policy.confine:
            ownership.allow_practice(self.options.kit, name)

    def _changes_beside(self, found: Exercise) -> list[str]:
        """A note if the stub is another one than that of which an exercise was made."""
        text = text_if_readable(self.options.kit.stub(found.problem))
        if not found.source or (text is not None and exercises.digest(text) == found.source):
            return []
        return [gettext("Your stub has changed since then: the exercise goes on with the text that it had.")]

    def _ended(self, found: Exercise, rating: Rating, mended: str | None = None) -> Step:
        now = datetime.datetime.now(datetime.UTC)
        kept = record.update(self.options.kit, lambda into: into.end(found, rating, now, mended))
        days = _days(kept.schedules[found.problem].time - now)
        outcome = Outcome.GIVEN_UP if mended is None else Outcome.FOUND
        return Step(outcome, found, self._at_policy(found.verdict), days=days)

    def _drop(self, name: str) -> None:
        def drop(into: Record) -> None:
            into.exercises.pop(name, None)

        record.update(self.options.kit, drop)

    def _keep(self, found: Exercise) -> Exercise:
        def keep(into: Record) -> None:
            into.exercises[found.problem], into.current = found, found.problem

        record.update(self.options.kit, keep)
        return found

    def _use(self, name: str) -> None:
        if record.load(self.options.kit).current != name:
            record.update(self.options.kit, lambda into: setattr(into, "current", name))

    def _kept_aside(self, name: str, before: Exercise | None, text: str) -> list[str]:
        """Move what lies in the place of an exercise, if it may be the learner's. Returns a note on it."""
        kit = self.options.kit
        path = kit.practice(name)
        there = text_if_readable(path)
        past = record.load(kit).last_on(name)
        known = {text, before.text if before else "", text_if_readable(kit.stub(name)) or ""}
        ended = there is not None and past is not None and past.mended == exercises.digest(there)
        if not os.path.lexists(path) or ended or (there is not None and there in known):
            return []
        kept = move_to_new(path, free_names(f"practice.{datetime.datetime.now():%Y-%m-%d-%H%M%S}", ".py"))
        said = gettext("What stood in {file} is kept in {kept}.")
        return [said.format(file=kit.opened(path), kept=kit.opened(kept))]

    def _shown(self, found: Exercise) -> Verdict:
        return self._shown_of(found.verdict)

    def _shown_of(self, verdict: Verdict) -> Verdict:
        (shown,) = shown_to_learner(self.options, [verdict])
        return with_openable_file(self.options.kit, numbers_alone(shown))

    def _at_policy(self, verdict: Verdict) -> Verdict:
        """What may be told of an exercise that has ended: as much as of any answer."""
        from grader.report.feedback import limited

        return limited(verdict, self.options.policy.feedback)


def _days(left: datetime.timedelta) -> int:
    """Whole days, a part of one counted as one."""
    return max(1, -(-left // datetime.timedelta(days=1)))


class Move(StrEnum):
    """A step that a learner asks for: to begin an exercise or to grade it, and others."""

    GO_ON = ""
    HINT = "hint"
    GIVE_UP = "give-up"
    AGAIN = "again"
    WORKED = "worked"


@dataclass(frozen=True)
class PracticeRequest:
    """What a front asks for: a step of the exercise on a problem (see `Practice.step`), or a session on a track."""

    name: str | None = None
    move: Move = Move.GO_ON
    track: str = ""


@dataclass(frozen=True)
class Taken:
    """A step that was taken, and what follows it in a session on a track.

    Attributes:
        following: the first step of the next exercise, or the session if it has ended now.
        left_out: the problems on which no exercise can be made now, in a line each.
    """

    step: Step
    following: Step | record.Session | None = None
    left_out: tuple[str, ...] = ()

    @property
    def problem(self) -> str:
        """The problem of the last exercise."""
        return self._last.exercise.problem

    @property
    def under_way(self) -> str:
        """The problem whose exercise is under way now; empty if there is none."""
        return "" if self._last.ended else self.problem

    @property
    def _last(self) -> Step:
        return self.following if isinstance(self.following, Step) else self.step


def take(practice: Practice, asked: PracticeRequest) -> Taken:
    """Take one step.

    Raises:
        KitError: where it cannot be taken; the message says what to do.
    """
    try:
        step = _step(practice, asked)
        return practice.following(step) if step.ended else Taken(step)
    except record.NotSaved as error:
        raise KitError(gettext("{why}: an exercise cannot be kept.").format(why=error)) from None


def _step(practice: Practice, asked: PracticeRequest) -> Step:
    if asked.track:
        return practice.begin_session(asked.track)
    match asked.move:
        case Move.HINT:
            return practice.hint(asked.name)
        case Move.GIVE_UP:
            return practice.give_up(asked.name)
        case Move.AGAIN:
            return practice.again(asked.name)
        case Move.GO_ON | Move.WORKED:
            return practice.step(asked.name, worked=asked.move is Move.WORKED)


def practise(options: Options, asked: PracticeRequest) -> int:
    """Take one step of an exercise, and print it. Returns the exit status: 1 while the mistake is not found."""
    errors = Terminal.make(colour=options.colour, stderr=True)
    with contextlib.ExitStack() as stack:
        session = stack.enter_context(Session(options.kit, options.device, options.limits, options.policy))
        practice = Practice(options, session)
        if errors.console.is_terminal:
            status = stack.enter_context(errors.console.status("", spinner="dots" if errors.unicode else "line"))
            practice.working = lambda number: status.update(
                gettext("Looking for a mistake that shows in the numbers ({number})").format(number=number)
            )
        taken = take(practice, asked)
    print_taken(Terminal.make(colour=options.colour), options, taken)
    done = taken.step.outcome in (Outcome.FOUND, Outcome.BEGUN, Outcome.HINTED) or asked.move is Move.AGAIN
    return 0 if done else 1


def print_taken(terminal: Terminal, options: Options, taken: Taken, *, commands: bool = True) -> None:
    """Print a step and what follows it.

    Args:
        commands: whether the lines say which command comes next.
    """
    print_step(terminal, options, taken.step, commands=commands)
    for line in taken.left_out:
        terminal.line(line)
    if isinstance(taken.following, Step):
        terminal.line()
        print_step(terminal, options, taken.following, commands=commands)
    elif taken.following is not None:
        terminal.line()
        _print_session(terminal, taken.following)


def print_step(terminal: Terminal, options: Options, step: Step, *, commands: bool = True) -> None:
    """Print what a step came to, and with `commands` what to do then."""
    kit, found = options.kit, step.exercise
    file = kit.opened(kit.practice(found.problem))
    for note in step.notes:
        terminal.line(note)
    if step.outcome is Outcome.HINTED:
        for number in range(1, found.hints + 1):
            _print_hint(terminal, options, found, number)
        terminal.line()
        if not commands and step.shown is not None:  # a window has room for one text: the numbers stay beside the hints
            terminal.verdict(step.shown, device=device_text(options.device), withheld=False)
            return
        last = found.hints == hints.COUNT - 1
        said = (
            gettext("The next hint tells the change, and ends the exercise: {command}")
            if last
            else gettext("One more hint: {command}")
        )
        terminal.to_do(said.format(command=kit.command("practice", found.problem, "--hint")))
        return
    if step.ended:
        _print_end(terminal, step)
        if commands:
            terminal.to_do(gettext("All exercises: {command}").format(command=kit.command("practice", "--list")))
        return
    head = {
        Outcome.BEGUN: gettext(
            "{file} holds your right answer, with one mistake in it. Find the mistake, and mend it there."
        )
        if found.source
        else gettext("{file} holds the worked answer, with one mistake in it. Find the mistake, and mend it there."),
        Outcome.UNCHANGED: gettext("{file} is as it was given. Find the mistake, and mend it there."),
        Outcome.SAME: gettext("Your change of {file} made no difference: the numbers are those from before."),
        Outcome.WRONG: gettext("{file} is not right yet."),
    }[step.outcome]
    terminal.line(head.format(file=file))
    terminal.line()
    said = gettext("To grade it: {command}. For a hint: {hint}")
    words = (found.problem,) if record.load(kit).current != found.problem else ()
    following = said.format(command=kit.command("practice", *words), hint=kit.command("practice", *words, "--hint"))
    if step.shown is not None:
        shown = following if commands else ""
        terminal.verdict(step.shown, device=device_text(options.device), following=shown, withheld=False)


def _print_hint(terminal: Terminal, options: Options, found: Exercise, number: int) -> None:
    from grader.report.feedback import limited

    heading = gettext("Hint {number} of {count}.").format(number=number, count=hints.COUNT)
    said = hints.hint(found, number, limited(found.verdict, options.policy.feedback))
    terminal.line(f"{heading} {said}", hanging=2)


def _print_end(terminal: Terminal, step: Step) -> None:
    found, shown = step.exercise, step.shown
    word = gettext("found") if step.outcome is Outcome.FOUND else gettext("given up")
    style = "bold green" if step.outcome is Outcome.FOUND else "bold"
    terminal.text(Text.assemble((found.problem, "bold"), "   ", (word, style)))
    terminal.line()
    for mistake in shown.diagnosis.named if shown is not None and shown.diagnosed else ():
        terminal.line(mistake.name, "bold")
        if mistake.why:
            terminal.line(clean(str(mistake.why)), indent=3)
    terminal.line(gettext("Line {line} of the exercise:").format(line=found.line))
    for said, lines in ((gettext("with the mistake"), found.after), (gettext("without it"), found.before)):
        terminal.line(said, "dim", indent=3)
        for line in lines.splitlines() or [gettext("(nothing)")]:
            terminal.line(clean(line.strip()), indent=5, hanging=2)
    terminal.line()
    due = ngettext("The problem comes back in {count} day.", "The problem comes back in {count} days.", step.days)
    sentences = [due.format(count=step.days)]
    if shown is not None and (count := len(shown.cases)):
        failing = sum(not case.passed for case in shown.cases)
        said = ngettext("{failing} of {count} case showed it.", "{failing} of {count} cases showed it.", count)
        sentences.insert(0, said.format(failing=failing, count=count))
    terminal.line(" ".join(sentences))


def _print_session(terminal: Terminal, session: record.Session) -> None:
    terminal.line(gettext("The session on {track} is over.").format(track=session.track), "bold")
    for rating in (Rating.EASY, Rating.GOOD, Rating.HARD, Rating.AGAIN):
        if names := [name for name, value in session.ratings if value == rating]:
            terminal.line(f"{gettext(RATINGS[rating])}: {', '.join(names)}", hanging=2)


def list_exercises(options: Options) -> int:
    """Print the table of what was practised, what is under way and what is due."""
    kit, terminal = options.kit, Terminal.make(colour=options.colour)
    kept, now = record.load(kit), datetime.datetime.now(datetime.UTC)
    solved = progress_file.load(kit).solved
    names = [name for name in kit.names if name in {*kept.exercises, *kept.schedules, *solved}]
    if not names:
        raise KitError(
            gettext("No problem is solved here yet: an exercise is made of an answer of yours that is right.")
        )
    rows: list[tuple[str, ...]] = []
    for name in names:
        past = [one for one in kept.past if one.problem == name]
        last = gettext(_outcome(past[-1].rating, found=past[-1].found)) if past else "-"
        rows.append((name, _state(kept, name, now), str(len(past)), last))
    headers = (gettext("problem"), gettext("practice"), gettext("times"), gettext("last time"))
    print_table(terminal, headers, rows)
    terminal.line()
    terminal.to_do(gettext("Next: {command}").format(command=kit.command("practice")))
    return 0


def _outcome(rating: int, *, found: bool) -> str:
    """How an exercise ended, in words. One that was found with many hints counts like one that was given up."""
    return RATINGS[Rating.HARD if found and rating == Rating.AGAIN else Rating(rating)]


def _state(kept: Record, name: str, now: datetime.datetime) -> str:
    if name in kept.exercises:
        return gettext("under way")
    if name not in kept.schedules:
        return gettext("not practised yet")
    if kept.schedules[name].time <= now:
        return gettext("due")
    days = _days(kept.schedules[name].time - now)
    return ngettext("in {count} day", "in {count} days", days).format(count=days)
