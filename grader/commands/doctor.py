"""`doctor`: what is installed, which devices there are, what is in force here, and what is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from grader.kit.files import size_text
from grader.kit.kit import KitError, command, find
from grader.kit.versions import ABSENT, installed, missing_for_serve, newer, proven
from grader.marking.words import counted
from grader.options import Limits
from grader.report.terminal import Terminal
from grader.run.attempt import SECONDS_BETWEEN_LOOKS, NotConfined, prepare
from grader.run.child import Launcher, LaunchError, environment
from grader.run.forking import Forking
from grader.run.launch import launcher
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

    row("python", f"{installed('python')} ({sys.executable})")
    for package in ("grader", "jax", "jaxlib", "flax", "numpy"):
        row(package, installed(package))
        if installed(package) == ABSENT:
            missing.append(f"{package} is not installed: pip install {package}")
    oldest, newest = proven()
    row("proven with", oldest)
    row("and with", newest)
    if unproven := newer():
        row(
            "newer here",
            f"{', '.join(unproven)}: this kit is not proven with it yet; `{command('audit', kit=kit)}` tries it",
        )
    memory = size_text(limits.memory)
    row("limits", f"{limits.seconds:g} s of processor time and {memory} for an answer, kept from outside its process")
    row("kit", _kit(kit, missing))
    absent = missing_for_serve()
    row("browser", f"serve needs {', '.join(absent)}: pip install {' '.join(absent)}" if absent else "serve can start")
    # The rest takes seconds: it starts processes that import JAX.
    started = launcher(clean=True)
    try:
        row("start", _start_method(started))
        row("memory", _memory(started))
        row("confinement", _confinement(started, limits))
    except LaunchError as error:
        row("confinement", f"nothing could be tried: {error}")
    finally:
        started.close()
    found = _devices(asked)
    row("devices", "; ".join(f"{name}: {what}" for name, what in found.items() if what != "-") or "none")
    if found.get(device, "-") == "-":
        missing.append(f"no {device} is seen by JAX: leave out --device {device}, or install the jax that drives it")
    terminal.line()
    for line in missing or ["Nothing is missing."]:
        terminal.line(line)
    return 2 if missing else 0


def _ask_for_devices() -> subprocess.Popen[str]:
    """Start a process that looks for devices, since that starts every backend of JAX."""
    command = [sys.executable, "-P", "-c", _DEVICES]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment())


def _devices(asked: subprocess.Popen[str]) -> dict[str, str]:
    """What that process found: device kinds by platform."""
    rows = (line.partition(" ") for line in asked.communicate()[0].splitlines())
    return {name: what for name, _, what in rows}


def _start_method(launcher: Launcher) -> str:
    if not isinstance(launcher, Forking):
        return "spawn: a fresh interpreter for each answer"
    try:
        launcher.ready()
    except LaunchError as error:
        return f"none works: {error}"
    return "fork, from a process that has imported jax and has one thread"


def _memory(started: Launcher) -> str:
    if reason := started.uncounted():
        often = round(1 / SECONDS_BETWEEN_LOOKS)
        return f"what is resident, looked at {often} times a second; cgroup v2 cannot be used: {reason}"
    return "counted by the kernel, for all that a confined answer starts (cgroup v2)"


PROMISES = {
    "A": "tier A: namespaces, Landlock, seccomp",
    "B": "tier B: Landlock, seccomp",
    "C": "tier C: limits only",
    "none": "none",
}


def best_tier(started: Launcher, limits: Limits) -> tuple[str, list[str]]:
    """The best tier that works, and why better ones do not."""
    refused: list[str] = []
    for tier in TIERS:
        try:
            child = prepare(started, (), "cpu", warm=False, confine=tier, memory=limits.memory)
        except NotConfined as error:
            refused.append(str(error))
            continue
        child.close()
        return child.tier, list(dict.fromkeys([*refused, *child.refused]))
    return "none", refused


def _confinement(started: Launcher, limits: Limits) -> str:
    tier, refused = best_tier(started, limits)
    said = f"; refused: {', '.join(refused)}" if refused else ""
    return f"{PROMISES[tier]}{said} (check --confine)"


def _kit(option: Path | None, missing: list[str]) -> str:
    try:
        kit = find(option)
    except KitError as error:
        missing.append(str(error))
        return "none"
    without = [name for name in kit.names if not kit.answer(name).is_file()]
    if without:
        missing.append(f"no reference for {', '.join(without)}: restore the kit's solutions/")
    state = kit.state if kit.state.is_dir() else kit.root
    if not os.access(state, os.W_OK):
        missing.append(f"{state} cannot be written: nothing is kept between runs")
    return f"{kit.root}, {counted(len(kit.names), 'problem')}"
