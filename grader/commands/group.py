"""How a command line is split: which word is the command, what `--help` shows, and how a fault of usage is told."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from importlib import import_module

import click
from click import core, exceptions, formatting, parser, types

from grader.kit.kit import SECTIONS
from grader.locale.language import ENGLISH, N_, alternatives, gettext, use_language

FAULT = 2
"""The exit status."""


def fault(text: str) -> int:
    """Print the line, and return the exit status."""
    from grader.report.terminal import Terminal

    Terminal.make(stderr=True).fault(text)
    return FAULT


def refuse(impostor: str) -> int:
    """Report that nothing is graded where the file `impostor` lies, and return the exit status."""
    return fault(
        gettext(
            "{file} lies in the current folder, and `python -m grader` there would run it in place of a module of the "
            "grader: nothing is graded. Move it away; for answers of others use the `grader` script, or `python -P -m "
            "grader`."
        ).format(file=impostor)
    )


OF_CLICK = (
    N_("Usage:"),
    N_("Options"),
    N_("default: {default}"),
    N_("required"),
    N_("Show the version and exit."),
    N_("No such option {name!r}."),
    N_("No such command {name!r}."),
    N_("Did you mean {possibility}?"),
    N_("Missing argument"),
    N_("Missing option"),
    N_("Option {name!r} does not take a value."),
    N_("Option {name!r} requires an argument."),
    N_("Got unexpected extra argument ({args})"),
    N_("Got unexpected extra arguments ({args})"),
    N_("Invalid value: {message}"),
    N_("Invalid value for {param_hint}: {message}"),
    N_("{value!r} is not a valid {number_type}."),
    N_("{value} is not in the range {range}."),
    N_("{value!r} is not one of {choices}."),
)
"""What click itself says."""


def _of_number(one: str, many: str, count: int) -> str:
    return gettext(one if count == 1 else many)


def _near(possibilities: list[str]) -> str:
    return gettext("Did you mean {names}?").format(
        names=alternatives([repr(possibility) for possibility in sorted(possibilities)])
    )


# Click asks the catalogues of Python for its messages, and these know no `--lang`.
for _module in (core, exceptions, formatting, parser, types):
    vars(_module).update(_=gettext, ngettext=_of_number, _format_possibilities=_near)


class _Context(click.Context):
    """A command line whose help is in the language that is spoken: texts of commands are made when they are imported."""

    def get_help(self) -> str:
        shown = copy(self.command)
        shown.help, shown.epilog = shown.help and gettext(shown.help), shown.epilog and gettext(shown.epilog)
        shown.params = [copy(param) for param in shown.params]
        for param in shown.params:
            if isinstance(param, click.Option):
                param.help = param.help and gettext(param.help)
        if (option := shown.get_help_option(self)) is not None:
            option.help = gettext("Show this message and exit.")
        return shown.get_help(self)


class Later(click.Command):
    """A command whose module is not imported yet.

    Args:
        place: the module, and the command in it that says what it takes: `grader.commands.check:list_`.
        help: what `--help` says of it; the first paragraph stands in the list of commands.
    """

    def __init__(self, name: str, place: str, help: str) -> None:
        # Click would cut the first paragraph in the list.
        super().__init__(name, help=help, short_help=help.partition("\n\n")[0])
        self.place = place

    def load(self) -> click.Command:
        """The command itself, under this name and with this help."""
        module, _, attribute = self.place.partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        command.name, command.help, command.context_class = self.name, self.help, _Context
        return command


class CommandGroup(click.Group):
    """Commands under headings, each shown with its whole first paragraph."""

    context_class = _Context

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for names in self.sections().values() for name in names]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, with its arguments and options; None if there is none."""
        command = self.commands.get(cmd_name)
        return command.load() if isinstance(command, Later) else command

    def sections(self) -> dict[str, tuple[str, ...]]:
        """The names of commands, under the headings of `--help`."""
        return {"Commands": tuple(self.commands)}

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands under their headings. None of them is imported for it."""
        width = max(map(len, self.commands))
        for heading, names in self.sections().items():
            with formatter.section(gettext(heading)):
                said = [(name.ljust(width), gettext(str(self.commands[name].short_help))) for name in names]
                formatter.write_dl(said)


def _speaking(arguments: list[str]) -> list[str]:
    """The arguments. Where they ask for help, `--lang` is taken out and used at once: click shows help before it reads on.

    Raises:
        NoSuchLanguage: if help is asked for in a language that is not spoken here.
    """
    if not {"--help", "-h"} & {*arguments}:
        return arguments
    left: list[str] = []
    words = iter(arguments)
    for word in words:
        option, _, value = word.partition("=")
        if option == "--lang":
            use_language(value or next(words, ""))
        else:
            left.append(word)
    return left


class Commands(CommandGroup):
    """The commands of the grader. Without the name of one, the whole line belongs to `check`: `grader NAME`."""

    def sections(self) -> dict[str, tuple[str, ...]]:
        return SECTIONS

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, self.with_command(ctx, _speaking(args)))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command. Those for authors and instructors speak English: they have no language to choose."""
        found = super().resolve_command(ctx, args)
        if found[1] is not None and all(param.name != "lang" for param in found[1].params):
            use_language(ENGLISH)
        return found

    def with_command(self, ctx: click.Context, arguments: list[str]) -> list[str]:
        """The arguments with the command in front: the first word that is not an option if it names one, else `check`."""
        if arguments and (arguments[0] in self.commands or arguments[0] in ("--help", "-h", "--version")):
            return arguments
        named = [argument for argument in arguments if argument in self.commands]
        takes_value = self._options_with_a_value(ctx, {*named, "check"}) if named else set[str]()
        before = ""
        for index, argument in enumerate(arguments):
            if not argument.startswith("-") and before not in takes_value:
                if argument in self.commands:
                    return [argument, *arguments[:index], *arguments[index + 1 :]]
                break
            before = argument
        return ["check", *arguments]

    def _options_with_a_value(self, ctx: click.Context, names: Iterable[str]) -> set[str]:
        """The options of some commands after which the next word is no command."""
        commands = filter(None, (self.get_command(ctx, name) for name in names))
        options = [option for command in commands for option in command.params if isinstance(option, click.Option)]
        return {name for option in options if not option.is_flag for name in option.opts}
