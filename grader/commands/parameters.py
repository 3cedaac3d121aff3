"""What several commands take: types of options (a time, a size of memory, a seed), and options that they share.

This module, and all that `cli.py` imports at its top, imports little: the process that imports JAX waits until the command
line is parsed. What else a function needs, it imports itself.
"""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from grader.kit.kit import Kit, KitError, find, refuse_around
from grader.kit.text import visible
from grader.locale.language import ENGLISH, LANGUAGES, N_, gettext, language_of_user, use_language
from grader.options import BEST, FEEDBACK, FULL, TIERS, Limits, Options, Policy

SECONDS, MEMORY = Limits().as_text()
"""The limits of an answer where none are given."""

MOST_SEEDS = 1 << 31
"""Seeds of random inputs are below this."""


class Seconds(click.ParamType[float]):
    """A time, as 20, 2.5, 90s or 2m; a float, in seconds."""

    name = "S"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(s|m|min)?", str(value).strip())
        if not match or float(match[1]) == 0:
            said = gettext("{value} is not a time: give seconds, as in 20 or 2.5, or minutes, as in 2m")
            self.fail(said.format(value=repr(value)), param, ctx)
        return float(match[1]) * (60 if match[2] in ("m", "min") else 1)


class Size(click.ParamType[int]):
    """A size of memory, as 512M, 4G or 1.5GB; an int, in bytes."""

    name = "SIZE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT])?i?B?", str(value).strip(), re.IGNORECASE)
        if not match or float(match[1]) == 0:
            said = gettext("{value} is not a size: give one as in 512M or 4G")
            self.fail(said.format(value=repr(value)), param, ctx)
        return int(float(match[1]) * 1024 ** " KMGT".index((match[2] or " ").upper()))


class SiteAddress(click.ParamType[str]):
    """Where a site is on the web, as https://example.org/jax; a str with a slash at its end."""

    name = "URL"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not _SITE_ADDRESS.fullmatch(str(value)):
            said = gettext(
                "{value} is not the address of a site: give http:// or https://, a host and a folder, without ? or #, "
                "as in https://example.org/jax/"
            )
            self.fail(said.format(value=repr(value)), param, ctx)
        return str(value).rstrip("/") + "/"


_SITE_ADDRESS = re.compile(
    r"https?://[a-z0-9][a-z0-9.-]*(?::\d{1,5})?(?:/[\w.~/%:@!$&'()*+,;=-]*)?", re.ASCII | re.IGNORECASE
)


def kit_at(option: Path | None, distrusted: Sequence[Path] = ()) -> Kit:
    """The kit of a command. At the first command in a kit, its shipped stubs are saved for `reset`, and noted as bare.

    Args:
        distrusted: files and folders that it judges, and that nobody trusts.

    Raises:
        KitError: where there is no kit, or one that nobody named holds what nobody trusts.
    """
    from grader.kit.ownership import note_bare
    from grader.kit.shipped_stub import save_shipped

    kit = find(option)
    refuse_around(kit, distrusted)
    note_bare(kit)
    with contextlib.suppress(OSError):  # `check` reports a kit that cannot be written
        save_shipped(kit)
    return kit


def tell_kit(kit: Kit) -> None:
    """Say on standard error which kit judged what was handed in."""
    said = gettext("Kit: {folder}").format(folder=visible(str(kit.root)))
    click.echo(f" {said}", err=True)


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
no_picture = click.option("--no-picture", is_flag=True, help=N_("Leave the picture out of reports."))
name_or_current = click.argument("name", metavar="[NAME]", required=False)
concise = click.option(
    "--format",
    "shape",
    type=click.Choice(["report", "concise"]),
    default="report",
    show_default=True,
    help=N_("concise: one line for each finding, as editors read them."),
)
gradebook = click.argument("gradebook", metavar="GRADEBOOK", type=click.Path(path_type=Path))
force = click.option("-f", "--force", is_flag=True, help=N_("Write over what is there."))

without_places = click.option(
    "--without-places", is_flag=True, help="Leave the steps of worked answers out of the keys: they tell no place then."
)


def writes(otherwise: str = "", default: str | None = None, told: str = "") -> Callable[[Command], Command]:
    """The options of a command that writes something where it is told to.

    Args:
        otherwise: what happens without `--out`, in words; empty if the command has to have it.
        default: where it is written without `--out`; None if it is not.
        told: the help of a command that need not have it and that is told in several languages.
    """
    text = told or (f"Where to write it [else {otherwise}]." if otherwise else "Where to write it.")
    kind: click.Path = click.Path(path_type=Path)
    needed = not (otherwise or told)
    # Of an option that is required, click takes a default of None for a value.
    has: dict[str, Any] = {} if default is None else {"default": default}
    out = click.option("-o", "--out", required=needed, type=kind, metavar="PATH", help=text, **has)
    return lambda command: out(force(command))


def check_force(out: Path | None, *, force: bool) -> None:
    """Refuse `--force` where nothing is written."""
    if force and out is None:
        raise click.UsageError(gettext("--force is for what is written: give -o PATH as well"))


@dataclass(frozen=True)
class CommonOptions:
    """What a command line says in the options that several commands share; each has its default where a command has it not.

    Attributes:
        confine: how answers are confined; empty for not at all.
        fresh: whether there are random inputs beyond the cases; None for the default of the command.
        seed: of those inputs; None where it is to be drawn.
        feedback: how much is told; None where the command line does not say so.
    """

    kit: Path | None = None
    colour: bool = True
    json: bool = False
    concise: bool = False
    pictures: bool = True
    device: str = "cpu"
    limits: Limits = field(default_factory=Limits)
    confine: str = ""
    fresh: bool | None = False
    seed: int | None = None
    feedback: str | None = None

    def options(self, kit: Kit | None = None, *, distrusted: Sequence[Path] = ()) -> Options:
        """These options as values for the functions that run commands.

        Args:
            kit: the kit; None for the one that the command line means.
            distrusted: as for `kit_at`, where answers are confined.
        """
        found = kit or kit_at(self.kit, distrusted if self.confine else ())
        policy = Policy(self.confine, self._seed(), self.feedback or FULL)
        return Options(found, self.device, self.limits, policy, self.json, self.concise, self.colour, self.pictures)

    def _seed(self) -> int | None:
        if self.seed is None and (bool(self.confine) if self.fresh is None else self.fresh):
            import secrets

            return secrets.randbelow(MOST_SEEDS)
        return self.seed


spoken = click.option(
    "--lang",
    type=click.Choice([*LANGUAGES]),
    help=N_("In this language [else GRADER_LANG, the kit's, or your system's]."),
)
"""The option of every command that speaks to learners."""

translated = click.option("--lang", "translated", type=click.Choice([*LANGUAGES]), help="In this language [else en].")
"""The option of a command that is about a translation, and speaks English itself."""

reported_in = click.option(
    "--lang", type=click.Choice([*LANGUAGES]), default=ENGLISH, help="In this language [else en]."
)
"""The option of a command of classes that speaks to students: English unless given, whatever the system's language is."""


def users_language(kit: Path | None = None) -> str:
    """The language of the user, from the settings of a kit or from the environment.

    Args:
        kit: the value of `--kit`, if it was given.
    """
    try:
        folder = find(kit).root
    except KitError:  # the command says so, or needs none
        folder = None
    return language_of_user(folder)


def _given(values: dict[str, Any]) -> CommonOptions:
    """Take the values of shared options out of those of a command."""
    if "lang" in values:
        use_language(values.pop("lang") or users_language(values.get("kit")))
    plain = ("kit", "json", "device", "fresh", "seed", "feedback")
    taken: dict[str, Any] = {key: values.pop(key) for key in plain if key in values}
    taken["colour"] = not values.pop("no_color")
    taken["concise"] = values.pop("shape", "") == "concise"
    taken["pictures"] = not values.pop("no_picture", False)
    if "cpu_limit" in values:
        taken["limits"] = Limits(values.pop("cpu_limit"), values.pop("memory_limit"), values.pop("timeout"))
    if "tier" in values:
        tier, confine = values.pop("tier"), values.pop("confine", True)
        taken["confine"] = _confinement(tier or (BEST if confine else ""), taken.get("device", "cpu"))
    if taken.get("fresh") is False and taken.get("seed") is not None:
        raise click.UsageError(gettext("--seed is for fresh inputs, and --no-fresh draws none: give one of them"))
    return CommonOptions(**taken)


def _confinement(confine: str, device: str) -> str:
    if confine not in ("", TIERS[-1]) and device != "cpu":
        raise click.UsageError(
            gettext(
                "Answers are confined on the cpu: a GPU's driver cannot be. Use a disposable machine, and give --tier C"
            )
        )
    return confine


def shared(command: Command) -> Command:
    """Hand over the values of shared options as one `Given`, the first argument of the command. The option `--no-color`."""

    @functools.wraps(command)
    def called(**values: Any) -> int:
        return command(_given(values), **values)

    return click.option("--no-color", is_flag=True, help=N_("Print without colour."))(called)


def common(command: Command) -> Command:
    """The options of every command on a kit."""
    return click.option(
        "--kit", type=click.Path(path_type=Path), metavar="DIR", help=N_("The kit [else GRADER_KIT, else the nearest].")
    )(shared(command))


def prints_json(schema: str) -> Callable[[Command], Command]:
    """The option of a command that may print a document."""
    return click.option("--json", is_flag=True, help=f"Print one JSON document, schema {schema}.")


def limited(command: Command) -> Command:
    """The limits of an answer, with the options of `common`."""
    for option in (
        click.option("--memory-limit", type=Size(), default=MEMORY, show_default=True, help=N_("Memory of an answer.")),
        click.option(
            "--timeout", type=Seconds(), help=N_("Seconds on the clock for an answer [else 5 times --cpu-limit].")
        ),
        click.option(
            "--cpu-limit",
            type=Seconds(),
            default=SECONDS,
            show_default=True,
            help=N_("Seconds of processor time for an answer."),
        ),
    ):
        command = option(command)
    return command


def running(command: Command) -> Command:
    """The options of every command that runs answers, with the common ones."""
    device = click.option(
        "--device", type=click.Choice(["cpu", "gpu", "tpu"]), default="cpu", show_default=True, help=N_("Where to run.")
    )
    return device(limited(common(command)))


tier = click.option(
    "--tier",
    type=click.Choice(TIERS),
    help=N_("Sandbox answers at this tier (see `doctor`) [else at the better of A and B]."),
)


def confining(command: Command) -> Command:
    """The options of every command that runs answers which nobody may trust, with those of `running`."""
    return click.option(
        "-c", "--confine", is_flag=True, help=N_("Sandbox answers: no private files, network or processes.")
    )(tier(running(command)))


def tells(command: Command) -> Command:
    """How much a report shows."""
    return click.option("--feedback", type=click.Choice(FEEDBACK), help=N_("How much a report shows [else full]."))(
        command
    )


def drawing(command: Command) -> Command:
    """Whether an answer is called on random inputs beyond the cases."""
    seed = click.option(
        "--seed", type=click.IntRange(0, MOST_SEEDS - 1), metavar="N", help=N_("Draw fresh inputs with this seed.")
    )
    return click.option(
        "--fresh/--no-fresh",
        default=None,
        help=N_("Test on new random inputs too [else with --confine alone; a gradebook keeps the choice]."),
    )(seed(command))


def answering(command: Command) -> Command:
    """The options of every command that tells what is expected of such answers, with those of `confining`."""
    return spoken(tells(confining(command)))
