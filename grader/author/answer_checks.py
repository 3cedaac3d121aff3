"""What an audit finds by running the worked answer and the stub as the answers of learners run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from grader.author import statement_checks
from grader.author.finding import Finding
from grader.grade import task_of
from grader.judging import evaluators
from grader.kit.files import Unreadable, read_text
from grader.kit.solution import bare
from grader.marking.advice import raised_from
from grader.marking.answer_evidence import AnswerEvidence
from grader.marking.comparison import judge
from grader.marking.conclude import CONFINED_TIERS, conclude, not_checked
from grader.marking.facts import Facts
from grader.marking.requirements import CONTRACTS
from grader.marking.verdict import Status, Verdict
from grader.oracle.oracle import Oracle
from grader.run.protocol import Task
from grader.session import Session
from grader.values.places import parsed

PART_OF_TIME_LIMIT = 3
"""The worked answer may take one part in this many of the time limit: other right answers and computers are slower."""


def run_stub(session: Session, name: str, facts: Facts) -> Iterator[Finding]:
    """Run the stub, which should raise NotImplementedError."""
    kit = session.kit
    shown = kit.shown(kit.stub(name))
    given = session.attempt(task_of(read_text(kit.stub(name)), shown, facts))
    if given.failure is not None:
        yield Finding("stub", shown, 0, f"it should raise NotImplementedError: {given.message}")
    elif given.raised is not None and given.raised.kind != "NotImplementedError":
        raised = raised_from(given.raised)
        line = raised.frames[-1].line if raised.frames else 0
        message = f"it should raise NotImplementedError, and raises {raised.kind}: {raised.message}"
        yield Finding("stub", shown, line, message)
    elif given.raised is None:
        yield Finding("stub", shown, 0, "it should raise NotImplementedError, and returns a value")


def run_answer(session: Session, name: str, source: Oracle) -> Iterator[Finding]:
    """Grade the worked answer, first under `jax.jit`, as every answer, and then without it.

    A remark on it is a finding: a learner who writes the same would be told it too.
    """
    kit = session.kit
    facts = source.facts()
    if contract := CONTRACTS.get(facts.contract):
        yield from statement_checks.check_task(kit, name, contract, facts.asked)
    shown = kit.shown(kit.answer(name))
    try:
        text = bare(read_text(kit.answer(name)), numbered=True)
    except Unreadable as error:
        yield Finding("answer", shown, 0, f"{str(error).rstrip('.')}: write the worked answer there")
        return
    except SyntaxError as error:
        yield Finding("answer", shown, error.lineno or 0, f"not Python: {error.msg}")
        return
    task = task_of(text, shown, facts)
    attempt = session.attempt(replace(task, programs=len(facts.cases)))
    answer = AnswerEvidence(attempt, facts, source)
    confined = replace(attempt, run=replace(attempt.run, confinement=CONFINED_TIERS[0]))
    with evaluators(session, text, answer) as programs:
        answer = programs.of(answer)
        verdict = conclude(answer)
        unchecked = not_checked(replace(answer, attempt=confined)) if attempt.gave_values else None
    if verdict.status is not Status.CORRECT:
        yield _wrong(verdict, shown, text)
        return
    for insight in verdict.insights:
        yield Finding("answer", shown, 0, f"it is right, but not an example to follow: {insight.message}")
    if unchecked is not None:
        yield Finding("trace", shown, 0, f"right, but under --confine {unchecked.but} {unchecked.named.why}")
    limit = session.limits.seconds
    if attempt.run.processor > limit / PART_OF_TIME_LIMIT:
        message = (
            f"it takes {attempt.run.processor:.1f} s of processor time, and the limit is {limit:g} s: a slower right answer "
            "or a slower computer would reach the limit. Choose fewer cases, or smaller ones"
        )
        yield Finding("answer", shown, 0, message)
    yield from _run_as_written(session, task, source)


def _run_as_written(session: Session, task: Task, source: Oracle) -> Iterator[Finding]:
    """Run the worked answer without `jax.jit` on one case: the second smallest, since each new shape compiles again."""
    index = min(1, len(task.cases) - 1)
    task = replace(task, cases=task.cases[index : index + 1], as_written=True)
    contract, truth = CONTRACTS.get(task.contract), source.truth()
    given, truth = session.attempt(task), truth if contract is None else contract.truth_of_call(truth)
    if given.raised is not None or given.failure is not None:
        said = given.message if given.raised is None else raised_from(given.raised).message
        yield Finding("answer", task.filename, 0, f"right under jax.jit, but it fails without it: {said}")
    elif not judge(given.answered[0], truth.expected[index], truth.dtypes[index]).passed:
        yield Finding("answer", task.filename, 0, f"right under jax.jit, but wrong without it at {task.cases[0]}")


def _wrong(verdict: Verdict, shown: str, text: str) -> Finding:
    """What is wrong with the worked answer: the exception, or the values, as a learner is told, and the line to fix."""
    if verdict.raised is not None:
        line = verdict.raised.frames[-1].line if verdict.raised.frames else 0
        said = f"it raises {verdict.raised.kind}: {verdict.raised.message}"
        return Finding("answer", shown, line, f"{verdict.status.value}, not correct: {said}: fix it")
    said = [str(verdict.message), *(str(mistake.why) for mistake in verdict.diagnosis.named)]
    if "not-flattened" in verdict.diagnosis.names:
        said.append("End what it returns with `.reshape(-1)`")
    elif (excerpt := verdict.excerpt) is not None and True in excerpt.wrong:
        first = excerpt.wrong.index(True)
        said.append(f"It gives {excerpt.yours[first]:g}, and {excerpt.expected[first]:g} is expected: fix it")
    else:
        said.append("Fix it")
    if verdict.stopped_at is not None:
        line = verdict.stopped_at.line
    elif verdict.where:
        line = verdict.where[0].span.line
    else:
        line = _last_return(text, verdict.problem) if verdict.status is Status.WRONG else 0
    return Finding("answer", shown, line, f"{verdict.status.value}, not correct: {' '.join(said)}")


def _last_return(text: str, name: str) -> int:
    """The line of the last `return` of a function, which gives what is compared; 0 if it has none."""
    functions = [node for node in parsed(text).body if isinstance(node, ast.FunctionDef) and node.name == name]
    lines = [node.lineno for function in functions for node in ast.walk(function) if isinstance(node, ast.Return)]
    return max(lines, default=0)
