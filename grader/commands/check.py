"""`check` and `list`: read the kit, grade, print, keep the progress. Each returns an exit status."""

from __future__ import annotations

from collections.abc import Sequence, Set
from pathlib import Path

import click

from grader.commands.console import allow_stubs
from grader.commands.grading import grade_all
from grader.commands.learner import (
    ListedProblem,
    catalogue,
    concise_lines,
    current_problem,
    fingerprint,
    in_force_line,
    is_known,
    kept_verdict,
    noting,
    of_track,
    problem_rows,
    problems_due,
    ran_with,
    remember,
    shown_to_learner,
    sound,
    to_work_on,
    with_openable_file,
)
from grader.commands.next_step import next_step
from grader.commands.parameters import CommonOptions, common, spoken
from grader.kit import progress as progress_file
from grader.kit import shipped_stub
from grader.kit.kit import KitError
from grader.kit.kit_files import KitFiles
from grader.kit.progress import Progress
from grader.locale.language import N_, gettext, ngettext
from grader.marking.verdict import Status, Verdict
from grader.options import Options
from grader.report.table import overview, problems_table, verdicts_table
from grader.report.terminal import Terminal, device_text

FULL_REPORTS = 3
"""A run with at most this many verdicts prints them whole; a longer one prints a table."""


def _terminal(options: Options) -> Terminal:
    return Terminal.make(colour=options.colour, pictures=options.pictures)


def _errors(options: Options) -> Terminal:
    return Terminal.make(colour=options.colour, stderr=True)


def check(options: Options, names: Sequence[str], answers: Sequence[Path]) -> int:
    """Grade the stubs of the problems named, or every stub that changed; or files as `answers` to one problem."""
    kit = options.kit
    names = [kit.resolve(name) for name in dict.fromkeys(names)]
    if answers:
        if len(names) != 1:
            raise KitError(
                gettext("--answer grades files as answers to one problem: name it, as in `check NAME --answer FILE`.")
            )
        return _check_files(options, names[0], answers)
    return _check_stubs(options, names)


def _check_files(options: Options, name: str, answers: Sequence[Path]) -> int:
    graded, faults = grade_all(options, [(name, path.absolute()) for path in answers])
    verdicts = shown_to_learner(options, [verdict for verdict in graded if verdict is not None])
    if options.json:
        print(_document(options, verdicts))
    elif options.concise:
        _print_concise(options, verdicts)
    elif len(answers) == 1:
        for verdict in verdicts:
            _terminal(options).verdict(with_openable_file(options.kit, verdict), device=device_text(options.device))
    else:
        verdicts_table(_terminal(options), verdicts)
    print_in_force(options, verdicts)
    return _status(options, [verdict.status for verdict in verdicts], faults)


def _check_stubs(options: Options, names: Sequence[str]) -> int:
    kit = options.kit
    progress, files = progress_file.load(kit), KitFiles(kit)
    prints = {name: fingerprint(files, name, options.device) for name in names or kit.names}
    listed = catalogue(kit, files)
    faults = [problem.fault for problem in listed if problem.fault and problem.name in prints]
    chosen = list(names) or list(sound(listed))
    with noting(kit):
        shipped_stub.save_shipped(kit)
    ran = ran_with(options)
    grade_again = bool(names or options.policy.confine)
    due = [name for name in chosen if grade_again or not is_known(files, progress, name, prints[name], ran)]
    allow_stubs(options, due)
    graded, new_faults = grade_all(options, [(name, None) for name in due])
    faults += new_faults
    fresh = {name: verdict for name, verdict in zip(due, graded, strict=True) if verdict is not None}
    remember(options, progress, fresh, prints)
    # A kept verdict is none of this run's if the problem was due, and could not be graded.
    known = (fresh.get(name) if name in due else kept_verdict(files, progress, name, prints[name]) for name in chosen)
    verdicts = [verdict for verdict in known if verdict is not None]
    if options.json:
        print(_document(options, shown_to_learner(options, verdicts)))
    elif options.concise:
        _print_concise(options, shown_to_learner(options, verdicts))
    else:
        faulty = set(due) - set(fresh)
        _print_stubs(options, files, listed, progress, fresh, faulty, whole_table=not names)
    files.save()
    print_in_force(options, verdicts)
    return _status(options, [verdict.status for verdict in verdicts], faults)


def print_in_force(options: Options, verdicts: Sequence[Verdict]) -> None:
    """Print how the answers were confined, and how to get their fresh inputs again."""
    if options.json or not (said := in_force_line(options, verdicts)):
        return
    terminal = _errors(options) if options.concise else _terminal(options)
    terminal.line()
    terminal.line(said, "dim")


def _print_concise(options: Options, verdicts: Sequence[Verdict]) -> None:
    for verdict in verdicts:
        for line in concise_lines(options, verdict):
            click.echo(line)


def _print_stubs(
    options: Options,
    files: KitFiles,
    listed: Sequence[ListedProblem],
    progress: Progress,
    fresh: dict[str, Verdict],
    faulty: Set[str],
    *,
    whole_table: bool,
) -> None:
    terminal = _terminal(options)
    alone = len(fresh) == 1
    if len(fresh) <= FULL_REPORTS or not whole_table:
        for name, verdict in fresh.items():
            (shown,) = shown_to_learner(options, [verdict])
            following = next_step(options, listed, progress, name, shown) if alone else ""
            terminal.verdict(
                with_openable_file(options.kit, shown), device=device_text(options.device), following=following
            )
            terminal.line()
    if not alone and not whole_table and fresh:
        name = to_work_on(fresh)
        (shown,) = shown_to_learner(options, [fresh[name]])
        terminal.to_do(next_step(options, listed, progress, name, shown))
    if whole_table:
        whole = problem_rows(options, files, listed, progress, faulty)
        current = None if alone else current_problem(files, sound(listed), progress, options.device)
        overview(terminal, whole, current, options.kit.command("list"))
        if not alone:
            terminal.line()
            terminal.to_do(next_step(options, listed, progress))
        if due := len(problems_due(options.kit, progress)):
            said = ngettext(
                "{count} problem is due for practice: {command}",
                "{count} problems are due for practice: {command}",
                due,
            )
            terminal.to_do(said.format(count=due, command=options.kit.command("practice")))


def _document(options: Options, verdicts: Sequence[Verdict]) -> str:
    from grader.report.as_json import document

    return document(verdicts, options.device, options.policy.feedback)


def _status(options: Options, statuses: Sequence[Status], faults: Sequence[str]) -> int:
    for fault in dict.fromkeys(faults):
        said = gettext("A fault of the kit, not of your answer: {fault}")
        _errors(options).fault(said.format(fault=options.kit.located(fault)))
    if faults:
        return 2
    return 1 if any(status.failed for status in statuses) else 0


@click.command()
@click.option(
    "--track", metavar="TEXT", default="", help=N_("Of this track [else of all]: its number, or a part of its name.")
)
@spoken
@common
def list_(given: CommonOptions, track: str) -> int:
    return list_problems(given.options(), track)


def list_problems(options: Options, track: str = "") -> int:
    """Print the table of problems; with `track`, those of the tracks with this number, or with this text in their name.

    Raises:
        KitError: where there is no such track.
    """
    files = KitFiles(options.kit)
    listed = of_track(catalogue(options.kit, files), track)
    progress = progress_file.load(options.kit)
    problems_table(_terminal(options), problem_rows(options, files, listed, progress))
    files.save()
    return _status(options, [], [problem.fault for problem in listed if problem.fault])
