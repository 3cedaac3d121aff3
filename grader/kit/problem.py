"""What an instructor declares: a problem, its cases, its pitfalls, its pictures, and what its program must be."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from typing import TYPE_CHECKING, Any

from grader.kit.arguments import Argument, Relation, fault_of_declaration, fault_of_values, seen
from grader.kit.problem_error import ProblemError
from grader.kit.text import counted
from grader.marking.verdict import Pictured

if TYPE_CHECKING:
    from grader.kit.mistakes import MistakeForm, Pitfall
    from grader.kit.solution import Solution
    from grader.marking.facts import ProgramRequirements
    from grader.marking.requirements import Contract


Cases = Sequence[tuple[int | float, ...]]

ROUNDS_THAT_SHOW = 4
"""With this many rounds, a loop that is written out is longer than everything else that may grow."""


@dataclass(frozen=True)
class Trace:
    """What JAX must find in an answer when it traces it, beyond right values.

    Args:
        needs: operations that must occur in each case in which that of the worked answer does something (a loop of one round
            and what one device sends to itself do not): "scan", "while", "remat", "pallas", "shard_map", "psum",
            "all_gather", "psum_scatter", "ppermute".
        forbids: operations that must not occur, by the same names.
        largest: takes the arguments of a case, and gives the most elements that any array of the program may have.
        grows: how the number of operations may grow with `size`: "no" or "log". Each is counted once, however often it runs.
        size: the parameter. Two cases must be alike but for it, and it must be four times larger in one of them: best 4 and
            16, or more.
    """

    needs: Sequence[str] = ()
    forbids: Sequence[str] = ()
    largest: Callable[..., int] | None = None
    grows: str = ""
    size: str = ""

    def asked(self, parameters: Sequence[str], cases: Cases) -> ProgramRequirements:
        """What is asked of each case. Raises ValueError if the declaration contradicts itself or the problem."""
        # Imported here, because it imports NumPy: commands that only read the kit import this module, but not NumPy.
        from grader.marking.facts import ProgramRequirements
        from grader.marking.requirements import FACTOR, GROWTH
        from grader.values.outline import FAMILIES

        if isinstance(self.needs, str) or isinstance(self.forbids, str):
            raise ValueError("`needs` and `forbids` are lists of names, as in needs=['scan']")
        for name in (*self.needs, *self.forbids):
            if name not in FAMILIES:
                raise ValueError(f"{name!r} is no operation that can be asked for: choose from {', '.join(FAMILIES)}")
        if both := set(self.needs) & set(self.forbids):
            raise ValueError(f"{min(both)!r} is needed and forbidden: name it once")
        if not (self.needs or self.forbids or self.largest or self.grows):
            raise ValueError("it asks for nothing: give `needs`, `forbids`, `largest` or `grows`")
        if self.grows and self.grows not in GROWTH:
            raise ValueError(f"`grows` is {self.grows!r}: choose one of {', '.join(map(repr, GROWTH))}")
        if bool(self.grows) != bool(self.size):
            raise ValueError("`grows` and `size` belong together: give both, as in grows='no', size='T'")
        largest = [self.largest(*case) for case in cases] if self.largest else []
        if wrong := [size for size in largest if type(size) is not int or size < 1]:
            raise ValueError(f"`largest` gives {wrong[0]!r} for a case: it has to give a whole number from 1 on")
        asked = ProgramRequirements(tuple(self.needs), tuple(self.forbids), tuple(largest), self.grows, self.size)
        if not self.size:
            return asked
        if self.size not in parameters:
            raise ValueError(
                f"`size` is {self.size!r}, and the parameters are {', '.join(parameters)}: name one of them"
            )
        at = parameters.index(self.size)
        if any(type(case[at]) is not int for case in cases):
            raise ValueError(f"`size` is {self.size!r}, which is not a whole number in every case: name one that is")
        pairs = [
            (small, large)
            for small, case in enumerate(cases)
            for large, other in enumerate(cases)
            if case[at] * FACTOR == other[at] and (*case[:at], *case[at + 1 :]) == (*other[:at], *other[at + 1 :])
        ]
        if not pairs:
            least = max(cases, key=lambda case: min(case[at], ROUNDS_THAT_SHOW))
            twin = (*least[:at], FACTOR * least[at], *least[at + 1 :])
            raise ValueError(
                f"`grows` compares the programs of two cases that are alike but for {self.size}, which is {FACTOR} times "
                f"larger in one: add the case {twin}, for example"
            )
        pair = max(pairs, key=lambda pair: min(cases[pair[0]][at], ROUNDS_THAT_SHOW))
        return ProgramRequirements(asked.needs, asked.forbids, asked.largest, self.grows, self.size, pair)


@dataclass(frozen=True)
class Heatmap:
    """Each value as a colour. `rows` and `columns` are names of `axes`: one axis goes down, the other across."""

    rows: str
    columns: str


@dataclass(frozen=True)
class Matrix:
    """A cell for each pair of things, such as a query and a key: square, and with its number if there is room."""

    rows: str
    columns: str


@dataclass(frozen=True)
class Waves:
    """A line along one axis for each index of another, such as the waves along positions, one for each dimension."""

    along: str
    each: str


@dataclass(frozen=True)
class Curve:
    """One line along one axis."""

    along: str


@dataclass(frozen=True)
class Tokens:
    """A bar for each token, or for each other thing along one axis."""

    tokens: str


Picture = Heatmap | Matrix | Waves | Curve | Tokens
KINDS = (Heatmap, Matrix, Waves, Curve, Tokens)


def as_pictures(given: Picture | Sequence[Picture]) -> tuple[Picture, ...]:
    """One picture, or several, as a tuple."""
    return tuple(given) if isinstance(given, (list, tuple)) else (given,)  # type: ignore[arg-type]


def pictured(picture: Picture) -> Pictured:
    """A picture as data, which oracles and keys hold."""
    return Pictured(type(picture).__name__.lower(), astuple(picture))


def fault_of_pictures(pictures: Sequence[object], axes: Sequence[str]) -> str:
    """What is wrong with the pictures of an array with these axes, and what to do; empty if nothing is."""
    known = ", ".join(axes) or "none"
    for at, picture in enumerate(pictures):
        if not isinstance(picture, KINDS):
            names = ", ".join(kind.__name__ for kind in KINDS)
            asked = f"give one of {names} (from grader import Heatmap)"
            return f"the picture {picture!r} is not one that the grader draws: {asked}"
        named = astuple(picture)
        if picture in pictures[:at]:
            return f"the picture {picture_source(picture)} is given twice: remove one"
        if unknown := [axis for axis in named if axis not in axes]:
            shown = f"{picture_source(picture)} names {unknown[0]!r}"
            return f"the picture {shown}, which is not in `axes`: it has {known}. Name those"
        if len(set(named)) < len(named):
            shown = f"{picture_source(picture)} names the axis {named[0]!r}"
            return f"the picture {shown} twice: name another, or use Curve or Tokens"
    return ""


def picture_source(picture: Picture) -> str:
    """A picture as an instructor writes it: `Heatmap("position", "dim")`."""
    return type(picture).__name__ + "(" + ", ".join(f'"{axis}"' for axis in astuple(picture)) + ")"


Case = tuple[int | float, ...]


@dataclass(frozen=True)
class Problem:
    """What a problem is beside its worked answer: the cases to call it with, and what is asked of an answer.

    Args:
        cases: the arguments of each call: Python ints and floats.
        arguments: which values of each argument but the seed are legal, as the statement says: {"T": Whole(least=1), "rate":
            Real(0.0, below=1.0)}. New inputs are drawn from these, and `audit` says which of them no case has.
        legal: which values go together, as [lambda k, E: k <= E].
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
        solution: the worked answer and its mistakes. The grader gives it when it loads the file; an author does not.

    Raises:
        ProblemError: if the declaration contradicts itself.
    """

    cases: Sequence[Case]
    arguments: Mapping[str, Argument] = field(default_factory=dict[str, Argument])
    legal: Sequence[Relation] = ()
    axes: Sequence[str] = ()
    by_row: bool = False
    contract: str = ""
    wrt: str = ""
    trace: Trace | None = None
    picture: Picture | Sequence[Picture] = ()
    solution: Solution | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "cases", tuple(tuple(case) for case in self.cases))
        object.__setattr__(self, "axes", tuple(self.axes))
        object.__setattr__(self, "picture", as_pictures(self.picture))
        if self.solution is not None:
            self._check(self.parameters)

    @property
    def name(self) -> str:
        """The name of the problem and of its function."""
        return self._solution.name

    @property
    def reference(self) -> Callable[..., Any]:
        """The function of the worked answer: what is expected follows from it."""
        return self._solution.function()

    @functools.cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of the function's parameters, `seed` first."""
        parameters = inspect.signature(self.reference).parameters.values()
        return tuple(p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD)

    @property
    def pitfalls(self) -> tuple[Pitfall, ...]:
        """The mistakes to name."""
        return self._solution.pitfalls

    @property
    def _solution(self) -> Solution:
        if self.solution is None:
            raise ProblemError("this problem has no worked answer: load it from its file")
        return self.solution

    def _check(self, positional: tuple[str, ...]) -> None:
        if said := fault_of_declaration(self.arguments, self.legal, positional[1:]):
            raise ProblemError(f"{self.name}: {said}")
        self._check_cases()
        self._check_contract()
        if twice := [axis for axis in self.axes if self.axes.count(axis) > 1]:
            raise ProblemError(f"`axes` of {self.name} names {twice[0]!r} twice: each axis has a name of its own")
        if fault := fault_of_pictures(as_pictures(self.picture), self.axes):
            raise ProblemError(f"{self.name}: {fault}")
        if differentiates(self):  # a value and its derivative have scales of their own
            object.__setattr__(self, "by_row", True)

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
        return f"should give ({', '.join(problem.parameters)}): {counted(len(problem.parameters), 'value')}"
    values = dict(zip(problem.parameters, case, strict=True))
    for name, value in values.items():
        if type(value) not in (int, float):
            return f"gives {name} a value of type {type(value).__name__}: it may hold Python ints and floats only"
    return fault_of_values(problem.arguments, problem.legal, values)


def arguments_of(problem: Problem) -> Mapping[str, Argument]:
    """What is legal of each argument but the seed; what the cases let us guess where a problem declares nothing."""
    columns = dict(zip(problem.parameters, zip(*problem.cases, strict=True), strict=True))
    return {name: problem.arguments.get(name) or seen(columns[name]) for name in problem.parameters[1:]}


def graded(problem: Problem, forms: tuple[MistakeForm, ...] = ()) -> Callable[..., Any]:
    """The function whose numbers are judged: the worked answer with some mistakes made, followed by its derivative if a
    contract asks for it.

    Raises:
        Exception: whatever the text of the worked answer raises.
    """
    assert problem.solution is not None
    function = problem.solution.function(forms)
    if not differentiates(problem):
        return function
    from grader.kit.derivative import with_derivative  # it imports JAX, which few need

    return with_derivative(function, argnum(problem))


def differentiates(problem: Problem) -> bool:
    """Whether the derivative is judged too."""
    contract = _contracts().get(problem.contract)
    return contract is not None and contract.derivative


def asked_of(problem: Problem) -> ProgramRequirements:
    """What is asked of the programs of an answer. Raises ValueError if the declaration contradicts itself."""
    from grader.marking.facts import ProgramRequirements

    return ProgramRequirements() if problem.trace is None else problem.trace.asked(problem.parameters, problem.cases)


def argnum(problem: Problem) -> int:
    """The index of the parameter `wrt`; 0 without one."""
    return problem.parameters.index(problem.wrt) if problem.wrt else 0


def _contracts() -> Mapping[str, Contract]:
    # Imported here, because it imports NumPy: commands that only read the kit import this module, but not NumPy.
    from grader.marking.requirements import CONTRACTS

    return CONTRACTS
