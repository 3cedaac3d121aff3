"""The commands `lsp` and `mcp`: an editor or an assistant starts them, and speaks with them on standard input and output.

What speaks a protocol is imported only once it is known that its package is there.
"""

from __future__ import annotations

import sys

import click

from grader.commands.parameters import CommonOptions, answering, drawing, import_jax
from grader.kit.kit import KitError
from grader.kit.software import require
from grader.locale.language import gettext


@click.command()
@drawing
@answering
def lsp(given: CommonOptions) -> int:
    require("lsp", gettext("The language server needs {packages}. Install it: {command}"))
    _refuse_people(gettext("An editor starts this command, and speaks with it: `{command}` says how."), "editors")
    import_jax(clean=bool(given.confine))
    from grader.fronts.language_server import run

    return run(given.options())


def _refuse_people(said: str, guide: str) -> None:
    """Refuse to read a protocol from a terminal: nothing that somebody types there is one.

    Raises:
        KitError: if standard input is a terminal.
    """
    if sys.stdin.isatty():
        from grader.kit.kit import command

        raise KitError(said.format(command=command("guide", guide)))
