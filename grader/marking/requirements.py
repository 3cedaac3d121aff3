"""What a problem asks of an answer beside its values, and how an answer violates that: its contract, and its program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from grader.marking import program_requirements
from grader.marking.answer_evidence import AnswerEvidence
from grader.marking.attempt import Attempt
from grader.marking.contracts import CONTRACTS, Broken
from grader.marking.error_advice import first_lines, raised_from
from grader.marking.excerpt import arguments_text
from grader.marking.facts import Facts
from grader.marking.program_requirements import STOPPED, UNCHECKED, Asked, Breach, Outline
from grader.marking.verdict import LOOP_REMOVED, X64, Described, Diagnosis, Named, Raised, Status, Verdict
from grader.values.message import Message, sentences, verbatim

CONFINED = ("A", "B")
"""The tiers of answers that nobody trusts."""


@dataclass(frozen=True)
class Violation:
    """One way in which an answer is not as its problem asks.

    Attributes:
        named: the mistake.
        but: the message on an answer that is right on all cases.
        moreover: the sentence that follows what is said of an answer that is wrong.
        raised: the exception that shows it; None if there is none.
    """

    named: Named
    but: Message
    moreover: Message
    raised: Raised | None = None

    def told(self, verdict: Verdict) -> Verdict:
        """The verdict on the values, with this violation."""
        named, raised = (self.named, *verdict.diagnosis.named), self.raised or verdict.raised
        if verdict.status is not Status.CORRECT:
            message = sentences(verdict.message, self.moreover)
            return replace(verdict, message=message, diagnosis=replace(verdict.diagnosis, named=named), raised=raised)
        return replace(
            verdict,
            status=Status.WRONG,
            message=self.but,
            diagnosis=Diagnosis(named, explained=True),
            raised=raised,
            insights=tuple(one for one in verdict.insights if one.name in (LOOP_REMOVED, X64)),
        )


def violations(answer: AnswerEvidence) -> Iterator[Violation]:
    """How an answer violates what its problem asks: the contract first.

    The process of an answer can say anything of its programs. What is evaluated elsewhere and gives the right values uses
    the keys that it uses, and has the operations that it has. What the process says counts beside that, for a program that
    cannot be sent, and for families that are not kept in what is sent.
    """
    attempt, facts = answer.attempt, answer.facts
    if (broken := attempt.broken or _reused(answer)) is not None:
        contract = CONTRACTS[facts.contract]
        named, but = contract.named(broken, facts.wrt), contract.but(broken, len(facts.cases))
        yield Violation(named, but, contract.moreover(broken), _raised(broken.raised))
    if attempt.stopped is not None:
        yield _breached(Breach(STOPPED, raised=attempt.stopped), facts)
    elif breach := _breach(answer):
        yield _breached(breach, facts)


def not_checked(answer: AnswerEvidence) -> Violation | None:
    """The violation of an answer that nobody trusts, if its program is looked at and was not evaluated, or is not right."""
    looked_at = answer.facts.asked != Asked() or (answer.contract is not None and answer.contract.misused is not None)
    if (
        not looked_at
        or answer.right_value
        or answer.attempt.confinement not in CONFINED
        or _in_numpy_alone(answer.attempt)
    ):
        return None
    return _breached(Breach(UNCHECKED), answer.facts)


def _reused(answer: AnswerEvidence) -> Broken | None:
    """How the programs use a key more than once, if the contract forbids that.

    How often may depend on the arguments. So the case that the report shows is told, and another case is named.
    """
    if answer.contract is None or answer.contract.misused is None or answer.programs is None:
        return None
    found = answer.programs.reused() or ()
    shown = answer.told.failing
    for case in sorted(range(len(found)), key=lambda case: case != shown):
        if (broken := found[case]) is not None:
            everywhere = all(one is not None and one.times == broken.times for one in found)
            return broken if everywhere or case == shown else replace(broken, at=arguments_text(answer.facts, case))
    return None


def _breach(answer: AnswerEvidence) -> Breach | None:
    facts, said = answer.facts, answer.attempt.outlines
    if facts.asked == Asked():
        return None
    seen = (answer.programs.outlines() or ()) if answer.programs is not None and answer.right_value else ()
    return (program_requirements.breach(said, facts.asked) if said else None) or (
        program_requirements.breach(seen, program_requirements.of_evaluated(facts.asked)) if seen else None
    )


def _in_numpy_alone(attempt: Attempt) -> bool:
    """Whether JAX computes nothing of it: such an answer has no program, and its outlines are empty."""
    return attempt.programs is None and bool(attempt.outlines) and all(one == Outline() for one in attempt.outlines)


def _breached(breach: Breach, facts: Facts) -> Violation:
    return Violation(
        program_requirements.named(breach, facts.asked, facts.arguments),
        program_requirements.but(breach, facts.asked, len(facts.cases)),
        program_requirements.moreover(breach, facts.asked),
        _raised(breach.raised),
    )


def _raised(described: Described | None) -> Raised | None:
    if described is None:
        return None
    raised = raised_from(described)
    if described.cause is not None:
        return raised
    # After its first line, JAX's message describes the function that was traced, which is the grader's own.
    first, *_ = [*first_lines(described.message).splitlines(), ""]
    return replace(raised, message=verbatim(first))
