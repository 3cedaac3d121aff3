"""How a command line is split: which word is the command."""

from __future__ import annotations

import click


class Group(click.Group):
    """Commands in the order in which they were added, each listed with its whole first paragraph."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Add a command. Click would cut its first paragraph in the list."""
        cmd.short_help = cmd.short_help or (cmd.help or "").partition("\n\n")[0]
        super().add_command(cmd, name)


class Commands(Group):
    """The commands of the grader. Without the name of one, the whole line belongs to `check`: `grader NAME`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for names in self._sections().values() for name in names]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands under their headings."""
        width = max(map(len, self.commands))
        for heading, names in self._sections().items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(width), self.commands[name].short_help or "") for name in names])

    def _sections(self) -> dict[str, tuple[str, ...]]:
        from grader.kit.kit import SECTIONS  # only for help: see `parameters`

        return SECTIONS

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, self.with_command(args))

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
