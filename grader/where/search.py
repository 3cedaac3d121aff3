"""Finds the place in a wrong answer's own program: with another value there, every case comes out right."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

import numpy as np

from grader.program.data import Equation, Literal, NotAProgram
from grader.program.devices import RULES
from grader.values.arrays import Array, differences
from grader.values.places import Edit, FoundPlace, Reads
from grader.values.relations import reordered
from grader.where.candidates import LEVELS, NONE, ORDERED, Candidates, forms_of, solved_literal
from grader.where.proof import Fix, Proof, found_place, stacked
from grader.where.repairs import repairs
from grader.where.steps import MOVES, Occurring, same_values
from grader.where.targets import (
    IN_REFERENCE,
    INNER_IN_REFERENCE,
    INNER_INPUTS_KNOWN,
    INNER_UNKNOWN,
    INPUTS_KNOWN,
    MAYBE_COPIED,
    UNKNOWN,
    Target,
    targets,
)
from grader.where.trial import Budget, Change, Changes, OutOfBudget, SearchCase, Trial, all_nan

MANY_EVALUATIONS = 24
"""A place that is evaluated more often is tried after all others."""
FEWEST_VALUES_DUE = 3
"""A constant is solved for only if at least this many values have to come out right."""
MOST_FIRST_FIXES = 6
"""Fixes with which a second one is looked for."""
PART = 10.0
"""A fix that makes the whole output right counts as much as this many values that occur in the reference."""
PART_FOR_VALUES = 0.6
"""Of the budget, what the search may use that looks at the numbers alone that depend on no derivative."""
WORK, SECONDS = 2.5e6, 1.7
"""The work that a search may do, about in microseconds, and the most seconds of processor time."""

WORK_TO_TELL, SECONDS_TO_TELL = 1e5, 0.2
"""What may be used on top of that to evaluate what was found once more."""


def of_part(part: float) -> Budget:
    """A part of the budget, for an answer about which several questions are asked."""
    return Budget(WORK * part, SECONDS * part)


def locate(cases: Sequence[SearchCase], budget: Budget | None = None, *, together: bool = True) -> list[FoundPlace]:
    """The places where an answer goes wrong, proven on all cases; nothing if none is found within the budget.

    One place is one mistake. Several places are several mistakes: all of them together make every case right.

    Args:
        together: whether several places are looked for, if no one place is found.
    """
    budget = budget or of_part(1.0)
    try:
        trials = [Trial(case.program, case.draws, budget) for case in cases]
        search, fixes = _Search(cases, trials, budget), list[Fix]()
        with suppress(OutOfBudget, NotAProgram), budget.part(PART_FOR_VALUES):
            if chosen := _of_values(cases, trials):
                of_values = _Search([case for case, _ in chosen], [trial for _, trial in chosen], budget)
                fixes = of_values.fixes(together=False)
                if fixes and not search.proves(fixes):
                    search = of_values
        return search.places(fixes or search.fixes(together=together))
    except (OutOfBudget, NotAProgram):
        return []


def _of_values(cases: Sequence[SearchCase], trials: Sequence[Trial]) -> list[tuple[SearchCase, Trial]]:
    """The cases without the numbers that depend on a derivative, each with a trial without its backward passes.

    A mistake in a loss makes both wrong, and with other values in the loss its derivative stays as it is. There are no such
    cases where no number depends on a derivative, or all do, or other numbers of the reference do.
    """
    chosen = list[tuple[SearchCase, Trial]]()
    for case, trial in zip(cases, trials, strict=True):
        if (mask := case.without_derivatives) is None or not mask.any() or mask.all():
            return []
        of_values = trial.other(derivatives=False)
        if not np.array_equal(~np.isnan(of_values.result) | np.isnan(trial.result), mask):
            return []
        chosen.append((replace(case, looked_at=mask), of_values))
    return chosen


_DEVICES = ({"shard"}, {"unshard"}, RULES.keys() - {"shard", "unshard"})
"""The operations of several devices, in the order in which they are tried: most arrays are joined as they were cut."""

_Ways = Sequence[tuple[Sequence[int], Callable[..., Iterator[Fix]], float]]
"""What is tried in turn: on targets of which tiers, how, and with which share of the budget that is left."""


class _Search:
    """The search on some cases."""

    def __init__(self, cases: Sequence[SearchCase], trials: Sequence[Trial], budget: Budget) -> None:
        self._proof = Proof(cases, trials, budget)
        self._cases, self._budget, self._trials = cases, budget, trials
        self._first = self._proof.first
        self._wholes: list[Fix] = []

    def proves(self, fixes: Sequence[Fix]) -> bool:
        """Whether fixes make every case right."""
        return self._proof.holds(fixes)

    def places(self, fixes: Sequence[Fix]) -> list[FoundPlace]:
        """The places of fixes that make every case right, each with its values."""
        self._budget.allow(WORK_TO_TELL, SECONDS_TO_TELL)
        return [found_place(self._proof, fixes, which) for which in range(len(fixes))]

    def fixes(self, *, together: bool) -> list[Fix]:
        """The changes that make every case right; none if nothing fails."""
        if not self._proof.failing:
            return []
        known = [Occurring(self._cases[index].steps) for index in self._proof.looked_at]
        self._known = known[self._proof.looked_at.index(self._first)]
        listed = targets(self._trials, self._proof.looked_at, known)
        listed = [target for target in listed if not self._wants_derivative(target)]
        picks = Candidates(self._cases[self._first].steps)
        fixes: list[Fix] = []
        with suppress(OutOfBudget):
            for ways, group in itertools.product((self._own, self._inside), self._groups(listed)):
                fixes = fixes or self._one(group, ways(picks))
            fixes = fixes or self._wholes[:1] or (self._two(listed, picks, known[0]) if together else [])
        return fixes or self._wholes[:1]

    def _wants_derivative(self, target: Target) -> bool:
        """Whether a value is missing because backward passes are not evaluated."""
        trial = self._trials[self._first]
        value = target.current(trial)[0]
        return not trial.derivatives and value.size > 0 and all_nan(value)

    def _groups(self, listed: Sequence[Target]) -> list[list[Target]]:
        """Targets in the order in which they are tried.

        What is evaluated often takes long: other places come first, but not those that read what a loop made. Of a whole
        loop, the value says less than one inside.
        """
        trial = self._trials[self._first]
        after_loops = trial.after_loops()
        plain, often, loops, after = groups = [list[Target]() for _ in range(4)]
        for target in listed:
            if target.equation(trial).blocks:
                loops.append(target)
            elif len(trial.made[target.site]) > MANY_EVALUATIONS:
                often.append(target)
            elif target.site in after_loops and target.tier not in (MAYBE_COPIED, INPUTS_KNOWN):
                after.append(target)
            else:
                plain.append(target)
        return groups

    def _own(self, picks: Candidates) -> _Ways:
        """The ways to change values that are read outside their own expression. A constant can make up for much."""
        values, numbers = partial(self._values, picks), partial(self._constants, picks)
        changes = partial(self._repairs, edits=set(Edit) - {Edit.CONSTANT})
        constants, every_tier = partial(self._repairs, edits={Edit.CONSTANT}), range(INNER_IN_REFERENCE + 1)
        return [
            *((every_tier, partial(self._of_devices, operations), 0.1) for operations in _DEVICES),
            ((MAYBE_COPIED,), values, 0.1),
            ((INPUTS_KNOWN,), values, 0.2),
            ((INPUTS_KNOWN, UNKNOWN), changes, 0.3),
            ((INPUTS_KNOWN, UNKNOWN), constants, 0.3),
            ((UNKNOWN,), values, 0.3),
            ((INPUTS_KNOWN, UNKNOWN), numbers, 0.3),
            ((INPUTS_KNOWN, UNKNOWN), self._solved, 0.3),
            *(((IN_REFERENCE,), way, 0.3) for way in (values, changes, constants, numbers)),
        ]

    def _inside(self, picks: Candidates) -> _Ways:
        """The ways to change a step inside an expression, such as a call of a library."""
        ways = self._repairs, partial(self._constants, picks), self._solved, partial(self._values, picks)
        return [
            (tiers, way, 0.3) for tiers in ((INNER_INPUTS_KNOWN, INNER_UNKNOWN), (INNER_IN_REFERENCE,)) for way in ways
        ]

    def _one(self, listed: Sequence[Target], ways: _Ways) -> list[Fix]:
        """The one fix that makes every case right."""
        for tiers, way, share in ways:
            with self._budget.part(share):
                for target in listed:
                    if target.tier in tiers and (fix := next(way(target), None)) is not None:
                        return [fix]
        return []

    def _two(self, listed: Sequence[Target], picks: Candidates, known: Occurring) -> list[Fix]:
        """Two fixes that make every case right together, and neither of them alone."""
        with self._budget.part(0.4):
            ways = (
                ((INPUTS_KNOWN, UNKNOWN), partial(self._values, picks)),
                ((INPUTS_KNOWN, UNKNOWN, INNER_INPUTS_KNOWN), self._repairs),
            )
            promising = self._promising(listed, picks, known)
            for first, change in promising:
                for tiers, way in ways:
                    with self._budget.part(0.2):
                        for target in listed:
                            if target.tier in tiers and target.site != first.target.site:
                                fix = next(way(target, (first, change)), None)
                                if fix is not None:
                                    return [first, fix]
        return []

    def _promising(self, listed: Sequence[Target], picks: Candidates, known: Occurring) -> list[tuple[Fix, Change]]:
        """Fixes with which more of what follows occurs in the reference, or more of the output is right: the best first."""
        trial, case = self._trials[self._first], self._cases[self._first]
        scored: list[tuple[float, Fix, Change]] = []

        def gained(change: Change, target: Target) -> float:
            gain = [0.0]

            def watch(_: Equation, before: Array, now: Array) -> None:
                if before.size > 1:
                    gain[0] += known.holds(now) - known.holds(before)

            values = trial.run({target.site: change}, watch)
            if self._proof.is_right(self._first, values):
                return 0.0  # it is the whole answer, or some other case is wrong
            if values.size == case.due.size == trial.result.size:
                wrong = [differences(result, case.due) > case.allowed for result in (trial.result, values)]
                gain[0] += PART * float(np.mean(wrong[0]) - np.mean(wrong[1]))
            return gain[0]

        with suppress(OutOfBudget), self._budget.part(0.4):
            for target in listed:
                if target.tier in (INPUTS_KNOWN, UNKNOWN) and target.site.operation != "shard":
                    for fix, change in self._ways(target, picks):
                        with suppress(NotAProgram):
                            if (gain := gained(change, target)) > 1.0:  # the value itself occurs
                                scored.append((gain, fix, change))
        best = sorted(scored, key=lambda entry: -entry[0])[:MOST_FIRST_FIXES]
        return [(fix, change) for _, fix, change in best]

    def _ways(self, target: Target, picks: Candidates) -> Iterator[tuple[Fix, Change]]:
        """The values that may belong in the place of a target's, in their plainest form."""
        current = target.current(self._trials[self._first])
        tried = {_bytes(current)}
        for pick, given in picks.near(target.count(self._trials[self._first]), current[0].shape, 0):
            for arrays in forms_of(given, current, 0):
                if (seen := _bytes(arrays)) not in tried and not same_values(
                    self._cases[self._first].due, stacked(arrays)
                ):
                    tried.add(seen)
                    yield Fix(target, pick), target.put(arrays)

    def _values(self, picks: Candidates, target: Target, base: tuple[Fix, Change] | None = None) -> Iterator[Fix]:
        """The values of the reference that make every case right in the place of a target's.

        Args:
            base: what is changed as well.
        """
        if target.site.operation == "shard":
            return  # an array is cut as its spec says
        current = target.current(self._trials[self._first])
        before, changes = _beside(base)
        tried = {_bytes(current): False}
        for level in range(len(LEVELS)):
            orders = self._proof.orders(self._first) if level == ORDERED else NONE
            if level == ORDERED and not orders:
                continue
            for pick, given in picks.near(target.count(self._trials[self._first]), current[0].shape, level):
                fix = Fix(target, pick, level)
                if not self._proof.worth_trying([*before, fix]):
                    continue
                for arrays in forms_of(given, current, level, orders):
                    self._budget.spend(1.0)
                    change = {target.site: target.put(arrays)}
                    if (seen := _bytes(arrays)) not in tried:
                        tried[seen] = self._proof.can_give(target, arrays) and self._proof.run(
                            self._first, {**changes, **change}
                        )
                    if not tried[seen] or not self._says_something(fix, arrays, current, alone=base is None):
                        continue
                    if base is not None and self._proof.run(self._first, change):
                        continue  # it needs no other fix
                    if not self._proof.holds([*before, fix]):
                        continue
                    if (reads := self._proof.begins_there(target, arrays, self._known)) is None:
                        continue
                    fix = replace(fix, reads=reads)
                    if base is not None:
                        yield fix
                    elif not self._proof.comes_again(change, arrays):
                        yield self._proof.nearest(fix)

    def _says_something(self, fix: Fix, values: Sequence[Array], current: Sequence[Array], *, alone: bool) -> bool:
        """Whether values are not the whole answer. One that says something all the same is kept for the end."""
        if self._proof.is_result_again(values, current):
            return False
        case, given = self._cases[self._first], stacked(values)
        whole = same_values(case.due, given) or same_values(case.chosen(case.due), given)
        equation = fix.target.equation(self._trials[self._first])
        informs = alone and fix.target.reads is Reads.RIGHT and not equation.blocks and not self._wholes
        if equation.operation in MOVES:  # what only moves right values is wrong in their order alone
            informs = informs and reordered(stacked(current), stacked(values))
        begins = partial(self._proof.begins_there, fix.target, values, self._known)
        if whole and informs and self._proof.holds([fix]) and begins() is not None:
            self._wholes.append(fix)
        return not whole

    def _repairs(
        self, target: Target, base: tuple[Fix, Change] | None = None, *, edits: Collection[Edit] = frozenset(Edit)
    ) -> Iterator[Fix]:
        """The changes of an operation, of those kinds, that make every case right."""
        listed = repairs(target.equation(self._trials[self._first]))
        chosen = (repair for repair in listed if repair.change in edits)
        yield from self._that_fit(target, (Fix(target, repair=repair.name) for repair in chosen), base)

    def _of_devices(self, operations: Collection[str], target: Target) -> Iterator[Fix]:
        """The changes of what devices hold, and of which devices take part, that make every case right."""
        if target.site.operation in operations:
            yield from self._repairs(target, edits={Edit.SPEC, Edit.MESH_AXES, Edit.PAIRS})

    def _constants(self, picks: Candidates, target: Target, base: tuple[Fix, Change] | None = None) -> Iterator[Fix]:
        """The numbers of the reference that make every case right in the place of a literal."""
        listed = picks.constants(target.equation(self._trials[self._first]))
        yield from self._that_fit(target, (Fix(target, pick, operand=operand) for operand, pick in listed), base)

    def _solved(self, target: Target, base: tuple[Fix, Change] | None = None) -> Iterator[Fix]:
        """The numbers, whatever they are, that make every case right in the place of a literal."""
        # One number that has to come out right says nothing: most literals could be bent until it does.
        failing = [self._cases[index] for index in self._proof.failing]
        if target.output or sum(case.chosen(case.due).size for case in failing) < FEWEST_VALUES_DUE:
            return
        _, changes = _beside(base)
        trial, case = self._trials[self._first], self._cases[self._first]
        for operand, atom in enumerate(target.equation(trial).inputs):
            if not isinstance(atom, Literal) or not isinstance(atom.value, float) or not np.isfinite(atom.value):
                continue

            def value(number: float, operand: int = operand) -> Array:
                given = trial.run({**changes, target.site: target.operand(operand, np.asarray(number), [])})
                return case.chosen(given) if given.shape == case.due.shape else given

            with suppress(NotAProgram):
                number = solved_literal(value, case.chosen(case.due), atom.value)
                if number is not None:
                    yield from self._that_fit(target, [Fix(target, operand=operand, constant=number)], base)

    def _that_fit(self, target: Target, fixes: Iterable[Fix], base: tuple[Fix, Change] | None) -> Iterator[Fix]:
        """The fixes of an operation, of those given, that make every case right. Each counts once, at its first output."""
        before, _ = _beside(base)
        if target.output:
            return
        alone = target.ordinal is not None and not self._trials[self._first].at_once(target.site)
        for fix in fixes:
            # A change of the text changes the operation in every evaluation. A spec may be another one each time.
            if alone and not fix.of_spec:
                continue
            self._budget.spend(1.0)
            if not self._proof.worth_trying([*before, fix]):
                continue
            if self._proof.right_with([*before, fix], self._first) is None:
                continue
            if base is not None and self._proof.right_with([fix], self._first) is not None:
                continue  # it needs no other fix
            if self._proof.holds([*before, fix]):
                yield fix


def _beside(base: tuple[Fix, Change] | None) -> tuple[list[Fix], Changes]:
    return ([], {}) if base is None else ([base[0]], {base[0].target.site: base[1]})


def _bytes(arrays: Sequence[Array]) -> bytes:
    return b"".join(str(array.shape).encode() + array.tobytes() for array in arrays)
