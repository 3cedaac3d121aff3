"""A lesson as Markdown for a notebook: the statement, the stub to fill in, one hint after the other."""

from __future__ import annotations

import ast

from grader.commands.lesson import one_more
from grader.kit import progress as progress_file
from grader.kit import statement
from grader.kit.kit import Kit, KitError
from grader.kit.problem import ProblemError
from grader.kit.shipped_stub import shipped
from grader.options import Options


def lesson(kit: Kit, name: str) -> str:
    """The statement without its hints, then the stub.

    Raises:
        ProblemError: where the statement cannot be read.
    """
    said = f'Copy this into a cell, fill it in, and run it. Then: `grader.check("{name}")`'
    return f"{statement_of(kit, name)}\n## The stub\n\n{said}\n\n```python\n{stub_of(kit, name)}```\n"


def statement_of(kit: Kit, name: str) -> str:
    """The statement without its hints."""
    return statement.read(kit.statement(name)).without_hints


def stub_of(kit: Kit, name: str) -> str:
    """The shipped stub, without the text at its top, which is about files.

    Raises:
        KitError: where no stub is known.
    """
    text = shipped(kit, name)
    if text is None:
        raise KitError(f"The shipped stub of {name} is not known here: copy it from the kit's source.")
    body = ast.parse(text).body
    if ast.get_docstring(ast.parse(text)) is None:
        return text
    return "\n".join(text.split("\n")[body[0].end_lineno or 0 :]).lstrip("\n")


def hints(kit: Kit, name: str) -> str:
    """The hints that were taken before, and one more.

    Raises:
        ProblemError: where the statement has none.
    """
    known = statement.read(kit.statement(name)).hints
    if not known:
        raise ProblemError(f"{kit.opened(kit.statement(name))}: it has no hints")
    taken = one_more(Options(kit), name, len(known))
    shown = [f"**Hint {number} of {len(known)}.** {text}" for number, text in enumerate(known[:taken], start=1)]
    if taken == len(known):
        spoil = () if name in progress_file.load(kit).solved else ("--spoil",)
        shown.append(f"That was the last hint. The worked answer: `!{kit.command('solution', name, *spoil)}`")
    return "\n\n".join(shown) + "\n"
