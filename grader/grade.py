"""Problem + answer -> verdict: the whole flow, on one page. Prints nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from grader.judging import EarlyVerdict, Judging, Tell, nobody
from grader.kit import ownership
from grader.kit.files import Missing, Unreadable, trusted_folder
from grader.kit.notebook import read_answer
from grader.kit.notebook_verdict import placed
from grader.kit.shipped_stub import shipped, untouched
from grader.marking.facts import Facts, ProgramRequirements
from grader.marking.verdict import Frame, Status, Verdict
from grader.options import NoSuchDevice
from grader.run.protocol import Task
from grader.session import Session
from grader.values.message import Message, message, sentences
from grader.values.places import lines_of, while_around


def grade(session: Session, name: str, file: Path | None = None, tell: Tell = nobody) -> Verdict:
    """Grade one file (the stub, unless another is given) as an answer to a problem.

    Args:
        tell: is called before all is known, with a verdict that says what it awaits: before the values are there, if the
            programs show that the answer is right or wrong; and before its place is found, if the search takes long.

    Raises:
        KitError: for a stub that nobody has called their own (see `grader.kit.ownership`).
        ProblemError: for a fault of the kit.
        NoSuchDevice: if this machine does not have the device.
        LaunchError: if a process of the grader cannot be started, or was killed again and again.
    """
    if file is None:
        ownership.allow(session.kit, [name], runs=not session.policy.confine)
    below = trusted(session, file)
    file = session.kit.stub(name) if file is None else file.absolute()
    shown = session.kit.shown(file)
    try:
        text, origin = read_answer(file, name, below=below)
    except Unreadable as error:
        unread = "missing" if isinstance(error, Missing) else "unreadable"
        said = Message("{file}: {why}", {"file": shown, "why": error.why})
        return Verdict(name, Status.ERROR, said, file=shown, unread=unread)
    if origin is None:
        return grade_text(session, name, text, shown, tell)
    return placed(grade_text(session, name, text, shown, lambda verdict: tell(placed(verdict, origin))), origin)


def grade_text(session: Session, name: str, text: str, shown: str, tell: Tell = nobody) -> Verdict:
    """Grade a text as an answer to a problem; `shown` is the path of its file, as the verdict holds it.

    Args:
        tell: as for `grade`.

    Raises:
        ProblemError: for a fault of the kit.
        NoSuchDevice: if this machine does not have the device.
        LaunchError: if a process of the grader cannot be started, or was killed again and again.
    """
    if untouched(session.kit, name, text):
        unattempted = message("Not filled in yet: it still raises NotImplementedError.")
        return Verdict(name, Status.UNATTEMPTED, unattempted, file=shown)
    oracle = session.oracle(name)
    facts = oracle.facts()
    fresh = None if session.policy.fresh is None else oracle.fresh(session.policy.fresh)
    task = replace(task_of(text, shown, facts.with_cases(fresh.cases if fresh else ())), programs=len(facts.cases))

    def in_file(verdict: Verdict) -> None:
        tell(replace(verdict, file=shown))

    judging = Judging(session, task, oracle, facts, shipped(session.kit, name) or "", fresh)
    early = EarlyVerdict(judging, in_file)
    attempt = session.attempt(task, early.begin)
    with early.ended(attempt) as programs:
        if attempt.no_device:
            raise NoSuchDevice(attempt.no_device)
        verdict = judging.verdict(attempt, programs, nobody if early.told or tell is nobody else in_file)
    return replace(
        _in_its_loop(verdict, text),
        file=shown,
        run=replace(
            attempt.run,
            seconds=round(attempt.run.seconds, 3),
            processor=round(attempt.run.processor, 3),
            fresh=session.policy.fresh if fresh else None,
        ),
    )


def _in_its_loop(verdict: Verdict, text: str) -> Verdict:
    """The verdict with the loop that a limit of time ended, if the line that ran is inside a `while` loop."""
    ran = verdict.stopped_at
    begins = 0 if ran is None else while_around(text, ran.line)
    if ran is None or not begins:
        return verdict
    inside = () if verdict.run.endless else (message("It was inside this loop, which may have no end:"),)
    said = sentences(verdict.message, *inside)
    return replace(verdict, message=said, stopped_at=Frame(begins, ran.function, lines_of(text)[begins - 1].strip()))


def trusted(session: Session, file: Path | None) -> Path | None:
    """The folder below which an answer's path may hold no link; None for a learner's own stub, where links are fine."""
    if file is not None:
        return trusted_folder(file.absolute())
    return session.kit.root if session.policy.confine else None


def task_of(text: str, shown: str, facts: Facts) -> Task:
    """What the process of an answer learns about a problem: how to call the answer, and nothing else."""
    asked = facts.name, facts.parameters, facts.cases
    source = text.encode("utf-8", "surrogatepass")
    return Task(
        source,
        shown,
        *asked,
        contract=facts.contract,
        argnum=facts.argnum,
        outlined=facts.asked != ProgramRequirements(),
    )
