"""The command line: one function per command. Parses, calls, prints, exits."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from grader import __version__, commands
from grader.commands import Options
from grader.kit import KitError, find
from grader.oracle.source import NoSuchDevice
from grader.problem import ProblemError
from grader.report.terminal import Terminal
from grader.run.attempt import Limits
from grader.run.launch import LaunchError, abandon_early

WRONG, FAULT, INTERRUPTED = 1, 2, 130


class Device(StrEnum):
    cpu = "cpu"
    gpu = "gpu"
    tpu = "tpu"


app = typer.Typer(
    name="grader",
    help="Grades exercises in JAX and Flax, and says which mistake was made.",
    epilog="`grader NAME...` is short for `grader check NAME...`; `grader` alone grades what has changed.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

KitOption = Annotated[Path | None, typer.Option("--kit", help="The kit's folder [else GRADER_KIT, else the nearest]")]
NoColour = Annotated[bool, typer.Option("--no-color", help="Print without colour.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document (schema grader/verdict/1).")]
DeviceOption = Annotated[Device, typer.Option("--device", help="Where answers run.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="A problem's name.")]


def seconds(text: str) -> float:
    """A time limit: 20, 2.5, 90s, 2m."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(s|m|min)?", text.strip())
    if not match or float(match[1]) == 0:
        raise typer.BadParameter(f"{text!r} is not a time: give seconds, as in 20 or 2.5, or minutes, as in 2m")
    return float(match[1]) * (60 if match[2] in ("m", "min") else 1)


def size(text: str) -> int:
    """A size of memory: 512M, 4G, 1.5GB."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT])?i?B?", text.strip(), re.IGNORECASE)
    if not match or float(match[1]) == 0:
        raise typer.BadParameter(f"{text!r} is not a size: give one as in 512M or 4G")
    return int(float(match[1]) * 1024 ** " KMGT".index((match[2] or " ").upper()))


TimeLimit = Annotated[float, typer.Option(parser=seconds, metavar="S", help="Seconds that an answer may run.")]
MemoryLimit = Annotated[int, typer.Option(parser=size, metavar="SIZE", help="Memory that an answer may use.")]


@app.command()
def check(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Problems; all that changed if none.")] = None,
    answer: Annotated[list[Path] | None, typer.Option("--answer", help="Grade this file instead; repeatable.")] = None,
    json: Json = False,
    device: DeviceOption = Device.cpu,
    time_limit: TimeLimit = "60",  # pyright: ignore[reportArgumentType]
    memory_limit: MemoryLimit = "4G",  # pyright: ignore[reportArgumentType]
    kit: KitOption = None,
    no_color: NoColour = False,
) -> int:
    """Grade answers: those named, or every one that has changed."""
    options = Options(find(kit), device.value, Limits(time_limit, memory_limit), json, not no_color)
    return commands.check(options, names or [], answer or [])


@app.command(name="list")
def list_(kit: KitOption = None, no_color: NoColour = False) -> int:
    """Show the problems with track, difficulty and status."""
    return commands.list_problems(Options(find(kit), colour=not no_color))


@app.command()
def show(name: Name, kit: KitOption = None, no_color: NoColour = False) -> int:
    """Read a problem's statement."""
    return commands.show(Options(find(kit), colour=not no_color), name)


@app.command()
def hint(
    name: Name,
    every: Annotated[bool, typer.Option("--all", help="Every hint at once.")] = False,
    kit: KitOption = None,
    no_color: NoColour = False,
) -> int:
    """Take one more hint."""
    return commands.hint(Options(find(kit), colour=not no_color), name, every=every)


@app.command()
def solution(
    name: Name,
    spoil: Annotated[bool, typer.Option("--spoil", help="Even though it is not solved yet.")] = False,
    kit: KitOption = None,
    no_color: NoColour = False,
) -> int:
    """Read the worked answer, once the problem is solved."""
    return commands.solution(Options(find(kit), colour=not no_color), name, spoil=spoil)


@app.command()
def reset(name: Name, kit: KitOption = None, no_color: NoColour = False) -> int:
    """Put the shipped stub back; your text is kept beside it."""
    return commands.reset(Options(find(kit), colour=not no_color), name)


@app.command()
def watch(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Where to begin.")] = None,
    device: DeviceOption = Device.cpu,
    time_limit: TimeLimit = "60",  # pyright: ignore[reportArgumentType]
    memory_limit: MemoryLimit = "4G",  # pyright: ignore[reportArgumentType]
    kit: KitOption = None,
    no_color: NoColour = False,
) -> int:
    """Grade on every save, and move on when a problem is solved."""
    from grader.watch import watch as run_watch

    options = Options(find(kit), device.value, Limits(time_limit, memory_limit), colour=not no_color)
    return run_watch(options, name)


@app.command()
def doctor(device: DeviceOption = Device.cpu, kit: KitOption = None, no_color: NoColour = False) -> int:
    """Say what is installed, which devices there are, and what is in force."""
    from grader.doctor import doctor as run_doctor

    return run_doctor(kit, device.value, colour=not no_color)


@app.callback(invoke_without_command=True)
def _common(  # pyright: ignore[reportUnusedFunction]
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        print(f"grader {__version__}")
        raise typer.Exit


def run(arguments: Sequence[str]) -> int:
    """Run one command line; its exit status."""
    try:
        status: Any = app(_with_command(list(arguments)), standalone_mode=False, prog_name="grader")
    except (KitError, ProblemError, LaunchError) as error:
        return _fault(str(error))
    except NoSuchDevice as error:
        return _fault(f"The device asked for is not there: {error}. `python -m grader doctor` lists those that are.")
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return INTERRUPTED
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        return _fault(_usage_text(error))
    finally:
        abandon_early()
    return status if isinstance(status, int) else 0


def _usage_text(error: Any) -> str:
    text = str(error.format_message()).rstrip(".")
    return f"{text}. `python -m grader --help` shows the commands, and `COMMAND --help` their options."


def _fault(text: str) -> int:
    Terminal.make(stderr=True).fault(text)
    return FAULT


def _discard_output() -> None:
    """The reader of our output has gone: give Python's own flush at exit somewhere to write."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


_VALUED = frozenset({"--kit", "--device", "--time-limit", "--memory-limit", "--answer"})
"""Options whose value is the next word."""


def _with_command(arguments: list[str]) -> list[str]:
    """The command first: `check` unless the first word that is no option names another."""
    commands_known = {command.name or command.callback.__name__ for command in app.registered_commands if command.callback}
    if not arguments or arguments[0] in commands_known or arguments[0] in ("--help", "-h", "--version"):
        return arguments or ["check"]
    skip = False
    for index, argument in enumerate(arguments):
        if skip or argument.startswith("-"):
            skip = not skip and argument in _VALUED
        else:
            if argument in commands_known:
                return [argument, *arguments[:index], *arguments[index + 1 :]]
            break
    return ["check", *arguments]
