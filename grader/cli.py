"""The command line: which commands there are, and in which module each of them says what it takes."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from grader import __version__
from grader.commands.group import Commands, Later, fault
from grader.commands.parameters import users_language
from grader.kit.kit import KitError
from grader.kit.problem_error import ProblemError
from grader.locale.language import N_, NoSuchLanguage, gettext, use_language
from grader.options import NoSuchDevice, Unconfined
from grader.run.child import LaunchError

INTERRUPTED = 130

COMMANDS = (
    Later("check", "grader.commands.running:check", N_("Grade answers: those named, or all that changed.")),
    Later("init", "grader.commands.lesson:init", N_("Make a folder with all problems, ready to be filled in.")),
    Later("list", "grader.commands.check:list_", N_("List the problems, and how each of them stands.")),
    Later("show", "grader.commands.lesson:show", N_("Read a problem.")),
    Later("hint", "grader.commands.lesson:hint", N_("Take one more hint.")),
    Later("solution", "grader.commands.lesson:solution", N_("Read the worked answer to a problem that you solved.")),
    Later(
        "practice",
        "grader.commands.running:practice",
        N_("Find a mistake in your own right answer; what was solved comes back after days."),
    ),
    Later("reset", "grader.commands.lesson:reset", N_("Begin a problem again. Your text is kept.")),
    Later("trust", "grader.commands.console:trust", N_("Say that stubs, or links in their place, are your own.")),
    Later("watch", "grader.commands.running:watch", N_("Grade on every save, and go on to the next problem.")),
    Later(
        "audit",
        "grader.classroom.commands.audit:audit",
        "Check that problems are sound, or that their translations are.",
    ),
    Later("new", "grader.commands.author:new", "Begin a problem, or the translation of one."),
    Later("release", "grader.commands.running:release", "Write a kit without solutions to DIR."),
    Later("site", "grader.commands.running:site", "Write the problems as a site to DIR."),
    Later("guide", "grader.commands.lesson:guide", N_("Read a guide.")),
    Later("doctor", "grader.commands.running:doctor", N_("Check the installation.")),
    Later(
        "report", "grader.commands.running:report", N_("Print an answer and its verdict, to report a wrong verdict.")
    ),
    Later(
        "run",
        "grader.commands.inspection:run_once",
        N_("Call an answer once, as in `run NAME T=3`, and show what it gives."),
    ),
    Later("trace", "grader.commands.inspection:trace", N_("Show what each line of an answer makes.")),
    Later("picture", "grader.commands.inspection:picture", N_("Draw what an answer gives, beside what is expected.")),
    Later("class", "grader.classroom.commands.group:classroom", "Grade a class, and report on it."),
    Later("notebook", "grader.notebooks.command:notebook", "Write problems as notebooks for Jupyter and Colab."),
    Later("serve", "grader.serve.command:serve", N_("Read, write and grade in the browser.")),
    Later("lsp", "grader.fronts.command:lsp", N_("Mark mistakes in your editor: a language server.")),
    Later(
        "mcp", "grader.fronts.command:mcp", N_("Give an assistant the facts on your answers, without the solutions.")
    ),
)


@click.group(
    cls=Commands,
    commands=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    help=N_("Grade exercises in JAX and Flax, and name the mistake in a wrong answer."),
    epilog=N_(
        "`grader NAME...` is short for `grader check NAME...`; `grader` alone grades every answer that has changed."
    ),
)
@click.version_option(__version__, prog_name="grader")
def app() -> None: ...


def run(arguments: Sequence[str]) -> int:
    """Run one command line. Exit status 1: a graded answer is wrong; 2: a fault of usage or of the kit; 130: interrupted."""
    try:
        return _run(arguments)
    finally:
        from grader.kit.state import take_warnings  # it takes long, and what starts JAX waits for the top of this file

        for line in take_warnings():
            fault(line)


def _run(arguments: Sequence[str]) -> int:
    try:
        use_language(users_language())
        status: Any = app(list(arguments), standalone_mode=False, prog_name="grader")
    except (KitError, ProblemError, LaunchError, NoSuchLanguage, Unconfined) as error:
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
    return status if isinstance(status, int) else 0


def _discard_output() -> None:
    """Nobody reads our output any more: give Python, which writes the rest of it at exit, somewhere to write."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
