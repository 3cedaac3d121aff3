"""A fix that was proven, as the search tells it: its kind, and its values on one case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from grader.marking.judge import Array
from grader.program.data import Equation
from grader.where.found import Found
from grader.where.proof import Fix, Proof
from grader.where.repairs import repairs

SAME = 1e-6
"""Values that differ by no more than this part of them count as the same."""


def told(proof: Proof, fixes: Sequence[Fix], which: int, kind: str) -> Found:
    """One of some fixes, with its values on the smallest case that fails, has all the places, and that it changes.

    Args:
        kind: what is said of values: "value", "through" or "whole" (see `Found`).
    """
    fix, target = fixes[which], fixes[which].target
    there = [i for i in proof.failing if all(one.target.site in proof.trials[i].made for one in fixes)]
    # With two fixes, one of them may change nothing on the smallest case.
    case = next((i for i in there if _changes_something(_pairs(proof, fixes, which, i))), there[0])
    trial = proof.trials[case]
    _, at, rounds = target.told(trial)
    yours, needed = map(list, zip(*_pairs(proof, fixes, which, case), strict=True))
    words = ""
    if fix.pick is None or fix.operand >= 0:
        kind, words = "repair", _words(fix, target.equation(trial))
    step = fix.pick.step if fix.pick else ""
    place, operation = target.site.place, target.site.operation
    apart = len({one.shape for one in (*yours, *needed)}) > 1  # arrays of several shapes do not stack
    evaluation = at or int(apart and rounds > 1)
    first, second = (one[0] if apart else stacked(one) for one in (yours, needed))
    found = Found(kind, place, operation, case, rounds, step, first, second, words)
    return replace(found, evaluation=evaluation, alone=at > 0, inner=not target.leaves(trial))


def _pairs(proof: Proof, fixes: Sequence[Fix], which: int, case: int) -> list[tuple[Array, Array]]:
    """The values that one of some fixes changes on a case, as far as they are told, each with the one needed."""
    target, trial = fixes[which].target, proof.trials[case]
    needed = (proof.right_with(fixes, case) or [])[which]
    return [(target.current(trial)[at], needed[at]) for at in target.told(trial)[0] if at < len(needed)]


@np.errstate(all="ignore")
def _changes_something(pairs: Sequence[tuple[Array, Array]]) -> bool:
    for one, other in pairs:
        if one.shape != other.shape:
            return True
        wide = np.result_type(one, other, np.float64)
        if not np.allclose(one.astype(wide), other.astype(wide), rtol=SAME, atol=0.0, equal_nan=True):
            return True
    return False


def _words(fix: Fix, equation: Equation) -> str:
    if fix.operand >= 0:
        return f"another constant than `{equation.inputs[fix.operand].value:g}`"  # pyright: ignore
    return next(one.words for one in repairs(equation) if one.name == fix.repair)


def stacked(arrays: Sequence[Array]) -> Array:
    """Several arrays as one, if they have one shape; else the first."""
    if len(arrays) == 1 or len({one.shape for one in arrays}) > 1:
        return arrays[0]
    return np.stack(arrays)
