"""`audit --answers`: old answers graded with a problem before it is released, and which of them nothing explains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from grader.classroom.answers import Answers
from grader.classroom.commands.grade import class_bar
from grader.classroom.commands.report import print_problem
from grader.classroom.database import is_archive
from grader.classroom.file_names import NOTEBOOK, SUFFIXES, ignored
from grader.classroom.grading import Measuring, MemoryBudget, grade_work
from grader.classroom.journal import Journal
from grader.classroom.plan import PlannedAnswer
from grader.classroom.report import ReportInput, report_of
from grader.classroom.row import DUE, FAULT, Identity, Outcome, Row, with_outcome
from grader.classroom.submission import Submission
from grader.classroom.tree import TreeEntry, archive_suffix, opened_class, unpacked
from grader.commands.group import FAULT as FAULTY
from grader.commands.group import fault
from grader.kit.files import LARGEST_ANSWER, Unreadable
from grader.kit.kit import KitError, refuse_around
from grader.kit.notebook import LARGEST_NOTEBOOK
from grader.kit.text import counted, visible
from grader.marking.verdict import weakest
from grader.options import BEST, Options, Policy
from grader.report.terminal import Terminal
from grader.run.judge.cores import EVALUATOR_MEMORY, cores_here, memory_for_answers, shared

MOST_LISTED = 12
"""The most files that are not graded and are listed; more are counted."""

Other = tuple[str, str]
"""A file that is no answer to the problem, and why; without a reason if nothing in it is like the problem's function."""


def audit_answers(options: Options, problem: str, given: Path, tier: str = BEST) -> int:
    """Grade old answers with a problem, confined, and print what came of them. Returns the exit status. No verdict is kept.

    Args:
        given: a folder or an archive in which files define the problem's function, or a gradebook.

    Raises:
        KitError: there is no such problem, or no answer to it.
    """
    kit, name = options.kit, options.kit.resolve(problem)
    refuse_around(kit, [given])
    answers = Answers(kit, [name])
    try:
        read = _in_gradebook if given.is_file() and not is_archive(given) else _in_files
        found = [*read(answers, name, given)]
    except Unreadable as error:
        raise KitError(f"{visible(str(given))}: {error} Give a folder, an archive or a gradebook.") from None
    old = [submission for submission in found if isinstance(submission, Submission)]
    others = [other for other in found if not isinstance(other, Submission)]
    if not old:
        _tell_others(name, others)
        raise KitError(f"{visible(str(given))} holds no answer to {name}: a file is one if it defines `{name}`.")
    outcomes = _graded(replace(options, policy=Policy(tier)), old)
    rows = [
        with_outcome(Row(*answer.of, answer.path, answer.digest, "", DUE, None), outcomes[answer.digest], answer.origin)
        for answer in old
    ]
    texts = {submission.digest: submission.text for submission in old}
    (whole,) = report_of("", rows, ReportInput(texts.__getitem__)).problems
    terminal = Terminal.make(colour=options.colour)
    # Who these are from, and whether they are late or alike, is of no concern here.
    print_problem(terminal, replace(whole, not_right=(), equal=(), late=()))
    _tell_others(name, others)
    terminal.line()
    if ran := weakest(row.verdict.run.confinement for row in rows if row.verdict is not None):
        terminal.line(f"Confined: tier {ran}. No verdict is kept.", "dim")
    if whole.groups:
        terminal.to_do(
            f"Write a mistake that explains them into {kit.opened(kit.answer(name))}: `guide authoring` says how."
        )
    faults = [row for row in rows if row.state == FAULT]
    for row in faults:
        fault(visible(f"{row.path} could not be graded: {row.fault}"))
    return FAULTY if faults else 0


def _in_gradebook(answers: Answers, name: str, given: Path) -> Iterator[Submission | Other]:
    """The answers in a gradebook, to any problem, that define the function of this one."""
    with Journal(given) as journal:
        for row in journal.rows():
            yield from _answers(answers, name, row.path, ".py", journal.text(row.digest))


def _in_files(answers: Answers, name: str, given: Path) -> Iterator[Submission | Other]:
    """The answers in the files of a folder or an archive. No link is followed."""
    with opened_class(given) as top:
        for entry in top.inside():
            yield from _below(answers, name, entry)


def _below(answers: Answers, name: str, entry: TreeEntry) -> Iterator[Submission | Other]:
    """The answers in a file, or in the files of a folder or an archive, however deep. What cannot be read is told."""
    archive = bool(archive_suffix(entry.name)) and not entry.packed
    if ignored(entry.name) or not (entry.is_folder or archive or entry.suffix in SUFFIXES):
        return
    try:
        if entry.why:
            raise Unreadable(entry.why)
        if entry.is_folder or archive:
            for inner in (entry if entry.is_folder else unpacked(entry)).inside():
                yield from _below(answers, name, inner)
        else:
            text = entry.text(LARGEST_NOTEBOOK if entry.suffix == NOTEBOOK else LARGEST_ANSWER)
            yield from _answers(answers, name, entry.path, entry.suffix, text)
    except Unreadable as error:
        yield entry.path, str(error)


def _answers(answers: Answers, name: str, path: str, suffix: str, text: str) -> Iterator[Submission | Other]:
    found = [answer for answer in answers.of(text, suffix, "", "") if answer.problem == name]
    for answer in found:
        yield (
            (path, answer.why)
            if answer.text is None
            else Submission(path, name, path, answer.text, origin=answer.origin)
        )
    if not found:
        yield path, ""


def _graded(options: Options, old: Sequence[Submission]) -> dict[str, Outcome]:
    """The outcome of each text, by its digest."""
    outcomes: dict[str, Outcome] = {}
    texts = {submission.digest: submission for submission in old}
    work = [PlannedAnswer(Identity(digest, text.problem, "", ""), text.text) for digest, text in texts.items()]
    jobs, room = cores_here(), MemoryBudget(memory_for_answers(), options.limits.memory + EVALUATOR_MEMORY)

    def record(identity: Identity, outcome: Outcome) -> None:
        outcomes[identity.digest] = outcome

    of = options.kit, options.device, options.limits, options.policy
    with class_bar(options, len(work)) as tell, Measuring(*of, cores=shared(jobs)) as session:
        grade_work(session, work, jobs, room, record, tell)
    return outcomes


def _tell_others(name: str, others: Sequence[Other]) -> None:
    """Say which files were not graded: those that may be meant for the problem by name, the rest by number."""
    told = [(path, why) for path, why in others if why]
    for path, why in told[:MOST_LISTED]:
        fault(visible(f"Not graded: {path}: {why}"))
    if len(told) > MOST_LISTED:
        fault(f"Not graded, in the same way: {counted(len(told) - MOST_LISTED, 'more file')}.")
    if rest := len(others) - len(told):
        fault(f"Not graded: {counted(rest, 'file')} without a function `{name}`.")
