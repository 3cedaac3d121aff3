"""Finds the place in a wrong answer's own program: with another value there, every case comes out right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from grader.marking.judge import Array, differences
from grader.program.data import Equation, NotAProgram
from grader.where.budget import Budget, OutOfBudget
from grader.where.candidates import LEVELS, Candidates, forms_of
from grader.where.found import Case, Found
from grader.where.repairs import repairs
from grader.where.steps import Occurring, Pick, same
from grader.where.targets import DOUBTED, INNER, KNOWN, LEAVING, Target, targets
from grader.where.trial import Change, Changes, Trial

SMALL = 20_000
"""The most elements of all values of a case on which everything is tried."""
WORK, SECONDS = 1e6, 2.0
"""The work of a search in microseconds, about, and the processor time that it takes at most."""


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
        self._right = [self._is_right(index, one.result) for index, one in enumerate(self._trials)]
        failing = sorted((index for index, right in enumerate(self._right) if not right), key=self._size)
        self._failing = failing
        # On a small case, a wrong value may be right by chance.
        small = [index for index in failing if self._trials[index].kept <= SMALL] or failing[:1]
        self._looked_at = small[::-1]
        self._first = small[-1] if small else 0
        self._others = [*failing, *sorted((i for i, right in enumerate(self._right) if right), key=self._size)]
        self._others = [index for index in self._others if index != self._first]

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
        for tiers, way, share in self._phases(picks):
            with self._budget.part(share):
                for target in listed:
                    if target.tier in tiers:
                        for fix in way(target):
                            return [self._told(fix)]
        return []

    def _phases(self, picks: Candidates) -> Iterator[tuple[Sequence[int], Callable[[Target], Iterator[_Fix]], float]]:
        """What is tried in turn: the tiers, a way to fix a target, and the share of the work that is left."""
        values, changes = partial(self._values, picks=picks), partial(self._repairs, picks=picks)
        yield (DOUBTED,), values, 0.25
        yield (DOUBTED, INNER - 1), changes, 0.25
        yield (LEAVING,), values, 0.33
        yield (LEAVING, INNER), changes, 0.33
        yield (KNOWN,), values, 0.33
        yield (INNER - 1, INNER), values, 0.5
        yield (KNOWN,), changes, 0.5

    def _values(self, target: Target, picks: Candidates) -> Iterator[_Fix]:
        """The values of the reference that make every case right in the place of a target's."""
        current = target.current(self._trials[self._first])
        tried = {_bytes(current): False}
        for level in range(len(LEVELS)):
            for pick, given in picks.near(target.count(self._trials[self._first]), current[0].shape, level):
                for arrays in forms_of(given, current, level):
                    self._budget.spend(1.0)
                    if (seen := _bytes(arrays)) not in tried:
                        tried[seen] = self._run(self._first, {target.site: target.put(arrays)})
                    fix = _Fix(target, pick, level)
                    if tried[seen] and not self._is_trivial(target, arrays) and self._proven(fix):
                        yield fix

    def _is_trivial(self, target: Target, values: Sequence[Array]) -> bool:
        """Whether values are the whole answer, and what comes before them is not known to be right."""
        return not target.informs and same(self._cases[self._first].due, _stacked(values))

    def _proven(self, fix: _Fix) -> bool:
        return all(self._right_with(fix, index) is not None for index in self._others)

    def _right_with(self, fix: _Fix, index: int) -> list[Array] | None:
        """The values with which a fix makes a case right; None if it does not. Nothing is changed where nothing can be."""
        trial = self._trials[index]
        if fix.target.site not in trial.made:
            return [] if self._right[index] else None
        for change, needed in self._changes(fix, index):
            if self._run(index, {fix.target.site: change}):
                return needed
        return None

    def _changes(self, fix: _Fix, index: int) -> Iterator[tuple[Change, list[Array]]]:
        trial, target = self._trials[index], fix.target
        if fix.pick is None:
            needed: list[Array] = []
            yield target.repaired(fix.repair, needed), needed
            return
        given = fix.pick.of(self._cases[index].steps, target.count(trial) if fix.operand < 0 else None)
        if given is None:
            return
        if fix.operand >= 0:
            needed = []
            yield target.operand(fix.operand, given[0], needed), needed
            return
        for arrays in forms_of(given, target.current(trial), fix.level):
            yield target.put(arrays), arrays

    def _repairs(self, target: Target, picks: Candidates) -> Iterator[_Fix]:
        if target.output:
            return
        equation = target.equation(self._trials[self._first])
        fixes = [_Fix(target, repair=one.name) for one in repairs(equation)]
        fixes += [_Fix(target, pick, operand=operand) for operand, pick in picks.constants(equation)]
        for fix in fixes:
            self._budget.spend(1.0)
            if self._right_with(fix, self._first) is not None and self._proven(fix):
                yield fix

    def _run(self, index: int, changes: Changes) -> bool:
        try:
            return self._is_right(index, self._trials[index].run(changes))
        except NotAProgram:
            return False

    def _told(self, fix: _Fix) -> Found:
        case = self._failing[0]
        if fix.target.site not in self._trials[case].made:
            case = self._first
        trial, target = self._trials[case], fix.target
        needed = self._right_with(fix, case)
        assert needed is not None
        yours = target.current(trial)[: len(needed)]
        kind, words = "value", ""
        if fix.pick is None or fix.operand >= 0:
            kind, words = "repair", _words(fix, target.equation(trial))
        step = fix.pick.step if fix.pick else ""
        place, operation = target.site.place, target.site.operation
        rounds = len(trial.made[target.site])
        return Found(kind, place, operation, case, rounds, step, _stacked(yours), _stacked(needed), words)


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
