"""Finds the place in a wrong answer's own program: with another value there, every case comes out right."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from grader.marking.judge import Array, differences
from grader.program.data import Equation, NotAProgram
from grader.where.budget import Budget, OutOfBudget
from grader.where.candidates import LEVELS, Candidates, forms_of
from grader.where.found import Case, Found
from grader.where.repairs import repairs
from grader.where.steps import Occurring, Pick, same
from grader.where.targets import DOUBTED, INNER, INNER_DOUBTED, KNOWN, OTHER, Target, targets
from grader.where.trial import Change, Changes, Trial

SMALL = 8_000
"""The most elements of all values of a case on which everything is tried."""
LONG = 24
"""A place that is evaluated more often is tried after all others."""
MOST_FIRST = 6
"""Fixes with which a second one is looked for."""
PART = 10.0
"""A fix that makes the whole output right counts as much as this many values that occur in the reference."""
WORK, SECONDS = 1.5e6, 2.0
"""The work that a search may do, about in microseconds, and the most seconds of processor time."""


def locate(cases: Sequence[Case], budget: Budget | None = None) -> list[Found]:
    """The places where an answer goes wrong, proven on all cases; nothing if none is found within the budget.

    One place is one mistake. Several places are several mistakes: all of them together make every case right.
    """
    try:
        search = _Search(cases, budget or Budget(WORK, SECONDS))
        return search.found()
    except (OutOfBudget, NotAProgram):
        return []


@dataclass(frozen=True)
class _Fix:
    """A way to change one target: the same in every case."""

    target: Target
    pick: Pick | None = None
    level: int = 0
    repair: str = ""
    operand: int = -1


class _Search:
    def __init__(self, cases: Sequence[Case], budget: Budget) -> None:
        self._cases, self._budget = cases, budget
        self._trials = [Trial(one.program, one.draws, budget) for one in cases]
        self._passes = [self._is_right(index, one.result) for index, one in enumerate(self._trials)]
        failing = sorted((index for index, right in enumerate(self._passes) if not right), key=self._size)
        self._failing = failing
        # On a small case, a wrong value may be right by chance.
        small = [index for index in failing if self._trials[index].kept <= SMALL] or failing[:1]
        self._looked_at = small[::-1]
        self._first = small[-1] if small else 0
        passing = (index for index, right in enumerate(self._passes) if right)
        self._wholes: list[_Fix] = []
        self._others = [index for index in (*failing, *sorted(passing, key=self._size)) if index != self._first]

    def _size(self, index: int) -> int:
        return self._cases[index].due.size

    def _is_right(self, index: int, values: Array) -> bool:
        case = self._cases[index]
        if values.size != case.due.size:
            return False
        return not bool(np.any(differences(values, case.due) > case.allowed))

    def found(self) -> list[Found]:
        """The places; none if nothing fails."""
        if not self._failing:
            return []
        known = [Occurring(self._cases[index].steps) for index in self._looked_at]
        listed = targets(self._trials, self._looked_at, known)
        picks = Candidates(self._cases[self._first].steps)
        # What is inside a long loop takes long: it comes after all other places.
        count = [len(self._trials[self._first].made[target.site]) for target in listed]
        short, long = (
            [one for one, n in zip(listed, count, strict=True) if (n > LONG) == far] for far in (False, True)
        )
        fixes = (
            self._one(short, picks) or self._one(long, picks) or self._wholes[:1] or self._two(listed, picks, known[0])
        )
        return [self._told(fixes, which) for which in range(len(fixes))]

    def _one(self, listed: Sequence[Target], picks: Candidates) -> list[_Fix]:
        """The one fix that makes every case right."""
        values, changes, constants = (partial(way, picks) for way in (self._values, self._repairs, self._constants))
        for tiers, way, share in (
            ((DOUBTED,), values, 0.2),
            ((DOUBTED, OTHER, INNER_DOUBTED, INNER), changes, 0.3),
            ((OTHER,), values, 0.3),
            ((DOUBTED, OTHER, INNER_DOUBTED, INNER), constants, 0.3),
            ((KNOWN,), values, 0.3),
            ((INNER_DOUBTED, INNER), values, 0.3),
            ((KNOWN,), changes, 0.3),
            ((KNOWN,), constants, 0.3),
        ):
            with self._budget.part(share):
                for target in listed:
                    if target.tier in tiers and (fix := next(way(target), None)) is not None:
                        return [fix]
        return []

    def _two(self, listed: Sequence[Target], picks: Candidates, known: Occurring) -> list[_Fix]:
        """Two fixes that make every case right together, and neither of them alone."""
        with self._budget.part(0.4):
            ways = (((DOUBTED, OTHER), self._values), ((DOUBTED, OTHER, INNER_DOUBTED), self._repairs))
            promising = self._promising(listed, picks, known)
            for first, change in promising:
                for tiers, way in ways:
                    with self._budget.part(0.2):
                        for target in listed:
                            if target.tier in tiers and target.site != first.target.site:
                                fix = next(way(picks, target, (first, change)), None)
                                if fix is not None:
                                    return [first, fix]
        return []

    def _promising(self, listed: Sequence[Target], picks: Candidates, known: Occurring) -> list[tuple[_Fix, Change]]:
        """Fixes with which more of what follows occurs in the reference, or more of the output is right: the best first."""
        trial, case = self._trials[self._first], self._cases[self._first]
        scored: list[tuple[float, _Fix, Change]] = []

        def gained(change: Change, target: Target) -> float:
            gain = [0.0]

            def watch(before: Array, now: Array) -> None:
                if before.size > 1:
                    gain[0] += known.holds(now) - known.holds(before)

            values = trial.run({target.site: change}, watch)
            if self._is_right(self._first, values):
                return 0.0  # it is the whole answer, or some other case is wrong
            if values.size == case.due.size == trial.result.size:
                wrong = [differences(one, case.due) > case.allowed for one in (trial.result, values)]
                gain[0] += PART * float(np.mean(wrong[0]) - np.mean(wrong[1]))
            return gain[0]

        with suppress(OutOfBudget), self._budget.part(0.4):
            for target in listed:
                if target.tier in (DOUBTED, OTHER):
                    for fix, change in self._ways(target, picks):
                        with suppress(NotAProgram):
                            if (gain := gained(change, target)) > 1.0:  # the value itself occurs
                                scored.append((gain, fix, change))
        best = sorted(scored, key=lambda one: -one[0])[:MOST_FIRST]
        return [(fix, change) for _, fix, change in best]

    def _ways(self, target: Target, picks: Candidates) -> Iterator[tuple[_Fix, Change]]:
        """The values that may belong in the place of a target's, in their plainest form."""
        current = target.current(self._trials[self._first])
        tried = {_bytes(current)}
        for pick, given in picks.near(target.count(self._trials[self._first]), current[0].shape, 0):
            for arrays in forms_of(given, current, 0):
                if (seen := _bytes(arrays)) not in tried:
                    tried.add(seen)
                    yield _Fix(target, pick), target.put(arrays)

    def _values(self, picks: Candidates, target: Target, base: tuple[_Fix, Change] | None = None) -> Iterator[_Fix]:
        """The values of the reference that make every case right in the place of a target's.

        Args:
            base: what is changed as well.
        """
        current = target.current(self._trials[self._first])
        before, changes = _beside(base)
        tried = {_bytes(current): False}
        for level in range(len(LEVELS)):
            for pick, given in picks.near(target.count(self._trials[self._first]), current[0].shape, level):
                for arrays in forms_of(given, current, level):
                    self._budget.spend(1.0)
                    change = {target.site: target.put(arrays)}
                    if (seen := _bytes(arrays)) not in tried:
                        tried[seen] = self._run(self._first, {**changes, **change})
                    fix = _Fix(target, pick, level)
                    if not tried[seen] or not self._says_something(fix, arrays, alone=base is None):
                        continue
                    if (base is None or not self._run(self._first, change)) and self._proven([*before, fix]):
                        yield fix

    def _says_something(self, fix: _Fix, values: Sequence[Array], *, alone: bool) -> bool:
        """Whether values are not the whole answer. One that says something all the same is kept for the end."""
        whole = same(self._cases[self._first].due, _stacked(values))
        if whole and alone and fix.target.informs and not self._wholes and self._proven([fix]):
            self._wholes.append(fix)
        return not whole

    def _repairs(self, picks: Candidates, target: Target, base: tuple[_Fix, Change] | None = None) -> Iterator[_Fix]:
        """The changes of a target's operation that make every case right."""
        equation = target.equation(self._trials[self._first])
        yield from self._that_fit(target, (_Fix(target, repair=one.name) for one in repairs(equation)), base)

    def _constants(self, picks: Candidates, target: Target, base: tuple[_Fix, Change] | None = None) -> Iterator[_Fix]:
        """The numbers of the reference that make every case right in the place of a literal."""
        listed = picks.constants(target.equation(self._trials[self._first]))
        yield from self._that_fit(target, (_Fix(target, pick, operand=operand) for operand, pick in listed), base)

    def _that_fit(self, target: Target, fixes: Iterable[_Fix], base: tuple[_Fix, Change] | None) -> Iterator[_Fix]:
        """Those of some fixes of an operation that make every case right. Each counts once, at its first output."""
        before, _ = _beside(base)
        if target.output:
            return
        for fix in fixes:
            self._budget.spend(1.0)
            if self._right_with([*before, fix], self._first) is None:
                continue
            if (base is None or self._right_with([fix], self._first) is None) and self._proven([*before, fix]):
                yield fix

    def _proven(self, fixes: Sequence[_Fix]) -> bool:
        return all(self._right_with(fixes, index) is not None for index in self._others)

    def _right_with(self, fixes: Sequence[_Fix], index: int) -> list[list[Array]] | None:
        """The values of each fix with which all of them make a case right; None if they do not.

        A place that the case does not have needs no fix there.
        """
        there = [fix for fix in fixes if fix.target.site in self._trials[index].made]
        if not there:
            return [] if self._passes[index] else None
        for chosen in itertools.product(*(list(self._changes(fix, index)) for fix in there)):
            sites = {fix.target.site: change for fix, (change, _) in zip(there, chosen, strict=True)}
            if self._run(index, sites):
                return [needed for _, needed in chosen]
        return None

    def _changes(self, fix: _Fix, index: int) -> Iterator[tuple[Change, list[Array]]]:
        trial, target = self._trials[index], fix.target
        needed: list[Array] = []
        if fix.pick is None:
            yield target.repaired(fix.repair, needed), needed
            return
        given = fix.pick.of(self._cases[index].steps, target.count(trial) if fix.operand < 0 else None)
        if given is None:
            return
        if fix.operand >= 0:
            yield target.operand(fix.operand, given[0], needed), needed
            return
        for arrays in forms_of(given, target.current(trial), fix.level):
            yield target.put(arrays), arrays

    def _run(self, index: int, changes: Changes) -> bool:
        try:
            return self._is_right(index, self._trials[index].run(changes))
        except NotAProgram:
            return False

    def _told(self, fixes: Sequence[_Fix], which: int) -> Found:
        """One of some fixes, with its values on the smallest case that fails and has all the places."""
        fix = fixes[which]
        case = next(i for i in self._failing if all(one.target.site in self._trials[i].made for one in fixes))
        trial, target = self._trials[case], fix.target
        chosen, at, rounds = target.told(trial)
        needed = (self._right_with(fixes, case) or [])[which]
        pairs = [(target.current(trial)[index], needed[index]) for index in chosen if index < len(needed)]
        yours, needed = map(list, zip(*pairs, strict=True))
        kind, words = "whole" if fix in self._wholes else "value", ""
        if fix.pick is None or fix.operand >= 0:
            kind, words = "repair", _words(fix, target.equation(trial))
        step = fix.pick.step if fix.pick else ""
        place, operation = target.site.place, target.site.operation
        apart = len({one.shape for one in (*yours, *needed)}) > 1  # arrays of several shapes do not stack
        evaluation = at or int(apart and rounds > 1)
        first, second = (one[0] if apart else _stacked(one) for one in (yours, needed))
        told = Found(kind, place, operation, case, rounds, step, first, second, words)
        return replace(told, evaluation=evaluation, alone=at > 0, inner=not target.leaves(trial))


def _beside(base: tuple[_Fix, Change] | None) -> tuple[list[_Fix], Changes]:
    return ([], {}) if base is None else ([base[0]], {base[0].target.site: base[1]})


def _words(fix: _Fix, equation: Equation) -> str:
    if fix.operand >= 0:
        return f"another constant than `{equation.inputs[fix.operand].value:g}`"  # pyright: ignore
    return next(one.words for one in repairs(equation) if one.name == fix.repair)


def _stacked(arrays: Sequence[Array]) -> Array:
    if len(arrays) == 1 or len({one.shape for one in arrays}) > 1:
        return arrays[0]
    return np.stack(arrays)


def _bytes(arrays: Sequence[Array]) -> bytes:
    return b"".join(str(one.shape).encode() + one.tobytes() for one in arrays)
