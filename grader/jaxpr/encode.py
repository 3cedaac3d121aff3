"""A jaxpr as a program in plain data (`program/data.py`). Calls are written out; versions of JAX no longer differ."""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import jax
import numpy as np
from jax.extend import core

from grader.jaxpr import compat
from grader.jaxpr.compat import is_key
from grader.kit.problem_error import ProblemError
from grader.program.arithmetic import FEW_BITS, has_few_bits
from grader.program.data import (
    DTYPES,
    MOST_EQUATIONS,
    TRUSTED,
    Atom,
    Block,
    Equation,
    Form,
    Literal,
    NotAProgram,
    Place,
    Program,
)
from grader.program.keys import wrap
from grader.program.operations import PARAMETERS
from grader.values.arrays import Array

LARGEST_CONSTANTS = 1 << 20
"""The most elements of all constants of an answer."""


def shortest_decimal(value: np.float32) -> float:
    """The shortest decimal that float32 rounds to a number: 0.1 in place of 0.100000001. A number of few bits is itself.

    Float32 holds only few bits of the smallest numbers, such as 1e-45: these are decimals. The decimal of the largest number
    is beyond it, so the largest number is itself.
    """
    limits = np.finfo(np.float32)
    is_itself = abs(value) == limits.max or (has_few_bits(value, FEW_BITS) and abs(value) >= limits.tiny)
    return float(value) if is_itself else float(str(value))


class Encoder:
    """Encodes the programs of one answer. They share their arrays.

    Args:
        file: the file whose lines are places.
        trusted: whether it encodes a reference, which may be of any size. What has no rule holds the equation of JAX then,
            and so do draws. Such a program cannot be sent.
    """

    def __init__(self, file: str, *, trusted: bool = False) -> None:
        self.arrays: list[Array] = []
        self.trusted = trusted
        self.file = file
        self._index: dict[int, int] = {}
        self._kept: list[Any] = []
        self._equations = 0
        self._elements = 0

    def program(self, closed: core.ClosedJaxpr) -> Program:
        """One program without inputs, with one output.

        Raises:
            NotAProgram: if it holds what has no form here, or is too large.
        """
        places: dict[Place, int] = {}
        try:
            block = BlockEncoder(self, places, Context()).whole(closed)
        except ProblemError as error:
            raise NotAProgram(str(error)) from error
        return Program(block, self.arrays, list(places))

    def array(self, value: Any) -> int:
        """The index of a constant among the arrays."""
        if id(value) not in self._index:
            if is_key(value):
                _check_key(value)
                array = wrap(np.asarray(jax.random.key_data(value)))
            else:
                array = np.asarray(value)
            if array.dtype.name == "bfloat16":
                array = array.astype(np.float32)
            self._elements += array.size
            if array.dtype.name not in DTYPES or (self._elements > LARGEST_CONSTANTS and not self.trusted):
                raise NotAProgram("its constants cannot be sent")
            self._index[id(value)] = len(self.arrays)
            self._kept.append(value)
            self.arrays.append(array)
        return self._index[id(value)]

    def place(self, eqn: Any, places: dict[Place, int]) -> int:
        """The index of the place of an equation, -1 if no line of the file made it."""
        position = compat.position_of(eqn, self.file)
        return -1 if position is None else places.setdefault(Place(*position), len(places))

    def count(self) -> None:
        """Count one equation.

        Raises:
            NotAProgram: if there are too many.
        """
        self._equations += 1
        if self._equations > MOST_EQUATIONS and not self.trusted:
            raise NotAProgram("it has too many operations")


@dataclass(frozen=True)
class Context:
    """What is known of the equations of a program from the call around it: its place, its side, and on how many devices."""

    place: int = -1
    backward: bool = False
    devices: int = 0


class BlockEncoder:
    """Encodes one block. Calls inside it are written out, and share its numbers."""

    def __init__(self, encoder: Encoder, places: dict[Place, int], context: Context) -> None:
        self._encoder, self._places, self._context = encoder, places, context
        self._next = 0
        self._constants: dict[int, int] = {}
        self._equations: list[Equation] = []

    def whole(self, closed: Any) -> Block:
        """A program as a block of its own."""
        jaxpr, consts = compat.open_program(closed)
        env: dict[Any, Atom] = {}
        inputs = tuple(self._number() for _ in jaxpr.invars)
        env.update(zip(jaxpr.invars, inputs, strict=True))
        outputs = self._inline(jaxpr, consts, env, self._context)
        constants = tuple((number, index) for index, number in self._constants.items())
        return Block(inputs, constants, tuple(self._equations), outputs)

    def _number(self) -> int:
        self._next += 1
        return self._next - 1

    def _inline(self, jaxpr: Any, consts: Sequence[Any], env: dict[Any, Atom], around: Context) -> tuple[Atom, ...]:
        """Write out the equations of a program whose inputs are in `env`; return what its outputs are."""
        for variable, value in zip(jaxpr.constvars, consts, strict=True):
            index = self._encoder.array(value)
            if index not in self._constants:
                self._constants[index] = self._number()
            env[variable] = self._constants[index]
        for eqn in jaxpr.eqns:
            if compat.only_shows(eqn):
                continue
            self._equation(eqn, jaxpr, env, self._own(eqn, around), around.devices)
        return tuple(self._atom(atom, env) for atom in jaxpr.outvars)

    def _own(self, eqn: Any, around: Context) -> Context:
        """The context of an equation of a program with the context `around`."""
        place = self._encoder.place(eqn, self._places)
        # Only the parts of an array that is cut, and what devices make of them in lines of the file, are of each device.
        held = eqn.primitive.name == "shard" or (place >= 0 and not all(map(_is_literal, eqn.invars)))
        return Context(
            around.place if place < 0 else place,
            compat.is_backward(eqn, within=around.backward),
            around.devices if held else 0,
        )

    def _atom(self, atom: Any, env: Mapping[Any, Atom]) -> Atom:
        if not _is_literal(atom):
            return env[atom]
        dtype = _form(atom.aval).dtype  # a number of Python's has a dtype in the program alone
        value = np.asarray(atom.val)
        if value.ndim:
            raise NotAProgram("it holds a literal that is an array")
        return Literal(dtype, shortest_decimal(np.float32(atom.val)) if dtype == "float32" else value.item())

    def _equation(self, eqn: Any, jaxpr: Any, env: dict[Any, Atom], own: Context, around: int) -> None:
        """Encode an equation with its context. `around` is the number of devices of the program that it stands in."""
        if (called := _called(eqn, self._encoder.file)) is not None:
            program, given, devices = called
            inner, consts = compat.open_program(program)
            inputs = [self._atom(atom, env) for atom in given]
            inside = replace(own, devices=around if devices is None else devices)
            outputs = self._inline(inner, consts, dict(zip(inner.invars, inputs, strict=True)), inside)
            env.update(zip(eqn.outvars, outputs, strict=True))
            return
        name = eqn.primitive.name
        if name == "platform_index":
            env[eqn.outvars[0]] = Literal("int32", compat.branch_of_platform(eqn, compat.default_platform()))
            return
        inputs = tuple(self._atom(atom, env) for atom in eqn.invars)
        if name in _PLACEMENTS:
            for variable, atom in zip(eqn.outvars, inputs, strict=True):
                (env[variable],) = self._add("copy", {}, (atom,), (_form(variable.aval),), own)
            return
        if name == "reshape" and eqn.params.get("dimensions") is not None:
            # NumPy's reshape knows no order of axes, so the axes are moved before.
            (given,), order = eqn.invars, [int(axis) for axis in eqn.params["dimensions"]]
            form = _form(given.aval)
            moved = Form(form.dtype, tuple(form.shape[axis] for axis in order))
            inputs = self._add("transpose", {"permutation": order}, inputs, (moved,), own)
        operation, parameters, blocks = self._operation(eqn, jaxpr, name, replace(own, place=-1, devices=around))
        forms = tuple(_form(variable.aval) for variable in eqn.outvars)
        made = self._add(operation, parameters, inputs, forms, own, blocks)
        env.update(zip(eqn.outvars, made, strict=True))

    def _add(
        self,
        operation: str,
        parameters: dict[str, Any],
        inputs: tuple[Atom, ...],
        forms: tuple[Form, ...],
        own: Context,
        blocks: tuple[Block, ...] = (),
    ) -> tuple[int, ...]:
        """Add one equation; return the numbers of its outputs."""
        self._encoder.count()
        outputs = tuple(self._number() for _ in forms)
        made = Equation(operation, parameters, inputs, outputs, forms, own.place, blocks, own.backward, own.devices)
        self._equations.append(made)
        return outputs

    def _operation(
        self, eqn: Any, jaxpr: Any, name: str, inside: Context
    ) -> tuple[str, dict[str, Any], tuple[Block, ...]]:
        """An equation's name, parameters and blocks. `inside` is the context of what its blocks hold."""
        if sampler := compat.sampler(eqn):
            operation = "begin_normal" if compat.begins_normal(eqn, jaxpr) else "draw"
            # Keys and bits are the same from NumPy. Of drawn numbers, compilers disagree about the last bit.
            jax_draws = self._encoder.trusted and not all(_is_raw(variable.aval) for variable in eqn.outvars)
            parameters = {"sampler": sampler, **({TRUSTED: eqn} if jax_draws else {})}
            return operation, parameters, (self._block(compat.called_program(eqn), inside),)
        if compat.ends_normal(eqn, jaxpr):
            return "end_normal", {}, ()
        match name:
            case "psum" | "pmax" | "pmin":  # along the axes that `jax.vmap` maps; in a `shard_map` it has gone before
                return f"reduce_{name.removeprefix('p')}", {"axes": _plain(eqn.params["axes"])}, ()
            case "scan":
                scan = compat.scan(eqn)
                numbers = {"constants": scan.constants, "carried": scan.carried, "length": int(scan.length)}
                return name, {**numbers, "reverse": scan.reverse}, (self._block(scan.body, inside),)
            case "while":
                loop = compat.while_loop(eqn)
                numbers = {
                    "condition_constants": loop.condition_constants,
                    "body_constants": loop.body_constants,
                }
                return name, numbers, (self._block(loop.condition, inside), self._block(loop.body, inside))
            case "cond":
                return name, {}, tuple(self._block(branch, inside) for branch in compat.branches(eqn))
            case _ if self._encoder.trusted:
                try:
                    return name, _parameters(eqn), ()
                except NotAProgram:
                    return name, {TRUSTED: eqn}, ()
            case _:
                return name, _parameters(eqn), ()

    def _block(self, program: Any, inside: Context) -> Block:
        return BlockEncoder(self._encoder, self._places, inside).whole(program)


_PLACEMENTS = frozenset(("device_put", "sharding_constraint"))
"""Operations that say which device holds what, of each of their inputs."""


def _is_literal(atom: Any) -> bool:
    return isinstance(atom, core.Literal)


def _called(eqn: Any, file: str) -> tuple[Any, Sequence[Any], int | None] | None:
    """The program that is written out in the place of an equation, and its inputs; None if the equation stays.

    The last is the number of devices that run it: 1 for a kernel, and None for those that run the equation.
    """
    # Imported here and not above: few answers have kernels or several devices.
    if eqn.primitive.name == "shard_map":
        from grader.jaxpr import inner_programs

        return (
            inner_programs.program_of_shard_map(eqn, file),
            eqn.invars,
            math.prod(dict(eqn.params["mesh"].shape).values()),
        )
    if eqn.primitive.name == "pallas_call":
        from grader.jaxpr import inner_programs

        return inner_programs.program_of_kernel(eqn, file), eqn.invars, 1
    if eqn.primitive.name == "custom_linear_solve":
        return *compat.linear_solve(eqn), None
    return (compat.called_program(eqn), eqn.invars, None) if compat.is_call(eqn) and not compat.sampler(eqn) else None


def _parameters(eqn: Any) -> dict[str, Any]:
    """The parameters that the rule of an operation takes, as plain data.

    Raises:
        NotAProgram: if it has no rule, or a parameter that its rule does not know.
    """
    name = eqn.primitive.name
    known = PARAMETERS.get(name)
    if known is None:
        raise NotAProgram(f"it uses {name!r}")
    ignored = (*compat.without_effect(name), *(["dimensions"] if name == "reshape" else []))  # it was transposed before
    if name.startswith("random_"):
        for atom in (*eqn.invars, *eqn.outvars):
            if is_key(atom.aval):
                _check_key(atom.aval)
    if others := [ask for ask in compat.asks_for(eqn, known) if ask not in ignored]:
        raise NotAProgram(f"it uses {name!r} with {others[0]!r}")
    if missing := [parameter for parameter in known if parameter not in eqn.params]:
        raise NotAProgram(f"{name!r} has no {missing[0]!r}")
    return {parameter: _plain(eqn.params[parameter]) for parameter in known}


def _plain(value: Any) -> Any:
    """A parameter as plain data: numbers, text, lists, and dictionaries of these.

    Raises:
        NotAProgram: if it is something else.
    """
    match value:
        case None | bool() | str():
            return value
        case enum.Enum():
            return value.value if isinstance(value.value, int) and "Rounding" in type(value).__name__ else value.name
        case int() | np.integer():
            return int(value)
        case float() | np.floating():
            return float(value)
        case np.dtype() | type():
            return np.dtype(value).name
        case _ if names := getattr(value, "_fields", getattr(value, "__dataclass_fields__", ())):
            return {name: _plain(getattr(value, name)) for name in names}
        case tuple() | list():
            return [_plain(entry) for entry in value]
        case _:
            raise NotAProgram(f"a parameter of the type {type(value).__name__} cannot be sent")


def _form(aval: Any) -> Form:
    if is_key(aval):
        _check_key(aval)
        return Form("key", tuple(aval.shape))
    dtype = np.dtype(aval.dtype).name
    if dtype not in DTYPES:
        raise NotAProgram(f"it holds values of {dtype}")
    return Form(dtype, tuple(int(size) for size in aval.shape))


def _is_raw(aval: Any) -> bool:
    return is_key(aval) or np.dtype(aval.dtype).kind == "u"


def _check_key(value: Any) -> None:
    if not compat.draws_by_index(value):
        raise NotAProgram("its keys are not those of JAX's default generator, which `jax.random.key(seed)` makes")
