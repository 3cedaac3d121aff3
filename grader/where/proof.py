"""Whether fixes of an answer make its cases right on all cases, and what is told of one that does."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from grader.program.arithmetic import Noisy
from grader.program.data import Equation, Literal, NotAProgram
from grader.values.arrays import PROVEN_CLOSE, VALUES_CLOSE, Array, differences
from grader.values.places import MOST_NUMBERS_READ, Edit, FoundPlace, Place, PlaceKind, Reads, Relation
from grader.values.relations import differing, relation, reordered
from grader.where.candidates import NONE, ORDERED, Orders, forms_of, orders
from grader.where.repairs import SPEC, repairs
from grader.where.steps import MOVES, Occurring, StepPick, same_values
from grader.where.targets import Target
from grader.where.trial import ELEMENT, Budget, Change, Changes, OutOfBudget, SearchCase, Site, Trial

LARGEST_SMALL_CASE = 8_000
"""The most elements of all values of a case on which everything is tried."""

CHEAPER = 1.5
"""A case that evaluates this many times fewer operations is asked before the others."""

MOST_EARLIER_EVALUATIONS = 8
"""The most evaluations that are compared with a later one."""

SHORT_RESULT = 4
"""In a result of so few values, the same number elsewhere may be there by chance."""

MIXED = 4.0
"""How many times farther off a changed program may be: its own constants and those of the reference are mixed in it."""

BLURRED = 0.02
"""How far rounding to float32 may move a value, as a part of the largest."""

REDUCTIONS = frozenset(("reduce_sum", "reduce_max", "reduce_min", "reduce_prod", "device_psum", "device_pmax"))
"""Operations that give one number in the place of several."""

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
    pick: StepPick | None = None
    level: int = 0
    repair: str = ""
    operand: int = -1
    constant: float | None = None
    kept: str = ""
    reads: Reads | None = field(default=None, compare=False)

    @property
    def of_spec(self) -> bool:
        """Whether it changes a spec. One line may cut arrays by another spec each time."""
        return self.repair.startswith(SPEC)


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

    def __init__(self, cases: Sequence[SearchCase], trials: Sequence[Trial], budget: Budget) -> None:
        self.cases, self.trials, self.budget = cases, trials, budget
        self._orders: dict[int, Orders] = {}
        self.passes = [self.is_right(index, trial.result, slack=1.0) for index, trial in enumerate(self.trials)]
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
        return not bool(np.any(case.chosen(differences(values, case.due) > slack * case.allowed)))

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
        due, flat = self.cases[self.first].due, np.concatenate([value.reshape(-1) for value in values])
        if due.size > SHORT_RESULT or flat.dtype == np.bool_ or max(flat.size, *(array.size for array in current)) < 2:
            return False
        number = flat[0]
        return bool(
            np.allclose(flat, number, rtol=PROVEN_CLOSE, atol=0.0)
            and np.any(np.isclose(due, number, rtol=PROVEN_CLOSE, atol=0.0))
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
            if self.trials[self.first].site(equation) not in changes:
                again.update(
                    at for at, value in enumerate(values) if value.dtype == now.dtype and same_values(value, now)
                )

        self.trials[self.first].run(changes, watch)
        return len(again) == len(values)

    def can_give(self, target: Target, needed: Sequence[Array]) -> bool:
        """Whether a person could make an operation give the values needed.

        Sorting right values gives no others. And one number again and again, in the place of numbers of which only the sum
        or the largest is read, makes up for another operation there.

        Args:
            needed: the values of the first case.
        """
        trial = self.trials[self.first]
        current = target.current(trial)
        if all(map(_is_one_number, needed)) and not all(map(_is_one_number, current)):
            reading = trial.reading(current)
            return not reading or not reading <= REDUCTIONS
        if target.site.operation != "sort" or target.reads is not Reads.RIGHT:
            return True
        pairs = zip(current, needed, strict=False)
        return all(yours.shape != due.shape or reordered(yours, due) for yours, due in pairs)

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
        changed = self.trials[self.first].other({target.site: target.put(needed)})
        read = {at: changed.read_from_outside(target.site, at) for at in first}
        occurs = all(map(known.holds, itertools.chain(*read.values())))
        if not occurs and first != [0]:
            return None
        for at, before in ((now, before) for now in first for before in range(min(now, MOST_EARLIER_EVALUATIONS))):
            if np.array_equal(current[before], current[at]) and not np.array_equal(needed[before], needed[at]):
                others = changed.read_from_outside(target.site, before)
                if len(others) == len(read[at]) and all(map(np.array_equal, others, read[at])):
                    return None
        right = occurs and all(known.in_place(value, of_shape=True) for value in itertools.chain(*read.values()))
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
        rounded = [[_in_float32(value) for value in values] for values in needed]
        changes = {fix.target.site: fix.target.put(values) for fix, values in zip(there, rounded, strict=True)}
        exact, trial.arithmetic = trial.arithmetic, Noisy(0)
        try:
            off = case.chosen(differences(trial.run(changes), case.due))
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
        if any(fix.target.is_one_of_equals(self.trials[index]) for fix in there if not fix.of_spec):
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
                arrays = [keep(array, now) for array, now in zip(arrays, target.current(trial), strict=True)]
            yield target.put(arrays), arrays


def _is_one_number(value: Array) -> bool:
    return value.size > 1 and value.dtype.kind == "f" and bool(np.all(value == value.flat[0]))


def _in_float32(value: Array) -> Array:
    return value.astype(np.float32).astype(value.dtype) if value.dtype == np.float64 else value


MOST_CASES_RELATED = 3
"""The most cases on which a relation of values, before it is checked on the others, or a run that is right, is sought."""

MOST_RUNS_TRIED, MOST_ELEMENTS_TRIED = 16, 64
"""Of how many evaluations and elements it is found out whether their change matters."""

ORDERS = MOVES | {"dot_general", "iota", "sort", "top_k", "argsort"}
"""The operations that decide in which order values stand."""

_Pair = tuple[Array, Array]


def found_place(proof: Proof, fixes: Sequence[Fix], which: int) -> FoundPlace:
    """One of some fixes, with its values on the smallest case that fails, has all the places, and that it changes."""
    fix, target = fixes[which], fixes[which].target
    there = [i for i in proof.failing if all(fix.target.site in proof.trials[i].made for fix in fixes)]
    # With two fixes, one of them may change nothing on the smallest case.
    case = next((i for i in there if any(map(_differ, _pairs(proof, fixes, which, i)))), there[0])
    trial = proof.trials[case]
    _, at, rounds = target.reported(trial)
    if fix.of_spec and target.ordinal is not None and len(trial.made[target.site]) > 1:
        at, rounds = target.ordinal + 1, len(trial.made[target.site])
    pairs = _pairs(proof, fixes, which, case)
    related = None if fix.pick is None or fix.operand >= 0 else _related(proof, fixes, which, there)
    equation, operation = target.equation(trial), target.site.operation
    inner = not target.leaves(trial) and not fix.of_spec
    kind, change, constant, made = PlaceKind.VALUE, None, 0.0, equation
    if fix.pick is None or fix.operand >= 0:
        kind, (change, constant) = PlaceKind.REPAIR, _changed(fix, equation)
    if inner and len(fixes) == 1 and (outer := _of_whole(proof, fix, case)) is not None:
        # The values of the whole expression say more than those of a step inside it.
        kind, change, related = PlaceKind.VALUE, None, None
        made, pair = outer
        inner, operation, pairs = False, made.operation, [pair]
    elif related is None and kind is PlaceKind.VALUE:
        pairs = _that_matter(proof, fixes, which, case, pairs)
    apart = len({array.shape for pair in pairs for array in pair}) > 1  # arrays of several shapes do not stack
    first = next((index for index, pair in enumerate(pairs) if _differ(pair)), 0)
    yours, needed = pairs[first] if apart else map(stacked, zip(*pairs, strict=True))
    numbers, table = _outside(trial, target.site.place)
    unread = equation.blocks or _ordered_before(related, operation) or _in_one_run(proof, fixes, there)
    return FoundPlace(
        kind,
        target.site.place,
        operation,
        fix.pick.step if fix.pick else "",
        case,
        rounds,
        yours,
        needed,
        Reads.OTHER if unread else fix.reads or target.reads,
        related,
        change,
        constant,
        numbers,
        table,
        tuple(sorted({place.line for place in trial.order})),
        at or (first + 1 if apart and rounds > 1 else 0),
        alone=at > 0,
        inner=inner,
        derivative=target.site.backward
        or all(trial.is_slope(target.site.place, value) for value in target.current(trial)),
        part=proof.cases[case].looked_at is not None,
        devices=made.devices,
        argument=tuple(made.parameters.get("argument", (0, 0))),
    )


def _ordered_before(related: Relation | None, operation: str) -> bool:
    """Whether values are in another order that their operation did not give them: what goes in did, or a `vmap` around."""
    return related is Relation.REORDERED and operation not in ORDERS


def _in_one_run(proof: Proof, fixes: Sequence[Fix], there: Sequence[int]) -> bool:
    """Whether every case that has several evaluations is right with one of them changed: what goes in there is wrong."""
    (fix, *others), right = fixes, list[bool]()
    if others or fix.pick is None or fix.operand >= 0 or fix.target.ordinal is not None:
        return False
    with contextlib.suppress(OutOfBudget):
        for case in there[:MOST_CASES_RELATED]:
            (needed,) = proof.right_with(fixes, case) or [[]]
            pairs = [*zip(fix.target.current(proof.trials[case]), needed, strict=False)]
            first = next((at for at, pair in enumerate(pairs) if _differ(pair)), None)
            if len(pairs) > 1 and first is not None:
                alone = replace(fix.target, ordinal=first).put([needed[first]])
                right.append(proof.run(case, {fix.target.site: alone}))
    return bool(right) and all(right)


def _pairs(proof: Proof, fixes: Sequence[Fix], which: int, case: int) -> list[_Pair]:
    """The values that one of some fixes changes on a case, as far as they are told, each with the one needed."""
    target, trial = fixes[which].target, proof.trials[case]
    needed = (proof.right_with(fixes, case) or [])[which]
    return [(target.current(trial)[at], needed[at]) for at in target.reported(trial)[0] if at < len(needed)]


def _that_matter(proof: Proof, fixes: Sequence[Fix], which: int, case: int, pairs: Sequence[_Pair]) -> list[_Pair]:
    """The values that one of some fixes changes on a case, each with the one needed, or once more where any will do.

    Evaluations are tried first, then the elements of the first that is left. What a later line overwrites changes nothing.
    """
    needed, trial = proof.right_with(fixes, case) or [], proof.trials[case]
    changes = {fix.target.site: fix.target.put(values) for fix, values in zip(fixes, needed, strict=False)}
    target, kept, told = fixes[which].target, [*needed[which]], fixes[which].target.reported(trial)[0]
    yours = target.current(trial)

    def still_right(at: int, values: Array) -> bool:
        before, kept[at] = kept[at], values
        right = proof.run(case, {**changes, target.site: target.put(kept)})
        kept[at] = values if right else before
        return right

    with contextlib.suppress(OutOfBudget):
        differ = [at for at in told if at < len(kept) and _differ((yours[at], kept[at]))]
        left = [at for at in differ[:MOST_RUNS_TRIED] if len(differ) == 1 or not still_right(at, yours[at])]
        for at in left:
            if not np.all(np.isfinite(yours[at])):  # where a number was missing, any may do: the plainest is 0
                still_right(at, np.where(np.isfinite(yours[at]), kept[at], 0.0))
        if left and yours[left[0]].ndim and yours[left[0]].shape == kept[left[0]].shape:
            for index in [*zip(*np.nonzero(differing(yours[left[0]], kept[left[0]])), strict=True)][
                :MOST_ELEMENTS_TRIED
            ]:
                values = np.array(kept[left[0]])
                values[index] = yours[left[0]][index]
                still_right(left[0], values)
    found = [(yours[at], kept[at]) for at in told if at < len(kept)]
    # A case that was only a little wrong counts as right with any change.
    return found if any(map(_differ, found)) else [*pairs]


def _related(proof: Proof, fixes: Sequence[Fix], which: int, there: Sequence[int]) -> Relation | None:
    """How the values needed follow from those that one of some fixes changes, in all cases that fail.

    A relation of the first cases may be chance: a frequency of `d_model=4` is a root that it is not elsewhere.
    """
    try:
        first = [pair for case in there[:MOST_CASES_RELATED] for pair in _pairs(proof, fixes, which, case)]
        if (found := _relation(first)) is None or len(there) <= MOST_CASES_RELATED:
            return found
        others = [pair for case in there[MOST_CASES_RELATED:] for pair in _pairs(proof, fixes, which, case)]
    except OutOfBudget:
        return None
    return found if _relation([*first, *others]) is found else None


def _relation(pairs: Sequence[_Pair]) -> Relation | None:
    """How the second of each pair follows from the first, if it is the same in all of them."""
    if pairs and all(reordered(*pair) for pair in pairs):
        return Relation.REORDERED
    if not pairs or any(pair.shape != other.shape for pair, other in pairs):
        return None
    yours, needed = (np.concatenate([array.reshape(-1) for array in side]) for side in zip(*pairs, strict=True))
    return relation(yours, needed)


def _of_whole(proof: Proof, fix: Fix, case: int) -> tuple[Equation, _Pair] | None:
    """The equation that gives the value of a whole expression, with that value and the one that a fix inside gives.

    None where it has several values, or is evaluated several times.
    """
    trial, place, found = proof.trials[case], fix.target.site.place, list[tuple[Site, Equation, _Pair]]()

    def watch(equation: Equation, before: Array, now: Array) -> None:
        if equation.place >= 0 and trial.site(equation).place == place and trial.leaves(place, [before]):
            found.append((trial.site(equation), equation, (before, now)))

    (needed,) = proof.right_with([fix], case) or [[]]
    trial.run({fix.target.site: fix.target.put(needed)}, watch)
    if len(found) != 1:
        return None
    site, equation, pair = found[0]
    return (equation, pair) if len(trial.made[site]) == 1 and _differ(pair) else None


def _outside(trial: Trial, place: Place) -> tuple[tuple[float, ...], bool]:
    """What an expression reads that no operation made: numbers, each once, and whether an array is among it."""
    inside = [site for site in trial.made if place.contains(site.place)]
    atoms = [atom for site in inside for atom in trial.equations[site][0].inputs if isinstance(atom, Literal)]
    numbers = (float(atom.value) for atom in atoms if not isinstance(atom.value, bool | complex))
    table = any(key in trial.tables for site in inside for key in trial.expressions[site.place].read)
    return tuple(dict.fromkeys(number for number in numbers if np.isfinite(number)))[:MOST_NUMBERS_READ], table


@np.errstate(all="ignore")
def _differ(pair: _Pair) -> bool:
    yours, needed = pair
    if yours.shape != needed.shape:
        return True
    wide = np.result_type(yours, needed, np.float64)
    return not np.allclose(yours.astype(wide), needed.astype(wide), rtol=VALUES_CLOSE, atol=0.0, equal_nan=True)


def _changed(fix: Fix, equation: Equation) -> tuple[Edit, float]:
    if fix.operand >= 0:
        return Edit.CONSTANT, float(equation.inputs[fix.operand].value)  # pyright: ignore
    repair = next(repair for repair in repairs(equation) if repair.name == fix.repair)
    return repair.change, float(repair.constant)


def stacked(arrays: Sequence[Array]) -> Array:
    """Several arrays as one, if they have one shape; else the first."""
    if len(arrays) == 1 or len({array.shape for array in arrays}) > 1:
        return arrays[0]
    return np.stack(arrays)
