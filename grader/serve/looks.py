"""What is seen in a text while it is typed: what Python cannot read, and names that do not exist; and its layout by ruff.

The text is only read: it is never run, and nothing that it names is imported.
"""

from __future__ import annotations

import ast
import builtins
import difflib
import re
import shutil
import subprocess
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from pyflakes.checker import Checker
from pyflakes.messages import UndefinedName

from grader.locale.language import gettext
from grader.run.python import NEUTRAL
from grader.serve.names import Names
from grader.values.places import parsed

FILE = "stub.py"
LINE_LENGTH = 100
SECONDS_TO_FORMAT = 10
IMPORTS = {
    "jax": "import jax",
    "jnp": "import jax.numpy as jnp",
    "lax": "from jax import lax",
    "math": "import math",
    "nnx": "from flax import nnx",
    "np": "import numpy as np",
    "optax": "import optax",
    "partial": "from functools import partial",
}
"""The line that defines a name as everybody writes it."""

_CLOSE = 0.7
_NO_TEXT = re.compile("[\0\ud800-\udfff]")


class NotFormatted(Exception):
    """The text was not formatted; the message is a sentence that says why."""


@dataclass(frozen=True)
class Mark:
    """A part of the text, and a sentence about it. Lines count from 1; columns count characters, from 0."""

    line: int
    column: int
    end_line: int
    end_column: int
    says: str
    kind: Literal["error", "warning"] = "error"

    def document(self) -> dict[str, Any]:
        return asdict(self)


def look(text: str, names: Names) -> list[Mark]:
    """What is wrong in a text, in its order. A text that Python runs as it is meant has no marks.

    Args:
        text: any text. Where Python cannot read it, there is one mark that says so.
        names: the names that modules have; without a module, nothing is said about its names.
    """
    lines = _Lines(text)
    if found := _NO_TEXT.search(lines.text):
        at = lines.at(found.start())
        return [Mark(*at, at[0], at[1] + 1, gettext("A file of Python cannot hold this character."))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an escape that Python warns of is no fault
        try:
            tree = _parsed(lines.text)
        except SyntaxError as error:
            return [_unreadable(lines, error)]
        try:
            compile(lines.text, FILE, "exec", dont_inherit=True)  # it finds more: a `return` outside a function
        except SyntaxError as error:
            return [_unreadable(lines, error, in_bytes=True)]
        except (RecursionError, MemoryError):  # the limits of Python's own parser
            return [lines.whole(1, gettext("This text is nested too deeply for Python."))]
    try:
        marks = [*_undefined(tree, lines), *_missing(tree, lines, names)] if tree else []
    except RecursionError:  # Python can read it, and it is nested more deeply than can be followed here
        return []
    return sorted(marks, key=lambda mark: (mark.line, mark.column))


def _parsed(text: str) -> ast.Module | None:
    """The tree of a text; None where it is nested too deeply for one. Python may run such a text all the same.

    Raises:
        SyntaxError: if Python cannot read it.
    """
    try:
        return parsed(text)
    except (RecursionError, MemoryError):
        return None


class _Lines:
    """The lines of a text as the editor has them, and columns of Python in them."""

    def __init__(self, text: str) -> None:
        self.text = text.replace("\r\n", "\n").replace("\r", "\n")
        self._lines = self.text.split("\n")

    def line(self, number: int) -> str:
        return self._lines[number - 1]

    def at(self, offset: int) -> tuple[int, int]:
        before = self.text[:offset]
        return before.count("\n") + 1, offset - (before.rfind("\n") + 1)

    def column(self, number: int, in_bytes: int) -> int:
        """The column of a place that `ast` gives in bytes of UTF-8."""
        return len(self.line(self.clamped(number)).encode()[:in_bytes].decode(errors="ignore"))

    def clamped(self, number: int) -> int:
        return min(max(number, 1), len(self._lines))

    def whole(self, number: int, says: str) -> Mark:
        """A mark of a line, without its indentation."""
        held = self.line(number)
        return Mark(number, len(held) - len(held.lstrip()), number, len(held), says)

    def name(self, number: int, column: int, name: str, says: str) -> Mark:
        """A mark of a name, or of its whole line: in a string, Python 3.11 does not always say where a name stands."""
        number = self.clamped(number)
        end = column + len(name)
        there = self.line(number)[max(column, 0) : end] == name
        return Mark(number, column, number, end, says) if there else self.whole(number, says)


def _unreadable(lines: _Lines, error: SyntaxError, *, in_bytes: bool = False) -> Mark:
    """The mark of a syntax error. Python leaves out its place, or puts it behind the last line, at times."""
    says = gettext("Python cannot read this: {why}").format(why=error.msg)
    number = lines.clamped(error.lineno or 1)
    end = lines.clamped(error.end_lineno or number)
    first, last = (error.offset or 0) - 1, (error.end_offset or 0) - 1
    if in_bytes:
        first, last = lines.column(number, max(first, 0)), lines.column(end, max(last, 0))
    first = min(max(first, 0), len(lines.line(number)))
    last = min(last, len(lines.line(end)))
    if (end, last) <= (number, first):
        end, last = number, min(first + 1, len(lines.line(number)))
    if (end, last) == (number, first):  # the end of the line
        return lines.whole(number, says)
    return Mark(number, first, end, last, says)


def _undefined(tree: ast.Module, lines: _Lines) -> list[Mark]:
    """Names that nothing defines. One in an annotation need not be defined: Python may never evaluate it."""
    annotations = {id(node) for annotation in _annotations(tree) for node in ast.walk(annotation)}
    read = {
        (node.lineno, node.col_offset): node
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and id(node) not in annotations
    }
    known = {*_bound(tree), *(name for name in dir(builtins) if not name.startswith("_"))}
    marks: list[Mark] = []
    for message in Checker(tree, filename=FILE, withDoctest=False).messages:
        node = read.get((message.lineno, message.col))
        if isinstance(message, UndefinedName) and node is not None and node.id == message.message_args[0]:
            start = lines.column(node.lineno, node.col_offset)
            marks.append(lines.name(node.lineno, start, node.id, _says_undefined(node.id, known)))
    return marks


def _says_undefined(name: str, known: set[str]) -> str:
    if name in IMPORTS:
        return gettext("{name} is not defined. Add this line at the top: {line}").format(name=name, line=IMPORTS[name])
    if close := _nearest(name, known):
        return gettext("{name} is not defined. Did you mean {other}?").format(name=name, other=close)
    return gettext("{name} is not defined.").format(name=name)


def _nearest(name: str, known: set[str]) -> str:
    return next(iter(difflib.get_close_matches(name, sorted(known), n=1, cutoff=_CLOSE)), "")


def _annotations(tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        match node:
            case ast.arg(annotation=ast.expr() as annotation) | ast.AnnAssign(annotation=annotation):
                yield annotation
            case (
                ast.FunctionDef(returns=ast.expr() as annotation)
                | ast.AsyncFunctionDef(returns=ast.expr() as annotation)
            ):
                yield annotation
            case _:
                pass


def _bound(tree: ast.Module, *, imports: bool = True) -> Iterator[str]:
    """Each name that a text gives a value, with or without its imports."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name
            case ast.MatchMapping(rest=str(name)):
                yield name
            case ast.Global(names=several) | ast.Nonlocal(names=several):
                yield from several
            case ast.Import(names=several) | ast.ImportFrom(names=several) if imports:
                yield from (one.asname or one.name.partition(".")[0] for one in several)
            case _:
                pass


def _missing(tree: ast.Module, lines: _Lines, names: Names) -> Iterator[Mark]:
    """Names that a known module does not have. One that is tried, asked for or set by the text itself is not marked."""
    aliases = _aliases(tree)
    tries = [node for node in ast.walk(tree) if isinstance(node, ast.Try | ast.TryStar)]
    tried = {id(node) for one in tries for statement in one.body for node in ast.walk(statement)}
    mentioned = {
        node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    mentioned |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and not _is_read(node)}

    def lacks(module: str, name: str) -> bool:
        there = module not in names or name in names[module] or f"{module}.{name}" in names
        return not (there or name in mentioned or name.startswith("_") or name == "*")

    def module_of(node: ast.expr) -> str:
        match node:
            case ast.Name(id=name):
                return aliases.get(name, "")
            case ast.Attribute(value=value, attr=name):
                path = f"{module_of(value)}.{name}"
                return path if path in names else ""
            case _:
                return ""

    for node in ast.walk(tree):
        if id(node) in tried:
            continue
        match node:
            case ast.Attribute(attr=name) if lacks(module := module_of(node.value), name):
                number = node.end_lineno or node.lineno
                start = lines.column(number, node.end_col_offset or 0) - len(name)
                yield lines.name(number, start, name, _says_missing(module, name, names))
            case ast.ImportFrom(module=str(module), level=0, names=several):
                for one in several:
                    if lacks(module, one.name):
                        start = lines.column(one.lineno, one.col_offset)
                        yield lines.name(one.lineno, start, one.name, _says_missing(module, one.name, names))
            case _:
                pass


def _is_read(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Load)


def _says_missing(module: str, name: str, names: Names) -> str:
    if close := _nearest(name, {*names[module]}):
        said = gettext("{module} has no {name}. Did you mean {other}?")
        return said.format(module=module, name=name, other=close)
    return gettext("{module} has no {name}.").format(module=module, name=name)


def _aliases(tree: ast.Module) -> dict[str, str]:
    """The module that a name stands for, where it can stand for nothing else."""
    meant: defaultdict[str, set[str]] = defaultdict(set)
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=several):
                for one in several:
                    first = one.name.partition(".")[0]
                    meant[one.asname or first].add(one.name if one.asname else first)
            case ast.ImportFrom(module=str(module), level=0, names=several):
                for one in several:
                    meant[one.asname or one.name].add(f"{module}.{one.name}")
            case _:
                pass
    if "*" in meant:  # it may define any name
        return {}
    other = {*_bound(tree, imports=False)}
    return {name: next(iter(modules)) for name, modules in meant.items() if len(modules) == 1 and name not in other}


def formatted(text: str) -> str:
    """A text as ruff lays it out.

    Raises:
        NotFormatted: without ruff, or where it cannot read the text.
    """
    ruff = shutil.which("ruff", path=str(Path(sys.executable).parent)) or shutil.which("ruff")
    if ruff is None:
        raise NotFormatted(gettext("ruff is not installed. This installs it: pip install ruff"))
    options = ("--isolated", f"--line-length={LINE_LENGTH}", f"--stdin-filename={FILE}", "--quiet")
    try:
        given = text.encode()
        done = subprocess.run(
            [ruff, "format", *options, "-"], input=given, cwd=NEUTRAL, capture_output=True, timeout=SECONDS_TO_FORMAT
        )
    except UnicodeEncodeError:
        raise NotFormatted(gettext("The text holds a character that a file of Python cannot hold.")) from None
    except (OSError, subprocess.TimeoutExpired):
        raise NotFormatted(gettext("ruff did not answer.")) from None
    if done.returncode:
        raise NotFormatted(gettext("The text has a syntax error, so it was not formatted."))
    return done.stdout.decode()
