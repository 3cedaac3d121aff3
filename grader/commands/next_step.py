"""What a learner should do now, in one line."""

from __future__ import annotations

import os
from collections.abc import Sequence

from grader.commands.learner import ListedProblem, current_problem, is_bare, sound
from grader.kit.kit import Kit
from grader.kit.kit_files import KitFiles
from grader.kit.progress import Progress
from grader.locale.language import gettext, ngettext
from grader.marking.verdict import TOLD, Status, Verdict
from grader.options import BEST, Limits, Options


def next_step(
    options: Options,
    listed: Sequence[ListedProblem],
    progress: Progress,
    name: str = "",
    verdict: Verdict | None = None,
) -> str:
    """A line on what to do now: what helps after this verdict, if there is one, or with the current problem."""
    kit = options.kit
    if verdict is not None and verdict.status.failed:
        return _after_failure(options, name, verdict)
    if verdict is not None and verdict.status is Status.UNATTEMPTED:
        return _begin(kit, name)
    problems, files = sound(listed), KitFiles(kit)
    if verdict is not None:
        current = progress.next_problem(problems, after=name)
    else:
        current = current_problem(files, problems, progress, options.device)
    if current is None:
        return all_solved(len(problems))
    return _begin(kit, current) if is_bare(files, current) else _next(_again(options, current))


def all_solved(count: int) -> str:
    """The line on what to do where nothing is left to do."""
    if count == 1:
        return gettext("Solved. It was the only problem here.")
    return ngettext("The {count} problem is solved.", "All {count} problems are solved.", count).format(count=count)


def _next(command: str) -> str:
    return gettext("Next: {command}").format(command=command)


def _begin(kit: Kit, name: str) -> str:
    said = gettext("Next: {command}, then fill in {stub}")
    return said.format(command=kit.command("show", name), stub=kit.opened(kit.stub(name)))


def _after_failure(options: Options, name: str, verdict: Verdict) -> str:
    """The line on what helps after this failure: hints are about wrong values alone."""
    kit, names = options.kit, verdict.diagnosis.names
    if verdict.status is Status.WRONG and not (names and set(names) <= TOLD):
        return _next(kit.command("hint", name))
    if verdict.unread and not os.path.isfile(kit.stub(name)):  # nothing there, or a folder
        return _next(kit.command("reset", name))
    frames = verdict.raised.frames if verdict.raised else ()
    if verdict.stopped_at is not None:
        frames = (verdict.stopped_at,)
    stub, command = kit.opened(kit.stub(name)), _again(options, name)
    if frames and frames[-1].line:
        said = gettext("Next: fix line {line} of {stub}, then {command}")
        return said.format(line=frames[-1].line, stub=stub, command=command)
    return gettext("Next: change {stub}, then {command}").format(stub=stub, command=command)


def _again(options: Options, name: str) -> str:
    """The command that grades a problem under the same options, as far as these can change its verdict."""
    given = {
        "--device": ("cpu", options.device),
        "--cpu-limit": (f"{Limits.seconds:.15g}", f"{options.limits.seconds:.15g}"),
        "--timeout": ("", "" if options.limits.timeout is None else f"{options.limits.timeout:.15g}"),
        "--memory-limit": (_size(Limits.memory), _size(options.limits.memory)),
        "--tier": ("", "" if options.policy.confine == BEST else options.policy.confine),
        # A confined run draws a seed of its own.
        "--seed": ("", "" if options.policy.confine or options.policy.fresh is None else str(options.policy.fresh)),
    }
    changed = [f"{option}={value}" for option, (usual, value) in given.items() if value != usual]
    return options.kit.command(name, *changed, *(["--confine"] if options.policy.confine == BEST else []))


def _size(memory: int) -> str:
    return f"{memory >> 20}M" if memory % (1 << 20) == 0 else str(memory)
