"""The commands that are sure to run something: `check`, `watch`, `practice`, `release`, `site`, `doctor`, `report`.

Each starts the process that imports JAX as soon as its options are read, and imports the rest of itself meanwhile. So this
module imports little at its top, and what a command needs in its function.
"""

from __future__ import annotations

from pathlib import Path

import click

from grader.commands.group import FAULT
from grader.commands.parameters import (
    CommonOptions,
    SiteAddress,
    answering,
    common,
    concise,
    confining,
    drawing,
    force,
    import_jax,
    name,
    name_or_current,
    names,
    no_picture,
    running,
    spoken,
    tell_kit,
    without_places,
)
from grader.kit.kit import find
from grader.locale.language import N_, gettext
from grader.options import FEEDBACK


@click.command()
@names
@click.option(
    "--answer",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help=N_("Take this in place of the stub (repeatable)."),
)
@click.option("--json", is_flag=True, help=N_("Print one JSON document, schema grader/verdict/2."))
@concise
@no_picture
@drawing
@answering
def check(given: CommonOptions, names: tuple[str, ...], answer: tuple[Path, ...]) -> int:
    if given.json and given.concise:
        raise click.UsageError(gettext("--json and --format concise print in two ways: give one of them"))
    if names:  # without a name, it may be that no answer has changed
        import_jax(clean=bool(given.confine))
    from grader.commands.check import check as run_check

    options = given.options(distrusted=answer)
    status = run_check(options, names, answer)
    if answer and status != FAULT:
        tell_kit(options.kit)
    return status


@click.command()
@name_or_current
@concise
@no_picture
@drawing
@answering
def watch(given: CommonOptions, name: str | None) -> int:
    import_jax(clean=bool(given.confine))
    from grader.commands.watch import watch as run_watch

    return run_watch(given.options(), name)


@click.command()
@click.argument("words", nargs=-1, metavar="DIR [NAME]...")
@click.option("--keys", is_flag=True, help="Write the keys alone, beside the statements; no DIR then.")
@without_places
@force
@common
def release(given: CommonOptions, words: tuple[str, ...], keys: bool, without_places: bool, force: bool) -> int:
    if not words and not keys:
        raise click.UsageError("Missing argument 'DIR'")
    if force and keys:
        raise click.UsageError("--force does nothing with --keys: a key that does not fit any more is always replaced")
    import_jax(clean=False)
    from grader.commands.author import release as run_release

    out, names = (None, words) if keys else (Path(words[0]), words[1:])
    return run_release(given.options(), names, out, force=force, places=not without_places)


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@names
@click.option(
    "--base",
    type=SiteAddress(),
    help=N_("Where it will be on the web: it gets a sitemap, and previews of shared links."),
)
@force
@common
def site(given: CommonOptions, folder: Path, names: tuple[str, ...], base: str | None, force: bool) -> int:
    import_jax(clean=False)
    from grader.commands.site import site as run_site

    return run_site(given.options(find(given.kit)), folder, names, base=base or "", force=force)


@click.command()
@spoken
@running
def doctor(given: CommonOptions) -> int:
    import_jax(clean=True)  # it tries the confinement
    from grader.commands.doctor import doctor as run_doctor

    return run_doctor(given.kit, given.device, given.limits, colour=given.colour)


@click.command()
@name_or_current
@click.option("--hint", is_flag=True, help=N_("Take one more hint; the last one tells the change."))
@click.option("--give-up", is_flag=True, help=N_("End the exercise, and see the change."))
@click.option("--again", is_flag=True, help=N_("Write the text of the exercise again."))
@click.option("--worked", is_flag=True, help=N_("Begin an exercise on the worked answer."))
@click.option("--track", metavar="TEXT", default="", help=N_("Of this track [else one exercise], for ten minutes."))
@click.option("--list", "listed", is_flag=True, help=N_("List what was practised, and what is due."))
@click.option(
    "--feedback",
    type=click.Choice(FEEDBACK),
    help=N_("How much a report shows [else full], once an exercise has ended."),
)
@spoken
@confining
def practice(given: CommonOptions, name: str | None, track: str, listed: bool, **moves: bool) -> int:
    asked = [move.replace("_", "-") for move, is_asked in moves.items() if is_asked]
    ways = [*asked, *(["track"] if track else []), *(["list"] if listed else [])]
    if len(ways) > 1:
        named = " ".join(f"--{way}" for way in ways)
        raise click.UsageError(gettext("{options}: give one of them").format(options=named))
    if name and (listed or track):
        raise click.UsageError(gettext("--list and --track take no NAME"))
    if not listed and not {*asked} & {"hint", "give-up", "again"}:
        import_jax(clean=bool(given.confine))
    from grader.commands.practice import Move, PracticeRequest, list_exercises, practise

    if listed:
        return list_exercises(given.options())
    return practise(given.options(), PracticeRequest(name, Move("".join(asked)), track))


@click.command()
@name
@click.option("--answer", type=click.Path(path_type=Path), metavar="FILE", help=N_("Take this in place of the stub."))
@drawing
@spoken
@confining
def report(given: CommonOptions, name: str, answer: Path | None) -> int:
    import_jax(clean=bool(given.confine))
    from grader.commands.report import report as run_report

    return run_report(given.options(distrusted=[answer] if answer else ()), name, answer)
