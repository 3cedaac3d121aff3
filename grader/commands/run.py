"""`run`: call an answer once, with arguments of one's choice. Returns an exit status."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from grader.commands import trace
from grader.commands.trace import why_nothing
from grader.grade import task_of
from grader.kit.files import size_text
from grader.kit.kit import KitError
from grader.kit.text import visible
from grader.locale.language import alternatives, gettext
from grader.marking.advice import asks_for_too_much, raised_from
from grader.marking.attempt import Attempt
from grader.marking.excerpt import axis_word, equal_values, expected_alone
from grader.marking.facts import Facts, Truth
from grader.marking.requirements import CONTRACTS
from grader.marking.verdict import ComparedCase
from grader.options import Limits, NoSuchDevice, Options
from grader.report.terminal import Terminal
from grader.session import Session
from grader.values.arrays import Answered, Array

MOST_NUMBERS = 200
"""The most numbers that are printed of a larger array: its corners, and dots between them."""

Number = int | float


@dataclass(frozen=True)
class Call:
    """One call of an answer.

    Attributes:
        arguments: of the call, by name.
        file: the path of the answer, to be shown.
        attempt: what came of it, within `limits`.
        shape: that of the result before flattening (see `shape_of`).
        compared: the values, beside those that are expected where the arguments are those of a case and these may be told;
            None where nothing of the kind was returned.
    """

    facts: Facts
    arguments: Mapping[str, Number]
    file: str
    attempt: Attempt
    limits: Limits
    shape: tuple[int, ...]
    compared: ComparedCase | None


@dataclass(frozen=True)
class RanAnswer:
    """A call of an answer; without one, `instead` says why and what to do."""

    call: Call | None
    instead: str = ""


def run(options: Options, name: str, given: Sequence[str], answer: Path | None) -> int:
    """Call the stub of a problem, or another answer to it, and print what it prints and what it returns.

    Args:
        given: arguments as `name=value`. Those that are missing are those of the first case.

    Raises:
        KitError: if one of them is no argument of the problem, or has no number of its kind.
    """
    with Session(options.kit, options.device, options.limits, options.policy) as session:
        found = ran(session, options.kit.resolve(name), given, answer)
    show(Terminal.make(colour=options.colour), found)
    return int(found.call is None or not found.call.attempt.gave_values)


def ran(
    session: Session, name: str, given: Sequence[str], answer: Path | None = None, typed: str | None = None
) -> RanAnswer:
    """What `run` shows.

    Args:
        typed: as for `trace.read_answer_file`.

    Raises:
        KitError: as `run`, or if the answer cannot be read.
    """
    kit = session.kit
    file = trace.read_answer_file(session, name, answer, typed)
    if not file.filled_in:
        said = gettext("Not filled in yet. Fill in {stub}, then: {command}")
        again = kit.command("run", name, *given, *trace.option(answer))
        return RanAnswer(None, said.format(stub=kit.opened(file.path), command=again))
    oracle = session.oracle(name)
    facts = oracle.facts()
    arguments = chosen(facts, given)
    task = task_of(file.text, file.shown, replace(facts, cases=(tuple(arguments.values()),), contract=""))
    attempt = session.attempt(replace(task, as_written=True))
    if attempt.no_device:
        raise NoSuchDevice(attempt.no_device)
    truth = CONTRACTS[facts.contract].truth_of_call(oracle.truth()) if facts.wrt else oracle.truth()
    shape = shape_of(facts, [tuple(shape) for shape in truth.shapes], arguments)
    told = truth if session.policy.tells_values else None
    compared = _compared(facts, arguments, attempt, shape, told)
    return RanAnswer(Call(facts, arguments, file.shown, attempt, session.limits, shape, compared))


def _compared(
    facts: Facts, arguments: Mapping[str, Number], attempt: Attempt, shape: tuple[int, ...], truth: Truth | None
) -> ComparedCase | None:
    """What a call returned, beside what is expected of it; None if it returned no real numbers.

    Args:
        truth: None where what is expected may not be told.
    """
    array = attempt.answered[0].array if attempt.gave_values else None
    if array is None or array.dtype.kind not in "buif":
        return None
    given = array.reshape(-1).astype(np.float64)
    case = next((case for case in range(len(facts.cases)) if facts.arguments(case) == arguments), None)
    if case is not None and truth is not None:
        alone, due = expected_alone(case, facts, truth), truth.expected[case]
        fits = given.size == due.size
        return replace(alone, given=given, wrong=~equal_values(given, due)) if fits else alone
    whole = _fitted(shape, given.size) or given.shape
    said = ", ".join(f"{name}={value}" for name, value in arguments.items())
    return ComparedCase(0, said, whole, facts.axes, None, given, None)


def show(terminal: Terminal, found: RanAnswer) -> None:
    """Print a call and what came of it, or why there was none."""
    call = found.call
    if call is None:
        terminal.to_do(found.instead)
        return
    attempt = call.attempt
    terminal.line(f"{call.facts.name}({', '.join(f'{key}={value}' for key, value in call.arguments.items())})", "bold")
    if str(attempt.run.output).strip():
        terminal.line()
        terminal.printed(attempt.run.output)
    terminal.line()
    if attempt.gave_values:
        _print_result(terminal, call.facts, attempt.answered[0], call.shape)
    else:
        _print_failure(terminal, attempt, call.file, call.limits)
    if call.compared is not None and call.compared.due is not None:
        terminal.line()
        terminal.line(gettext("Expected:"))
        _print_array(terminal, call.compared.due.reshape(call.compared.shape))
    if others := unlike_the_cases(call.facts, call.arguments):
        terminal.line()
    for parameter, values in others.items():
        said = gettext("The lesson calls it with {name} = {values}.")
        terminal.line(said.format(name=parameter, values=alternatives(values)), "dim")


def _print_failure(terminal: Terminal, attempt: Attempt, file: str, limits: Limits) -> None:
    if attempt.raised is None:
        terminal.line(why_nothing(attempt))
        if attempt.was.frame is not None:
            terminal.line()
            terminal.frame(attempt.was.frame, file)
        return
    terminal.line(gettext("It raised an exception:"), "dim")
    terminal.raised(raised_from(attempt.raised), file)
    if asks_for_too_much(attempt.raised):
        said = gettext("It asked for more memory than there is. An answer may use {size} of it.")
        terminal.line()
        terminal.line(said.format(size=size_text(limits.memory)))


def chosen(facts: Facts, given: Sequence[str]) -> dict[str, Number]:
    """The arguments of the call by name: those of the first case, with those that are given in their place.

    Raises:
        KitError: if one of those is no argument of the problem, or has no number of its kind.
    """
    arguments = facts.arguments(0)
    for text in given:
        name, equals, value = (part.strip() for part in text.partition("="))
        if name not in arguments:
            known = ", ".join(f"{key}={usual}" for key, usual in arguments.items())
            said = gettext("{problem} has no argument {name}. Its arguments are: {arguments}.")
            raise KitError(said.format(problem=facts.name, name=repr(visible(name)), arguments=known))
        if not equals:
            said = gettext("{name} needs a value, as in {example}.")
            raise KitError(said.format(name=name, example=f"{name}={arguments[name]}"))
        kind = float if any(type(facts.arguments(case)[name]) is float for case in range(len(facts.cases))) else int
        try:
            arguments[name] = kind(value)
        except ValueError:
            said = (
                gettext("{name} should be a whole number, and {value} is not.")
                if kind is int
                else gettext("{name} should be a number, and {value} is not.")
            )
            raise KitError(said.format(name=name, value=repr(visible(value)))) from None
    return arguments


def unlike_the_cases(facts: Facts, arguments: Mapping[str, Number]) -> dict[str, list[str]]:
    """For each argument that has an unusual value, those of the cases. A call with it runs, and no case is like it.

    A value is unusual if it is smaller or larger than all of these, or if it is no multiple of what all of these are
    multiples of. A seed never is.
    """
    found: dict[str, list[str]] = {}
    for name, values in zip(facts.parameters, zip(*facts.cases, strict=True), strict=True):
        value, usual = arguments[name], sorted({*values})
        factor = math.gcd(*usual) if all(type(number) is int for number in usual) else 0
        if name != "seed" and (not usual[0] <= value <= usual[-1] or (factor and value % factor)):
            found[name] = [f"{number:g}" for number in usual]
    return found


def shape_of(facts: Facts, shapes: Sequence[tuple[int, ...]], arguments: Mapping[str, Number]) -> tuple[int, ...]:
    """The shape before flattening that a call should give, with -1 for one size that no argument says; empty if not known.

    Args:
        shapes: those of the cases. An axis is as long as an argument says if that is so in every case.
    """
    for case, shape in enumerate(shapes):
        if facts.arguments(case) == arguments:
            return shape
    if len({len(shape) for shape in shapes}) != 1:
        return ()
    columns = dict(zip(facts.parameters, zip(*facts.cases, strict=True), strict=True))
    sizes: list[int] = []
    for column in zip(*shapes, strict=True):
        same = [name for name, values in columns.items() if [*values] == [*column]]
        fixed = column[0] if len({*column}) == 1 else -1
        sizes.append(int(arguments[same[0]]) if same else fixed)
    return tuple(sizes) if sizes.count(-1) <= 1 else ()


def _print_result(terminal: Terminal, facts: Facts, answered: Answered, shape: tuple[int, ...]) -> None:
    array = answered.array
    if array is None:
        said = gettext("It returned a value of the type {type}, and no array.")
        terminal.line(said.format(type=visible(str(answered.instead))))
        return
    dtype, given = answered.dtype or array.dtype, array.shape
    said = gettext("It returned {dtype} of shape {shape}:")
    if array.ndim == 1 and len(shape) > 1 and (whole := _fitted(shape, array.size)):
        array = array.reshape(whole)
        said = gettext("It returned {dtype} of shape {shape}, shown as {whole}:")
        if len(facts.axes) == len(whole):
            said = gettext("It returned {dtype} of shape {shape}, shown as {whole}, {axes}:")
    terminal.line(
        said.format(dtype=dtype, shape=given, whole=array.shape, axes=" x ".join(map(str, map(axis_word, facts.axes))))
    )
    _print_array(terminal, array)


def _print_array(terminal: Terminal, array: Array) -> None:
    width = terminal.console.width - 4
    shown = np.array2string(array, width, precision=4, suppress_small=True, threshold=MOST_NUMBERS)
    for line in shown.splitlines():
        terminal.console.print(f"   {line}", no_wrap=True, overflow="ignore", crop=False)


def _fitted(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    """A shape with its unknown size filled in; empty if it does not hold so many numbers."""
    known = math.prod(length for length in shape if length >= 0)
    whole = tuple(size // known if length < 0 and known else length for length in shape)
    return whole if math.prod(whole) == size else ()
