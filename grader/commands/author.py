"""The commands of instructors: audit, new, key. Each returns an exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from grader.author import new, statement_checks
from grader.author.audit import PARTS, audit
from grader.author.finding import Audited
from grader.author.key import make, plan_export, write_export
from grader.author.scaffold import Plan
from grader.commands.bar import progress_bar
from grader.commands.catalogue import catalogue, kit_relative
from grader.kit.files import write_atomically
from grader.kit.kit import Kit, KitError, command
from grader.kit.problem import ProblemError
from grader.options import Options
from grader.report.audit import audit_document, audits_table, count, findings, print_audit
from grader.report.terminal import Terminal
from grader.run.pool import threads
from grader.session import Session

WATCH_MS = 200


def run_new(
    options: Options,
    name: str,
    title: str | None,
    track: str | None,
    difficulty: str | None,
    signature: str | None,
) -> int:
    """Begin a problem. Ask for each option that is None.

    Raises:
        KitError: if the name is taken, or there is no terminal to ask on.
    """
    kit = options.kit
    new.check_name(kit, name)
    given = {"title": title, "track": track, "difficulty": difficulty, "signature": signature}
    missing = [f"--{option}" for option, value in given.items() if value is None]
    if missing and not sys.stdin.isatty():
        raise KitError(f"There is no terminal to ask on: give {', '.join(missing)} as well.")
    tracks = list(dict.fromkeys(one.track for one in catalogue(kit) if one.track))
    plan = Plan(
        name,
        new.check_line("title", title or click.prompt("Title")),
        new.check_line("track", track or click.prompt("Track", default=tracks[-1] if tracks else None)),
        new.check_difficulty(difficulty or click.prompt("Difficulty", default="medium")),
        new.parse_signature(signature if signature is not None else click.prompt("Parameters after seed", default="T")),
    )
    terminal = Terminal.make(colour=options.colour)
    for path in new.write(kit, plan):
        terminal.line(f"{kit.shown(path)}")
    terminal.line()
    terminal.to_do(f"Fill in what is marked {statement_checks.GAP}. What is still to do: {kit.command('audit', name)}")
    return 0


def _nothing(kit: Kit) -> str:
    return f"There is no problem in {kit.root / 'problems'}: make one with `{kit.command('new', 'NAME')}`."


def run_audit(options: Options, names: Sequence[str], *, mutants: bool, watch: bool) -> int:
    """Audit the problems named, or all if none is; return 1 if one of them is not sound.

    Raises:
        KitError: if there is nothing to audit, or the kit has no solutions.
    """
    kit = options.kit
    chosen = [kit.resolve(name) for name in dict.fromkeys(names)] or [one.name for one in catalogue(kit)]
    if not chosen:
        raise KitError(_nothing(kit))
    status = _audit_once(options, chosen, mutants=mutants)
    if not watch:
        return status
    for changed in _changes(options, chosen):
        _audit_once(options, changed, mutants=mutants)
    return 0


def _audit_once(options: Options, names: Sequence[str], *, mutants: bool) -> int:
    terminal = Terminal.make(colour=options.colour)
    workers = min(PARTS * len(names), os.cpu_count() or 1)
    alone = len(names) == 1
    with (
        Session(options.kit, options.device, options.limits) as session,
        progress_bar(options, PARTS * len(names), "Auditing") as advance,
    ):
        audited = list(audit(session, names, max(3, workers), advance))
    # Print only now: the bar would overwrite it.
    for one in audited:
        if not options.json and (alone or mutants or one.findings):
            _print(terminal, options.kit, one, whole=alone or mutants, every=mutants)
    if options.json:
        print(audit_document(audited, options.device))
    elif not alone:
        audits_table(terminal, audited)
    return 0 if all(one.sound for one in audited) else 1


def _print(terminal: Terminal, kit: Kit, audited: Audited, *, whole: bool, every: bool) -> None:
    if not whole:
        findings(terminal, audited)
        return
    reference = kit.reference(audited.problem)
    lines = reference.read_text(encoding="utf-8", errors="replace").splitlines() if reference.is_file() else []
    print_audit(terminal, audited, every=every, lines=lines)
    terminal.line()


def _changes(options: Options, names: Sequence[str]) -> Iterator[list[str]]:
    """After each save, the problems whose files changed: all of them if a shared module did."""
    kit = options.kit
    terminal = Terminal.make(colour=options.colour)
    folders = [kit.root / "problems", kit.root / "solutions"]
    from watchfiles import watch as watch_files

    announced = False
    # The first empty batch means that the watcher is up: print the banner then, so that no save is missed.
    for changes in watch_files(*folders, raise_interrupt=False, yield_on_timeout=True, rust_timeout=WATCH_MS):
        if not announced:
            terminal.line("Watching problems/ and solutions/: a save audits its problem again. Ctrl-C ends.", "dim")
            announced = True
        parts = [Path(path).relative_to(kit.root).parts for _, path in changes]
        touched = {part[1] for part in parts if len(part) > 1}
        shared = any(len(part) == 2 and part[1].endswith(".py") for part in parts)
        changed = [name for name in names if shared or name in touched]
        if changed:
            yield changed


def run_key(options: Options, names: Sequence[str], export: Path | None) -> int:
    """Write the answer keys of the problems named, or of all: beside their statements, or into an exported kit.

    Raises:
        KitError: if there is no problem, or the kit cannot be exported to that folder.
    """
    kit = options.kit
    chosen = [kit.resolve(name) for name in dict.fromkeys(names)] or list(kit.names)
    if not chosen:
        raise KitError(_nothing(kit))
    planned = plan_export(kit, chosen, export) if export is not None else {}
    made, faults = _make_keys(options, chosen)
    errors = Terminal.make(colour=options.colour, stderr=True)
    for fault in faults:
        errors.fault(f"A fault of the kit: {kit_relative(kit, fault)}")
    if export is not None:
        if faults:
            errors.fault(f"{export} was not written: fix the kit first.")
            return 2
        write_export(kit, planned, export)
    terminal = Terminal.make(colour=options.colour)
    target = Kit(export.resolve()) if export is not None else kit
    for name, data in made.items():
        write_atomically(target.key(name), data)
    size = sum(len(data) for data in made.values()) / 1e6
    if export is not None:
        terminal.line(f"{export}: a kit of {count(len(made), 'problem')} without solutions, its keys {size:.1f} MB.")
        terminal.to_do(f"It is graded as any other: {command(kit=export)}")
    else:
        for name in made:
            terminal.line(f"{kit.shown(kit.key(name))}: written")
    return 2 if faults else 0


def _make_keys(options: Options, names: Sequence[str]) -> tuple[dict[str, bytes], list[str]]:
    """The answer keys by problem, and the faults of the problems for which there is none."""
    faults: list[str] = []

    def one(name: str) -> bytes | None:
        try:
            return make(session, name)
        except ProblemError as error:
            faults.append(str(error))
            return None
        finally:
            advance()

    with (
        Session(options.kit, options.device, options.limits) as session,
        progress_bar(options, len(names), "Making keys") as advance,
        threads(os.cpu_count() or 1, session.abort) as pool,
    ):
        made = dict(zip(names, pool.map(one, names), strict=True))
    return {name: data for name, data in made.items() if data is not None}, faults
