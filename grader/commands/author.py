"""The commands of instructors: audit, new, release. Each returns an exit status."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import click

from grader.author import new as new_problem
from grader.author import statement_checks
from grader.author.audit import PARTS, audit
from grader.author.finding import Audited
from grader.author.key import README, plan_export, write
from grader.author.new import Plan
from grader.author.translation_checks import check_translation, is_translated, translation_files
from grader.commands.console import progress_bar
from grader.commands.learner import catalogue
from grader.commands.parameters import CommonOptions, common, name, translated
from grader.kit.files import size_text, write_atomically
from grader.kit.kit import Kit, KitError, command, for_new
from grader.kit.output import write_new
from grader.kit.problem_error import ProblemError
from grader.kit.statement import DIFFICULTIES
from grader.kit.text import counted
from grader.locale.language import ENGLISH, LANGUAGES
from grader.options import Options
from grader.oracle.answer_key import is_current
from grader.oracle.draws import Sample
from grader.report.audit import audit_document, audits_table, findings, print_audit
from grader.report.terminal import Terminal
from grader.run.judge.cores import threads
from grader.session import Session

WATCH_MS = 200

T = TypeVar("T")


@click.command()
@name
@click.option("--title", metavar="TEXT", help="What the problem is called.")
@click.option("--track", metavar="TEXT", help="Of this track [else you are asked].")
@click.option("--difficulty", metavar="LEVEL", help="easy, medium or hard.")
@click.option("--signature", metavar="LIST", help="Parameters after seed: 'T, d_model, rate: float'.")
@translated
@common
def new(
    given: CommonOptions,
    name: str,
    title: str | None,
    track: str | None,
    difficulty: str | None,
    signature: str | None,
    translated: str | None,
) -> int:
    if translated not in (None, ENGLISH):
        if title or track or difficulty or signature:
            raise click.UsageError("--lang begins a translation of a problem that is there: give its name alone")
        return new_translation(given.options(), name, translated)
    return run_new(given.options(for_new(given.kit)), name, title, track, difficulty, signature)


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
    new_problem.check_name(kit, name)
    given = {"title": title, "track": track, "difficulty": difficulty, "signature": signature}
    missing = [f"--{option}" for option, value in given.items() if value is None]
    if missing and not sys.stdin.isatty():
        raise KitError(f"There is no terminal to ask on: give {', '.join(missing)} as well.")
    tracks = sorted({problem.track for problem in catalogue(kit) if problem.track})
    levels = f"Difficulty ({', '.join(DIFFICULTIES)})"
    plan = Plan(
        name,
        _given(title, partial(new_problem.check_line, "title"), "Title"),
        _given(track, partial(new_problem.check_line, "track"), "Track", tracks[-1] if tracks else None),
        _given(difficulty, new_problem.check_difficulty, levels, "medium"),
        _given(signature, new_problem.parse_signature, "Parameters after seed", "T"),
    )
    terminal = Terminal.make(colour=options.colour)
    for path in new_problem.write_problem(kit, plan):
        terminal.to_do(kit.opened(path))
    terminal.line()
    terminal.to_do(f"Fill in what is marked {statement_checks.GAP}. What is still to do: {kit.command('audit', name)}")
    return 0


def _given(value: str | None, check: Callable[[str], T], question: str, default: str | None = None) -> T:
    """A checked option. Where it was not given, ask for it until it is right.

    Raises:
        KitError: if an option that was given is wrong.
    """
    if value is not None:
        return check(value)

    def checked(reply: str) -> T:
        try:
            return check(reply)
        except KitError as error:
            raise click.UsageError(str(error)) from error  # click prints it, and asks again

    return click.prompt(question, default=default, value_proc=checked)


def _nothing(kit: Kit) -> str:
    return f"There is no problem in {kit.root / 'problems'}: make one with `{kit.command('new', 'NAME')}`."


def run_audit(options: Options, names: Sequence[str], *, mutants: bool, watch: bool) -> int:
    """Audit the problems named, or all if none is; return 1 if one of them is not sound.

    Raises:
        KitError: if there is nothing to audit, or the kit has no solutions.
    """
    kit = options.kit
    chosen = [kit.resolve(name) for name in dict.fromkeys(names)] or [problem.name for problem in catalogue(kit)]
    if not chosen:
        raise KitError(_nothing(kit))
    status = _audit_once(options, chosen, mutants=mutants)
    if not watch:
        return status
    for changed in _changes(options, chosen):
        _audit_once(options, changed, mutants=mutants)
    return 0


def audit_translations(options: Options, names: Sequence[str], language: str) -> int:
    """Check the translations of the problems named, or of all, into a language, and say how much is translated.

    Returns 1 if one of them is not sound.
    """
    kit = options.kit
    chosen = [kit.resolve(name) for name in dict.fromkeys(names)] or list(kit.names)
    audited = [check_translation(kit, name, language) for name in chosen]
    if options.json:
        print(audit_document(audited, options.device))
    else:
        terminal = Terminal.make(colour=options.colour)
        for problem_audit in audited:
            if problem_audit.findings:
                _print(terminal, kit, problem_audit, whole=False, every=False)
        translated = [name for name in chosen if is_translated(kit, name, language)]
        terminal.line(f"{len(translated)} of {len(chosen)} lessons are translated into {LANGUAGES[language]}.")
    return 0 if all(problem_audit.sound for problem_audit in audited) else 1


def new_translation(options: Options, name: str, language: str) -> int:
    """Make the files of a translation, with the English texts in them, to be translated.

    Raises:
        KitError: if one of them is there already.
    """
    kit = options.kit
    files = translation_files(kit, kit.resolve(name), language)
    if there := [path for path in files if path.exists()]:
        raise KitError(f"{kit.opened(there[0])} is there already: translate it, or remove it.")
    for path, text in files.items():
        write_atomically(path, text.encode())
    terminal = Terminal.make(colour=options.colour)
    terminal.to_do(f"Translate {' and '.join(kit.opened(path) for path in files)}.")
    terminal.to_do(f"Then: {kit.command('audit', name, '--lang', language)}")
    return 0


def _audit_once(options: Options, names: Sequence[str], *, mutants: bool) -> int:
    terminal = Terminal.make(colour=options.colour)
    workers = min(PARTS * len(names), os.cpu_count() or 1)
    alone = len(names) == 1
    with (
        Session(options.kit, options.device, options.limits) as session,
        progress_bar(options, PARTS * len(names), "Auditing") as bar,
    ):
        audited = list(audit(session, names, max(3, workers), bar.advance, every=mutants))
    # Print only now: the bar would overwrite it.
    for problem_audit in audited:
        if not options.json and (alone or mutants or problem_audit.findings):
            _print(terminal, options.kit, problem_audit, whole=alone or mutants, every=mutants)
    if options.json:
        print(audit_document(audited, options.device))
    elif not alone:
        audits_table(terminal, audited)
    return 0 if all(problem_audit.sound for problem_audit in audited) else 1


def _print(terminal: Terminal, kit: Kit, audited: Audited, *, whole: bool, every: bool) -> None:
    located = [
        replace(finding, file=kit.located(finding.file), message=kit.located(finding.message))
        for finding in audited.findings
    ]
    audited = replace(audited, findings=tuple(located))
    if not whole:
        findings(terminal, audited)
        return
    reference = kit.answer(audited.problem)
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


def release(
    options: Options, names: Sequence[str], export: Path | None, *, force: bool = False, places: bool = True
) -> int:
    """Write a kit without solutions, or only the answer keys of the problems named, or of all.

    Each key is written when it is made. A key that is there already and fits is not made again.

    Args:
        export: the folder of that kit; None to write the keys alone, beside their statements.
        force: whether to write over what that folder holds.
        places: whether the keys tell the places of mistakes.

    Raises:
        KitError: if there is no problem, or the kit cannot be written to that folder.
        ProblemError: if a file of the kit cannot be handed out.
    """
    kit = options.kit
    chosen = [kit.resolve(name) for name in dict.fromkeys(names)] or list(kit.names)
    if not chosen:
        raise KitError(_nothing(kit))
    if not any(kit.answer(name).is_file() for name in chosen):
        raise KitError(
            f"There is no worked answer in {kit.opened(kit.root / 'solutions')}/{f' for {names[0]}' if names else ''}, and "
            "keys are made from worked answers: this kit was handed out without solutions."
        )
    target = kit
    if export is not None:
        write_new(export, plan_export(kit, chosen, export, force=force), force=True)
        target = Kit(export.resolve())
    errors = Terminal.make(colour=options.colour, stderr=True)
    try:
        made, faults = _write_keys(options, chosen, target, places=places)
    except KeyboardInterrupt:
        written = sum(is_current(kit, name, options.device, target.key(name), places=places) for name in chosen)
        errors.fault(
            f"Stopped: {written} of {counted(len(chosen), 'key')} are written. The same command goes on from there."
        )
        raise
    for fault in faults:
        errors.fault(f"A fault of the kit: {kit.located(fault)}")
    terminal = Terminal.make(colour=options.colour)
    size = size_text(sum(target.key(name).stat().st_size for name in made))
    kept = len(made) - sum(made.values())
    already = f", {kept} of them there already" if kept else ""
    if export is None:
        terminal.line(f"{counted(len(made), 'key')} in {kit.opened(kit.root / 'problems')}/, {size}{already}.")
        return 2 if faults else 0
    if faults:
        lacking = counted(len(faults), "problem")
        errors.fault(f"{export} has no key for {lacking}: fix the kit, then give the same command again. It goes on.")
        return 2
    terminal.line(f"{export}: a kit of {counted(len(made), 'problem')} without solutions, its keys {size}{already}.")
    terminal.to_do(f"Its {README} tells learners how to install, begin and hand in. To grade it: {command(kit=export)}")
    return 0


def _write_keys(
    options: Options, names: Sequence[str], target: Kit, *, places: bool
) -> tuple[dict[str, bool], list[str]]:
    """For each key that is now in the target, whether it was made; and the faults of the other problems."""
    made: dict[str, bool] = {}
    faults: list[str] = []
    working: list[str] = []
    stopped = threading.Event()
    samples: dict[bool, Sample] = {}
    terminal = Terminal.make(colour=options.colour)

    errors = Terminal.make(colour=options.colour, stderr=True)
    on_terminals = terminal.console.is_terminal and errors.console.is_terminal

    def stop() -> None:
        stopped.set()
        session.abort()

    def one(name: str) -> None:
        started = time.monotonic()
        working.append(name)
        bar.working_on(working)
        if not on_terminals:
            errors.line(f"Making the key of {name}.", "dim")
        try:
            made[name] = write(session, name, target, samples, places=places)
        except ProblemError as error:
            if stopped.is_set():
                return  # the problem has no fault: its process was ended
            faults.append(str(error))
        finally:
            working.remove(name)
        bar.working_on(working)
        bar.advance()
        if name in made and not on_terminals:  # a bar is shown there instead
            how = f"written, {time.monotonic() - started:.1f} s" if made[name] else "there already"
            path = target.key(name)
            terminal.to_do(f"{target.opened(path)}: {how}, {size_text(path.stat().st_size)}")

    # The longest text first: it often takes longest, and at the end no core then waits for it.
    ordered = sorted(names, key=lambda name: -_length(options.kit.answer(name)))
    with (
        Session(options.kit, options.device, options.limits) as session,
        progress_bar(options, len(names), "Making keys") as bar,
        threads(os.cpu_count() or 1, stop) as pool,
    ):
        list(pool.map(one, ordered))
    return {name: made[name] for name in names if name in made}, sorted(faults)


def _length(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0
