"""Problem + answer -> verdict: the whole flow, on one page. Prints nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from grader.kit.files import Unreadable, read_text, trusted_folder
from grader.kit.kit import is_bare
from grader.marking import common_mistakes, contracts
from grader.marking.contracts import Broken
from grader.marking.diagnose import Mistakes, Truth, diagnose
from grader.marking.error_advice import raised_from
from grader.marking.excerpt import arguments_text, excerpt
from grader.marking.facts import Facts
from grader.marking.judge import Answered, Judged, difference, excess, first_failure, judge
from grader.marking.verdict import CaseResult, Diagnosis, Insight, Raised, Status, Verdict
from grader.options import NoSuchDevice
from grader.oracle.store import Fresh
from grader.run.returned import Attempt, Task
from grader.session import Session


def grade(session: Session, name: str, file: Path | None = None) -> Verdict:
    """Grade one file (the stub, unless another is given) as an answer to a problem.

    Raises:
        ProblemError: for a fault of the kit.
        NoSuchDevice: where the device is not there.
    """
    below = _trusted(session, file)
    file = session.kit.stub(name) if file is None else file.absolute()
    shown = session.kit.shown(file)
    try:
        text = read_text(file, below=below)
    except Unreadable as error:
        return Verdict(name, Status.ERROR, f"{shown}: {error}", file=shown)
    if is_bare(text, name):
        return Verdict(name, Status.UNATTEMPTED, "Not filled in yet: it still raises NotImplementedError.", file=shown)
    source = session.source(name)
    facts = source.facts()
    fresh = None if session.policy.fresh is None else source.fresh(session.policy.fresh)
    asked = facts if fresh is None else replace(facts, cases=(*facts.cases, *fresh.cases))
    given = session.attempt(task_of(text, shown, asked))
    if given.no_device:
        raise NoSuchDevice(given.no_device)
    verdict = conclude(given, facts, source) if fresh is None else conclude_with(fresh, given, asked, source)
    return replace(
        verdict,
        file=shown,
        output=given.output,
        seconds=round(given.seconds, 3),
        device=given.device,
        confinement=given.confinement,
    )


def _trusted(session: Session, file: Path | None) -> Path | None:
    """The folder below which an answer may lie behind no link; None for a stub, whose links are the learner's own."""
    if file is not None:
        return trusted_folder(file.absolute())
    return session.kit.root if session.policy.confine else None


def task_of(text: str, shown: str, facts: Facts) -> Task:
    """What the process of an answer is told of a problem: how to call it, and no more."""
    position = facts.parameters.index(facts.by) if facts.by else 0
    return Task(text, shown, facts.name, facts.parameters, facts.cases, contract=facts.contract, position=position)


class Oracles(Mistakes, Protocol):
    """What a conclusion asks of an oracle (see `oracle.client.OracleClient`)."""

    def truth(self) -> Truth: ...


def conclude(given: Attempt, facts: Facts, source: Oracles) -> Verdict:
    """What came back of an answer -> its verdict."""
    if given.failure is not None:
        return Verdict(facts.name, given.failure, given.message)
    if given.raised is not None:
        return _on_exception(given, facts)
    truth = source.truth()
    plain = contracts.values_of(facts.contract, truth)
    as_called = _judge_all(given.answered, plain)
    changed = _changed(given, plain)
    if changed is not None:
        diagnosis = Diagnosis((common_mistakes.not_deterministic(changed),), explained=True)
        message = "Called twice with the same arguments, it gives different numbers."
        return Verdict(facts.name, Status.WRONG, message, diagnosis=diagnosis, cases=_results(facts, as_called))
    if first_failure(as_called) is None and given.broken is not None:
        return _unkept(given.broken, facts, as_called, Diagnosis())
    if not given.kept:
        return _judged(given.answered, as_called, facts, plain, source, given)
    judged = _judge_all(given.kept, truth)
    verdict = _judged(given.kept, judged, facts, truth, source, given)
    differs = first_failure(judged) is not None and first_failure(as_called) is None
    if differs and facts.contract == contracts.GRAD and verdict.diagnosis.explained:
        return replace(verdict, message=_as_written(facts, as_called, None))
    if differs:
        return replace(_unkept(None, facts, as_called, verdict.diagnosis), excerpt=verdict.excerpt)
    return verdict


def conclude_with(fresh: Fresh, given: Attempt, asked: Facts, source: Oracles) -> Verdict:
    """The verdict on an answer that was called on fresh inputs too, after the cases.

    The cases are judged as ever, and diagnosed; who is right on all of them must be right on the others as well.
    """
    if given.failure is not None or given.raised is not None:
        return conclude(given, asked, source)
    count = len(asked.cases) - len(fresh.cases)
    on_cases = replace(given, answered=given.answered[:count], kept=given.kept[:count])
    verdict = conclude(on_cases, replace(asked, cases=asked.cases[:count]), source)
    if verdict.status is not Status.CORRECT:
        return verdict
    beyond = given.kept[count:] if given.kept else given.answered[count:]
    judged = _judge_all(beyond, fresh.truth)
    if first_failure(judged) is None:
        return replace(verdict, message=f"Right on all {count} cases, and on {len(judged)} fresh inputs.")
    failing = next(case for case, one in zip(fresh.cases, judged, strict=True) if not one.passed)
    arguments = ", ".join(f"{name}={value}" for name, value in zip(asked.parameters, failing, strict=True))
    message = f"Right on all {count} cases, and wrong on fresh inputs: {arguments}."
    return replace(
        verdict,
        status=Status.WRONG,
        message=message,
        diagnosis=Diagnosis((common_mistakes.only_the_cases(),), explained=True),
    )


def _judge_all(answered: Sequence[Answered], truth: Truth) -> list[Judged]:
    pairs = zip(answered, truth.expected, truth.dtypes, strict=True)
    return [judge(answer, due, dtype) for answer, due, dtype in pairs]


def _judged(
    answered: Sequence[Answered], judged: list[Judged], facts: Facts, truth: Truth, source: Oracles, given: Attempt
) -> Verdict:
    """Values, judged -> their verdict. A contract that is broken as well is named first."""
    failing = first_failure(judged)
    results = _results(facts, judged)
    if failing is None:
        message = f"Right on all {len(judged)} cases." if len(judged) > 1 else "Right."
        insights = (*_imprecise(judged, facts), *given.insights)
        return Verdict(facts.name, Status.CORRECT, message, cases=results, insights=insights)
    pitfalls = {pitfall.name: pitfall for pitfall in facts.pitfalls}
    right = sum(case.passed for case in judged)
    diagnosis = diagnose(answered, judged, truth, pitfalls, source)
    if given.broken is not None:
        broken = contracts.mistake(facts.contract, facts.by, given.broken)
        diagnosis = replace(diagnosis, named=(broken, *diagnosis.named))
    return Verdict(
        facts.name,
        Status.WRONG,
        f"Right on {right} of {len(judged)} cases. The smallest that fails is {arguments_text(facts, failing)}."
        + (f" Moreover, {contracts.but(facts.contract, given.broken)}" if given.broken is not None else ""),
        diagnosis=diagnosis,
        cases=results,
        raised=_raised_under(given.broken),
        excerpt=excerpt(judged[failing], truth.expected[failing], truth.shapes[failing], facts.axes),
    )


def _unkept(broken: Broken | None, facts: Facts, judged: list[Judged], seen: Diagnosis) -> Verdict:
    """Right values, and a contract that is not kept; what was `seen` in the values under it is told too."""
    named = (contracts.mistake(facts.contract, facts.by, broken), *seen.named)
    return Verdict(
        facts.name,
        Status.WRONG,
        _as_written(facts, judged, broken),
        diagnosis=Diagnosis(named, explained=True),
        cases=_results(facts, judged),
        raised=_raised_under(broken),
    )


def _as_written(facts: Facts, judged: Sequence[Judged], broken: Broken | None) -> str:
    return f"Right on all {len(judged)} cases as written, but {contracts.but(facts.contract, broken)}"


def _raised_under(broken: Broken | None) -> Raised | None:
    if broken is None or broken.raised is None:
        return None
    # What JAX says of a tracer goes on about the function that was traced, which is the grader's own.
    raised = raised_from(broken.raised)
    return replace(raised, message=(raised.message.strip().splitlines() or [""])[0])


def _on_exception(given: Attempt, facts: Facts) -> Verdict:
    assert given.raised is not None
    raised: Raised = raised_from(given.raised)
    first = not given.answered
    if first and raised.kind == "NotImplementedError" and raised.frames:
        return Verdict(facts.name, Status.UNATTEMPTED, "Not filled in yet: it raises NotImplementedError.")
    if raised.kind == "MemoryError" or "RESOURCE_EXHAUSTED" in raised.message:
        return Verdict(facts.name, Status.MEMORY, "It asked for more memory than there is.", raised=raised)
    where = f" at {arguments_text(facts, len(given.answered))}" if len(given.answered) < len(facts.cases) else ""
    if first and (not raised.frames or raised.frames[0].function == "<module>"):
        where = " before it is called"
    return Verdict(facts.name, Status.ERROR, f"It raises {raised.kind}{where}.", raised=raised)


def _results(facts: Facts, judged: Sequence[Judged]) -> tuple[CaseResult, ...]:
    return tuple(
        CaseResult(facts.arguments(index), "pass" if case.passed else "fail", case.error, case.tolerance)
        for index, case in enumerate(judged)
    )


def _changed(given: Attempt, truth: Truth) -> float | None:
    """The largest difference between two calls with the same arguments, where it is more than rounding gives."""
    for index, again in given.again.items():
        first, second = given.answered[index].array, again.array
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
