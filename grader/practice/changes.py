"""Small changes of an answer's text, as people make them by mistake, at expressions that its author wrote."""

from __future__ import annotations

import ast
import itertools
from collections import Counter
from collections.abc import Container, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from grader.program.small_changes import OTHERS
from grader.values.places import encoded, lines_of, parsed, parsed_expression, replaced, segment, span


class Sort(StrEnum):
    """What sort of thing a change is about."""

    CONSTANT = "constant"
    OPERATOR = "operator"
    OPERANDS = "operands"
    COMPARISON = "comparison"
    FUNCTION = "function"
    AXIS = "axis"
    INDEX = "index"
    FACTOR = "factor left out"
    TERM = "term left out"
    POWER = "power left out"
    LEFT_OUT = "left out"
    STATEMENT = "statement"
    DECLARED = "declared"


@dataclass(frozen=True)
class Change:
    """A text with one change.

    Attributes:
        sort: what it is about; `DECLARED` for a mistake of the problem.
        name: of the declared mistake; empty for another change.
        text: the whole changed text.
        line: the number of the first line that differs.
        before, after: the lines that differ, as they were and as they are; `after` may be empty.
    """

    sort: Sort
    name: str
    text: str
    line: int
    before: str
    after: str


FUNCTIONS = {
    **{"sin": "cos", "cos": "sin", "max": "min", "min": "max", "sum": "mean", "mean": "sum", "var": "std"},
    **{"argmax": "argmin", "argmin": "argmax", "maximum": "minimum", "minimum": "maximum", "floor": "ceil"},
    **{"ceil": "floor", "zeros": "ones", "ones": "zeros", "tril": "triu", "triu": "tril", "cumsum": "cumprod"},
    **{"cumprod": "cumsum", "tanh": "sigmoid", "sigmoid": "tanh", "softmax": "log_softmax", "log_softmax": "softmax"},
    **{"any": "all", "all": "any", "logical_and": "logical_or", "logical_or": "logical_and", "log": "log1p"},
    **{"log1p": "log", "expm1": "exp", "psum": "pmean", "pmean": "psum", "prod": "sum", "relu": "gelu"},
    **{"gelu": "relu", "silu": "sigmoid", "zeros_like": "ones_like", "ones_like": "zeros_like", "std": "var"},
}
"""Functions that stand beside each other in a library, and are taken for each other."""

LEFT_OUT_CALLS = frozenset(
    (
        *("sqrt", "square", "abs", "exp", "log", "log1p", "tanh", "sigmoid", "relu", "gelu", "silu", "floor", "round"),
        *("flip", "transpose", "swapaxes", "stop_gradient", "cumsum", "sort", "conj", "negative", "normalize"),
    )
)
"""Functions of one array that give an array as large: a call of one may be forgotten."""

LEFT_OUT_KEYWORDS = frozenset(("keepdims", "k", "axis", "reverse", "initial", "ddof", "side", "descending", "where"))
SHARED = frozenset(("axis", "keepdims", "dtype"))
"""Keywords that each of these functions takes."""
METHODS_EXCHANGED = {"add": "set", "set": "add", "max": "min", "min": "max"}
"""Methods of `x.at[i]`."""

_OPERATIONS: dict[type[ast.operator] | type[ast.cmpop], tuple[str, str]] = {
    **{ast.Add: ("add", "+"), ast.Sub: ("sub", "-"), ast.Mult: ("mul", "*"), ast.Div: ("div", "/")},
    **{ast.Lt: ("lt", "<"), ast.LtE: ("le", "<="), ast.Gt: ("gt", ">"), ast.GtE: ("ge", ">=")},
}
"""Operators: the operation that each one is in a program, and how it is written."""
_WRITTEN = dict(_OPERATIONS.values())

_NEUTRAL: dict[type[ast.operator], tuple[int, ...]] = {
    ast.Mult: (1,),
    ast.Div: (1,),
    ast.Pow: (1,),
    ast.Add: (0,),
    ast.Sub: (0,),
    ast.FloorDiv: (1,),
}
"""The numbers with which an operator changes nothing: nobody writes them."""

_LEFT_OUT: dict[type[ast.operator], Sort] = {
    **dict.fromkeys((ast.Mult, ast.Div, ast.FloorDiv), Sort.FACTOR),
    **dict.fromkeys((ast.Add, ast.Sub), Sort.TERM),
    ast.Pow: Sort.POWER,
}

SMALLEST_CONSTANT = 1e-3
"""A smaller float is there for numerical safety: another one would hardly show."""


class Proposal(NamedTuple):
    """A change that may turn out silly (see `written`).

    Attributes:
        node: the expression or the statement that stands in the text.
        new: what is to stand there; empty for a statement that is left out.
    """

    sort: Sort
    node: ast.expr | ast.stmt
    new: str

    @property
    def line(self) -> int:
        """The line at which it begins."""
        return self.node.lineno


def proposals(text: str, tree: ast.Module, stub: str) -> Iterator[Proposal]:
    """The changes that need no knowledge of the problem.

    Args:
        tree: of the text.
        stub: the text of the stub. Statements that it has are not changed.
    """
    scalars = {argument.arg for node in tree.body if isinstance(node, ast.FunctionDef) for argument in node.args.args}
    for statement in own_statements(tree, stub):
        yield from itertools.starmap(Proposal, _of_statement(text, statement, scalars))


Written = tuple[Sort, ast.expr | ast.stmt, str]
"""What a `Proposal` holds."""


def own_statements(tree: ast.Module, stub: str) -> Iterator[ast.stmt]:
    """The statements inside functions that the stub does not have, whatever their layout."""
    try:
        given = {ast.dump(node) for node in ast.walk(parsed(stub)) if isinstance(node, ast.stmt)}
    except SyntaxError:
        given = set[str]()
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for statement in function.body:
                yield from _below(statement, given)


def _below(statement: ast.stmt, given: set[str]) -> Iterator[ast.stmt]:
    """A statement, or those in its blocks, without what is given and without functions, which come by themselves."""
    if ast.dump(statement) in given or isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return
    if isinstance(statement, ast.Import | ast.ImportFrom | ast.Pass | ast.Raise | ast.Assert):
        return
    yield statement
    for block in ("body", "orelse"):
        for inner in getattr(statement, block, ()):
            if isinstance(inner, ast.stmt):
                yield from _below(inner, given)


def written(text: str, tree: ast.Module, proposal: Proposal, name: str = "") -> Change | None:
    """The text with a change; None if that would be silly, or would mean something else.

    Brackets are added and taken away where the change asks for it.

    Args:
        tree: of the text, with the part that is to be changed in it.
        name: of a mistake of the problem that the change makes.
    """
    sort, node, new = proposal
    changed = _without(text, tree, node) if isinstance(node, ast.stmt) else _in_place(text, tree, node, new)
    if changed is None or changed == text:
        return None
    before, after = lines_of(text), lines_of(changed)
    same = next((at for at, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), len(after))
    end = 0
    while end < min(len(before), len(after)) - same and before[-1 - end] == after[-1 - end]:
        end += 1
    was, now = ("".join(lines[same : len(lines) - end]).rstrip() for lines in (before, after))
    try:
        made = parsed(changed)
    except SyntaxError:
        return None
    return None if _is_silly(tree, made) else Change(sort, name, changed, same + 1, was, now)


def _in_place(text: str, tree: ast.Module, node: ast.expr, new: str) -> str | None:
    """The text with another expression. It is read again: what stands around it must mean what it meant."""
    try:
        meant = _dump_with(tree, node, parsed_expression(new).body)
    except SyntaxError:
        return None
    inner = new[1:-1] if new.startswith("(") and new.endswith(")") else new
    written = (_bare(text, node, new), replaced(text, node, inner), replaced(text, node, new))
    for candidate in (*written, replaced(text, node, f"({new})")):
        if candidate is not None:
            try:
                if ast.dump(parsed(candidate)) == meant:
                    return candidate
            except SyntaxError:
                continue
    return None


def _dump_with(tree: ast.Module, node: ast.expr, new: ast.expr) -> str:
    """The dump of a tree with another expression in the place of one. The tree stays as it is."""
    for holder in ast.walk(tree):
        for name, value in ast.iter_fields(holder):
            inside: list[object] = value if isinstance(value, list) else []
            if value is not node and not any(part is node for part in inside):
                continue
            setattr(holder, name, [new if part is node else part for part in inside] if inside else new)
            try:
                return ast.dump(tree)
            finally:
                setattr(holder, name, value)
    raise ValueError("the expression is not a part of the tree")


def _bare(text: str, node: ast.expr, new: str) -> str | None:
    """The text with the expression and the brackets around it replaced; None if none are around it."""
    (start, end), (data, _) = span(text, node), encoded(text)
    if data[start - 1 : start] != b"(" or data[end : end + 1] != b")":
        return None
    return f"{data[: start - 1].decode()}{new}{data[end + 1 :].decode()}"


def _without(text: str, tree: ast.Module, statement: ast.stmt) -> str | None:
    """The text without the lines of a statement; None if it shares them, or stands alone in its block."""
    lines = lines_of(text)
    first, last = statement.lineno, statement.end_lineno or statement.lineno
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and node is not statement and first <= node.lineno <= last:
            return None
        for block in (getattr(node, "body", None), getattr(node, "orelse", None)):
            if isinstance(block, list) and block == [statement]:
                return None
    return "".join(lines[: first - 1] + lines[last:])


def _is_silly(tree: ast.Module, made: ast.Module) -> bool:
    """Whether somebody sees a change without knowing what the text is about."""
    read, bound = _names(tree)
    still_read, _ = _names(made)
    if bound & (read - still_read):
        return True  # a name that nothing reads any more
    if _twins(made) > _twins(tree):
        return True
    return bool(_odd(made) - _odd(tree))


def _odd(tree: ast.Module) -> set[str]:
    """The expressions and assignments that change nothing, which nobody writes."""
    found = set[str]()
    for node in ast.walk(tree):
        match node:
            case ast.BinOp(op=op, right=ast.Constant(value=value)) if value in _NEUTRAL.get(type(op), ()):
                found.add(ast.dump(node))
            case ast.BinOp(op=ast.Add() | ast.Mult() as op, left=ast.Constant(value=value)) if (
                value in _NEUTRAL[type(op)]
            ):
                found.add(ast.dump(node))
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=same)) if name == same:
                found.add(ast.dump(node))
            case ast.UnaryOp(op=ast.USub(), operand=ast.UnaryOp()):
                found.add(ast.dump(node))
            case _:
                pass
    return found


def _twins(tree: ast.Module) -> int:
    """How often the same expression, which is no number, stands beside itself."""
    count = 0
    for node in ast.walk(tree):
        match node:
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Call(args=parts):
                pass
            case ast.BinOp(left=left, right=right):
                parts = [left, right]
            case _:
                continue
        kinds = Counter(type(part) for part in parts)  # parts of different kinds need no look inside
        dumped = [ast.dump(part) for part in parts if kinds[type(part)] > 1 and not isinstance(part, ast.Constant)]
        count += len(dumped) - len({*dumped})
    return count


def _names(tree: ast.Module) -> tuple[set[str], set[str]]:
    """The names that the text reads, and those that it binds."""
    read, bound = set[str](), set[str]()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                read.add(name)
            case ast.Name(id=name) | ast.arg(arg=name):
                bound.add(name)
            case ast.alias(name=name, asname=other):
                bound.add((other or name).partition(".")[0])
            case ast.FunctionDef(name=name):
                bound.add(name)
            case _:
                pass
    return read, bound


def _of_statement(text: str, statement: ast.stmt, scalars: Container[str]) -> Iterator[Written]:
    if _may_be_forgotten(statement):
        yield Sort.STATEMENT, statement, ""
    for node in expressions(statement):
        yield from _of_expression(text, node, scalars)


def _may_be_forgotten(statement: ast.stmt) -> bool:
    """Whether a text without a statement still runs: it gives a name that has a value already a value made of that."""
    match statement:
        case ast.AugAssign(target=ast.Name()):
            return True
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            inside = [node.id for node in ast.walk(value) if isinstance(node, ast.Name)]
            return name in inside and not isinstance(value, ast.Name) and not _draws(value)
        case _:
            return False


def expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a statement that may be changed: none of another statement, and none that draws."""
    left: list[ast.AST] = [child for child in ast.iter_child_nodes(statement) if not isinstance(child, ast.stmt)]
    while left:
        node = left.pop(0)
        if isinstance(node, ast.expr):
            if _draws(node, inside=False):
                continue
            yield node
        if isinstance(node, ast.Lambda):
            left.append(node.body)
            continue
        left += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt | ast.arguments)]


def _draws(node: ast.AST, *, inside: bool = True) -> bool:
    """Whether a call is one of `jax.random`; with `inside`, whether one stands in an expression."""
    nodes = ast.walk(node) if inside else [node]
    return any(isinstance(one, ast.Call) and ".random." in f".{dotted(one.func)}" for one in nodes)


def dotted(node: ast.AST) -> str:
    """`jax.numpy.sin` for the expression of that; empty for one that is no name with attributes."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attribute):
            return f"{found}.{attribute}" if (found := dotted(value)) else ""
        case _:
            return ""


def _of_expression(text: str, node: ast.expr, scalars: Container[str]) -> Iterator[Written]:
    match node:
        case ast.Constant(value=float() as value):
            yield from _constants(node, value)
        case ast.BinOp():
            yield from _operators(text, node, scalars)
        case ast.UnaryOp(op=ast.USub(), operand=operand) if not isinstance(operand, ast.Constant | ast.Attribute):
            yield Sort.LEFT_OUT, node, operand_text(text, operand)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _OPERATIONS:
            for other in _others(op):
                yield Sort.COMPARISON, node, _with_operator(text, left, op, right, other)
        case ast.Call():
            yield from _calls(text, node)
        case ast.Attribute(attr="T" | "mT", value=value):
            yield Sort.LEFT_OUT, node, segment(text, value)
        case ast.Subscript():
            yield from _subscripts(text, node)
        case _:
            pass


def _constants(node: ast.expr, value: float) -> Iterator[Written]:
    if abs(value) >= 10 and value == 10 ** (len(f"{value:.0f}") - 1):
        yield Sort.CONSTANT, node, repr(value / 10)
    elif 0.01 <= value < 1 and value == round(value, 2) and value != 0.5:
        yield Sort.CONSTANT, node, f"{1 - value:.2g}"  # 0.955285 for 0.044715 would show itself


def _operators(text: str, node: ast.BinOp, scalars: Container[str]) -> Iterator[Written]:
    left, right = operand_text(text, node.left), operand_text(text, node.right)
    numbers = [_is_number(operand) for operand in (node.left, node.right)]
    kind = type(node.op)
    if kind in _NEUTRAL and not numbers[0] and (kind is not ast.Pow or numbers[1]):
        yield _LEFT_OUT[kind], node, left
    match node:
        case ast.BinOp(left=ast.UnaryOp(op=ast.USub(), operand=ast.Constant()), op=ast.Mult()):
            yield Sort.FACTOR, node, f"-{right}"
        case _:
            pass
    if kind in (ast.Mult, ast.Add):
        yield _LEFT_OUT[kind], node, right
    if kind in _OPERATIONS and _may_be_another(node, scalars):
        for other in _others(node.op):
            yield Sort.OPERATOR, node, _with_operator(text, node.left, node.op, node.right, other)
    if _may_be_exchanged(node):
        new = f"{right}{_between(text, node.left, node.right)}{left}"
        meant = ast.Expression(ast.BinOp(node.right, node.op, node.left))
        if ast.dump(parsed_expression(f"({new})")) == ast.dump(meant):  # else brackets would be missing
            yield Sort.OPERANDS, node, new


def _may_be_exchanged(node: ast.BinOp) -> bool:
    """Whether the operands may stand in the other order: only where neither says by its form what it is."""
    match node:
        case ast.BinOp(op=ast.MatMult()):
            return True
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            scaled = any(
                isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mult | ast.Div) for part in (left, right)
            )
            return not scaled and not _is_number(left) and not _is_number(right)
        case ast.BinOp(left=ast.Name() | ast.Attribute(), op=ast.Div(), right=ast.Name() | ast.Attribute()):
            return True
        case _:
            return False


def _is_number(node: ast.expr) -> bool:
    """Whether an operand is a number, with a sign or without."""
    match node:
        case ast.UnaryOp(operand=operand):
            return isinstance(operand, ast.Constant)
        case _:
            return isinstance(node, ast.Constant)


def _may_be_another(node: ast.BinOp, scalars: Container[str]) -> bool:
    """Whether another operator may stand there: none beside a small number, and a quotient by an argument alone."""
    match node:
        case ast.BinOp(op=ast.Add() | ast.Sub(), right=ast.Constant(value=float() as value)):
            return abs(value) >= SMALLEST_CONSTANT
        case ast.BinOp(op=ast.Mult(), left=left, right=ast.Name(id=name)):
            return not _is_number(left) and name in scalars
        case ast.BinOp(op=ast.Mult()):
            return False
        case ast.BinOp(op=ast.Div(), left=left, right=right):
            inside = [{one.id for one in ast.walk(part) if isinstance(one, ast.Name)} for part in (left, right)]
            return not _is_number(left) and not (inside[0] & inside[1] - _MODULES)
        case _:
            return True


def _others(op: ast.operator | ast.cmpop) -> Iterator[str]:
    """The operators that people write in the place of one."""
    return (_WRITTEN[other] for other in OTHERS[_OPERATIONS[type(op)][0]] if other in _WRITTEN)


def _with_operator(text: str, left: ast.expr, op: ast.operator | ast.cmpop, right: ast.expr, other: str) -> str:
    between = _between(text, left, right).replace(_OPERATIONS[type(op)][1], other, 1)
    return f"{operand_text(text, left)}{between}{operand_text(text, right)}"


def _between(text: str, left: ast.expr, right: ast.expr) -> str:
    """What stands between two operands and their brackets."""
    return encoded(text)[0][_operand(text, left)[1] : _operand(text, right)[0]].decode()


def operand_text(text: str, node: ast.expr) -> str:
    """An operand with the brackets around it."""
    start, end = _operand(text, node)
    return encoded(text)[0][start:end].decode()


def _operand(text: str, node: ast.expr) -> tuple[int, int]:
    """Where an operand begins and ends, with its brackets, in bytes of the text."""
    (start, end), (data, _) = span(text, node), encoded(text)
    while (opened := _blank_before(data, start) - 1) >= 0 and data[opened : opened + 1] == b"(":
        closed = _blank_after(data, end)
        before = data[opened - 1 : opened]
        if data[closed : closed + 1] != b")" or before.isalnum() or before in (b"_", b")", b"]"):
            break  # no bracket around it, or one of a call
        start, end = opened, closed + 1
    return start, end


def _blank_before(data: bytes, at: int) -> int:
    while data[at - 1 : at].isspace():
        at -= 1
    return at


def _blank_after(data: bytes, at: int) -> int:
    while data[at : at + 1].isspace():
        at += 1
    return at


def _calls(text: str, node: ast.Call) -> Iterator[Written]:
    called = node.func.attr if isinstance(node.func, ast.Attribute) else dotted(node.func)
    base = segment(text, node.func)[: -len(called)] if called else ""
    whole, function = segment(text, node), segment(text, node.func)
    method = isinstance(node.func, ast.Attribute) and not is_module(node.func.value)
    of_names = any(isinstance(inner, ast.Name) for part in node.args for inner in ast.walk(part)) or method
    if (
        of_names
        and called in FUNCTIONS
        and isinstance(node.func, ast.Attribute)
        and {word.arg for word in node.keywords} <= SHARED
    ):
        yield Sort.FUNCTION, node, f"{base}{FUNCTIONS[called]}{whole[len(function) :]}"
    if called in LEFT_OUT_CALLS:
        if method and isinstance(node.func, ast.Attribute):
            yield Sort.LEFT_OUT, node, segment(text, node.func.value)
        elif node.args and (len(node.args) == 1 or called in ("swapaxes", "transpose")):
            yield Sort.LEFT_OUT, node, segment(text, node.args[0])
    if called in METHODS_EXCHANGED and isinstance(node.func, ast.Attribute) and ".at[" in function:
        yield Sort.FUNCTION, node, f"{base}{METHODS_EXCHANGED[called]}{whole[len(function) :]}"
    for word in node.keywords:
        if word.arg == "axis":
            match word.value:
                case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)):
                    yield Sort.AXIS, word.value, "0"
                case ast.Constant(value=0):
                    yield Sort.AXIS, word.value, "-1" if "axis=-1" in text else "1"
                case ast.Constant(value=1):
                    yield Sort.AXIS, word.value, "0"
                case _:
                    pass
        is_switch = isinstance(word.value, ast.Constant) and isinstance(word.value.value, bool)
        if (word.arg in LEFT_OUT_KEYWORDS or is_switch) and (node.args or method):
            yield Sort.LEFT_OUT, node, _without_part(text, node, word)
    match called, node.args:
        case "where", [condition, one, other]:
            parts = [segment(text, part) for part in (condition, other, one)]
            yield Sort.OPERANDS, node, f"{function}({', '.join(parts)})"
        case (("matmul" | "dot" | "subtract" | "divide" | "power" | "arctan2" | "append" | "outer"), [one, other]):
            yield Sort.OPERANDS, node, f"{function}({segment(text, other)}, {segment(text, one)})"
        case "arange", [ast.Constant(), end, *_]:
            yield Sort.LEFT_OUT, node, f"{function}({segment(text, end)})"
        case "concatenate" | "stack" | "hstack", [
            ast.List(elts=[one, other]) | ast.Tuple(elts=[one, other]) as parts,
            *_,
        ]:
            opened, closed = "[]" if isinstance(parts, ast.List) else "()"
            yield Sort.OPERANDS, parts, f"{opened}{segment(text, other)}, {segment(text, one)}{closed}"
        case _:
            pass


_MODULES = frozenset(("jnp", "jax", "np", "numpy", "lax", "nn", "nnx", "math", "optax", "random"))


def is_module(node: ast.expr) -> bool:
    """Whether an expression names a module, as far as its first name tells."""
    return dotted(node).partition(".")[0] in _MODULES


def _without_part(text: str, node: ast.Call, word: ast.keyword) -> str:
    """A call without one of its keywords."""
    whole, part = segment(text, node), segment(text, word)
    before, _, after = whole.rpartition(part)
    return before.rstrip().removesuffix(",") + after if before.rstrip().endswith(",") else before + after.lstrip(", ")


_INDICES = {"1:": ":-1", ":-1": "1:", "0::2": "1::2", "1::2": "::2", "::2": "1::2", "-1": "0"}
"""Indices of one axis that are taken for each other."""

_NEW_AXES = {":, None": "None, :", "None, :": ":, None", "..., None": "None, ...", "..., None, :": "..., :, None"}
"""Indices that make an axis, and are taken for each other."""


def _subscripts(text: str, node: ast.Subscript) -> Iterator[Written]:
    base, index = segment(text, node.value), segment(text, node.slice)
    *before, last = index.split(", ")
    other = "0::2" if last == "1::2" and "0::2" in text else _INDICES.get(last, "")
    if other:
        yield Sort.INDEX, node, f"{base}[{', '.join([*before, other])}]"
    if index in _NEW_AXES:
        yield Sort.INDEX, node, f"{base}[{_NEW_AXES[index]}]"
    match node.slice:
        case ast.BinOp(op=ast.Add() | ast.Sub(), left=left, right=ast.Constant()):
            yield Sort.INDEX, node, f"{base}[{segment(text, left)}]"
        case _:
            pass
