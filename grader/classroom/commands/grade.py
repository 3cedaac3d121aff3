"""`class grade`: reads what was handed in, grades what is due, and keeps every verdict in the gradebook."""

from __future__ import annotations

import contextlib
import hashlib
import sys
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.classroom import database
from grader.classroom.commands.gradebook import roster_of, standing, tell_absent, tell_matches
from grader.classroom.exports.sheet import Sheet
from grader.classroom.exports.verdicts import class_document
from grader.classroom.folder import HandedIn, read_class
from grader.classroom.grading import ClassProgress, Measuring, MemoryBudget, Record, grade_work
from grader.classroom.history import NOTHING, now_exactly
from grader.classroom.intake import Intake
from grader.classroom.journal import Journal, KeptRoster
from grader.classroom.late import zone_named
from grader.classroom.layouts import SYSTEMS, Layout
from grader.classroom.plan import PlannedAnswer, finish, plan, seed_of, with_seed
from grader.classroom.points import LAST, ON_TIME, Points, points_path, points_text, read_points
from grader.classroom.recognition import ALL_FOUND, ReadAs
from grader.classroom.roster import Roster, read_roster
from grader.classroom.row import DUE, FAULT, Identity, Outcome, Row
from grader.classroom.row_text import listed
from grader.classroom.submission import Unread
from grader.classroom.teams import OF_ROSTER, Shared, by_members, unread_by_members
from grader.classroom.tree import opened_class
from grader.commands.group import FAULT as FAULTY
from grader.commands.group import fault
from grader.kit.files import Unreadable
from grader.kit.kit import Kit, KitError, command
from grader.kit.text import counted, visible
from grader.marking.verdict import weakest
from grader.options import Options
from grader.report.terminal import Terminal
from grader.run.judge.cores import EVALUATOR_MEMORY, cores_here, memory_for_answers, shared

SECONDS_BETWEEN_LINES = 15.0
"""Seconds between two lines where there is no terminal."""


@contextlib.contextmanager
def class_bar(options: Options, total: int) -> Generator[Callable[[ClassProgress], None]]:
    """Gives a function to call with how far the work is, as often as one likes."""
    terminal = Terminal.make(colour=options.colour, stderr=True)
    if not terminal.console.is_terminal:
        yield _lines_now_and_then(total)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn
    from rich.progress import Progress as Bar

    spinner = SpinnerColumn("dots" if terminal.unicode else "line")
    columns = (spinner, TextColumn("Grading"), BarColumn(20), MofNCompleteColumn(), TextColumn("{task.fields[said]}"))
    with Bar(*columns, console=terminal.console, transient=True) as bar:
        task = bar.add_task("", total=total, said="")
        yield lambda now: bar.update(task, completed=now.done, said=_said(now))


def _lines_now_and_then(total: int) -> Callable[[ClassProgress], None]:
    last = time.monotonic()

    def tell(now: ClassProgress) -> None:
        nonlocal last
        if time.monotonic() - last >= SECONDS_BETWEEN_LINES:
            last = time.monotonic()
            print(f"{now.done} of {total} done, {_said(now)}", file=sys.stderr, flush=True)

    return tell


def _said(now: ClassProgress) -> str:
    """`2 running, 17 due, 1 fault, about 3 min left`; elsewhere `40 sent to 2 workers`."""
    faults = [f"{now.faults} fault{'s' if now.faults > 1 else ''}"] if now.faults else []
    left = [] if now.left is None else [f"about {duration(now.left)} left"]
    running = f"{len(now.running)} running"
    if now.workers is not None:
        running = f"{now.sent} sent to {now.workers} worker{'' if now.workers == 1 else 's'}"
    return ", ".join([running, f"{now.due} due", *faults, *left])


def duration(seconds: float) -> str:
    """A time in words that are as rough as the estimate: `40 s`, `3 min`, `2.5 h`."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


WHOLE = "the whole class"

INCOMPLETE = 1
"""The exit status where nothing was read, or what somebody handed in is not graded, so that a sum is not known."""


@dataclass(frozen=True)
class GradeRequest:
    """What the command line asks for. `fresh` says whether there are random inputs beyond the cases, and `seed` is theirs;
    None for what is kept.

    `how` says how the class is read. `scheduler` is that of the other machines that grade; None where this one does.
    `roster` is the list of the class, if there is one. `students` are those whose answers alone are graded; none: all.
    `teams` says that the class handed in by teams. `again` says to grade the problems again, though nothing changed.
    `points` is the rule or the file of points, which says what attempt counts; None for what is kept. `replacing` and
    `fewer` are as in `Journal.hand_in`.
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
    points: str | None = None
    replacing: bool = False
    fewer: bool = False


@dataclass(frozen=True)
class Planned:
    """What is to be graded, and how.

    Attributes:
        again: the problems of which everything is graded again.
        doubts: what is graded for nobody, because it is not certain whose it is.
        zone: that of an earlier --zone, where it is used again.
        notes: what is to be said of members of teams, and of the points that are kept, in one line each.
    """

    options: Options
    work: Sequence[PlannedAnswer]
    taken: Intake
    again: Sequence[str]
    layout: Layout | None
    doubts: Sequence[Unread]
    of: Shared
    people: Roster | None
    zone: str | None
    notes: Sequence[str]


@contextlib.contextmanager
def planning(options: Options, asked: GradeRequest) -> Generator[tuple[Path, Journal, Planned]]:
    """Open the gradebook, read the folder, and plan what is due. What is known without a run is recorded.

    Raises:
        KitError: for a fault of usage, before anything is made.
    """
    kit = options.kit
    names = list(dict.fromkeys(map(kit.resolve, asked.problems))) or list(kit.names)
    given = None if asked.points is None else read_points(asked.points)  # before hours of work
    where = asked.gradebook or database.shortest_path(database.gradebook_beside(asked.folder))
    people, teams, rule = None if asked.roster is None else read_roster(asked.roster), asked.teams, LAST
    zone = None
    if where.exists():
        with Journal(where, write=True) as journal:  # a kill may have left it without tables
            (people, teams), rule = _people(journal, asked, people), journal.points().attempt
            zone = journal.setting("zone") if asked.how.zone is None else None
    elif teams and people is None:
        raise KitError("--teams needs --roster FILE, with a column `group` that says who is in each team.")
    if zone is not None:
        asked = replace(asked, how=replace(asked.how, zone=zone_named(zone)))
    found = _handed_in(asked, kit, names, people)
    of = by_members(found.submissions, people, teams=teams)
    # Each alone, since several attempts of one team are no contradiction.
    others = [each for other in found.others for each in by_members([other], people, teams=teams).submissions]
    unread = unread_by_members(_lines(found, given.attempt if given else rule), people, teams=teams) + of.doubts
    with Journal(where, write=True) as journal:
        notes = [*of.notes, *_lost_points(journal.points(), given, asked.points)]
        with journal.together():
            taken = journal.hand_in(
                *(database.name_of(asked.folder), names, of.submissions, unread),
                others=others,
                source=database.recorded_path(asked.folder),
                replacing=asked.replacing,
                fewer=asked.fewer,
            )
            if asked.points is not None:
                journal.keep_points(points_text(asked.points), points_path(asked.points))
            if asked.how.zone is not None:
                journal.keep("zone", str(asked.how.zone))
            _keep_roster(journal, asked.roster, teams=teams)
            if people is not None:
                journal.keep_ids(journal.ids_on(people))
            journal.points()  # refused, if they name a student twice, before anything is kept
        options = with_seed(options, seed_of(journal, asked.seed, fresh=asked.fresh))
        handed_in = [name for name in journal.problems() if name in names]
        again = handed_in if asked.again else []
        work = _only(asked.students, plan(journal, options, handed_in, again), journal)
        doubts = [unread_file for unread_file in unread if unread_file.doubt]
        yield where, journal, Planned(options, work, taken, again, found.layout, doubts, of, people, zone, notes)


def _people(journal: Journal, asked: GradeRequest, given: Roster | None) -> tuple[Roster | None, bool]:
    """The list of the class, the one that is given or remembered, and whether the class handed in by teams.

    Raises:
        KitError: the members of teams are not known.
    """
    kept = journal.roster()
    people = given or roster_of(journal, None)
    teams = asked.teams or (given is None and kept is not None and kept.teams)
    if people is None and (teams or any(row.layout == OF_ROSTER for row in journal.rows())):
        raise KitError("Teams handed in, and nothing says who is in each: give --roster FILE, with a column `group`.")
    return people, teams


def _lines(found: HandedIn, rule: str) -> list[Unread]:
    """What is not graded. Which attempt counts, the gradebook says itself where that need not be the last."""
    paths = set() if rule == LAST else {other.path for other in found.others}
    # By the rule "last on time" too, no attempt counts where a later one is not graded, or nothing tells which is later.
    counting = {submission.of for submission in found.submissions}
    kept = {each.path for each in found.unread if each.student and each.of not in counting}
    return [each for each in found.unread if each.path not in paths or (rule == ON_TIME and each.path in kept)]


def _lost_points(kept: Points, given: Points | None, named: str | None) -> list[str]:
    """A line if points take the place of others that say more: nothing of those counts any more."""
    if given is None:
        return []
    lost = [name for name in kept.keys if name not in given.keys]
    lost += ["problems"] if kept.own and not given.own else []
    told = f"--points {named} takes the place of all points that were kept, and does not say"
    return [f"{told}: {', '.join(lost)}. Give a file that says it too, if it is to count."] if lost else []


def _keep_roster(journal: Journal, given: Path | None, *, teams: bool) -> None:
    """Remember the list of the class as it is now."""
    kept = journal.roster()
    path = Path(kept.path) if given is None and kept is not None else given
    if path is None:
        return
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return  # of one that is kept, `roster_of` has said it
    journal.keep_roster(KeptRoster(str(path.absolute()), digest, teams))


def _handed_in(asked: GradeRequest, kit: Kit, names: Sequence[str], people: Roster | None) -> HandedIn:
    how = asked.how if people is None else replace(asked.how, listed=people.lists)
    try:
        with opened_class(asked.folder) as top:
            return read_class(top, kit, names, how)
    except Unreadable as error:
        raise KitError(
            f"{visible(str(asked.folder))}: {error} Give the folder or the zip of what students handed in."
        ) from None


def _only(students: Sequence[str], work: Sequence[PlannedAnswer], journal: Journal) -> Sequence[PlannedAnswer]:
    """The work on answers of some students.

    Raises:
        KitError: one of them handed in nothing.
    """
    if not students:
        return work
    rows = journal.rows()
    if unknown := [student for student in students if student not in {row.student for row in rows}]:
        raise KitError(f"{unknown[0]!r} handed in nothing that was read: `class status --json` lists the students.")
    texts = {(row.digest, row.problem) for row in rows if row.student in students}
    return [planned for planned in work if (planned.identity.digest, planned.identity.problem) in texts]


def grade_class(options: Options, asked: GradeRequest) -> int:
    """Grade what is due, and print how the class stands. Returns the exit status.

    It is 2 if there are faults; 1 if nothing was read, or what somebody handed in is not graded, so that a sum is not known;
    else 0.
    """
    start = now_exactly()
    with planning(options, asked) as (where, journal, planned):
        notes = [*journal.points_notes(), *_run(planned.options, journal, planned.work, asked)]
        rows = journal.rows()
        finish(journal, planned.again, [row.problem for row in rows if row.state in (DUE, FAULT)])
        unread, gone, points = journal.unread(), journal.gone(), journal.points()
        changed = sum(move.before != NOTHING != move.now for move in journal.moves(start))
    for note in (*planned.notes, *notes):
        Terminal.make(colour=options.colour, stderr=True).fault(note)
    if planned.people is not None:
        tell_matches(planned.people, rows)
        tell_absent(planned.people, rows)
    if options.json:
        print(class_document(str(where), rows, unread, gone))
    else:
        terminal = Terminal.make(colour=options.colour)
        standing(terminal, rows, unread)
        _close(terminal, where, rows, asked, planned, changed, points.attempt)
    if any(row.state == FAULT for row in rows):
        return FAULTY
    return INCOMPLETE if not rows or not planned.of.submissions or Sheet(rows, points, unread=unread).in_doubt else 0


def _run(options: Options, journal: Journal, work: Sequence[PlannedAnswer], asked: GradeRequest) -> list[str]:
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
            room = MemoryBudget(memory_for_answers(), options.limits.memory + EVALUATOR_MEMORY)
            for _, problem, status, _, peak in journal.measured():
                room.record_peak(problem, status, peak)
            jobs = asked.jobs or cores_here()
            of = options.kit, options.device, options.limits, options.policy
            with Measuring(*of, cores=shared(jobs)) as session:
                grade_work(session, work, jobs, room, record, tell)
            return session.notes
    except KeyboardInterrupt:
        fault(f"Stopped. {recorded} of {len(work)} are done and kept: the same command goes on with the rest.")
        raise


def _elsewhere(
    scheduler: str,
    work: Sequence[PlannedAnswer],
    jobs: int | None,
    record: Record,
    tell: Callable[[ClassProgress], None],
) -> list[str]:
    """Have the workers of a scheduler grade."""
    if not work:
        return []
    from grader.classroom.engines.dask import connected
    from grader.classroom.engines.shard_loop import grade_shards

    with connected(scheduler, jobs) as engine:
        engine.check(work)
        return [*grade_shards(engine, work, record, tell), *engine.notes]


def tell_read(terminal: Terminal, asked: GradeRequest, planned: Planned) -> None:
    """Say as what a class was read, what is in doubt, and what is not read any more."""
    if not planned.of.submissions and not planned.doubts:
        terminal.line(
            "No answer was found. A class is a folder or a zip that holds, for each student, a folder with files such as "
            f"rope.py, or a file such as ana_rope.py; or what a system hands out: "
            f"{', '.join(system.name for system in SYSTEMS)}. `{command('guide', 'classes')}` shows them all."
        )
    elif planned.of.submissions and planned.layout is not None:
        names = sorted({submission.student for submission in planned.of.submissions})
        who = f"{names[0]} alone" if len(names) == 1 else f"{len(names)} students, such as {names[0]} and {names[-1]}"
        terminal.line(
            f"Read as {planned.layout.title}: answers of {visible(who)}. Not so? `--from` says another system.", "dim"
        )
        if planned.layout.name == "canvas-quiz":
            terminal.line("A quiz writes name and number in one: --roster tells where a name ends in a digit.")
        timed = any(submission.submitted for submission in planned.of.submissions)
        if timed and planned.zone is not None:
            terminal.line(f"Times that name no zone count as of {planned.zone}, which --zone said before.")
        elif timed and not planned.layout.zoned and asked.how.zone is None:
            terminal.line("The times in it name no zone, and count as of this machine's: --zone says another.")
    if planned.doubts:
        paths = [WHOLE if doubt.path == "." else doubt.path for doubt in planned.doubts]
        terminal.line(f"In doubt, and so graded for nobody: {visible(listed([*dict.fromkeys(paths)]))}.")
    for new, old in planned.taken.replaced:
        line = f"Replaced, as --replace says: {new.student} {new.problem}: {old.place} by {new.place}."
        terminal.line(visible(line))
    if gone := [f"{student} {problem}" for student, problem in planned.taken.gone]:
        if any(doubt.nobodys for doubt in planned.doubts):
            terminal.line(f"Not read now, and still counted as long as something is in doubt: {visible(listed(gone))}.")
        else:
            terminal.line(f"No longer read from this folder, and so not counted any more: {visible(listed(gone))}.")


def _close(
    terminal: Terminal, where: Path, rows: Sequence[Row], asked: GradeRequest, planned: Planned, changed: int, rule: str
) -> None:
    terminal.line()
    tell_read(terminal, asked, planned)
    if rule != LAST:
        terminal.line(f'Of several attempts of one student, the rule "{rule}" says which counts.', "dim")
    ran = [row.verdict for row in rows if row.verdict is not None]
    if tier := weakest(verdict.run.confinement for verdict in ran):
        terminal.line(f"Confined: tier {tier}.", "dim")
    terminal.to_do(f"Kept in {where}.", "dim")
    if faults := sum(row.state == FAULT for row in rows):
        terminal.to_do(f"Next: mend what the faults say, and run this again: it tries {faults} again.")
    elif changed:
        moved = counted(changed, "verdict")
        terminal.to_do(f"Next: {command('class', 'moved', str(where))} shows {moved} that moved, and why.")
    elif ran:
        terminal.to_do(
            f"Next: {command('class', 'report', str(where))} says what went wrong, how often, and with whom."
        )
    sys.stdout.flush()
