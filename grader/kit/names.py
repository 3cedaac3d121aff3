"""What a statement binds and what it loads: the names that an answer needs from elsewhere in a notebook."""

from __future__ import annotations

import ast
import symtable
import warnings
from dataclasses import dataclass
from functools import partial, reduce

from grader.locale.language import N_

_SIMPLE = (
    *(ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
    *(ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Pass),
)

_BLOCKS: dict[type[ast.stmt], str] = {
    **dict.fromkeys((ast.For, ast.AsyncFor), N_("a `for` loop")),
    **dict.fromkeys((ast.With, ast.AsyncWith), N_("a `with` block")),
    ast.While: N_("a `while` loop"),
    ast.Match: N_("a `match` block"),
    ast.If: N_("an `if` block"),
    ast.Try: N_("a `try` block"),
}

_CHANGING = {"append", "extend", "insert", "add", "update", "setdefault", "pop", "remove", "clear", "sort", "reverse"}
"""Methods of lists, sets and dictionaries that change them."""

_AT_ONCE = {"listcomp", "setcomp", "dictcomp", "genexpr"}
"""Scopes that Python calls functions, and that run where they stand."""


@dataclass(frozen=True)
class Names:
    """The names of a statement at the top of a cell.

    Attributes:
        binds: the names that it defines or changes.
        now: the names of the module that it loads as it runs.
        later: the names of the module that functions in it load, when they are called.
        simple: whether it can be taken into an answer: an import, a function, a class, an assignment, or a choice of those.
        block: in words, what kind of statement it is if it is not simple; who tells it looks it up.
        star: whether it imports names that it does not list.
        imported: those of the bound names that an import gives.
        sets: whether it sets an option of JAX, which holds for all that runs: `jax.config.update("jax_enable_x64", True)`.
    """

    binds: frozenset[str]
    now: frozenset[str]
    later: frozenset[str]
    simple: bool
    star: bool = False
    imported: frozenset[str] = frozenset()
    sets: bool = False
    block: str = ""


def names_of(statement: ast.stmt) -> Names:
    if isinstance(statement, ast.If | ast.Try):
        try:
            return _of_choice(statement)
        except RecursionError:  # a chain of very many `elif`
            bound, _ = _bound(statement)
            return Names(bound, frozenset(), frozenset(), simple=False, block=_BLOCKS[type(statement)])
    now, later = _loads(statement)
    bound, changed = _bound(statement)
    imported = bound if isinstance(statement, ast.Import | ast.ImportFrom) else frozenset[str]()
    star = isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*"
    simple, block = (
        isinstance(statement, _SIMPLE),
        _BLOCKS.get(type(statement), N_("a statement that is no assignment")),
    )
    if simple and _awaits(statement):  # only a notebook has an event loop around its cells
        simple, block = False, "`await`"
    names = bound | changed, now | changed, later, simple, star, imported, sets_option(statement)
    return Names(*names, block="" if simple else block)


def names_of_both(names: Names, other: Names, *, in_turn: bool = True) -> Names:
    """The names of two statements that run one after the other, or of which one runs."""
    return Names(
        names.binds | other.binds,
        names.now | (other.now - names.binds if in_turn else other.now),
        names.later | other.later,
        names.simple and other.simple,
        names.star or other.star,
        names.imported | other.imported,
        names.sets or other.sets,
        names.block or other.block,
    )


def _of_choice(statement: ast.If | ast.Try) -> Names:
    if isinstance(statement, ast.If):
        first = names_of(ast.copy_location(ast.Expr(statement.test), statement))
        branches = [statement.body, statement.orelse]
    else:
        first = Names(frozenset(), frozenset(), frozenset(), simple=True)
        branches = [
            [*statement.body, *statement.orelse, *statement.finalbody],
            *(handler.body for handler in statement.handlers),
        ]
    names = [reduce(names_of_both, map(names_of, branch), first) for branch in branches]
    caught = [handler.type for handler in getattr(statement, "handlers", ()) if handler.type is not None]
    names += [names_of(ast.copy_location(ast.Expr(expression), statement)) for expression in caught]
    return reduce(partial(names_of_both, in_turn=False), names)


def _awaits(statement: ast.stmt) -> bool:
    """Whether it waits as it runs: a function that waits does so when it is called."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Await):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)
    return False


def sets_option(statement: ast.stmt) -> bool:
    """Whether a statement sets an option of JAX."""
    match statement:
        case ast.Expr(ast.Call(ast.Attribute(_, "update"), [ast.Constant(str(option)), *_])):
            return option.startswith("jax_")
        case _:
            return False


def _bound(statement: ast.stmt) -> tuple[frozenset[str], frozenset[str]]:
    """The names of the module that a statement binds, and those whose value it changes: `table[0] = 1`, `total += 1`."""
    bound: set[str] = set()
    changed: set[str] = set()
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            bound.add(node.name)
            continue
        if isinstance(node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            bound |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            bound.add(node.name)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            changed.add(node.target.id)
        elif isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
            changed |= _root(node)
        elif isinstance(node, ast.Expr):
            changed |= _changed_by_call(node.value)
        waiting += ast.iter_child_nodes(node)
    return frozenset(bound), frozenset(changed)


def _changed_by_call(node: ast.expr) -> set[str]:
    """The list, set or dictionary that a call changes where it stands alone: `table.append(1)`."""
    match node:
        case ast.Call(ast.Attribute(ast.Name(name), method)) if method in _CHANGING:
            return {name}
        case _:
            return set()


def _root(node: ast.expr) -> set[str]:
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()


def _loads(statement: ast.stmt) -> tuple[frozenset[str], frozenset[str]]:
    """The names of the module that it loads now, and those that it loads later."""
    try:
        text = ast.unparse(statement)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            table = symtable.symtable(text, "cell", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # Python refuses it as it stands (a `return` outside a function): any name in it may be one of the module.
        loaded = frozenset(
            node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        )
        return loaded, frozenset()
    now: set[str] = set()
    later: set[str] = set()
    scopes = [(table, False)]
    while scopes:
        scope, deferred = scopes.pop()
        top = scope.get_type() == "module"
        for symbol in scope.get_symbols():
            if symbol.is_referenced() and (top or symbol.is_global()):
                (later if deferred else now).add(symbol.get_name())
        for inner in scope.get_children():
            runs_later = isinstance(inner, symtable.Function) and inner.get_name() not in _AT_ONCE
            scopes.append((inner, deferred or runs_later))
    free = _free(statement)
    return frozenset(now & free), frozenset(later & free)


def _free(statement: ast.stmt) -> set[str]:
    """The names that it loads anywhere, without those that a comprehension binds for itself.

    Since Python 3.12 symbol tables count these among the names of what is around the comprehension.
    """
    free: set[str] = set()
    waiting: list[tuple[ast.AST, frozenset[str]]] = [(statement, frozenset())]
    while waiting:
        node, own = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in own:
            free.add(node.id)
        inside = own
        if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            targets = [
                part
                for generator in node.generators
                for part in ast.walk(generator.target)
                if isinstance(part, ast.Name)
            ]
            inside = own | {part.id for part in targets if isinstance(part.ctx, ast.Store)}
            waiting.append((node.generators[0].iter, own))  # it runs before any of them is bound
        waiting += [(inner, inside) for inner in ast.iter_child_nodes(node)]
    return free
