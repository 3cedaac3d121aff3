"""What comes back for a class from other processes: each line is checked, the first record of an answer counts, and a second
one must agree."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass, field

from grader.classroom.outcome import Identity, Outcome
from grader.classroom.shard import Head, NotAsked, Refused, head_of, outcome_of
from grader.kit.decode import Malformed, parse
from grader.marking.verdict import Verdict

Record = Callable[[Identity, Outcome], None]


@dataclass
class Incoming:
    """Takes what comes back.

    Args:
        record: called with each outcome that is new.

    Attributes:
        notes: what was skipped and what does not agree, in one line each.
    """

    record: Record
    notes: list[str] = field(default_factory=list[str])
    _taken: dict[Identity, list[Outcome]] = field(default_factory=dict[Identity, list[Outcome]])

    def take(self, data: bytes, source: str, asked: Collection[Identity]) -> set[Identity]:
        """Record what is new in the results of a shard. The last line may be cut off.

        Args:
            source: where they come from, for the notes.
            asked: what this shard held. Results on other answers are skipped.

        Returns:
            what it has an outcome of.

        Raises:
            Refused: if these are no results.
        """
        first, *lines = data.split(b"\n")
        if not lines:
            raise Refused("It holds no results: not even a first line.")
        head, answered, skipped = head_of(first), set[Identity](), Counter[str]()
        due = {(one.digest, one.problem): one for one in asked}
        for number, line in enumerate(lines[:-1], 2):
            if _is_end(line):
                break
            try:
                identity, outcome = outcome_of(line, due)
                if not _made_with(head, identity):
                    skipped[identity.problem] += 1
                else:
                    answered.add(identity)
                    self._take(identity, outcome)
            except NotAsked:
                skipped[""] += 1
            except Refused as error:
                self.notes.append(f"{source}, line {number}: {error} It is skipped.")
        self.notes += [f"{source}: {_skipped(count, problem)}" for problem, count in sorted(skipped.items())]
        return answered

    def _take(self, identity: Identity, outcome: Outcome) -> None:
        before = self._taken.setdefault(identity, [])
        first = next((one.verdict for one in before if one.verdict is not None), None)
        if first is None and outcome not in before:
            self.record(identity, outcome)
            before.append(outcome)
        elif (
            first is not None
            and outcome.verdict is not None
            and (now := _told(outcome.verdict)) != (was := _told(first))
        ):
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


def _skipped(count: int, problem: str) -> str:
    lines = f"{count} line{'s' if count > 1 else ''}"
    if problem:
        return f"{lines} on {problem} skipped: the reference, the software or the way of grading is another now."
    return f"{lines} skipped: about texts that were not sent there."


def _told(verdict: Verdict) -> str:
    """What two gradings of one text must agree on. Numbers may differ in their last digits, from machine to machine."""
    pitfalls = ", ".join(sorted(verdict.diagnosis.names))
    return f"{verdict.status.value} ({pitfalls})" if pitfalls else verdict.status.value
