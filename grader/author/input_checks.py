"""Checks that the section "Inputs" of a statement says what the problem declares of its arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from grader.author.finding import Finding
from grader.author.statement_checks import Page, page, section
from grader.kit.kit import Kit
from grader.kit.statement import Heading

HEADING = Heading.INPUTS.value


def check_inputs(
    kit: Kit, name: str, facts: Mapping[str, Sequence[Sequence[str]]], related: Sequence[Sequence[str]]
) -> Iterator[Finding]:
    """Check that "Inputs" has an entry for each argument with its facts, and names arguments that go together in one entry.

    Args:
        facts: of each argument, what its entry must say; each fact may be said in several ways.
        related: the arguments of each relation.
    """
    read = page(kit, kit.statement(name))
    if not isinstance(read, Page):
        return
    text = section(kit, name, HEADING)
    if not text:
        return  # the check of sections says so
    entries = _entries(text)
    line = read.line(f"## {HEADING}")
    for argument, due in facts.items():
        said = entries.get(argument)
        if said is None:
            yield Finding("inputs", read.shown, line, f"{HEADING!r} has no entry that begins with `{argument}`")
            continue
        for ways in due:
            if not any(re.search(rf"\b{re.escape(way)}(?!\w|[.]\d)", said) for way in ways):
                message = f"{HEADING!r} does not say of `{argument}` that it is {ways[0]}, as is declared"
                yield Finding("inputs", read.shown, line, message)
    for names in related:
        if not any(all(f"`{one}`" in piece for one in names) for piece in _pieces(text)):
            together = " and ".join(f"`{one}`" for one in names)
            message = f"{HEADING!r} does not say how {together} go together: name them in one entry"
            yield Finding("inputs", read.shown, line, message)


def _entries(text: str) -> dict[str, str]:
    """What the entries of the list say, each under every argument that it begins with."""
    entries: dict[str, str] = {}
    for piece in _pieces(text):
        begins, _, said = piece.removeprefix("- ").partition(":")
        if piece.startswith("- "):
            entries.update(dict.fromkeys(re.findall(r"`(\w+)`", begins), said))
    return entries


def _pieces(text: str) -> list[str]:
    """The entries of the list and the paragraphs, each in one line."""
    return [" ".join(piece.split()) for piece in re.split(r"\n\n|\n(?=- )", text)]
