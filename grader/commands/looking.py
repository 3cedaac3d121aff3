"""The commands that look into one call of an answer: `run`, `trace` and `picture`."""

from __future__ import annotations

from pathlib import Path

import click

from grader.commands.faults import FAULT
from grader.commands.parameters import (
    answering,
    check_force,
    confinement,
    confining,
    import_jax,
    kit_at,
    name,
    tell_kit,
    writes,
)
from grader.options import Limits, Options, Policy


@click.command(name="run")
@name
@click.argument("given", nargs=-1, metavar="[ARGUMENT=VALUE]...")
@click.option("--answer", type=click.Path(path_type=Path), metavar="FILE", help="Call this instead.")
@confining
def run_once(
    name: str,
    given: tuple[str, ...],
    answer: Path | None,
    confine: bool,
    tier: str | None,
    device: str,
    cpu_limit: float,
    timeout: float | None,
    memory_limit: int,
    kit: Path | None,
    no_color: bool,
) -> int:
    """Call an answer once, as in `run NAME T=3`, and show what it gives."""
    policy = Policy(confinement(tier, device, confine=confine))
    import_jax(clean=bool(policy.confine))
    from grader.commands.run import run

    found = kit_at(kit, [answer] if answer and policy.confine else ())
    options = Options(found, device, Limits(cpu_limit, memory_limit, timeout), policy, colour=not no_color)
    status = run(options, name, given, answer)
    if answer and status != FAULT:
        tell_kit(found)
    return status


@click.command()
@name
@click.option("--case", type=int, metavar="N", help="The number of the case [else a small one].")
@click.option("--answer", type=click.Path(path_type=Path), metavar="FILE", help="Walk through this instead.")
@answering
def trace(
    name: str,
    case: int | None,
    answer: Path | None,
    confine: bool,
    tier: str | None,
    feedback: str,
    device: str,
    cpu_limit: float,
    timeout: float | None,
    memory_limit: int,
    kit: Path | None,
    no_color: bool,
) -> int:
    """Show what each line of an answer makes."""
    policy = Policy(confinement(tier, device, confine=confine), None, feedback)
    import_jax(clean=bool(policy.confine))
    from grader.commands.trace import trace as run_trace

    found = kit_at(kit, [answer] if answer and policy.confine else ())
    options = Options(found, device, Limits(cpu_limit, memory_limit, timeout), policy, colour=not no_color)
    status = run_trace(options, name, case, answer)
    if answer and status != FAULT:
        tell_kit(found)
    return status


@click.command()
@name
@click.option("--case", type=int, metavar="N", help="The number of the case [else one that shows much].")
@click.option("--answer", type=click.Path(path_type=Path), metavar="FILE", help="Draw what this gives instead.")
@click.option("--of", type=click.Choice(("expected", "yours", "difference")), help="Draw this alone [else all three].")
@writes("it is printed")
@answering
def picture(
    name: str,
    case: int | None,
    answer: Path | None,
    of: str | None,
    out: Path | None,
    force: bool,
    confine: bool,
    tier: str | None,
    feedback: str,
    device: str,
    cpu_limit: float,
    timeout: float | None,
    memory_limit: int,
    kit: Path | None,
    no_color: bool,
) -> int:
    """Draw what an answer gives, beside what is expected."""
    check_force(out, force=force)
    policy = Policy(confinement(tier, device, confine=confine), None, feedback)
    import_jax(clean=bool(policy.confine))
    from grader.commands.picture import Asked, draw

    found = kit_at(kit, [answer] if answer and policy.confine else ())
    options = Options(found, device, Limits(cpu_limit, memory_limit, timeout), policy, colour=not no_color)
    status = draw(options, Asked(name, case, answer, of, out, force))
    if answer and status != FAULT:
        tell_kit(found)
    return status
