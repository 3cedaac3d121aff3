"""`check` and `list`: read the kit, grade, print, keep the progress. Each returns an exit status."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Generator, Sequence, Set
from dataclasses import replace
from pathlib import Path

import click

from grader.commands.catalogue import Listed, catalogue, sound
from grader.commands.grading import grade_all
from grader.commands.next_step import next_step
from grader.commands.own_stubs import allow_stubs
from grader.commands.parameters import Given, common, spoken
from grader.commands.withheld_values import held_back
from grader.kit import progress as progress_file
from grader.kit import shipped_stub
from grader.kit.files import Unreadable, read_text
from grader.kit.kit import Kit, KitError
from grader.kit.progress import Graded, Progress, Ran
from grader.kit.state import warn_later
from grader.locale.language import N_, gettext
from grader.marking.verdict import Status, Verdict
from grader.options import FEEDBACK, Options, Policy
from grader.report.table import Row, overview, problems_table, verdicts_table
from grader.report.terminal import Terminal, device_text
from grader.values.message import message

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
    verdicts = told(options, [verdict for verdict in graded if verdict is not None])
    if options.json:
        print(_document(options, verdicts))
    elif len(answers) == 1:
        for verdict in verdicts:
            _terminal(options).verdict(opened(options.kit, verdict), device=device_text(options.device))
    else:
        verdicts_table(_terminal(options), verdicts)
    print_in_force(options, verdicts)
    return _status(options, [verdict.status for verdict in verdicts], faults)


def _check_stubs(options: Options, names: Sequence[str]) -> int:
    kit = options.kit
    progress = progress_file.load(kit)
    prints = {name: progress_file.fingerprint(kit, name, options.device) for name in names or kit.names}
    listed = catalogue(kit)
    faults = [one.fault for one in listed if one.fault and one.name in prints]
    chosen = list(names) or list(sound(listed))
    with noting(kit):
        shipped_stub.save_shipped(kit)
    ran = ran_with(options)
    grade_again = bool(names or options.policy.confine)
    due = [name for name in chosen if grade_again or not _is_known(kit, progress, name, prints[name], ran)]
    allow_stubs(options, due)
    graded, new_faults = grade_all(options, [(name, None) for name in due])
    faults += new_faults
    fresh = {name: verdict for name, verdict in zip(due, graded, strict=True) if verdict is not None}
    remember(options, progress, fresh, prints)
    # A kept verdict is none of this run's if the problem was due, and could not be graded.
    known = (fresh.get(name) if name in due else kept(kit, progress, name, prints[name]) for name in chosen)
    verdicts = [verdict for verdict in known if verdict is not None]
    if options.json:
        print(_document(options, told(options, verdicts)))
    else:
        faulty = set(due) - set(fresh)
        _print_stubs(options, listed, progress, fresh, faulty, whole_table=not names)
    print_in_force(options, verdicts)
    return _status(options, [verdict.status for verdict in verdicts], faults)


def ran_with(options: Options) -> Ran:
    """The options of this run that can change a verdict."""
    limits = options.limits
    return Ran(options.policy.confine, options.policy.fresh, limits.seconds, limits.memory, limits.clock)


def print_in_force(options: Options, verdicts: Sequence[Verdict]) -> None:
    """Print how the answers were confined, and how to get their fresh inputs again."""
    if not options.json and (said := in_force_line(options, verdicts)):
        _terminal(options).line()
        _terminal(options).line(said, "dim")


def in_force_line(options: Options, verdicts: Sequence[Verdict]) -> str:
    """How the answers were confined, and how to get their fresh inputs again; empty where there is neither."""
    if options.policy == Policy(feedback=options.policy.feedback):
        return ""
    from grader.report.feedback import in_force

    return in_force(options.policy, verdicts)


def opened(kit: Kit, verdict: Verdict) -> Verdict:
    """A verdict for people: its file is a path that they can open."""
    if not verdict.file:
        return verdict
    file = kit.opened(kit.root / verdict.file)
    said = verdict.message.with_fields(file=file) if verdict.unread else verdict.message
    return replace(verdict, file=file, message=said)


def told(options: Options, verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The part of verdicts that the level of feedback and the hints left to take show."""
    if options.policy.feedback == FEEDBACK[0]:
        return [held_back(options.kit, verdict) for verdict in verdicts]
    from grader.report.feedback import limited

    return [limited(verdict, options.policy.feedback) for verdict in verdicts]


def _is_known(kit: Kit, progress: Progress, name: str, fingerprint: str, ran: Ran) -> bool:
    """Whether a run with these options can tell the verdict on a stub without running it."""
    graded = progress.verdicts.get(name)
    if graded is not None and graded.fingerprint == fingerprint:
        return graded.holds(fingerprint, ran)
    return kept(kit, progress, name, fingerprint) is not None


def kept(kit: Kit, progress: Progress, name: str, fingerprint: str) -> Verdict | None:
    """The verdict on a stub that is known without a run: the last one, or "unattempted"; None if it must be graded."""
    if (current := progress.current(name, fingerprint)) is not None:
        return current
    with contextlib.suppress(Unreadable):  # grading reports that it is unreadable
        if shipped_stub.untouched(kit, name, read_text(kit.stub(name))):
            return Verdict(name, Status.UNATTEMPTED, message("Not filled in yet."), file=kit.shown(kit.stub(name)))
    return None


def remember(options: Options, progress: Progress, fresh: dict[str, Verdict], prints: dict[str, str]) -> None:
    """Save whole verdicts, whatever part of them this run shows."""
    if not fresh:
        return

    def record(into: Progress) -> None:
        for name, verdict in fresh.items():
            into.verdicts[name] = Graded(prints[name], ran_with(options), replace(verdict, sample="", drawable=None))
            if verdict.status is Status.CORRECT:
                into.solved.setdefault(name, datetime.date.today().isoformat())

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


def _print_stubs(
    options: Options,
    listed: Sequence[Listed],
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
            (shown,) = told(options, [verdict])
            # Without a name, the next problem is the one that `hint` and `show` then mean without a name.
            after = None if whole_table and shown.status is Status.CORRECT else shown
            following = next_step(options, listed, progress, name, after) if alone else ""
            terminal.verdict(opened(options.kit, shown), device=device_text(options.device), following=following)
            terminal.line()
    if not alone and not whole_table and fresh:
        wrong = [name for name, verdict in fresh.items() if verdict.status is not Status.CORRECT]
        name = next(iter(wrong), list(fresh)[-1])
        (shown,) = told(options, [fresh[name]])
        terminal.to_do(next_step(options, listed, progress, name, shown))
    if whole_table:
        whole = rows(options, listed, progress, faulty)
        current = None if alone else progress.current_problem(sound(listed))
        overview(terminal, whole, current, options.kit.command("list"))
        if not alone:
            terminal.line()
            terminal.to_do(next_step(options, listed, progress))


def rows(options: Options, listed: Sequence[Listed], progress: Progress, faulty: Set[str] = frozenset()) -> list[Row]:
    """The rows of the table of problems: what is known of each without running anything.

    Args:
        faulty: problems that could not be graded in this run, for a fault of the kit.
    """
    table: list[Row] = []
    for one in listed:
        if one.fault:
            table.append(Row(one.name, "", "", "kit fault", one.fault))
            continue
        fingerprint = progress_file.fingerprint(options.kit, one.name, options.device)
        known = kept(options.kit, progress, one.name, fingerprint)
        solved = one.name in progress.solved
        if one.name in faulty:
            table.append(Row(one.name, one.track, one.difficulty, "kit fault", "", solved))
            continue
        remarks = [gettext("solved before")] if solved and (known is None or known.status is not Status.CORRECT) else []
        if known is not None:
            (shown,) = told(options, [known])
            remarks += shown.diagnosis.names
        status = "changed" if known is None else known.status.value
        table.append(Row(one.name, one.track, one.difficulty, status, ", ".join(remarks), solved))
    return table


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
def list_(given: Given, track: str) -> int:
    return list_problems(given.options(), track)


def list_problems(options: Options, track: str = "") -> int:
    """Print the table of problems; with `track`, those of the tracks with this number, or with this text in their name.

    Raises:
        KitError: where there is no such track.
    """
    whole = catalogue(options.kit)
    listed = [one for one in whole if one.track.startswith(f"{track} ") or track.lower() in one.track.lower()]
    if not listed and whole:
        known = ", ".join(dict.fromkeys(one.track for one in whole if one.track))
        said = gettext("There is no track {track}. The tracks are: {tracks}.")
        raise KitError(said.format(track=repr(track), tracks=known))
    progress = progress_file.load(options.kit)
    problems_table(_terminal(options), rows(options, listed, progress))
    return _status(options, [], [one.fault for one in listed if one.fault])
