"""The commands on a whole class, `grader class ...`: what each takes, and which function runs it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from grader.classroom.commands.class_options import of_folder, reading
from grader.commands.group import CommandGroup, Later
from grader.commands.parameters import CommonOptions, import_jax, prints_json, tell_kit
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


@click.command()
@click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="Answers at once [else one for each core].")
@click.option(
    "--engine", type=click.Choice(("local", "dask")), default="local", show_default=True, help="Which machines grade."
)
@click.option("--scheduler", metavar="ADDRESS", help="dask: where its scheduler listens, or the file that says so.")
@click.option("--student", "students", multiple=True, metavar="ID", help="Only this student (repeatable).")
@prints_json("grader/class/1")
@of_folder
def grade(
    given: CommonOptions,
    folder: Path,
    layout: str | None,
    zone: str | None,
    assignment: str,
    names: tuple[str, ...],
    gradebook: Path | None,
    jobs: int | None,
    engine: str,
    scheduler: str | None,
    roster: Path | None,
    teams: bool,
    points: str | None,
    replacing: bool,
    fewer: bool,
    students: tuple[str, ...],
    regrade: bool,
) -> int:
    if scheduler is None:
        import_jax(clean=True)
    from grader.classroom.commands.grade import GradeRequest, grade_class

    if engine == "dask":
        check_dask(scheduler, given.confine)
    elif scheduler is not None:
        raise KitError("--scheduler is for --engine dask: give both, or neither.")
    kept = (given.fresh, given.seed)  # the gradebook holds the seed of a class
    options = replace(given, fresh=False, seed=None).options(distrusted=[folder])
    how = reading(layout, zone, assignment)
    asked = GradeRequest(
        *(folder, gradebook, names, regrade, jobs, *kept, how, scheduler, roster, students, teams),
        *(points, replacing, fewer),
    )
    status = grade_class(options, asked)
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
