"""Changes of right answers to a problem of this kit, as `practice` makes them."""

from __future__ import annotations

import ast

from grader.kit import solution
from grader.kit.kit import Kit
from grader.kit.shipped_stub import shipped
from grader.practice.changes import Change, proposals, written
from grader.practice.declared import declared_changes
from grader.practice.exercise import parameters
from tests.conftest import ROOT

KIT = Kit(ROOT)


def declared_in(name: str, text: str) -> list[Change]:
    """The mistakes of a problem in a text."""
    worked, stub = KIT.answer(name).read_text("utf-8"), shipped(KIT, name) or ""
    pitfalls = solution.read(name, KIT.answer(name), worked, KIT.words(name).read_text("utf-8")).pitfalls
    return list(declared_changes(text, stub, worked, pitfalls, parameters(stub, name)))


def general_in(name: str, text: str) -> list[Change]:
    """The other changes of a text."""
    return changes_of(text, shipped(KIT, name) or "")


def changes_of(text: str, stub: str) -> list[Change]:
    """The changes of a text that need no knowledge of its problem."""
    tree = ast.parse(text)
    made = (written(text, tree, proposal) for proposal in proposals(text, tree, stub))
    return [change for change in made if change is not None]
