"""What several commands on a class take."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.commands.parameters import (
    common,
    drawing,
    gradebook,
    names,
    prints_json,
    running,
    tier,
)
from grader.kit.kit import Kit, KitError, find

if TYPE_CHECKING:
    from grader.classroom.folder import ReadAs

Command = Callable[..., int]


class LayoutName(click.ParamType[str]):
    """The name of a layout. They are looked up when one is given, so that no other command imports them."""

    name = "SYSTEM"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from grader.classroom.layouts import LAYOUTS

        if value not in LAYOUTS:
            self.fail(f"{value!r} is not one of {', '.join(LAYOUTS)}.", param, ctx)
        return str(value)


due_option = click.option(
    "--due",
    metavar="TIME",
    help="When answers were due, as '2026-09-24 23:59 Europe/Berlin' [else as the points file says].",
)

points_option = click.option(
    "--points", metavar="RULE|FILE", help="Such as correct=1,imprecise=0.95, or a TOML file: see the guide on classes."
)

roster_option = click.option(
    "--roster", type=click.Path(path_type=Path), metavar="FILE", help="A CSV file of the class: says who is who."
)


def on_gradebook(command: Command) -> Command:
    """What every command takes that reads a gradebook."""
    for change in (
        common,
        prints_json("grader/class/1"),
        gradebook,
    ):
        command = change(command)
    return command


def of_folder(command: Command) -> Command:
    """What every command takes that reads a folder of what students handed in, and says how it is graded."""
    for change in (
        running,
        click.option("--regrade", is_flag=True, help="Grade these problems again, though nothing changed."),
        drawing,
        tier,
        click.option(
            "--gradebook", type=click.Path(path_type=Path), metavar="FILE", help="[else FOLDER.gradebook, beside it]"
        ),
        click.option("--assignment", default="", metavar="NAME", help="Of students' folders read this one alone."),
        click.option("--zone", metavar="ZONE", help="Of times that name none, as Europe/Berlin [else this machine's]."),
        click.option(
            "--replace", "replacing", is_flag=True, help="Answers of another folder may be replaced by these."
        ),
        click.option("--fewer", is_flag=True, help="More than a third may be gone since it was read last."),
        points_option,
        click.option("--teams", is_flag=True, help="Teams handed in: the roster says who is in each."),
        roster_option,
        click.option(
            "--from",
            "layout",
            type=LayoutName(),
            help="Where the class comes from [else found].",
        ),
        names,
        click.argument("folder", metavar="FOLDER|ZIP", type=click.Path(path_type=Path)),
    ):
        command = change(command)
    return command


def reading(layout: str | None, zone: str | None, assignment: str) -> ReadAs:
    """How a class is read.

    Raises:
        KitError: there is no such zone.
    """
    from grader.classroom.folder import ReadAs
    from grader.classroom.late import zone_named
    from grader.classroom.layouts import LAYOUTS

    return ReadAs(LAYOUTS[layout] if layout else None, zone_named(zone) if zone else None, assignment)


def near_kit(given: Path | None) -> Kit | None:
    """The kit that is named, or the nearest; None if none is named or near: a gradebook can be read without it."""
    try:
        return find(given)
    except KitError:
        if given is not None:
            raise
        return None


def check_options(chosen: str, given: Mapping[str, object], heeds: Mapping[str, Collection[str]]) -> None:
    """Refuse an option that would do nothing.

    Args:
        chosen: the form of output.
        given: the value of each option; None and nothing where it was not given.
        heeds: which options each form heeds.

    Raises:
        KitError: one of them is not heeded.
    """
    for option, value in given.items():
        if value not in (None, ()) and option not in heeds[chosen]:
            others = ", ".join(name for name, heeded in heeds.items() if option in heeded)
            raise KitError(f"{option} does nothing with {chosen}: it is for {others}.")
