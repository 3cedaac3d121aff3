"""Whether fixes of an answer make its cases right: what is found is proven here, on all cases."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from grader.marking.comparison import Array, differences
from grader.marking.places import Reads
from grader.program.arithmetic import Noisy
from grader.program.data import Equation, NotAProgram
from grader.where.budget import ELEMENT, Budget
from grader.where.candidates import ORDERED, forms_of
from grader.where.case import Case
from grader.where.orders import NONE, Orders, orders
from grader.where.steps import MOVES, Occurring, Pick, same
from grader.where.targets import Target
from grader.where.trial import Change, Changes, Site, Trial

LARGEST_SMALL_CASE = 8_000
"""The most elements of all values of a case on which everything is tried."""
CHEAPER = 1.5
"""A case that evaluates this many times fewer operations is asked before the others."""
CLOSE = 1e-9
"""How far two numbers may differ that count as one."""
MOST_EARLIER_EVALUATIONS = 8
"""The most evaluations that are compared with a later one."""
SHORT_RESULT = 4
"""In a result of so few values, the same number elsewhere may be there by chance."""
MIXED = 4.0
"""How many times farther off a changed program may be: its own constants and those of the reference are mixed in it."""
BLURRED = 0.02
"""How far rounding to float32 may move a value, as a part of the largest."""
ORDERING = 20
"""How many times the usual work finding the order of an element is."""


@dataclass(frozen=True)
class Fix:
    """A way to change one target: the same in every case.

    Attributes:
        pick, level: the value of the reference that is put there, and the level of its forms.
        repair: the name of a small change of the operation.
        operand: the literal in whose place a number is put: that of `pick`, or `constant`.
        kept: what stays of truth values: "true" or "false" where they are that now.
        reads: what the expression reads where it first goes wrong, if that is known better than of the target.
    """

    target: Target
    pick: Pick | None = None
    level: int = 0
    repair: str = ""
    operand: int = -1
    constant: float | None = None
    kept: str = ""
    reads: Reads | None = field(default=None, compare=False)


class Proof:
    """The cases of an answer, each evaluated once.

    Attributes:
        failing: the cases that fail, the smallest first.
        looked_at: those of them that are small, the largest first: on a small case, a wrong value may be right by chance.
        first: the case on which everything is tried, the first of `looked_at`.
        passes: whether each case passes without a change.

    Raises:
        NotAProgram: if a program cannot be evaluated.
        OutOfBudget: if no work is left.
    """

    def __init__(self, cases: Sequence[Case], budget: Budget) -> None:
        self.cases, self.budget = cases, budget
        self._orders: dict[int, Orders] = {}
        self.trials = [Trial(one.program, one.draws, budget) for one in cases]
        self.passes = [self.is_right(index, one.result, slack=1.0) for index, one in enumerate(self.trials)]
        failing = sorted((index for index, right in enumerate(self.passes) if not right), key=self._size)
        self.failing = failing
        small = [index for index in failing if self.trials[index].kept <= LARGEST_SMALL_CASE] or failing[:1]
        self.looked_at = small[::-1]
        self.first = small[-1] if small else 0
        passing = (index for index, right in enumerate(self.passes) if right)
        self._others = [index for index in (*failing, *sorted(passing, key=self._size)) if index != self.first]
        most = len(self.trials[self.first].order) / CHEAPER
        by_cost = sorted(small, key=lambda index: len(self.trials[index].order))
        self._cheap = [index for index in by_cost if len(self.trials[index].order) <= most]

    def _size(self, index: int) -> int:
        return self.cases[index].due.size

    def orders(self, index: int) -> Orders:
        """The orders in which the answer holds values of the reference on a case."""
        if index not in self._orders:
            trial = self.trials[index]
            made = [value for slots in trial.made.values() for value in slots[0]]
            self.budget.spend(ELEMENT * ORDERING * sum(value.size for value in made))
            self._orders[index] = orders(made, self.cases[index].steps)
        return self._orders[index]

    def is_right(self, index: int, values: Array, slack: float = MIXED) -> bool:
        """Whether the values of a case are right, within `slack` times what is allowed."""
        case = self.cases[index]
        if values.size != case.due.size:
            return False
        return not bool(np.any(differences(values, case.due) > slack * case.allowed))

    def run(self, index: int, changes: Changes) -> bool:
        """Whether a case is right with changes."""
        try:
            return self.is_right(index, self.trials[index].run(changes))
        except NotAProgram:
            return False

    def worth_trying(self, fixes: Sequence[Fix]) -> bool:
        """Whether all fixes together make a case right that costs far less than the first one, if there is one."""
        sites = {fix.target.site for fix in fixes}
        cheap = next((index for index in self._cheap if sites <= self.trials[index].made.keys()), None)
        return cheap is None or self.right_with(fixes, cheap) is not None

    def is_result_again(self, values: Sequence[Array], current: Sequence[Array]) -> bool:
        """Whether values are one number of a short result, again and again: a mean or a choice of them proves nothing.

        Args:
            current: the values in whose place they are.
        """
        due, flat = self.cases[self.first].due, np.concatenate([one.reshape(-1) for one in values])
        if due.size > SHORT_RESULT or flat.dtype == np.bool_ or max(flat.size, *(one.size for one in current)) < 2:
            return False
        number = flat[0]
        return bool(
            np.allclose(flat, number, rtol=CLOSE, atol=0.0) and np.any(np.isclose(due, number, rtol=CLOSE, atol=0.0))
        )

    def comes_again(self, changes: Changes, values: Sequence[Array]) -> bool:
        """Whether an operation that follows gives the same numbers again: to clip what is clipped already changes nothing.

        It is not proven then that what follows is right. Of two masks that are joined, one often is the whole.
        """
        again: set[int] = set()

        def watch(equation: Equation, before: Array, now: Array) -> None:
            skipped = equation.operation in MOVES or equation.place < 0 or bool(equation.blocks)
            if skipped or now.size < 2 or now.dtype == np.bool_:
                return
            place = self.trials[self.first].program.places[equation.place]
            if Site(place, equation.operation) not in changes:
                again.update(at for at, one in enumerate(values) if one.dtype == now.dtype and same(one, now))

        self.trials[self.first].run(changes, watch)
        return len(again) == len(values)

    def begins_there(self, target: Target, needed: Sequence[Array], known: Occurring) -> Reads | None:
        """What an expression reads where it first goes wrong; None if it does not go wrong by itself.

        If what it reads stays wrong, the mistake was made before: with the right values in all rounds, any loop ends well.
        That is asked where the first values are right, and of values of several shapes. And what reads the same twice
        gives the same: no change of it could give two values.

        Args:
            needed: the values of the first case.
            known: the values of the reference there.
        """
        current = target.current(self.trials[self.first])
        wrong = [at for at, pair in enumerate(zip(current, needed, strict=False)) if not np.array_equal(*pair)]
        if target.ordinal is not None or not wrong:
            return target.reads
        first = [*{current[at].shape: at for at in reversed(wrong)}.values()]
        case = self.cases[self.first]
        changed = Trial(case.program, case.draws, self.budget, {target.site: target.put(needed)})
        read = {at: changed.read_from_outside(target.site, at) for at in first}
        occurs = all(map(known.holds, itertools.chain(*read.values())))
        if not occurs and first != [0]:
            return None
        for at, before in ((one, before) for one in first for before in range(min(one, MOST_EARLIER_EVALUATIONS))):
            if np.array_equal(current[before], current[at]) and not np.array_equal(needed[before], needed[at]):
                others = changed.read_from_outside(target.site, before)
                if len(others) == len(read[at]) and all(map(np.array_equal, others, read[at])):
                    return None
        right = occurs and all(known.in_place(one, of_shape=True) for one in itertools.chain(*read.values()))
        return target.reads if target.reads is Reads.TABLE else Reads.RIGHT if right else Reads.OTHER

    def holds(self, fixes: Sequence[Fix]) -> bool:
        """Whether some fixes that make the first case right make every case right, in float32 too."""
        needed: dict[int, list[list[Array]]] = {}
        for index in (*self._others, self.first):
            if (found := self.right_with(fixes, index)) is None:
                return False
            needed[index] = found
        return all(self._stands_rounding(fixes, index, needed[index]) for index in self.failing)

    def nearest(self, fix: Fix) -> Fix:
        """A fix that holds, or one that changes fewer truth values and holds too: of two masks that are joined, only one
        has to hide what is hidden."""
        if fix.target.current(self.trials[self.first])[0].dtype == np.bool_:
            for kept in ("true", "false"):
                less = replace(fix, kept=kept)
                if self.right_with([less], self.first) is not None and self.holds([less]):
                    return less
        return fix

    def _stands_rounding(self, fixes: Sequence[Fix], index: int, needed: Sequence[list[Array]]) -> bool:
        """Whether the rounding of what follows leaves a case about right: `x + 1e9 - 1e9` is right in float64 alone.

        Args:
            needed: the values of each fix that the case has.
        """
        trial, case = self.trials[index], self.cases[index]
        if not needed:
            return True
        there = [fix for fix in fixes if fix.target.site in trial.made]
        rounded = [[_in_float32(one) for one in values] for values in needed]
        changes = {fix.target.site: fix.target.put(values) for fix, values in zip(there, rounded, strict=True)}
        exact, trial.arithmetic = trial.arithmetic, Noisy(0)
        try:
            off = differences(trial.run(changes), case.due)
        except NotAProgram:
            return False
        finally:
            trial.arithmetic = exact
        return bool(np.all(off <= BLURRED * np.max(np.abs(case.due), initial=0.0, where=np.isfinite(case.due))))

    def right_with(self, fixes: Sequence[Fix], index: int) -> list[list[Array]] | None:
        """The values of each fix with which all of them make a case right; None if they do not.

        A place that the case does not have needs no fix there.
        """
        there = [fix for fix in fixes if fix.target.site in self.trials[index].made]
        if not there:
            return [] if self.passes[index] else None
        if any(fix.target.is_one_of_equals(self.trials[index]) for fix in there):
            return None
        for chosen in itertools.product(*(list(self._changes(fix, index)) for fix in there)):
            sites: Mapping[Site, Change] = {
                fix.target.site: change for fix, (change, _) in zip(there, chosen, strict=True)
            }
            if self.run(index, sites):
                return [needed for _, needed in chosen]
        return None

    def _changes(self, fix: Fix, index: int) -> Iterator[tuple[Change, list[Array]]]:
        trial, target = self.trials[index], fix.target
        needed: list[Array] = []
        if fix.constant is not None:
            yield target.operand(fix.operand, np.asarray(fix.constant), needed), needed
            return
        if fix.pick is None:
            yield target.repaired(fix.repair, needed), needed
            return
        given = fix.pick.of(self.cases[index].steps, target.count(trial) if fix.operand < 0 else None)
        if given is None:
            return
        if fix.operand >= 0:
            yield target.operand(fix.operand, given[0], needed), needed
            return
        for arrays in forms_of(
            given, target.current(trial), fix.level, self.orders(index) if fix.level == ORDERED else NONE
        ):
            if fix.kept:
                keep = np.logical_or if fix.kept == "true" else np.logical_and
                arrays = [keep(one, now) for one, now in zip(arrays, target.current(trial), strict=True)]
            yield target.put(arrays), arrays


def _in_float32(value: Array) -> Array:
    return value.astype(np.float32).astype(value.dtype) if value.dtype == np.float64 else value
