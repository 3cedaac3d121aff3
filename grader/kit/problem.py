"""What an instructor declares: a problem, its cases and its pitfalls."""

from __future__ import annotations

import functools
import inspect
import itertools
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from grader.kit.arguments import Argument, Relation, fault_of_declaration, fault_of_values, seen
from grader.kit.picture import Picture, as_pictures, fault_of_pictures
from grader.kit.trace import Trace

if TYPE_CHECKING:
    from grader.marking.asked import Asked
    from grader.marking.contracts import Contract

Knobs = Mapping[str, object]
Case = tuple[int | float, ...]


class ProblemError(Exception):
    """A fault of the kit, never of the learner. The message names the file, the fault and how to fix it.

    Args:
        pitfall: the name of the pitfall at fault.
        case: the place in `cases` of the case at fault.
    """

    def __init__(self, message: str, *, pitfall: str = "", case: int | None = None) -> None:
        super().__init__(message)
        self.pitfall, self.case = pitfall, case


@dataclass(frozen=True)
class AnyOf:
    """Several values of one knob that are the same mistake, for example every wrong base."""

    values: tuple[object, ...]
    alone: tuple[object, ...] = ()


def any_of(*values: object, alone: Sequence[object] = ()) -> AnyOf:
    """Several values of one knob under the name of one pitfall.

    Args:
        values: the usual wrong values. Each is also combined with other pitfalls.
        alone: more wrong values, each tried by itself only. Every value that is combined adds to all pairs and sets of
            three, so a knob with dozens of wrong values names the usual ones as `values` and the rest here.

    Raises:
        ProblemError: if there is no value, or one is given twice.
    """
    if not isinstance(alone, (list, tuple)):
        raise ProblemError(f"`alone` of `any_of` is {alone!r}: give a list, as in alone=[{alone!r}]")
    shown = [repr(value) for value in (*values, *alone)]
    if not shown:
        raise ProblemError("`any_of` has no value: give the wrong values of the knob")
    if twice := [one for one in shown if shown.count(one) > 1]:
        raise ProblemError(f"`any_of` has the value {twice[0]} twice: remove one")
    return AnyOf(values, tuple(alone))


@dataclass(frozen=True, init=False)
class Pitfall:
    """A mistake that people make: its name, what its numbers show, a question that helps to find it, and knobs.

    `why` describes what the numbers show. `hint` is a question that does not give the answer away. The keyword arguments
    are the knobs of the reference that make the mistake; a value may be `any_of(...)`.
    """

    name: str
    why: str
    hint: str
    knobs: Knobs

    def __init__(self, name: str, *, why: str, hint: str, **knobs: object) -> None:
        for key, value in {"name": name, "why": why, "hint": hint, "knobs": knobs}.items():
            object.__setattr__(self, key, value)

    def settings(self, *, combined: bool = False) -> Iterator[dict[str, object]]:
        """Every setting of the knobs that makes this mistake; one, unless a value is `any_of(...)`.

        Args:
            combined: leave out the settings that are tried alone only.
        """
        choices = [
            (*value.values, *(() if combined else value.alone)) if isinstance(value, AnyOf) else (value,)
            for value in self.knobs.values()
        ]
        for values in itertools.product(*choices):
            yield dict(zip(self.knobs, values, strict=True))


@dataclass(frozen=True)
class Problem:
    """A trusted reference, the cases to call it with, and the pitfalls that its knobs can make.

    Args:
        reference: `name(seed, sizes..., *, knobs...) -> 1-D array`. Positional arguments are Python ints and floats;
            every keyword-only argument is a knob, whose default is the right value.
        cases: the arguments of each call.
        arguments: which values of each argument but the seed are legal, as the statement says: {"T": Whole(least=1), "rate":
            Real(0.0, below=1.0)}. New inputs are drawn from these, and `audit` says which of them no case has.
        legal: which values go together, as [lambda k, E: k <= E].
        pitfalls: the mistakes to name.
        axes: the names of the array's axes before it is flattened, for messages; of a derivative, those of the values.
        by_row: whether each row of that array, along its first axis, has a tolerance of its own. If rows are different
            quantities (for example frequencies and wavelengths), one tolerance would be too wide for the smaller values.
        contract: what the problem asks of an answer beyond its values. `jit`: it traces under `jax.jit` with the seed and
            every float traced. `vmap`: it gives the same values if it is mapped over seeds. `grad`: its derivative is right
            too. `keys`: it uses no PRNG key twice. `trace`: its program is as `trace` says.
        wrt: the float parameter that a `grad` contract differentiates with respect to.
        trace: what JAX must find in the program, with the contract `trace` or beside another: see `help(grader.Trace)`.
        picture: how the array is looked at, as `Heatmap("position", "dim")`, or a list of pictures, the most telling one
            first. They name axes of `axes`.

    Raises:
        ProblemError: if the declaration contradicts itself.
    """

    reference: Callable[..., Any]
    cases: Sequence[Case]
    pitfalls: Sequence[Pitfall] = ()
    arguments: Mapping[str, Argument] = field(default_factory=dict[str, Argument])
    legal: Sequence[Relation] = ()
    axes: Sequence[str] = ()
    by_row: bool = False
    contract: str = ""
    wrt: str = ""
    trace: Trace | None = None
    picture: Picture | Sequence[Picture] = ()
    name: str = field(init=False, repr=False)
    parameters: tuple[str, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        parameters = inspect.signature(self.reference).parameters.values()
        positional = tuple(p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD)
        knobs = {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}
        object.__setattr__(self, "name", self.reference.__name__)
        object.__setattr__(self, "parameters", positional)
        object.__setattr__(self, "cases", tuple(tuple(case) for case in self.cases))
        object.__setattr__(self, "pitfalls", tuple(self.pitfalls))
        object.__setattr__(self, "axes", tuple(self.axes))
        self._check_knobs(knobs)
        if said := fault_of_declaration(self.arguments, self.legal, positional[1:]):
            raise ProblemError(f"{self.name}: {said}")
        self._check_cases()
        self._check_contract()
        if twice := [axis for axis in self.axes if self.axes.count(axis) > 1]:
            raise ProblemError(f"`axes` of {self.name} names {twice[0]!r} twice: each axis has a name of its own")
        object.__setattr__(self, "picture", as_pictures(self.picture))
        if fault := fault_of_pictures(as_pictures(self.picture), self.axes):
            raise ProblemError(f"{self.name}: {fault}")
        if differentiates(self):  # a value and its derivative have scales of their own
            object.__setattr__(self, "by_row", True)

    def _check_knobs(self, knobs: dict[str, object]) -> None:
        if without := [name for name, default in knobs.items() if default is inspect.Parameter.empty]:
            raise ProblemError(f"the knob {without[0]!r} of {self.name} has no default: give it the right value")
        seen: set[str] = set()
        for pitfall in self.pitfalls:
            if pitfall.name in seen:
                message = f"two pitfalls are called {pitfall.name!r}: rename one, or join them with any_of()"
                raise ProblemError(message, pitfall=pitfall.name)
            seen.add(pitfall.name)
            if not pitfall.knobs:
                raise ProblemError(f"the pitfall {pitfall.name!r} turns no knob: give it one", pitfall=pitfall.name)
            for knob in pitfall.knobs:
                if knob not in knobs:
                    known = ", ".join(knobs) or "none"
                    message = f"turns {knob!r}, which is not a knob of {self.name}: it has {known}"
                    raise ProblemError(f"the pitfall {pitfall.name!r} {message}", pitfall=pitfall.name)

    def _check_cases(self) -> None:
        if not self.cases:
            raise ProblemError(f"{self.name} has no cases: give at least one")
        for place, case in enumerate(self.cases):
            if said := fault_of(self, case):
                raise ProblemError(f"the case {case} of {self.name} {said}", case=place)
            if case in self.cases[:place]:
                raise ProblemError(f"the case {case} of {self.name} is listed twice: remove one", case=place)

    def _check_contract(self) -> None:
        contracts = _contracts()
        if self.contract and self.contract not in contracts:
            known = ", ".join(repr(name) for name in contracts)
            raise ProblemError(f"{self.name} has the contract {self.contract!r}: choose one of {known}")
        if differentiates(self) != bool(self.wrt):
            raise ProblemError(f"{self.name}: a `grad` contract, and no other, says by which parameter, as wrt='scale'")
        if self.wrt and self.wrt not in self.parameters:
            known = ", ".join(self.parameters)
            raise ProblemError(f"{self.name} has no parameter {self.wrt!r} to differentiate by: it has {known}")
        if self.wrt and any(type(case[argnum(self)]) is not float for case in self.cases):
            raise ProblemError(
                f"{self.wrt!r} of {self.name} is what `wrt` names, and it is no float in every case: give floats, or name "
                "another parameter"
            )
        if (self.contract == "trace" and self.trace is None) or (self.trace is not None and not self.contract):
            raise ProblemError(f"{self.name}: say what the program must be like, as contract='trace', trace=Trace(...)")
        try:
            asked_of(self)
        except ValueError as error:
            raise ProblemError(f"the trace of {self.name}: {error}") from error
        if self.contract and (fault := contracts[self.contract].fault_of_cases(self.name, self.cases)):
            raise ProblemError(fault)


# What the grader asks of a problem. These are no methods, so that `help(grader.Problem)` shows what an author gives alone.


def fault_of(problem: Problem, case: Case) -> str:
    """Why the arguments of a call are not legal; empty if they are."""
    if len(case) != len(problem.parameters):
        return f"should give ({', '.join(problem.parameters)}): {len(problem.parameters)} values"
    values = dict(zip(problem.parameters, case, strict=True))
    for name, value in values.items():
        if type(value) not in (int, float):
            return f"gives {name} a value of type {type(value).__name__}: it may hold Python ints and floats only"
    return fault_of_values(problem.arguments, problem.legal, values)


def arguments_of(problem: Problem) -> Mapping[str, Argument]:
    """What is legal of each argument but the seed; what the cases let us guess where a problem declares nothing."""
    columns = dict(zip(problem.parameters, zip(*problem.cases, strict=True), strict=True))
    return {name: problem.arguments.get(name) or seen(columns[name]) for name in problem.parameters[1:]}


def graded(problem: Problem) -> Callable[..., Any]:
    """The function whose numbers are judged: the reference, followed by its derivative if a contract asks for it."""
    if not differentiates(problem):
        return problem.reference
    from grader.kit.derivative import with_derivative

    def both(*case: int | float, **knobs: Any) -> Any:
        return with_derivative(functools.partial(problem.reference, **knobs), argnum(problem))(*case).reshape(-1)

    return both


def differentiates(problem: Problem) -> bool:
    """Whether the derivative is judged too."""
    contract = _contracts().get(problem.contract)
    return contract is not None and contract.derivative


def asked_of(problem: Problem) -> Asked:
    """What is asked of the programs of an answer, without code.

    Raises:
        ValueError: if the declaration contradicts itself.
    """
    from grader.marking.asked import Asked

    return Asked() if problem.trace is None else problem.trace.asked(problem.parameters, problem.cases)


def argnum(problem: Problem) -> int:
    """The index of the parameter `wrt`; 0 without one."""
    return problem.parameters.index(problem.wrt) if problem.wrt else 0


def pitfall_sets(problem: Problem, size: int) -> Iterator[tuple[tuple[str, ...], dict[str, object]]]:
    """Every set of `size` pitfalls that turn different knobs, as (names in declared order, knobs).

    A pitfall alone has all its settings. A set of several has the settings that are combined (see `any_of`).
    """
    for group in itertools.combinations(problem.pitfalls, size):
        turned = [knob for pitfall in group for knob in pitfall.knobs]
        if len(set(turned)) < len(turned):
            continue
        for settings in itertools.product(*(pitfall.settings(combined=size > 1) for pitfall in group)):
            merged = {knob: value for setting in settings for knob, value in setting.items()}
            yield tuple(pitfall.name for pitfall in group), merged


def _with_old_name(init: Callable[..., None]) -> Callable[..., None]:
    """`Problem.__init__`, which also takes `by`, the old name of `wrt`."""

    @functools.wraps(init)
    def renamed(self: Problem, *arguments: Any, by: str = "", **named: Any) -> None:
        if by:
            warnings.warn("Problem(by=...) is now called wrt=...: rename it", FutureWarning, stacklevel=2)
            named["wrt"] = named.get("wrt") or by
        init(self, *arguments, **named)

    return renamed


type.__setattr__(Problem, "__init__", _with_old_name(Problem.__init__))


def _contracts() -> Mapping[str, Contract]:
    # Imported here, because it imports NumPy: commands that only read the kit import this module, but not NumPy.
    from grader.marking.contracts import CONTRACTS

    return CONTRACTS
