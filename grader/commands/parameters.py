"""What several commands take: types of options (a time, a size of memory, a seed), and options that they share.

This module, and all that `cli.py` imports at its top, imports little: the process that imports JAX waits until the command
line is parsed.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.options import BEST, FEEDBACK, TIERS, Limits

if TYPE_CHECKING:
    from grader.kit.kit import Kit


SECONDS, MEMORY = Limits().as_text()
"""The limits of an answer where none are given."""


class Seconds(click.ParamType[float]):
    """A time, as 20, 2.5, 90s or 2m; a float, in seconds."""

    name = "S"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(s|m|min)?", str(value).strip())
        if not match or float(match[1]) == 0:
            self.fail(f"{value!r} is not a time: give seconds, as in 20 or 2.5, or minutes, as in 2m", param, ctx)
        return float(match[1]) * (60 if match[2] in ("m", "min") else 1)


class Size(click.ParamType[int]):
    """A size of memory, as 512M, 4G or 1.5GB; an int, in bytes."""

    name = "SIZE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT])?i?B?", str(value).strip(), re.IGNORECASE)
        if not match or float(match[1]) == 0:
            self.fail(f"{value!r} is not a size: give one as in 512M or 4G", param, ctx)
        return int(float(match[1]) * 1024 ** " KMGT".index((match[2] or " ").upper()))


class FreshSeed(click.ParamType[int]):
    """The seed of random inputs, or `off`, which becomes `OFF`."""

    name = "SEED"
    OFF = -1

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if value == "off":
            return self.OFF
        if not re.fullmatch(r"\d{1,10}", str(value)) or int(value) >= 1 << 31:
            self.fail(f"{value!r} is not a valid seed: give a whole number below 2**31, or off", param, ctx)
        return int(value)


def kit_at(option: Path | None, distrusted: Sequence[Path] = ()) -> Kit:
    """The kit of a command. At the first command in a kit, its shipped stubs are saved for `reset`.

    Args:
        distrusted: files and folders that it judges, and that nobody trusts.

    Raises:
        KitError: where there is no kit, or one that nobody named holds what nobody trusts.
    """
    from grader.kit.kit import find, refuse_around
    from grader.kit.shipped_stub import save_shipped

    kit = find(option)
    refuse_around(kit, distrusted)
    with contextlib.suppress(OSError):  # `check` reports a kit that cannot be written
        save_shipped(kit)
    return kit


def tell_kit(kit: Kit) -> None:
    """Say on standard error which kit judged what was handed in."""
    from grader.report.text import visible

    click.echo(f" Kit: {visible(str(kit.root))}", err=True)


def import_jax(*, clean: bool) -> None:
    """Start the process that imports JAX now, while this one imports the rest of a command. It ends with the command.

    Each command that is sure to run something calls this first.

    Args:
        clean: whether answers are confined.
    """
    from grader.run.launch import start_early

    click.get_current_context().call_on_close(start_early(clean=clean))


Command = Callable[..., int]
name = click.argument("name", metavar="NAME")
names = click.argument("names", nargs=-1, metavar="[NAME]...")
no_picture = click.option("--no-picture", is_flag=True, help="Leave the picture out of reports.")
name_or_current = click.argument("name", metavar="[NAME]", required=False)


gradebook = click.argument("gradebook", metavar="GRADEBOOK", type=click.Path(path_type=Path))
force = click.option("-f", "--force", is_flag=True, help="Write over what is there.")


def writes(otherwise: str = "", default: str | None = None) -> Callable[[Command], Command]:
    """The options of a command that writes something where it is told to.

    Args:
        otherwise: what happens without `--out`, in words; empty if the command has to have it.
        default: where it is written without `--out`; None if it is not.
    """
    text = f"Where to write it [else {otherwise}]." if otherwise else "Where to write it."
    kind: click.Path = click.Path(path_type=Path)
    out = click.option("-o", "--out", required=not otherwise, type=kind, default=default, metavar="PATH", help=text)
    return lambda command: out(force(command))


def check_force(out: Path | None, *, force: bool) -> None:
    """Refuse `--force` where nothing is written."""
    if force and out is None:
        raise click.UsageError("--force is for what is written: give -o PATH as well")


def common(command: Command) -> Command:
    """The options of every command on a kit."""
    command = click.option("--no-color", is_flag=True, help="Print without colour.")(command)
    return click.option(
        "--kit", type=click.Path(path_type=Path), metavar="DIR", help="The kit [else GRADER_KIT, else the nearest]."
    )(command)


def limited(command: Command) -> Command:
    """The limits of an answer: `limits_of` makes `Limits` of their values."""
    for option in (
        click.option("--memory-limit", type=Size(), default=MEMORY, show_default=True, help="Memory of an answer."),
        click.option(
            "--timeout", type=Seconds(), help="Seconds on the clock for an answer [else 5 times --cpu-limit]."
        ),
        click.option(
            "--cpu-limit",
            type=Seconds(),
            default=SECONDS,
            show_default=True,
            help="Seconds of processor time for an answer.",
        ),
    ):
        command = option(command)
    return command


def running(command: Command) -> Command:
    """The options of every command that runs answers, with the common ones."""
    device = click.option(
        "--device", type=click.Choice(["cpu", "gpu", "tpu"]), default="cpu", show_default=True, help="Where to run."
    )
    return common(device(limited(command)))


def confining(command: Command) -> Command:
    """The options of every command that runs answers which nobody may trust, with those of `running`."""
    return click.option(
        "-c", "--confine", is_flag=True, help="Sandbox answers: no private files, network or processes."
    )(tier(running(command)))


def answering(command: Command) -> Command:
    """The options of every command that tells what is expected of such answers, with those of `confining`."""
    return click.option(
        "--feedback", type=click.Choice(FEEDBACK), default="full", show_default=True, help="How much a report shows."
    )(confining(command))


tier = click.option(
    "--tier",
    type=click.Choice(TIERS),
    help="Sandbox answers at this tier (see `doctor`) [else at the better of A and B].",
)


def confinement(tier: str | None, device: str, *, confine: bool = True) -> str:
    """How answers are confined; empty if neither `--confine` nor `--tier` asks for it."""
    chosen = tier or (BEST if confine else "")
    if chosen not in ("", TIERS[-1]) and device != "cpu":
        raise click.UsageError(
            "Answers are confined on the cpu: a GPU's driver cannot be. Use a disposable machine, and give --tier C"
        )
    return chosen
