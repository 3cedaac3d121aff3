"""Loops of an answer's text that only an error could end. The text is read, and never run.

The condition of such a loop reads numbers alone, and nothing in the loop gives one of their names another value. The loop
has no `break` and no `return`, and nothing in the file catches an error: once it runs, the answer never returns a value.
"""

from __future__ import annotations

import ast
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grader.values.message import Message, message, message_in_context
from grader.values.places import LONGEST_TEXT, parsed

_LEAVES = ast.Return | ast.Raise | ast.Assert | ast.Yield | ast.YieldFrom | ast.Await
_CATCHES = ast.Try | ast.TryStar | ast.With | ast.AsyncWith | ast.Global | ast.Nonlocal | ast.Match
_IS_OF_NUMBERS = (
    *(ast.Constant, ast.Name, ast.Load, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp),
    *(ast.boolop, ast.unaryop, ast.cmpop, ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod),
)
_GIVES_A_NUMBER = frozenset(("int", "float", "bool", "len"))  # not `abs` and `round`: of an array, they give an array
_EXITS = frozenset(
    (
        *("exit", "_exit", "quit", "abort", "kill", "raise_signal", "eval", "exec", "execv", "execve", "execl"),
        *("next", "__next__", "StopIteration"),  # a `for` that called the loop would take this error for its end
    )
)

MOST_LOOPS = 30
"""A text with more loops is not looked at: of loops inside each other, each is read once for each around it."""

MOST_ASSIGNMENTS_FOLLOWED = 8
"""How many assignments one after another are followed to find out whether a name is a number."""

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True)
class EndlessLoop:
    """A `while` that only an error could end.

    Attributes:
        line, last: its lines, from 1.
        reads: the names that its condition reads.
    """

    line: int
    last: int
    reads: tuple[str, ...] = ()

    @property
    def message(self) -> Message:
        """Why it does not end, in one sentence."""
        if not self.reads:
            return message(
                "It was in a `while` loop that only an error could end: the loop has no `break` and no `return`."
            )
        *others, last = (f"`{name}`" for name in self.reads)
        several = message_in_context(
            "names that nothing changes", "{names} or {last}", names=", ".join(others), last=last
        )
        return message(
            "It was in a `while` loop that only an error could end: nothing in it changes {names}, and the loop has no "
            "`break` and no `return`.",
            names=several if others else last,
        )


def endless_loops(text: str, function: str) -> list[EndlessLoop]:
    """The loops of an answer's text that only an error could end, as far as the text alone shows it.

    Args:
        function: the name of the answer's function. Its arguments are numbers.
    """
    if len(text) > LONGEST_TEXT or "while" not in text:
        return []
    try:
        tree = parsed(text)
        nodes = [*ast.walk(tree)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    if any(isinstance(node, _CATCHES) or _named(node) in _EXITS for node in nodes):
        return []
    if sum(isinstance(node, ast.While | ast.For) for node in nodes) > MOST_LOOPS:
        return []
    if not {*_bound(nodes), *(node.arg for node in nodes if isinstance(node, ast.arg))}.isdisjoint(
        (*_GIVES_A_NUMBER, "*")
    ):
        return []
    # Python itself calls methods, and takes some of their errors for an end or an absence.
    methods = {id(inner) for node in nodes if isinstance(node, ast.ClassDef) for inner in ast.walk(node)}
    functions = (node for node in nodes if isinstance(node, ast.FunctionDef) and id(node) not in methods)
    return [loop for node in functions for loop in _of(node, tree, function)]


def _of(node: ast.FunctionDef, tree: ast.Module, function: str) -> Iterator[EndlessLoop]:
    own = [*_own(node.body)]
    repeated = {id(inner) for loop in own if isinstance(loop, ast.While | ast.For) for inner in _own(loop.body)}
    found = [
        loop for loop in own if isinstance(loop, ast.While) and id(loop) not in repeated and _only_an_error_ends(loop)
    ]
    if not found:
        return
    arguments = (
        {argument.arg for argument in node.args.args} if node.name == function and node in tree.body else set[str]()
    )
    numbers = _numbers(own, arguments)
    for loop in found:
        reads = _names(loop.test)
        if reads is None or not (reads or _holds(loop.test)) or not numbers.issuperset(reads):
            continue
        if not {*reads} & {*_bound(ast.walk(loop))}:
            yield EndlessLoop(loop.lineno, loop.body[-1].end_lineno or loop.lineno, tuple(reads))


def _own(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """The nodes of a body without those of the functions and classes in it."""
    waiting = deque[ast.AST](body)
    while waiting:
        node = waiting.popleft()
        yield node
        if not isinstance(node, _Function | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)


def _only_an_error_ends(loop: ast.While) -> bool:
    inner = {
        id(node)
        for nested in _own(loop.body)
        if isinstance(nested, ast.While | ast.For)
        for node in _own(nested.body)
        if isinstance(node, ast.Break)
    }
    for node in _own(loop.body):
        if isinstance(node, _LEAVES) or (isinstance(node, ast.Break) and id(node) not in inner):
            return False
    return True


def _named(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _names(test: ast.expr) -> list[str] | None:
    """The names that a condition reads; None if it holds anything but names and numbers."""
    if not all(isinstance(node, _IS_OF_NUMBERS) for node in ast.walk(test)):
        return None
    return sorted({node.id for node in ast.walk(test) if isinstance(node, ast.Name)})


def _holds(test: ast.expr) -> bool:
    return isinstance(test, ast.Constant) and bool(test.value)


def _bound(nodes: Iterable[ast.AST]) -> list[str]:
    """The names that nodes give a value, or delete: each as often as it happens."""
    found: list[str] = []
    for node in nodes:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.append(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.append(node.name)
        elif isinstance(node, ast.alias):
            found.append(node.asname or node.name.partition(".")[0])
    return found


def _numbers(own: list[ast.AST], arguments: set[str]) -> set[str]:
    """The names to which a function gives nothing but numbers, which no call can change."""
    given: dict[str, list[ast.expr]] = {name: [] for name in arguments}
    for node in own:
        if isinstance(node, ast.Assign | ast.AugAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    given.setdefault(target.id, []).append(node.value)
    bound = Counter(_bound(own))
    numbers = {name for name, values in given.items() if len(values) == bound[name]}
    for _ in range(MOST_ASSIGNMENTS_FOLLOWED):
        others = {name for name in numbers if not all(_gives_a_number(value, numbers) for value in given[name])}
        if not others:
            return numbers
        numbers -= others
    return set()


def _gives_a_number(value: ast.expr, numbers: set[str]) -> bool:
    waiting: list[ast.AST] = [value]
    while waiting:
        match waiting.pop():
            case ast.Constant(value=int() | float()):
                pass
            case ast.Name(id=name) if name in numbers:
                pass
            case ast.Call(func=ast.Name(id=name)) if name in _GIVES_A_NUMBER:
                pass
            case ast.UnaryOp(operand=operand):
                waiting.append(operand)
            case ast.BinOp(left=left, right=right):
                waiting += (left, right)
            case _:
                return False
    return True
