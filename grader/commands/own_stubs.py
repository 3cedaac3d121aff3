"""Stubs that may be somebody else's: the learner is asked before one runs, and says once which are their own."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import click

from grader.commands.parameters import Given, common, names, spoken
from grader.kit import ownership
from grader.locale.language import gettext, ngettext
from grader.options import Options
from grader.report.terminal import Terminal


def allow_stubs(options: Options, names: Iterable[str], *, moves: bool = False) -> None:
    """Ask about stubs that nobody has called their own, before they run. Where nobody can answer, they are refused.

    Args:
        moves: whether they are moved away (see `ownership.doubts`), and do not run.

    Raises:
        KitError: one of them is not the learner's own; nothing is run then.
    """
    kit, names, runs = options.kit, list(names), not (moves or options.policy.confine)
    found = ownership.doubts(kit, names, runs=runs, moves=moves)
    if found and not options.json and sys.stdin.isatty() and sys.stderr.isatty():
        filled = [one for one in found if not one.link]
        for group in filter(None, [*([one] for one in found if one.link), filled]):
            asked = ngettext("Is it yours?", "Are they yours?", len(group))
            if click.confirm(f"{ownership.told(kit, group)} {asked}", err=True):
                ownership.own(kit, group)
    ownership.allow(kit, names, runs=runs, moves=moves)


@click.command()
@names
@spoken
@common
def trust(given: Given, names: tuple[str, ...]) -> int:
    """Keep that stubs are the learner's own: those named, or all that the grader would ask about."""
    options = given.options()
    kit, terminal = options.kit, Terminal.make(colour=options.colour)
    found = ownership.doubts(kit, [kit.resolve(name) for name in names] or kit.names, runs=True)
    ownership.own(kit, found)
    for one in found:
        said = gettext("{stub} is yours, and so is the link to {link}.") if one.link else gettext("{stub} is yours.")
        terminal.line(said.format(stub=kit.opened(kit.stub(one.name)), link=one.link))
    if not found:
        terminal.line(gettext("The grader asks about none of these stubs."))
    return 0
