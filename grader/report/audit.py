"""Audits for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rich.text import Text

from grader.author.finding import Audited, Placed
from grader.kit.software import installed_version
from grader.kit.text import beginning, clean, counted
from grader.report.table import Cell, print_table
from grader.report.terminal import Terminal

SCHEMA = "grader/audit/2"
CANDIDATES = 5
SOURCE = 60
"""The most characters of a line of a reference that are shown."""
"""How many killed mutants that no pitfall names are shown, unless the user wants all."""
LEFT_OUT = "What takes longer, mistakes and mutants among it, is tried once this is fixed, or with --mutants."


def audit_document(audited: Sequence[Audited], device: str) -> str:
    """Several audits as one JSON document: `grader/audit/2`, described by `schemas/audit-2.json`.

    Args:
        device: the requested platform: cpu, gpu or tpu.
    """
    return json.dumps(
        {
            "schema": SCHEMA,
            "platform": device,
            "confinement": "none",  # an audit runs the kit's own code, which is trusted
            "versions": {name: installed_version(name) for name in ("grader", "jax", "flax")},
            "audits": [_one(problem_audit) for problem_audit in audited],
        },
        allow_nan=False,
        indent=1,
    )


def _one(audited: Audited) -> dict[str, Any]:
    mutation = audited.mutation_score
    return {
        "problem": audited.problem,
        "sound": audited.sound,
        "findings": [
            {"check": found.check, "file": found.file, "line": found.line, "message": found.message}
            for found in audited.findings
        ],
        "score": None if mutation is None else {key: mutation[key] for key in ("killed", "mutants", "equal")},
        "survivors": [] if mutation is None else mutation["survivors"],
        "explained": [] if mutation is None else mutation["explained"],
        "candidates": [] if mutation is None else mutation["candidates"],
        "sets": audited.sets,
        "equals": [
            {"set": list(larger), "told_as": list(smaller), "forms": forms} for larger, smaller, forms in audited.equals
        ],
        "places": [{"pitfall": pitfall, "lines": list(lines)} for pitfall, lines in audited.places],
        "left_out": audited.left_out,
        "seconds": audited.seconds,
    }


def print_audit(terminal: Terminal, audited: Audited, *, every: bool, lines: Sequence[str]) -> None:
    """Print one audit with all its findings.

    Args:
        every: show all killed mutants that no pitfall names, not only the first few.
        lines: the lines of the worked answer, to show the lines of the mutants.
    """
    state = ("sound", "bold green") if audited.sound else (counted(len(audited.findings), "finding"), "bold red")
    terminal.text(Text.assemble((audited.problem, "bold"), "   ", state, f"   {audited.seconds:.1f} s"))
    findings(terminal, audited)
    if audited.left_out:
        terminal.line()
        terminal.line(LEFT_OUT)
    if audited.mutation_score is None:
        return
    terminal.line()
    terminal.line(
        f"{score(audited.mutation_score)}. {counted(audited.sets, 'set')} of one and two pitfalls told from the truth."
    )
    if audited.equals:
        pairs = ", ".join(
            f"{' + '.join(larger)} ({forms}) as {' + '.join(smaller)}" for larger, smaller, forms in audited.equals
        )
        terminal.line(f"Equal to a smaller set, and told as that: {pairs}.")
    if audited.places:
        terminal.line(_places(audited.places))
    for mutant in audited.mutation_score["explained"]:
        terminal.line(f"Explained, line {mutant['line']}: {clean(mutant['text'])}, {clean(mutant['why'])}")
    _candidates(terminal, audited.mutation_score["candidates"], every=every, lines=lines)


def _places(places: Sequence[Placed]) -> str:
    """For how many pitfalls the place is found, in words."""
    without = [pitfall for pitfall, lines in places if not lines]
    found = len(places) - len(without)
    said = f"With the mistakes made in the worked answer, the place is found for {found} of "
    said += counted(len(places), "pitfall")
    return f"{said}, and not for {', '.join(without)}." if without else f"{said}."


def score(mutation: Mapping[str, Any]) -> str:
    """The mutation score, in words."""
    killed, mutants = mutation["killed"], mutation["mutants"]
    part = f"{100 * killed // mutants} %" if mutants else "none"
    return (
        f"Mutants of the worked answer: {killed} of {mutants} killed, {part} ({mutation['equal']} more equal the truth)"
    )


def findings(terminal: Terminal, audited: Audited) -> None:
    """Print each finding as one line of any length: a terminal wraps it, and an editor can jump to its place."""
    for found in audited.findings:
        terminal.console.print(
            Text.assemble(" ", (found.place, "bold"), f": {found.check}: {' '.join(clean(found.message).split())}"),
            soft_wrap=True,
        )


def _candidates(
    terminal: Terminal, candidates: Sequence[Mapping[str, Any]], *, every: bool, lines: Sequence[str]
) -> None:
    if not candidates:
        return
    shown = candidates if every else candidates[:CANDIDATES]
    terminal.line()
    terminal.line(
        f"{counted(len(candidates), 'mutant')} killed that no pitfall names. Is one of them a mistake people make?"
    )
    for mutant in shown:
        number: int = mutant["line"]
        source = beginning(lines[number - 1], SOURCE) if 0 < number <= len(lines) else ""
        place = f"line {number:>3}  {mutant['text']}: {source}" if number else f"in a library: {mutant['text']}"
        terminal.line(place, indent=3)
    if len(shown) < len(candidates):
        terminal.line(f"and {len(candidates) - len(shown)} more: --mutants shows all", indent=3)


def audits_table(terminal: Terminal, audited: Sequence[Audited]) -> None:
    """Print several audits, each in one line."""
    rows: list[Sequence[Cell]] = []
    for problem_audit in audited:
        killed = (
            f"{problem_audit.mutation_score['killed']}/{problem_audit.mutation_score['mutants']}"
            if problem_audit.mutation_score is not None
            else "-"
        )
        state = (
            Text("sound", "green")
            if problem_audit.sound
            else Text(counted(len(problem_audit.findings), "finding"), "red")
        )
        rows.append((problem_audit.problem, state, killed, f"{problem_audit.sets}", f"{problem_audit.seconds:.1f}"))
    headers = ("problem", "audit", "mutants killed", "sets", "seconds")
    print_table(terminal, headers, rows, optional=("seconds", "sets", "mutants killed"))
    terminal.line()
    terminal.line(f"{sum(problem_audit.sound for problem_audit in audited)} of {len(audited)} sound")
    if left_out := sum(problem_audit.left_out for problem_audit in audited):
        terminal.line(f"{counted(left_out, 'problem')} audited in part. {LEFT_OUT}")
