"""What is known of each problem of a learner without a run, what may be shown of a verdict, and what is saved."""

from __future__ import annotations

import contextlib
import datetime
import os
from collections.abc import Generator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from grader.kit import progress as progress_file
from grader.kit import shipped_stub, statement
from grader.kit.files import Unreadable, read_text
from grader.kit.kit import Kit, KitError, in_order, order_faults
from grader.kit.kit_files import KitFiles
from grader.kit.notebook import SUFFIX
from grader.kit.problem_error import ProblemError
from grader.kit.progress import KeptVerdict, Progress, Ran
from grader.kit.state import warn_later
from grader.kit.statement import Heading
from grader.kit.text import folded
from grader.locale.language import gettext, language
from grader.marking.verdict import Status, Verdict
from grader.options import FULL, NUMBERS, VERDICT, Options, Policy
from grader.report.table import ProblemRow
from grader.values.message import message
from grader.values.places import PlaceKind


@dataclass(frozen=True)
class ListedProblem:
    """A problem as lists show it. If its statement cannot be read, `fault` is the reason."""

    name: str
    title: str = ""
    track: str = ""
    difficulty: str = ""
    after: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    fault: str = ""


def catalogue(kit: Kit, files: KitFiles | None = None) -> list[ListedProblem]:
    """Every problem in the order in which a learner meets them, with broken ones last."""
    files = files or KitFiles(kit)
    sound: dict[str, ListedProblem] = {}
    broken: list[ListedProblem] = []
    for name in kit.names:
        try:
            title, track, difficulty, after, tags = files.of(
                name, f"heading {language()}", partial(_heading, kit.statement(name))
            )
            # What is kept lies in the kit, which may be a stranger's.
            sound[name] = ListedProblem(
                name, folded(title), folded(track), folded(difficulty), tuple(after), tuple(map(folded, tags))
            )
        except ProblemError as error:
            broken.append(ListedProblem(name, fault=kit_relative(kit, str(error))))
    # A broken problem does not break those that come after it.
    unread = {problem.name for problem in broken}
    after = {name: [earlier for earlier in listed.after if earlier not in unread] for name, listed in sound.items()}
    for name, fault in order_faults(after).items():
        broken.append(ListedProblem(name, fault=fault))
        del sound[name], after[name]
    after = {name: [earlier for earlier in before if earlier in after] for name, before in after.items()}
    order = in_order(after, {name: listed.track for name, listed in sound.items()})
    return [*(sound[name] for name in order), *broken]


def of_track(listed: Sequence[ListedProblem], track: str) -> list[ListedProblem]:
    """The problems of a track, or of the tracks that have a text in their name; of all tracks for an empty text.

    Args:
        track: its number, or a part of its name.

    Raises:
        KitError: where there is no such track.
    """
    by_number = [problem for problem in listed if problem.track.startswith(f"{track} ")]
    found = by_number or [problem for problem in listed if track.lower() in problem.track.lower()]
    if not found and listed:
        known = ", ".join(dict.fromkeys(problem.track for problem in listed if problem.track))
        said = gettext("There is no track {track}. The tracks are: {tracks}.")
        raise KitError(said.format(track=repr(track), tracks=known))
    return found


def _heading(path: Path) -> list[Any]:
    read = statement.read(path)
    return [read.title, read.track, read.difficulty, [*read.after], [*read.tags]]


def fingerprint(files: KitFiles, name: str, device: str) -> str:
    """A digest of what a verdict depends on (see `progress.fingerprint`)."""
    return files.of(
        name, f"fingerprint {device} {files.software}", lambda: progress_file.fingerprint(files.kit, name, device)
    )


def sound(listed: Sequence[ListedProblem]) -> Mapping[str, Sequence[str]]:
    """The problems that can be solved, each with those that it builds on, in the order given."""
    return {problem.name: problem.after for problem in listed if not problem.fault}


def kit_relative(kit: Kit, text: str) -> str:
    """A message in which paths start at the kit's folder."""
    return text.replace(f"{kit.root}{os.sep}", "")


def held_back(kit: Kit, verdict: Verdict) -> Verdict:
    """The verdict without the values of repairs, unless all hints of the problem were taken."""
    if not any(place.kind is PlaceKind.REPAIR and place.values.block is not None for place in verdict.where):
        return verdict
    if not _hints_left(kit, verdict.problem):
        return verdict
    where = tuple(
        replace(place, values=replace(place.values, block=None)) if place.kind is PlaceKind.REPAIR else place
        for place in verdict.where
    )
    return replace(verdict, where=where)


def _hints_left(kit: Kit, name: str) -> bool:
    taken = progress_file.load(kit).hints.get(name, 0)
    try:
        read = statement.read(kit.statement(name))
    except ProblemError:  # grading does not need the statement
        return False
    # To read Markdown takes as long as to judge an answer: it is read only if the number of hints matters.
    return f"\n## {read.heading(Heading.HINTS)}\n" in read.body if not taken else taken < len(read.hints)


def ran_with(options: Options) -> Ran:
    """The options of this run that can change a verdict."""
    limits = options.limits
    return Ran(options.policy.confine, options.policy.fresh, limits.seconds, limits.memory, limits.clock)


def in_force_line(options: Options, verdicts: Sequence[Verdict]) -> str:
    """How the answers were confined, and how to get their fresh inputs again; empty where there is neither."""
    if options.policy == Policy(feedback=options.policy.feedback):
        return ""
    from grader.report.feedback import in_force

    return in_force(options.policy, verdicts)


def with_openable_file(kit: Kit, verdict: Verdict) -> Verdict:
    """A verdict for people: its file is a path that they can open."""
    if not verdict.file:
        return verdict
    file = kit.opened(kit.root / verdict.file)
    said = verdict.message.with_fields(file=file) if verdict.unread else verdict.message
    return replace(verdict, file=file, message=said)


def concise_lines(options: Options, shown: Verdict, text: str | None = None) -> list[str]:
    """A line for each finding of a verdict, as editors read them; none for a right answer.

    Args:
        shown: what may be shown of it.
        text: the answer; None to read its file.
    """
    from grader.report.findings import concise, findings

    if text is None:
        text = ""
        with contextlib.suppress(Unreadable):  # the verdict says so
            text = read_text(options.kit.root / shown.file) if not shown.file.endswith(SUFFIX) else ""
    opened = with_openable_file(options.kit, shown)
    return [concise(finding, opened.file) for finding in findings(opened, text)]


def shown_to_learner(options: Options, verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The part of verdicts that the level of feedback and the hints left to take show.

    Of an exercise, only the numbers are shown: to find the mistake is what it is for.
    """
    whole = options.policy.feedback == FULL
    shown = [held_back(options.kit, verdict) if whole else _at_feedback(options, verdict) for verdict in verdicts]
    return [numbers_alone(verdict) if _is_exercise(options.kit, verdict) else verdict for verdict in shown]


def numbers_alone(verdict: Verdict) -> Verdict:
    """The numbers of a verdict, as far as it shows them."""

    from grader.report.feedback import limited

    return verdict if verdict.withheld == VERDICT else limited(verdict, NUMBERS)


def _is_exercise(kit: Kit, verdict: Verdict) -> bool:
    return verdict.problem in kit.names and verdict.file == kit.shown(kit.practice(verdict.problem))


def _at_feedback(options: Options, verdict: Verdict) -> Verdict:
    """The part of a verdict that the level of feedback shows."""
    if options.policy.feedback == FULL:
        return verdict
    from grader.report.feedback import limited

    return limited(verdict, options.policy.feedback)


def is_known(files: KitFiles, progress: Progress, name: str, fingerprint: str, ran: Ran) -> bool:
    """Whether a run with these options can tell the verdict on a stub without running it."""
    graded = progress.verdicts.get(name)
    if graded is not None and graded.fingerprint == fingerprint:
        return graded.holds(fingerprint, ran)
    return kept_verdict(files, progress, name, fingerprint) is not None


def kept_verdict(files: KitFiles, progress: Progress, name: str, fingerprint: str) -> Verdict | None:
    """The verdict on a stub that is known without a run: the last one, or "unattempted"; None if it must be graded."""
    if (current := progress.current(name, fingerprint)) is not None:
        return current
    kit = files.kit
    if is_bare(files, name):
        return Verdict(name, Status.UNATTEMPTED, message("Not filled in yet."), file=kit.shown(kit.stub(name)))
    return None


def is_bare(files: KitFiles, name: str) -> bool:
    """Whether the stub is as shipped, for example after `reset`."""
    kit = files.kit
    with contextlib.suppress(Unreadable):  # grading reports that it is unreadable
        return files.of(name, "as shipped", lambda: shipped_stub.is_as_saved(kit, name)) or shipped_stub.untouched(
            kit, name, read_text(kit.stub(name))
        )
    return False


def current_problem(
    files: KitFiles, problems: Mapping[str, Sequence[str]], progress: Progress, device: str
) -> str | None:
    """The problem to work on now: the one that was saved or graded last, or, if it is right, the one to go on to.

    Args:
        problems: the problems in the order in which a learner meets them, each with those that it builds on.

    Returns:
        its name; None if all problems are solved.
    """

    def known(name: str) -> Verdict | None:
        return kept_verdict(files, progress, name, fingerprint(files, name, device))

    saved = {name: _saved_at(files.kit, name) for name in problems}
    for name in sorted(problems, key=lambda name: saved[name], reverse=True):
        if saved[name] <= progress.graded_at:
            break
        verdict = known(name)
        if verdict is None or (verdict.status is Status.UNATTEMPTED and name in progress.verdicts):  # it was reset
            return name
    last = progress.last
    if last in problems:
        verdict = known(last)
        # An answer that was graded in a notebook is in no stub.
        in_notebook = verdict is not None and verdict.status is Status.UNATTEMPTED and last in progress.solved
        if not in_notebook and (verdict is None or verdict.status is not Status.CORRECT):
            return last
    return progress.next_problem(problems, after=last)


def _saved_at(kit: Kit, name: str) -> float:
    """When a stub was saved, in seconds since 1970; 0 if nothing is there."""
    try:
        return os.stat(kit.stub(name)).st_mtime
    except OSError:
        return 0.0


def to_work_on(verdicts: Mapping[str, Verdict]) -> str:
    """Of the problems that were graded in one run, the first that is not right; else the last."""
    wrong = [name for name, verdict in verdicts.items() if verdict.status is not Status.CORRECT]
    return next(iter(wrong), list(verdicts)[-1])


def remember(options: Options, progress: Progress, fresh: dict[str, Verdict], prints: dict[str, str]) -> None:
    """Save whole verdicts, whatever part of them this run shows."""
    if not fresh:
        return

    def record(into: Progress) -> None:
        for name, verdict in fresh.items():
            into.verdicts[name] = KeptVerdict(
                prints[name], ran_with(options), replace(verdict, sample="", drawable=None)
            )
            made = into.made.setdefault(name, [])
            made += [mistake for mistake in verdict.diagnosis.names if mistake not in made]
            if verdict.status is Status.CORRECT:
                into.solved.setdefault(name, datetime.date.today().isoformat())
        into.graded(to_work_on(fresh))

    record(progress)  # in memory too: this run shows it even if nothing can be written
    with noting(options.kit):
        progress_file.update(options.kit, record)


@contextlib.contextmanager
def noting(kit: Kit) -> Generator[None]:
    """Warn that nothing is kept if the block fails to write to the kit; grading goes on."""
    try:
        yield
    except OSError as error:
        said = gettext("{path} cannot be written ({why}): nothing is kept for next time.")
        warn_later(said.format(path=error.filename or kit.state, why=error.strerror))
    except progress_file.NotSaved as error:
        warn_later(gettext("{why}: nothing is kept for next time.").format(why=error))


def problems_due(kit: Kit, progress: Progress) -> list[str]:
    """The solved problems that are due for practice, the longest due first."""
    if not (kit.state / "practice.json").exists():  # most learners: nothing more is imported
        return []
    from grader.practice import record

    now = datetime.datetime.now(datetime.UTC)
    return [name for name in record.load(kit).due(now) if name in progress.solved]


def problem_rows(
    options: Options,
    files: KitFiles,
    listed: Sequence[ListedProblem],
    progress: Progress,
    faulty: Set[str] = frozenset(),
) -> list[ProblemRow]:
    """The rows of the table of problems: what is known of each without running anything.

    Args:
        faulty: problems that could not be graded in this run, for a fault of the kit.
    """
    table: list[ProblemRow] = []
    due = problems_due(options.kit, progress)
    for problem in listed:
        if problem.fault:
            table.append(ProblemRow(problem.name, "", "", "kit fault", problem.fault))
            continue
        known = kept_verdict(files, progress, problem.name, fingerprint(files, problem.name, options.device))
        solved = problem.name in progress.solved
        if problem.name in faulty:
            table.append(ProblemRow(problem.name, problem.track, problem.difficulty, "kit fault", "", solved))
            continue
        remarks = [gettext("solved before")] if solved and (known is None or known.status is not Status.CORRECT) else []
        if problem.name in due:
            remarks.append(gettext("practise: due"))
        if known is not None:
            remarks += _at_feedback(options, known).diagnosis.names
        status = "changed" if known is None else known.status.value
        table.append(ProblemRow(problem.name, problem.track, problem.difficulty, status, ", ".join(remarks), solved))
    return table
