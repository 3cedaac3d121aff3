"""Remarks on an answer: what its text shows, and what only its process knows. All their words are made here.

The process of an answer sends facts and no words: nobody could tell its words from those of the grader.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grader.marking.verdict import LONG_TRACE, LOOP_REMOVED, PRINTS, UNUSED_UPDATE, X64, XOR, Described, Insight
from grader.values.message import Message, lines_field, message, plural_message, sentences
from grader.values.places import parsed

SMALL_TRACE = 80
"""A trace of up to this many operations is never called long."""

LONG_TRACE_GROWTH = 2.0
"""A trace that is longer than the first case's by this factor comes from a Python loop over a size."""

LONGEST_NAME = 100
"""The most characters of the name of what prints."""

_PRINTING = ("print", "pprint", "breakpoint")
_PRINTING_METHODS = ("print", "pprint")


@dataclass(frozen=True)
class Remark:
    """What an answer's process says of its own program, or keeps silent about. What its sentence does not need is empty.

    Attributes:
        name: X64, NOT_TRACEABLE, LONG_TRACE or LOOP_REMOVED.
        line: of a loop that JAX removes; 0 if it is not known.
        changes: whether such a loop changes what it carries.
        sizes: the operations in the traces of the first cases. The last of them makes the trace a long one.
        stopped: the exception that stops the trace.
    """

    name: str
    line: int = 0
    changes: bool = False
    sizes: tuple[int, ...] = ()
    stopped: Described | None = None


def of_process(remark: Remark, parameters: Sequence[str], cases: Sequence[Sequence[int | float]]) -> Insight:
    """A remark of an answer's process in words.

    Args:
        parameters, cases: the names of the arguments, and those of each call.
    """
    if remark.name == X64:
        said = message(
            "It turns on `jax_enable_x64`, and the grader turned that off again. With 64 bits JAX draws other random "
            "numbers, and gives other dtypes, than the problem asks for."
        )
    elif remark.name == LOOP_REMOVED:
        said = _removed(remark)
    elif remark.name == LONG_TRACE:
        said = _long(remark.sizes, parameters, cases)
    else:
        assert remark.stopped is not None
        said = _stopped(remark.stopped)
    return Insight(remark.name, said)


def grows(sizes: Sequence[int]) -> bool:
    """Whether the last of some traces is so long that its length follows from a size; `sizes` are their operations."""
    return sizes[-1] > max(SMALL_TRACE, LONG_TRACE_GROWTH * sizes[0])


def _removed(loop: Remark) -> Message:
    match bool(loop.line), loop.changes:
        case True, True:
            said = message(
                "The loop at {line} gives nothing that the result depends on: JAX removes such a loop, even an endless one."
            )
        case True, False:
            said = message(
                "The loop at {line} changes nothing that it carries: JAX removes such a loop, even an endless one."
            )
        case False, True:
            said = message(
                "A loop gives nothing that the result depends on: JAX removes such a loop, even an endless one."
            )
        case _:
            said = message("A loop changes nothing that it carries: JAX removes such a loop, even an endless one.")
    return said.with_fields(line=lines_field([loop.line]))


def _long(sizes: Sequence[int], parameters: Sequence[str], cases: Sequence[Sequence[int | float]]) -> Message:
    if not grows(sizes):
        return plural_message(
            "Its trace is long ({operations} operations in the first case), so it runs operation by operation.",
            "Its trace is long ({operations} operations in the first {count} cases), so it runs operation by operation.",
            len(sizes),
            operations=sum(sizes),
        )
    first, later = (
        ", ".join(f"{name}={value}" for name, value in zip(parameters, case, strict=True))
        for case in (cases[0], cases[len(sizes) - 1])
    )
    return message(
        "Its trace grows with the sizes ({count} operations at {arguments}; {later_count} at {later_arguments}), "
        "as that of a Python loop or a recursion does. Operations on whole arrays compile in one piece.",
        count=sizes[0],
        arguments=first,
        later_count=sizes[-1],
        later_arguments=later,
    )


def _stopped(error: Described) -> Message:
    from grader.marking.advice import advice_for  # here and not above: the process of an answer does without

    # The message is the answer's own text, and has no place in a sentence of the grader.
    said = message("It does not trace under jax.jit ({error}).", error=error.kind)
    return sentences(said, advice_for(error))


def of_text(text: str) -> list[Insight]:
    """Whether an answer prints, where it uses `^`, and where it drops a changed array; nothing if it is not Python."""
    nodes = _nodes(text)
    found: list[Insight] = []
    if printing := _first_printing(nodes):
        said = message(
            "It uses `{name}`. Its cases ran as written, one by one without jax.jit, so that each prints its own numbers.",
            name=printing,
        )
        found.append(Insight(PRINTS, said))
    operations = [node for node in nodes if isinstance(node, ast.BinOp | ast.AugAssign)]
    if lines := [node.lineno for node in operations if isinstance(node.op, ast.BitXor)]:
        said = message("The code at {line} uses `^`. In Python this is bitwise exclusive or; a power is written `**`.")
        found.append(_at(XOR, said, min(lines)))
    if lines := [node.lineno for node in nodes if isinstance(node, ast.Expr) and _updates(node.value)]:
        said = message(
            "The result of {line} is not used. `.at[].set()` changes nothing: it returns a new array. Assign it, as in "
            "x = x.at[i].set(value)."
        )
        found.append(_at(UNUSED_UPDATE, said, min(lines)))
    return found


def prints(text: str) -> bool:
    """Whether an answer prints, as far as its text shows it."""
    return bool(_first_printing(_nodes(text)))


def _at(name: str, said: Message, line: int) -> Insight:
    return Insight(name, said.with_fields(line=lines_field([line])))


def _nodes(text: str) -> list[ast.AST]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a warning of the answer's text does not concern the person who grades
        try:
            return list(ast.walk(parsed(text)))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return []


def _first_printing(nodes: Iterable[ast.AST]) -> str:
    return next((name for name in map(_printing, nodes) if name), "")


def _printing(node: ast.AST) -> str:
    """The name of what prints, such as `print` or `jax.debug.print`; empty if this is none."""
    match node:
        case ast.Name(id=name) if name in _PRINTING:
            return name
        case ast.Attribute(attr=name, value=inner) if name in _PRINTING_METHODS:
            whole = name
            while isinstance(inner, ast.Attribute) and len(whole) <= LONGEST_NAME:
                whole, inner = f"{inner.attr}.{whole}", inner.value
            whole = f"{inner.id}.{whole}" if isinstance(inner, ast.Name) else ""
            return whole if 0 < len(whole) <= LONGEST_NAME else name
        case _:
            return ""


def _updates(node: ast.expr) -> bool:
    """Whether it is a call like `x.at[i].set(value)`."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Subscript(value=ast.Attribute(attr="at")), attr=name)):
            return name != "get"
        case _:
            return False
