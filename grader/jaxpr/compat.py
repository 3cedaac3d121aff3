"""Facts about jaxprs and devices that JAX does not document or that its versions change: one function for each fact."""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend import core
from jax.extend.source_info_util import current_name_stack, user_context

from grader.kit.problem_error import ProblemError

_CALLS = frozenset(
    (
        *("jit", "pjit", "closed_call", "core_call", "eval_jaxpr", "remat", "remat2", "checkpoint", "custom_lin"),
        *("custom_jvp_call", "custom_vjp_call", "custom_vjp_call_jaxpr", "custom_vmap_call", "call_hi_primitive"),
    )
)
"""Primitives that hold one program and only call it: JAX 0.10 to 0.12, and older names."""

SIMULATED_DEVICES = 4
"""How many devices JAX makes of this machine's CPU. They cost 4 threads and no time, so every answer has them."""

_PRINTS = frozenset(("debug_print", "debug_callback"))
"""Primitives of `jax.debug`: they show values, and give none."""

_PARAMETERS_WITHOUT_EFFECT = frozenset(
    ("accuracy", "sharding", "out_sharding", "precision", "weak_type", "index_dtype")
)
"""Parameters that do not change a value in float64. The dtype of an index is that of the output variable."""


def is_key(value: Any) -> bool:
    """Whether an array or an abstract value holds PRNG keys."""
    return not isinstance(value.dtype, np.dtype) and bool(jnp.issubdtype(value.dtype, jax.dtypes.prng_key))


def unknown(eqn: Any, reason: str) -> ProblemError:
    """The fault of an operation that does not have the form that this module expects."""
    return ProblemError(
        f"{eqn.primitive.name!r} of jax {jax.__version__} is not as this grader knows it ({reason}): "
        "install the jax that `python -m grader doctor` names, or write that step with other operations"
    )


def open_program(program: Any) -> tuple[Any, Sequence[Any]]:
    """The equations of a program and the values of its constants.

    Until JAX 0.11 an inner program is a `ClosedJaxpr` or, in some primitives, a bare `Jaxpr`; since 0.12 one class is both.
    """
    jaxpr = getattr(program, "jaxpr", program)
    return jaxpr, getattr(program, "consts", ())


def part_of(program: Any, inputs: Sequence[Any], equations: Sequence[Any], outputs: Sequence[Any]) -> core.ClosedJaxpr:
    """A program of some equations of another one, with its constants and other inputs and outputs."""
    jaxpr, consts = open_program(program)
    effects = frozenset[Any]().union(*(eqn.effects for eqn in equations))
    named = jaxpr.debug_info._replace(arg_names=None, result_paths=None)  # those of other inputs and outputs
    changed = {"invars": list(inputs), "outvars": list(outputs), "eqns": list(equations), "debug_info": named}
    return core.ClosedJaxpr(jaxpr.replace(**changed, effects=effects), consts)


def inner_programs(eqn: Any) -> Iterator[tuple[str, Any]]:
    """The programs that an equation holds, each with the name of its parameter, which may be a sequence of programs."""
    for name, value in eqn.params.items():
        values: Sequence[Any] = value if isinstance(value, (tuple, list)) else (value,)
        yield from ((name, program) for program in values if hasattr(program, "eqns"))


def inner_jaxprs(eqn: Any) -> list[core.Jaxpr]:
    """The programs that an equation holds, without their constants."""
    return [open_program(program)[0] for _, program in inner_programs(eqn)]


def is_call(eqn: Any) -> bool:
    """Whether an equation only calls a program: both have the same inputs and the same outputs."""
    return eqn.primitive.name in _CALLS


def only_shows(eqn: Any) -> bool:
    """Whether an equation shows values and computes none, as `jax.debug.print` does."""
    return eqn.primitive.name in _PRINTS and not eqn.outvars


def called_program(eqn: Any) -> Any:
    """The program that a call calls.

    Raises:
        ProblemError: where it holds no program, several programs, or a program with other inputs or outputs.
    """
    written_late = eqn.params.get("_prim")
    programs = [_expanded(eqn, written_late)] if written_late else [program for _, program in inner_programs(eqn)]
    if len(programs) != 1:
        raise unknown(eqn, f"it holds {len(programs)} programs, not one")
    jaxpr, _ = open_program(programs[0])
    if (len(jaxpr.invars), len(jaxpr.outvars)) != (len(eqn.invars), len(eqn.outvars)):
        raise unknown(eqn, "its program takes other inputs than it does")
    return programs[0]


def _expanded(eqn: Any, operation: Any) -> Any:
    """The program of an operation that JAX 0.12 writes out only when it compiles it: `searchsorted` is one."""

    def program(*flat: Any) -> Any:
        return jax.tree.leaves(operation.expand(*jax.tree.unflatten(operation.in_tree, flat)))

    return jax.make_jaxpr(program)(*(atom.aval for atom in eqn.invars))


def linear_solve(eqn: Any) -> tuple[Any, list[Any]]:
    """The program that solves the system of a `jax.lax.custom_linear_solve`, and the inputs of the equation that it takes.

    Raises:
        ProblemError: where the parameters are not those of a linear solve.
    """
    try:
        counts, programs = eqn.params["const_lengths"], eqn.params["jaxprs"]
        before, own = counts.matvec + counts.vecmat, counts.solve
        right_sides = eqn.invars[before + own + counts.transpose_solve :]
        program = programs.solve
    except (KeyError, AttributeError) as error:
        raise unknown(eqn, "its parameters are not those of a solve") from error
    return program, [*eqn.invars[before : before + own], *right_sides]


@dataclass(frozen=True)
class Scan:
    """A scan. `body` takes `constants` inputs, then `carried`, then one slice of each sequence."""

    body: Any
    constants: int
    carried: int
    length: int
    reverse: bool


def scan(eqn: Any) -> Scan:
    """What a scan does.

    The numbers of constants and of carried values are `num_consts` and `num_carry` until JAX 0.11, and in a private tree
    since 0.12. Here they follow from the shapes: a sequence has one axis more outside the body than inside it.

    Raises:
        ProblemError: where the parameters or the shapes are not those of a scan.
    """
    try:
        body, length, reverse = (eqn.params[name] for name in ("jaxpr", "length", "reverse"))
        jaxpr, _ = open_program(body)
        # A value is carried, or one slice of a stacked output; a stacked output has one axis more than its slice.
        stacked = [_axes(out) - _axes(inner) for out, inner in zip(eqn.outvars, jaxpr.outvars, strict=True)]
        sliced = [_axes(given) - _axes(inner) for given, inner in zip(eqn.invars, jaxpr.invars, strict=True)]
    except (KeyError, AttributeError, ValueError) as error:
        raise unknown(eqn, f"{type(error).__name__}: {error}") from error
    carried, sequences = stacked.count(0), sliced.count(1)
    constants = len(sliced) - carried - sequences
    in_order = stacked == sorted(stacked) and sliced == sorted(sliced) and {*stacked, *sliced} <= {0, 1}
    if not in_order or constants < 0:
        raise unknown(eqn, "its inputs are not constants, carried values and sequences, in this order")
    carry = zip(jaxpr.invars[constants : constants + carried], jaxpr.outvars[:carried], strict=True)
    if any((given.aval.shape, given.aval.dtype) != (out.aval.shape, out.aval.dtype) for given, out in carry):
        raise unknown(eqn, "what goes into a round is not of the form that comes out of it")
    return Scan(body, constants, carried, length, bool(reverse))


def _axes(variable: Any) -> int:
    return len(variable.aval.shape)


@dataclass(frozen=True)
class While:
    """A while loop. `condition` and `body` each take their constants, then the state."""

    condition: Any
    body: Any
    condition_constants: int
    body_constants: int


def while_loop(eqn: Any) -> While:
    """What a while loop does. The number of constants follows from the inputs of each program and the size of the state.

    Raises:
        ProblemError: where the parameters are not those of a while loop.
    """
    try:
        condition, body = eqn.params["cond_jaxpr"], eqn.params["body_jaxpr"]
    except KeyError as error:
        raise unknown(eqn, f"it has no parameter {error}") from error
    state = len(eqn.outvars)
    constants = [len(open_program(program)[0].invars) - state for program in (condition, body)]
    if min(constants) < 0 or sum(constants) + state != len(eqn.invars):
        raise unknown(eqn, "its inputs are not constants and a state")
    return While(condition, body, *constants)


def branches(eqn: Any) -> Sequence[Any]:
    """The programs of a `cond` or a `switch`; its first input is the index of the one to call.

    Raises:
        ProblemError: where it holds no program, or a program that does not take the other inputs.
    """
    listed = [program for name, program in inner_programs(eqn) if name == "branches"]
    if not listed or any(len(open_program(program)[0].invars) != len(eqn.invars) - 1 for program in listed):
        raise unknown(eqn, "its branches do not take its inputs")
    return listed


@dataclass(frozen=True)
class KernelBlock:
    """The blocks in which a kernel sees an array.

    `sizes` are those along the axes of the array, and `shape` is that of the block in the kernel, which may leave out axes
    of size 1. `index` gives the number of the block along each axis, for a program of the grid.
    """

    sizes: Sequence[int]
    shape: Sequence[int]
    index: Callable[..., Sequence[Any]]


@dataclass(frozen=True)
class Kernel:
    """What a `pallas_call` does. The blocks are those of its inputs, then those of its outputs.

    `body` takes what the blocks hold, then the `numbers` for a program of the grid; it gives what the blocks hold then.
    """

    grid: Sequence[int]
    blocks: Sequence[KernelBlock]
    body: Any
    numbers: Sequence[Callable[[Sequence[int]], int]]


def kernel(eqn: Any) -> Kernel:
    """What a `pallas_call` does.

    Raises:
        ProblemError: where its parameters are not those of a kernel with blocks alone, or its body is not known.
    """
    try:
        mapping, jaxpr = eqn.params["grid_mapping"], open_program(eqn.params["jaxpr"])[0]
        grid, blocks = [int(size) for size in mapping.grid], list(mapping.block_mappings)
        if len(jaxpr.invars) != len(blocks) or eqn.params.get("input_output_aliases"):
            raise unknown(eqn, "its kernel takes more than its blocks")
        listed = [
            KernelBlock(
                [_size(of_axis) for of_axis in block.block_shape], ref.aval.shape, _index(block.index_map_jaxpr)
            )
            for block, ref in zip(blocks, jaxpr.invars, strict=True)
        ]
        return Kernel(grid, listed, *_body(eqn, jaxpr, grid))
    except (KeyError, AttributeError, TypeError, ValueError, ImportError) as error:
        raise unknown(eqn, f"{type(error).__name__}: {error}") from error


def _size(of_block: Any) -> int:
    """The size of a block along one axis: a number, or None for an axis that the kernel does not see."""
    kind = type(of_block).__name__
    if kind not in ("int", "Blocked", "Squeezed", "NoneType"):
        raise ValueError(f"a block of the kind {kind}")
    return 1 if kind in ("Squeezed", "NoneType") else int(getattr(of_block, "block_size", of_block))


def _index(program: Any) -> Callable[..., Sequence[Any]]:
    jaxpr, consts = open_program(program)
    return core.jaxpr_as_fun(core.ClosedJaxpr(jaxpr, consts))


def _body(eqn: Any, jaxpr: Any, grid: Sequence[int]) -> tuple[Any, Sequence[Callable[[Sequence[int]], int]]]:
    """The body of a kernel without references, and what gives the numbers that it asks for."""
    from jax._src.state.discharge import discharge_state  # pyright: ignore[reportPrivateImportUsage, reportMissingImports]

    asked = [equation for equation in jaxpr.eqns if equation.primitive.name in ("program_id", "num_programs")]
    rest = [equation for equation in jaxpr.eqns if equation not in asked]
    numbers = [equation.outvars[0] for equation in asked]
    closed = part_of(jaxpr, [*jaxpr.invars, *numbers], rest, jaxpr.outvars)
    if any(equation.primitive.name in ("program_id", "num_programs") for equation in _all(closed)):
        raise unknown(eqn, "its program asks for its number inside a choice or a loop")
    return discharge_state(closed), [_asked(equation, grid) for equation in asked]


def _asked(eqn: Any, grid: Sequence[int]) -> Callable[[Sequence[int]], int]:
    axis, of_grid = eqn.params["axis"], eqn.primitive.name == "num_programs"
    return lambda index: (grid if of_grid else index)[axis]


def _all(program: Any) -> Iterator[Any]:
    for eqn in open_program(program)[0].eqns:
        yield eqn
        for inner in inner_jaxprs(eqn):
            yield from _all(inner)


_WITHOUT_EFFECT_OF = {
    "sort": ("is_stable",),
    "scatter": ("indices_are_sorted", "unique_indices", "update_jaxpr", "update_consts"),
    "gather": ("indices_are_sorted", "unique_indices"),
    "conj": ("input_dtype",),
    "top_k": ("operand", "is_stable"),
    "reshard": ("dst_sharding", "concrete_mesh"),
    "random": ("impl",),
}


def devices_of(jaxpr: Any) -> frozenset[int]:
    """The numbers of the devices that the meshes of a program name; empty if it has no mesh."""
    found = frozenset[int]()
    for eqn in jaxpr.eqns:
        given = eqn.params
        placed = (given.get("sharding"), *(given.get("devices") or ()))  # `device_put` has `devices`
        meshes = (given.get("mesh"), given.get("concrete_mesh"), *(getattr(one, "mesh", None) for one in placed))
        for mesh in meshes:
            if isinstance(mesh, jax.sharding.Mesh):  # another kind of mesh names no devices
                found |= {device.id for device in mesh.devices.flat}
        found = found.union(*map(devices_of, inner_jaxprs(eqn)))
    return found


def without_effect(name: str) -> Sequence[str]:
    """The parameters of an operation that change no value of a program whose keys are Threefry's."""
    family = re.match(r"scatter|random(?=_)", name)
    return _WITHOUT_EFFECT_OF.get(family[0] if family else name, ())


def asks_for(eqn: Any, known: Sequence[str]) -> list[str]:
    """The parameters that may change the values of an equation and are not in `known`. A parameter of None is not set."""
    return [
        name
        for name, value in eqn.params.items()
        if name not in known and name not in _PARAMETERS_WITHOUT_EFFECT and value is not None
    ]


def sampler(eqn: Any) -> str:
    """The name of the sampler of `jax.random` that an equation calls (`normal`, `uniform`, ...); empty if it calls none.

    In a program, a sampler is a call of a private function, `_normal` for `normal`; `permutation` calls `_shuffle`.
    """
    if not is_call(eqn) or not any(is_key(atom.aval) for atom in eqn.invars):
        return ""
    name = str(eqn.params.get("name", "")).lstrip("_")
    return name if name == "shuffle" or (name and hasattr(jax.random, name)) else ""


def begins_normal(eqn: Any, jaxpr: Any) -> bool:
    """Whether an equation is the first half of a normal draw in two halves.

    The normal initialisers are one draw until JAX 0.11, and `erf_inv` of a uniform draw since 0.12. In float32, `erf_inv`
    has a large rounding error near the ends of the interval, so the two halves are evaluated as one draw.
    """
    if sampler(eqn) != "uniform":
        return False
    (drawn,) = eqn.outvars
    readers = [other for other in jaxpr.eqns if any(atom is drawn for atom in other.invars)]
    read_elsewhere = any(atom is drawn for atom in jaxpr.outvars)
    return bool(readers) and not read_elsewhere and all(other.primitive.name == "erf_inv" for other in readers)


def ends_normal(eqn: Any, jaxpr: Any) -> bool:
    """Whether an equation is the second half of a normal draw (see `begins_normal`)."""
    return eqn.primitive.name == "erf_inv" and any(
        other.outvars[0] is eqn.invars[0] and begins_normal(other, jaxpr) for other in jaxpr.eqns
    )


def draws_by_index(key: Any) -> bool:
    """Whether a number drawn from a key depends on its index alone, and not on the shape of the draw.

    This holds for Threefry keys under `jax_threefry_partitionable`, JAX's default.
    """
    return str(key.dtype) == "key<fry>" and bool(jax.config.jax_threefry_partitionable)  # pyright: ignore


def line_of(eqn: Any, file: str) -> int:
    """The innermost line of a file that made an equation, 0 where none did."""
    traceback = getattr(eqn.source_info, "traceback", None)
    frames = traceback.frames if traceback is not None else ()
    return next((frame.line_num for frame in frames if frame.file_name == file), 0)


def position_of(eqn: Any, file: str) -> tuple[int, int, int, int] | None:
    """Where the innermost expression of a file stands that made an equation: line, column, end line, end column.

    Lines count from 1 and columns from 0, in bytes of UTF-8, as Python's own positions do. None where no line made it.
    """
    traceback = getattr(eqn.source_info, "traceback", None)
    if traceback is None:
        return None
    codes, instructions = traceback.raw_frames()
    for code, instruction in zip(codes, instructions, strict=True):
        if code.co_filename == file:
            return _positions(code)[instruction // 2]
    return None


def traceback_in(eqn: Any, file: str) -> Any:
    """The traceback of an equation that a line of a file made; None for another one."""
    return None if position_of(eqn, file) is None else eqn.source_info.traceback


def with_traceback(eqn: Any, traceback: Any) -> Any:
    """An equation as if the lines of a traceback had made it."""
    return eqn.replace(source_info=eqn.source_info.replace(traceback=traceback))


def made_as(eqn: Any, traceback: Any) -> contextlib.AbstractContextManager[None]:
    """What is traced inside has the lines of a traceback, and belongs to a backward pass if an equation does."""
    return user_context(traceback, name_stack=current_name_stack() + eqn.source_info.name_stack)


def is_backward(eqn: Any, *, within: bool = False) -> bool:
    """Whether an equation belongs to a backward pass: JAX made it as it transposed the derivative of another one.

    Its line is that of the operation that it differentiates. What `jax.checkpoint` computes again there are values, as in
    the forward pass.

    Args:
        within: whether the program that the equation stands in belongs to a backward pass.
    """
    stack = str(eqn.source_info.name_stack)
    return (within or "transpose(" in stack) and "rematted_computation" not in stack


@functools.lru_cache(maxsize=256)
def _positions(code: Any) -> list[tuple[int, int, int, int] | None]:
    """The position of each instruction of a code object."""
    return [
        None if None in (line, end_line, column, end_column) else (line, column, end_line, end_column)
        for line, end_line, column, end_column in code.co_positions()
    ]


def only_cpu() -> None:
    """Let JAX start the CPU alone, as several devices, trace fast, and compile with few optimisations: a program runs once
    or twice.
    """
    # Otherwise JAX would also start a GPU's runtime, in every answer's process.
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_num_cpu_devices", SIMULATED_DEVICES)
    optimise(fully=False)
    short_sharding_errors()


def leave_tracebacks() -> None:
    """Let JAX raise errors with their tracebacks as they are. Leaving its own frames out takes milliseconds for each."""
    jax.config.update("jax_traceback_filtering", "off")


def optimise(*, fully: bool) -> None:
    """Compile with all optimisations from now on, or with few, where this version of JAX has the option."""
    with contextlib.suppress(AttributeError):
        jax.config.update("jax_disable_most_optimizations", not fully)


QUICK_OPTIONS: dict[str, Any] = {
    "xla_cpu_use_fusion_emitters": False,
    "xla_cpu_parallel_codegen_split_count": 1,
    "xla_cpu_multi_thread_eigen": False,
}
"""Options of XLA for a program that runs once on small arrays, where this version has all of them. Compiling most lessons
takes a quarter to a half of its time, and the first product of matrices in a process 30 to 45 ms less.

With them, XLA may compute a value that is used twice two times, with different last bits. What a plain call returns decides
where that matters: it is compiled without them (tests/answers/jit_safe_nucleus: "logits at minus infinity").
"""


def compiled_quickly(lowered: jax.stages.Lowered) -> jax.stages.Compiled:
    """A program, compiled to run once or twice on small arrays."""
    try:
        return lowered.compile(compiler_options=QUICK_OPTIONS)
    except jax.errors.JaxRuntimeError as error:
        if "No such compile option" not in str(error):
            raise
        return lowered.compile()


def turn_off_x64() -> bool:
    """Turn 64 bits off. Returns whether they were on."""
    turned_on = bool(jax.config.jax_enable_x64)  # pyright: ignore
    if turned_on:
        jax.config.update("jax_enable_x64", False)
    return turned_on


def settings_of_traces() -> tuple[Any, ...]:
    """The settings that the grader changes and that JAX keeps traces apart by."""
    config: Any = jax.config
    return config.jax_enable_x64, config.jax_default_matmul_precision, config.jax_default_device


def default_platform() -> str:
    """The platform of `jax.default_device`, where programs are traced for."""
    device: Any = jax.config.jax_default_device  # pyright: ignore
    return device.platform if device else "cpu"


def is_array(value: object) -> bool:
    """Whether a value is an array of JAX's own, or a tracer. An answer's subclass may lie about its values."""
    return isinstance(value, jax.Array) and type(value).__module__.startswith("jax")


def is_traced(value: object) -> bool:
    """Whether a value stands for one that JAX computes later."""
    return isinstance(value, jax.core.Tracer)  # pyright: ignore


def form_of(aval: Any) -> tuple[Any, bool]:
    """The dtype of an abstract value, and whether it is weak, as that of a number of Python's is."""
    return aval.dtype, getattr(aval, "weak_type", False)


def abstract(shape: Sequence[int], dtype: Any, weak: bool) -> Any:
    """The abstract value of a shape and such a form."""
    return jax.core.ShapedArray(tuple(shape), dtype, weak_type=weak)  # pyright: ignore


def short_sharding_errors() -> None:
    """Let a tracer say in one sentence that it has no `sharding`, as newer versions of JAX do.

    Flax asks for it each time that a layer draws a weight. JAX 0.10 then writes out the operations behind the value, for an
    error that Flax catches. That is more than half of the time that it takes to trace a model.
    """
    tracer: Any = getattr(jax.core, "Tracer", None)  # pyright: ignore
    if hasattr(tracer, "_origin_msg"):
        tracer.sharding = property(_no_sharding)


def _no_sharding(tracer: Any) -> Any:
    raise AttributeError(f"The 'sharding' attribute is not available on a traced array of type {tracer.aval}.")


def branch_of_platform(eqn: Any, platform: str) -> int:
    """The number that `platform_index` gives: that of the platform's branch, or of the branch for all others."""
    platforms = list(eqn.params["platforms"])
    named = next((index for index, names in enumerate(platforms) if names is not None and platform in names), None)
    return platforms.index(None) if named is None else named


class NoDevice(Exception):
    """JAX finds no device of the platform asked for."""


def choose(platform: str) -> Any:
    """The first device of a platform. Call it before anything else starts a backend.

    Raises:
        NoDevice: where JAX finds none.
    """
    if platform == "cpu":
        only_cpu()
    try:
        return jax.devices(platform)[0]
    except RuntimeError as error:
        raise NoDevice(str(error).splitlines()[0]) from error
