"""The mistakes of a problem in another text than the worked answer: where the same expression stands, the same change."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from grader.kit.mistakes import MistakeForm, Pitfall, changed
from grader.kit.solution import bare
from grader.practice.changes import (
    FUNCTIONS,
    Change,
    Proposal,
    Sort,
    dotted,
    expressions,
    is_module,
    own_statements,
    written,
)
from grader.values.places import parsed, parsed_expression, segment

MOST_CHARACTERS_ADDED = 24
"""The most characters by which a declared mistake may make a line longer: a longer line shows itself."""


_OPERATORS = ast.operator | ast.unaryop | ast.cmpop | ast.boolop


@dataclass(frozen=True)
class _Difference:
    """What a mistake changes in the worked answer: the smallest expression that differs, and one around it.

    Attributes:
        around: the expression that is looked for in another text.
        path: how the part that changes is reached in it: the labels of `_parts`.
        new: the expression that takes the place of the part; `text` is the text that it stands in.
    """

    around: ast.expr
    path: tuple[str, ...]
    new: ast.expr
    text: str


def declared_changes(
    text: str, stub: str, worked: str, pitfalls: Sequence[Pitfall], arguments: Sequence[str]
) -> Iterator[Change]:
    """The changes of a text that make a mistake of the problem, each at an expression as in the worked answer.

    Args:
        stub: the text of the stub. Statements that it has are not changed.
        worked: the whole text of the worked answer.
        arguments: the names of the problem's arguments.

    Raises:
        SyntaxError: if a text is not Python.
    """
    tree = parsed(text)
    statements = list(own_statements(tree, stub))
    calls = {dotted(node.func).rpartition(".")[2] for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for pitfall in pitfalls:
        for form in pitfall.forms:
            found = _differences(worked, form)
            if len(found) == 1:
                yield from _made(text, tree, statements, found[0], pitfall.name, arguments, calls)


def _made(
    text: str,
    tree: ast.Module,
    statements: Sequence[ast.stmt],
    found: _Difference,
    name: str,
    arguments: Sequence[str],
    calls: set[str],
) -> Iterator[Change]:
    for statement in statements:
        for node in expressions(statement):
            bound: dict[str, ast.expr] = {}
            if not _unify(found.around, node, bound, arguments, found.path):
                continue
            if not _is_anchored(found.around, bound, arguments):
                continue
            part = _at(node, found.path)
            new = _rendered(text, found, bound, arguments)
            if part is None or new is None or not _is_plausible(found, part, new, arguments, calls):
                continue
            change = written(text, tree, Proposal(Sort.DECLARED, part, new), name)
            if change is not None and len(change.after) - len(change.before) <= MOST_CHARACTERS_ADDED:
                yield change


def _differences(worked: str, form: MistakeForm) -> list[_Difference]:
    """What differs between the worked answer and one with a mistake; empty where statements come or go."""
    with_mistake = bare(changed(worked, [form]), numbered=True)
    found = list(_differing(parsed(bare(worked, numbered=True)), parsed(with_mistake), ()))
    differences: list[_Difference] = []
    for chain, new in found:
        exprs = [node for node in chain if isinstance(node, ast.expr)]
        if not exprs or not isinstance(new, ast.expr):
            return []
        part = exprs[-1]
        around = exprs[-2] if _is_leaf(part) and len(exprs) > 1 else part
        path = _path(around, part)
        if path is None:
            return []
        differences.append(_Difference(around, path, new, with_mistake))
    return differences


def _is_leaf(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Constant | ast.UnaryOp | ast.Attribute)


def _differing(
    one: ast.AST, other: ast.AST, chain: tuple[ast.AST, ...]
) -> Iterator[tuple[tuple[ast.AST, ...], ast.AST]]:
    """The smallest nodes that differ: for each, those around it and itself, and what stands there instead."""
    if ast.dump(one) == ast.dump(other):
        return
    chain = (*chain, one)
    pairs = list(_pairs(one, other))
    inside = [pair for pair in pairs if ast.dump(pair[0]) != ast.dump(pair[1])]
    apart = isinstance(one, ast.expr) and (len(inside) > 1 or any(isinstance(left, _OPERATORS) for left, _ in inside))
    if type(one) is not type(other) or not inside or apart or not _same_frame(one, other):
        yield chain, other
        return
    for left, right in inside:
        yield from _differing(left, right, chain)


def _pairs(one: ast.AST, other: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    mine, theirs = list(ast.iter_child_nodes(one)), list(ast.iter_child_nodes(other))
    if len(mine) == len(theirs):
        yield from zip(mine, theirs, strict=True)


def _same_frame(one: ast.AST, other: ast.AST) -> bool:
    """Whether two nodes are the same but for the nodes inside them."""
    frame = [
        [value for _, value in ast.iter_fields(node) if not isinstance(value, ast.AST | list)] for node in (one, other)
    ]
    return frame[0] == frame[1]


def _parts(node: ast.expr) -> tuple[str, Mapping[str, ast.expr]]:
    """What kind of expression it is, and the expressions in it by labels. `x.max(0)` is the same as `jnp.max(x, 0)`."""
    match node:
        case ast.Call(func=ast.Attribute(value=value, attr=name), args=args, keywords=keywords):
            given = args if is_module(value) else [value, *args]
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
            given = args
        case ast.BinOp(left=left, op=op, right=right):
            return type(op).__name__, {"left": left, "right": right}
        case ast.UnaryOp(op=op, operand=operand):
            return type(op).__name__, {"operand": operand}
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return type(op).__name__, {"left": left, "right": right}
        case ast.Subscript(value=value, slice=index):
            return "[]", {"value": value, "index": index}
        case ast.Attribute(value=value, attr=name):
            return f".{name}", {"value": value}
        case ast.Tuple(elts=elts) | ast.List(elts=elts):
            return type(node).__name__, {str(at): part for at, part in enumerate(elts)}
        case ast.Slice(lower=lower, upper=upper, step=step):
            listed = {"lower": lower, "upper": upper, "step": step}
            return "slice", {label: part for label, part in listed.items() if part is not None}
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return "if", {"test": test, "body": body, "else": orelse}
        case _:
            return ast.dump(node), {}
    named = {str(word.arg): word.value for word in keywords}
    return f"{name}()", {**{str(at): part for at, part in enumerate(given)}, **named}


def _path(around: ast.expr, part: ast.expr) -> tuple[str, ...] | None:
    if around is part:
        return ()
    return next(((label,) for label, inner in _parts(around)[1].items() if inner is part), None)


def _at(node: ast.expr, path: Sequence[str]) -> ast.expr | None:
    for label in path:
        found = _parts(node)[1].get(label)
        if found is None:
            return None
        node = found
    return node


def _unify(
    pattern: ast.expr, node: ast.expr, bound: dict[str, ast.expr], arguments: Sequence[str], path: Sequence[str] = ()
) -> bool:
    """Whether an expression is the pattern with other local names: each stands for one and the same expression.

    Where a path leads into the pattern, the parts beside it may be anything.
    """
    if isinstance(pattern, ast.Name) and pattern.id not in arguments and not is_module(pattern):
        seen = bound.setdefault(pattern.id, node)
        return ast.dump(seen) == ast.dump(node)
    kind, parts = _parts(pattern)
    other_kind, others = _parts(node)
    if kind != other_kind:
        return False
    for label, part in parts.items():
        if label not in others:
            return False
        if (not path or label == path[0]) and not _unify(part, others[label], bound, arguments, path[1:]):
            return False
        if path and label != path[0]:
            _unify(part, others[label], bound, arguments)  # for the names alone
    return bool(path) or len(parts) == len(others)


def _is_anchored(pattern: ast.expr, bound: Mapping[str, ast.expr], arguments: Sequence[str]) -> bool:
    """Whether more than the kind of an operator says that an expression is the one that the mistake is about."""
    for node in ast.walk(pattern):
        match node:
            case ast.Call() | ast.Constant(value=int() | float()):
                return True
            case ast.Name(id=name) if name in arguments:
                return True
            case ast.Name(id=name) if isinstance(given := bound.get(name), ast.Name) and given.id == name:
                return True
            case _:
                pass
    return False


def _rendered(text: str, found: _Difference, bound: Mapping[str, ast.expr], arguments: Sequence[str]) -> str | None:
    """The new expression in the names of a text; None where a name of the worked answer has none there."""
    names = [node for node in ast.walk(found.new) if isinstance(node, ast.Name)]
    new = ast.get_source_segment(found.text, found.new)
    if new is None or "\n" in new:
        return None
    known = ("range", "len", "min", "max", "abs", *arguments)
    if any(name.id not in bound and name.id not in known and not is_module(name) for name in names):
        return None
    held = [name for name in names if name.id in bound]
    found_there = [segment(text, bound[name.id]) for name in held]
    whole, bare = (
        _filled(new, found.new.col_offset, held, [written.format(stands) for stands in found_there])
        for written in ("({})", "{}")
    )
    return bare if _means(bare) == _means(whole) else whole


def _filled(new: str, base: int, names: Sequence[ast.Name], texts: Sequence[str]) -> str:
    """A text with others in the place of its names; `base` is the column at which it began."""
    row = new.encode()
    for name, stands in sorted(zip(names, texts, strict=True), key=lambda pair: pair[0].col_offset, reverse=True):
        row = row[: name.col_offset - base] + stands.encode() + row[(name.end_col_offset or 0) - base :]
    return row.decode()


def _means(text: str) -> str:
    """The tree of an expression; empty if it is none."""
    try:
        return ast.dump(parsed_expression(text))
    except SyntaxError:
        return ""


def _modules(node: ast.expr) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and is_module(one)}


def _is_plausible(found: _Difference, part: ast.expr, new: str, arguments: Sequence[str], calls: set[str]) -> bool:
    """Whether a change is no giveaway: it calls nothing that the text does not, and takes no size for another."""
    try:
        made = parsed_expression(new).body
    except SyntaxError:
        return False
    before = {dotted(node.func).rpartition(".")[2] for node in ast.walk(part) if isinstance(node, ast.Call)}
    for node in ast.walk(made):
        if isinstance(node, ast.Call):
            name = dotted(node.func).rpartition(".")[2]
            if name and name not in calls and not any(FUNCTIONS.get(old) == name for old in before):
                return False
    if isinstance(part, ast.Constant) and not isinstance(made, ast.Constant):
        return False  # a name where a number stood
    if _modules(part) and _modules(made) - _modules(part):
        return False  # `jnp` where all else is `np`
    was = {node.id for node in ast.walk(part) if isinstance(node, ast.Name)} & {*arguments}
    now = {node.id for node in ast.walk(made) if isinstance(node, ast.Name)} & {*arguments}
    return not (now - was and was - now)
