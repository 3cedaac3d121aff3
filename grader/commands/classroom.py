"""The commands on a whole class, `grader class ...`: what each takes, and which function runs it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from grader.commands.class_parameters import (
    due_option,
    near_kit,
    of_folder,
    on_gradebook,
    points_option,
    reading,
    roster_option,
)
from grader.commands.group import Group
from grader.commands.parameters import (
    Given,
    check_force,
    common,
    gradebook,
    import_jax,
    limited,
    name,
    names,
    prints_json,
    shared,
    tell_kit,
    tells,
    tier,
    without_places,
    writes,
)

FORMATS = ("canvas", "csv", "json", "junit", "moodle")
SYSTEMS = ("gradescope", "classroom50")
PAGES, BACK = ("html", "markdown", "text"), ("canvas", "moodle")


@click.group(name="class", cls=Group, invoke_without_command=True)
@click.pass_context
def classroom(context: click.Context) -> None:
    """Grade a class, and report on it."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@classroom.command()
@click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="Answers at once [else one for each core].")
@click.option(
    "--engine", type=click.Choice(("local", "dask")), default="local", show_default=True, help="Which machines grade."
)
@click.option("--scheduler", metavar="ADDRESS", help="dask: where its scheduler listens, or the file that says so.")
@click.option("--student", "students", multiple=True, metavar="ID", help="Only this student (repeatable).")
@prints_json("grader/class/1")
@of_folder
def grade(
    given: Given,
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
    """Grade the submissions in FOLDER. Safe to stop; run again to continue."""
    if scheduler is None:
        import_jax(clean=True)
    from grader.commands.class_grade import Asked, grade_class
    from grader.kit.kit import KitError

    if engine == "dask":
        check_dask(scheduler, given.confine)
    elif scheduler is not None:
        raise KitError("--scheduler is for --engine dask: give both, or neither.")
    kept = (given.fresh, given.seed)  # the gradebook holds the seed of a class
    options = replace(given, fresh=False, seed=None).options(distrusted=[folder])
    how = reading(layout, zone, assignment)
    asked = Asked(
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
    from grader.kit.kit import KitError

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


@classroom.command()
@on_gradebook
def status(given: Given, gradebook: Path) -> int:
    """Show how a class stands."""
    from grader.commands.class_status import show_status

    return show_status(gradebook, near_kit(given.kit), json=given.json, colour=given.colour)


@classroom.command()
@gradebook
@writes("it is printed")
@prints_json("grader/class-report/1")
@click.option("--students", is_flag=True, help="Write a page for each student to the folder -o.")
@click.option("--student", "only", multiple=True, metavar="ID", help="Only this student (repeatable).")
@click.option("--page", type=click.Choice(PAGES), help="The form of a student's page [else html; for Canvas text].")
@click.option("--for", "back", type=click.Choice(BACK), help="With --students: the zip that goes back there.")
@points_option
@due_option
@roster_option
@click.option("--hide-ids", "hides", is_flag=True, help="Write codes in the place of ids.")
@click.option("--whose", metavar="CODE", help="Say whose a code is.")
@tells
@common
def report(
    given: Given,
    gradebook: Path,
    out: Path | None,
    force: bool,
    students: bool,
    only: tuple[str, ...],
    page: str | None,
    back: str | None,
    points: str | None,
    due: str | None,
    roster: Path | None,
    hides: bool,
    whose: str | None,
) -> int:
    """Summarise mistakes, and groups of equal answers."""
    check_force(out, force=force)
    from grader.commands.class_report import Form
    from grader.commands.class_report import report as show

    told = (out, given.json, students, only, given.feedback, points, due, force)
    form = Form(*told, roster=roster, page=page, back=back, hides=hides, whose=whose)
    return show(gradebook, form, kit=given.kit, colour=given.colour)


@classroom.command()
@gradebook
@click.option("--since", metavar="EXPORT", help="Only what moved since this file was exported [else all].")
@shared
def moved(given: Given, gradebook: Path, since: str | None) -> int:
    """Show whose verdict moved, and why."""
    from grader.commands.class_moved import show_moved

    return show_moved(gradebook, since, colour=given.colour)


@classroom.command()
@click.argument("gradebooks", metavar="GRADEBOOK...", nargs=-1, required=True, type=click.Path(path_type=Path))
@writes()
@shared
def merge(given: Given, gradebooks: tuple[Path, ...], out: Path, force: bool) -> int:
    """Join gradebooks that were graded apart."""
    from grader.commands.class_merge import merge_gradebooks

    return merge_gradebooks(gradebooks, out, force=force, colour=given.colour)


@classroom.command()
@gradebook
@click.argument("form", metavar="FORMAT", type=click.Choice(FORMATS))
@writes()
@points_option
@roster_option
@due_option
@click.option("--column", metavar="NAME", help="The assignment's name in the table [else that of the gradebook].")
@click.option(
    "--into",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The table to fill in: canvas: its gradebook; moodle: a grading worksheet.",
)
@click.option("--only-blank", is_flag=True, help="Fill in blank cells alone: a grade that stands in the table stays.")
@tells
@common
def export(
    given: Given,
    gradebook: Path,
    form: str,
    out: Path,
    force: bool,
    points: str | None,
    roster: Path | None,
    due: str | None,
    column: str | None,
    into: Path | None,
    only_blank: bool,
) -> int:
    """Write grades in the FORMAT of another system."""
    from grader.commands.class_export import export_gradebook

    return export_gradebook(
        *(gradebook, form, out),
        force=force,
        points=points,
        due=due,
        level=given.feedback,
        column=column,
        into=into,
        only_blank=only_blank,
        kit=near_kit(given.kit),
        roster=roster,
        colour=given.colour,
    )


@classroom.command()
@click.argument("system", metavar="SYSTEM", type=click.Choice(SYSTEMS))
@names
@writes()
@points_option
@without_places
@tells
@tier
@limited
@common
def autograder(
    given: Given,
    system: str,
    names: tuple[str, ...],
    out: Path,
    force: bool,
    points: str | None,
    without_places: bool,
) -> int:
    """Make an autograder for SYSTEM: gradescope or classroom50."""
    from grader.commands.class_autograder import make_autograder

    options = given.options()
    status = make_autograder(options, system, names, points, out, force=force, places=not without_places)
    tell_kit(options.kit)
    return status


@classroom.command()
@gradebook
@name
@click.argument("answer", metavar="ANSWER")
@click.option("--as", "accepted", metavar="MISTAKE", help="Write it into the worked answer so named [else show it].")
@common
def pitfall(given: Given, gradebook: Path, name: str, answer: str, accepted: str | None) -> int:
    """Draft a pitfall from an unexplained answer.

    ANSWER is an id of `class report`, or a student.
    """
    from grader.commands.pitfall import begin

    options = given.options()
    status = begin(options.kit, gradebook, name, answer, accepted, colour=given.colour)
    tell_kit(options.kit)
    return status
