"""The draws of random numbers of a program: from which keys, how many numbers, and at which lines."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend import core

from grader.jaxpr.compat import called_program, is_call, is_draw, line_of, open_program, sampler
from grader.jaxpr.interpret import Evaluate, Interpreter, OnEqn, constant, replay
from grader.jaxpr.live import holds, live_equations
from grader.jaxpr.plan import literal_value
from grader.jaxpr.prng import is_key
from grader.kit.problem import ProblemError
from grader.marking.draws import MOST, Draw
from grader.marking.judge import Array
from grader.program.arithmetic import Exact
from grader.program.draw_names import draw_name, half_name
from grader.program.rules import quiet


def draws(program: core.ClosedJaxpr, file: str = "") -> list[Draw]:
    """The draws that the outputs of a program depend on, in order. Only what leads to a key is evaluated.

    Args:
        program: a program without inputs.
        file: the file whose lines are named.

    Raises:
        ProblemError: where a key cannot be evaluated, or where there are more than `MOST` draws.
    """
    listed: list[Draw] = []

    def found(eqn: Any, keys: Sequence[Any]) -> None:
        numbers = sum(math.prod(variable.aval.shape) for variable in eqn.outvars)
        for key in keys:
            rows = key_words(key)
            listed.extend(Draw(row.tobytes().hex(), numbers // len(rows), line_of(eqn, file)) for row in rows)
        if len(listed) > MOST:
            raise ProblemError(f"there are more than {MOST} draws")

    follow(program, is_draw, found, live_equations)
    return listed


def follow(
    program: core.ClosedJaxpr,
    consumes: Callable[[Any], bool],
    found: Callable[[Any, Sequence[Any]], None],
    equations: Callable[[Any], Sequence[Any]] = lambda jaxpr: jaxpr.eqns,
) -> None:
    """Call `found` with each equation that consumes keys, and with these keys. Only what leads to a key is evaluated.

    Args:
        program: a program without inputs.
        consumes: which equations count.
        equations: gives the equations of a jaxpr that count; without it, all.

    Raises:
        ProblemError: where a key cannot be evaluated.
    """
    with quiet():
        _collect(_Scope(program), consumes, found, equations)


def numbers(program: core.ClosedJaxpr) -> dict[str, Array]:
    """What the draws of a program give, float32 of shape (n,), by their names (see `grader.program.draw_names`)."""
    found: dict[str, Array] = {}

    def on_eqn(eqn: Any, arguments: list[Any], evaluate: Evaluate) -> Sequence[Any]:
        outputs = evaluate(eqn, arguments)
        if eqn.primitive.name == "erf_inv":
            found[half_name(np.asarray(arguments[0]))] = np.ravel(outputs[0]).astype(np.float32)
        elif (name := sampler(eqn)) and len(outputs) == 1 and eqn.outvars[0].aval.dtype == np.float32:
            (keys,) = (argument for argument in arguments if is_key(argument))
            rows, bounds = key_words(keys), [np.asarray(one) for one in arguments if not is_key(one)]
            for row, values in zip(rows, np.asarray(outputs[0]).reshape(len(rows), -1), strict=True):
                key = (int(row[0]) << 32) | int(row[1])
                found[draw_name(name, key, values.size, bounds)] = values.astype(np.float32)
        return outputs

    replay(program, Exact(), on_eqn=on_eqn)
    return found


class _Scope:
    """The variables of a program. The value of a variable is computed when it is first asked for."""

    def __init__(self, program: Any, arguments: Sequence[Callable[[], Any]] = ()) -> None:
        self.jaxpr, consts = open_program(program)
        self._known: dict[Any, Any] = dict(zip(self.jaxpr.constvars, map(constant, consts), strict=True))
        self._arguments = dict(zip(self.jaxpr.invars, arguments, strict=True))
        self._makers = {variable: eqn for eqn in self.jaxpr.eqns for variable in eqn.outvars}

    def value(self, atom: Any) -> Any:
        if isinstance(atom, core.Literal):
            return literal_value(atom)
        if atom in self._arguments and atom not in self._known:
            self._known[atom] = self._arguments[atom]()
        elif atom not in self._known:
            eqn = self._makers[atom]
            self.values(eqn)
            Interpreter(Exact()).step(eqn, self._known, self.jaxpr)
        return self._known[atom]

    def values(self, eqn: Any) -> list[Any]:
        """The values of the inputs of an equation."""
        return [self.value(atom) for atom in eqn.invars]


def _collect(
    scope: _Scope,
    consumes: Callable[[Any], bool],
    found: Callable[[Any, Sequence[Any]], None],
    equations: Callable[[Any], Sequence[Any]],
) -> None:
    def on_eqn(eqn: Any, arguments: list[Any], evaluate: Evaluate) -> Sequence[Any]:
        if consumes(eqn):
            found(eqn, list(filter(is_key, arguments)))
        return evaluate(eqn, arguments)

    for eqn in equations(scope.jaxpr):
        if consumes(eqn):
            found(eqn, [scope.value(atom) for atom in eqn.invars if is_key(atom.aval)])
        elif is_call(eqn):
            arguments = [partial(scope.value, atom) for atom in eqn.invars]
            _collect(_Scope(called_program(eqn), arguments), consumes, found, equations)
        elif holds(eqn, consumes):
            Interpreter(Exact(), on_eqn).evaluate(eqn, scope.values(eqn))


def key_words(keys: Any) -> np.ndarray[Any, np.dtype[np.uint32]]:
    """The data of some keys, a row for each."""
    data = np.asarray(jax.random.key_data(keys))
    return data.reshape(-1, data.shape[-1])


def taking(keys: Mapping[str, str]) -> OnEqn:
    """A hook of the interpreter: each draw from a key of `keys` takes the other key in its place."""
    made: dict[str, Any] = {}

    def other(key: Any) -> Any:
        if not is_key(key) or key.shape or (data := key_words(key)[0].tobytes().hex()) not in keys:
            return key
        if data not in made:
            words = np.frombuffer(bytes.fromhex(keys[data]), np.uint32)
            made[data] = jax.random.wrap_key_data(jnp.asarray(words), impl=jax.random.key_impl(key))
        return made[data]

    def on_eqn(eqn: Any, arguments: list[Any], evaluate: Evaluate) -> Sequence[Any]:
        return evaluate(eqn, [other(argument) for argument in arguments] if is_draw(eqn) else arguments)

    return on_eqn
