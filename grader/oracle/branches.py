"""What a worked answer returns with each of many sets of mistakes: what their texts begin with in common runs once.

Alone, a set takes most of its time where JAX traces it, and few mistakes change the draws with which a worked answer begins.
"""

from __future__ import annotations

import ast
import functools
import itertools
import symtable
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any

import jax
import numpy as np

from grader.kit.mistakes import MistakeForm, TextEdit, edited
from grader.kit.problem import Case, Problem, differentiates, graded
from grader.kit.solution import Solution
from grader.values.places import parsed

Forms = tuple[MistakeForm, ...]
"""Mistakes that are made at once, none for the truth."""

Edits = tuple[TextEdit, ...]

BESIDE = -1
"""The place of edits that change what stands beside the function: its helpers, its parameters."""

RESULT = "_returned_by_the_function_"
"""The name of the result among the names of a run."""

READ_ALL_NAMES = ("locals", "globals", "vars", "dir", "eval", "exec")
"""Functions that see the difference between the names of a function and those of a module."""

COMPREHENSIONS = ("listcomp", "setcomp", "dictcomp")
"""Scopes that run where they stand, and never later."""

CHANGEABLE = (list, dict, set, bytearray, np.ndarray)
"""Types of values of a module that a function may change."""

CONSTANT = (
    *(bool, int, float, complex, str, bytes, type(None), type(...), range, slice, np.generic, np.dtype),
    *(type, types.ModuleType, types.BuiltinFunctionType, type(jax.jit(abs))),
    *(jax.Array, jax.sharding.Sharding, jax.sharding.Mesh, jax.sharding.PartitionSpec),
)
"""Types of values that no statement changes: two runs may hold the same one."""


def returned_with(problem: Problem, case: Case, sets: Sequence[Forms]) -> list[Any]:
    """What the worked answer returns on a case with each set of mistakes made, or the exception that it raises.

    Under a trace of JAX, the arrays are those of the trace.
    """
    solution = problem.solution
    assert solution is not None
    found: dict[int, Any] = {}
    texts: dict[Forms, dict[int, Sequence[_Statement]]] = {}
    for number, forms in enumerate(sets):
        text = None if differentiates(problem) else _body(solution).with_mistakes(forms)
        if text is None:
            found[number] = _result(lambda forms=forms: graded(problem, forms)(*case))
        else:
            texts.setdefault(text.beside, {})[number] = text.statements
    for beside, statements in texts.items():
        function = _result(functools.partial(solution.function, beside))
        if isinstance(function, Exception):
            found |= dict.fromkeys(statements, function)
        elif _body(solution).is_written(function):
            found |= _Run(function, statements).results(case)
        else:
            found |= {
                number: _result(lambda number=number: graded(problem, sets[number])(*case)) for number in statements
            }
    return [found[number] for number in range(len(sets))]


def in_order(solution: Solution, sets: Sequence[Forms]) -> list[int]:
    """The numbers of sets, in an order in which those follow each other whose texts begin with the same statements."""
    body = _body(solution)

    def text(number: int) -> list[list[tuple[int, int, str]]]:
        edits = body.places_of(sets[number])
        return [[(edit.start, edit.end, edit.text) for edit in edits.get(place, ())] for place in body.places]

    return sorted(range(len(sets)), key=text)


def _result(call: Callable[[], Any]) -> Any:
    """What a call returns, or the exception that it raises: a worked answer with mistakes may raise anything."""
    try:
        return call()
    except Exception as error:
        return error


@dataclass(frozen=True, eq=False)
class _Statement:
    """A statement of the function, as some mistakes make it: `code` to run it among the names of the function.

    `stores` are the variables that it sets, and `defers` those that what it defines reads, perhaps later.
    """

    code: types.CodeType
    stores: frozenset[str]
    defers: frozenset[str]


@dataclass(frozen=True)
class _Text:
    """The function with some mistakes: its statements, and what these mistakes change beside them."""

    statements: Sequence[_Statement]
    beside: Forms


@functools.lru_cache(maxsize=8)
def _body(solution: Solution) -> _Body:
    return _Body(solution)


class _Body:
    """The function of a worked answer, statement by statement."""

    def __init__(self, solution: Solution) -> None:
        self._solution, self._definition = solution, _definition(solution)
        self._spans: list[tuple[int, int]] = []
        if self._definition is not None and self.is_written(solution.function()):
            self._spans = _spans(solution, self._definition)
        self._statements: dict[tuple[int, Edits], _Statement | None] = {}
        self.places = range(BESIDE, len(self._spans))

    def is_written(self, function: Callable[..., Any]) -> bool:
        """Whether a function is the one whose statements stand in the text, and not what something made of it."""
        assert self._definition is not None
        code = getattr(function, "__code__", None)
        written = self._solution.file, self._definition.lineno
        return code is not None and (code.co_filename, code.co_firstlineno) == written

    def places_of(self, forms: Forms) -> Mapping[int, Edits]:
        """The edits of mistakes by the number of the statement that they change, or `BESIDE`."""
        found: dict[int, Edits] = {}
        for edit in sorted((edit for form in forms for edit in form.edits), key=lambda edit: edit.start):
            place = self._place(edit)
            found[place] = (*found.get(place, ()), edit)
        return found

    def with_mistakes(self, forms: Forms) -> _Text | None:
        """The function with some mistakes; None if it cannot be run statement by statement."""
        edits = self.places_of(forms)
        if not self._spans or any(self._over_statements(edit) for edit in edits.get(BESIDE, ())):
            return None
        statements = [self._statement(place, edits.get(place, ())) for place in self.places[1:]]
        known = [statement for statement in statements if statement is not None]
        if len(known) < len(statements):
            return None
        beside = (
            replace(form, edits=tuple(edit for edit in form.edits if self._place(edit) == BESIDE)) for form in forms
        )
        return _Text(known, tuple(form for form in beside if form.edits))

    def _place(self, edit: TextEdit) -> int:
        spans = enumerate(self._spans)
        return next((place for place, (start, end) in spans if start <= edit.start and edit.end <= end), BESIDE)

    def _over_statements(self, edit: TextEdit) -> bool:
        """Whether an edit changes several statements of the function, or takes the place of the function."""
        return edit.start < self._spans[-1][1] and edit.end > self._spans[0][0]

    def _statement(self, place: int, edits: Edits) -> _Statement | None:
        if (place, edits) not in self._statements:
            start, end = self._spans[place]
            within = [replace(edit, start=edit.start - start, end=edit.end - start) for edit in edits]
            text = edited(self._solution.text[start:end], within)
            self._statements[place, edits] = _statement(self._solution, text, self._solution.text.count("\n", 0, start))
        return self._statements[place, edits]


def _definition(solution: Solution) -> ast.FunctionDef | None:
    """The statement that defines the function; None if there are several, or if something decorates it."""
    module = parsed(solution.text).body
    found = [node for node in module if isinstance(node, ast.FunctionDef) and node.name == solution.name]
    return None if len(found) != 1 or found[0].decorator_list else found[0]


def _spans(solution: Solution, definition: ast.FunctionDef) -> list[tuple[int, int]]:
    """Where the text of each statement of the function begins and ends, with the comments below it.

    There are none if two statements stand in one line.
    """
    lines = list(itertools.accumulate((len(line) + 1 for line in solution.text.split("\n")), initial=0))
    below = [node for node in parsed(solution.text).body if node.lineno > definition.lineno]
    starts = [lines[_first_line(node) - 1] for node in (*definition.body, *below[:1])]
    if not below:
        starts.append(len(solution.text))
    return [] if len(set(starts)) < len(starts) else list(itertools.pairwise(starts))


def _first_line(node: ast.stmt) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])


def _statement(solution: Solution, text: str, before: int) -> _Statement | None:
    """A statement from its text, that `before` lines stand above; None if it does not mean the same outside its function."""
    block = parsed(f"if True:\n{text}").body[0]
    assert isinstance(block, ast.If)
    body = [
        ast.Assign([ast.Name(RESULT, ast.Store())], node.value or ast.Constant(None))
        if isinstance(node, ast.Return)
        else node
        for node in block.body
    ]
    module = ast.increment_lineno(ast.fix_missing_locations(ast.Module(body, [])), before - 1)
    try:
        code = compile(module, solution.file, "exec", dont_inherit=True)
    except SyntaxError:  # it returns from within, yields, or sets a variable of a function around
        return None
    table = symtable.symtable(ast.unparse(module), solution.file, "exec")
    names = table.get_symbols()
    stores = {name.get_name() for name in names if name.is_assigned() or name.is_imported()}
    defers = {name.get_name() for scope in _later(table) for name in scope.get_symbols() if name.is_global()}
    used = {node.id for node in ast.walk(module) if isinstance(node, ast.Name)}
    around = solution.function().__globals__
    outside = any(isinstance(node, ast.Global) for node in ast.walk(module)) or stores & around.keys()
    if outside or not used.isdisjoint((solution.name, *READ_ALL_NAMES)):
        return None
    if any(isinstance(around.get(name), CHANGEABLE) for name in used):
        return None
    return _Statement(code, frozenset(stores), frozenset(defers))


def _later(table: symtable.SymbolTable, runs_later: bool = False) -> Iterator[symtable.SymbolTable]:
    """The scopes that may run later than where they stand."""
    for scope in table.get_children():
        later = runs_later or scope.get_name() not in COMPREHENSIONS
        if later:
            yield scope
        yield from _later(scope, later)


class _Shared(Exception):
    """A value that a statement may change would belong to two runs."""


class _Run:
    """Runs of one function with different statements, which are one run as far as the statements are the same."""

    def __init__(self, function: Callable[..., Any], statements: Mapping[int, Sequence[_Statement]]) -> None:
        self._function, self._statements = function, statements
        self._found: dict[int, Any] = {}

    def results(self, case: Case) -> dict[int, Any]:
        """What each run returns, or the exception that it raises."""
        try:
            arguments = signature(self._function).bind(*case)
        except TypeError:  # it takes other arguments
            return dict.fromkeys(self._statements, _result(lambda: self._function(*case)))
        arguments.apply_defaults()
        self._go(list(self._statements), 0, {**self._function.__globals__, **arguments.arguments})
        return self._found

    def _go(self, runs: list[int], at: int, names: dict[str, Any]) -> None:
        """Run the statements from number `at`, with names that belong to these runs alone."""
        first = self._statements[runs[0]]
        others = [self._statements[run] for run in runs[1:]]
        end = at
        while end < len(first) and all(other[end] is first[end] for other in others):
            end += 1
        kept = self._own(runs, at, names) if len(runs) > 1 else names
        for statement in first[at:end]:
            try:
                exec(statement.code, names)
            except Exception as error:
                self._found |= dict.fromkeys(runs, error)
                return
            if RESULT in names:
                break
        if RESULT in names or end == len(first):
            self._found |= dict.fromkeys(runs, names.get(RESULT))
            return
        groups: dict[_Statement, list[int]] = {}
        for run in runs:
            groups.setdefault(self._statements[run][end], []).append(run)
        try:
            owned = [self._own(runs, end, names) for _ in groups]
        except _Shared:  # so each run makes these values for itself
            for run in runs:
                self._go([run], at, self._own(runs, at, kept))
            return
        for group, own in zip(groups.values(), owned, strict=True):
            self._go(group, end, own)

    def _own(self, runs: Sequence[int], at: int, names: Mapping[str, Any]) -> dict[str, Any]:
        """A copy of the names after the first `at` statements: what one run does to it, no other run sees.

        Raises:
            _Shared: if there is no such copy.
        """
        defers = frozenset[str]().union(*(statement.defers for statement in self._statements[runs[0]][:at]))
        stores = (statement.stores for run in runs for statement in self._statements[run][at:])
        if any(defers & stored for stored in stores):
            raise _Shared
        copies: dict[int, Any] = {}
        owned = dict(names)
        for name, value in names.items():
            if name not in self._function.__globals__:
                owned[name] = self._copy(value, copies)
                if name in defers and owned[name] is not value:
                    raise _Shared
        return owned

    def _copy(self, value: Any, copies: dict[int, Any]) -> Any:
        """A value that no statement changes, or a copy of it: one for each object, by its `id`, in `copies`."""
        if isinstance(value, CONSTANT):
            return value
        if id(value) in copies:
            return copies[id(value)]
        if isinstance(value, types.FunctionType):
            if value.__code__.co_filename == self._function.__code__.co_filename:
                for cell in value.__closure__ or ():
                    if self._copy(cell.cell_contents, {}) is not cell.cell_contents:
                        raise _Shared
            return value
        if type(value) is np.ndarray:
            copy: Any = value.copy()
        elif type(value) is list:
            copy = [self._copy(item, copies) for item in value]
        elif type(value) is dict:
            copy = {key: self._copy(item, copies) for key, item in value.items()}
        elif isinstance(value, tuple):
            items = [self._copy(item, copies) for item in value]
            if all(item is old for item, old in zip(items, value, strict=True)):
                return value
            copy = tuple(items) if type(value) is tuple else type(value)(*items)  # it has names
        else:
            raise _Shared
        copies[id(value)] = copy
        return copy
