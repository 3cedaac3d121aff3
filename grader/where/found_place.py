"""A fix that was proven, as the search tells it: what it changes, and its values on one case."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from grader.marking.comparison import Array
from grader.marking.expressions import Place
from grader.marking.places import MOST_NUMBERS_READ, Edit, Found, Kind, Reads, Relation
from grader.marking.relations import relation, reordered
from grader.program.data import Equation, Literal
from grader.where.budget import OutOfBudget
from grader.where.proof import Fix, Proof
from grader.where.repairs import repairs
from grader.where.steps import MOVES
from grader.where.trial import Site, Trial, contains

MOST_CASES_RELATED = 3
"""The most cases on which a relation of values, or a run that is right, is sought."""
SAME = 1e-6
"""Values that differ by no more than this part of them count as the same."""

ORDERS = MOVES | {"dot_general", "iota", "sort", "top_k", "argsort"}
"""The operations that decide in which order values stand."""

_Pair = tuple[Array, Array]


def told(proof: Proof, fixes: Sequence[Fix], which: int) -> Found:
    """One of some fixes, with its values on the smallest case that fails, has all the places, and that it changes."""
    fix, target = fixes[which], fixes[which].target
    there = [i for i in proof.failing if all(one.target.site in proof.trials[i].made for one in fixes)]
    # With two fixes, one of them may change nothing on the smallest case.
    case = next((i for i in there if any(map(_differ, _pairs(proof, fixes, which, i)))), there[0])
    trial = proof.trials[case]
    _, at, rounds = target.told(trial)
    pairs = _pairs(proof, fixes, which, case)
    related = None if fix.pick is None or fix.operand >= 0 else _related(proof, fixes, which, there)
    equation, inner, operation = target.equation(trial), not target.leaves(trial), target.site.operation
    kind, change, constant = Kind.VALUE, None, 0.0
    if fix.pick is None or fix.operand >= 0:
        kind, (change, constant) = Kind.REPAIR, _changed(fix, equation)
    if inner and len(fixes) == 1 and (outer := _of_whole(proof, fix, case)) is not None:
        # The values of the whole expression say more than those of a step inside it.
        kind, change, related = Kind.VALUE, None, None
        inner, operation, pairs = False, outer[0], [outer[1]]
    apart = len({one.shape for pair in pairs for one in pair}) > 1  # arrays of several shapes do not stack
    first = next((index for index, pair in enumerate(pairs) if _differ(pair)), 0)
    yours, needed = pairs[first] if apart else map(stacked, zip(*pairs, strict=True))
    numbers, table = _outside(trial, target.site.place)
    unread = equation.blocks or _ordered_before(related, operation) or _in_one_run(proof, fixes, there)
    return Found(
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
    return [(target.current(trial)[at], needed[at]) for at in target.told(trial)[0] if at < len(needed)]


def _related(proof: Proof, fixes: Sequence[Fix], which: int, there: Sequence[int]) -> Relation | None:
    """How the values needed follow from those that one of some fixes changes: in some cases that fail, or in all of them."""
    pairs: list[_Pair] = []
    try:
        for case in there[:MOST_CASES_RELATED]:
            pairs += _pairs(proof, fixes, which, case)
        turned = all(reordered(*pair) for pair in pairs)
        for case in there[MOST_CASES_RELATED:] if turned else ():
            turned = turned and all(reordered(*pair) for pair in _pairs(proof, fixes, which, case))
    except OutOfBudget:
        return None
    if pairs and turned:
        return Relation.REORDERED
    if not pairs or any(one.shape != other.shape for one, other in pairs):
        return None
    yours, needed = (np.concatenate([one.reshape(-1) for one in side]) for side in zip(*pairs, strict=True))
    return relation(yours, needed)


def _of_whole(proof: Proof, fix: Fix, case: int) -> tuple[str, _Pair] | None:
    """The operation that gives the value of a whole expression, with that value and the one that a fix inside gives.

    None where it has several values, or is evaluated several times.
    """
    trial, place, found = proof.trials[case], fix.target.site.place, list[tuple[str, _Pair]]()

    def watch(equation: Equation, before: Array, now: Array) -> None:
        if equation.place >= 0 and trial.program.places[equation.place] == place and trial.leaves(place, [before]):
            found.append((equation.operation, (before, now)))

    (needed,) = proof.right_with([fix], case) or [[]]
    trial.run({fix.target.site: fix.target.put(needed)}, watch)
    once = len(found) == 1 and len(trial.made[Site(place, found[0][0])]) == 1
    return found[0] if once and _differ(found[0][1]) else None


def _outside(trial: Trial, place: Place) -> tuple[tuple[float, ...], bool]:
    """What an expression reads that no operation made: numbers, each once, and whether an array is among it."""
    inside = [site for site in trial.made if contains(place, site.place)]
    atoms = [atom for site in inside for atom in trial.equations[site][0].inputs if isinstance(atom, Literal)]
    numbers = (float(one.value) for one in atoms if not isinstance(one.value, bool | complex))
    table = any(key in trial.tables for site in inside for key in trial.expressions[site.place].read)
    return tuple(dict.fromkeys(number for number in numbers if np.isfinite(number)))[:MOST_NUMBERS_READ], table


@np.errstate(all="ignore")
def _differ(pair: _Pair) -> bool:
    one, other = pair
    if one.shape != other.shape:
        return True
    wide = np.result_type(one, other, np.float64)
    return not np.allclose(one.astype(wide), other.astype(wide), rtol=SAME, atol=0.0, equal_nan=True)


def _changed(fix: Fix, equation: Equation) -> tuple[Edit, float]:
    if fix.operand >= 0:
        return Edit.CONSTANT, float(equation.inputs[fix.operand].value)  # pyright: ignore
    repair = next(one for one in repairs(equation) if one.name == fix.repair)
    return repair.change, float(repair.constant)


def stacked(arrays: Sequence[Array]) -> Array:
    """Several arrays as one, if they have one shape; else the first."""
    if len(arrays) == 1 or len({one.shape for one in arrays}) > 1:
        return arrays[0]
    return np.stack(arrays)
