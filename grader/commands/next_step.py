"""What a learner should do now, in one line."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from grader.commands.catalogue import Listed
from grader.kit import shipped_stub
from grader.kit.files import Unreadable, read_text
from grader.kit.kit import Kit
from grader.kit.progress import Progress
from grader.marking.verdict import Status, Verdict

_TOLD = {"not-an-array", "wrong-dtype", "other-inputs"}
"""Mistakes of which the report says all that there is to do. Hints are about what the problem computes."""


def next_step(
    kit: Kit, listed: Sequence[Listed], progress: Progress, name: str = "", verdict: Verdict | None = None
) -> str:
    """A line on what to do now: take a hint if the verdict is wrong, else go to the first problem that is not solved."""
    if verdict is not None and verdict.status.failed:
        return f"Next: {_after_failure(kit, name, verdict)}"
    if verdict is not None and verdict.status is Status.UNATTEMPTED:
        return f"Next: {kit.command('show', name)}, then fill in {kit.opened(kit.stub(name))}"
    names = [one.name for one in listed if not one.fault]
    current = progress.current_problem(names, failed_first=verdict is None)
    if current is None:
        return "Solved. It was the only problem here." if len(names) == 1 else f"All {len(names)} problems are solved."
    again = progress.failed(current) and (verdict is None or current in progress.solved)
    if again and not _is_bare(kit, current):
        return f"Next: {kit.command(current)}"
    return f"Next: {kit.command('show', current)}, then fill in {kit.opened(kit.stub(current))}"


def _is_bare(kit: Kit, name: str) -> bool:
    """Whether the stub is as shipped, for example after `reset`."""
    with contextlib.suppress(Unreadable):  # grading reports that it is unreadable
        return shipped_stub.untouched(kit, name, read_text(kit.stub(name)))
    return False


def _after_failure(kit: Kit, name: str, verdict: Verdict) -> str:
    """What helps after this failure: hints are about wrong values alone."""
    names = verdict.diagnosis.names
    if verdict.status is Status.WRONG and not (names and set(names) <= _TOLD):
        return kit.command("hint", name)
    if verdict.unread == "missing":
        return kit.command("reset", name)
    frames = verdict.raised.frames if verdict.raised else ()
    if verdict.stopped_at is not None:
        frames = (verdict.stopped_at,)
    change = f"fix line {frames[-1].line} of" if frames and frames[-1].line else "change"
    return f"{change} {kit.opened(kit.stub(name))}, then {kit.command(name)}"
