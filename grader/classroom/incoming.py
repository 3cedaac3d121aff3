"""What comes back for a class from other processes: each line is checked, the first record of an answer counts, and a second
one must agree."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from grader.classroom.outcome import Identity, Outcome
from grader.classroom.shard import Head, NotAsked, Refused, head_of, outcome_of
from grader.kit.decode import Malformed, parse

Record = Callable[[Identity, Outcome], None]
Known = Callable[[Identity], Sequence[tuple[Outcome, bool]]]
"""The outcomes that are kept of an identity, and whether each counts."""


@dataclass
class Taken:
    """What came of the results of one shard.

    Attributes:
        answered: what it has an outcome of.
        recorded: how many outcomes were new.
        known: how many were recorded before.
        whole: whether the results end as they should.
    """

    answered: set[Identity] = field(default_factory=set[Identity])
    recorded: int = 0
    known: int = 0
    whole: bool = False


@dataclass
class Incoming:
    """Takes what comes back.

    Args:
        due: what may come back, by digest and problem.
        record: called with each outcome that is new.
        kept: what is recorded already.

    Attributes:
        notes: what was skipped and what does not agree, in one line each.
    """

    due: Mapping[tuple[str, str], Identity]
    record: Record
    kept: Known = lambda _: ()
    notes: list[str] = field(default_factory=list[str])
    _new: dict[Identity, list[Outcome]] = field(default_factory=dict[Identity, list[Outcome]])

    def take(self, data: bytes, source: str, asked: Collection[Identity] | None = None) -> Taken:
        """Record what is new in the results of a shard. The last line may be cut off.

        Args:
            source: where they come from, for the notes.
            asked: what this shard held; None where that is not known. Results on other answers are skipped.

        Raises:
            Refused: if these are no results.
        """
        first, *lines = data.split(b"\n")
        if not lines:
            raise Refused("It holds no results: not even a first line.")
        head, taken, skipped = head_of(first), Taken(), Counter[str]()
        due = self.due if asked is None else {(one.digest, one.problem): one for one in asked}
        for number, line in enumerate(lines[:-1], 2):
            if _is_end(line):
                taken.whole = True
                break
            try:
                identity, outcome = outcome_of(line, due)
                if not _made_with(head, identity):
                    skipped[identity.problem] += 1
                else:
                    self._take(identity, outcome, taken)
            except NotAsked:
                skipped[""] += 1
            except Refused as error:
                self.notes.append(f"{source}, line {number}: {error} It is skipped.")
        other = "are not, or no longer, handed in" if asked is None else "were not sent there"
        self.notes += [f"{source}: {_skipped(count, problem, other)}" for problem, count in sorted(skipped.items())]
        return taken

    def _take(self, identity: Identity, outcome: Outcome, taken: Taken) -> None:
        taken.answered.add(identity)
        before = [*self.kept(identity), *((one, True) for one in self._new.get(identity, ()))]
        first = next((one.verdict for one, counts in before if counts and one.verdict is not None), None)
        if any(one == outcome for one, _ in before):
            taken.known += 1
        elif first is None:
            self.record(identity, outcome)
            self._new.setdefault(identity, []).append(outcome)
            taken.recorded += 1
        else:
            taken.known += 1
            if outcome.verdict is not None and (now := _told(outcome.verdict)) != (was := _told(first)):
                self.notes.append(
                    f"{identity.problem}, the text {identity.digest[:12]}: {was} at first, {now} when graded once more. "
                    "The first counts. Either this answer does not always do the same, or one of the machines is at fault."
                )


def _made_with(head: Head, identity: Identity) -> bool:
    """Whether verdicts of these results are made with what counts."""
    same = head.problems.get(identity.problem) == identity.fingerprint
    return same and json.loads(identity.policy) == asdict(head.policy)


def _is_end(line: bytes) -> bool:
    try:
        found = parse(line)
    except Malformed:
        return False
    return isinstance(found, dict) and list(found) == ["end"]


def _skipped(count: int, problem: str, other: str) -> str:
    lines = f"{count} line{'s' if count > 1 else ''}"
    if problem:
        return f"{lines} on {problem} skipped: the reference, the software or the way of grading is another now."
    return f"{lines} skipped: about texts that {other}."


def _told(verdict: Mapping[str, Any]) -> str:
    """What two gradings of one text must agree on. Numbers may differ in their last digits, from machine to machine."""
    pitfalls = sorted(verdict["pitfalls"] or ())
    return f"{verdict['status']} ({', '.join(pitfalls)})" if pitfalls else str(verdict["status"])
