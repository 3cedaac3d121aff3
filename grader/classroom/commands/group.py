"""The commands on a whole class, `grader class ...`: which function runs each, and the options that several take."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from grader.commands.group import CommandGroup, Later
from grader.commands.parameters import CommonOptions, drawing, import_jax, names, prints_json, running, tell_kit, tier
from grader.kit.kit import KitError

COMMANDS = (
    Later(
        "grade",
        "grader.classroom.commands.group:grade",
        "Grade the submissions in FOLDER. Safe to stop; run again to continue.",
    ),
    Later("status", "grader.classroom.commands.gradebook:status", "Show how a class stands."),
    Later("report", "grader.classroom.commands.report:report", "Summarise mistakes, and groups of equal answers."),
    Later("moved", "grader.classroom.commands.gradebook:moved", "Show whose verdict moved, and why."),
    Later("merge", "grader.classroom.commands.gradebook:merge", "Join gradebooks that were graded apart."),
    Later("export", "grader.classroom.commands.export:export", "Write grades in the FORMAT of another system."),
    Later(
        "autograder",
        "grader.classroom.commands.autograder:autograder",
        "Make an autograder for SYSTEM: gradescope or classroom50.",
    ),
    Later(
        "pitfall",
        "grader.classroom.commands.pitfall:pitfall",
        "Draft a pitfall from an unexplained answer.\n\nANSWER is an id of `class report`, or a student.",
    ),
)


@click.group(cls=CommandGroup, commands=COMMANDS, invoke_without_command=True)
@click.pass_context
def classroom(context: click.Context) -> None:
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


due_option = click.option(
    "--due",
    metavar="TIME",
    help="When answers were due, as '2026-09-24 23:59 Europe/Berlin' [else as the points file says].",
)

points_option = click.option(
    "--points", metavar="RULE|FILE", help="Such as correct=1,imprecise=0.95, or a TOML file: see the guide on classes."
)

roster_option = click.option(
    "--roster", type=click.Path(path_type=Path), metavar="FILE", help="A CSV file of the class: says who is who."
)


def known_layout(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Check the name of a layout. They are looked up when one is given, so that no other command imports them."""
    if value is not None:
        from grader.classroom.layouts import LAYOUTS

        if value not in LAYOUTS:
            raise click.BadParameter(f"{value!r} is not one of {', '.join(LAYOUTS)}.", context, parameter)
    return value


@click.command()
@click.argument("folder", metavar="FOLDER|ZIP", type=click.Path(path_type=Path))
@names
@click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="Answers at once [else one for each core].")
@click.option(
    "--engine", type=click.Choice(("local", "dask")), default="local", show_default=True, help="Which machines grade."
)
@click.option("--scheduler", metavar="ADDRESS", help="dask: where its scheduler listens, or the file that says so.")
@click.option("--student", "students", multiple=True, metavar="ID", help="Only this student (repeatable).")
@prints_json("grader/class/1")
@click.option(
    "--from", "layout", metavar="SYSTEM", callback=known_layout, help="Where the class comes from [else found]."
)
@roster_option
@click.option("--teams", is_flag=True, help="Teams handed in: the roster says who is in each.")
@points_option
@click.option("--fewer", is_flag=True, help="More than a third may be gone since it was read last.")
@click.option("--replace", "replacing", is_flag=True, help="Answers of another folder may be replaced by these.")
@click.option("--zone", metavar="ZONE", help="Of times that name none, as Europe/Berlin [else this machine's].")
@click.option("--assignment", default="", metavar="NAME", help="Of students' folders read this one alone.")
@click.option("--gradebook", type=click.Path(path_type=Path), metavar="FILE", help="[else FOLDER.gradebook, beside it]")
@tier
@drawing
@click.option("--regrade", is_flag=True, help="Grade these problems again, though nothing changed.")
@running
def grade(
    given: CommonOptions,
    folder: Path,
    layout: str | None,
    zone: str | None,
    assignment: str,
    names: tuple[str, ...],
    engine: str,
    scheduler: str | None,
    regrade: bool,
    **asked: Any,
) -> int:
    if scheduler is None:
        import_jax(clean=True)
    from grader.classroom.commands.grade import GradeRequest, grade_class
    from grader.classroom.late import zone_named
    from grader.classroom.layouts import LAYOUTS
    from grader.classroom.recognition import ReadAs

    if engine == "dask":
        check_dask(scheduler, given.confine)
    elif scheduler is not None:
        raise KitError("--scheduler is for --engine dask: give both, or neither.")
    # The gradebook holds the seed of a class.
    options = replace(given, fresh=False, seed=None).options(distrusted=[folder])
    how = ReadAs(LAYOUTS[layout] if layout else None, zone_named(zone) if zone else None, assignment)
    of = {"problems": names, "again": regrade, "how": how, "scheduler": scheduler}
    status = grade_class(options, GradeRequest(folder, fresh=given.fresh, seed=given.seed, **of, **asked))
    tell_kit(options.kit)
    return status


def check_dask(scheduler: str | None, confine: str) -> None:
    """Check that other machines can be asked to grade, before anything is read or made.

    Raises:
        KitError: where an option is missing, or one is dangerous there, or the package is not installed.
    """
    from grader.classroom.engines.dask import CONFINED, require

    if scheduler is None:
        raise KitError(
            "--engine dask needs --scheduler ADDRESS: the address that `dask scheduler` prints, as in tcp://10.0.0.1:8786."
        )
    if confine not in CONFINED:
        raise KitError(
            f"--engine dask does not go with --tier {confine}: an answer could connect to the scheduler, and run "
            "anything on all workers."
        )
    require()


def check_options(chosen: str, given: Mapping[str, object], heeds: Mapping[str, Collection[str]]) -> None:
    """Refuse an option that would do nothing.

    Args:
        given: the value of each option; None and nothing where it was not given.
        heeds: which options each form heeds.

    Raises:
        KitError: one of them is not heeded.
    """
    for option, value in given.items():
        if value not in (None, ()) and option not in heeds[chosen]:
            others = ", ".join(name for name, heeded in heeds.items() if option in heeded)
            raise KitError(f"{option} does nothing with {chosen}: it is for {others}.")
