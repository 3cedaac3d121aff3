"""What a problem may ask of an answer beyond its values. Each contract is one value of `CONTRACTS`. NumPy only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from grader.marking.comparison import Expected
from grader.marking.places import Line, in_lines, told_lines
from grader.marking.program_requirements import NO_TRACE
from grader.marking.verdict import Described, Named

if TYPE_CHECKING:
    from grader.marking.facts import Truth

Cases = Sequence[Sequence[int | float]]


@dataclass(frozen=True)
class Broken:
    """How an answer breaks a contract: it raised an exception, or used one PRNG key several `times`, at some `lines`.

    `at` are the arguments of the case, as messages show them; empty if what is said holds for all cases.
    """

    raised: Described | None = None
    lines: Sequence[int] = ()
    times: int = 0
    at: str = ""


@dataclass(frozen=True)
class Text:
    """What a learner reads about a broken contract. `{where}` stands for the line, `{wrt}` for the parameter."""

    but: str
    """The end of a sentence that begins "Right on all cases as written, but"."""
    why: str
    hint: str

    def named(self, name: str, *, where: str, wrt: str) -> Named:
        return Named(name, self.why.format(where=where, wrt=wrt), self.hint.format(where=where, wrt=wrt))


@dataclass(frozen=True)
class Contract:
    """One thing that a problem may ask of an answer beyond its values.

    The functions that run in the answer's process use JAX, and the judging process never imports JAX. So a contract holds
    their names only, as `module:function`.

    Args:
        name: as `Problem(contract=...)` gives it.
        asks_for: the word that the statement must hold, so that the learner knows of the contract.
        mistake: the name of the mistake of breaking the contract.
        raised_as: its name for an answer that raises an exception under the contract; empty if that is the same mistake.
        transform: `(function, argnum, cases) -> function`: the answer under the contract, called with the arguments of a
            case; empty if it is not called under the contract.
        raises: the text for an answer that raises an exception under the contract.
        differs: the text for an answer that gives other numbers under the contract.
        derivative: whether the expected values hold derivatives after the values. The declaration names `wrt` then.
        must_trace: whether an answer that does not trace breaks the contract.
        compares: whether the values under the contract are compared with the expected values.
        misused: gives the text for a program that uses a key more than once; None if the contract does not forbid that.
        fault_of_cases: `(name, cases) -> str`: what the cases of a problem lack for this contract; empty if they fit.
    """

    name: str
    asks_for: str
    mistake: str
    raised_as: str = ""
    transform: str = ""
    raises: Text | None = None
    differs: Text | None = None
    derivative: bool = False
    must_trace: bool = False
    compares: bool = True
    misused: Callable[[Broken], Text] | None = None
    fault_of_cases: Callable[[str, Cases], str] = lambda name, cases: ""

    def truth_of_call(self, truth: Truth) -> Truth:
        """The truth of the call itself, without derivatives."""
        if not self.derivative:
            return truth
        return replace(
            truth,
            expected=[_first_half(due) for due in truth.expected],
            shapes=[shape[1:] for shape in truth.shapes],
            uncertain=[one[: one.size // 2] for one in truth.uncertain],
        )

    def but(self, broken: Broken | None) -> str:
        """The end of a sentence that begins "Right on all cases as written, but"; `broken` is as in `named`."""
        return self._text(broken).but

    def named(self, broken: Broken | None, wrt: str) -> Named:
        """The mistake. `broken` is None if the answer only gives other numbers under the contract."""
        at_a_line = broken is not None and broken.raised is not None and broken.raised.frames
        name = (broken is not None and broken.raised is not None and self.raised_as) or self.mistake
        named = self._text(broken).named(
            name, where="the line above" if at_a_line else "a step of your function", wrt=wrt
        )
        lines = () if broken is None else sorted(set(broken.lines))
        return replace(named, lines=told_lines(lines), located=bool(lines))

    def _text(self, broken: Broken | None) -> Text:
        if broken is None:
            assert self.differs is not None, "values that are not compared cannot differ"
            return self.differs
        if broken.raised is None:
            assert self.misused is not None, "a contract without misuse is broken by exceptions alone"
            return self.misused(broken)
        assert self.raises is not None, "an answer that is not called under a contract raises nothing there"
        return self.raises


def _first_half(due: Expected) -> Expected:
    half = due.values.size // 2
    tolerance = due.tolerance[:half] if isinstance(due.tolerance, np.ndarray) else due.tolerance
    return Expected(due.values[:half], tolerance)


def _differs(transformation: str) -> Text:
    return Text(
        f"it gives other numbers under {transformation}.",
        f"As written it is right; under {transformation} the same call gives other numbers.",
        "What does your function read or keep that is neither an argument nor computed from one?",
    )


def _no_pairs(name: str, cases: Cases) -> str:
    if len({tuple(case[1:]) for case in cases}) < len(cases):
        return ""
    return f"no two cases of {name} differ in the seed alone: its `vmap` contract needs some, to map over"


def _key_used_twice(broken: Broken) -> Text:
    where = f", at {in_lines(map(Line, sorted(set(broken.lines))))}" if broken.lines else ""
    at = f"At {broken.at}: " if broken.at else ""
    times = "twice" if broken.times == 2 else f"{broken.times} times"
    return Text(
        "a key is used more than once.",
        f"{at}One key is used {times}{where}: the numbers drawn from it are not independent.",
        "How many draws and splits are there, and does each have a key that nothing else takes?",
    )


JIT = Contract(
    name="jit",
    asks_for="jax.jit",
    mistake="breaks-under-jit",
    transform="grader.run.contracts:compiled",
    must_trace=True,
    raises=Text(
        "it raises an exception under jax.jit.",
        "Under jax.jit the seed, each float argument and all that is computed from them have no values yet: {where} asks "
        "for one, or for a shape that depends on one.",
        "Which step needs a number: NumPy, `if`, `float`, or a shape? Which function of jax.numpy does without it?",
    ),
    differs=_differs("jax.jit"),
)

VMAP = Contract(
    name="vmap",
    asks_for="jax.vmap",
    mistake="breaks-under-vmap",
    transform="grader.run.contracts:mapped",
    raises=Text(
        "it raises an exception under jax.vmap.",
        "Under jax.vmap one call stands for several seeds. No single value is known there, and {where} asks for one.",
        "What would this line have to do if it stood for many calls?",
    ),
    differs=_differs("jax.vmap"),
    fault_of_cases=_no_pairs,
)

GRAD = Contract(
    name="grad",
    asks_for="derivative",
    mistake="wrong-gradient",
    transform="grader.run.contracts:differentiated",
    derivative=True,
    raises=Text(
        "JAX cannot differentiate it.",
        "JAX gives no derivative with respect to {wrt}: {where} stops it.",
        "Which step can JAX not differentiate: a Python number, NumPy, a while loop, a rule of the wrong form?",
    ),
    differs=Text(
        "its derivative is not right.",
        "The values are right, and their derivative with respect to {wrt} is not.",
        "Follow {wrt} to the result: is any step a constant to JAX, rounded, or infinite under a mask?",
    ),
)

KEY_REUSE = Contract(
    name="keys",
    asks_for="key",
    mistake="key-reused",
    raised_as=NO_TRACE,
    transform="grader.run.contracts:compiled_seed",
    must_trace=True,
    compares=False,
    raises=Text(
        "its keys cannot be followed: it does not trace under jax.jit.",
        "Its keys can be followed only through a function that traces, and {where} stops the trace.",
        "Does any step leave JAX: NumPy, a Python number, a choice or a size that depends on what was drawn?",
    ),
    misused=_key_used_twice,
)

TRACE = Contract(name="trace", asks_for="program", mistake=NO_TRACE, compares=False)
"""Values, and what `grader.marking.program_requirements` holds. That can be asked for under any other contract as well."""

CONTRACTS = {contract.name: contract for contract in (JIT, VMAP, GRAD, KEY_REUSE, TRACE)}
"""All contracts by name. A new contract is added here, and its functions to `grader/run/contracts.py`."""
