"""How much of a verdict is told: where answers are not trusted, messages must not give away what they hide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.marking import common_mistakes
from grader.marking.contracts import CONTRACTS
from grader.marking.verdict import CaseResult, Named, Status, Verdict
from grader.options import Policy

FULL, VERDICT = "full", "verdict"

_GENERAL = frozenset((*common_mistakes.NAMES, *(contract.mistake for contract in CONTRACTS.values())))


def limited(verdict: Verdict, level: str) -> Verdict:
    """A verdict with what a level of feedback leaves of it.

    `full` leaves all. `diagnosis` leaves the status, the mistakes by name with their hints, and which cases fail: no
    expected value, no error, nothing computed from one. `verdict` leaves the status alone.
    """
    if level == FULL:
        return verdict
    if level == VERDICT:
        return Verdict(
            verdict.problem,
            verdict.status,
            _SAID[verdict.status],
            file=verdict.file,
            seconds=verdict.seconds,
            device=verdict.device,
            confinement=verdict.confinement,
        )
    diagnosis = replace(verdict.diagnosis, named=tuple(_without_numbers(one) for one in verdict.diagnosis.named))
    cases = tuple(CaseResult(case.args, case.status, None, None) for case in verdict.cases)
    insights = tuple(one for one in verdict.insights if one.name != "imprecise")
    return replace(verdict, diagnosis=diagnosis, cases=cases, insights=insights, excerpt=None)


def in_force(policy: Policy, verdicts: Sequence[Verdict]) -> str:
    """What was in force in a run, and how its inputs can be had again; empty where nothing special was."""
    said: list[str] = []
    if policy.confine:
        said.append(f"Confined: tier {max((one.confinement for one in verdicts), default='none')}.")
    if policy.fresh is not None:
        said.append(f"The same fresh inputs again: --fresh {policy.fresh}")
    return " ".join(said)


_SAID = {
    Status.CORRECT: "Right.",
    Status.WRONG: "Wrong.",
    Status.ERROR: "It raises an exception.",
    Status.TIMEOUT: "It takes too long.",
    Status.MEMORY: "It needs too much memory.",
    Status.CRASH: "Its process ended before it returned a value.",
    Status.UNATTEMPTED: "Not filled in yet.",
}


def _without_numbers(named: Named) -> Named:
    """A mistake that any problem can have tells what was seen in the numbers: only its name and its question stay."""
    return replace(named, why="") if named.name in _GENERAL else named
