"""Commands that show a text or restore a stub. They run no answer. Each returns an exit status."""

from __future__ import annotations

import difflib
import os
import sys
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import click

from grader.commands.console import allow_stubs
from grader.commands.learner import catalogue, current_problem, noting, sound
from grader.commands.parameters import CommonOptions, common, name_or_current, shared, spoken
from grader.kit import progress as progress_file
from grader.kit import shipped_kit, shipped_stub, statement
from grader.kit.files import Unreadable, read_text
from grader.kit.kit import Kit, KitError, command
from grader.kit.kit_files import KitFiles
from grader.kit.problem_error import ProblemError
from grader.kit.progress import Progress
from grader.kit.solution import bare
from grader.kit.text import clean
from grader.locale.language import ENGLISH, N_, gettext, language, ngettext
from grader.options import Options
from grader.report.markdown import code, render
from grader.report.terminal import Terminal


def guide_topics() -> dict[str, str]:
    """The title of each guide, by its topic, in alphabetical order. The topic is the name of the file."""
    return {
        topic: page.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        for topic, page in sorted(_pages().items())
    }


def _pages() -> dict[str, Traversable]:
    """The page of each guide, by its topic: in the language that is spoken if it is translated, else in English."""
    folder = files("grader") / "guides"
    pages = [*folder.iterdir()]
    if (folder / language()).is_dir():
        pages += (folder / language()).iterdir()
    return {page.name.removesuffix(".md"): page for page in pages if page.name.endswith(".md")}


def guide_text(topic: str) -> str:
    """The Markdown of a guide.

    Raises:
        KitError: if no guide has this topic.
    """
    known = guide_topics()
    if topic not in known:
        close = difflib.get_close_matches(topic, known, 1)
        said = [gettext("There is no guide {topic}.").format(topic=repr(topic))]
        said += [gettext("Did you mean {topic}?").format(topic=near) for near in close]
        raise KitError(" ".join([*said, gettext("Choose one of {topics}.").format(topics=", ".join(known))]))
    page = statement.without_marks(_pages()[topic].read_text(encoding="utf-8"))
    if language() == ENGLISH or (files("grader") / "guides" / language() / f"{topic}.md").is_file():
        return page
    untranslated = gettext("This guide is not translated yet: it is in English.")
    title, _, rest = page.partition("\n")
    return f"{title}\n\n*{untranslated}*\n{rest}"


@click.command()
@click.argument("topic", metavar="[TOPIC]", required=False)
@spoken
@shared
def guide(given: CommonOptions, topic: str | None) -> int:
    """Show a guide; without a topic, list all of them."""
    terminal = Terminal.make(colour=given.colour)
    if topic is not None:
        render(terminal, guide_text(topic))
        return 0
    known = guide_topics()
    width = max(map(len, known))
    for name, title in known.items():
        terminal.row(name, title, width + 2)
    terminal.line()
    terminal.to_do(gettext("To read one: {command}").format(command=command("guide", "TOPIC")))
    return 0


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@spoken
@shared
def init(given: CommonOptions, folder: Path) -> int:
    """Make a kit in a folder: a copy of the one that comes with the grader."""
    made = shipped_kit.copy_kit(folder)
    count = len(made.names)
    held = ngettext("{folder} holds {count} problem now.", "{folder} holds {count} problems now.", count)
    first = gettext("Go there, and see what to do first: {command}").format(command=command())
    Terminal.make().to_do(f"{held.format(folder=folder, count=count)} {first}")
    return 0


def chosen_problem(options: Options, name: str | None) -> str:
    """The name of the problem that was asked for. Without a name, this is the current problem, and its name is printed."""
    if name is not None:
        return options.kit.resolve(name)
    kit = options.kit
    files = KitFiles(kit)
    name = current_problem(files, sound(catalogue(kit, files)), progress_file.load(kit), options.device)
    if name is None:
        raise KitError(gettext("All problems are solved: name the one that you mean."))
    said = gettext("The current problem is {problem}.").format(problem=name)
    Terminal.make(colour=options.colour, stderr=True).line(said, "dim")
    return name


@click.command()
@name_or_current
@spoken
@common
def show(given: CommonOptions, name: str | None) -> int:
    """Show the statement of a problem, and what to do then."""
    options = given.options()
    kit, name = options.kit, chosen_problem(options, name)
    then = gettext("Fill in {stub}, then: {command}").format(stub=kit.opened(kit.stub(name)), command=kit.command(name))
    print_statement(Terminal.make(colour=options.colour), kit, name, then)
    return 0


def print_statement(terminal: Terminal, kit: Kit, name: str, then: str) -> None:
    """Print the statement of a problem. `then` is its last line, which says which file to fill in."""
    render(terminal, statement.read(kit.statement(name)).without_hints)
    terminal.to_do(then)


@click.command()
@name_or_current
@click.option("--all", "every", is_flag=True, help=N_("Every hint at once."))
@spoken
@common
def hint(given: CommonOptions, name: str | None, every: bool) -> int:
    return show_hints(given.options(), name, every=every)


def show_hints(options: Options, name: str | None, *, every: bool) -> int:
    """Show the hints that were taken before, and one more; if `every` is set, show all hints."""
    kit = options.kit
    name = chosen_problem(options, name)
    hints = statement.read(kit.statement(name)).hints
    if not hints:
        said = gettext("{file}: it has no hints: write a numbered list under `## Hints`")
        raise ProblemError(said.format(file=kit.opened(kit.statement(name))))
    taken = len(hints) if every else one_more(options, name, len(hints))
    terminal = Terminal.make(colour=options.colour)
    for number, text in enumerate(hints[:taken], start=1):
        heading = gettext("Hint {number} of {count}.").format(number=number, count=len(hints))
        render(terminal, f"**{heading}** {text}")
    left = len(hints) - taken
    if left == 0:
        spoil = () if name in progress_file.load(kit).solved else ("--spoil",)
        said = gettext("That was the last hint. The worked answer: {command}")
        terminal.to_do(said.format(command=kit.command("solution", name, *spoil)))
    return 0


def one_more(options: Options, name: str, most: int) -> int:
    """Count one more hint as taken, if one is left. Returns the number of hints taken."""

    def take(progress: Progress) -> None:
        progress.hints[name] = min(progress.hints.get(name, 0) + 1, most)

    with noting(options.kit):
        return progress_file.update(options.kit, take).hints[name]
    progress = progress_file.load(options.kit)
    take(progress)
    return progress.hints[name]


@click.command()
@name_or_current
@click.option("--spoil", is_flag=True, help=N_("Even though it is not solved yet."))
@spoken
@common
def solution(given: CommonOptions, name: str | None, spoil: bool) -> int:
    """Show the worked answer if the problem is solved, or if the learner asks to spoil it.

    A pipe or a file gets the text alone, so that it is Python.
    """
    options = given.options()
    kit = options.kit
    name = chosen_problem(options, name)
    text = worked_answer(kit, name)
    if name not in progress_file.load(kit).solved and not spoil:
        said = gettext(
            "{problem} is not solved yet. Take a hint with {hint}, or see the worked answer all the same with {solution}"
        )
        spoiling = kit.command("solution", name, "--spoil")
        said = said.format(problem=name, hint=kit.command("hint", name), solution=spoiling)
        Terminal.make(colour=options.colour).to_do(said)
        return 1
    if sys.stdout.isatty():
        print_worked_answer(Terminal.make(colour=options.colour), text)
    else:
        sys.stdout.buffer.write(clean(text).encode())
    return 0


def worked_answer(kit: Kit, name: str) -> str:
    """The worked answer to a problem, without its mistakes.

    Raises:
        KitError: where the kit has none.
        ProblemError: where it cannot be read.
    """
    path = kit.answer(name)
    if not path.exists():
        said = gettext("{file} is not here: this kit was handed out without solutions.")
        raise KitError(said.format(file=kit.opened(path)))
    try:
        return bare(read_text(path))
    except (Unreadable, SyntaxError) as error:
        raise ProblemError(f"{kit.opened(path)}: {error}") from None


def print_worked_answer(terminal: Terminal, text: str) -> None:
    """Print a worked answer, with colours."""
    if language() != ENGLISH:
        terminal.line(gettext("The worked answer is written in English."), "dim")
    code(terminal, text)


@click.command()
@name_or_current
@spoken
@common
def reset(given: CommonOptions, name: str | None) -> int:
    return restore_stub(given.options(), name)


def restore_stub(options: Options, name: str | None) -> int:
    """Restore the shipped stub, and keep beside it what was there: the learner's text, or a folder."""
    kit = options.kit
    name = chosen_problem(options, name)
    allow_stubs(options, [name], moves=True)
    missing = not os.path.lexists(kit.stub(name))
    kept = shipped_stub.reset(kit, name)
    if kept is None:
        said = gettext("{stub} is back.") if missing else gettext("{stub} was as shipped already: nothing is changed.")
    elif os.path.isfile(kept):
        said = gettext("{stub} is as shipped again. Your text is kept in {kept}.")
    else:
        said = gettext("{stub} is as shipped again. What was there is kept in {kept}.")
    kept_in = kept and kit.opened(kept)
    Terminal.make(colour=options.colour).line(said.format(stub=kit.opened(kit.stub(name)), kept=kept_in))
    return 0
