"""The commands `lsp` and `mcp`: an editor or an assistant starts them, and speaks with them on standard input and output.

What speaks a protocol is imported only once it is known that its package is there.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace

import click

from grader.commands.parameters import CommonOptions, answering, drawing, import_jax
from grader.kit.kit import KitError
from grader.kit.software import require
from grader.locale.language import gettext
from grader.options import DIAGNOSIS


@click.command()
@drawing
@answering
def lsp(given: CommonOptions) -> int:
    require("lsp", gettext("The language server needs {packages}. Install it: {command}"))
    _refuse_people(gettext("An editor starts this command, and speaks with it: `{command}` says how."), guide="editors")
    from grader.fronts.language_server import run, run_without_kit

    try:
        options = given.options()
    except KitError:
        if given.kit is None and "GRADER_KIT" not in os.environ:  # an editor starts it for every file of Python
            return run_without_kit()
        raise
    import_jax(clean=bool(given.confine))
    return run(options)


@click.command()
@drawing
@answering
def mcp(given: CommonOptions) -> int:
    require("mcp", gettext("The tools for an assistant need {packages}. Install it: {command}"))
    _refuse_people(
        gettext("An assistant starts this command, and speaks with it: `{command}` says how."), guide="assistant"
    )
    import_jax(clean=bool(given.confine))
    from grader.fronts.assistant_server import run

    return run(replace(given, feedback=given.feedback or DIAGNOSIS).options())


def _refuse_people(said: str, guide: str) -> None:
    """Refuse to read a protocol from a terminal: nothing that somebody types there is one.

    Raises:
        KitError: if standard input is a terminal.
    """
    if sys.stdin.isatty():
        from grader.kit.kit import command

        raise KitError(said.format(command=command("guide", guide)))
