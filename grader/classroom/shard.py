"""A part of a class as one document that another process or machine grades, and the lines that come back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from grader.classroom.outcome import Identity, Outcome
from grader.classroom.plan import Work, policy_text
from grader.kit.decode import Malformed, decode, parse
from grader.kit.kit import Kit, KitError
from grader.kit.progress import fingerprint_of_problem
from grader.kit.versions import DECISIVE, installed
from grader.options import CONFINES, Limits, Options, Policy
from grader.report.as_json import SCHEMA as VERDICTS

SCHEMA, RESULT = "grader/shard/1", "grader/shard-result/1"
LARGEST = 1 << 28
"""The most bytes of a document."""


@dataclass(frozen=True)
class Asked:
    """How the answers are to be graded: what `policy_text` holds."""

    confine: str
    device: str
    fresh: int | None
    memory: int
    schema: str
    seconds: float


@dataclass(frozen=True)
class Answer:
    """One text, and the digest of its UTF-8."""

    digest: str
    problem: str
    text: str


@dataclass(frozen=True)
class Shard:
    """The document. `problems` maps each problem to its fingerprint, which the kit of whoever grades must have too."""

    schema: str
    id: str
    policy: Asked
    problems: dict[str, str]
    answers: list[Answer]


class Refused(KitError):
    """A document that is not graded here. The message is one line that says why."""


def document(name: str, work: Sequence[Work]) -> str:
    """Some work under one policy as a document, in one line."""
    whole = {
        "schema": SCHEMA,
        "id": name,
        "policy": json.loads(work[0].identity.policy),
        "problems": {one.identity.problem: one.identity.fingerprint for one in work},
        "answers": [{"digest": one.identity.digest, "problem": one.identity.problem, "text": one.text} for one in work],
    }
    return json.dumps(whole)


def read(data: bytes) -> Shard:
    """The inverse of `document`.

    Raises:
        Refused: if it is no such document, or one of another version.
    """
    try:
        parsed = parse(data)
        if isinstance(parsed, dict) and parsed.get("schema") != SCHEMA:
            raise Refused(f"This grader reads shards of the schema {SCHEMA}, and this one is another.")
        shard: Shard = decode(Shard, parsed)
    except Malformed as error:
        raise Refused(f"This is not a shard of a class: {error}.") from None
    for one in shard.answers:
        if hashlib.sha256(one.text.encode()).hexdigest() != one.digest:
            raise Refused(f"The text of {one.digest[:12]} is not the one that was sent: send the shard again.")
        if one.problem not in shard.problems:
            raise Refused(f"The shard has no fingerprint of {one.problem}.")
    known = shard.policy.confine in CONFINES and shard.policy.device in ("cpu", "gpu", "tpu")
    if shard.policy.schema != VERDICTS or not known:
        raise Refused("Another version of the grader made this shard: use the same here and there.")
    return shard


def options_of(shard: Shard, kit: Kit) -> Options:
    """How to grade it here.

    Raises:
        Refused: if this kit or this software would judge otherwise than those of the sender.
    """
    asked = shard.policy
    for name, fingerprint in shard.problems.items():
        if name not in kit.names:
            raise Refused(f"This kit has no problem {name}: use the sender's kit.")
        if fingerprint_of_problem(kit, name, asked.device) != fingerprint:
            raise Refused(
                f"{name} is judged otherwise here than where the shard comes from: use the same kit there and here, and the "
                f"same versions of the grader, Python, {', '.join(DECISIVE)}."
            )
    return Options(
        kit, asked.device, Limits(asked.seconds, asked.memory), Policy(asked.confine, asked.fresh), json=True
    )


def work_of(shard: Shard, options: Options) -> list[Work]:
    """What a shard asks to grade."""
    policy = policy_text(options)
    return [
        Work(Identity(one.digest, one.problem, shard.problems[one.problem], policy), one.text) for one in shard.answers
    ]


def head(shard: Shard, tier: str, jobs: int) -> str:
    """The first line that comes back: who grades, and how the answers are confined."""
    versions = {name: installed(name) for name in ("grader", "python", *DECISIVE)}
    return json.dumps({"schema": RESULT, "id": shard.id, "confinement": tier, "jobs": jobs, "versions": versions})


def line(identity: Identity, outcome: Outcome) -> str:
    """The line of one outcome."""
    return json.dumps({"digest": identity.digest, "problem": identity.problem, **asdict(outcome)}, allow_nan=False)


def outcome_of(data: bytes, due: Mapping[tuple[str, str], Identity]) -> tuple[Identity, Outcome]:
    """The inverse of `line`.

    Args:
        due: what was asked for, by digest and problem.

    Raises:
        Refused: if it is no such line, or about something that was not asked for.
    """
    try:
        parsed: dict[str, Any] = parse(data)
        identity = due[str(parsed.pop("digest")), str(parsed.pop("problem"))]
        outcome: Outcome = decode(Outcome, parsed)
    except (Malformed, KeyError, AttributeError, TypeError) as error:
        raise Refused(f"A line of a shard's results is not one: {error}.") from None
    told = outcome.verdict
    if (told is None) is not bool(outcome.fault) or (told is not None and not isinstance(told.get("status"), str)):
        raise Refused("A line of a shard's results is neither a verdict nor a fault.")
    return identity, outcome
