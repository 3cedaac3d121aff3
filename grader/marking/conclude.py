"""The verdict, from what an answer gave and what is known about its problem. NumPy only."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from grader.marking import asked, common_mistakes
from grader.marking.asked import Breach
from grader.marking.attempt import Attempt
from grader.marking.compared import drawable, due_of
from grader.marking.contracts import CONTRACTS
from grader.marking.diagnose import diagnose
from grader.marking.draws import no_draws
from grader.marking.error_advice import NO_FUNCTION, raised_from
from grader.marking.exact import compare
from grader.marking.excerpt import arguments_text, excerpt
from grader.marking.facts import Facts, Fresh, Oracle, Truth
from grader.marking.judge import (
    ALONE,
    IMPRECISE,
    Answered,
    Judged,
    all_pass,
    difference,
    excess,
    judge,
    smallest_failure,
)
from grader.marking.low_precision import rounded_inside
from grader.marking.precision import as_called, hidden_by_rounding, imprecise, lost
from grader.marking.sample import kept
from grader.marking.second_look import Inquiry, Look, Places, look, nowhere
from grader.marking.verdict import (
    HIDDEN,
    LOOP_REMOVED,
    NOT_TRACEABLE,
    X64,
    XOR,
    CaseResult,
    Diagnosis,
    Raised,
    Status,
    Verdict,
)

STUB = re.compile(r"(?:^|[:;])\s*raise\s+NotImplementedError\b")
"""The statement of a stub."""


def conclude(
    attempt: Attempt, facts: Facts, oracle: Oracle, fresh: Fresh | None = None, inquiry: Inquiry | None = None
) -> Verdict:
    """The verdict on an answer that was called on the cases and then on the fresh inputs, if there are any.

    An answer that is right on all cases must be right on the fresh inputs as well.
    """
    inquiry = inquiry or Inquiry()
    called = facts.with_cases(fresh.cases if fresh else ())
    if attempt.failure is not None:
        return _on_failure(attempt, attempt.failure, called)
    if attempt.raised is not None:
        return _on_exception(attempt, called)
    on_cases, beyond = attempt.split(len(facts.cases))
    verdict = _on_program(on_cases.breach, _on_cases(on_cases, facts, oracle, inquiry), facts)
    if any(one.lines for one in verdict.diagnosis.named):
        verdict = replace(verdict, where=())  # one place for one mistake
    if fresh is None or verdict.status is not Status.CORRECT:
        return verdict
    exact = None if inquiry.replayed is None else compare(inquiry.replayed, oracle.truth())
    return _on_fresh(beyond, facts, fresh, verdict, IMPRECISE if exact and all(exact.known) else ALONE)


def _on_failure(attempt: Attempt, failure: Status, facts: Facts) -> Verdict:
    if failure is Status.ERROR:
        return Verdict(facts.name, failure, attempt.message)
    was = attempt.was
    call = f"call with {arguments_text(facts, was.case)}" if was.case >= 0 else "call"
    contract = CONTRACTS.get(facts.contract)
    where = {
        "load": " Its file was being loaded, before any call.",
        "call": f" It was in the {call}.",
        "check": f" It was in a second {call}, for the check of: {contract.asks_for}." if contract else "",
        "compile": " JAX was compiling all calls as one program.",
        "run": " The compiled program of all calls was running." + (" This loop may have no end:" if was.frame else ""),
    }
    return Verdict(
        facts.name, failure, attempt.message + where.get(was.step, ""), stopped_at=was.frame, endless=attempt.endless
    )


def _on_exception(attempt: Attempt, facts: Facts) -> Verdict:
    assert attempt.raised is not None
    raised: Raised = raised_from(attempt.raised)
    first = not attempt.answered
    if first and _is_stub(raised, facts.name):
        where = f"Not filled in yet: line {raised.frames[-1].line} raises NotImplementedError."
        message = f"{where} Delete that line once your own lines are there, and end them with `return`."
        return Verdict(facts.name, Status.UNATTEMPTED, message)
    if raised.kind == "MemoryError" or "RESOURCE_EXHAUSTED" in raised.message:
        return Verdict(facts.name, Status.MEMORY, "It asked for more memory than there is.", raised=raised)
    count = len(attempt.answered)
    where = f" at {arguments_text(facts, count)}" if count < len(facts.cases) else ""
    if first and (not raised.frames or raised.frames[0].function == "<module>"):
        where = " before it is called"
    message = f"It raises {raised.kind}{where}."
    if not raised.frames and raised.message.startswith(NO_FUNCTION):
        message = f"The file has no `def {facts.name}({', '.join(facts.parameters)})`."
    return Verdict(facts.name, Status.ERROR, message, raised=raised)


def _is_stub(raised: Raised, name: str) -> bool:
    """Whether it is the stub's own statement that was reached, and no error of JAX that has the same type."""
    last = raised.frames[-1] if raised.frames else None
    return last is not None and last.function == name and bool(STUB.search(last.text))


def _on_cases(attempt: Attempt, facts: Facts, oracle: Oracle, inquiry: Inquiry) -> Verdict:
    contract, truth = CONTRACTS.get(facts.contract), oracle.truth()
    truth_of_call = truth if contract is None else contract.truth_of_call(truth)
    as_written = _judge_all(attempt.answered, truth_of_call)
    derivative = contract is not None and contract.derivative
    # The programs of a derivative hold the values too: those of the call alone need no second look.
    of_call = Inquiry(inquiry.draws, band=IMPRECISE) if derivative else inquiry
    if change := _change(attempt, truth_of_call):
        message = "Called twice with the same arguments, it gives different numbers."
        diagnosis = Diagnosis((common_mistakes.not_deterministic(change),), explained=True)
        return _wrong(facts, message, diagnosis, as_written)
    if contract is None or (not attempt.broken and not attempt.transformed):
        return _on_values(attempt, attempt.answered, as_written, facts, truth_of_call, oracle, of_call)
    if contract.derivative and any(case.faults for case in as_written):
        # The form is judged on what the learner returned, and not on a value and its derivative together.
        return _on_values(attempt, attempt.answered, as_written, facts, truth_of_call, oracle, of_call)
    seen = look(attempt.answered, as_written, truth_of_call, of_call)
    right_as_written = all_pass(seen.judged)
    if attempt.broken is not None:
        if right_as_written:
            named = (contract.named(attempt.broken, facts.wrt),)
            message = f"Right on {_all_cases(len(as_written))} as written, but {contract.but(attempt.broken)}"
            return _wrong(
                facts, message, Diagnosis(named, explained=True), as_written, _raised_under(attempt.broken.raised)
            )
        verdict = _on_values(attempt, attempt.answered, as_written, facts, truth_of_call, oracle, of_call)
        named = (contract.named(attempt.broken, facts.wrt), *verdict.diagnosis.named)
        return replace(
            verdict,
            message=f"{verdict.message} Moreover, {contract.but(attempt.broken)}",
            diagnosis=replace(verdict.diagnosis, named=named),
            raised=_raised_under(attempt.broken.raised),
        )
    judged = _judge_all(attempt.transformed, truth)
    # Programs and plain calls are those of the derivative, or else of the answer as written.
    under = inquiry if contract.derivative else Inquiry(inquiry.draws, band=IMPRECISE)
    verdict = _on_values(attempt, attempt.transformed, judged, facts, truth, oracle, under)
    if verdict.status is Status.CORRECT and (not contract.derivative or not right_as_written):
        return _on_values(attempt, attempt.answered, as_written, facts, truth_of_call, oracle, of_call)
    only_in_float64 = any(insight.name == HIDDEN for insight in verdict.insights)  # the values may be wrong there too
    if verdict.status is Status.CORRECT or not right_as_written or only_in_float64:
        # Without a derivative, the programs are those of the answer as written.
        where = verdict.where or (() if right_as_written else _places(seen, truth_of_call, of_call)(0))
        return replace(verdict, where=where)
    message = f"Right on {_all_cases(len(as_written))} as written, but {contract.but(None)}"
    if contract.derivative and verdict.diagnosis.explained:
        return replace(verdict, message=message)
    named = (contract.named(None, facts.wrt), *verdict.diagnosis.named)
    differs = _wrong(facts, message, Diagnosis(named, explained=True), as_written)
    return replace(differs, excerpt=verdict.excerpt, where=verdict.where, drawable=verdict.drawable)


def _on_program(breach: Breach | None, verdict: Verdict, facts: Facts) -> Verdict:
    """The verdict on the values, with how the program is not as the problem asks."""
    if breach is None:
        return verdict
    of_program, but = asked.named(breach, facts.asked, facts), asked.but(breach, facts.asked)
    raised = verdict.raised if breach.raised is None else _raised_under(breach.raised)
    if breach.kind == asked.STOPPED:  # the remark would say it a second time
        verdict = replace(verdict, insights=tuple(one for one in verdict.insights if one.name != NOT_TRACEABLE))
    if verdict.status is Status.CORRECT:
        message = f"{verdict.message.removesuffix('.')}, but {but}"
        diagnosis = Diagnosis((of_program,), explained=True)
        return replace(verdict, status=Status.WRONG, message=message, diagnosis=diagnosis, raised=raised)
    diagnosis = replace(verdict.diagnosis, named=(of_program, *verdict.diagnosis.named))
    return replace(verdict, message=f"{verdict.message} Moreover, {but}", diagnosis=diagnosis, raised=raised)


def _on_values(
    attempt: Attempt,
    answered: Sequence[Answered],
    judged: list[Judged],
    facts: Facts,
    truth: Truth,
    oracle: Oracle,
    inquiry: Inquiry,
) -> Verdict:
    seen = look(answered, judged, truth, inquiry)
    derivative = facts.wrt and answered is attempt.transformed
    parts = ("value", f"d/d {facts.wrt}") if derivative else ()
    to_draw = drawable(seen, facts, truth, parts)
    failing = smallest_failure(seen.judged)
    called = as_called(answered, seen, facts)
    if failing is None:
        message = f"Right on all {len(judged)} cases." if len(judged) > 1 else "Right."
        remarks = (insight for insight in attempt.insights if insight.name != XOR)
        insights = (*imprecise(seen, facts, inquiry), *called, *remarks)
        cases = _results(facts, seen.judged)
        return Verdict(facts.name, Status.CORRECT, message, cases=cases, insights=insights, drawable=to_draw)
    judged = seen.judged
    right = sum(case.passed for case in judged)
    message = f"Right on {right} of {len(judged)} cases. The smallest that fails is {arguments_text(facts, failing)}."
    hidden, due = hidden_by_rounding(seen, failing, facts), due_of(seen, failing, facts, truth)
    places = _places(seen, truth, inquiry)  # the search goes on beside the diagnosis
    if seen.lost:
        diagnosis = Diagnosis((lost(seen, failing, facts, truth, inquiry),), explained=True)
    else:
        pitfalls = {pitfall.name: pitfall for pitfall in facts.pitfalls}
        of_program = no_draws if inquiry.replayed is None else inquiry.replayed.draws
        given = (seen.answered, judged, truth, pitfalls, oracle)
        names = {"axes": facts.axes, "stacked": bool(derivative)}
        ask = partial(diagnose, *given, inquiry.draws, of_program=of_program, **names)
        rounded = _with_rounding(ask, seen, failing, truth, inquiry)
        diagnosis = rounded if rounded and rounded.explained else ask(seen.exact)
        diagnosis = diagnosis if diagnosis.explained else rounded or diagnosis
    told = (LOOP_REMOVED, X64) if diagnosis.explained else (LOOP_REMOVED, X64, XOR)
    return replace(
        _wrong(facts, message, diagnosis, judged),
        insights=(*hidden, *called, *(insight for insight in attempt.insights if insight.name in told)),
        excerpt=excerpt(judged[failing], due, truth.shapes[failing], facts.axes, parts),
        where=places(len(diagnosis.named)),
        sample="" if diagnosis.explained else kept(seen, truth, inquiry.seed),
        drawable=to_draw,
    )


def _places(seen: Look, truth: Truth, inquiry: Inquiry) -> Places:
    """Start the search for the place. Nothing is said if calls differ from them or the form is wrong."""
    if seen.exact is None or seen.called or not any(seen.exact.differs) or any(case.faults for case in seen.judged):
        return nowhere
    return inquiry.places(seen.exact, truth)


def _with_rounding(
    ask: Callable[..., Diagnosis], seen: Look, failing: int, truth: Truth, inquiry: Inquiry
) -> Diagnosis | None:
    """The diagnosis of an answer that rounds numbers to 16 bits on the way, if this rounding is one of its mistakes."""
    if seen.exact is None or inquiry.replayed is None or not seen.exact.differs[failing]:
        return None
    found = rounded_inside(seen.exact, inquiry.replayed, failing, truth)
    return None if found is None else ask(found[0], (found[1],))


def _on_fresh(beyond: Sequence[Answered], facts: Facts, fresh: Fresh, verdict: Verdict, band: float) -> Verdict:
    """The verdict on an answer that is right on all cases, with its values on the fresh inputs."""
    judged, count = _judge_all(beyond, fresh.truth, band), len(facts.cases)
    failing = smallest_failure(judged)
    cases = _all_cases(count)
    if failing is None:
        inputs = f"{len(judged)} fresh inputs" if len(judged) > 1 else "one fresh input"
        return replace(verdict, message=f"Right on {cases}, and on {inputs}.")
    pairs = zip(facts.parameters, fresh.cases[failing], strict=True)
    arguments = ", ".join(f"{name}={value}" for name, value in pairs)
    return replace(
        verdict,
        status=Status.WRONG,
        message=f"Right on {cases}, and wrong on fresh inputs: {arguments}.",
        diagnosis=Diagnosis((common_mistakes.only_the_cases(),), explained=True),
    )


def _wrong(
    facts: Facts, message: str, diagnosis: Diagnosis, judged: Sequence[Judged], raised: Raised | None = None
) -> Verdict:
    cases = _results(facts, judged)
    return Verdict(facts.name, Status.WRONG, message, diagnosis=diagnosis, cases=cases, raised=raised)


def _judge_all(answered: Sequence[Answered], truth: Truth, band: float = IMPRECISE) -> list[Judged]:
    pairs = zip(answered, truth.expected, truth.dtypes, strict=True)
    return [judge(answer, due, dtype, band) for answer, due, dtype in pairs]


def _all_cases(count: int) -> str:
    return f"all {count} cases" if count > 1 else "the one case"


def _results(facts: Facts, judged: Sequence[Judged]) -> tuple[CaseResult, ...]:
    return tuple(
        CaseResult(facts.arguments(index), "pass" if case.passed else "fail", case.error, case.tolerance, case.size)
        for index, case in enumerate(judged)
    )


def _raised_under(described: Mapping[str, Any] | None) -> Raised | None:
    if described is None:
        return None
    # After its first line, JAX's message describes the function that was traced, which is the grader's own.
    raised = raised_from(described)
    return replace(raised, message=(raised.message.strip().splitlines() or [""])[0])


def _change(attempt: Attempt, truth: Truth) -> str:
    """How two calls with the same arguments differ, if they do by more than rounding explains; empty if they do not."""
    for index, again in attempt.again.items():
        first, second = attempt.answered[index].array, again.array
        if first is None or second is None:
            if (first is None) != (second is None):
                return "give an array once, and no array once"
            continue
        if first.shape != second.shape:
            return f"give arrays of different shapes, {first.shape} and {second.shape}"
        due = truth.expected[index]
        if first.size == due.values.size and excess(first.reshape(-1), second.reshape(-1), due) > 1.0:
            gap = difference(first, second)
            return f"differ by {gap:.3g}" if np.isfinite(gap) else "differ in which values are finite"
    return ""
