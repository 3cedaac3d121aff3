"""Makes an exercise: a change of a right answer that the grader finds wrong in numbers alone."""

from __future__ import annotations

import ast
import datetime
import hashlib
import itertools
import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from grader.grade import grade_text
from grader.kit import solution
from grader.kit.files import Unreadable, read_text, write_atomically
from grader.kit.kit import Kit
from grader.kit.mistakes import Pitfall
from grader.kit.problem_error import ProblemError
from grader.kit.progress import software
from grader.kit.shipped_stub import shipped
from grader.kit.solution import bare
from grader.marking.verdict import TOLD, Status, Verdict
from grader.practice.changes import Change, Proposal, Sort, proposals, written
from grader.practice.declared import declared_changes
from grader.practice.record import Exercise, Practised, Record, digest_of_numbers
from grader.session import Session
from grader.values.places import parsed

MOST_GRADED = 16
"""The most changes of an answer that are graded for one exercise."""


def make(
    session: Session,
    name: str,
    text: str,
    record: Record,
    *,
    worked: bool = False,
    made_before: Sequence[str] = (),
    working: Callable[[int], None] = lambda _: None,
) -> Exercise | None:
    """An exercise out of a right answer; None if none of its changes is a good one.

    Args:
        text: the answer.
        worked: whether it is the worked answer.
        made_before: the mistakes that the learner made in this problem: these come first.
        working: is called with the number of each change that is about to be graded, from 1.

    Raises:
        ProblemError, NoSuchDevice, LaunchError: as `grade_text`.
    """
    kit = session.kit
    seen = {one.numbers for one in record.past if one.problem == name}
    shown = kit.shown(kit.practice(name))
    for number, change in enumerate(in_turn(kit, name, text, record, made_before), start=1):
        if number > MOST_GRADED:
            return None
        working(number)
        verdict = grade_text(session, name, change.text, shown)
        if is_good(verdict) and digest_of_numbers(verdict) not in seen:
            return Exercise(
                name,
                change.text,
                "" if worked else digest(text),
                change.sort.value,
                change.name,
                change.line,
                change.before,
                change.after,
                fingerprint(kit, name, session.device),
                replace(verdict, sample="", drawable=None),
                began=datetime.datetime.now(datetime.UTC).timestamp(),
            )
    return None


def is_good(verdict: Verdict) -> bool:
    """Whether the numbers of a wrong answer show that it is wrong: some failing case has as many as are expected."""
    failing = [case for case in verdict.cases if not case.passed]
    compared = any(case.error is not None and math.isfinite(case.error) for case in failing)
    return verdict.status is Status.WRONG and compared and not TOLD & {*verdict.diagnosis.names}


def digest(text: str) -> str:
    """A digest of an answer."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def fingerprint(kit: Kit, name: str, device: str) -> str:
    """A digest of what the verdict on an exercise depends on beside its text."""
    from grader.kit.progress import fingerprint_of_problem

    return f"{fingerprint_of_problem(kit, name, device)} {digest(software())}"


def in_turn(kit: Kit, name: str, text: str, record: Record, made_before: Sequence[str]) -> Iterator[Change]:
    """The changes of an answer in the order in which they are tried, each text once.

    Mistakes of the problem and other changes come in turn. Those of the kind of the exercise before, and of its line, come
    last. The text of a proposal is made when its turn comes: of hundreds, a few are tried.
    """
    stub, tree = shipped(kit, name) or "", parsed(text)
    before = record.last_on(name)
    chance = random.Random(f"{name} {sum(one.problem == name for one in record.past)}")
    declared = _shuffled(_declared(kit, name, text, stub), chance)
    declared.sort(key=lambda change: change.name not in made_before)  # the order is kept beyond that
    general = _shuffled(list(proposals(text, tree, stub)), chance)
    turns = [general, declared] if before is not None and before.sort == Sort.DECLARED else [declared, general]
    listed = [change for pair in itertools.zip_longest(*turns) for change in pair if change is not None]
    if before is not None:
        listed.sort(key=lambda change: (_kind(change) == _kind(before), change.line == before.line))
    # A mistake of the problem that a proposal makes, too, has its name.
    made = {change.text: change for change in declared}
    tried = set[str]()
    for one in listed:
        change = one if isinstance(one, Change) else written(text, tree, one)
        if change is not None and change.text not in tried:
            tried.add(change.text)
            yield made.get(change.text, change)


def _kind(of: Change | Proposal | Practised) -> str:
    return str(of.sort) if isinstance(of, Proposal) else of.name or str(of.sort)


_Several = TypeVar("_Several", Change, Proposal)


def _shuffled(changes: Sequence[_Several], chance: random.Random) -> list[_Several]:
    """The changes by chance, with those of one kind far from each other."""
    by_kind: dict[str, list[_Several]] = {}
    for change in changes:
        by_kind.setdefault(_kind(change), []).append(change)
    listed = [chance.sample(several, len(several)) for several in by_kind.values()]
    chance.shuffle(listed)
    return [change for several in itertools.zip_longest(*listed) for change in several if change is not None]


def _declared(kit: Kit, name: str, text: str, stub: str) -> Sequence[Change]:
    """The mistakes of the problem that can be made in an answer; none in a kit without solutions."""
    path = kit.answer(name)
    if not path.is_file():
        return []
    try:
        worked = read_text(path)
        pitfalls: Sequence[Pitfall] = solution.read(name, path, worked, read_text(kit.words(name))).pitfalls
    except (Unreadable, SyntaxError) as error:
        raise ProblemError(f"{kit.shown(path)}: {error}") from None
    return list(declared_changes(text, stub, worked, pitfalls, parameters(stub, name)))


def parameters(stub: str, name: str) -> list[str]:
    """The names of the arguments of a problem's function, from the text of its stub."""
    for node in parsed(stub).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return [argument.arg for argument in node.args.args]
    return []


def worked_text(kit: Kit, name: str) -> str:
    """The worked answer as learners see it. Raises ProblemError where it cannot be read."""
    path = kit.answer(name)
    try:
        return bare(read_text(path))
    except (Unreadable, SyntaxError) as error:
        raise ProblemError(f"{kit.opened(path)}: {error}") from None


def write(kit: Kit, exercise: Exercise) -> None:
    """Write the file of an exercise. Raises OSError where it cannot."""
    write_atomically(kit.practice(exercise.problem), exercise.text.encode("utf-8", "surrogatepass"))
