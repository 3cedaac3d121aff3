"""The commands on a whole class, `grader class ...`: what each takes, and which function runs it."""

from __future__ import annotations

from pathlib import Path

import click

from grader.commands.class_parameters import (
    due_option,
    grading,
    near_kit,
    of_folder,
    on_gradebook,
    reading,
)
from grader.commands.group import Group
from grader.commands.parameters import (
    check_force,
    common,
    confinement,
    gradebook,
    import_jax,
    kit_at,
    limited,
    name,
    names,
    tell_kit,
    tier,
    writes,
)
from grader.options import FEEDBACK, Limits, Options, Policy

FORMATS = ("canvas", "csv", "json", "junit", "moodle")
SYSTEMS = ("gradescope", "classroom50")


@click.group(name="class", cls=Group, invoke_without_command=True)
@click.pass_context
def classroom(context: click.Context) -> None:
    """Grade a class, and report on it."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@classroom.command()
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Answers at once [else one for each core].")
@click.option(
    "--engine", type=click.Choice(("local", "dask")), default="local", show_default=True, help="Which machines grade."
)
@click.option("--scheduler", metavar="ADDRESS", help="dask: where its scheduler listens, or the file that says so.")
@click.option("--student", "students", multiple=True, metavar="ID", help="Grade the answers of this student alone.")
@click.option("--json", is_flag=True, help="Print one JSON document, schema grader/class/1.")
@of_folder
def grade(
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
    students: tuple[str, ...],
    tier: str | None,
    fresh: int | None,
    regrade: bool,
    json: bool,
    device: str,
    cpu_limit: float,
    timeout: float | None,
    memory_limit: int,
    kit: Path | None,
    no_color: bool,
) -> int:
    """Grade the submissions in FOLDER. Safe to stop; run again to continue."""
    confine = confinement(tier, device)
    if scheduler is None:
        import_jax(clean=True)
    from grader.commands.class_grade import Asked, grade_class
    from grader.kit.kit import KitError

    if engine == "dask":
        from grader.commands.class_engine import check_dask

        check_dask(scheduler, confine)
    elif scheduler is not None:
        raise KitError("--scheduler is for --engine dask: give both, or neither.")
    options = grading(
        folder, kit, confine, device, Limits(cpu_limit, memory_limit, timeout), json=json, colour=not no_color
    )
    how = reading(layout, zone, assignment)
    asked = Asked(*(folder, gradebook, names, regrade, jobs, fresh, how, scheduler, roster, students, teams))
    status = grade_class(options, asked)
    tell_kit(options.kit)
    return status


@classroom.command()
@on_gradebook
def status(gradebook: Path, json: bool, kit: Path | None, no_color: bool) -> int:
    """Show how a class stands."""
    from grader.commands.class_status import show_status

    return show_status(gradebook, near_kit(kit), json=json, colour=not no_color)


@classroom.command()
@gradebook
@writes("it is printed")
@click.option("--json", is_flag=True, help="Print one JSON document, schema grader/class-report/1.")
@click.option("--students", is_flag=True, help="Write a page for each student to the folder -o.")
@click.option("--student", "only", multiple=True, metavar="ID", help="With --students: for this one alone.")
@click.option("--points", metavar="RULE|FILE", help="As for `class export`.")
@due_option
@click.option("--feedback", type=click.Choice(FEEDBACK), help="With --students: how much is told [else full].")
@common
def report(
    gradebook: Path,
    out: Path | None,
    force: bool,
    json: bool,
    students: bool,
    only: tuple[str, ...],
    points: str | None,
    due: str | None,
    feedback: str | None,
    kit: Path | None,
    no_color: bool,
) -> int:
    """Summarise mistakes, and groups of equal answers."""
    check_force(out, force=force)
    from grader.commands.class_report import Form
    from grader.commands.class_report import report as show

    form = Form(out, json, students, only, feedback, points, due, force)
    return show(gradebook, form, kit=kit, colour=not no_color)


@classroom.command()
@click.argument("gradebooks", metavar="GRADEBOOK...", nargs=-1, required=True, type=click.Path(path_type=Path))
@writes()
@click.option("--no-color", is_flag=True, help="Print without colour.")
def merge(gradebooks: tuple[Path, ...], out: Path, force: bool, no_color: bool) -> int:
    """Join gradebooks that were graded apart."""
    from grader.commands.class_merge import merge_gradebooks

    return merge_gradebooks(gradebooks, out, force=force, colour=not no_color)


@classroom.command()
@gradebook
@click.argument("form", metavar="FORMAT", type=click.Choice(FORMATS))
@writes()
@click.option(
    "--points", metavar="RULE|FILE", help="Such as correct=1,imprecise=0.95, or a TOML file [else correct=1]."
)
@click.option("--roster", type=click.Path(path_type=Path), metavar="FILE", help="A CSV file that says who is who.")
@due_option
@click.option("--column", metavar="NAME", help="The assignment's name in the table [else that of the gradebook].")
@click.option(
    "--into",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The table to fill in: canvas: its gradebook; moodle: a grading worksheet.",
)
@click.option("--feedback", type=click.Choice(FEEDBACK), help="How much is told [else full].")
@common
def export(
    gradebook: Path,
    form: str,
    out: Path,
    force: bool,
    points: str | None,
    roster: Path | None,
    due: str | None,
    column: str | None,
    into: Path | None,
    feedback: str | None,
    kit: Path | None,
    no_color: bool,
) -> int:
    """Write grades in the FORMAT of another system."""
    from grader.commands.class_export import export_gradebook

    return export_gradebook(
        *(gradebook, form, out),
        force=force,
        points=points,
        due=due,
        level=feedback,
        column=column,
        into=into,
        kit=near_kit(kit),
        roster=roster,
        colour=not no_color,
    )


@classroom.command()
@click.argument("system", metavar="SYSTEM", type=click.Choice(SYSTEMS))
@names
@writes()
@click.option(
    "--points", metavar="RULE|FILE", help="Such as correct=1,imprecise=0.95, or a TOML file [else correct=1]."
)
@click.option("--feedback", type=click.Choice(FEEDBACK), default="full", show_default=True, help="How much is told.")
@tier
@limited
@common
def autograder(
    system: str,
    names: tuple[str, ...],
    out: Path,
    force: bool,
    points: str | None,
    feedback: str,
    tier: str | None,
    cpu_limit: float,
    timeout: float | None,
    memory_limit: int,
    kit: Path | None,
    no_color: bool,
) -> int:
    """Make an autograder for SYSTEM: gradescope or classroom50."""
    from grader.commands.class_autograder import make_autograder

    policy = Policy(confinement(tier, "cpu"), None, feedback)
    options = Options(kit_at(kit), "cpu", Limits(cpu_limit, memory_limit, timeout), policy, colour=not no_color)
    status = make_autograder(options, system, names, points, out, force=force)
    tell_kit(options.kit)
    return status


@classroom.command()
@gradebook
@name
@click.argument("answer", metavar="ANSWER")
@click.option("--as", "accepted", metavar="MISTAKE", help="Write it into the worked answer so named [else show it].")
@common
def pitfall(gradebook: Path, name: str, answer: str, accepted: str | None, kit: Path | None, no_color: bool) -> int:
    """Draft a pitfall from an unexplained answer.

    ANSWER is an id of `class report`, or a student.
    """
    from grader.commands.pitfall import begin

    found = kit_at(kit)
    status = begin(found, gradebook, name, answer, accepted, colour=not no_color)
    tell_kit(found)
    return status
