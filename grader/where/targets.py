"""What of a program can be changed, and in which order it is tried."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from grader.marking.judge import Array
from grader.program.data import Equation, NotAProgram, Place
from grader.where.repairs import repairs
from grader.where.steps import fingerprint
from grader.where.trial import Change, Expression, Site, Trial

MOST_ORDINALS = 8
"""A site that is evaluated more often changes as a whole only."""

_UNCHANGED = frozenset(("copy", "stop_gradient"))


@dataclass(frozen=True)
class Target:
    """One output of the equations of a site.

    Attributes:
        ordinal: the number of the only evaluation that changes; None for all of them.
        single: whether there is one evaluation in every case, or only one of them changes.
        tier: how doubtful it is: 0 comes first.
        inputs_agree: whether all that its expression reads occurs in the reference.
    """

    site: Site
    output: int
    ordinal: int | None
    single: bool
    tier: int
    inputs_agree: bool

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
            change = next((one.apply for one in repairs(equation) if one.name == name), None)
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


def targets(trials: Sequence[Trial], case: int, known: set[tuple[object, ...]]) -> list[Target]:
    """The targets of a case, the most doubtful first, and of these the earliest.

    Args:
        known: the fingerprints of the values of the reference on this case.
    """
    trial, marks = trials[case], dict[int, bool]()

    def occurs(value: Array) -> bool:
        if id(value) not in marks:
            marks[id(value)] = _is_uniform(value) or fingerprint(value) in known
        return marks[id(value)]

    agreeing = {place: _inputs_agree(one, occurs) for place, one in trial.expressions.items()}
    found: list[Target] = []
    for site, made in trial.made.items():
        if site.operation in _UNCHANGED or not made[0]:
            continue
        counts = {len(one.made[site]) for one in trials if site in one.made}
        single = counts == {1}
        for output in range(len(made[0])):
            values = [outputs[output] for outputs in made]
            if values[0].dtype.kind not in "fiubc" or trial.equations[site][0].forms[output].dtype == "key":
                continue
            agree = agreeing[site.place]
            tier = _tier(trial, site.place, values, agree, occurs)
            if single:
                found.append(Target(site, output, 0, True, tier, agree))
                continue
            found.append(Target(site, output, None, False, tier, agree))
            if len(counts) == 1 and len(made) <= MOST_ORDINALS:
                found += [Target(site, output, ordinal, True, tier, agree) for ordinal in range(len(made))]
    return sorted(found, key=lambda one: one.tier)


def _is_uniform(value: Array) -> bool:
    """Whether an array holds one number again and again: such an array says nothing about how it was computed."""
    return value.size == 0 or (value.size > 1 or value.dtype.kind in "iub") and bool(np.all(value == value.flat[0]))


def _inputs_agree(expression: Expression, occurs: Callable[[Array], bool]) -> bool:
    return all(occurs(value) for number, value in expression.read.items() if number not in expression.made)


def _tier(
    trial: Trial, place: Place, values: Sequence[Array], agree: bool, occurs: Callable[[Array], bool]
) -> int:
    if all(map(occurs, values)):
        return 4
    leaves = any(trial.read_at[id(value)] - {place} or not trial.read_at[id(value)] for value in values)
    return (0 if leaves else 1) if agree else (2 if leaves else 3)
