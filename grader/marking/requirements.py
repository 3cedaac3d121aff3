"""What a problem asks of an answer beside its values, and how an answer violates that: its contract, and its program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from grader.marking import asked
from grader.marking.asked import STOPPED, UNCHECKED, Asked, Breach, Outline
from grader.marking.attempt import Attempt
from grader.marking.contracts import CONTRACTS
from grader.marking.error_advice import raised_from
from grader.marking.exact import Replayed
from grader.marking.facts import Facts
from grader.marking.verdict import LOOP_REMOVED, X64, Diagnosis, Named, Raised, Status, Verdict

CONFINED = ("A", "B")
"""The tiers of answers that nobody trusts."""


@dataclass(frozen=True)
class Violation:
    """One way in which an answer is not as its problem asks.

    Attributes:
        named: the mistake.
        but: the end of a sentence that begins "Right on all cases, but".
        raised: the exception that shows it; None if there is none.
        as_written: whether the values are those of the answer as written, and not under a contract.
    """

    named: Named
    but: str
    raised: Raised | None = None
    as_written: bool = False

    def told(self, verdict: Verdict) -> Verdict:
        """The verdict on the values, with this violation."""
        named, raised = (self.named, *verdict.diagnosis.named), self.raised or verdict.raised
        if verdict.status is not Status.CORRECT:
            message = f"{verdict.message} Moreover, {self.but}"
            return replace(verdict, message=message, diagnosis=replace(verdict.diagnosis, named=named), raised=raised)
        written = " as written" if self.as_written else ""
        return replace(
            verdict,
            status=Status.WRONG,
            message=f"{verdict.message.removesuffix('.')}{written}, but {self.but}",
            diagnosis=Diagnosis(named, explained=True),
            raised=raised,
            insights=tuple(one for one in verdict.insights if one.name in (LOOP_REMOVED, X64)),
        )


def violations(attempt: Attempt, facts: Facts) -> Iterator[Violation]:
    """How an answer violates what its problem asks, as its process found it: the contract first."""
    if attempt.broken is not None:
        contract = CONTRACTS[facts.contract]
        named = contract.named(attempt.broken, facts.wrt)
        yield Violation(named, contract.but(attempt.broken), _raised(attempt.broken.raised), as_written=True)
    if attempt.stopped is not None:
        yield _breached(Breach(STOPPED, raised=attempt.stopped), facts)
    elif attempt.outlines and (breach := asked.breach(attempt.outlines, facts.asked)):
        yield _breached(breach, facts)


def violation_of_programs(attempt: Attempt, facts: Facts, programs: Replayed | None) -> Violation | None:
    """How the programs of an answer that is right violate what its problem asks, as another process found it.

    The process of an answer can say anything of its programs. What is evaluated elsewhere and gives the right values has the
    operations that it has.

    Args:
        programs: those of the answer; None if they were not evaluated, or are not right. An answer that nobody trusts is not
            believed then.
    """
    # Where a derivative is asked for, its programs are evaluated, and no others. An answer in NumPy alone has no program.
    if facts.asked == Asked() or facts.wrt or all(one == Outline() for one in attempt.outlines):
        return None
    outlines = None if programs is None else programs.outlines()
    if outlines is None:
        return _breached(Breach(UNCHECKED), facts) if attempt.confinement in CONFINED else None
    breach = asked.breach(outlines, asked.of_evaluated(facts.asked))
    return None if breach is None else _breached(breach, facts)


def _breached(breach: Breach, facts: Facts) -> Violation:
    return Violation(asked.named(breach, facts.asked, facts), asked.but(breach, facts.asked), _raised(breach.raised))


def _raised(described: Mapping[str, Any] | None) -> Raised | None:
    if described is None:
        return None
    # After its first line, JAX's message describes the function that was traced, which is the grader's own.
    raised = raised_from(described)
    return replace(raised, message=(raised.message.strip().splitlines() or [""])[0])
