"""The command `audit`: proves problems sound, or grades old answers as those of a class are graded.

Its work is imported after the process that imports JAX was started, as that of `commands/running.py`.
"""

from __future__ import annotations

from pathlib import Path

import click

from grader.commands.parameters import CommonOptions, import_jax, names, prints_json, running, translated
from grader.locale.language import ENGLISH
from grader.options import BEST, TIERS


@click.command()
@names
@click.option("--mutants", is_flag=True, help="Show every mutant that no pitfall names.")
@click.option("--watch", is_flag=True, help="Audit again whenever a file is saved.")
@click.option(
    "--answers",
    type=click.Path(path_type=Path, exists=True),
    metavar="PATH",
    help="Grade old answers (a folder, archive or gradebook) with one problem: what is unexplained?",
)
@click.option(
    "--tier",
    "tier_of_answers",
    type=click.Choice(TIERS),
    help="Sandbox answers at this tier (see `doctor`) [else those of --answers at the better of A and B].",
)
@prints_json("grader/audit/2")
@translated
@running
def audit(
    given: CommonOptions,
    names: tuple[str, ...],
    mutants: bool,
    watch: bool,
    answers: Path | None,
    tier_of_answers: str | None,
    translated: str | None,
) -> int:
    if answers is not None:
        if len(names) != 1 or mutants or watch or given.json or translated:
            raise click.UsageError(
                "--answers is for one problem, and prints a report: give a NAME, --tier, and limits alone"
            )
        import_jax(clean=True)
        from grader.classroom.commands.old_answers import audit_answers

        return audit_answers(given.options(), names[0], answers, tier_of_answers or BEST)
    if tier_of_answers is not None:
        raise click.UsageError("--tier is for the answers of --answers: an audit runs the kit's own code")
    if watch and given.json:
        raise click.UsageError("--watch and --json do not go together: --json prints one document, and ends")
    if translated not in (None, ENGLISH):
        if mutants or watch:
            raise click.UsageError("--lang checks the translations alone: leave out --mutants and --watch")
        from grader.commands.author import audit_translations

        return audit_translations(given.options(), names, translated)
    import_jax(clean=False)
    from grader.commands.author import run_audit

    return run_audit(given.options(), names, mutants=mutants, watch=watch)
