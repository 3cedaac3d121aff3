"""The hints of an exercise: which cases fail, what sort of change it is, the line, and the change itself."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence

from grader.locale.language import N_, gettext
from grader.marking.verdict import CaseResult, Verdict
from grader.practice.changes import Sort
from grader.practice.record import Exercise

COUNT = 4
"""How many hints an exercise has. The last one ends it."""

MOST_CASES_LISTED = 3
"""The most cases that a hint lists."""

_SORTS: Mapping[Sort, str] = {
    Sort.CONSTANT: N_("A number was taken for another."),
    Sort.FACTOR: N_("A factor or a divisor was left out."),
    Sort.TERM: N_("A term of a sum was left out."),
    Sort.POWER: N_("A power was left out."),
    Sort.OPERATOR: N_("One operator was taken for another."),
    Sort.OPERANDS: N_("Two things were exchanged."),
    Sort.COMPARISON: N_("One comparison was taken for another."),
    Sort.FUNCTION: N_("One function was taken for another."),
    Sort.AXIS: N_("An axis was taken for another."),
    Sort.INDEX: N_("An index was taken for another."),
    Sort.LEFT_OUT: N_("A part of a line was left out."),
    Sort.STATEMENT: N_("A whole line was left out."),
    Sort.DECLARED: N_("A part of one line was changed."),
}

Number = int | float


def hint(exercise: Exercise, number: int, shown: Verdict) -> str:
    """A hint in words.

    Args:
        number: from 1; the last of COUNT is the change itself, which is told as the end of an exercise is.
        shown: as much of the verdict on the exercise as an instructor lets be told.
    """
    match number:
        case 1:
            return failing_cases(shown.cases)
        case 2:
            named = shown.diagnosis.named if shown.diagnosis.explained else ()
            return str(named[0].hint) if named else gettext(_SORTS[Sort(exercise.sort)])
        case 3 if exercise.sort == Sort.STATEMENT:
            return gettext("Something is missing before line {line}.").format(line=exercise.line)
        case _:
            return gettext("Look at line {line}.").format(line=exercise.line)


def failing_cases(cases: Sequence[CaseResult]) -> str:
    """Which cases fail, by the arguments that tell them from those that pass; without cases, that this is not told."""
    if not cases:
        return gettext("Which cases fail is not shown here.")
    failing = [case.args for case in cases if not case.passed]
    passing = [case.args for case in cases if case.passed]
    if not passing:
        return gettext("Every case fails, whatever the arguments are.")
    names = [name for name in failing[0] if not name.startswith("seed")]
    few, one, several = failing, gettext("Only this case fails: {cases}."), gettext("Only these cases fail: {cases}.")
    if len(passing) < len(failing):
        few, one, several = (
            passing,
            gettext("Only this case passes: {cases}."),
            gettext("Only these cases pass: {cases}."),
        )
    if len(few) <= MOST_CASES_LISTED:  # what tells so few cases from the others may be chance
        listed = "; ".join(_in_words({name: args[name] for name in names}) for args in few)
        return (one if len(few) == 1 else several).format(cases=listed)
    for name in names:
        if said := _by_size(name, [args[name] for args in failing], [args[name] for args in passing]):
            return said
    for first, second in itertools.permutations(names, 2):
        if said := _by_pair(first, second, failing, passing):
            return said
    said = gettext("{failing} of {count} cases fail, and no single argument tells them apart.")
    return said.format(failing=len(failing), count=len(cases))


def _by_size(name: str, failing: Sequence[Number], passing: Sequence[Number]) -> str:
    if min(failing) > max(passing):
        said = gettext("Every case with {name} of {failing} or more fails. With {passing} or less, all pass.")
        return said.format(name=name, failing=_number(min(failing)), passing=_number(max(passing)))
    if max(failing) < min(passing):
        said = gettext("Every case with {name} of {failing} or less fails. With {passing} or more, all pass.")
        return said.format(name=name, failing=_number(max(failing)), passing=_number(min(passing)))
    return ""


_PAIRS: Sequence[tuple[Callable[[Number, Number], bool], str]] = (
    (lambda one, other: one > other, N_("Every case with {one} greater than {other} fails. All others pass.")),
    (lambda one, other: one == other, N_("Every case with {one} equal to {other} fails. All others pass.")),
    (lambda one, other: one != other, N_("Every case fails but those with {one} equal to {other}.")),
)


def _by_pair(
    one: str, other: str, failing: Sequence[Mapping[str, Number]], passing: Sequence[Mapping[str, Number]]
) -> str:
    for holds, said in _PAIRS:
        if all(holds(args[one], args[other]) for args in failing) and not any(
            holds(args[one], args[other]) for args in passing
        ):
            return gettext(said).format(one=one, other=other)
    return ""


def _in_words(args: Mapping[str, Number]) -> str:
    return ", ".join(f"{name}={_number(value)}" for name, value in args.items())


def _number(value: Number) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
