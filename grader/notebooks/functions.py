"""What notebooks and scripts call: `grader.check` and its like. What goes wrong is told in one line, by a `KitError`."""

from __future__ import annotations

import contextlib
import functools
import inspect
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from grader.kit.kit import Kit, KitError, find
from grader.kit.kit_files import KitFiles
from grader.kit.problem_error import ProblemError
from grader.kit.shipped_stub import save_shipped
from grader.kit.state import take_warnings
from grader.locale.language import NoSuchLanguage, gettext, language, language_of_user, ngettext, use_language
from grader.notebooks.displays import ProblemsDisplay, TextDisplay, VerdictDisplay
from grader.options import CONFINES, FEEDBACK, FULL, Limits, Options

Given = ParamSpec("Given")
Result = TypeVar("Result")

Name = str | Callable[..., Any]
"""A problem: its name, or the function of that name. In marimo, a function has the cell run again when it changes."""


def _one_line(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """Have every fault raised here, without the frames in which it was found."""

    @functools.wraps(function)
    def called(*arguments: Given.args, **options: Given.kwargs) -> Result:
        try:
            use_language(language_of_user(None))  # until a kit is found, which may choose another language
            return function(*arguments, **options)
        except (KitError, NoSuchLanguage, ProblemError) as error:
            raise KitError(str(error)) from None

    return called


@_one_line
def check(
    name: Name | None = None,
    *,
    confine: str = "",
    seed: int | None = None,
    cpu_limit: float | str = Limits.seconds,
    feedback: str = FULL,
    kit: str | os.PathLike[str] | None = None,
) -> VerdictDisplay:
    """Grade the function of that name as its text stands in the notebook, or in the file that calls this.

    The newest definition counts, with the imports, functions, classes and simple assignments that it needs. Nothing is run
    to find them. The answer runs in a process of its own, as with `python -m grader`.

    Args:
        name: of the problem; or the function itself. Without it, the current problem is meant.
        confine: sandbox the answer: `best`, `A`, `B` or `C` (see the guide on security).
        seed: of random inputs beyond the cases; without it there are none.
        cpu_limit: seconds of processor time, or a text such as "2m".
        feedback: how much is told: `full`, `numbers`, `diagnosis` or `verdict`.
        kit: its folder; else that of the environment variable GRADER_KIT, else the nearest one upwards.

    Returns:
        the verdict. It is true if the answer is right.

    Raises:
        KitError: if there is no kit, no such problem or function; if an option does not fit; for a fault of the kit.
    """
    from grader.notebooks import answer, judge_client
    from grader.notebooks.messages import JudgeRequest

    found_kit, problem = _chosen(kit, name)
    options = (_one_of("confine", confine, ("", *CONFINES)), _seed(seed), _seconds(cpu_limit))
    feedback = _one_of("feedback", feedback, FEEDBACK)
    found = answer.find(problem, _names_of_the_caller())
    text, origin = found.text, found.origin.as_text()
    asked = JudgeRequest(str(found_kit.root), problem, text, origin, found.shown, *options, feedback, language())
    told = judge_client.ask(asked)
    _warn(told.notes)
    if told.verdict is None:
        raise KitError(told.fault)
    return VerdictDisplay(told.verdict, told.device, tuple(filter(None, (told.following, told.in_force))), told.picture)


@_one_line
def show(name: Name | None = None, *, kit: str | os.PathLike[str] | None = None) -> TextDisplay:
    """The statement of a problem, with the stub to copy into a cell. Without a name, of the current problem.

    Raises:
        KitError: if there is no kit, or no such problem.
    """
    from grader.notebooks.lesson_notebook import lesson_text

    return TextDisplay(lesson_text(*_chosen(kit, name)))


@_one_line
def hint(name: Name | None = None, *, kit: str | os.PathLike[str] | None = None) -> TextDisplay:
    """The hints that were taken before, and one more. Without a name, to the current problem.

    Raises:
        KitError: if there is no kit, no such problem, or no hint.
    """
    from grader.notebooks.lesson_notebook import lesson_hints

    return TextDisplay(lesson_hints(*_chosen(kit, name)))


@_one_line
def problems(*, kit: str | os.PathLike[str] | None = None) -> ProblemsDisplay:
    """The table of problems, with what is solved.

    Raises:
        KitError: if there is no kit.
    """
    from grader.commands.learner import catalogue, problem_rows
    from grader.kit import progress

    options = Options(_kit(kit))
    files = KitFiles(options.kit)
    table = problem_rows(options, files, catalogue(options.kit, files), progress.load(options.kit))
    _warn(take_warnings())
    # What a notebook solved is in no stub.
    solved = [row.solved and row.status == "unattempted" for row in table]
    return ProblemsDisplay(
        tuple(replace(row, status="solved", remark="") if is_ else row for row, is_ in zip(table, solved, strict=True))
    )


@_one_line
def init(folder: str | os.PathLike[str]) -> str:
    """Have a kit: where none is found, make one in a folder. From then on it is the kit of this process.

    Returns:
        a line that says which kit it is.

    Raises:
        KitError: if the folder holds something else, or cannot be written.
    """
    from grader.kit import shipped_kit

    path = Path(folder).absolute()
    try:
        found, made = find(path if (path / "problems").is_dir() else None), False
    except KitError:
        found, made = shipped_kit.copy_kit(path), True
    use_language(language_of_user(found.root))
    os.environ["GRADER_KIT"] = str(found.root)  # commands that are run from a cell find it too
    count = len(found.names)
    if made:
        said = ngettext("Made a kit of {count} problem: {folder}", "Made a kit of {count} problems: {folder}", count)
    else:
        said = ngettext("Found a kit of {count} problem: {folder}", "Found a kit of {count} problems: {folder}", count)
    return said.format(count=count, folder=found.root)


def _chosen(option: str | os.PathLike[str] | None, given: Name | None) -> tuple[Kit, str]:
    """The kit, and the name of the problem that is meant."""
    kit = _kit(option)
    if given is None:
        from grader.commands.learner import catalogue, current_problem, sound
        from grader.kit import progress

        current = current_problem(KitFiles(kit), sound(catalogue(kit)), progress.load(kit), Options(kit).device)
        if current is None:
            raise KitError(gettext("All problems are solved: name the one that you mean."))
        return kit, current
    name = given if isinstance(given, str) else getattr(given, "__name__", None)
    if not isinstance(name, str):
        said = gettext("{given} is no problem: give its name, or the function of that name.")
        raise KitError(said.format(given=repr(given)))
    try:
        return kit, kit.resolve(name)
    except KitError as error:
        raise KitError(str(error).replace(f"`{kit.command('list')}`", "`grader.problems()`")) from None


def _kit(option: str | os.PathLike[str] | None) -> Kit:
    if option is not None and not (Path(option) / "problems").is_dir():
        said = gettext("{source} is {folder}, and there is no folder problems/ in it.")
        raise KitError(said.format(source="kit", folder=repr(os.fspath(option))))
    try:
        kit = find(None if option is None else Path(option))
    except KitError as error:
        if os.environ.get("GRADER_KIT"):
            raise
        try:
            said = gettext("No kit here: neither {folder} nor a folder above it holds problems/.")
            said = said.format(folder=Path.cwd())
        except FileNotFoundError:  # the folder was removed: so the error says
            said = str(error)
        make = gettext('Make one: grader.init("kit"). Or give the folder of one: kit="DIR".')
        raise KitError(f"{said} {make}") from None
    use_language(language_of_user(kit.root))
    with contextlib.suppress(OSError):  # a kit that cannot be written still grades
        save_shipped(kit)
    return kit


def _one_of(name: str, given: str, known: tuple[str, ...]) -> str:
    if given not in known:
        said = gettext("{option} is {given}: choose one of {known}.")
        raise KitError(said.format(option=name, given=repr(given), known=", ".join(filter(None, known))))
    return given


def _seed(given: int | None) -> int | None:
    if given is not None and not (type(given) is int and 0 <= given < 1 << 31):
        raise KitError(gettext("seed is {given}: give a whole number below 2**31.").format(given=repr(given)))
    return given


def _seconds(given: float | str) -> float:
    import click

    from grader.commands.parameters import Seconds

    try:
        return Seconds().convert(given, None, None)
    except click.UsageError as error:
        raise KitError(f"cpu_limit: {error.message}.") from None


def _names_of_the_caller() -> Mapping[str, Any]:
    """The variables at the top of the module, or the notebook, that called the grader."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__") == __name__:
        frame = frame.f_back
    return {} if frame is None else frame.f_globals


def _warn(lines: tuple[str, ...] | list[str]) -> None:
    for line in lines:
        print(line, file=sys.stderr)
