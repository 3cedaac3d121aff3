"""The commands on a whole class, `grader class ...`: what each takes, and which function runs it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from grader.commands.group import Group
from grader.commands.parameters import FreshSeed, Seconds, Size, checked_confine, common, running
from grader.kit.kit import Kit, KitError, find
from grader.options import CONFINES, FEEDBACK, Limits, Options, Policy

Command = Callable[..., int]
FORMATS = ("canvas", "check50", "csv", "dolos", "exercism", "github", "gradescope", "junit", "moodle")
SYSTEMS = ("gradescope", "classroom50")


class Names(click.ParamType[tuple[str, ...]]):
    """Names with commas between them, or one name."""

    name = "NAME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        return (
            value if isinstance(value, tuple) else tuple(part.strip() for part in str(value).split(",") if part.strip())
        )


def _names(option: str, text: str) -> Callable[[Command], Command]:
    return click.option(option, type=Names(), multiple=True, metavar="NAME[,NAME]...", help=text)


def _flat(given: tuple[tuple[str, ...], ...]) -> list[str]:
    return list(dict.fromkeys(name for names in given for name in names))


def on_gradebook(command: Command) -> Command:
    """What every command takes that reads a gradebook."""
    for change in (
        common,
        click.option("--json", is_flag=True, help="Print one JSON document, schema grader/class/1."),
        click.argument("gradebook", metavar="[GRADEBOOK]", required=False, type=click.Path(path_type=Path)),
    ):
        command = change(command)
    return command


@click.group(name="class", cls=Group, invoke_without_command=True)
@click.pass_context
def classroom(context: click.Context) -> None:
    """Grade a whole class, and keep its gradebook."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@classroom.command()
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
@_names("--problems", "Only these problems [else all of the kit].")
@click.option("--gradebook", type=click.Path(path_type=Path), metavar="FILE", help="[else FOLDER.gradebook, beside it]")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Answers at once [else one for each core].")
@click.option(
    "--confine",
    type=click.Choice(CONFINES),
    default="best",
    show_default=True,
    help="Sandbox (tiers: see `doctor`).",
)
@click.option(
    "--fresh",
    type=FreshSeed(),
    metavar="SEED",
    help="Seed of random inputs, kept for this class (off: none) [else drawn].",
)
@_names("--regrade", "Grade these problems again, though nothing changed.")
@click.option("--json", is_flag=True, help="Print one JSON document, schema grader/class/1.")
@running
def grade(
    folder: Path,
    problems: tuple[tuple[str, ...], ...],
    gradebook: Path | None,
    jobs: int | None,
    confine: str,
    fresh: int | None,
    regrade: tuple[tuple[str, ...], ...],
    json: bool,
    device: str,
    time_limit: float,
    memory_limit: int,
    kit: Path | None,
    no_color: bool,
) -> int:
    """Grade what is due in a FOLDER of what students handed in. Stopped at any moment, the same command goes on."""
    from grader.commands.class_grade import Asked, grade_class
    from grader.kit.shipped_stub import save_shipped

    found = find(kit)
    with contextlib.suppress(OSError):  # else any text that looks like a stub is taken for one
        save_shipped(found)
    policy = Policy(checked_confine(confine, device))
    options = Options(found, device, Limits(time_limit, memory_limit), policy, json, not no_color)
    return grade_class(options, Asked(folder, gradebook, _flat(problems), _flat(regrade), jobs, fresh))


@classroom.command()
@on_gradebook
def status(gradebook: Path | None, json: bool, kit: Path | None, no_color: bool) -> int:
    """Show what is graded, what is due, and what could not be read."""
    from grader.commands.class_status import show_status

    return show_status(gradebook, _kit(kit), json=json, colour=not no_color)


@classroom.command()
@on_gradebook
def changes(gradebook: Path | None, json: bool, kit: Path | None, no_color: bool) -> int:
    """Show whose verdict moved, since a problem or the way of grading last changed."""
    from grader.commands.class_status import show_changes

    return show_changes(gradebook, json=json, colour=not no_color)


@classroom.command()
@click.argument("gradebook", metavar="[GRADEBOOK]", required=False, type=click.Path(path_type=Path))
@click.option("--pages", type=click.Path(path_type=Path), metavar="DIR", help="Write a page for each student there.")
@click.option("--feedback", type=click.Choice(FEEDBACK), default="full", show_default=True, help="How much pages tell.")
@common
def report(gradebook: Path | None, pages: Path | None, feedback: str, kit: Path | None, no_color: bool) -> int:
    """Show what a class got wrong, alike and alone."""
    from grader.commands.class_report import report as show

    return show(gradebook, letters=pages, level=feedback, colour=not no_color)


@classroom.command()
@click.argument("form", metavar="FORMAT", type=click.Choice(FORMATS))
@click.argument("gradebook", metavar="[GRADEBOOK]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), metavar="PATH", help="The file or folder to write."
)
@click.option(
    "--points", metavar="RULE|FILE", help="Such as correct=1,imprecise=0.95, or a TOML file [else correct=1]."
)
@click.option("--roster", type=click.Path(path_type=Path), metavar="FILE", help="A CSV file that says who is who.")
@click.option("--title", default="", metavar="NAME", help="Of the assignment [else as the gradebook is called].")
@click.option("--into", type=click.Path(path_type=Path), metavar="FILE", help="canvas: the table that Canvas exported.")
@click.option("--feedback", type=click.Choice(FEEDBACK), default="full", show_default=True, help="How much is told.")
@common
def export(
    form: str,
    out: Path,
    gradebook: Path | None,
    points: str | None,
    roster: Path | None,
    title: str,
    into: Path | None,
    feedback: str,
    kit: Path | None,
    no_color: bool,
) -> int:
    """Write a gradebook in the FORMAT of another system."""
    from grader.commands.class_export import export_gradebook

    return export_gradebook(
        *(gradebook, form, out),
        points=points,
        level=feedback,
        title=title,
        into=into,
        kit=_kit(kit),
        roster=roster,
        colour=not no_color,
    )


@classroom.command()
@click.argument("system", metavar="SYSTEM", type=click.Choice(SYSTEMS))
@_names("--problems", "These problems [else all of the kit].")
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), metavar="PATH", help="The file or folder to write."
)
@click.option(
    "--points", metavar="RULE|FILE", help="Such as correct=1,imprecise=0.95, or a TOML file [else correct=1]."
)
@click.option("--feedback", type=click.Choice(FEEDBACK), default="full", show_default=True, help="How much is told.")
@click.option(
    "--confine",
    type=click.Choice(CONFINES),
    default="best",
    show_default=True,
    help="Sandbox there (tiers: see `doctor`).",
)
@click.option("--memory-limit", type=Size(), default="4G", show_default=True, help="Memory of an answer there.")
@click.option(
    "--time-limit",
    type=Seconds(),
    default="60",
    show_default=True,
    help="Seconds of processor time for an answer; five times these on the clock.",
)
@common
def autograder(
    system: str,
    problems: tuple[tuple[str, ...], ...],
    out: Path,
    points: str | None,
    feedback: str,
    confine: str,
    memory_limit: int,
    time_limit: float,
    kit: Path | None,
    no_color: bool,
) -> int:
    """Make an autograder that runs on another SYSTEM: gradescope (a zip) or classroom50 (a folder)."""
    from grader.commands.class_autograder import make_autograder

    policy = Policy(confine, None, feedback)
    options = Options(find(kit), "cpu", Limits(time_limit, memory_limit), policy, colour=not no_color)
    return make_autograder(options, system, _flat(problems), points, out)


@click.command()
@click.argument("source", metavar="-|FILE")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Answers at once [else one for each core].")
@common
def shard(source: str, jobs: int | None, kit: Path | None, no_color: bool) -> int:
    """Grade a part of a class for another process: a document in, a line of JSON out for each answer."""
    from grader.commands.shard import grade_shard

    return grade_shard(find(kit), source, jobs)


def _kit(given: Path | None) -> Kit | None:
    """The kit that is named, or the nearest; None if none is named or near: a gradebook can be read without it."""
    try:
        return find(given)
    except KitError:
        if given is not None:
            raise
        return None
