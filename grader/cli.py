"""The command line: what each command takes, and which function of `commands/` runs it."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from grader import __version__
from grader.commands.classroom import classroom
from grader.commands.faults import FAULT, fault
from grader.commands.group import Commands
from grader.commands.inspection import picture, run_once, trace
from grader.commands.parameters import (
    Given,
    answering,
    common,
    drawing,
    force,
    import_jax,
    name,
    name_or_current,
    names,
    no_picture,
    prints_json,
    running,
    shared,
    tell_kit,
)
from grader.notebooks.command import notebook
from grader.options import NoSuchDevice, Unconfined
from grader.run.child import LaunchError
from grader.serve.command import serve

INTERRUPTED = 130


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    epilog="`grader NAME...` is short for `grader check NAME...`; `grader` alone grades every answer that has changed.",
)
@click.version_option(__version__, prog_name="grader")
def app() -> None:
    """Grade exercises in JAX and Flax, and name the mistake in a wrong answer."""


@app.command()
@names
@click.option(
    "--answer",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="Take this in place of the stub (repeatable).",
)
@prints_json("grader/verdict/2")
@no_picture
@drawing
@answering
def check(given: Given, names: tuple[str, ...], answer: tuple[Path, ...]) -> int:
    """Grade answers: those named, or all that changed."""
    if names:  # without a name, it may be that no answer has changed
        import_jax(clean=bool(given.confine))
    from grader.commands.check import check as run_check

    options = given.options(distrusted=answer)
    status = run_check(options, names, answer)
    if answer and status != FAULT:
        tell_kit(options.kit)
    return status


@app.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def init(folder: Path) -> int:
    """Make a folder with all problems, ready to be filled in."""
    from grader.commands.lesson import init as run_init

    return run_init(folder)


@app.command(name="list")
@click.option(
    "--track", metavar="TEXT", default="", help="Of this track [else of all]: its number, or a part of its name."
)
@common
def list_(given: Given, track: str) -> int:
    """List the problems, and how each of them stands."""
    from grader.commands.check import list_problems

    return list_problems(given.options(), track)


@app.command()
@name_or_current
@common
def show(given: Given, name: str | None) -> int:
    """Read a problem."""
    from grader.commands.lesson import show as run_show

    return run_show(given.options(), name)


@app.command()
@name_or_current
@click.option("--all", "every", is_flag=True, help="Every hint at once.")
@common
def hint(given: Given, name: str | None, every: bool) -> int:
    """Take one more hint."""
    from grader.commands.lesson import hint as run_hint

    return run_hint(given.options(), name, every=every)


@app.command()
@name_or_current
@click.option("--spoil", is_flag=True, help="Even though it is not solved yet.")
@common
def solution(given: Given, name: str | None, spoil: bool) -> int:
    """Read the worked answer to a problem that you solved."""
    from grader.commands.lesson import solution as run_solution

    return run_solution(given.options(), name, spoil=spoil)


@app.command()
@name_or_current
@common
def reset(given: Given, name: str | None) -> int:
    """Begin a problem again. Your text is kept."""
    from grader.commands.lesson import reset as run_reset

    return run_reset(given.options(), name)


@app.command()
@name_or_current
@no_picture
@drawing
@answering
def watch(given: Given, name: str | None) -> int:
    """Grade on every save, and go on to the next problem."""
    import_jax(clean=bool(given.confine))
    from grader.commands.watch import watch as run_watch

    return run_watch(given.options(), name)


@app.command()
@names
@click.option("--mutants", is_flag=True, help="Show every mutant that no pitfall names.")
@click.option("--watch", is_flag=True, help="Audit again whenever a file is saved.")
@prints_json("grader/audit/2")
@running
def audit(given: Given, names: tuple[str, ...], mutants: bool, watch: bool) -> int:
    """Check that problems are sound."""
    if watch and given.json:
        raise click.UsageError("--watch and --json do not go together: --json prints one document, and ends")
    import_jax(clean=False)
    from grader.commands.author import run_audit

    return run_audit(given.options(), names, mutants=mutants, watch=watch)


@app.command()
@name
@click.option("--title", metavar="TEXT", help="What the problem is called.")
@click.option("--track", metavar="TEXT", help="Of this track [else you are asked].")
@click.option("--difficulty", metavar="LEVEL", help="easy, medium or hard.")
@click.option("--signature", metavar="LIST", help="Parameters after seed: 'T, d_model, rate: float'.")
@common
def new(
    given: Given, name: str, title: str | None, track: str | None, difficulty: str | None, signature: str | None
) -> int:
    """Begin a problem."""
    from grader.commands.author import run_new
    from grader.kit.kit import for_new

    return run_new(given.options(for_new(given.kit)), name, title, track, difficulty, signature)


@app.command()
@click.argument("words", nargs=-1, metavar="DIR [NAME]...")
@click.option("--keys", is_flag=True, help="Write the keys alone, beside the statements; no DIR then.")
@force
@common
def release(given: Given, words: tuple[str, ...], keys: bool, force: bool) -> int:
    """Write a kit without solutions to DIR."""
    if not words and not keys:
        raise click.UsageError("Missing argument 'DIR'")
    if force and keys:
        raise click.UsageError("--force does nothing with --keys: a key that does not fit any more is always replaced")
    import_jax(clean=False)
    from grader.commands.author import release as run_release

    out, names = (None, words) if keys else (Path(words[0]), words[1:])
    return run_release(given.options(), names, out, force=force)


@app.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@names
@force
@common
def site(given: Given, folder: Path, names: tuple[str, ...], force: bool) -> int:
    """Write the problems as a site to DIR."""
    import_jax(clean=False)
    from grader.commands.site import site as run_site
    from grader.kit.kit import find

    return run_site(given.options(find(given.kit)), folder, names, force=force)


@app.command()
@click.argument("topic", metavar="[TOPIC]", required=False)
@shared
def guide(given: Given, topic: str | None) -> int:
    """Read a guide."""
    from grader.commands.lesson import show_guide

    return show_guide(topic, colour=given.colour)


@app.command()
@running
def doctor(given: Given) -> int:
    """Check the installation."""
    import_jax(clean=True)  # it tries the confinement
    from grader.commands.doctor import doctor as run_doctor

    return run_doctor(given.kit, given.device, given.limits, colour=given.colour)


for command in (run_once, trace, picture, classroom, notebook, serve):
    app.add_command(command)


def run(arguments: Sequence[str]) -> int:
    """Run one command line. Exit status 1: a graded answer is wrong; 2: a fault of usage or of the kit; 130: interrupted."""
    try:
        return _run(arguments)
    finally:
        from grader.kit.state import take_warnings

        for line in take_warnings():
            fault(line)


def _run(arguments: Sequence[str]) -> int:
    try:
        status: Any = app(list(arguments), standalone_mode=False, prog_name="grader")
    except (LaunchError, Unconfined) as error:
        return fault(str(error))
    except NoSuchDevice as error:
        return fault(f"The device asked for is not there: {error}. `python -m grader doctor` lists those that are.")
    except click.ClickException as error:
        text = error.format_message().rstrip(".")
        end = "" if text.endswith("?") else "."
        return fault(f"{text}{end} `python -m grader --help` shows the commands, and `COMMAND --help` their options.")
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return INTERRUPTED
    except OSError as error:
        if error.errno != errno.ENOSPC or error.filename is not None:
            raise
        _discard_output()
        return fault("The output cannot be written: no space is left on its device. Make room, and run this again.")
    except Exception as error:
        from grader.kit.kit import KitError
        from grader.kit.problem import ProblemError

        if not isinstance(error, KitError | ProblemError):
            raise
        return fault(str(error))
    return status if isinstance(status, int) else 0


def _discard_output() -> None:
    """Nobody reads our output any more: give Python, which writes the rest of it at exit, somewhere to write."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
