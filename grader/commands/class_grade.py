"""`class grade`: reads what was handed in, grades what is due, and keeps every verdict in the gradebook."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.classroom import gradebook_path
from grader.classroom.as_json import class_document
from grader.classroom.folder import ALL_FOUND, HandedIn, ReadAs, read_class
from grader.classroom.grading import Progress, Record, grade_work
from grader.classroom.journal import Journal
from grader.classroom.layouts import SYSTEMS, Layout
from grader.classroom.memory import Measuring, Room
from grader.classroom.outcome import Identity, Outcome
from grader.classroom.plan import Work, finish, plan, seed_of, with_seed
from grader.classroom.roster import Roster, read_roster
from grader.classroom.row import DUE, FAULT, Row
from grader.classroom.status import moved
from grader.classroom.submission import Unread
from grader.classroom.teams import Shared, by_members
from grader.classroom.tree import opened_class
from grader.commands.class_progress_bar import class_bar
from grader.commands.class_roster import tell_absent, tell_matches
from grader.commands.class_status import standing
from grader.commands.faults import FAULT as FAULTY
from grader.commands.faults import fault
from grader.kit.files import Unreadable
from grader.kit.kit import Kit, KitError, command
from grader.kit.text import visible
from grader.marking.verdict import weakest
from grader.options import Options
from grader.report.terminal import Terminal
from grader.run.cores import shared
from grader.run.pool import EVALUATOR_MEMORY, cores, memory_for_answers

MOST_NAMES = 5
"""The most names in one line."""

WHOLE = "the whole class"

INCOMPLETE = 1
"""The exit status where nothing was read, or something of which nobody can say whose it is."""


@dataclass(frozen=True)
class Asked:
    """What the command line asks for. `fresh` says whether there are random inputs beyond the cases, and `seed` is theirs;
    None for what is kept.

    `how` says how the class is read. `scheduler` is that of the other machines that grade; None where this one does.
    `roster` is the list of the class, if there is one. `students` are those whose answers alone are graded; none: all.
    `teams` says that the class handed in by teams. `again` says to grade the problems again, though nothing changed.
    """

    folder: Path
    gradebook: Path | None
    problems: Sequence[str]
    again: bool
    jobs: int | None
    fresh: bool | None = None
    seed: int | None = None
    how: ReadAs = ALL_FOUND
    scheduler: str | None = None
    roster: Path | None = None
    students: Sequence[str] = ()
    teams: bool = False


@dataclass(frozen=True)
class Planned:
    """What is to be graded, and how.

    Attributes:
        gone: student and problem of each answer that is handed in no more.
        again: the problems of which everything is graded again.
        layout: what the class was read as.
        doubts: what is graded for nobody, because it is not certain whose it is.
        of: the answers that were read.
        people: the list of the class, if there is one.
    """

    options: Options
    work: Sequence[Work]
    gone: Sequence[tuple[str, str]]
    again: Sequence[str]
    layout: Layout | None
    doubts: Sequence[Unread]
    of: Shared
    people: Roster | None


@contextlib.contextmanager
def planning(options: Options, asked: Asked) -> Generator[tuple[Path, Journal, Planned]]:
    """Open the gradebook, read the folder, and plan what is due. What is known without a run is recorded.

    Raises:
        KitError: for a fault of usage, before anything is made.
    """
    kit = options.kit
    names = list(dict.fromkeys(map(kit.resolve, asked.problems))) or list(kit.names)
    if asked.teams and asked.roster is None:
        raise KitError("--teams needs --roster FILE, with a column `group` that says who is in each team.")
    people = None if asked.roster is None else read_roster(asked.roster)  # before hours of work
    where = asked.gradebook or gradebook_path.shown(gradebook_path.beside(asked.folder))
    found = _handed_in(asked, kit, names)
    of = by_members(found.submissions, people, teams=asked.teams)
    unread = [*found.unread, *of.doubts]
    with Journal(where, write=True) as journal:
        options = with_seed(options, seed_of(journal, asked.seed, fresh=asked.fresh))
        gone = journal.hand_in(gradebook_path.name_of(asked.folder), names, of.submissions, unread)
        handed_in = [name for name in journal.problems() if name in names]
        again = handed_in if asked.again else []
        work = _only(asked.students, plan(journal, options, handed_in, again), journal)
        doubts = [one for one in unread if one.doubt]
        yield where, journal, Planned(options, work, gone, again, found.layout, doubts, of, people)


def _handed_in(asked: Asked, kit: Kit, names: Sequence[str]) -> HandedIn:
    try:
        with opened_class(asked.folder) as top:
            return read_class(top, kit, names, asked.how)
    except Unreadable as error:
        raise KitError(
            f"{visible(str(asked.folder))}: {error} Give the folder or the zip of what students handed in."
        ) from None


def _only(students: Sequence[str], work: Sequence[Work], journal: Journal) -> Sequence[Work]:
    """The work on answers of some students.

    Raises:
        KitError: one of them handed in nothing.
    """
    if not students:
        return work
    rows = journal.rows()
    if unknown := [one for one in students if one not in {row.student for row in rows}]:
        raise KitError(f"{unknown[0]!r} handed in nothing that was read: `class status --json` lists the students.")
    texts = {(row.digest, row.problem) for row in rows if row.student in students}
    return [one for one in work if (one.identity.digest, one.identity.problem) in texts]


def grade_class(options: Options, asked: Asked) -> int:
    """Grade what is due, and print how the class stands. Returns the exit status.

    It is 2 if there are faults; 1 if nothing was read, or something of which nobody can say whose it is; else 0.
    """
    with planning(options, asked) as (where, journal, planned):
        notes = _run(planned.options, journal, planned.work, asked)
        rows = journal.rows()
        finish(journal, planned.again, [row.problem for row in rows if row.state in (DUE, FAULT)])
        unread = journal.unread()
    for note in (*planned.of.notes, *notes):
        Terminal.make(colour=options.colour, stderr=True).fault(note)
    if planned.people is not None:
        tell_matches(planned.people, rows)
        tell_absent(planned.people, rows)
    if options.json:
        print(class_document(str(where), rows, unread))
    else:
        terminal = Terminal.make(colour=options.colour)
        standing(terminal, rows, unread)
        _close(terminal, where, rows, asked, planned)
    return FAULTY if any(row.state == FAULT for row in rows) else status_of(planned)


def status_of(planned: Planned) -> int:
    """The exit status of what was read."""
    return INCOMPLETE if planned.doubts or not planned.of.submissions else 0


def _run(options: Options, journal: Journal, work: Sequence[Work], asked: Asked) -> list[str]:
    """Grade, and return what could not be saved for the next run."""
    recorded = 0

    def record(identity: Identity, outcome: Outcome) -> None:
        nonlocal recorded
        journal.record([(identity, outcome)])
        recorded += 1

    try:
        with class_bar(options, len(work)) as tell:
            if asked.scheduler is not None:
                return _elsewhere(asked.scheduler, work, asked.jobs, record, tell)
            room = Room(memory_for_answers(), options.limits.memory + EVALUATOR_MEMORY)
            for _, problem, status, _, peak in journal.measured():
                room.saw(problem, status, peak)
            jobs = asked.jobs or cores()
            of = options.kit, options.device, options.limits, options.policy
            with Measuring(*of, cores=shared(jobs)) as session:
                grade_work(session, work, jobs, room, record, tell)
            return session.notes
    except KeyboardInterrupt:
        fault(f"Stopped. {recorded} of {len(work)} are done and kept: the same command goes on with the rest.")
        raise


def _elsewhere(
    scheduler: str, work: Sequence[Work], jobs: int | None, record: Record, tell: Callable[[Progress], None]
) -> list[str]:
    """Have the workers of a scheduler grade."""
    if not work:
        return []
    from grader.classroom.engines.dask import connected
    from grader.classroom.engines.shard_loop import grade_shards

    with connected(scheduler, jobs) as engine:
        engine.check(work)
        return [*grade_shards(engine, work, record, tell), *engine.notes]


def tell_read(terminal: Terminal, asked: Asked, planned: Planned) -> None:
    """Say as what a class was read, what is in doubt, and what is not read any more."""
    if not planned.of.submissions and not planned.doubts:
        terminal.line(
            "No answer was found. A class is a folder or a zip that holds, for each student, a folder with files such as "
            f"rope.py, or a file such as ana_rope.py; or what a system hands out: {', '.join(one.name for one in SYSTEMS)}. "
            f"`{command('guide', 'classes')}` shows them all."
        )
    elif planned.of.submissions and planned.layout is not None:
        names = sorted({one.student for one in planned.of.submissions})
        who = f"{names[0]} alone" if len(names) == 1 else f"{len(names)} students, such as {names[0]} and {names[-1]}"
        terminal.line(f"Read as {planned.layout.title}: {visible(who)}. Not so? `--from` says another system.", "dim")
        if planned.layout.name == "canvas-quiz":
            terminal.line("A quiz writes name and number in one: --roster tells where a name ends in a digit.")
        timed = any(one.submitted for one in planned.of.submissions)
        if timed and not planned.layout.zoned and asked.how.zone is None:
            terminal.line("The times in it name no zone, and count as of this machine's: --zone says another.")
    if planned.doubts:
        paths = [WHOLE if one.path == "." else one.path for one in planned.doubts]
        terminal.line(f"In doubt, and so graded for nobody: {_listed(paths)}.")
    if gone := [f"{student} {problem}" for student, problem in planned.gone]:
        if planned.doubts:
            terminal.line(f"Not read now, and still counted as long as something is in doubt: {_listed(gone)}.")
        else:
            terminal.line(f"No longer read from this folder, and so not counted any more: {_listed(gone)}.")


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"{visible(', '.join(names[:MOST_NAMES]))}{more}"


def _close(terminal: Terminal, where: Path, rows: Sequence[Row], asked: Asked, planned: Planned) -> None:
    terminal.line()
    tell_read(terminal, asked, planned)
    ran = [row.verdict for row in rows if row.verdict is not None]
    if tier := weakest(verdict["confinement"] for verdict in ran):
        terminal.line(f"Confined: tier {tier}.", "dim")
    terminal.to_do(f"Kept in {where}.", "dim")
    if faults := sum(row.state == FAULT for row in rows):
        terminal.to_do(f"Next: mend what the faults say, and run this again: it tries {faults} again.")
    elif changed := len(moved(rows)):
        terminal.to_do(f"Next: {command('class', 'report', str(where))} shows {changed} verdicts that moved.")
    elif ran:
        terminal.to_do(
            f"Next: {command('class', 'report', str(where))} says what went wrong, how often, and with whom."
        )
    sys.stdout.flush()
