"""What of a class has to be graded now, and what is known without running it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace

from grader.classroom.database import Unusable
from grader.classroom.journal import Journal
from grader.classroom.row import Identity, Outcome, now
from grader.kit.kit import Kit
from grader.kit.progress import fingerprint_of_problem
from grader.kit.shipped_stub import untouched
from grader.marking.verdict import Status, Verdict
from grader.options import Options
from grader.values.message import message

OFF = "off"


@dataclass(frozen=True)
class PlannedAnswer:
    """A text to grade.

    Attributes:
        expected: how many seconds on the clock that may take; 0 where nobody knows.
        late: whether it ran out of time before, so that it should run alone.
    """

    identity: Identity
    text: str
    expected: float = 0.0
    late: bool = False


def policy_text(options: Options) -> str:
    """How answers are graded, as identities hold it: all that can change a verdict beside the answer and the problem."""
    told = {
        "clock": options.limits.clock,
        "confine": options.policy.confine,
        "device": options.device,
        "fresh": options.policy.fresh,
        "memory": options.limits.memory,
        "seconds": options.limits.seconds,
    }
    return json.dumps(told, sort_keys=True)


def holds(verdict: Verdict, of: str, under: str) -> bool:
    """Whether a verdict under one policy holds under another: if only limits differ, and it reaches none of them."""
    before, wanted = json.loads(of), json.loads(under)
    limits = ("seconds", "clock", "memory")
    if {name: value for name, value in before.items() if name not in limits} != {
        name: value for name, value in wanted.items() if name not in limits
    }:
        return False
    if verdict.status is Status.TIMEOUT:
        shorter = wanted["seconds"] <= before["seconds"] and wanted["clock"] <= before["clock"]
        return shorter and wanted["memory"] >= before["memory"]
    if verdict.status is Status.MEMORY:
        longer = wanted["seconds"] >= before["seconds"] and wanted["clock"] >= before["clock"]
        return longer and wanted["memory"] <= before["memory"]
    # More of an answer than its first run may have taken time: twice as much is a safe bound.
    took = {"seconds": verdict.run.processor, "clock": verdict.run.seconds}
    enough = all(wanted[limit] >= before[limit] or wanted[limit] >= 2 * took[limit] for limit in took)
    return enough and wanted["memory"] >= before["memory"]


def seed_of(journal: Journal, seed: int | None, *, fresh: bool | None) -> int | None:
    """The seed of the fresh inputs of a whole class, drawn once and kept; None if there are to be none.

    Args:
        seed: the seed to use from now on; None for the one that is kept.
        fresh: whether there are to be such inputs from now on; None for what is kept.
    """
    kept = journal.setting("fresh")
    if fresh is False:
        wanted = OFF
    elif seed is not None:
        wanted = str(seed)
    else:
        wanted = str(secrets.randbelow(1 << 31)) if kept is None or (kept == OFF and fresh) else kept
    if wanted != kept:
        journal.keep("fresh", wanted)
    return None if wanted == OFF else int(wanted)


def plan(journal: Journal, options: Options, problems: Sequence[str], again: Sequence[str]) -> list[PlannedAnswer]:
    """What has to run now, the longest first. What is known without a run is recorded at once.

    Args:
        again: problems of which everything is graded again, although nothing changed.
    """
    policy = policy_text(options)
    for name in problems:
        journal.grades_with(name, fingerprint_of_problem(options.kit, name, options.device), policy)
    for name in again:
        journal.grade_again(name)
    took: dict[tuple[str, str], tuple[float, bool]] = {}
    for digest, name, status, seconds, _ in journal.measured():
        took[digest, name] = seconds, status is Status.TIMEOUT
    mean = {
        name: sum(times) / len(times)
        for name in problems
        if (times := [seconds for (_, of), (seconds, _) in took.items() if of == name])
    }
    work: list[PlannedAnswer] = []
    known: list[tuple[Identity, Outcome]] = []
    for identity, text in journal.due(problems):
        outcome = _known(journal, options.kit, identity, text)
        if outcome is not None:
            known.append((identity, outcome))
        else:
            usual = mean.get(identity.problem, 0.0), False
            work.append(PlannedAnswer(identity, text, *took.get((identity.digest, identity.problem), usual)))
    journal.record(known)
    return sorted(work, key=lambda planned: -planned.expected)


def _known(journal: Journal, kit: Kit, identity: Identity, text: str) -> Outcome | None:
    """The outcome without a run: of a stub that nobody filled in, or of a run under other limits."""
    for policy, outcome in journal.otherwise_graded(identity):
        if outcome.verdict is not None and holds(outcome.verdict, policy, identity.policy):
            return outcome
    if untouched(kit, identity.problem, text):
        said = message("Not filled in yet: it still raises NotImplementedError.")
        return Outcome(Verdict(identity.problem, Status.UNATTEMPTED, said), graded_at=now())
    return None


def stale(journal: Journal, kit: Kit) -> list[str]:
    """The problems of a kit that are not, here and now, what the verdicts that count were made with.

    Raises:
        Unusable: another program wrote how they were made.
    """
    found: list[str] = []
    for name, (fingerprint, policy) in journal.grading_with().items():
        try:
            device = str(json.loads(policy)["device"])
        except (ValueError, TypeError, LookupError):
            raise Unusable(f"{journal.path}: the options of {name} are none that this grader wrote.") from None
        if name in kit.names and fingerprint_of_problem(kit, name, device) != fingerprint:
            found.append(name)
    return found


def finish(journal: Journal, again: Sequence[str], left: Sequence[str]) -> None:
    """Note which problems are graded again to the end, those of which nothing is left, and which verdicts stand."""
    for name in again:
        if name not in left:
            journal.graded_again(name)
    journal.settle()


def with_seed(options: Options, seed: int | None) -> Options:
    """A copy of the options, with this seed of fresh inputs."""
    return replace(options, policy=replace(options.policy, fresh=seed))
