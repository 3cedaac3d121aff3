"""How a command line is split: which word is the command. What `--help` shows is in the language that is spoken."""

from __future__ import annotations

from copy import copy

import click
from click import core, exceptions, formatting, parser, types

from grader.locale.language import ENGLISH, N_, alternatives, gettext, use

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
    return gettext("Did you mean {names}?").format(names=alternatives([repr(one) for one in sorted(possibilities)]))


# Click asks the catalogues of Python for its messages, and these know no `--lang`.
for _module in (core, exceptions, formatting, parser, types):
    vars(_module).update(_=gettext, ngettext=_of_number, _format_possibilities=_near)


class _Context(click.Context):
    """A command line whose help is in the language that is spoken: texts of commands are made when they are imported."""

    def get_help(self) -> str:
        shown = copy(self.command)
        shown.help, shown.epilog = shown.help and gettext(shown.help), shown.epilog and gettext(shown.epilog)
        shown.params = [copy(one) for one in shown.params]
        for one in shown.params:
            if isinstance(one, click.Option):
                one.help = one.help and gettext(one.help)
        if (option := shown.get_help_option(self)) is not None:
            option.help = gettext("Show this message and exit.")
        return shown.get_help(self)


class Group(click.Group):
    """Commands in the order in which they were added, each listed with its whole first paragraph."""

    context_class = _Context

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Add a command. Click would cut its first paragraph in the list."""
        cmd.short_help = cmd.short_help or (cmd.help or "").partition("\n\n")[0]
        cmd.context_class = _Context
        super().add_command(cmd, name)


class Commands(Group):
    """The commands of the grader. Without the name of one, the whole line belongs to `check`: `grader NAME`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for names in self._sections().values() for name in names]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands under their headings."""
        width = max(map(len, self.commands))
        for heading, names in self._sections().items():
            with formatter.section(gettext(heading)):
                said = [(name.ljust(width), gettext(str(self.commands[name].short_help))) for name in names]
                formatter.write_dl(said)

    def _sections(self) -> dict[str, tuple[str, ...]]:
        from grader.kit.kit import SECTIONS  # only for help: see `parameters`

        return SECTIONS

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, self.with_command(args))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command. Those for authors and instructors speak English: they have no language to choose."""
        found = super().resolve_command(ctx, args)
        if found[1] is not None and all(one.name != "lang" for one in found[1].params):
            use(ENGLISH)
        return found

    def with_command(self, arguments: list[str]) -> list[str]:
        """The arguments with the command in front: the first word that is not an option if it names one, else `check`."""
        if arguments and (arguments[0] in self.commands or arguments[0] in ("--help", "-h", "--version")):
            return arguments
        takes_value = {
            name
            for command in self.commands.values()
            for option in command.params
            if isinstance(option, click.Option) and not option.is_flag
            for name in option.opts
        }
        before = ""
        for index, argument in enumerate(arguments):
            if not argument.startswith("-") and before not in takes_value:
                if argument in self.commands:
                    return [argument, *arguments[:index], *arguments[index + 1 :]]
                break
            before = argument
        return ["check", *arguments]
