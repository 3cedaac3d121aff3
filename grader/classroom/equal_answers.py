"""Answers of different students that are equal up to names, comments and layout, and statements that compute the same."""

from __future__ import annotations

import ast
import cmath
import hashlib
import operator
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.classroom.row import Row
from grader.locale.language import N_
from grader.marking.verdict import Status
from grader.values.places import parsed

DEPTH = 3
"""How many definitions of names are written out, one in the other."""

_OPERATORS: Mapping[type[ast.operator], Callable[[complex, complex], complex]] = {
    **{ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Pow: pow}
}

_FUNCTIONS_OF_JAX: Mapping[str, Callable[..., Any]] = {
    **{"exp": cmath.exp, "log": cmath.log, "sqrt": cmath.sqrt, "sin": cmath.sin, "cos": cmath.cos},
    **{"square": lambda x: x * x, "reciprocal": lambda x: 1 / x, "negative": operator.neg},
    **{"add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv},
    **{"power": pow, "pow": pow, "float": complex, "float_power": pow, "true_divide": operator.truediv},
}


class _Unclear(Exception):
    """What an expression computes is not known."""


@dataclass(frozen=True)
class _Text:
    """A function, as far as it is looked at.

    Attributes:
        parameters: in order; empty for one that is bound again.
        known: what each name is that is bound once, at the top of the function or of the file.
        modules: the names of modules, as they are imported.
    """

    parameters: Sequence[str]
    bound: frozenset[str]
    known: Mapping[str, ast.expr]
    modules: frozenset[str]


def same_form(step: ast.stmt, theirs: ast.Module, ours: ast.Module, name: str) -> ast.stmt | None:
    """The statement of our function that computes what a statement of theirs does; None if none is known to.

    Parameters are the same by their places, and other names if they are called alike, or if there is one of each.
    """
    mine, yours = _text(theirs, name), _text(ours, name)
    expression = _computed(step)
    if mine is None or yours is None or expression is None:
        return None
    shared = mine.bound & yours.bound
    found = [_Value(mine, depth, shared).of(expression) for depth in range(DEPTH)]
    for function in (
        statement for statement in ours.body if isinstance(statement, ast.FunctionDef) and statement.name == name
    ):
        for other in function.body:
            if (known := _computed(other)) is not None:
                values = [_Value(yours, depth, shared).of(known) for depth in range(DEPTH)]
                if any(value is not None and value in values for value in found):
                    return other
    return None


def _computed(step: ast.stmt) -> ast.expr | None:
    return step.value if isinstance(step, ast.Assign | ast.AnnAssign | ast.Return) else None


def _text(tree: ast.Module, name: str) -> _Text | None:
    function = next(
        (statement for statement in tree.body if isinstance(statement, ast.FunctionDef) and statement.name == name),
        None,
    )
    if function is None:
        return None
    bound = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    known = {
        statement.targets[0].id: statement.value
        for statement in (*tree.body, *function.body)
        if isinstance(statement, ast.Assign)
        and len(statement.targets) == 1
        and isinstance(statement.targets[0], ast.Name)
    }
    aliases = [
        alias for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names
    ]
    return _Text(
        ["" if argument.arg in bound else argument.arg for argument in function.args.args],
        frozenset(bound),
        {variable: value for variable, value in known.items() if bound.count(variable) == 1},
        frozenset((alias.asname or alias.name).partition(".")[0] for alias in aliases),
    )


@dataclass(frozen=True)
class _Value:
    """What expressions of a text are worth, with definitions of names written out to a depth.

    A name that is neither a parameter nor written out is worth the same where both texts have it. One other may be there.
    """

    text: _Text
    depth: int
    shared: frozenset[str]

    def of(self, expression: ast.expr) -> str | None:
        """A value to compare; None if it is not known."""
        leaves: set[str] = set()
        try:
            value = self._of(expression, self.depth, leaves)
        except (_Unclear, OverflowError, ZeroDivisionError, ValueError, TypeError, RecursionError):
            return None
        return None if len(leaves) > 1 else _told(value)

    def _of(self, node: ast.AST, depth: int, leaves: set[str]) -> complex:
        match node:
            case ast.Constant(value=int() | float() as number):
                return complex(number)
            case ast.Constant():
                return _random("constant", repr(node.value))
            case ast.Name(id=name):
                if name in self.text.parameters:
                    return _random("parameter", str(self.text.parameters.index(name)))
                known = self.text.known.get(name)
                if known is not None and (depth or isinstance(known, ast.Constant)):
                    return self._of(known, depth - 1, leaves)
                if name in self.text.modules or name in self.shared:
                    return _random("name", name if name in self.shared else "")
                leaves.add(name)
                return _random("other name")
            case ast.BinOp() if type(node.op) in _OPERATORS:
                left, right = (self._of(operand, depth, leaves) for operand in (node.left, node.right))
                return _OPERATORS[type(node.op)](left, right)
            case ast.UnaryOp(op=ast.USub()):
                return -self._of(node.operand, depth, leaves)
            case ast.Call():
                return self._call(node, depth, leaves)
            case (
                ast.BinOp()
                | ast.UnaryOp()
                | ast.Compare()
                | ast.Subscript()
                | ast.Attribute()
                | ast.Tuple()
                | ast.List()
            ):
                inner = [
                    self._of(child, depth, leaves)
                    for child in ast.iter_child_nodes(node)
                    if isinstance(child, ast.expr)
                ]
                signs = [
                    type(child).__name__ for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr)
                ]
                called = node.attr if isinstance(node, ast.Attribute) else ""
                return _random(type(node).__name__, called, *signs, *map(_told, inner))
            case ast.Slice():
                parts = [self._of(part, depth, leaves) if part else 0j for part in (node.lower, node.upper, node.step)]
                return _random("slice", *map(_told, parts))
            case _:
                raise _Unclear

    def _call(self, node: ast.Call, depth: int, leaves: set[str]) -> complex:
        match node.func:
            case ast.Attribute(attr=name, value=ast.Name(id=module)) if module in self.text.modules:
                arguments: list[ast.expr] = [*node.args]
            case ast.Attribute(attr=name, value=value):
                arguments = [value, *node.args]  # a method is the function of the same name
            case ast.Name(id=name):
                arguments = [*node.args]
            case _:
                raise _Unclear
        values = [self._of(argument, depth, leaves) for argument in arguments]
        if name in _FUNCTIONS_OF_JAX and not node.keywords:
            return complex(_FUNCTIONS_OF_JAX[name](*values))
        named = [f"{keyword.arg}={_told(self._of(keyword.value, depth, leaves))}" for keyword in node.keywords]
        return _random("call", name, *map(_told, values), *sorted(named))


def _random(*of: str) -> complex:
    digest = hashlib.sha256("\n".join(of).encode("utf-8", "surrogatepass")).digest()
    return complex(0.5 + int.from_bytes(digest[:6]) / 2**48)


def _told(value: complex) -> str:
    parts = [part if abs(part) > 1e-9 * abs(value) else 0.0 for part in (value.real, value.imag)]
    return " ".join(f"{part:.9g}" for part in parts)


EQUAL = N_(
    "Equal answers of different students. This proves nothing by itself: a short answer can be written in few ways, and a "
    "whole class may have seen the same one. Where the kit is at hand, statements of the stub do not count."
)
"""What is said above a list of them. Those of one team stand together, with a plus sign."""

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

_SILENT = ("ctx", "type_comment", "kind")
"""Fields of a node that follow from others, or that are comments."""


@dataclass(frozen=True)
class Equal:
    """Equal answers to one problem.

    Attributes:
        same_text: whether their texts are the same to the letter; else they differ in names, comments or layout.
        statements: how many statements each has that the stub lacks.
        students: who handed them in. Those of one team stand together.
    """

    same_text: bool
    statements: int
    students: tuple[tuple[str, ...], ...]


def equal(rows: Sequence[Row], text: Callable[[str], str], stub: str = "", worked: str = "") -> tuple[Equal, ...]:
    """The equal answers among those to one problem, the longest first.

    Members of a team are one student here. Stubs that are not filled in, what equals the worked answer, and texts that are
    no Python, are left out.

    Args:
        text: gives the text of an answer, by its digest.
        stub: what everybody was given; empty where it is not known.
        worked: the worked answer; empty where it is not known.
    """
    given, known = normal(stub), normal(worked)
    attempted = [row for row in rows if row.verdict is None or row.verdict.status is not Status.UNATTEMPTED]
    forms = {digest: normal(text(digest)) for digest in {row.digest for row in attempted}}
    groups: dict[NormalForm, dict[str, list[Row]]] = {}
    for row in sorted(attempted, key=lambda row: (row.submitted, row.student)):
        if (form := forms[row.digest]) and form != known and form.beyond(given):
            # A team may be called as a student is.
            groups.setdefault(form, {}).setdefault(f"team {row.team}" if row.team else f"one {row.student}", []).append(
                row
            )
    found = [
        Equal(
            len({row.digest for party in group.values() for row in party}) == 1,
            form.beyond(given),
            tuple(tuple(row.student for row in party) for party in group.values()),
        )
        for form, group in groups.items()
        if len(group) > 1
    ]
    return tuple(sorted(found, key=lambda answers: (-answers.statements, -len(answers.students), answers.students)))


@dataclass(frozen=True)
class NormalForm:
    """What is left of a text without its names, comments and layout.

    Attributes:
        statements: each statement, without the statements in it, and how often it is there.
    """

    digest: str
    statements: Counter[str] = field(compare=False)

    def beyond(self, given: NormalForm | None) -> int:
        """How many statements it has that what was given lacks."""
        return (self.statements - given.statements if given else self.statements).total()


def normal(text: str) -> NormalForm | None:
    """The normal form of a text: two texts have the same one if they are equal but for comments, layout, statements that do
    nothing, and the names of what they bind: variables, parameters, functions and classes, each renamed everywhere alike.

    Imported names, attributes, names of arguments in calls, and what a class binds stay as they are.

    Returns:
        None if it is no Python, or nested deeper than Python takes.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = parsed(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return _NormalWalk(tree).form()


@dataclass(eq=False)
class _Scope:
    """A scope of names.

    Attributes:
        kind: "module", "class", "function" or "comprehension".
        kept: those of the names that are not renamed.
        declared: names of other scopes, each with whether it is global.
    """

    kind: str
    around: _Scope | None
    bound: set[str] = field(default_factory=set[str])
    kept: set[str] = field(default_factory=set[str])
    declared: dict[str, bool] = field(default_factory=dict[str, bool])


class _NormalWalk:
    """Writes a tree out as words, without recursion: students nest as deep as they like."""

    def __init__(self, tree: ast.Module) -> None:
        self.module = _Scope("module", None)
        self.words: list[tuple[int, str | tuple[_Scope, str]]] = []  # each with the number of its innermost statement
        self._statements = self._statement = 0
        self._waiting: list[tuple[object, _Scope, int]] = [(tree, self.module, 0)]
        while self._waiting:
            part, scope, self._statement = self._waiting.pop()
            if isinstance(part, list):
                some = [item for item in part if not _does_nothing(item)]
                # The statements in a statement are no part of it: a stub has the head of a function, and another body.
                inner = any(isinstance(item, ast.stmt) for item in part)
                self.words.append((-1 if inner else self._statement, f"[{len(some)}"))
                self._later(*((item, scope) for item in some))
            elif isinstance(part, ast.AST):
                if isinstance(part, ast.stmt):
                    self._statements += 1
                    self._statement = self._statements
                self._word(type(part).__name__)
                self._node(part, scope)
            else:
                # An integer may have more digits than Python writes out.
                self._word(f"{type(part).__name__} {hex(part) if isinstance(part, int) else repr(part)}")

    def form(self) -> NormalForm:
        labels: dict[tuple[int, str], str] = {}
        digest = hashlib.sha256()
        statements: dict[int, list[str]] = {}
        for statement, word in self.words:
            told = word if isinstance(word, str) else "="
            if not isinstance(word, str):
                scope, name = word
                of = _binding(scope, name, self.module)
                word = f"'{name}" if of is None else labels.setdefault((id(of), name), f"={len(labels)}")
                told = word if of is None else told
            digest.update(f"{word}\n".encode("utf-8", "surrogatepass"))
            statements.setdefault(statement, []).append(told)
        counted = Counter("\n".join(words) for statement, words in statements.items() if statement > 0)
        return NormalForm(digest.hexdigest(), counted)

    def _word(self, word: str | tuple[_Scope, str]) -> None:
        self.words.append((self._statement, word))

    def _later(self, *items: tuple[object, _Scope]) -> None:
        self._waiting += ((item, scope, self._statement) for item, scope in reversed(items))

    def _name(self, name: str, scope: _Scope, *, binds: bool = True, kept: bool = False) -> None:
        """A name as it stands in a scope."""
        if binds:
            of = self.module if scope.declared.get(name) else scope
            of.bound.add(name)
            if kept or of.kind == "class":  # an attribute of the class
                of.kept.add(name)
        self._word((scope, name))

    def _node(self, node: ast.AST, scope: _Scope) -> None:
        if isinstance(node, ast.Name):
            self._name(node.id, scope, binds=not isinstance(node.ctx, ast.Load))
        elif isinstance(node, ast.NamedExpr):
            outer = scope
            while outer.kind == "comprehension" and outer.around:
                outer = outer.around
            self._later((node.target, outer), (node.value, scope))
        elif isinstance(node, ast.alias):
            if node.name != "*":
                self._name(node.asname or node.name.partition(".")[0], scope, kept=True)
            self._later((node.name, scope), (node.asname, scope))
        elif isinstance(node, ast.Global | ast.Nonlocal):
            for name in node.names:
                scope.declared[name] = isinstance(node, ast.Global)
                self._name(name, scope, binds=False)
        elif isinstance(node, _FUNCTIONS):
            self._function(node, scope)
        elif isinstance(node, _COMPREHENSIONS):
            first, inner = node.generators[0].iter, _Scope("comprehension", scope)
            node.generators[0].iter = ast.Constant(None)
            self._later((first, scope), *self._fields(node, inner))
        elif isinstance(node, ast.ClassDef):
            self._name(node.name, scope)
            inner = _Scope("class", scope)
            around = [node.decorator_list, node.bases, node.keywords]
            self._later(*((part, scope) for part in around), (node.body, inner))
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            self._name(node.name, scope)
            self._later(*self._fields(node, scope, "name"))
        elif isinstance(node, ast.MatchMapping) and node.rest:
            self._name(node.rest, scope)
            self._later(*self._fields(node, scope, "rest"))
        else:
            self._later(*self._fields(node, scope))

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: _Scope) -> None:
        """A function: its parameters and its body have their own scope. Defaults, annotations and decorators do not."""
        inner, arguments = _Scope("function", scope), node.args
        if not isinstance(node, ast.Lambda):
            self._name(node.name, scope)
            self._later((node.decorator_list, scope), (node.returns, scope))
        kinds = (arguments.posonlyargs, arguments.args, [arguments.vararg], arguments.kwonlyargs, [arguments.kwarg])
        for kind in kinds:
            self._word(f"({len(kind)}")
            for argument in kind:
                if argument is None:
                    self._word("-")
                else:
                    self._name(argument.arg, inner)
                    self._later((argument.annotation, scope))
        self._later((arguments.defaults, scope), (arguments.kw_defaults, scope), (node.body, inner))

    @staticmethod
    def _fields(node: ast.AST, scope: _Scope, *but: str) -> list[tuple[object, _Scope]]:
        return [(getattr(node, name, None), scope) for name in node._fields if name not in (*_SILENT, *but)]


def _does_nothing(item: object) -> bool:
    """Whether it is a statement that does nothing: a docstring, another constant, or `pass`."""
    return isinstance(item, ast.Pass) or (isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant))


def _binding(scope: _Scope, name: str, module: _Scope) -> _Scope | None:
    """The scope whose name it is; None if that is none of the text, or its name stays."""
    of: _Scope | None = scope
    if name in scope.declared:
        of = module if scope.declared[name] else scope.around
    while of is not None and (name not in of.bound or (of.kind == "class" and of is not scope)):
        of = of.around
    return None if of is None or name in of.kept else of
