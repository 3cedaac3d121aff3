"""`class grade`: reads what was handed in, grades what is due, and keeps every verdict in the gradebook."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.classroom import place
from grader.classroom.as_json import class_document
from grader.classroom.counts import moved
from grader.classroom.folder import read_class
from grader.classroom.grading import Progress, Record, grade_work
from grader.classroom.journal import Journal
from grader.classroom.measuring import Measuring, Room
from grader.classroom.outcome import Identity, Outcome
from grader.classroom.plan import Work, finish, plan, seed_of, with_seed
from grader.classroom.roster import read_roster
from grader.classroom.row import DUE, FAULT, Row
from grader.commands.class_bar import class_bar
from grader.commands.class_roster import tell_absent, tell_unknown
from grader.commands.class_status import standing
from grader.commands.faults import FAULT as FAULTY
from grader.commands.faults import fault
from grader.commands.parameters import FreshSeed
from grader.kit.kit import KitError, command
from grader.marking.verdict import weakest
from grader.options import Options
from grader.report.terminal import Terminal
from grader.run.cores import shared
from grader.run.pool import EVALUATOR, cores, memory_for_answers


@dataclass(frozen=True)
class Asked:
    """What the command line asks for. `fresh` is None where the kept seed counts.

    `scheduler` is that of the other machines that grade; None where this one does. `roster` is the list of the class, if
    there is one.
    """

    folder: Path
    gradebook: Path | None
    problems: Sequence[str]
    again: Sequence[str]
    jobs: int | None
    fresh: int | None
    scheduler: str | None = None
    roster: Path | None = None


@dataclass(frozen=True)
class Planned:
    """What is to be graded, and how.

    Attributes:
        gone: student and problem of each answer that is handed in no more.
        again: the problems of which everything is graded again.
    """

    options: Options
    work: Sequence[Work]
    gone: Sequence[tuple[str, str]]
    again: Sequence[str]


@contextlib.contextmanager
def planning(options: Options, asked: Asked) -> Generator[tuple[Path, Journal, Planned]]:
    """Open the gradebook, read the folder, and plan what is due. What is known without a run is recorded.

    Raises:
        KitError: for a fault of usage, before anything is made.
    """
    kit = options.kit
    again = [kit.resolve(name) for name in asked.again]
    names = [kit.resolve(name) for name in asked.problems] or list(kit.names)
    if left_out := [name for name in again if name not in names]:
        raise KitError(f"--regrade names {left_out[0]}, which is not among --problems.")
    if not asked.folder.is_dir():
        raise KitError(f"{asked.folder} is not a folder: give the one that holds what students handed in.")
    where = asked.gradebook or place.shown(place.beside(asked.folder))
    with Journal(where, write=True) as journal:
        options = with_seed(options, seed_of(journal, asked.fresh, off=FreshSeed.OFF))
        submissions, unread = read_class(asked.folder, kit, names)
        gone = journal.hand_in(place.name_of(asked.folder), names, submissions, unread)
        handed_in = [name for name in journal.problems() if name in names]
        yield where, journal, Planned(options, plan(journal, options, handed_in, again), gone, again)


def grade_class(options: Options, asked: Asked) -> int:
    """Grade what is due, and print how the class stands. Returns the exit status: 2 if there are faults, else 0."""
    people = None if asked.roster is None else read_roster(asked.roster)  # before hours of work
    with planning(options, asked) as (where, journal, planned):
        notes = _run(planned.options, journal, planned.work, asked)
        rows = journal.rows()
        finish(journal, planned.again, [row.problem for row in rows if row.state in (DUE, FAULT)])
        unread = journal.unread()
    for note in notes:
        Terminal.make(colour=options.colour, stderr=True).fault(note)
    if people is not None:
        tell_unknown(people, (row.student for row in rows))
        tell_absent(people, (row.student for row in rows))
    if options.json:
        print(class_document(str(where), rows, unread))
    else:
        terminal = Terminal.make(colour=options.colour)
        standing(terminal, rows, unread)
        _close(terminal, where, rows, planned.gone)
    return FAULTY if any(row.state == FAULT for row in rows) else 0


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
            room = Room(memory_for_answers(), options.limits.memory + EVALUATOR)
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
    from grader.classroom.engines.window import grade_shards

    with connected(scheduler, jobs) as engine:
        engine.check(work)
        return [*grade_shards(engine, work, record, tell), *engine.notes]


def _close(terminal: Terminal, where: Path, rows: Sequence[Row], gone: Sequence[tuple[str, str]]) -> None:
    terminal.line()
    if gone:
        some = ", ".join(f"{student} {problem}" for student, problem in gone[:5])
        more = f" and {len(gone) - 5} more" if len(gone) > 5 else ""
        terminal.line(f"No longer read from this folder, and so not counted any more: {some}{more}.")
    ran = [row.verdict for row in rows if row.verdict is not None]
    if tier := weakest(verdict["confinement"] for verdict in ran):
        terminal.line(f"Confined: tier {tier}.", "dim")
    terminal.to_do(f"Kept in {where}.", "dim")
    if faults := sum(row.state == FAULT for row in rows):
        terminal.to_do(f"Next: mend what the faults say, and run this again: it tries {faults} again.")
    elif changed := len(moved(rows)):
        terminal.to_do(f"Next: {command('class', 'changes', str(where))} shows {changed} verdicts that moved.")
    else:
        terminal.to_do(
            f"Next: {command('class', 'report', str(where))} says what went wrong, how often, and with whom."
        )
    sys.stdout.flush()
