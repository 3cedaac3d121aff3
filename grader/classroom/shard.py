"""A part of a class as one document that another process or machine grades, and what counts of the lines that come back."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from grader.classroom.plan import PlannedAnswer, policy_text
from grader.classroom.row import Identity, Outcome
from grader.kit.kit import Kit, KitError
from grader.kit.progress import fingerprint_of_problem
from grader.kit.software import DECISIVE, installed_version
from grader.marking.sample import read_sample
from grader.marking.verdict import Status, Verdict, fits
from grader.options import CONFINES, Limits, Options, Policy
from grader.values.decode import Malformed, decode, parse

SCHEMA, RESULT = "grader/shard/2", "grader/shard-result/2"
"""Another one as soon as a `Verdict`, or anything else in them, has another form."""

LARGEST_DOCUMENT = 1 << 28
"""The most bytes of a document, and of what comes back for it."""

MOST_SECONDS, MOST_MEMORY, MOST_TRIES = 1e7, 1 << 50, 100
"""Seconds, bytes and tries that no outcome has: a gradebook keeps what other machines say."""

IMPOSSIBLE = "This has a time or a size of memory that no answer takes."

SUFFICIENT_TIERS = {"A": ("A",), "B": ("A", "B"), "best": ("A", "B"), "C": ("A", "B", "C")}
"""The tiers that are enough for each way to confine answers."""


@dataclass(frozen=True)
class ShardPolicy:
    """How the answers are to be graded: what `policy_text` holds."""

    clock: float
    confine: str
    device: str
    fresh: int | None
    memory: int
    seconds: float


@dataclass(frozen=True)
class ShardAnswer:
    """One text, and the digest of its UTF-8."""

    digest: str
    problem: str
    text: str


@dataclass(frozen=True)
class Shard:
    """The document. `problems` maps each problem to its fingerprint, which the kit of whoever grades must have too."""

    schema: str
    id: str
    policy: ShardPolicy
    problems: dict[str, str]
    answers: list[ShardAnswer]


@dataclass(frozen=True)
class Head:
    """The first line that comes back: who grades, how the answers are confined, and what their verdicts are made with."""

    schema: str
    id: str
    policy: ShardPolicy
    problems: dict[str, str]
    confinement: str
    jobs: int
    versions: dict[str, str]


class RefusedShard(KitError):
    """A document that is not graded here, or a line that is not recorded. The message is one line that says why."""


class NotAsked(RefusedShard):
    """A line about an answer that nobody asked for."""


def shard_document(name: str, work: Sequence[PlannedAnswer], *, answers: bool = True) -> str:
    """Some work under one policy as a document, in one line.

    Args:
        answers: whether it holds the answers. Without them, it asks whether they could be graded.
    """
    whole = {
        "schema": SCHEMA,
        "id": name,
        "policy": json.loads(work[0].identity.policy),
        "problems": {planned.identity.problem: planned.identity.fingerprint for planned in work},
        "answers": [
            {"digest": planned.identity.digest, "problem": planned.identity.problem, "text": planned.text}
            for planned in work
            if answers
        ],
    }
    return json.dumps(whole)


def read_shard(data: bytes) -> Shard:
    """The inverse of `document`.

    Raises:
        Refused: if it is no such document, or one of another version.
    """
    try:
        parsed = parse(data)
        if isinstance(parsed, dict) and parsed.get("schema") != SCHEMA:
            raise RefusedShard(f"This grader reads shards of the schema {SCHEMA}, and this one is another.")
        shard: Shard = decode(Shard, parsed)
    except Malformed as error:
        raise RefusedShard(f"This is not a shard of a class: {error}.") from None
    for answer in shard.answers:
        if hashlib.sha256(answer.text.encode()).hexdigest() != answer.digest:
            raise RefusedShard(f"The text of {answer.digest[:12]} is not the one that was sent: send the shard again.")
        if answer.problem not in shard.problems:
            raise RefusedShard(f"The shard has no fingerprint of {answer.problem}.")
    if shard.policy.confine not in CONFINES or shard.policy.device not in ("cpu", "gpu", "tpu"):
        raise RefusedShard("Another version of the grader made this shard: use the same here and there.")
    return shard


def options_of(shard: Shard, kit: Kit) -> Options:
    """How to grade it here.

    Raises:
        Refused: if this kit or this software would judge otherwise than those of the sender.
    """
    asked = shard.policy
    for name, fingerprint in shard.problems.items():
        if name not in kit.names:
            raise RefusedShard(f"This kit has no problem {name}: use the sender's kit.")
        if fingerprint_of_problem(kit, name, asked.device) != fingerprint:
            raise RefusedShard(
                f"{name} is judged otherwise here than where the shard comes from: use the same kit there and here, and the "
                f"same versions of the grader, Python, {', '.join(DECISIVE)}."
            )
    return Options(
        kit,
        asked.device,
        Limits(asked.seconds, asked.memory, asked.clock),
        Policy(asked.confine, asked.fresh),
        json=True,
    )


def work_of(shard: Shard, options: Options) -> list[PlannedAnswer]:
    """What a shard asks to grade."""
    policy = policy_text(options)
    return [
        PlannedAnswer(Identity(answer.digest, answer.problem, shard.problems[answer.problem], policy), answer.text)
        for answer in shard.answers
    ]


def head_line(shard: Shard, tier: str, jobs: int) -> str:
    """The first line that comes back."""
    versions = {name: installed_version(name) for name in ("grader", "python", *DECISIVE)}
    return json.dumps(asdict(Head(RESULT, shard.id, shard.policy, shard.problems, tier, jobs, versions)))


def head_of(data: bytes) -> Head:
    """The inverse of `head`.

    Raises:
        Refused: if it is no such line, or the answers are confined less than the shard asked for.
    """
    try:
        found: Head = decode(Head, parse(data))
    except Malformed as error:
        raise RefusedShard(f"The first line is not that of a shard's results: {error}.") from None
    if found.schema != RESULT:
        raise RefusedShard(f"This grader reads results of the schema {RESULT}, and these are others.")
    if found.confinement not in SUFFICIENT_TIERS.get(found.policy.confine, ()):
        raise RefusedShard(
            f"Answers ran under the confinement {found.confinement!r:.20}, and {found.policy.confine!r:.20} was asked for."
        )
    return found


def line_of_outcome(identity: Identity, outcome: Outcome) -> str:
    """The line of one outcome."""
    return json.dumps({"digest": identity.digest, "problem": identity.problem, **asdict(outcome)})


def outcome_of(data: bytes, due: Mapping[tuple[str, str], Identity]) -> tuple[Identity, Outcome]:
    """The inverse of `line`.

    Args:
        due: what was asked for, by digest and problem.

    Raises:
        NotAsked: if it is about something else.
        Refused: if it is no such line.
    """
    try:
        parsed: dict[str, Any] = parse(data)
        of = str(parsed.pop("digest")), str(parsed.pop("problem"))
        outcome: Outcome = decode(Outcome, parsed)
    except (Malformed, KeyError, AttributeError, TypeError) as error:
        raise RefusedShard(f"This is not a line of a shard's results: {error}.") from None
    told = outcome.verdict
    if (told is None) is not bool(outcome.fault):
        raise RefusedShard("This is neither a verdict nor a fault.")
    if told is not None:
        _check(told, of[1])
    if not (0 <= outcome.seconds < MOST_SECONDS and 0 <= outcome.peak < MOST_MEMORY):
        raise RefusedShard(IMPOSSIBLE)
    if not 0 <= outcome.tries <= MOST_TRIES:
        raise RefusedShard("This has a number of tries that nobody makes.")
    if of not in due:
        raise NotAsked(f"Nobody asked for {of[0]!r:.20} of {of[1]!r:.60}.")
    return due[of], outcome


def _check(told: Verdict, problem: str) -> None:
    """Raises:
    Refused: if a verdict cannot be one on an answer to this problem.
    """
    if not fits(told):
        raise RefusedShard("This is a verdict whose parts do not fit together.")
    if told.problem != problem:
        raise RefusedShard(f"This is a verdict on another problem than {problem!r:.60}.")
    if max(told.run.seconds, told.run.processor) >= MOST_SECONDS:
        raise RefusedShard(IMPOSSIBLE)
    if told.sample and (why := _unlike_a_sample(told)):
        raise RefusedShard(f"This holds {why}.")


def _unlike_a_sample(told: Verdict) -> str:
    """Why the sample of a verdict is none of its answer, in a few words; empty if it is one."""
    if told.status is not Status.WRONG or told.diagnosis.explained:
        return "a sample of an answer that is explained"
    try:
        count = len(read_sample(told.sample))
    except ValueError as error:
        return str(error)
    return "" if count == len(told.cases) else "a sample of other cases"


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
            asked: what this shard held. Results on other answers are skipped.

        Returns:
            what it has an outcome of.

        Raises:
            Refused: if these are no results.
        """
        first, *lines = data.split(b"\n")
        if not lines:
            raise RefusedShard("It holds no results: not even a first line.")
        head, answered, skipped = head_of(first), set[Identity](), Counter[str]()
        due = {(identity.digest, identity.problem): identity for identity in asked}
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
            except RefusedShard as error:
                self.notes.append(f"{source}, line {number}: {error} It is skipped.")
        self.notes += [f"{source}: {_skipped(count, problem)}" for problem, count in sorted(skipped.items())]
        return answered

    def _take(self, identity: Identity, outcome: Outcome) -> None:
        before = self._taken.setdefault(identity, [])
        first = next((earlier.verdict for earlier in before if earlier.verdict is not None), None)
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
