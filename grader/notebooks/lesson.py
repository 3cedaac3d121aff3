"""A lesson as Markdown for a notebook: the statement, the stub to fill in, one hint after the other."""

from __future__ import annotations

import ast

from grader.commands.lesson import one_more
from grader.kit import progress as progress_file
from grader.kit import statement
from grader.kit.kit import Kit, KitError
from grader.kit.problem_error import ProblemError
from grader.kit.shipped_stub import translated
from grader.locale.language import gettext
from grader.options import Options


def lesson(kit: Kit, name: str) -> str:
    """The statement without its hints, then the stub.

    Raises:
        ProblemError: where the statement cannot be read.
    """
    title = gettext("The stub")
    said = gettext("Copy this into a cell, fill it in, and run it. Then: {command}")
    said = said.format(command=f'`grader.check("{name}")`')
    return f"{statement_of(kit, name)}\n## {title}\n\n{said}\n\n```python\n{stub_of(kit, name)}```\n"


def statement_of(kit: Kit, name: str) -> str:
    """The statement without its hints."""
    return statement.read(kit.statement(name)).without_hints


def stub_of(kit: Kit, name: str) -> str:
    """The shipped stub, without the text at its top, which is about files.

    Raises:
        KitError: where no stub is known.
    """
    text = translated(kit, name)
    if text is None:
        said = gettext("The shipped stub of {problem} is not known here: copy it from the kit's source.")
        raise KitError(said.format(problem=name))
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
        raise ProblemError(gettext("{file}: it has no hints").format(file=kit.opened(kit.statement(name))))
    taken = one_more(Options(kit), name, len(known))
    shown: list[str] = []
    for number, text in enumerate(known[:taken], start=1):
        heading = gettext("Hint {number} of {count}.").format(number=number, count=len(known))
        shown.append(f"**{heading}** {text}")
    if taken == len(known):
        spoil = () if name in progress_file.load(kit).solved else ("--spoil",)
        said = gettext("That was the last hint. The worked answer: {command}")
        shown.append(said.format(command=f"`!{kit.command('solution', name, *spoil)}`"))
    return "\n\n".join(shown) + "\n"
