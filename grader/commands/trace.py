"""`trace`: walk an answer's program on one case, line by line. Returns an exit status."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from grader.grade import task_of, trusted
from grader.kit import ownership
from grader.kit.files import Unreadable
from grader.kit.kit import Kit, KitError
from grader.kit.notebook import read_answer
from grader.kit.notebook_verdict import CellOrigin
from grader.kit.shipped_stub import untouched
from grader.kit.text import visible
from grader.locale.language import gettext
from grader.marking.advice import raised_from
from grader.marking.attempt import Attempt
from grader.marking.facts import Truth
from grader.marking.program_comparison import EvaluatedPrograms, compare
from grader.marking.requirements import CONTRACTS
from grader.marking.verdict import NOT_TRACEABLE
from grader.options import NoSuchDevice, Options
from grader.report.terminal import Terminal
from grader.report.trace import ProgramWalk, print_trace
from grader.run.protocol import Task
from grader.session import Session


@dataclass(frozen=True)
class AnswerFile:
    """The text of an answer. `shown` is its path as verdicts hold it; `origin` is known of a notebook alone."""

    path: Path
    shown: str
    text: str
    origin: CellOrigin | None
    filled_in: bool


def option(answer: Path | None) -> tuple[str, ...]:
    """The words of a command line that name an answer; none for the stub."""
    return () if answer is None else ("--answer", str(answer))


def read_answer_file(session: Session, name: str, answer: Path | None, typed: str | None = None) -> AnswerFile:
    """The stub of a problem, or another answer to it.

    Args:
        typed: the text that somebody has typed for the stub and not saved; None where the file is meant.

    Raises:
        KitError: it cannot be read, or it is a stub that nobody has called their own.
    """
    kit = session.kit
    if typed is not None:
        stub = kit.stub(name)
        return AnswerFile(stub, kit.shown(stub), typed, None, not untouched(kit, name, typed))
    if answer is None:
        ownership.allow(kit, [name], runs=not session.policy.confine)
    path = kit.stub(name) if answer is None else answer.absolute()
    try:
        text, origin = read_answer(path, name, below=trusted(session, None if answer is None else path))
    except Unreadable as error:
        raise KitError(f"{kit.opened(path)}: {error}") from None
    return AnswerFile(path, kit.shown(path), text, origin, not untouched(kit, name, text))


FEWEST_VALUES_OF_A_CASE = 4
"""The case that is walked unless another is named is the smallest with at least this many values: it shows its axes."""


@dataclass(frozen=True)
class TracedAnswer:
    """A walk through an answer, with a note on its notebook; without a walk, `instead` says why and what to do."""

    walk: ProgramWalk | None
    instead: str = ""
    note: str = ""


def trace(options: Options, name: str, case: int | None, answer: Path | None) -> int:
    """Walk through the stub of a problem, or through another answer to it.

    Args:
        case: the number of a case, from 1; None for the smallest that fails, or a small one if none does.

    Raises:
        KitError: if there is no such case.
    """
    with Session(options.kit, options.device, options.limits, options.policy) as session:
        found = traced(session, name, case, answer)
    show(Terminal.make(colour=options.colour), found)
    return int(found.walk is None)


def traced(
    session: Session, name: str, case: int | None = None, answer: Path | None = None, typed: str | None = None
) -> TracedAnswer:
    """What `trace` shows.

    Args:
        typed: as for `read_answer_file`.

    Raises:
        KitError: if the answer cannot be read, or if there is no such case.
    """
    kit = session.kit
    file = read_answer_file(session, name, answer, typed)
    if not file.filled_in:
        said = gettext("Not filled in yet. Fill in {stub}, then: {command}")
        again = kit.command("trace", name, *option(answer))
        return TracedAnswer(None, said.format(stub=kit.opened(file.path), command=again))
    text, origin = file.text, file.origin
    oracle = session.oracle(name)
    facts, truth = oracle.facts(), oracle.truth()
    if facts.wrt:
        truth = CONTRACTS[facts.contract].truth_of_call(truth)
    told = session.policy.feedback == "full" and file.path != kit.practice(name)
    whole = task_of(text, file.shown, replace(facts, contract=""))
    chosen = chosen_case(truth, case, _failing(session, whole, truth) if case is None and told else None)
    truth = truth.of_case(chosen)
    task = task_of(text, file.shown, replace(facts, cases=(facts.cases[chosen],), contract=""))
    attempt = session.attempt(replace(task, programs=1))
    if attempt.no_device:
        raise NoSuchDevice(attempt.no_device)
    with session.evaluator(attempt.traced.programs, truth, text, of_any_size=True) as programs:
        values = programs.values() if programs else None
        right = _is_right(programs, truth) if programs and told else None
        steps = oracle.steps(of_value=bool(facts.wrt)) if told and values else None
        made = programs.lines(steps, chosen, text) if programs else []
    if not values or not made:
        return TracedAnswer(None, f"{why_nothing(attempt)} {to_see_more(kit, name, answer, attempt)}")
    arguments = ", ".join(f"{key}={value}" for key, value in facts.arguments(chosen).items())
    of = (name, chosen + 1, len(facts.cases), arguments, text, tuple(made), right)
    cells = () if origin is None else origin.places
    compared = steps is not None and chosen in steps.cases
    return TracedAnswer(
        ProgramWalk(*of, compared=compared, cells=cells), note="" if origin is None else str(origin.note)
    )


def show(terminal: Terminal, found: TracedAnswer) -> None:
    """Print a walk, or why there is none."""
    if found.walk is None:
        terminal.to_do(found.instead)
        return
    print_trace(terminal, found.walk)
    if found.note:
        terminal.line()
        terminal.line(gettext("Note: {note}").format(note=found.note), hanging=2)


def _failing(session: Session, task: Task, truth: Truth) -> int | None:
    """The index of the smallest case on which the program is wrong; None if there is none, or it is not known."""
    attempt = session.attempt(replace(task, programs=len(task.cases)))
    with session.evaluator(attempt.traced.programs, truth, task.text) as programs:
        exact = compare(programs, truth) if programs else None
    wrong = [case for case, differs in enumerate(exact.differs) if differs] if exact else []
    return min(wrong, key=lambda case: truth.expected[case].size, default=None)


def chosen_case(truth: Truth, number: int | None, failing: int | None = None) -> int:
    """The index of the case that is walked: `number`, from 1, or else one that is `failing`, or else a small one.

    Raises:
        KitError: if there is no such case.
    """
    sizes = [due.size for due in truth.expected]
    if number is None and failing is not None:
        return failing
    if number is None:
        return min(range(len(sizes)), key=lambda index: (sizes[index] < FEWEST_VALUES_OF_A_CASE, sizes[index]))
    if not 1 <= number <= len(sizes):
        said = gettext("There is no case {case}: the cases are 1 to {count}.")
        raise KitError(said.format(case=number, count=len(sizes)))
    return number - 1


def _is_right(programs: EvaluatedPrograms, truth: Truth) -> bool | None:
    """Whether the program of one case is right; None if nobody can say, because rounding moves it by as much as there is."""
    values = programs.values()
    if values is None or [value.size for value in values] != [due.size for due in truth.expected]:
        return False
    exact = compare(programs, truth)
    return None if exact is None else not exact.differs[0]


def to_see_more(kit: Kit, name: str, answer: Path | None, attempt: Attempt) -> str:
    """The command that grades the answer: it tells more of what stopped the attempt, with the line that raised."""
    raised = attempt.raised is not None and raised_from(attempt.raised).frames
    said = gettext("To see at which line: {command}") if raised else gettext("To grade it: {command}")
    return said.format(command=kit.command(name, *option(answer)))


def why_nothing(attempt: Attempt) -> str:
    """Why there is nothing to walk through, and what to do."""
    if attempt.failure is not None:
        return str(attempt.message)
    if attempt.raised is not None:
        said = gettext("It raises {exception}, so there are no values to show.")
        return said.format(exception=raised_from(attempt.raised).kind)
    if why := next((remark.message for remark in attempt.insights if remark.name == NOT_TRACEABLE), None):
        then = gettext("Compute with jax.numpy, and with no `if` on values: then there are lines to show.")
        return f"{why} {then}"
    if attempt.answered and attempt.answered[0].array is None:
        said = gettext("There are no lines to show: the answer returns no array of numbers ({type}).")
        return said.format(type=visible(str(attempt.answered[0].instead)))
    return gettext(
        "There are no lines to show: it computes in NumPy, or with an operation that is not known here. "
        "Compute with jax.numpy."
    )
