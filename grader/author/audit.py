"""The audit of a problem: all checks that it must pass before a learner meets it."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

from grader.author import statement_checks
from grader.author.answer_checks import run_answer, run_stub
from grader.author.calls import advice_on_call
from grader.author.example_checks import check_examples
from grader.author.finding import Audited, Finding
from grader.author.lesson_form import check_form, check_pitfalls, check_symbols
from grader.author.statement_checks import check_inputs
from grader.kit.kit import Kit, KitError
from grader.kit.problem_error import ProblemError
from grader.kit.statement import Heading
from grader.marking.facts import Facts
from grader.oracle import answer_key
from grader.oracle.oracle import Oracle, of_reference
from grader.run.judge.cores import threads
from grader.session import Session

DECLARATION, REFERENCE, MISTAKES, MUTATION_SCORE, TEXT_CHANGES, PLACES, FIGURES = (
    "grader.author.reference_checks:examine_declaration",
    "grader.author.reference_checks:examine_reference",
    "grader.author.reference_checks:examine_mistakes",
    "grader.author.mutation_score:mutation_score",
    "grader.author.text_changes:examine_text_changes",
    "grader.author.reference_checks:examine_places",
    "grader.page.figure:examine_figures",
)
"""These modules import JAX, so only the process that loads the reference imports them, by these names."""

KEY = "key"
"""The check of a key that is there."""

_HIDES = frozenset(("reference", "deterministic", "unstable"))
"""While one of these is open, the checks that depend on it are skipped."""


def audit(
    session: Session, names: Sequence[str], workers: int, advance: Callable[[], None], *, every: bool = False
) -> Iterator[Audited]:
    """Audit problems, several parts at once. Yield the results in the order of `names`, each as soon as it is there.

    What takes seconds comes first: the texts and what is declared. Only where that finds nothing, the reference, the stub,
    the worked answer and the figures run, and then, under the same condition, mistakes, near misses and mutants.

    Args:
        session: the kit and its processes.
        names: the problems to audit.
        workers: how many parts run at a time.
        advance: called whenever a part is done. Each problem has `PARTS` of them.
        every: whether all follows in any case, as far as the reference allows.

    Raises:
        KitError: if the kit has no solutions.
    """
    kit = session.kit
    without = [name for name in names if not kit.answer(name).is_file() and os.path.lexists(kit.key(name))]
    if without:
        raise KitError(
            f"{kit.opened(kit.answer(without[0]))} is not here: this kit was handed out without "
            "solutions/, and only with them can it be audited."
        )
    # One process for each problem costs least. A single problem uses two more, on other cores.
    single = len(names) == 1
    with threads(max(workers, PROCESSES) if single else workers, session.abort) as pool:

        def begin(part: Callable[..., Any], name: str, **more: Any) -> Future[tuple[Any, float]]:
            return pool.submit(_timed, partial(part, session, name, **more), advance)

        begun: list[tuple[Future[tuple[list[Finding], float]], Future[tuple[Audited, float]]]] = []
        for name in names:
            # The reference waits for the texts, which are begun before it: no thread waits for what cannot begin.
            texts = begin(_texts, name)
            begun.append((texts, begin(_run_reference, name, texts=texts, pool=pool if single else None, every=every)))
        for texts, reference in begun:
            (found, first), (audited, second) = texts.result(), reference.result()
            findings = tuple(dict.fromkeys([*found, *audited.findings]))
            yield replace(audited, findings=findings, seconds=round(first + second, 3))


PARTS = 2
PROCESSES = 3
"""What one problem uses at most: for the checks of its reference, for the mutants, for the places of its pitfalls."""


def _timed(part: Callable[[], Any], advance: Callable[[], None]) -> tuple[Any, float]:
    """What a part gives, and its seconds."""
    start = time.monotonic()
    try:
        return part(), time.monotonic() - start
    finally:
        advance()


def _texts(session: Session, name: str) -> list[Finding]:
    kit = session.kit
    findings = [*statement_checks.gaps(kit, name), *statement_checks.check_statement(kit, name)]
    findings += [*check_form(kit, name), *check_pitfalls(kit, name)]
    read = statement_checks.readable_text(kit, kit.statement(name))
    if read.text:
        findings += check_examples(read, session.launcher)
    if os.path.lexists(kit.key(name)):
        try:
            answer_key.read(kit, name)
        except ProblemError as error:
            findings.append(fault(kit, name, str(error), KEY))
    return findings


def _examined_apart(session: Session, name: str, what: str, **more: str) -> dict[str, Any]:
    """What an examination in another process finds. Raises ProblemError if the reference is too broken for it."""
    source = of_reference(session.kit, name, session.device, session.launcher)
    try:
        return source.examine(what, file=str(session.kit.answer(name)), **more)
    finally:
        source.close()


def _run_reference(
    session: Session,
    name: str,
    *,
    texts: Future[tuple[list[Finding], float]],
    pool: ThreadPoolExecutor | None,
    every: bool,
) -> Audited:
    """Examine the reference, the stub and the worked answer, and then what takes long (see `audit`).

    Args:
        texts: what the texts hold.
        pool: where the parts that take long run beside each other; None for one after the other.
    """
    kit = session.kit
    try:
        source = session.oracle(name)
    except ProblemError as error:
        return Audited(name, (fault(kit, name, str(error), "reference"),))
    assert source.computes, "the caller has looked for references"
    try:
        file, page = str(kit.answer(name)), statement_checks.readable_text(kit, kit.statement(name))
        output = page.section(Heading.OUTPUT)
        infinite = re.search(r"`[^`\n]*\b(?:inf|nan)\b[^`\n]*`", output) is not None  # it says so in code
        said = source.examine(DECLARATION, file=file)
        findings = _found(kit, name, said)
        findings += check_inputs(kit, name, said["facts"], said["related"])
        findings += check_symbols(kit, name, said["parameters"])
        findings += statement_checks.check_stub(kit, name, tuple(said["parameters"]))
        # A key that no longer fits is made again once the problem is sound.
        if not every and (findings or any(finding.check != KEY for finding in texts.result()[0])):
            return Audited(name, tuple(findings), left_out=True)
        findings += _found(kit, name, source.examine(REFERENCE, file=file, may_be_infinite=infinite))
        sound = not any(finding.check in _HIDES for finding in findings)
        if not any(finding.file == kit.shown(kit.stub(name)) for finding in findings):
            findings += run_stub(session, name, source.facts())
        if not sound:
            return Audited(name, tuple(findings))
        findings += run_answer(session, name, source)
        if kit.figure(name).is_file():
            findings += _run_figures(kit, name, source)
        if findings and not every:
            return Audited(name, tuple(findings), left_out=True)
        return _at_length(session, name, source, findings, pool)
    except ProblemError as error:
        return Audited(name, (fault(kit, name, str(error), "reference"),))
    finally:
        session.release(name)


def _at_length(
    session: Session, name: str, source: Oracle, findings: list[Finding], pool: ThreadPoolExecutor | None
) -> Audited:
    """What of an audit takes long, added to what is found already. Of many problems, no places: only a table is printed."""
    kit, file = session.kit, str(session.kit.answer(name))
    stub = statement_checks.readable_text(kit, kit.stub(name)).text
    counted = pool and pool.submit(_examined_apart, session, name, MUTATION_SCORE, stub=stub)
    placed = pool and pool.submit(_examined_apart, session, name, PLACES)
    said = source.examine(MISTAKES, file=file)
    findings = [*findings, *_found(kit, name, said)]
    if any(finding.check in _HIDES for finding in findings):
        return Audited(name, tuple(findings), sets=said["sets"])
    findings += _untold(kit, name, source, stub)
    mutation_score = counted.result() if counted is not None else source.examine(MUTATION_SCORE, file=file, stub=stub)
    findings += _undetected(kit, name, mutation_score, source.facts())
    listed = placed.result()["places"] if placed is not None else []
    places = tuple((entry["pitfall"], tuple(entry["lines"])) for entry in listed)
    equals = tuple((tuple(larger), tuple(smaller), forms) for larger, smaller, forms in said["equals"])
    return Audited(name, tuple(findings), mutation_score, equals, sets=said["sets"], places=places)


def _found(kit: Kit, name: str, said: dict[str, Any]) -> list[Finding]:
    """The findings of an examination in the process of the reference."""
    path = kit.answer(name)
    return [
        Finding(each["check"], kit.shown(path.with_name(each.get("file", path.name))), each["line"], each["message"])
        for each in said["findings"]
    ]


def _run_figures(kit: Kit, name: str, source: Oracle) -> Iterator[Finding]:
    """Run the figures of the lesson, which compare what they show with the reference."""
    if fault := source.examine(FIGURES, file=str(kit.figure(name))).get("fault"):
        yield Finding("figure", kit.shown(kit.figure(name)), fault["line"], fault["message"])


def _untold(kit: Kit, name: str, source: Oracle, stub: str) -> Iterator[Finding]:
    """Findings for changes of the text, as a wrong constant, that no case tells, and for stale explanations of such."""
    shown = kit.shown(kit.answer(name))
    said = source.examine(TEXT_CHANGES, file=str(kit.answer(name)), stub=stub)
    for change in said["untold"]:
        check = "near-miss" if change["name"] == "near-miss" else "survivor"
        yield Finding(check, shown, change["line"], _not_told(change, source.facts()))
    yield from _stale(shown, said["stale"])


def _undetected(kit: Kit, name: str, counted: dict[str, Any], facts: Facts) -> Iterator[Finding]:
    """Findings for the mutants that no case kills, and for explanations of mutants that are killed."""
    shown = kit.shown(kit.answer(name))
    for survivor in counted["survivors"]:
        yield Finding("survivor", shown, survivor["line"], _not_told(survivor, facts))
    for mutant in counted["never_equal"]:
        message = (
            f"no case tells `{mutant['text']}` from the truth: add one where {mutant['argument']} is a number that it is "
            f"compared with, one of few digits, or say on this line why it may live, `# survives {mutant['name']}: ...`"
        )
        yield Finding("survivor", shown, mutant["line"], message)
    yield from _stale(shown, counted["stale"])


def _not_told(change: dict[str, Any], facts: Facts) -> str:
    return (
        f"no case tells `{change['text']}` from the truth: "
        f"{advice_on_call(facts.parameters, facts.cases, tuple(change['probe']))}, "
        f"or say on this line why it may live, `# survives {change['name']}: ...`"
    )


def _stale(shown: str, explanations: Sequence[dict[str, Any]]) -> Iterator[Finding]:
    for explanation in explanations:
        message = f"no mutant {explanation['name']!r} of this line survives: drop the comment"
        yield Finding("stale-explanation", shown, explanation["line"], message)


def fault(kit: Kit, name: str, text: str, check: str) -> Finding:
    """A fault of the kit as a finding, from a message of the form `path: what`, `path:N: what` or `path: line N: what`."""
    text = text.replace(f"{kit.root}/", "")
    match = re.match(r"((?:problems|solutions)/\S+?):(?:(\d+):| line (\d+):)? (.*)", text, re.DOTALL)
    if match is None:
        return Finding(check, kit.shown(kit.answer(name)), 0, text)
    return Finding(check, match[1], int(match[2] or match[3] or 0), match[4])
