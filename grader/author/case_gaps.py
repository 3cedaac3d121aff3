"""What no case of a problem has: a legal extreme of an argument, or such a value of one where others are not small."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from grader.kit.arguments import Corner, Number, Real, Whole, related
from grader.kit.problem import Case, Problem, arguments_of

Values = Mapping[str, Number]
Test = Callable[[str, Number], bool]
"""Whether a value of an argument is of some sort."""


@dataclass(frozen=True)
class Gap:
    """Something legal that no case shows, and a case that would; None where none was found."""

    missing: str
    case: Case | None

    @property
    def message(self) -> str:
        """What is missing, and what to do, in one line."""
        if self.case is None:
            return f"{self.missing}, and nothing that was tried goes with it: change `arguments` or `legal`"
        return f"{self.missing}: add a case such as {self.case}"


def faults_of_arguments(problem: Problem) -> Iterator[tuple[str, str]]:
    """(check, message) where the arguments are not declared, and for what the cases do not cross."""
    if not problem.arguments and len(problem.parameters) > 1:
        like = ", ".join(
            f'"{name}": {type(argument).__name__}(...)' for name, argument in arguments_of(problem).items()
        )
        message = f"it does not declare which arguments are legal: add arguments={{{like}}}, as the statement says"
        yield "arguments", message
    for gap in gaps(problem):
        yield "uncrossed", gap.message


def gaps(problem: Problem) -> Iterator[Gap]:
    """Everything that is legal and that the cases do not cross, argument by argument."""
    crossing = _Crossing(problem)
    for name, argument in problem.arguments.items():
        for corner in argument.corners:
            yield from crossing.gaps(name, corner)
    yield from crossing.always_small()


class _Crossing:
    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._cases: list[Values] = [dict(zip(problem.parameters, case, strict=True)) for case in problem.cases]
        self._groups = _groups(problem)
        self._values = {name: self._sorted(name, self._near(name, group)) for group in self._groups for name in group}

    def gaps(self, name: str, corner: Corner) -> Iterator[Gap]:
        having = [case for case in self._cases if corner.holds(case[name])]
        if not having:
            yield Gap(
                f"no case has {name}{corner.said}, which is legal", self._case({name: corner}, (), self._is_small)
            )
        elif not corner.small:
            yield from self._never_without(name, corner, having, self._is_single)
        elif not (yield from self._never_large(name, corner, having)):
            yield from self._never_without(name, corner, having, self._is_trivial)

    def always_small(self) -> Iterator[Gap]:
        """A gap if each case has a small argument, where none need be."""
        together = self._together({}, list(self._problem.arguments), self._is_small)
        if all(any(self._is_small(name, case[name]) for name in together) for case in self._cases):
            yield Gap("each case has an argument that is small", self._case({}, together, self._is_small))

    def _never_large(self, name: str, corner: Corner, having: Sequence[Values]) -> Generator[Gap, None, bool]:
        """Gaps for the others that are small in all these cases. Return whether there are any."""
        others = [other for other in self._others(name) if all(self._is_small(other, case[other]) for case in having)]
        found = False
        # One case for as many of them as go together.
        while together := self._together({name: corner}, others, self._is_small):
            beside = " and with ".join(f"{argument}={', '.join(_shown(having, argument))}" for argument in together)
            yield Gap(_hidden(name, corner, beside), self._case({name: corner}, together, self._is_small))
            others, found = [other for other in others if other not in together], True
        return found

    def _never_without(self, name: str, corner: Corner, having: Sequence[Values], avoided: Test) -> Iterator[Gap]:
        """A gap if some other has such a value in each of these cases, where none need have one."""
        together = self._together({name: corner}, self._others(name), avoided)
        found = [[argument for argument in together if avoided(argument, case[argument])] for case in having]
        if all(found):
            beside = dict.fromkeys(f"{each[0]}={case[each[0]]:g}" for each, case in zip(found, having, strict=True))
            case = self._case({name: corner}, together, avoided)
            yield Gap(_hidden(name, corner, " or with ".join(beside)), case)

    def _others(self, name: str) -> list[str]:
        return [argument for argument in self._problem.arguments if argument != name]

    def _together(self, at: Mapping[str, Corner], others: Sequence[str], avoided: Test) -> tuple[str, ...]:
        """As many of the others as can avoid such values in one legal case that has these corners."""
        together: tuple[str, ...] = ()
        for other in others:
            if self._case(at, (*together, other), avoided) is not None:
                together = (*together, other)
        return together

    def _near(self, name: str, group: Sequence[str]) -> set[Number]:
        """Values to try for an argument of a group."""
        arguments = self._problem.arguments
        values: dict[str, set[Number]] = {
            argument: {
                *arguments[argument].near([case[argument] for case in self._cases]),
                *(c.example for c in arguments[argument].corners),
            }
            for argument in group
        }
        if isinstance(arguments[name], Real):
            return values[name]
        # Whole numbers that go together may need the same large one, or its double: 300 rows of a table for 300 positions.
        whole = [value for argument in group if isinstance(arguments[argument], Whole) for value in values[argument]]
        return {times * value for times in (1, 2) for value in whole}

    def _sorted(self, name: str, values: Iterable[Number]) -> list[Number]:
        """Legal values of an argument: those that are not small first, then the small ones, each in order."""
        legal = [value for value in values if not self._problem.arguments[name].fault(value)]
        return sorted(legal, key=lambda value: (self._is_small(name, value), value))

    def _case(self, at: Mapping[str, Corner], others: Sequence[str], avoided: Test) -> Case | None:
        """A legal case that has these corners, where some other arguments avoid such values; None if none was found."""
        chosen: dict[str, Number] = {}
        for group in self._groups:
            choices = [
                [value for value in self._values[argument] if at[argument].holds(value)]
                if argument in at
                else [
                    value for value in self._values[argument] if argument not in others or not avoided(argument, value)
                ]
                for argument in group
            ]
            for values in itertools.product(*choices):
                tried = {**self._cases[0], **chosen, **dict(zip(group, values, strict=True))}
                if self._goes_together(group, tried):
                    chosen.update(zip(group, values, strict=True))
                    break
            else:
                return None
        return (0, *(chosen[parameter] for parameter in self._problem.parameters[1:]))

    def _goes_together(self, group: Sequence[str], values: Values) -> bool:
        about = ((relation, related(relation)) for relation in self._problem.legal)
        return all(relation(**{name: values[name] for name in names}) for relation, names in about if names[0] in group)

    def _is_small(self, name: str, value: Number) -> bool:
        return any(corner.small and corner.holds(value) for corner in self._problem.arguments[name].corners)

    def _is_single(self, name: str, value: Number) -> bool:
        """Whether nothing is added up, turned or mixed along an argument: a large value of another is then not seen."""
        return isinstance(self._problem.arguments[name], Whole) and value in (0, 1)

    def _is_trivial(self, name: str, value: Number) -> bool:
        return any(corner.trivial and corner.holds(value) for corner in self._problem.arguments[name].corners)


def _groups(problem: Problem) -> list[tuple[str, ...]]:
    """The arguments, those together that relations join."""
    groups = {name: {name} for name in problem.arguments}
    for relation in problem.legal:
        joined = set[str]().union(*(groups[name] for name in related(relation)))
        groups.update(dict.fromkeys(joined, joined))
    return list(
        dict.fromkeys(tuple(argument for argument in problem.arguments if argument in groups[name]) for name in groups)
    )


def _hidden(name: str, corner: Corner, beside: str) -> str:
    return f"{name}{corner.said} occurs only with {beside}, so a mistake can hide there"


def _shown(cases: Sequence[Values], name: str) -> list[str]:
    return [f"{value:g}" for value in sorted({case[name] for case in cases})]
