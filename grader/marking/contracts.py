"""What a problem may ask of an answer beyond its values: the contracts of JAX's own transformations. NumPy only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from grader.marking.diagnose import Truth
from grader.marking.judge import Expected
from grader.marking.verdict import Named

JIT, VMAP, GRAD, KEYS = "jit", "vmap", "grad", "keys"
CONTRACTS = (JIT, VMAP, GRAD, KEYS)

SAID = {JIT: "jax.jit", VMAP: "jax.vmap", GRAD: "derivative", KEYS: "key"}
"""The word that a statement needs, to tell the learner of the contract."""

NAMES = {JIT: "breaks-under-jit", VMAP: "breaks-under-vmap", GRAD: "wrong-gradient", KEYS: "key-reused"}


@dataclass(frozen=True)
class Broken:
    """How an answer breaks a contract: the exception that was raised under it, or the lines that take one key."""

    raised: Mapping[str, Any] | None = None
    lines: Sequence[int] = ()
    times: int = 0


def values_of(contract: str, truth: Truth) -> Truth:
    """The truth of the call itself: under `grad`, an oracle holds the derivatives after the values."""
    if contract != GRAD:
        return truth
    return replace(
        truth, expected=[_first_half(due) for due in truth.expected], shapes=[shape[1:] for shape in truth.shapes]
    )


def _first_half(due: Expected) -> Expected:
    half = due.values.size // 2
    each = None if due.each is None else due.each[:half]
    return Expected(due.values[:half], due.tolerance if each is None else float(each.max(initial=0.0)), each)


def but(contract: str, broken: Broken | None) -> str:
    """The end of a sentence that begins "Right on all cases as written, but"."""
    if contract == KEYS and broken is not None and broken.raised is None:
        return "a key is used twice."
    how = "it gives other numbers" if broken is None else "it raises an exception"
    return {
        JIT: f"{how} under jax.jit.",
        VMAP: f"{how} under jax.vmap.",
        GRAD: "its derivative is not right." if broken is None else "JAX cannot differentiate it.",
        KEYS: "its keys cannot be followed: it does not trace under jax.jit.",
    }[contract]


def mistake(contract: str, by: str, broken: Broken | None) -> Named:
    """A contract that is not kept, by name; `broken` is None where it only gives other numbers under it."""
    name = NAMES[contract]
    if broken is None:
        return _differs(name, contract, by)
    if broken.raised is None:
        return _reused(name, broken)
    where = "the line above" if broken.raised["frames"] else "a step of it"
    match contract:
        case "jit":
            return Named(
                name,
                f"Under jax.jit the seed and all that is drawn from it have no values yet: {where} asks for one, "
                "or for a shape that depends on one.",
                "Which function chooses between two arrays, or hides a part of one, and leaves its shape alone?",
            )
        case "vmap":
            return Named(
                name,
                f"Mapped over several seeds at once, no call has one value of its own, and {where} asks for one.",
                "What would this line have to do if it stood for many calls?",
            )
        case "grad":
            return Named(
                name,
                f"No derivative with respect to {by} comes back: {where} stops it.",
                "Which step on the way is not one that JAX can go back through: a Python number, NumPy, a while loop?",
            )
        case _:
            return Named(
                name,
                f"Its keys can be followed only through a function that traces, and {where} stops the trace.",
                "Does any step leave JAX: NumPy, a Python number, a choice or a size that depends on what was drawn?",
            )


def _differs(name: str, contract: str, by: str) -> Named:
    if contract == GRAD:
        return Named(
            name,
            f"The values are right, and their derivative with respect to {by} is not.",
            f"Follow {by} to the result: is any step a constant to JAX, rounded, or infinite under a mask?",
        )
    return Named(
        name,
        f"As written it is right; under jax.{contract} the same call gives other numbers.",
        "What does your function read or keep that is neither an argument nor computed from one?",
    )


def _reused(name: str, broken: Broken) -> Named:
    lines = [str(line) for line in sorted(set(broken.lines))]
    where = f", at line{'s' * (len(lines) > 1)} {' and '.join(filter(None, [', '.join(lines[:-1]), *lines[-1:]]))}"
    times = "twice" if broken.times == 2 else f"{broken.times} times"
    return Named(
        name,
        f"One key is used up {times}{where if lines else ''}: what is drawn from it is not independent.",
        "How many draws and splits are there, and does each have a key that nothing else takes?",
    )
