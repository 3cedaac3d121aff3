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
    spoken,
    tell_kit,
    translated,
    users_language,
    without_places,
)
from grader.locale.language import ENGLISH, N_, NoSuchLanguage, gettext, use
from grader.notebooks.command import notebook
from grader.options import BEST, TIERS, NoSuchDevice, Unconfined
from grader.run.child import LaunchError
from grader.serve.command import serve

INTERRUPTED = 130


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    help=N_("Grade exercises in JAX and Flax, and name the mistake in a wrong answer."),
    epilog=N_(
        "`grader NAME...` is short for `grader check NAME...`; `grader` alone grades every answer that has changed."
    ),
)
@click.version_option(__version__, prog_name="grader")
def app() -> None: ...


@app.command(help=N_("Grade answers: those named, or all that changed."))
@names
@click.option(
    "--answer",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help=N_("Take this in place of the stub (repeatable)."),
)
@click.option("--json", is_flag=True, help=N_("Print one JSON document, schema grader/verdict/2."))
@no_picture
@drawing
@answering
def check(given: Given, names: tuple[str, ...], answer: tuple[Path, ...]) -> int:
    if names:  # without a name, it may be that no answer has changed
        import_jax(clean=bool(given.confine))
    from grader.commands.check import check as run_check

    options = given.options(distrusted=answer)
    status = run_check(options, names, answer)
    if answer and status != FAULT:
        tell_kit(options.kit)
    return status


@app.command(help=N_("Make a folder with all problems, ready to be filled in."))
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@spoken
@shared
def init(given: Given, folder: Path) -> int:
    from grader.commands.lesson import init as run_init

    return run_init(folder)


@app.command(name="list", help=N_("List the problems, and how each of them stands."))
@click.option(
    "--track", metavar="TEXT", default="", help=N_("Of this track [else of all]: its number, or a part of its name.")
)
@spoken
@common
def list_(given: Given, track: str) -> int:
    from grader.commands.check import list_problems

    return list_problems(given.options(), track)


@app.command(help=N_("Read a problem."))
@name_or_current
@spoken
@common
def show(given: Given, name: str | None) -> int:
    from grader.commands.lesson import show as run_show

    return run_show(given.options(), name)


@app.command(help=N_("Take one more hint."))
@name_or_current
@click.option("--all", "every", is_flag=True, help=N_("Every hint at once."))
@spoken
@common
def hint(given: Given, name: str | None, every: bool) -> int:
    from grader.commands.lesson import hint as run_hint

    return run_hint(given.options(), name, every=every)


@app.command(help=N_("Read the worked answer to a problem that you solved."))
@name_or_current
@click.option("--spoil", is_flag=True, help=N_("Even though it is not solved yet."))
@spoken
@common
def solution(given: Given, name: str | None, spoil: bool) -> int:
    from grader.commands.lesson import solution as run_solution

    return run_solution(given.options(), name, spoil=spoil)


@app.command(help=N_("Begin a problem again. Your text is kept."))
@name_or_current
@spoken
@common
def reset(given: Given, name: str | None) -> int:
    from grader.commands.lesson import reset as run_reset

    return run_reset(given.options(), name)


@app.command(help=N_("Say that stubs, or links in their place, are your own."))
@names
@spoken
@common
def trust(given: Given, names: tuple[str, ...]) -> int:
    from grader.commands.own_stubs import trust as run_trust

    return run_trust(given.options(), names)


@app.command(help=N_("Grade on every save, and go on to the next problem."))
@name_or_current
@no_picture
@drawing
@answering
def watch(given: Given, name: str | None) -> int:
    import_jax(clean=bool(given.confine))
    from grader.commands.watch import watch as run_watch

    return run_watch(given.options(), name)


@app.command()
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
    given: Given,
    names: tuple[str, ...],
    mutants: bool,
    watch: bool,
    answers: Path | None,
    tier_of_answers: str | None,
    translated: str | None,
) -> int:
    """Check that problems are sound, or that their translations are."""
    if answers is not None:
        if len(names) != 1 or mutants or watch or given.json or translated:
            raise click.UsageError(
                "--answers is for one problem, and prints a report: give a NAME, --tier, and limits alone"
            )
        import_jax(clean=True)
        from grader.commands.old_answers import audit_answers

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


@app.command()
@name
@click.option("--title", metavar="TEXT", help="What the problem is called.")
@click.option("--track", metavar="TEXT", help="Of this track [else you are asked].")
@click.option("--difficulty", metavar="LEVEL", help="easy, medium or hard.")
@click.option("--signature", metavar="LIST", help="Parameters after seed: 'T, d_model, rate: float'.")
@translated
@common
def new(
    given: Given,
    name: str,
    title: str | None,
    track: str | None,
    difficulty: str | None,
    signature: str | None,
    translated: str | None,
) -> int:
    """Begin a problem, or the translation of one."""
    from grader.commands.author import new_translation, run_new
    from grader.kit.kit import for_new

    if translated not in (None, ENGLISH):
        if title or track or difficulty or signature:
            raise click.UsageError("--lang begins a translation of a problem that is there: give its name alone")
        return new_translation(given.options(), name, translated)

    return run_new(given.options(for_new(given.kit)), name, title, track, difficulty, signature)


@app.command()
@click.argument("words", nargs=-1, metavar="DIR [NAME]...")
@click.option("--keys", is_flag=True, help="Write the keys alone, beside the statements; no DIR then.")
@without_places
@force
@common
def release(given: Given, words: tuple[str, ...], keys: bool, without_places: bool, force: bool) -> int:
    """Write a kit without solutions to DIR."""
    if not words and not keys:
        raise click.UsageError("Missing argument 'DIR'")
    if force and keys:
        raise click.UsageError("--force does nothing with --keys: a key that does not fit any more is always replaced")
    import_jax(clean=False)
    from grader.commands.author import release as run_release

    out, names = (None, words) if keys else (Path(words[0]), words[1:])
    return run_release(given.options(), names, out, force=force, places=not without_places)


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


@app.command(help=N_("Read a guide."))
@click.argument("topic", metavar="[TOPIC]", required=False)
@spoken
@shared
def guide(given: Given, topic: str | None) -> int:
    from grader.commands.lesson import show_guide

    return show_guide(topic, colour=given.colour)


@app.command(help=N_("Check the installation."))
@spoken
@running
def doctor(given: Given) -> int:
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
        use(users_language())
        status: Any = app(list(arguments), standalone_mode=False, prog_name="grader")
    except (LaunchError, NoSuchLanguage, Unconfined) as error:
        return fault(str(error))
    except NoSuchDevice as error:
        said = gettext("The device asked for is not there: {why}. `python -m grader doctor` lists those that are.")
        return fault(said.format(why=error))
    except click.ClickException as error:
        text = error.format_message().rstrip(".")
        end = "" if text.endswith("?") else "."
        then = gettext("`python -m grader --help` shows the commands, and `COMMAND --help` their options.")
        return fault(f"{text}{end} {then}")
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return INTERRUPTED
    except OSError as error:
        if error.errno != errno.ENOSPC or error.filename is not None:
            raise
        _discard_output()
        said = gettext("The output cannot be written: no space is left on its device. Make room, and run this again.")
        return fault(said)
    except Exception as error:
        from grader.kit.kit import KitError
        from grader.kit.problem_error import ProblemError

        if not isinstance(error, KitError | ProblemError):
            raise
        return fault(str(error))
    return status if isinstance(status, int) else 0


def _discard_output() -> None:
    """Nobody reads our output any more: give Python, which writes the rest of it at exit, somewhere to write."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
