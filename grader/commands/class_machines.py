"""The commands that let other machines grade a class: `class shards`, `class record` and `shard`."""

from __future__ import annotations

from pathlib import Path

import click

from grader.commands.class_parameters import flat, grading, of_folder, reading
from grader.commands.parameters import checked_confine, common, import_jax, tell_kit


@click.command()
@click.option("--out", required=True, type=click.Path(path_type=Path), metavar="DIR", help="A new folder for them.")
@click.option(
    "--size", type=click.IntRange(1), default=20, show_default=True, metavar="N", help="The most answers in a shard."
)
@of_folder
def shards(
    folder: Path,
    layout: str | None,
    zone: str | None,
    assignment: str,
    roster: Path | None,
    teams: bool,
    problems: tuple[tuple[str, ...], ...],
    gradebook: Path | None,
    out: Path,
    size: int,
    confine: str,
    fresh: int | None,
    regrade: tuple[tuple[str, ...], ...],
    device: str,
    time_limit: float,
    memory_limit: int,
    kit: Path | None,
    no_color: bool,
) -> int:
    """Write what is due in a FOLDER as shards, which the jobs of a cluster grade."""
    from grader.commands.class_grade import Asked
    from grader.commands.class_shards import write_shards

    confine = checked_confine(confine, device)
    options = grading(folder, kit, confine, device, time_limit, memory_limit, json=False, colour=not no_color)
    how = reading(layout, zone, assignment)
    asked = Asked(folder, gradebook, flat(problems), flat(regrade), None, fresh, how, roster=roster, teams=teams)
    status = write_shards(options, asked, out, size)
    tell_kit(options.kit)
    return status


@click.command()
@click.argument("gradebook", metavar="GRADEBOOK", type=click.Path(path_type=Path))
@click.argument("results", metavar="FILE|DIR...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", is_flag=True, help="Print one JSON document, schema grader/class/1.")
@common
def record(gradebook: Path, results: tuple[Path, ...], json: bool, kit: Path | None, no_color: bool) -> int:
    """Record what came back from shards in their GRADEBOOK."""
    from grader.commands.class_record import record_results

    return record_results(gradebook, results, json=json, colour=not no_color)


@click.command()
@click.argument("source", metavar="-|FILE")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Answers at once [else one for each core].")
@common
def shard(source: str, jobs: int | None, kit: Path | None, no_color: bool) -> int:
    """Grade a part of a class for another process: a document in, a line of JSON out for each answer."""
    import_jax(clean=True)
    from grader.commands.shard import grade_shard
    from grader.kit.kit import find

    return grade_shard(find(kit), source, jobs)
