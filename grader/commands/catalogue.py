"""The problems of a kit in the order in which a learner meets them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.kit import statement
from grader.kit.kit import Kit, in_order, order_faults
from grader.kit.problem_error import ProblemError


@dataclass(frozen=True)
class Listed:
    """A problem as lists show it, with the text of its statement. If that cannot be read, `fault` is the reason."""

    name: str
    title: str = ""
    track: str = ""
    difficulty: str = ""
    after: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    text: str = ""
    fault: str = ""


def catalogue(kit: Kit) -> list[Listed]:
    """Every problem in the order in which a learner meets them, with broken ones last."""
    sound: dict[str, Listed] = {}
    broken: list[Listed] = []
    for name in kit.names:
        try:
            read = statement.read(kit.statement(name))
            sound[name] = Listed(name, read.title, read.track, read.difficulty, read.after, read.tags, read.body)
        except ProblemError as error:
            broken.append(Listed(name, fault=kit_relative(kit, str(error))))
    # A broken problem does not break those that come after it.
    unread = {one.name for one in broken}
    after = {name: [one for one in listed.after if one not in unread] for name, listed in sound.items()}
    for name, fault in order_faults(after).items():
        broken.append(Listed(name, fault=fault))
        del sound[name], after[name]
    after = {name: [one for one in before if one in after] for name, before in after.items()}
    order = in_order(after, {name: listed.track for name, listed in sound.items()})
    return [*(sound[name] for name in order), *broken]


def sound(listed: Sequence[Listed]) -> Mapping[str, Sequence[str]]:
    """The problems that can be solved, each with those that it builds on, in the order given."""
    return {one.name: one.after for one in listed if not one.fault}


def kit_relative(kit: Kit, text: str) -> str:
    """A message in which paths start at the kit's folder."""
    return text.replace(f"{kit.root}{os.sep}", "")
