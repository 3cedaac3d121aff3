"""`doctor`: what is installed, which devices there are, what is in force here, and what is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from grader.commands.learner import catalogue
from grader.commands.next_step import next_step
from grader.kit import progress as progress_file
from grader.kit.files import size_text
from grader.kit.kit import KitError, command, find
from grader.kit.software import (
    ABSENT,
    install_for,
    installed_version,
    is_newer,
    missing_for,
    proven_versions,
)
from grader.locale.language import N_, gettext, ngettext, pgettext
from grader.options import Limits, Options
from grader.report.terminal import Terminal
from grader.run.child import Launcher, LaunchError
from grader.run.forking import Forking
from grader.run.judge.attempt import SECONDS_BETWEEN_LOOKS, NotConfined, prepare
from grader.run.launch import launcher
from grader.run.python import start
from grader.sandbox.confine import TIERS

_DEVICES = """
import jax
for platform in ("cpu", "gpu", "tpu"):
    try:
        found = jax.devices(platform)
    except RuntimeError as error:
        print(platform, "-")
    else:
        print(platform, len(found), found[0].device_kind)
"""


def doctor(kit: Path | None, device: str, limits: Limits, *, colour: bool) -> int:
    """Print the report, and first what is known at once. Return 0 if everything is there that grading needs, else 2."""
    with _ask_for_devices() as asked:
        try:
            return _report(asked, kit, device, limits, Terminal.make(colour=colour))
        finally:
            asked.kill()


def _report(asked: subprocess.Popen[str], kit: Path | None, device: str, limits: Limits, terminal: Terminal) -> int:
    missing: list[str] = []

    def row(name: str, text: str) -> None:
        terminal.row(name, text, 13)
        terminal.console.file.flush()  # in a pipe too

    row("python", f"{installed_version('python')} ({sys.executable})")
    for package in ("grader", "jax", "jaxlib", "flax", "numpy"):
        absent = installed_version(package) == ABSENT
        row(package, gettext(ABSENT) if absent else installed_version(package))
        if absent:
            missing.append(gettext("{package} is not installed: pip install {package}").format(package=package))
    oldest, newest = proven_versions()
    row(pgettext("doctor, at most 12 letters", "proven with"), oldest)
    row(pgettext("doctor, at most 12 letters", "and with"), newest)
    if unproven := is_newer():
        said = gettext("{packages}: this kit is not proven with it yet; `{command}` tries it")
        row(
            pgettext("doctor, at most 12 letters", "newer here"),
            said.format(packages=", ".join(unproven), command=command("audit", kit=kit)),
        )
    said = gettext("{seconds} s of processor time and {memory} for an answer, kept from outside its process")
    row(
        pgettext("doctor, at most 12 letters", "limits"),
        said.format(seconds=f"{limits.seconds:g}", memory=size_text(limits.memory)),
    )
    row(pgettext("doctor, at most 12 letters", "kit"), _kit(kit, missing))
    lacking = missing_for("web")
    said = gettext("serve needs {packages}: {command}") if lacking else gettext("serve can start")
    row(
        pgettext("doctor, at most 12 letters", "browser"),
        said.format(packages=", ".join(lacking), command=install_for("web")),
    )
    # The rest takes seconds: it starts processes that import JAX.
    started = launcher(clean=True)
    try:
        row(pgettext("doctor, at most 12 letters", "start"), _start_method(started))
        row(pgettext("doctor, at most 12 letters", "memory"), _memory(started))
        row(pgettext("doctor, at most 12 letters", "confinement"), _confinement(started, limits))
    except LaunchError as error:
        row(
            pgettext("doctor, at most 12 letters", "confinement"),
            gettext("nothing could be tried: {why}").format(why=error),
        )
    finally:
        started.close()
    found = _devices(asked)
    listed = "; ".join(f"{name}: {what}" for name, what in found.items() if what != "-")
    row(pgettext("doctor, at most 12 letters", "devices"), listed or pgettext("devices", "none"))
    if found.get(device, "-") == "-":
        said = gettext("no {device} is seen by JAX: leave out --device {device}, or install the jax that drives it")
        missing.append(said.format(device=device))
    terminal.line()
    for line in missing or [gettext("Nothing is missing for grading.")]:
        terminal.line(line)
    terminal.to_do(_next(kit, again=bool(missing)))
    return 2 if missing else 0


def _next(option: Path | None, *, again: bool) -> str:
    """The last line: what to do now."""
    if again:
        return gettext("Next: do what is said above, then {command}").format(command=command("doctor", kit=option))
    kit = find(option)
    return next_step(Options(kit), catalogue(kit), progress_file.load(kit))


def _ask_for_devices() -> subprocess.Popen[str]:
    """Start a process that looks for devices, since that starts every backend of JAX."""
    return start(("-c", _DEVICES), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def _devices(asked: subprocess.Popen[str]) -> dict[str, str]:
    """What that process found: device kinds by platform."""
    rows = (line.partition(" ") for line in asked.communicate()[0].splitlines())
    return {name: what for name, _, what in rows}


def _start_method(launcher: Launcher) -> str:
    if not isinstance(launcher, Forking):
        return gettext("spawn: a fresh interpreter for each answer")
    try:
        launcher.ready()
    except LaunchError as error:
        return gettext("none works: {why}").format(why=error)
    return gettext("fork, from a process that has imported jax and has one thread")


def _memory(started: Launcher) -> str:
    if reason := started.uncounted():
        often = round(1 / SECONDS_BETWEEN_LOOKS)
        said = ngettext(
            "what is resident, looked at {count} time a second; cgroup v2 cannot be used: {why}",
            "what is resident, looked at {count} times a second; cgroup v2 cannot be used: {why}",
            often,
        )
        return said.format(count=often, why=reason)
    return gettext("counted by the kernel, for all that a confined answer starts (cgroup v2)")


PROMISES = {
    "A": N_("tier A: namespaces, Landlock, seccomp"),
    "B": N_("tier B: Landlock, seccomp"),
    "C": N_("tier C: limits only"),
    "none": N_("none"),
}


def best_tier(started: Launcher, limits: Limits) -> tuple[str, list[str]]:
    """The best tier that works, and why better ones do not."""
    refused: list[str] = []
    for tier in TIERS:
        try:
            child = prepare(started, (), "cpu", confine=tier, memory=limits.memory)
        except NotConfined as error:
            refused.append(str(error))
            continue
        child.close()
        return child.tier, list(dict.fromkeys([*refused, *child.refused]))
    return "none", refused


def _confinement(started: Launcher, limits: Limits) -> str:
    tier, refused = best_tier(started, limits)
    if refused:
        said = gettext("{confinement}; refused: {steps} (check --confine)")
        return said.format(confinement=gettext(PROMISES[tier]), steps=", ".join(refused))
    return gettext("{confinement} (check --confine)").format(confinement=gettext(PROMISES[tier]))


def _kit(option: Path | None, missing: list[str]) -> str:
    try:
        kit = find(option)
    except KitError as error:
        missing.append(str(error))
        return pgettext("kit", "none")
    without = [name for name in kit.names if not kit.answer(name).is_file() and not kit.key(name).is_file()]
    if without:
        said = gettext("no reference for {problems}: restore the kit's solutions/")
        missing.append(said.format(problems=", ".join(without)))
    state = kit.state if kit.state.is_dir() else kit.root
    if not os.access(state, os.W_OK):
        missing.append(gettext("{folder} cannot be written: nothing is kept between runs").format(folder=state))
    count = len(kit.names)
    return ngettext("{folder}, {count} problem", "{folder}, {count} problems", count).format(
        folder=kit.root, count=count
    )
