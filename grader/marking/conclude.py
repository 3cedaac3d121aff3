"""The verdict, from what an answer gave and what is known about its problem. NumPy only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.marking import common_mistakes
from grader.marking.attempt import Attempt
from grader.marking.contracts import CONTRACTS, Broken
from grader.marking.diagnose import diagnose
from grader.marking.draws import AskDraws, no_draws
from grader.marking.error_advice import raised_from
from grader.marking.excerpt import arguments_text, excerpt
from grader.marking.facts import Facts, Fresh, Oracle, Truth
from grader.marking.judge import Answered, Judged, difference, excess, first_failure, judge
from grader.marking.verdict import LOOP_REMOVED, XOR, CaseResult, Diagnosis, Insight, Raised, Status, Verdict


def conclude(
    attempt: Attempt, facts: Facts, oracle: Oracle, fresh: Fresh | None = None, draws: AskDraws = no_draws
) -> Verdict:
    """The verdict on an answer that was called on the cases and then on the fresh inputs, if there are any.

    An answer that is right on all cases must be right on the fresh inputs as well. `draws` is as in
    `diagnose`.
    """
    called = facts.with_cases(fresh.cases if fresh else ())
    if attempt.failure is not None:
        return _on_failure(attempt, attempt.failure, called)
    if attempt.raised is not None:
        return _on_exception(attempt, called)
    on_cases, beyond = attempt.split(len(facts.cases))
    verdict = _on_cases(on_cases, facts, oracle, draws)
    if fresh is None or verdict.status is not Status.CORRECT:
        return verdict
    return _on_fresh(beyond, facts, fresh, verdict)


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
    return Verdict(facts.name, failure, attempt.message + where.get(was.step, ""), stopped_at=was.frame)


def _on_exception(attempt: Attempt, facts: Facts) -> Verdict:
    assert attempt.raised is not None
    raised: Raised = raised_from(attempt.raised)
    first = not attempt.answered
    if first and raised.kind == "NotImplementedError" and raised.frames:
        where = f"Not filled in yet: line {raised.frames[-1].line} raises NotImplementedError."
        message = f"{where} Delete that line once your own lines are there."
        return Verdict(facts.name, Status.UNATTEMPTED, message)
    if raised.kind == "MemoryError" or "RESOURCE_EXHAUSTED" in raised.message:
        return Verdict(facts.name, Status.MEMORY, "It asked for more memory than there is.", raised=raised)
    count = len(attempt.answered)
    where = f" at {arguments_text(facts, count)}" if count < len(facts.cases) else ""
    if first and (not raised.frames or raised.frames[0].function == "<module>"):
        where = " before it is called"
    return Verdict(facts.name, Status.ERROR, f"It raises {raised.kind}{where}.", raised=raised)


def _on_cases(attempt: Attempt, facts: Facts, oracle: Oracle, draws: AskDraws) -> Verdict:
    contract, truth = CONTRACTS.get(facts.contract), oracle.truth()
    truth_of_call = truth if contract is None else contract.truth_of_call(truth)
    as_written = _judge_all(attempt.answered, truth_of_call)
    if (change := _change(attempt, truth_of_call)) is not None:
        message = "Called twice with the same arguments, it gives different numbers."
        diagnosis = Diagnosis((common_mistakes.not_deterministic(change),), explained=True)
        return _wrong(facts, message, diagnosis, as_written)
    right_as_written = first_failure(as_written) is None
    if contract is None or (not attempt.broken and not attempt.transformed):
        return _on_values(attempt, attempt.answered, as_written, facts, truth_of_call, oracle, draws)
    if attempt.broken is not None:
        if right_as_written:
            named = (contract.named(attempt.broken, facts.wrt),)
            message = f"Right on all {len(as_written)} cases as written, but {contract.but(attempt.broken)}"
            return _wrong(facts, message, Diagnosis(named, explained=True), as_written, _raised_under(attempt.broken))
        verdict = _on_values(attempt, attempt.answered, as_written, facts, truth_of_call, oracle, draws)
        named = (contract.named(attempt.broken, facts.wrt), *verdict.diagnosis.named)
        return replace(
            verdict,
            message=f"{verdict.message} Moreover, {contract.but(attempt.broken)}",
            diagnosis=replace(verdict.diagnosis, named=named),
            raised=_raised_under(attempt.broken),
        )
    judged = _judge_all(attempt.transformed, truth)
    verdict = _on_values(attempt, attempt.transformed, judged, facts, truth, oracle, draws)
    if not right_as_written:
        if verdict.status is not Status.CORRECT:
            return verdict
        return _on_values(attempt, attempt.answered, as_written, facts, truth_of_call, oracle, draws)
    if verdict.status is Status.CORRECT:
        return verdict
    message = f"Right on all {len(as_written)} cases as written, but {contract.but(None)}"
    if contract.derivative and verdict.diagnosis.explained:
        return replace(verdict, message=message)
    named = (contract.named(None, facts.wrt), *verdict.diagnosis.named)
    differs = _wrong(facts, message, Diagnosis(named, explained=True), as_written)
    return replace(differs, excerpt=verdict.excerpt)


def _on_values(
    attempt: Attempt,
    answered: Sequence[Answered],
    judged: list[Judged],
    facts: Facts,
    truth: Truth,
    oracle: Oracle,
    draws: AskDraws,
) -> Verdict:
    failing = first_failure(judged)
    if failing is None:
        message = f"Right on all {len(judged)} cases." if len(judged) > 1 else "Right."
        remarks = (insight for insight in attempt.insights if insight.name != XOR)
        insights = (*_imprecise(judged, facts), *remarks)
        return Verdict(facts.name, Status.CORRECT, message, cases=_results(facts, judged), insights=insights)
    right = sum(case.passed for case in judged)
    derivative = facts.wrt and answered is attempt.transformed
    parts = ("value", f"d/d {facts.wrt}") if derivative else ()
    pitfalls = {pitfall.name: pitfall for pitfall in facts.pitfalls}
    diagnosis = diagnose(answered, judged, truth, pitfalls, oracle, draws)
    told = (LOOP_REMOVED,) if diagnosis.explained else (LOOP_REMOVED, XOR)
    verdict = _wrong(
        facts,
        f"Right on {right} of {len(judged)} cases. The smallest that fails is {arguments_text(facts, failing)}.",
        diagnosis,
        judged,
    )
    return replace(
        verdict,
        insights=tuple(insight for insight in attempt.insights if insight.name in told),
        excerpt=excerpt(judged[failing], truth.expected[failing], truth.shapes[failing], facts.axes, parts),
    )


def _on_fresh(beyond: Sequence[Answered], facts: Facts, fresh: Fresh, verdict: Verdict) -> Verdict:
    """The verdict on an answer that is right on all cases, with its values on the fresh inputs."""
    judged, count = _judge_all(beyond, fresh.truth), len(facts.cases)
    failing = first_failure(judged)
    if failing is None:
        return replace(verdict, message=f"Right on all {count} cases, and on {len(judged)} fresh inputs.")
    pairs = zip(facts.parameters, fresh.cases[failing], strict=True)
    arguments = ", ".join(f"{name}={value}" for name, value in pairs)
    return replace(
        verdict,
        status=Status.WRONG,
        message=f"Right on all {count} cases, and wrong on fresh inputs: {arguments}.",
        diagnosis=Diagnosis((common_mistakes.only_the_cases(),), explained=True),
    )


def _wrong(
    facts: Facts, message: str, diagnosis: Diagnosis, judged: Sequence[Judged], raised: Raised | None = None
) -> Verdict:
    cases = _results(facts, judged)
    return Verdict(facts.name, Status.WRONG, message, diagnosis=diagnosis, cases=cases, raised=raised)


def _judge_all(answered: Sequence[Answered], truth: Truth) -> list[Judged]:
    pairs = zip(answered, truth.expected, truth.dtypes, strict=True)
    return [judge(answer, due, dtype) for answer, due, dtype in pairs]


def _results(facts: Facts, judged: Sequence[Judged]) -> tuple[CaseResult, ...]:
    return tuple(
        CaseResult(facts.arguments(index), "pass" if case.passed else "fail", case.error, case.tolerance)
        for index, case in enumerate(judged)
    )


def _raised_under(broken: Broken) -> Raised | None:
    if broken.raised is None:
        return None
    # After its first line, JAX's message describes the function that was traced, which is the grader's own.
    raised = raised_from(broken.raised)
    return replace(raised, message=(raised.message.strip().splitlines() or [""])[0])


def _change(attempt: Attempt, truth: Truth) -> float | None:
    """A difference between two calls with the same arguments, if one is larger than rounding explains."""
    for index, again in attempt.again.items():
        first, second = attempt.answered[index].array, again.array
        if first is None or second is None or first.shape != second.shape:
            if (first is None) != (second is None) or (first is not None and second is not None):
                return float("inf")
            continue
        due = truth.expected[index]
        if first.size == due.values.size and excess(first.reshape(-1), second.reshape(-1), due) > 1.0:
            return difference(first, second)
    return None


def _imprecise(judged: list[Judged], facts: Facts) -> tuple[Insight, ...]:
    worst = max(range(len(judged)), key=lambda index: judged[index].error / (judged[index].tolerance or 1.0))
    if not judged[worst].imprecise:
        return ()
    ratio = judged[worst].error / judged[worst].tolerance
    return (
        Insight(
            "imprecise",
            f"Right, but it loses precision: at {arguments_text(facts, worst)} it is {judged[worst].error:.2g} off, "
            f"{ratio:.1f} times what float32 explains. A running product or sum adds up rounding errors.",
        ),
    )
