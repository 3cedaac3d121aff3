"""What of a program can be changed, and in which order it is tried."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from grader.program.data import DRAWS, Equation, NotAProgram, Place
from grader.values.arrays import Array
from grader.values.places import Reads
from grader.where.repairs import repairs
from grader.where.steps import Occurring, same_values
from grader.where.trial import Change, Site, Trial

MOST_EVALUATIONS_APART = 8
"""A site that is evaluated more often changes as a whole only."""

MAYBE_COPIED, INPUTS_KNOWN, UNKNOWN, INNER_INPUTS_KNOWN, INNER_UNKNOWN, IN_REFERENCE, INNER_IN_REFERENCE = range(7)
"""How doubtful a value is, the most first.

A value that occurs in the reference is `COPIED` if two expressions of the answer make it by the same operation: one
of them may be a copy that was not changed, as in `V = V.at[t].set(k)` below `K = K.at[t].set(k)`. A value is
`DOUBTED` if it does not occur in the reference, but all that its expression reads does. If that does not occur
either, the value is `OTHER`. A value that occurs in the reference is `KNOWN`, unless it is the result, which is wrong,
or only its order is not that of the reference. Three tiers are the same for values that are read only inside their own
expression.
"""

PART_OF_WHOLE_PROGRAM = 0.5
"""An expression that holds more than this part of all operations is as good as the whole program."""

_UNCHANGED = frozenset(("copy", "stop_gradient", "reshard"))


@dataclass(frozen=True)
class Target:
    """One output of the equations of a site.

    Attributes:
        ordinal: the number of the only evaluation that changes; None for all of them.
        single: whether there is one evaluation in every case, or only one of them changes.
        tier: how doubtful it is: one of the tiers above.
        reads: what the expression reads from elsewhere, with all expressions inside it.
    """

    site: Site
    output: int
    ordinal: int | None
    single: bool
    tier: int
    reads: Reads

    def current(self, trial: Trial) -> list[Array]:
        """The values of a trial that change."""
        made = trial.made[self.site]
        chosen = made if self.ordinal is None else made[self.ordinal : self.ordinal + 1]
        return [outputs[self.output] for outputs in chosen]

    def count(self, trial: Trial) -> int | None:
        """How many values change; None for a single one."""
        return None if self.single else len(trial.made[self.site])

    def equation(self, trial: Trial) -> Equation:
        """The first equation that changes."""
        return trial.equations[self.site][self.ordinal or 0]

    def is_one_of_equals(self, trial: Trial) -> bool:
        """Whether one evaluation changes, and another one gives the same: no change of the line could tell them apart."""
        made = trial.made[self.site]
        if self.ordinal is None or len(made) < 2:
            return False
        changed, others = made[self.ordinal], (outputs for at, outputs in enumerate(made) if at != self.ordinal)
        return any(all(map(np.array_equal, changed, other)) for other in others)

    def leaves(self, trial: Trial) -> bool:
        """Whether a value is read outside its own expression, or is a result."""
        return trial.leaves(self.site.place, self.current(trial))

    def reported(self, trial: Trial) -> tuple[list[int], int, int]:
        """Which of the values that change are told, by index; the number of the only evaluation, from 1, and how many are.

        The number is 0 for all evaluations, or where there is one. In one evaluation of its expression, a function of a
        library may make several values with one operation: those that are read only inside the expression do not count,
        unless there are no others.
        """
        made = trial.made[self.site]
        leaving = [at for at, outputs in enumerate(made) if trial.leaves(self.site.place, [outputs[self.output]])]
        if self.ordinal is None:
            chosen = leaving or [*range(len(made))]
            return chosen, 0, len(chosen)
        if self.ordinal in leaving and len(leaving) > 1:
            return [0], leaving.index(self.ordinal) + 1, len(leaving)
        return [0], 0, 1

    def put(self, values: Sequence[Array]) -> Change:
        """The change that puts values there."""

        def apply(trial: Trial, equation: Equation, inputs: list[Array], count: int) -> list[Array]:
            index = 0 if self.ordinal is not None else count
            if index >= len(values):
                raise NotAProgram("it is evaluated more often than before")
            if len(equation.outputs) == 1:
                return [values[index]]
            outputs = trial.usual(equation, inputs)
            outputs[self.output] = values[index]
            return outputs

        return Change(apply, self.ordinal)

    def repaired(self, name: str, needed: list[Array]) -> Change:
        """The change that repairs the operation. What it gives then is added to `needed`."""

        def apply(trial: Trial, equation: Equation, inputs: list[Array], count: int) -> list[Array]:
            change = next((repair.apply for repair in repairs(equation) if repair.name == name), None)
            if change is None:
                raise NotAProgram("it cannot be changed so")
            outputs = change(trial, equation, inputs)
            needed.append(outputs[0])
            return outputs

        return Change(apply, self.ordinal)

    def operand(self, operand: int, value: Array, needed: list[Array]) -> Change:
        """The change that puts a number in the place of a literal. What this gives is added to `needed`."""

        def apply(trial: Trial, equation: Equation, inputs: list[Array], count: int) -> list[Array]:
            changed = value.reshape(()).astype(inputs[operand].dtype)
            if changed != value:
                raise NotAProgram("such a constant is no integer")
            outputs = trial.usual(equation, [*inputs[:operand], changed, *inputs[operand + 1 :]])
            needed.append(outputs[0])
            return outputs

        return Change(apply, self.ordinal)


def targets(trials: Sequence[Trial], cases: Sequence[int], known: Sequence[Occurring]) -> list[Target]:
    """The targets of the first of some cases, the most doubtful first, and of these the earliest.

    Args:
        cases: those that fail and are looked at.
        known: the values of the reference on each of these cases.
    """
    views = [_View(trials[case], occurring) for case, occurring in zip(cases, known, strict=True)]
    trial = trials[cases[0]]
    copies = _copies(trial)
    found: list[Target] = []
    for site, made in trial.made.items():
        if site.operation in _UNCHANGED or not made[0]:
            continue
        counts = {len(trial.made[site]) for trial in trials if site in trial.made}
        agree = all(view.inputs_agree(site.place) for view in views)
        reads = _reads([view.reads(site.place) for view in views])
        # How many rows an array is taken apart into may differ from case to case.
        outputs_of_all = min(len(outputs) for trial in trials if site in trial.made for outputs in trial.made[site])
        for output in range(outputs_of_all):
            values = [outputs[output] for outputs in made]
            if values[0].dtype.kind not in "fiubc" or trial.equations[site][0].forms[output].dtype == "key":
                continue
            if site.operation in DRAWS and all(view.known(site, output) for view in views):
                continue  # the inputs of the problem are right
            tier = min(view.tier(site, output, agree) for view in views)
            if tier == IN_REFERENCE and (site, output) in copies:
                tier = MAYBE_COPIED
            if counts == {1}:
                found.append(Target(site, output, 0, True, tier, reads))
                continue
            found.append(Target(site, output, None, False, tier, reads))
            if len(counts) == 1 and len(made) <= MOST_EVALUATIONS_APART:
                found += [Target(site, output, ordinal, True, tier, reads) for ordinal in range(len(made))]
    return sorted(found, key=lambda target: (target.tier, target.site.backward))


def _reads(cases: Sequence[Reads]) -> Reads:
    """What an expression reads in all cases. A table is a table in each of them."""
    return cases[0] if len({*cases}) == 1 else Reads.OTHER


def _copies(trial: Trial) -> set[tuple[Site, int]]:
    """The outputs whose values another site makes too, by the same operation, and which are read elsewhere."""
    alike: dict[tuple[str, bytes], list[tuple[Site, int]]] = defaultdict(list)
    for site, made in trial.made.items():
        for output in range(min(map(len, made))):
            values = [outputs[output] for outputs in made]
            last = values[-1]
            varied = last.dtype.kind == "f" and last.size > 1 and bool(np.any(last != last.flat[0]))
            if varied and trial.leaves(site.place, values):
                alike[site.operation, b"".join(value.tobytes() for value in values)].append((site, output))
    return {copied for sites in alike.values() if len(sites) > 1 for copied in sites}


class _View:
    """The values of an answer on one case, compared with those of the reference."""

    def __init__(self, trial: Trial, known: Occurring) -> None:
        self._trial, self._known = trial, known
        self._marks: dict[int, bool] = {}
        self._agree: dict[Place, bool] = {}
        self._reads: dict[Place, Reads] = {}

    def _occurs(self, value: Array) -> bool:
        if id(value) not in self._marks:
            self._marks[id(value)] = self._known.holds(value)
        return self._marks[id(value)]

    def inputs_agree(self, place: Place) -> bool:
        """Whether all that an expression reads occurs in the reference."""
        if place not in self._agree:
            expression = self._trial.expressions[place]
            self._agree[place] = all(
                self._occurs(value) for key, value in expression.read.items() if key not in expression.made
            )
        return self._agree[place]

    def _in_place(self, place: Place) -> bool:
        """Whether all that an expression reads has its elements where they belong."""
        expression = self._trial.expressions[place]
        return all(self._known.in_place(value) for key, value in expression.read.items() if key not in expression.made)

    def reads(self, place: Place) -> Reads:
        """What an expression reads: itself, or from elsewhere with all expressions inside it."""
        if place not in self._reads:
            inside = [expression for other, expression in self._trial.expressions.items() if place.contains(other)]
            made = {key for expression in inside for key in expression.made}
            read = {key: value for expression in inside for key, value in expression.read.items() if key not in made}
            operations = sum(len(expression.made) for expression in self._trial.expressions.values())
            right = self._all_right(read.values())
            expression = self._trial.expressions[place]
            direct = [value for key, value in expression.read.items() if key not in expression.made]
            itself = bool(direct) and self._all_right(direct)
            if made and made <= self._trial.tables:
                self._reads[place] = Reads.TABLE
            else:
                self._reads[place] = (
                    Reads.RIGHT
                    if itself or (right and len(made) <= PART_OF_WHOLE_PROGRAM * operations)
                    else Reads.OTHER
                )
        return self._reads[place]

    def _all_right(self, values: Iterable[Array]) -> bool:
        return all(self._occurs(value) and self._known.in_place(value, of_shape=True) for value in values)

    def known(self, site: Site, output: int) -> bool:
        """Whether all values of an output occur in the reference."""
        return all(self._occurs(outputs[output]) for outputs in self._trial.made.get(site, ()))

    def tier(self, site: Site, output: int, agree: bool) -> int:
        """How doubtful an output is. The least: it occurs in the reference. The most: only what it is made of occurs."""
        values = [outputs[output] for outputs in self._trial.made.get(site, ())]
        is_result, leaves = (
            bool(values) and same_values(values[-1], self._trial.result),
            self._trial.leaves(site.place, values),
        )
        if self.known(site, output) and not is_result:
            turned = agree and leaves and not all(map(self._known.in_place, values))
            if turned and self._in_place(site.place):
                return INPUTS_KNOWN
            return IN_REFERENCE if leaves else INNER_IN_REFERENCE
        if leaves:
            return INPUTS_KNOWN if agree else UNKNOWN
        return INNER_INPUTS_KNOWN if agree else INNER_UNKNOWN
