"""The commands that look into one call of an answer: `run`, `trace` and `picture`. They begin as those of `running` do."""

from __future__ import annotations

from pathlib import Path

import click

from grader.commands.group import FAULT
from grader.commands.parameters import (
    CommonOptions,
    answering,
    check_force,
    confining,
    import_jax,
    name_or_current,
    spoken,
    tell_kit,
    writes,
)
from grader.locale.language import N_
from grader.options import Options

answer_option = click.option(
    "--answer", type=click.Path(path_type=Path), metavar="FILE", help=N_("Take this in place of the stub.")
)


def _options(given: CommonOptions, answer: Path | None) -> Options:
    return given.options(distrusted=[answer] if answer else ())


def _told(status: int, options: Options, answer: Path | None) -> int:
    if answer and status != FAULT:
        tell_kit(options.kit)
    return status


@click.command()
@click.argument("words", nargs=-1, metavar="[NAME] [ARGUMENT=VALUE]...")
@answer_option
@spoken
@confining
def run_once(given: CommonOptions, words: tuple[str, ...], answer: Path | None) -> int:
    import_jax(clean=bool(given.confine))
    from grader.commands.lesson import chosen_problem
    from grader.commands.run import run

    options = _options(given, answer)
    named = words[:1] if words and "=" not in words[0] else ()
    name = chosen_problem(options, *named or (None,))
    return _told(run(options, name, words[len(named) :], answer), options, answer)


@click.command()
@name_or_current
@click.option("--case", type=int, metavar="N", help=N_("The number of the case [else a small one]."))
@answer_option
@answering
def trace(given: CommonOptions, name: str | None, case: int | None, answer: Path | None) -> int:
    import_jax(clean=bool(given.confine))
    from grader.commands.lesson import chosen_problem
    from grader.commands.trace import trace as run_trace

    options = _options(given, answer)
    return _told(run_trace(options, chosen_problem(options, name), case, answer), options, answer)


@click.command()
@name_or_current
@click.option("--case", type=int, metavar="N", help=N_("The number of the case [else one that shows much]."))
@answer_option
@click.option(
    "--of", type=click.Choice(("expected", "yours", "difference")), help=N_("Draw this alone [else all three].")
)
@writes(told=N_("Where to write it [else it is printed]."))
@answering
def picture(
    given: CommonOptions,
    name: str | None,
    case: int | None,
    answer: Path | None,
    of: str | None,
    out: Path | None,
    force: bool,
) -> int:
    check_force(out, force=force)
    import_jax(clean=bool(given.confine))
    from grader.commands.lesson import chosen_problem
    from grader.commands.picture import PictureRequest, draw

    options = _options(given, answer)
    return _told(
        draw(options, PictureRequest(chosen_problem(options, name), case, answer, of, out, force)), options, answer
    )
