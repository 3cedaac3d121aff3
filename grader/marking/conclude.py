"""The verdict, from what an answer gave and what is known about its problem. NumPy only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.marking import common_mistakes, requirements
from grader.marking.advice import asks_for_too_much, first_lines, raised_from
from grader.marking.answer_evidence import AnswerEvidence
from grader.marking.attempt import OUTSIDE, Attempt, Whereabouts
from grader.marking.comparison import MOST_TOLERANCES_OF_VALUES, MOST_TOLERANCES_WITH_PROGRAM, Judged, all_pass, judge
from grader.marking.excerpt import arguments_text, drawable, due_of, excerpt
from grader.marking.facts import Facts, Fresh, ProgramRequirements
from grader.marking.precision import as_called, hidden_by_rounding, imprecise
from grader.marking.requirements import (
    CONTRACTS,
    DIFFERS,
    MISUSES,
    RAISES,
    STOPPED,
    UNCHECKED,
    UnmetRequirement,
    Violation,
)
from grader.marking.sample import sample_of
from grader.marking.verdict import (
    HIDDEN,
    LONG_TRACE,
    LOOP_REMOVED,
    NOT_TRACEABLE,
    UNUSED_UPDATE,
    X64,
    XOR,
    CaseResult,
    Cause,
    Described,
    Diagnosis,
    Insight,
    Printed,
    Raised,
    Status,
    Verdict,
    Where,
    smallest_failing,
)
from grader.values.arrays import Answered
from grader.values.message import Message, message, plural_message, sentences, verbatim
from grader.values.outline import Outline

CONFINED_TIERS = ("A", "B")
"""The tiers of answers that nobody trusts."""


def with_unmet(verdict: Verdict, unmet: UnmetRequirement) -> Verdict:
    """A verdict on the values, with a requirement that the answer does not meet."""
    named, raised = (unmet.named, *verdict.diagnosis.named), _raised(unmet.raised) or verdict.raised
    if verdict.status is not Status.CORRECT:
        message = sentences(verdict.message, unmet.moreover)
        return replace(verdict, message=message, diagnosis=replace(verdict.diagnosis, named=named), raised=raised)
    return replace(
        verdict,
        status=Status.WRONG,
        message=unmet.but,
        diagnosis=Diagnosis(named, explained=True),
        raised=raised,
        insights=tuple(insight for insight in verdict.insights if insight.name in (LOOP_REMOVED, X64)),
    )


def unmet_requirements(answer: AnswerEvidence) -> Iterator[UnmetRequirement]:
    """What an answer does not meet of what its problem asks: the contract first.

    The process of an answer can say anything of its programs. What is evaluated elsewhere and gives the right values uses
    the keys that it uses, and has the operations that it has. What the process says counts beside that, for a program that
    cannot be sent, and for families that are not kept in what is sent.
    """
    attempt, facts = answer.attempt, answer.facts
    broken = attempt.broken and Violation(RAISES, raised=attempt.broken)
    if (violation := broken or _reused(answer)) is not None:
        yield CONTRACTS[facts.contract].unmet(violation, len(facts.cases), facts.wrt)
    if attempt.traced.stopped is not None:
        yield _unmet(Violation(STOPPED, raised=attempt.traced.stopped), facts)
    elif (violation := _of_program(answer)) is not None:
        yield _unmet(violation, facts)


def not_checked(answer: AnswerEvidence) -> UnmetRequirement | None:
    """What an answer that nobody trusts does not meet if its program is looked at and was not evaluated, or is not right."""
    looked_at = answer.facts.asked != ProgramRequirements() or (
        answer.contract is not None and answer.contract.misused is not None
    )
    if (
        not looked_at
        or answer.right_value
        or answer.attempt.run.confinement not in CONFINED_TIERS
        or _in_numpy_alone(answer.attempt)
    ):
        return None
    return _unmet(Violation(UNCHECKED), answer.facts)


def _reused(answer: AnswerEvidence) -> Violation | None:
    """How the programs use a key more than once, if the contract forbids that.

    How often may depend on the arguments. So the case that the report shows is told, and another case is named.
    """
    if answer.contract is None or answer.contract.misused is None or answer.programs is None:
        return None
    found = answer.programs.reused() or ()
    shown = answer.reported.failing
    for case in sorted(range(len(found)), key=lambda case: case != shown):
        if (reused := found[case]) is not None:
            everywhere = all(other is not None and other.times == reused.times for other in found)
            shown_at = "" if everywhere or case == shown else arguments_text(answer.facts, case)
            return Violation(MISUSES, reused=reused, at=shown_at)
    return None


def _of_program(answer: AnswerEvidence) -> Violation | None:
    facts = answer.facts
    if facts.asked == ProgramRequirements():
        return None
    # Of a fresh call, nobody knows which operations are idle in the reference.
    said = answer.attempt.traced.outlines[: len(facts.cases)]
    seen = (answer.programs.outlines() or ()) if answer.programs is not None and answer.right_value else ()
    return (requirements.violation(said, facts.asked) if said else None) or (
        requirements.violation(seen, requirements.of_evaluated(facts.asked)) if seen else None
    )


def _in_numpy_alone(attempt: Attempt) -> bool:
    """Whether JAX computes nothing of it: such an answer has no program, and its outlines are empty."""
    traced = attempt.traced
    return (
        traced.programs is None and bool(traced.outlines) and all(outline == Outline() for outline in traced.outlines)
    )


def _unmet(violation: Violation, facts: Facts) -> UnmetRequirement:
    return requirements.unmet(violation, facts.asked, facts.arguments, len(facts.cases))


def _raised(described: Described | None) -> Raised | None:
    if described is None:
        return None
    raised = raised_from(described)
    if described.cause is not None:
        return raised
    # After its first line, JAX's message describes the function that was traced, which is the grader's own.
    return replace(raised, message=verbatim(first_lines(described.message, most=1)))


STUB = re.compile(r"(?:^|[:;])\s*raise\s+NotImplementedError\b")
"""The statement of a stub."""


def conclude(answer: AnswerEvidence, where: Sequence[Where] = ()) -> Verdict:
    """The verdict on an answer that was called on the cases and then on the fresh inputs, if there are any.

    An answer that is right on all cases must be right on the fresh inputs as well.

    Args:
        where: the places at which its programs go wrong (see `AnswerEvidence.to_locate`).
    """
    attempt, facts, fresh = answer.attempt, answer.facts, answer.fresh
    called = facts.with_cases(fresh.cases if fresh else ())
    if attempt.failure is not None:
        return _with_prints(_on_failure(attempt, attempt.failure, called), attempt, called, attempt.was.case)
    if attempt.raised is not None:
        return _with_prints(_on_exception(attempt, called), attempt, called, len(attempt.answered))
    rule_of = next((place.rule_of for place in where if place.rule_of), "")
    verdict = replace(_on_cases(answer, rule_of), where=tuple(where))
    for unmet in unmet_requirements(answer):
        verdict = with_unmet(verdict, unmet)
    if verdict.status is Status.CORRECT and (unmet := not_checked(answer)):
        verdict = with_unmet(verdict, unmet)
    if any(mistake.located for mistake in verdict.diagnosis.named):
        verdict = replace(verdict, where=())  # one place for one mistake
    failing = smallest_failing(verdict.cases)
    if fresh is not None and verdict.status is Status.CORRECT:
        exact = answer.of_programs.comparison if answer.of_programs else None
        band = MOST_TOLERANCES_WITH_PROGRAM if exact and all(exact.known) else MOST_TOLERANCES_OF_VALUES
        verdict, failing = _on_fresh(answer.beyond, facts, fresh, verdict, band)
    return _with_prints(verdict, attempt, called, failing)


def _with_prints(verdict: Verdict, attempt: Attempt, facts: Facts, case: int | None) -> Verdict:
    """The verdict with what the answer printed outside of its calls, and in the call that the report is about.

    Args:
        case: the index of that call. Without one, or if it was not made, it is the first call that printed.
    """
    printed, told = dict(attempt.printed), list[Printed]()
    if (outside := printed.pop(OUTSIDE, None)) and str(outside).strip():
        told.append(outside)
    if first := [index for index, text in sorted(printed.items()) if str(text).strip()][:1]:
        shown = case if case in printed else first[0]
        told.append(replace(printed[shown], call=arguments_text(facts, shown)))
    return replace(verdict, printed=tuple(told))


def _on_failure(attempt: Attempt, failure: Status, facts: Facts) -> Verdict:
    if failure is Status.ERROR:
        return Verdict(facts.name, failure, attempt.message)
    said = sentences(attempt.message, *_whereabouts(attempt.was, facts))
    return Verdict(facts.name, failure, said, stopped_at=attempt.was.frame)


def _whereabouts(was: Whereabouts, facts: Facts) -> list[Message]:
    """The sentences on where an answer was; none if nobody knows."""
    contract = CONTRACTS.get(facts.contract)
    arguments = arguments_text(facts, was.case) if was.case >= 0 else ""
    match was.step:
        case "load":
            return [message("Its file was being loaded, before any call.")]
        case "call" if arguments:
            return [message("It was in the call with {arguments}.", arguments=arguments)]
        case "call":
            return [message("It was in the call.")]
        case "check" if contract:
            asked = contract.asks_for
            if not arguments:
                return [message("It was in a second call, for the check of: {asked}.", asked=asked)]
            return [
                message(
                    "It was in a second call with {arguments}, for the check of: {asked}.",
                    arguments=arguments,
                    asked=asked,
                )
            ]
        case "compile":
            return [message("JAX was compiling all calls as one program.")]
        case "run":
            endless = [message("This loop may have no end:")] if was.frame else []
            return [message("The compiled program of all calls was running."), *endless]
        case _:
            return []


def _on_exception(attempt: Attempt, facts: Facts) -> Verdict:
    assert attempt.raised is not None
    raised = raised_from(attempt.raised)
    first = not attempt.answered
    if first and _is_stub(raised, facts.name):
        said = message(
            "Not filled in yet: it still raises NotImplementedError. Delete that line once your own lines are there, and "
            "end them with `return`."
        )
        return Verdict(facts.name, Status.UNATTEMPTED, said)
    if asks_for_too_much(attempt.raised):
        return Verdict(facts.name, Status.MEMORY, message("It asked for more memory than there is."), raised=raised)
    count = len(attempt.answered)
    if attempt.raised.cause in (Cause.NO_FUNCTION, Cause.OTHER_FUNCTIONS):
        said = message(
            "The file has no `def {name}({parameters})`.", name=facts.name, parameters=", ".join(facts.parameters)
        )
    elif first and (not raised.frames or raised.frames[0].function == "<module>"):
        said = message("It raises {exception} before it is called.", exception=raised.kind)
    elif count < len(facts.cases):
        arguments = arguments_text(facts, count)
        said = message("It raises {exception} at {arguments}.", exception=raised.kind, arguments=arguments)
    else:
        said = message("It raises {exception}.", exception=raised.kind)
    return Verdict(facts.name, Status.ERROR, said, raised=raised)


def _is_stub(raised: Raised, name: str) -> bool:
    """Whether it is the stub's own statement that was reached, and no error of JAX that has the same type."""
    last = raised.frames[-1] if raised.frames else None
    return last is not None and last.function == name and bool(STUB.search(last.text))


def _on_cases(answer: AnswerEvidence, rule_of: str) -> Verdict:
    """The verdict on the cases. `rule_of` is the function whose derivative rule is wrong, if a place is in one."""
    facts, written = answer.facts, answer.written
    if answer.change:
        said = message("Called twice with the same arguments, it gives different numbers.")
        diagnosis = Diagnosis((common_mistakes.not_deterministic(answer.change),), explained=True)
        return _wrong(facts, said, diagnosis, written.measured)
    verdict, contract = _on_values(answer), answer.contract
    if answer.reported is written or contract is None:
        return verdict
    only_in_float64 = any(insight.name == HIDDEN for insight in verdict.insights)  # the values may be wrong there too
    if verdict.status is Status.CORRECT or not all_pass(written.judged) or only_in_float64 or answer.wrong_in_the_value:
        return verdict
    unmet = contract.unmet(Violation(DIFFERS), len(written.judged), facts.wrt, rule_of)
    if contract.derivative and verdict.diagnosis.explained:
        return replace(verdict, message=unmet.but)
    named = (unmet.named, *verdict.diagnosis.named)
    differs = _wrong(facts, unmet.but, Diagnosis(named, explained=True), written.measured)
    return replace(differs, excerpt=verdict.excerpt, drawable=verdict.drawable)


def _on_values(answer: AnswerEvidence) -> Verdict:
    evidence, facts, insights = answer.reported, answer.facts, answer.attempt.insights
    truth, judged, failing = evidence.truth, evidence.judged, evidence.failing
    to_draw, called = drawable(evidence), as_called(evidence)
    if failing is None:
        said = plural_message("Right.", "Right on all {count} cases.", len(judged))
        # A problem that asks how a program grows allows what it does, and one with layers lets answers write them down.
        unsaid = (XOR, UNUSED_UPDATE, *((LONG_TRACE,) if facts.asked.grows or facts.repeats else ()))
        remarks = (_of_right_answer(insight) for insight in insights if insight.name not in unsaid)
        told = (*imprecise(evidence), *called, *remarks)
        cases = _results(facts, judged)
        return Verdict(facts.name, Status.CORRECT, said, cases=cases, insights=told, drawable=to_draw)
    right = sum(case.passed for case in judged)
    said = message(
        "Right on {right} of {count} cases. The smallest that fails is {arguments}.",
        right=right,
        count=len(judged),
        arguments=arguments_text(facts, failing),
    )
    names = (LOOP_REMOVED, X64, UNUSED_UPDATE, *(() if answer.diagnosis.explained else (XOR,)))
    remarks = (insight for insight in insights if insight.name in names)
    return replace(
        _wrong(facts, said, answer.diagnosis, judged),
        insights=(*hidden_by_rounding(evidence, failing), *called, *remarks),
        excerpt=excerpt(judged[failing], due_of(evidence, failing), truth.shapes[failing], facts.axes, evidence.parts),
        sample="" if answer.diagnosis.explained else sample_of(evidence),
        drawable=to_draw,
    )


def _of_right_answer(insight: Insight) -> Insight:
    """A remark, with what it means for an answer that is right."""
    if insight.name != NOT_TRACEABLE:
        return insight
    same = message("The verdict is the same: this problem does not ask for that.")
    return replace(insight, message=sentences(insight.message, same))


def _on_fresh(
    beyond: Sequence[Answered], facts: Facts, fresh: Fresh, verdict: Verdict, band: float
) -> tuple[Verdict, int | None]:
    """The verdict on an answer that is right on all cases, with its values on the fresh inputs, and which call fails."""
    pairs = zip(beyond, fresh.truth.expected, fresh.truth.dtypes, strict=True)
    judged, count = [judge(pair, due, dtype).at_tolerances(band) for pair, due, dtype in pairs], len(facts.cases)
    failing = smallest_failing(judged)
    if failing is None:
        if len(judged) < 2:
            said = plural_message(
                "Right on the one case, and on one fresh input.",
                "Right on all {count} cases, and on one fresh input.",
                count,
            )
        else:
            said = plural_message(
                "Right on the one case, and on {inputs} fresh inputs.",
                "Right on all {count} cases, and on {inputs} fresh inputs.",
                count,
            )
        return replace(verdict, message=said.with_fields(inputs=len(judged))), None
    pairs = zip(facts.parameters, fresh.cases[failing], strict=True)
    arguments = ", ".join(f"{name}={value}" for name, value in pairs)
    said = plural_message(
        "Right on the one case, and wrong on fresh inputs: {arguments}.",
        "Right on all {count} cases, and wrong on fresh inputs: {arguments}.",
        count,
        arguments=arguments,
    )
    wrong = replace(
        verdict,
        status=Status.WRONG,
        message=said,
        diagnosis=Diagnosis((common_mistakes.only_the_cases(),), explained=True),
    )
    return wrong, count + failing


def _wrong(
    facts: Facts, said: Message, diagnosis: Diagnosis, judged: Sequence[Judged], raised: Raised | None = None
) -> Verdict:
    cases = _results(facts, judged)
    return Verdict(facts.name, Status.WRONG, said, diagnosis=diagnosis, cases=cases, raised=raised)


def _results(facts: Facts, judged: Sequence[Judged]) -> tuple[CaseResult, ...]:
    return tuple(
        CaseResult(facts.arguments(index), case.passed, case.error, case.tolerance, case.size)
        for index, case in enumerate(judged)
    )
