"""A program that was evaluated once, within a budget of work: a change at one place costs only what depends on it."""

from __future__ import annotations

import functools
import heapq
import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from grader.program.arithmetic import Exact, quiet
from grader.program.data import Block, Equation, Form, Literal, NotAProgram, Place, Program, holding
from grader.program.evaluate import Draws, Evaluation
from grader.program.operations import EXACT, Meter
from grader.values.arrays import Array
from grader.where.steps import MOVES, Steps

STEP = 16.0
"""About how many microseconds one equation takes."""

ELEMENT = 0.003
"""About how many microseconds one element takes."""


class OutOfBudget(Exception):
    """The search has done all the work that it may do."""


@dataclass
class Budget:
    """Counts work, about in microseconds.

    Attributes:
        left: what is left of it.
        deadline: the most seconds of processor time, which count on a slow machine.
    """

    left: float
    deadline: float
    _end: float = field(init=False)

    def __post_init__(self) -> None:
        self._end = time.process_time() + self.deadline

    def spend(self, cost: float) -> None:
        """Count some work.

        Raises:
            OutOfBudget: if nothing is left.
        """
        self.left -= cost
        if self.left < 0 or time.process_time() > self._end:
            raise OutOfBudget

    def allow(self, work: float, seconds: float) -> None:
        """Allow at least some work from now on, and some seconds of processor time."""
        self.left = max(self.left, work)
        self._end = max(self._end, time.process_time() + seconds)

    @contextmanager
    def part(self, share: float) -> Generator[None]:
        """Let the block inside use a share of what is left. The block ends, without an error, when it is used."""
        rest = self.left * (1.0 - share)
        self.left -= rest
        try:
            yield
        except OutOfBudget:
            if time.process_time() > self._end:
                raise
        self.left = max(self.left, 0.0) + rest

    def meter(self) -> Meter:
        """The meter of one evaluation, which counts here as well."""
        return _Charged(budget=self)


@dataclass
class _Charged(Meter):
    budget: Budget = field(default_factory=lambda: Budget(0.0, 0.0))

    def step(self, values: int) -> None:
        super().step(values)
        self.budget.left -= STEP  # the elements of the same operation are spent next: that reads the clock

    def spend(self, operation: str, elements: int) -> None:
        before = self.work
        super().spend(operation, elements)
        self.budget.spend(ELEMENT * (self.work - before))


@dataclass(frozen=True)
class SearchCase:
    """One case: the program of the answer, and what is right.

    Attributes:
        draws: the numbers that the reference draws (see `grader.program.evaluate`).
        due: the right values, of shape (n,).
        allowed: how far each value may be from them.
        steps: the steps of the reference on this case.
        without_derivatives: which of the right values depend on no derivative that the reference takes: truth values of
            shape (n,); None if it takes none.
        looked_at: which of the values have to come out right: truth values of shape (n,); None for all.
    """

    program: Program
    draws: Draws
    due: Array
    allowed: Array
    steps: Steps
    without_derivatives: Array | None = None
    looked_at: Array | None = None

    def chosen(self, values: Array) -> Array:
        """Of numbers in the place of the right values, those that are looked at."""
        return values if self.looked_at is None else values[self.looked_at]


MOST_ELEMENTS_KEPT = 1 << 22
"""The most elements of all values that are kept."""


@dataclass(frozen=True)
class Site:
    """The equations that one expression of the learner's file makes with one operation, on one side of a derivative.

    Attributes:
        backward: whether they belong to a backward pass. What they make is no value of the expression.
        argument: of what cuts or joins an array of a `shard_map`, which argument or result that is.
    """

    place: Place
    operation: str
    backward: bool = False
    argument: int = 0


@dataclass(frozen=True)
class Change:
    """What happens at a site: a function of the evaluation, the equation, its inputs and how many came before it.

    `ordinal` is the number of the only equation that changes, in the order of evaluation; None changes all of them.
    """

    apply: Callable[[Trial, Equation, list[Array], int], list[Array]]
    ordinal: int | None = None


Changes = Mapping[Site, Change]
NO_CHANGES: Changes = MappingProxyType({})
Watch = Callable[[Equation, Array, Array], None]


@dataclass
class ExpressionFlow:
    """What the equations of one place read and make: arrays by their `id()`."""

    read: dict[int, Array]
    made: dict[int, Array]


class Trial(Evaluation):
    """The program of an answer on one case.

    Args:
        changes: what is changed from the beginning.
        derivatives: whether backward passes are evaluated. If not, they give NaN, and so does what depends on them.

    Attributes:
        made: for each site, the values of its outputs: one item each time that it was evaluated.
        equations: for each site, the equations in the same order.
        inputs: for each site, what they read, in the same order.
        expressions: what each place reads and makes.
        kept: the elements of all values, about.
        tables: the arrays of floats that were made outside the program, wherever their values were moved, by `id()`.
        order: the places of all operations of the learner's file, in the order of evaluation.
        results: the values that the program, a round of a loop or a choice gives, or reads at no
            place, by `id()`.
        result: the values of the program, in one dimension.

    Raises:
        NotAProgram: if it cannot be evaluated, or holds too many values.
    """

    def __init__(
        self,
        program: Program,
        draws: Draws,
        budget: Budget,
        changes: Changes = NO_CHANGES,
        *,
        derivatives: bool = True,
    ) -> None:
        super().__init__(program, Exact(), draws)
        self._from_the_beginning, self.derivatives = changes, derivatives
        self.made: dict[Site, list[list[Array]]] = defaultdict(list)
        self.equations: dict[Site, list[Equation]] = defaultdict(list)
        self.inputs: dict[Site, list[list[Array]]] = defaultdict(list)
        self.expressions: dict[Place, ExpressionFlow] = defaultdict(lambda: ExpressionFlow({}, {}))
        self.read_at: dict[int, set[Place]] = defaultdict(set)
        self._budget = budget
        self.kept = 0
        self.order: list[Place] = []
        self.tables: set[int] = set()
        self.results: dict[int, Array] = {}
        self._moments: dict[Site, list[int]] = defaultdict(list)
        self._changes: Changes | None = None
        self._watch: Watch | None = None
        self._seen: dict[Site, int] = {}
        self._before: dict[Site, dict[int, int]] = defaultdict(dict)
        self._at = 0
        self._named: dict[tuple[int, str, bool, int], Site] = {}
        self._changed: dict[tuple[int, str], Equation] = {}
        self._values: dict[int, Array] = {}
        self._readers: dict[int, list[int]] = defaultdict(list)
        self._read_by: dict[bool, set[int]] = defaultdict(set)
        self._made_backward: set[int] = set()
        self.result = self._guarded(self._first)

    def other(self, changes: Changes = NO_CHANGES, *, derivatives: bool | None = None) -> Trial:
        """A trial of the same program with changes from the beginning, with or without backward passes (None: as here)."""
        kept = self.derivatives if derivatives is None else derivatives
        return Trial(self.program, self.draws, self._budget, changes, derivatives=kept)

    def run(self, changes: Changes, watch: Watch | None = None) -> Array:
        """The values of the program with changes at some sites, in one dimension.

        Args:
            watch: called with each equation of the outermost block, what it gave before, and gives now.

        Raises:
            NotAProgram: if the changed program cannot be evaluated.
            OutOfBudget: if no work is left.
        """
        self._changes, self._watch = changes, watch
        return self._guarded(self._again)

    def leaves(self, place: Place, values: Iterable[Array]) -> bool:
        """Whether one of the values that a place makes is read elsewhere, or is a result. JAX throws others away."""
        return any(id(value) in self.results or self.read_at[id(value)] - {place} for value in values)

    def is_slope(self, place: Place, value: Array) -> bool:
        """Whether a value of the forward pass is the slope of an operation: a backward pass alone reads it.

        The place then makes another value, that of its expression. One that makes no other is read there by a rule of the
        answer, which keeps it for its backward pass.
        """
        return self._goes_back_alone(value) and any(
            self.leaves(place, [other]) and not self._goes_back_alone(other)
            for other in self.expressions[place].made.values()
            if id(other) not in self._made_backward
        )

    def _goes_back_alone(self, value: Array) -> bool:
        if not self._read_by:
            for site, evaluations in self.inputs.items():
                self._read_by[site.backward].update(id(value) for inputs in evaluations for value in inputs)
                if site.backward:
                    self._made_backward.update(id(output) for outputs in self.made[site] for output in outputs)
        return (
            id(value) in self._read_by[True] and id(value) not in self._read_by[False] and id(value) not in self.results
        )

    def ancestors(self, place: Place, site: Site, number: int) -> int:
        """How many values that a place makes go into what one evaluation of a site reads."""
        made = self.expressions[place].made
        inputs = {
            id(output): read
            for other in self.inputs
            if other.place == place
            for outputs, read in zip(self.made[other], self.inputs[other], strict=True)
            for output in outputs
        }
        waiting, seen = [*self.inputs[site][number]], set[int]()
        while waiting:
            value = id(waiting.pop())
            if value in made and value not in seen:
                seen.add(value)
                waiting.extend(inputs[value])
        return len(seen)

    def after_loops(self) -> set[Site]:
        """The sites that are evaluated after a loop, and in none."""
        inside, found, in_loop = set[Site](), set[Site](), set[int]()
        for equation in self.program.block.nested():
            if equation.operation in ("scan", "while") and id(equation) not in in_loop:
                in_loop |= {id(inner) for block in equation.blocks for inner in block.nested()}
            elif equation.place >= 0 and in_loop:
                (inside if id(equation) in in_loop else found).add(self.site(equation))
        return found - inside

    def at_once(self, site: Site) -> bool:
        """Whether an expression makes all values of a site in one evaluation: nothing else is evaluated in between.

        What an expression reads is evaluated before it, also what stands inside of it.
        """
        moments = self._moments[site]
        return all(place == site.place for place in self.order[moments[0] : moments[-1]]) if moments else True

    def read_from_outside(self, site: Site, number: int) -> list[Array]:
        """What one evaluation of a site reads that its expression, with all expressions inside, does not make itself."""
        inside = {
            id(output): (other, at)
            for other, made in self.made.items()
            if site.place.contains(other.place)
            for at, outputs in enumerate(made)
            for output in outputs
        }
        waiting, seen, found = [(site, number)], {(site, number)}, dict[int, Array]()
        while waiting:
            at_site, at = waiting.pop()
            atoms, values = self.equations[at_site][at].inputs, self.inputs[at_site][at]
            for value in (value for atom, value in zip(atoms, values, strict=True) if not isinstance(atom, Literal)):
                maker = inside.get(id(value))
                if maker is None:
                    found[id(value)] = value
                elif maker not in seen:
                    seen.add(maker)
                    waiting.append(maker)
        return [*found.values()]

    def reading(self, values: Sequence[Array]) -> set[str]:
        """The operations of lines of the file that read some of these values, as they were before any change."""
        wanted = set(map(id, values))
        return {
            site.operation
            for site, evaluations in self.inputs.items()
            if any(id(value) in wanted for inputs in evaluations for value in inputs)
        }

    def readers(self, equation: Equation) -> set[str] | None:
        """The operations that read what an equation of the outermost block gives; None for another equation."""
        block = self.program.block
        if not any(equation is outermost for outermost in block.equations):
            return None
        return {block.equations[at].operation for number in equation.outputs for at in self._readers[number]}

    def usual(self, equation: Equation, inputs: list[Array]) -> list[Array]:
        """What an equation gives without a change."""
        return super()._outputs(equation, inputs, True)

    def of_any_shape(self, equation: Equation, name: str, changed: Equation, inputs: list[Array]) -> list[Array]:
        """What a changed equation gives; another shape than the one it had is allowed. `name` names the change."""
        kept = self._changed.setdefault((id(equation), name), changed)  # parameters are remembered by `id()`
        self.meter.step(len(inputs))
        values = self._evaluate(kept, inputs, True)
        return [fitting(value, form) for value, form in zip(values, kept.forms, strict=True)]

    def _guarded(self, evaluate: Callable[[], Array]) -> Array:
        self.meter = self._budget.meter()
        self.consumed.clear()  # the keys of this evaluation count, and not those of all
        try:
            with quiet():
                return evaluate()
        except (NotAProgram, OutOfBudget):
            raise
        except Exception as error:  # a change makes rules fail in any way
            raise NotAProgram(f"it cannot be evaluated ({type(error).__name__}: {str(error)[:200]})") from error

    def _block(self, block: Block, arguments: Sequence[Array], *, wide: bool) -> list[Array]:
        outputs = super()._block(block, arguments, wide=wide)
        if wide and self._changes is None:
            self.results.update((id(output), output) for output in outputs)
        return outputs

    def _first(self) -> Array:
        block = self.program.block
        for number, index in block.constants:
            self._values[number] = value = self._constant(index)
            if value.dtype.kind in "fc":
                self.tables.add(id(value))
        for self._at, equation in enumerate(block.equations):
            inputs = [self._read(atom, self._values, True) for atom in equation.inputs]
            self._values.update(zip(equation.outputs, self._outputs(equation, inputs, True), strict=True))
            for atom in equation.inputs:
                if not isinstance(atom, Literal):
                    self._readers[atom].append(self._at)
        result = self._read(block.outputs[0], self._values, True)
        self.results[id(result)] = result
        return result.reshape(-1)

    def _again(self) -> Array:
        assert self._changes is not None
        block, values = self.program.block, dict(self._values)
        waiting = sorted({at for site, change in self._changes.items() for at in self._holders(site, change)})
        queued = {*waiting}
        while waiting:
            self._at = at = heapq.heappop(waiting)
            equation = block.equations[at]
            self._seen = {site: self._before[site].get(at, 0) for site in self._changes}
            inputs = [self._read(atom, values, True) for atom in equation.inputs]
            for number, value in zip(equation.outputs, self._outputs(equation, inputs, True), strict=True):
                if self._watch is not None:
                    self._watch(equation, self._values[number], value)
                values[number] = value
                if not self.derivatives and _is_missing(value) and _is_missing(self._values[number]):
                    continue
                for reader in self._readers[number]:
                    if reader not in queued:
                        queued.add(reader)
                        heapq.heappush(waiting, reader)
        return self._read(block.outputs[0], values, True).reshape(-1)

    def _holders(self, site: Site, change: Change) -> list[int]:
        """The equations of the outermost block that a change at a site is in."""
        before = list(self._before[site].items())
        if change.ordinal is None:
            return [at for at, _ in before]
        return [at for at, count in before if count <= change.ordinal][-1:]

    def _outputs(self, equation: Equation, inputs: list[Array], wide: bool) -> list[Array]:
        if equation.backward and wide and not self.derivatives:
            return [_missing(form) for form in equation.forms]
        if not wide or equation.place < 0:
            if wide and self._changes is None:  # what no line of the file reads is read elsewhere
                self.results.update((id(input_), input_) for input_ in inputs)
            return super()._outputs(equation, inputs, wide)
        site = self.site(equation)
        if self._changes is None:
            return self._recorded(site, equation, inputs)
        change = self._changes.get(site)
        if change is None:
            return super()._outputs(equation, inputs, True)
        count = self._seen[site]
        self._seen[site] += 1
        return self._changed_by(change, equation, inputs, count)

    def _evaluate(self, equation: Equation, inputs: list[Array], wide: bool) -> Sequence[Array]:
        spreads = wide and not self.derivatives and equation.operation not in EXACT and not equation.blocks
        if spreads and any(map(_is_missing, inputs)):  # most of a training program depends on its derivatives
            return [_missing(form) for form in equation.forms]
        return super()._evaluate(equation, inputs, wide)

    def _rest_of_scan(self, equation: Equation, carry: Sequence[Array], done: int) -> list[Array] | None:
        """As before, where all numbers that are carried are missing, and all rows that follow were missing then."""
        if self.derivatives or self._changes is None or equation is not self.program.block.equations[self._at]:
            return None
        floats = [value for value in carry if value.dtype.kind in "fc"]
        before = [self._values[number] for number in equation.outputs]
        rows = [value[done:] for value in before[len(carry) :]]
        missing = floats and all(map(_is_missing, floats)) and not equation.parameters["reverse"]
        return [*before[: len(carry)], *rows] if missing and all(map(all_nan, rows)) else None

    def _changed_by(self, change: Change, equation: Equation, inputs: list[Array], count: int) -> list[Array]:
        if change.ordinal is not None and change.ordinal != count:
            return super()._outputs(equation, inputs, True)
        outputs = change.apply(self, equation, inputs, count)
        if any(
            output.dtype.kind == "c" and not form.dtype.startswith("complex")
            for output, form in zip(outputs, equation.forms, strict=False)
        ):
            raise NotAProgram("a complex number is no real one")
        return outputs

    def site(self, equation: Equation) -> Site:
        """The site of an equation that has a place."""
        argument = equation.parameters.get("argument", (0,))[0]
        named = (equation.place, equation.operation, equation.backward, argument)
        if named not in self._named:
            self._named[named] = Site(self.program.places[equation.place], *named[1:])
        return self._named[named]

    def _recorded(self, site: Site, equation: Equation, inputs: list[Array]) -> list[Array]:
        slot = len(self.made[site])
        self._before[site].setdefault(self._at, slot)
        self.made[site].append([])
        self.equations[site].append(equation)
        self.inputs[site].append(inputs)
        self._moments[site].append(len(self.order))
        self.order.append(site.place)
        change = self._from_the_beginning.get(site)
        outputs = (
            self._changed_by(change, equation, inputs, slot) if change else super()._outputs(equation, inputs, True)
        )
        self.made[site][slot] = outputs
        self.kept += sum(max(output.size, 16) for output in outputs)
        if self.kept > MOST_ELEMENTS_KEPT:
            raise NotAProgram("it holds too many values")
        expression = self.expressions[site.place]
        for atom, value in zip(equation.inputs, inputs, strict=True):
            if not isinstance(atom, Literal):
                expression.read[id(value)] = value
                self.read_at[id(value)].add(site.place)
        expression.made.update((id(output), output) for output in outputs)
        arrays = {
            id(value) for atom, value in zip(equation.inputs, inputs, strict=True) if not isinstance(atom, Literal)
        }
        if arrays and arrays <= self.tables and equation.operation in MOVES:
            self.tables.update(map(id, outputs))
        return outputs


@functools.lru_cache(maxsize=4096)
def _missing(form: Form) -> Array:
    held = holding(form.dtype, wide=True)
    return np.broadcast_to(np.asarray(np.nan if held.kind in "fc" else 0, held), form.shape)


def all_nan(value: Array) -> bool:
    """Whether a value holds floats, and all of them are NaN."""
    return value.dtype.kind in "fc" and bool(np.isnan(value).all())


def _is_missing(value: Array) -> bool:
    return value.dtype.kind == "f" and value.size > 0 and not any(value.strides) and bool(np.isnan(value.flat[0]))


def fitting(value: Array, form: Form) -> Array:
    """A value in the dtype that holds a form, of any shape."""
    return np.asarray(value, holding(form.dtype, wide=True))
