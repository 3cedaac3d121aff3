"""What an instructor declares: a problem, its cases and its pitfalls."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from grader.kit.arguments import Argument, Relation, fault_of_declaration, fault_of_values, seen
from grader.kit.picture import Picture, as_pictures, fault_of_pictures
from grader.kit.problem_error import ProblemError
from grader.kit.trace import Trace
from grader.marking.words import counted

if TYPE_CHECKING:
    from grader.kit.mistakes import Form, Pitfall
    from grader.kit.solution import Solution
    from grader.marking.contracts import Contract
    from grader.marking.program_requirements import Asked

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


def graded(problem: Problem, forms: tuple[Form, ...] = ()) -> Callable[..., Any]:
    """The function whose numbers are judged: the worked answer with some mistakes made, followed by its derivative if a
    contract asks for it.

    Raises:
        Exception: whatever the text of the worked answer raises.
    """
    assert problem.solution is not None
    function = problem.solution.function(forms)
    if not differentiates(problem):
        return function
    from grader.kit.derivative import with_derivative

    return with_derivative(function, argnum(problem))


def differentiates(problem: Problem) -> bool:
    """Whether the derivative is judged too."""
    contract = _contracts().get(problem.contract)
    return contract is not None and contract.derivative


def asked_of(problem: Problem) -> Asked:
    """What is asked of the programs of an answer, without code.

    Raises:
        ValueError: if the declaration contradicts itself.
    """
    from grader.marking.program_requirements import Asked

    return Asked() if problem.trace is None else problem.trace.asked(problem.parameters, problem.cases)


def argnum(problem: Problem) -> int:
    """The index of the parameter `wrt`; 0 without one."""
    return problem.parameters.index(problem.wrt) if problem.wrt else 0


def _contracts() -> Mapping[str, Contract]:
    # Imported here, because it imports NumPy: commands that only read the kit import this module, but not NumPy.
    from grader.marking.contracts import CONTRACTS

    return CONTRACTS
