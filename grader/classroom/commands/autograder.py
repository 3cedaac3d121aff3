"""`class autograder`: an autograder that runs on another system, made from problems and their keys, and tried once."""

from __future__ import annotations

import math
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click

from grader.classroom.autograder import bundle, trial
from grader.classroom.autograder.student_grading import Settings, in_words
from grader.classroom.commands.group import points_option
from grader.classroom.points import Points, check_whole, read_points
from grader.commands.console import progress_bar
from grader.commands.parameters import (
    CommonOptions,
    common,
    limited,
    names,
    tell_kit,
    tells,
    tier,
    without_places,
    writes,
)
from grader.kit.files import size_text
from grader.kit.kit import KitError
from grader.kit.output import check_new, write_new
from grader.kit.text import visible
from grader.options import Options
from grader.report.terminal import Terminal

SYSTEMS = GRADESCOPE, CLASSROOM50 = "gradescope", "classroom50"

MEMORY_STEP = 256 << 20
"""Memory is proposed in multiples of this."""

MARGIN = 1.5
"""How much more memory is proposed than the worked answers took: students' answers often take more."""

USUAL_MEMORY = 768 << 20
"""Bytes that Gradescope gives an autograder, unless another number is set."""

USUAL_TIMEOUT = 10
"""Minutes that Gradescope gives an autograder, unless another number is set."""


@click.command()
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
    given: CommonOptions,
    system: str,
    names: tuple[str, ...],
    out: Path,
    force: bool,
    points: str | None,
    without_places: bool,
) -> int:
    """Make an autograder, try it on the worked answers, and write it. Returns the exit status.

    Raises:
        KitError: something is at `out` already, or the autograder cannot be made, or it fails its trial.
        ProblemError: a problem has a fault.
    """
    options, places = given.options(), not without_places
    kit = options.kit
    chosen = list(dict.fromkeys(map(kit.resolve, names))) or list(kit.names)
    rule = read_points(points)
    _check(rule, points, chosen, system)
    check_new(out, force=force, folder=system == CLASSROOM50)
    own = {name: in_words(own_rule) for name, own_rule in rule.own.items()}
    settings = Settings(tuple(chosen), in_words(rule.default), own, options.limits, options.policy)
    with tempfile.TemporaryDirectory(prefix="autograder-") as scratch:
        with progress_bar(options, len(chosen), "Keys") as bar:
            bundle.make_kit(kit, chosen, Path(scratch), bar.advance, places=places)
        files = bundle.bundle(settings, Path(scratch))
    made = bundle.for_gradescope(files) if system == GRADESCOPE else bundle.for_classroom50(files)
    tried = None
    if trial.has_answers(kit, chosen):
        with progress_bar(options, 1, "Trying it"):
            tried = trial.try_out(files, settings, kit)
    write_new(out, made, force=force, private=True)
    _tell(options, system, out, settings, tried, places=places)
    tell_kit(kit)
    return 0


def _check(rule: Points, given: str | None, names: Sequence[str], system: str) -> None:
    if unknown := sorted(set(rule.own) - set(names)):
        raise KitError(f"{given} has points for {unknown[0]}, which is not among the problems.")
    if rule.keys:
        raise KitError(
            f"{given} has {', '.join(rule.keys)}, which an autograder cannot use: its system counts what is late, which "
            "attempt counts, and what holds for single students. Give it a file with `points` and [problems] alone."
        )
    if system == CLASSROOM50:
        check_whole(rule, names, "Classroom 50")


def _tell(
    options: Options, system: str, out: Path, settings: Settings, tried: trial.AutograderTrial | None, *, places: bool
) -> None:
    terminal = Terminal.make(colour=options.colour)
    count = len(settings.problems)
    size = sum(path.stat().st_size for path in ([out] if out.is_file() else out.iterdir()))
    problems = "1 problem, with its key" if count == 1 else f"{count} problems, with their keys"
    terminal.to_do(f"Written: {visible(str(out))} ({size_text(size)}): {problems} and no solutions.")
    if tried is None:
        terminal.line("It was not tried, and its memory is not known: this kit has no worked answers.")
    else:
        took = f"{tried.seconds:.0f} s and {size_text(tried.peak)} of memory"
        terminal.line(f"Tried here on the worked answers: all are right, in {took}; confinement: tier {tried.tier}.")
    terminal.line()
    if system == CLASSROOM50:
        terminal.line(
            "Next: put both files where the autograder of the assignment is, and set `python` of its runtime to "
            f"{sys.version_info[0]}.{sys.version_info[1]}. They get published: the keys hold the expected values of the "
            f"cases{', and the steps of the worked answers, which --without-places leaves out' if places else ''}."
        )
        return
    if tried is not None:
        room = math.ceil(tried.peak * MARGIN / MEMORY_STEP) * MEMORY_STEP
        enough = (
            f"the usual {size_text(USUAL_MEMORY)} is enough" if room <= USUAL_MEMORY else f"{size_text(room)} or more"
        )
        terminal.line(
            f"Memory to set on Gradescope: {enough}, if students' answers need no more than half as much again."
        )
    longest = math.ceil(count * options.limits.clock / 60)
    if longest > USUAL_TIMEOUT:
        terminal.line(
            f"Time to set: if every answer waits until its limit on the clock, a run takes {longest} min, and Gradescope "
            f"gives {USUAL_TIMEOUT} if nothing is set. A smaller --timeout shortens it."
        )
    terminal.line(
        "Next: upload it as the autograder of the assignment. The output that only you see tells its confinement."
    )
