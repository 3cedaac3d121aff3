"""What the command `page` takes."""

from __future__ import annotations

from pathlib import Path

import click

from grader.commands.parameters import common, import_jax, names
from grader.options import Options


@click.command()
@click.option("--out", required=True, type=click.Path(path_type=Path), metavar="DIR", help="The folder to write.")
@names
@click.option("--replace", is_flag=True, help="Write into DIR though it holds files that `page` did not write.")
@common
def page(out: Path, names: tuple[str, ...], replace: bool, kit: Path | None, no_color: bool) -> int:
    """Write the problems as a site."""
    import_jax(clean=False)
    from grader.commands.page import page as run_page
    from grader.kit.kit import find

    return run_page(Options(find(kit), colour=not no_color), out, names, replace=replace)
