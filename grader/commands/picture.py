"""`picture`: draw one case of an answer, large, or write it to a file. Returns an exit status."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.commands import trace
from grader.commands.trace import to_see_more, why_nothing
from grader.grade import task_of
from grader.kit.kit import KitError
from grader.kit.output import check_new, write_new
from grader.kit.text import visible
from grader.locale.language import gettext
from grader.marking.evidence import Evidence
from grader.marking.excerpt import arguments_text, drawable, expected_alone
from grader.marking.facts import Facts, Truth
from grader.marking.requirements import CONTRACTS
from grader.marking.verdict import ComparedCase, Drawable
from grader.options import NoSuchDevice, Options
from grader.oracle.oracle import Oracle
from grader.pictures.view import EXPECTED, OF, YOURS, View, drawable_parts, most_telling_case, view
from grader.report.picture import drawn
from grader.report.terminal import Terminal
from grader.session import Session

MOST_LINES_OF_A_PART = 24
"""The most lines of one part of a picture."""

PIXELS_FOR_ONE = 2.0
"""A PNG has so many pixels for each of a picture's, so that it is sharp when it is printed."""

SVG, PNG = ".svg", ".png"
"""How the names of files end that can be written."""


@dataclass(frozen=True)
class PictureRequest:
    """What was asked for: of which case (a number from 1), which parts, and the file to write, if any."""

    name: str
    case: int | None = None
    answer: Path | None = None
    of: str | None = None
    out: Path | None = None
    force: bool = False

    @property
    def parts(self) -> tuple[str, ...]:
        return OF if self.of is None else (self.of,)


def draw(options: Options, asked: PictureRequest) -> int:
    """Draw the stub of a problem, or another answer to it, or what is expected alone.

    Raises:
        KitError: if the problem has no picture, if there is no such case, if what was asked for is withheld, or if a file
            cannot be written.
    """
    if not options.policy.tells_values and asked.of not in (None, YOURS):
        level = options.policy.feedback
        said = gettext("Expected values are not shown (--feedback {level}): leave out --of, or draw `--of yours`.")
        raise KitError(said.format(level=level))
    if asked.out is not None:
        _check_file(asked.out, force=asked.force)
    with Session(options.kit, options.device, options.limits, options.policy) as session:
        return print_picture(session, Terminal.make(colour=options.colour), asked)


def print_picture(session: Session, terminal: Terminal, asked: PictureRequest) -> int:
    """Draw what was asked for, and print or write it. Returns the exit status of `picture`, and raises as `draw` does."""
    found = _found(session, terminal, asked)
    if found is None:
        return 1
    one, count = found
    if not session.policy.tells_values:
        one = Drawable(one.pictures, tuple(replace(case, due=None, wrong=None) for case in one.cases))
    case = _chosen(one)
    views = [seen for picture in one.pictures if (seen := view(picture, case)) and drawable_parts(seen, asked.parts)]
    if not views:
        said = gettext(
            "There is nothing to draw: the answer does not give the {shape} real numbers that are expected at {arguments}."
        )
        terminal.to_do(said.format(shape=_due(case), arguments=case.arguments))
        return 1
    if asked.of != EXPECTED and any(seen.given is None for seen in views):
        said = gettext(
            "Your values are not drawn: the answer does not give the {shape} real numbers that are expected at {arguments}."
        )
        terminal.to_do(said.format(shape=_due(case), arguments=case.arguments))
        terminal.line()
    if asked.out is not None:
        write_new(asked.out, _image(asked, asked.out, case, views), force=asked.force)
        terminal.line(gettext("Written: {file}").format(file=visible(str(asked.out))))
        return 0
    said = gettext("{problem}   case {case} of {count}")
    terminal.line(said.format(problem=asked.name, case=case.case + 1, count=count), "bold")
    for seen in views:
        terminal.line()
        for row in drawn(seen, asked.parts, terminal.console.width, MOST_LINES_OF_A_PART, terminal.ink):
            terminal.console.print(row, no_wrap=True, overflow="ignore", crop=False)
    return 0


def _found(session: Session, terminal: Terminal, asked: PictureRequest) -> tuple[Drawable, int] | None:
    """What can be drawn, and how many cases the problem has; None if the answer gives nothing, which is told."""
    kit, name = session.kit, asked.name
    file = None if asked.of == EXPECTED else trace.read_answer_file(session, name, asked.answer)
    if file is not None and not file.filled_in:
        said = gettext("Not filled in yet. Fill in {stub} first. To see what is expected: {command}")
        expected = kit.command("picture", name, "--of", EXPECTED)
        terminal.to_do(said.format(stub=kit.opened(file.path), command=expected))
        return None
    oracle = session.oracle(name)
    facts, truth = oracle.facts(), oracle.truth()
    if not facts.pictures:
        said = gettext("{problem} has no picture. To see its values line by line: {command}")
        raise KitError(said.format(problem=name, command=kit.command("trace", name)))
    if facts.wrt:
        truth = CONTRACTS[facts.contract].truth_of_call(truth)
    count = len(facts.cases)
    if asked.case is not None and not 1 <= asked.case <= count:
        said = gettext("There is no case {case}: the cases are 1 to {count}.")
        raise KitError(said.format(case=asked.case, count=count))
    cases = range(count) if asked.case is None else [asked.case - 1]
    if file is None:
        return Drawable(facts.pictures, tuple(expected_alone(case, facts, truth) for case in cases)), count
    given = _given(session, terminal, asked.answer, file.text, file.shown, facts, oracle, truth, cases)
    return None if given is None else (given, count)


def _given(
    session: Session,
    terminal: Terminal,
    answer: Path | None,
    text: str,
    shown: str,
    facts: Facts,
    oracle: Oracle,
    truth: Truth,
    cases: Sequence[int],
) -> Drawable | None:
    """Call an answer on some cases, and judge it as a grading does; None if it gives nothing, which is told."""
    called = replace(facts, cases=tuple(facts.cases[case] for case in cases), contract="", wrt="")
    if len(cases) < len(facts.cases):
        truth = truth.of_case(cases[0])
    task = task_of(text, shown, called)
    attempt = session.attempt(replace(task, programs=len(cases)))
    if attempt.no_device:
        raise NoSuchDevice(attempt.no_device)
    if attempt.failure is not None or attempt.raised is not None:
        terminal.to_do(f"{why_nothing(attempt)} {to_see_more(session.kit, facts.name, answer, attempt)}")
        return None
    with session.evaluator(attempt.traced.programs, truth, text) as programs:
        evidence = Evidence(called, oracle, truth, attempt.answered, programs=programs, compiled=attempt.compiled)
        while asked := evidence.judgement.to_call:
            evidence = evidence.with_calls(asked, session.calls(task, asked))
        found = drawable(evidence)
    assert found is not None
    named = (
        replace(compared_case, case=case, arguments=arguments_text(facts, case))
        for compared_case, case in zip(found.cases, cases, strict=True)
    )
    return Drawable(found.pictures, tuple(named))


def _chosen(found: Drawable) -> ComparedCase:
    """The case that shows the most; one on which the answer is wrong, if there is one."""
    room = 2 * MOST_LINES_OF_A_PART, 64
    best = most_telling_case(found, *room, wrong=True) or most_telling_case(found, *room, wrong=False)
    return best[1] if best else max(found.cases, key=lambda case: max(case.shape))


def _due(case: ComparedCase) -> str:
    return "x".join(map(str, case.shape))


def _check_file(out: Path, *, force: bool) -> None:
    """Refuse a file that may not be written, or that is no kind of image."""
    if out.suffix.lower() not in (SVG, PNG):
        said = gettext("{file} should end with {svg} or {png}: that says what is written.")
        raise KitError(said.format(file=visible(str(out)), svg=SVG, png=PNG))
    check_new(out, force=force)


def _image(asked: PictureRequest, out: Path, case: ComparedCase, views: Sequence[View]) -> bytes:
    from grader.pictures.spec import as_png, as_svg, spec, together

    specs = [spec(seen, asked.parts) for seen in views]
    specs[0]["title"]["text"] = f"{asked.name}, {specs[0]['title']['text']}"
    whole = specs[0] if len(specs) == 1 else together(specs, f"{asked.name}, {case.arguments}")
    return as_svg(whole) if out.suffix.lower() == SVG else as_png(whole, PIXELS_FOR_ONE)
